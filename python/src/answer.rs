//! What a method made of labels, as Python sees it.

use std::sync::Arc;

use conclave_core::allocation::try_with_capacity;
use conclave_core::consensus::{Confidence, CountRule, MethodInfo, Solution};
use conclave_core::ensemble::Labels;
use conclave_core::params::Params;
use conclave_core::{Answer, Count, Ensemble};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::types::{PyAny, PyDict, PyDictMethods};
use pyo3::{Bound, IntoPyObjectExt, PyResult, Python, pyclass, pymethods};

use crate::errors::out_of_memory;
use crate::listing::spelled;
use crate::permits::require;
use crate::work::detached;

/// One clustering from many, and all that the method says about it.
#[pyclass(frozen, name = "Answer", module = "conclave._native")]
pub(crate) struct NativeAnswer {
    ensemble: Arc<Ensemble>,
    method: &'static MethodInfo,
    params: Params,
    count: Count,
    solution: Arc<Solution>,
    seconds: f64,
}

impl NativeAnswer {
    /// Of an answer to what `ensemble` shares.
    pub(crate) fn of(ensemble: &Arc<Ensemble>, answer: Answer) -> Self {
        let Answer { method, params, count, solution, seconds, .. } = answer;
        Self { ensemble: Arc::clone(ensemble), method, params, count, solution: Arc::new(solution), seconds }
    }

    fn labels(&self) -> &[u32] {
        self.solution.partition.labels()
    }
}

#[pymethods]
impl NativeAnswer {
    #[getter]
    fn method(&self) -> &'static str {
        self.method.name
    }

    #[getter]
    fn title(&self) -> &'static str {
        self.method.title
    }

    #[getter]
    fn reference(&self) -> &'static str {
        self.method.reference
    }

    #[getter]
    fn params<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for (name, value) in self.params.values() {
            all.set_item(name, spelled(py, value)?)?;
        }
        Ok(all)
    }

    /// The number of clusters that the method was told.
    #[getter]
    fn k(&self) -> Option<usize> {
        self.count.told()
    }

    /// The rule that found it.
    #[getter]
    fn k_rule(&self) -> Option<String> {
        self.count.rule()
    }

    /// Where it came from, in a word.
    #[getter]
    fn k_from(&self) -> &'static str {
        match &self.count {
            Count::Given(_) => "k",
            Count::ByMethod => "itself",
            Count::Found(found) => match found.rule {
                CountRule::Bic { .. } => "BIC",
                CountRule::LongestLifetime => "lifetime",
                CountRule::OneRow => "one row",
            },
        }
    }

    #[getter]
    fn clusters(&self) -> usize {
        self.solution.partition.clusters()
    }

    #[getter]
    fn objective(&self) -> Option<(&'static str, f64)> {
        self.solution.objective.as_ref().map(|objective| (objective.name, objective.value))
    }

    #[getter]
    fn iterations(&self) -> usize {
        self.solution.iterations
    }

    #[getter]
    fn converged(&self) -> bool {
        self.solution.converged
    }

    #[getter]
    fn seconds(&self) -> f64 {
        self.seconds
    }

    /// Objects, columns, distinct rows and missing labels.
    #[getter]
    fn shape(&self) -> (usize, usize, usize, usize) {
        let ensemble = &self.ensemble;
        (ensemble.objects(), ensemble.columns(), ensemble.rows(), ensemble.missing())
    }

    /// The cluster of every object.
    fn labels_array<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        PyArray1::from_iter(py, self.labels().iter().map(|&label| i64::from(label)))
    }

    /// How much every object belongs to every cluster.
    fn memberships_array<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray2<f64>>>> {
        let Some(memberships) = &self.solution.memberships else { return Ok(None) };
        let (objects, columns) = (self.labels().len(), memberships.columns());
        require("its memberships", 8.0 * objects as f64 * columns as f64)?;
        let mut values = try_with_capacity(objects * columns).map_err(out_of_memory)?;
        let solution = Arc::clone(&self.solution);
        let values = detached(py, move |_| {
            let memberships = solution.memberships.iter();
            values.extend(memberships.flat_map(|all| (0..objects).flat_map(|object| all.object(object)).copied()));
            values
        })?;
        PyArray1::from_vec(py, values).reshape([objects, columns]).map(Some)
    }

    /// How sure the consensus is of every object's cluster.
    fn confidence_array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let (ensemble, solution) = (Arc::clone(&self.ensemble), Arc::clone(&self.solution));
        let values = detached(py, move |_| {
            let confidence = Confidence::of(&ensemble, &solution);
            (0..ensemble.objects()).map(|object| confidence.object(object)).collect::<Vec<f64>>()
        })?;
        Ok(PyArray1::from_vec(py, values))
    }

    /// Objects sorted by cluster and then by labels, at most so many, taken evenly; and how often each two are together: the
    /// share of the base clusterings labelling both that put them into one cluster.
    fn together<'py>(&self, py: Python<'py>, most: usize) -> PyResult<(Vec<usize>, Bound<'py, PyAny>)> {
        let (ensemble, solution) = (Arc::clone(&self.ensemble), Arc::clone(&self.solution));
        let (objects, cells) = detached(py, move |_| {
            let labels = solution.partition.labels();
            let mut order: Vec<usize> = (0..labels.len()).collect();
            order.sort_by_key(|&object| (labels[object], ensemble.row_of()[object]));
            let count = order.len().min(most);
            let shown: Vec<usize> = (0..count).map(|place| order[place * order.len() / count]).collect();
            let row = |object: usize| ensemble.row(ensemble.row_of()[object] as usize);
            let pairs = shown.iter().flat_map(|&one| shown.iter().map(move |&other| share(row(one), row(other))));
            let cells: Vec<f64> = pairs.collect();
            (shown, cells)
        })?;
        let side = objects.len();
        Ok((objects, PyArray1::from_vec(py, cells).reshape([side, side])?.into_bound_py_any(py)?))
    }
}

/// How often two rows agree where both have a label; none where they never have.
fn share(one: &[u32], other: &[u32]) -> f64 {
    let both = one.iter().zip(other).filter(|(a, b)| **a != Labels::MISSING && **b != Labels::MISSING);
    let (alike, all) = both.fold((0, 0), |(alike, all), (a, b)| (alike + u32::from(a == b), all + 1));
    if all == 0 { 0.0 } else { f64::from(alike) / f64::from(all) }
}
