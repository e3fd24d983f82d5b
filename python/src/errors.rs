//! What goes wrong in the core, as the exceptions that Python has for it.

use conclave_core::consensus::Halt;
use conclave_core::{EnsembleError, MethodError};
use pyo3::PyErr;
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError, PyValueError};

/// A value that cannot be.
pub(crate) fn value(words: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(words.to_string())
}

pub(crate) fn of_labels(error: EnsembleError) -> PyErr {
    value(match error {
        EnsembleError::EmptyColumn { column } => {
            format!("column {column} (counted from 1) has no label at all; leave it out")
        }
        other => other.to_string(),
    })
}

/// There is no memory for a list.
pub(crate) fn out_of_memory(words: impl std::fmt::Display) -> PyErr {
    PyRuntimeError::new_err(words.to_string())
}

/// Arguments that do not fit are a `ValueError`; a method that stops without an answer is a `RuntimeError`.
pub(crate) fn of_method(error: &MethodError) -> PyErr {
    match error {
        MethodError::Halted { halt: Halt::Cancelled, .. } => PyKeyboardInterrupt::new_err(()),
        MethodError::Halted { .. } => PyRuntimeError::new_err(error.to_string()),
        MethodError::FindsClusters { method } => {
            value(format!("{method} finds the number of clusters itself; leave out k"))
        }
        other => value(other),
    }
}
