//! Base clusterings of features.

use std::sync::atomic::Ordering;

use conclave_core::data::{Dataset, Matrix};
use conclave_core::ensemble::Labels;
use conclave_core::generate::{self, GenerateError, Which};
use conclave_core::params::Params;
use conclave_core::suggest::did_you_mean;
use conclave_core::threads::Threads;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2};
use pyo3::types::PyAny;
use pyo3::{Bound, PyResult, Python, pyfunction};

use crate::errors::value;
use crate::labels::NativeLabels;
use crate::listing::raw;
use crate::permits::require;
use crate::work::detached;

/// What is asked of a generator.
#[derive(pyo3::FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Wanted<'py> {
    generator: String,
    size: usize,
    seed: u64,
    threads: std::num::NonZeroUsize,
    params: Vec<(String, Bound<'py, PyAny>)>,
}

/// An array of objects × base clusterings, -1 for a missing label.
#[pyfunction]
pub(crate) fn base_clusterings<'py>(
    py: Python<'py>,
    features: PyReadonlyArray2<'py, f64>,
    truth: Option<&NativeLabels>,
    wanted: Wanted<'py>,
) -> PyResult<Bound<'py, PyArray2<i64>>> {
    let name = &wanted.generator;
    let info = generate::find(name).ok_or_else(|| {
        let names: Vec<&str> = generate::all().iter().map(|info| info.name).collect();
        let hint = did_you_mean(name, &names).unwrap_or_else(|| format!("; there are {}", names.join(", ")));
        value(format!("no generator is named `{name}`{hint}"))
    })?;
    let mut params = Params::defaults(info.parameters);
    for (given, handed) in &wanted.params {
        let parameter = info.parameters.iter().find(|parameter| parameter.name == given).ok_or_else(|| {
            let names: Vec<&str> = info.parameters.iter().map(|parameter| parameter.name).collect();
            let hint = did_you_mean(given, &names).unwrap_or_else(|| format!("; there are {}", names.join(", ")));
            value(format!("{name} has no parameter `{given}`{hint}"))
        })?;
        let handed = raw(given, handed)?;
        let refused = |expected| value(format!("{name}: `{given}` is {handed}; expected {expected}"));
        params.set(parameter, parameter.check(&handed).map_err(refused)?);
    }
    let view = features.as_array();
    let (objects, columns) = view.dim();
    let matrix = Matrix::new(columns, view.iter().copied().collect()).map_err(value)?;
    let classes = truth.map(|truth| truth.partition("the truth")).transpose()?;
    if let Some(classes) = classes.as_ref().filter(|classes| classes.len() != objects) {
        return Err(value(format!("{objects} objects and {} classes: one per object is needed", classes.len())));
    }
    let (size, seed, threads) = (wanted.size, wanted.seed, Threads::new(wanted.threads));
    let name = info.name;
    let made = detached(py, move |stop| {
        let refused = |error: GenerateError| value(format!("{name}: {error}"));
        let dataset = Dataset::new("", matrix, classes);
        let id = info.ensemble_id(&params, &dataset, &Which { seed, index: Some(0) }).map_err(refused)?;
        let generator = info.make(&params, &dataset).map_err(refused)?;
        // The labels as they are made and as they are handed over, and what every thread takes to make some.
        let labels = (12.0 * objects as f64 + 64.0) * size as f64;
        require(name, labels + threads.at_work().min(size) as f64 * generator.bytes())?;
        let columns = threads.try_map((0..size).collect(), |column| {
            // Whoever stops it wants no answer.
            match stop.load(Ordering::Relaxed) {
                true => Ok(Labels::from_codes(Vec::new())),
                false => generate::column(&*generator, id, column),
            }
        });
        columns.map_err(refused)
    })??;
    let code = |code: u32| if code == Labels::MISSING { -1 } else { i64::from(code) };
    let values = (0..objects).flat_map(|object| made.iter().map(move |labels| code(labels.codes()[object])));
    PyArray1::from_vec(py, values.collect()).reshape([objects, size])
}
