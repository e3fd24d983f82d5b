//! Indices of a clustering against known classes.

use conclave_core::metric::{self, Contingency};
use pyo3::{PyResult, Python, pyfunction};

use crate::errors::value;
use crate::labels::NativeLabels;
use crate::work::detached;

/// The values of these indices; `truth` is there where one of them needs it.
#[pyfunction]
pub(crate) fn measure(
    py: Python<'_>,
    names: Vec<String>,
    predicted: &NativeLabels,
    truth: Option<&NativeLabels>,
) -> PyResult<Vec<f64>> {
    let found = predicted.partition("the clustering")?;
    let classes = truth.map(|truth| truth.partition("the truth")).transpose()?;
    if let Some(classes) = classes.as_ref().filter(|classes| classes.len() != found.len()) {
        return Err(value(format!(
            "{} labels and {} classes: one of each per object is needed",
            found.len(),
            classes.len()
        )));
    }
    let measured = detached(py, move |_| {
        let table = classes.as_ref().map(|classes| Contingency::new(&found, classes));
        let one = |name: &String| metric::find(name)?.evaluate(&found, table.as_ref());
        names
            .iter()
            .map(|name| one(name).ok_or_else(|| format!("there is no index `{name}` of such labels")))
            .collect::<Result<Vec<f64>, String>>()
    })?;
    measured.map_err(value)
}
