//! What methods, generators and metrics there are; parameters to and from Python.

use conclave_core::Method;
use conclave_core::consensus::{Answers, Clusters, Missing};
use conclave_core::params::{Parameter, Raw, Value};
use conclave_core::{generate, metric};
use pyo3::types::{
    PyAny, PyAnyMethods, PyBool, PyBytes, PyDict, PyDictMethods, PyFloat, PyInt, PyList, PyListMethods, PyString,
    PyTypeMethods,
};
use pyo3::{Bound, IntoPyObjectExt, PyErr, PyResult, Python, pyfunction};

use crate::errors::value;

/// A parameter's value as it was handed over.
///
/// # Errors
/// When it is nothing that a parameter can be.
pub(crate) fn raw(name: &str, handed: &Bound<'_, PyAny>) -> PyResult<Raw> {
    if let Some(one) = single(name, handed)? {
        return Ok(one);
    }
    let items = handed.try_iter().map_err(|_| unfit(name, handed))?;
    // A list of lists is no parameter, and one that has itself would have no end.
    let item = |item: Bound<'_, PyAny>| single(name, &item)?.ok_or_else(|| unfit(name, &item));
    items.map(|one| item(one?)).collect::<PyResult<Vec<Raw>>>().map(Raw::List)
}

fn unfit(name: &str, handed: &Bound<'_, PyAny>) -> PyErr {
    let kind = handed.get_type().name().map(|kind| kind.to_string()).unwrap_or_default();
    value(format!("`{name}` is a {kind}; expected a number, text, or a list of these"))
}

/// A value that is no list.
fn single(name: &str, handed: &Bound<'_, PyAny>) -> PyResult<Option<Raw>> {
    if handed.is_instance_of::<PyBool>() || handed.is_instance_of::<PyBytes>() {
        return Err(unfit(name, handed));
    }
    if let Ok(text) = handed.cast::<PyString>() {
        return Ok(Some(Raw::from_argument(&text.extract::<String>()?)));
    }
    if handed.is_instance_of::<PyInt>() || (handed.hasattr("__index__")? && !handed.hasattr("__len__")?) {
        let number = handed.extract().map_err(|_| value(format!("`{name}` is {handed}, which no parameter can be")))?;
        return Ok(Some(Raw::Integer(number)));
    }
    if handed.is_instance_of::<PyFloat>() {
        return Ok(Some(Raw::Real(handed.extract()?)));
    }
    Ok(None)
}

/// A checked value as Python has it.
///
/// # Errors
/// When Python has no memory for it.
pub(crate) fn spelled<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    match value {
        Value::Integer(value) => value.into_bound_py_any(py),
        Value::Real(value) => value.into_bound_py_any(py),
        Value::Words(words) => words.into_bound_py_any(py),
        Value::Names(names) => names.into_bound_py_any(py),
        other => other.to_string().into_bound_py_any(py),
    }
}

fn parameters<'py>(py: Python<'py>, declared: &[Parameter]) -> PyResult<Bound<'py, PyList>> {
    let all = PyList::empty(py);
    for parameter in declared {
        let one = PyDict::new(py);
        one.set_item("name", parameter.name)?;
        one.set_item("default", spelled(py, &parameter.default_value())?)?;
        one.set_item("takes", parameter.expectation())?;
        one.set_item("help", parameter.help)?;
        all.append(one)?;
    }
    Ok(all)
}

/// Every consensus method.
#[pyfunction]
pub(crate) fn methods(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let all = PyList::empty(py);
    for method in Method::all() {
        let info = method.info();
        let one = PyDict::new(py);
        one.set_item("name", info.name)?;
        one.set_item("title", info.title)?;
        one.set_item("reference", info.reference)?;
        one.set_item("missing", info.accepts.missing == Missing::Accepted)?;
        one.set_item("needs_k", info.accepts.clusters == Clusters::Given)?;
        one.set_item("memberships", info.answers == Answers::Memberships)?;
        one.set_item("parameters", parameters(py, info.parameters)?)?;
        all.append(one)?;
    }
    Ok(all)
}

/// Every generator of base clusterings.
#[pyfunction]
pub(crate) fn generators(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let all = PyList::empty(py);
    for info in generate::all() {
        let one = PyDict::new(py);
        one.set_item("name", info.name)?;
        one.set_item("title", info.title)?;
        one.set_item("parameters", parameters(py, info.parameters)?)?;
        all.append(one)?;
    }
    Ok(all)
}

/// Every index of a clustering.
#[pyfunction]
pub(crate) fn metrics(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let all = PyList::empty(py);
    for info in metric::all().iter().filter(|info| info.model().is_none()) {
        let one = PyDict::new(py);
        one.set_item("name", info.name)?;
        one.set_item("title", info.title)?;
        one.set_item("definition", info.definition)?;
        one.set_item("needs_truth", info.needs_truth)?;
        all.append(one)?;
    }
    Ok(all)
}

/// The version of this package, which is that of the program.
#[pyfunction]
pub(crate) fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}
