//! Small tables of ours for whoever reads the Arrow C stream interface.

use std::sync::Arc;

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, RecordBatchIterator, StringArray};
use pyo3::types::{PyAny, PyAnyMethods, PyCapsule};
use pyo3::{Bound, PyResult, Python, pyfunction};

use crate::errors::value;

/// A capsule with these columns: lists of truths, whole numbers, numbers or texts, in which `None` is a missing value.
#[pyfunction]
pub(crate) fn arrow_stream<'py>(
    py: Python<'py>,
    columns: Vec<(String, Bound<'py, PyAny>)>,
) -> PyResult<Bound<'py, PyCapsule>> {
    let columns = columns.into_iter().map(|(name, values)| Ok((name, array(&values)?)));
    let batch = RecordBatch::try_from_iter(columns.collect::<PyResult<Vec<(String, ArrayRef)>>>()?).map_err(value)?;
    let schema = batch.schema();
    let stream = FFI_ArrowArrayStream::new(Box::new(RecordBatchIterator::new([Ok(batch)], schema)));
    PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
}

fn array(values: &Bound<'_, PyAny>) -> PyResult<ArrayRef> {
    // First: Python's truths are whole numbers, too.
    match values.extract::<Vec<Option<bool>>>() {
        Ok(truths) if truths.iter().any(Option::is_some) => return Ok(Arc::new(BooleanArray::from(truths))),
        _ => {}
    }
    if let Ok(whole) = values.extract::<Vec<Option<i64>>>() {
        return Ok(Arc::new(Int64Array::from(whole)));
    }
    if let Ok(real) = values.extract::<Vec<Option<f64>>>() {
        return Ok(Arc::new(Float64Array::from(real)));
    }
    Ok(Arc::new(StringArray::from(values.extract::<Vec<Option<String>>>()?)))
}
