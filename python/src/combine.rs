//! One method, or all of them.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use conclave_core::consensus::Watch;
use conclave_core::threads::Threads;
use conclave_core::{Comparison, Method};
use pyo3::types::PyAny;
use pyo3::{Bound, Py, PyResult, Python, pyclass, pyfunction, pymethods};

use crate::answer::NativeAnswer;
use crate::errors::{of_method, value};
use crate::labels::NativeLabels;
use crate::listing::raw;
use crate::permits::WithinMemory;
use crate::work::detached;

/// What is asked of the labels, whatever the method.
#[derive(Clone, Copy, pyo3::FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Asking {
    k: Option<usize>,
    seed: u64,
    threads: NonZeroUsize,
}

/// What one method makes of labels.
#[pyfunction]
pub(crate) fn combine(
    py: Python<'_>,
    labels: &NativeLabels,
    method: &str,
    question: Asking,
    params: Vec<(String, Bound<'_, PyAny>)>,
) -> PyResult<NativeAnswer> {
    let mut method = Method::find(method).map_err(|error| of_method(&error))?.seed(question.seed);
    if let Some(k) = question.k {
        method = method.clusters(k);
    }
    for (name, handed) in &params {
        method = method.set(name, raw(name, handed)?).map_err(|error| of_method(&error))?;
    }
    let ensemble = Arc::clone(&labels.ensemble);
    let made = detached(py, move |stop| {
        let watch = Watch::new(None, stop).with_threads(Threads::new(question.threads));
        let answer = method.combine_within(&ensemble, &watch, &WithinMemory);
        answer.map(|answer| NativeAnswer::of(&ensemble, answer))
    })?;
    made.map_err(|error| of_method(&error))
}

/// What every method makes of labels, the recommended one first.
#[pyclass(frozen, name = "Comparison", module = "conclave._native")]
pub(crate) struct NativeComparison {
    answers: Vec<Py<NativeAnswer>>,
    mean_nmi: Vec<f64>,
    ari_with_others: Vec<Option<f64>>,
    ari: Vec<Vec<f64>>,
    left_out: Vec<(String, String)>,
    rule: Option<String>,
    reason: String,
}

#[pymethods]
impl NativeComparison {
    #[getter]
    fn answers(&self, py: Python<'_>) -> Vec<Py<NativeAnswer>> {
        self.answers.iter().map(|answer| answer.clone_ref(py)).collect()
    }

    #[getter]
    fn mean_nmi(&self) -> Vec<f64> {
        self.mean_nmi.clone()
    }

    #[getter]
    fn ari_with_others(&self) -> Vec<Option<f64>> {
        self.ari_with_others.clone()
    }

    #[getter]
    fn ari(&self) -> Vec<Vec<f64>> {
        self.ari.clone()
    }

    #[getter]
    fn left_out(&self) -> Vec<(String, String)> {
        self.left_out.clone()
    }

    #[getter]
    fn rule(&self) -> Option<String> {
        self.rule.clone()
    }

    #[getter]
    fn reason(&self) -> String {
        self.reason.clone()
    }
}

/// Has every method that applies combine labels; each may take so many seconds.
#[pyfunction]
pub(crate) fn compare(
    py: Python<'_>,
    labels: &NativeLabels,
    question: Asking,
    limit: f64,
) -> PyResult<NativeComparison> {
    let limit = Duration::try_from_secs_f64(limit).map_err(|error| value(format!("limit is {limit}: {error}")))?;
    let ensemble = Arc::clone(&labels.ensemble);
    let made = detached(py, move |stop| {
        let watch = Watch::new(None, stop);
        let mut comparison = Comparison::all().seed(question.seed).limit(limit).threads(question.threads);
        if let Some(k) = question.k {
            comparison = comparison.clusters(k);
        }
        let compared = conclave_core::compare(&ensemble, &comparison.watch(&watch).permits(&WithinMemory))?;
        let left = compared.left_out.iter().map(|left| (left.method.to_owned(), left.reason.to_string())).collect();
        let mean_nmi = compared.ranked.iter().map(|ranked| ranked.mean_nmi).collect();
        let others = compared.ranked.iter().map(|ranked| ranked.ari_with_others).collect();
        let answers = compared.ranked.into_iter().map(|ranked| NativeAnswer::of(&ensemble, ranked.answer));
        let answers: Vec<NativeAnswer> = answers.collect();
        Ok::<_, conclave_core::NoAnswer>((
            answers,
            mean_nmi,
            others,
            compared.ari,
            left,
            compared.rule,
            compared.reason,
        ))
    })?;
    let (answers, mean_nmi, ari_with_others, ari, left_out, rule, reason) =
        made.map_err(|none| pyo3::exceptions::PyRuntimeError::new_err(none.to_string()))?;
    let answers = answers.into_iter().map(|answer| Py::new(py, answer)).collect::<PyResult<Vec<_>>>()?;
    Ok(NativeComparison { answers, mean_nmi, ari_with_others, ari, left_out, rule, reason })
}
