//! Base clusterings as the core has them, behind a handle that Python keeps.

use std::num::NonZeroUsize;
use std::sync::Arc;

use conclave_core::ensemble::Labels;
use conclave_core::{Ensemble, Partition};
use numpy::PyArray2;
use pyo3::types::{PyAny, PyAnyMethods, PyList, PyListMethods, PyTuple, PyTupleMethods};
use pyo3::{Bound, PyErr, PyResult, Python, pyclass, pymethods};

use crate::code::GapTexts;
use crate::columns::{self, BorrowedArray, Coded, LabelColumn};
use crate::errors::{of_labels, value};
use crate::work::{beside, detached};

/// Base clusterings of the same objects.
#[pyclass(frozen, name = "Labels", module = "conclave._native")]
pub(crate) struct NativeLabels {
    pub(crate) ensemble: Arc<Ensemble>,
    names: Vec<String>,
}

/// A column as it was handed over.
enum Handed<'py> {
    Numbers(BorrowedArray<'py>),
    Coded(Coded),
}

impl<'py> Handed<'py> {
    /// An array of numbers; an array or list of objects; or texts with the codes of every object.
    fn take(handed: &Bound<'py, PyAny>, place: usize) -> PyResult<Self> {
        if let Ok(pair) = handed.cast::<PyTuple>() {
            let texts: Vec<String> = pair.get_item(0)?.extract()?;
            let codes: numpy::PyReadonlyArray1<i64> = pair.get_item(1)?.extract()?;
            return Ok(Self::Coded(Coded::new(texts, codes.as_array().iter().copied())));
        }
        let numbers = handed.getattr("dtype").and_then(|dtype| dtype.getattr("kind")?.extract::<char>());
        match numbers {
            Ok(kind) if kind != 'O' => columns::borrowed(handed).map(Self::Numbers),
            _ => Coded::of_objects(handed, place).map(Self::Coded),
        }
    }
}

#[pymethods]
impl NativeLabels {
    /// Of one column per base clustering; `missing` has the texts that are missing labels.
    #[staticmethod]
    fn of_columns(
        py: Python<'_>,
        columns: &Bound<'_, PyList>,
        missing: Vec<String>,
        threads: NonZeroUsize,
    ) -> PyResult<Self> {
        let handed = columns.iter().enumerate().map(|(place, column)| Handed::take(&column, place));
        let handed = handed.collect::<PyResult<Vec<Handed>>>()?;
        let columns: Vec<Box<dyn LabelColumn + '_>> = handed
            .iter()
            .map(|handed| match handed {
                Handed::Numbers(borrowed) => borrowed.column(),
                Handed::Coded(coded) => Box::new(coded) as Box<dyn LabelColumn + '_>,
            })
            .collect();
        let (columns, gaps) = (Shared(columns), GapTexts::new(missing));
        let parts = beside(py, |stop| columns::parts(columns.all(), &gaps, threads, stop))?.map_err(of_labels)?;
        let made = detached(py, move |stop| columns::joined(parts, &stop).finish())?;
        Ok(Self { ensemble: Arc::new(made.map_err(of_labels)?), names: Vec::new() })
    }

    /// Of something that has `__arrow_c_stream__`.
    #[staticmethod]
    fn of_stream(
        py: Python<'_>,
        table: &Bound<'_, PyAny>,
        missing: Vec<String>,
        threads: NonZeroUsize,
    ) -> PyResult<Self> {
        let (stream, gaps) = (columns::from_stream(table)?, GapTexts::new(missing));
        // Not beside: whoever makes the stream may be asleep, and is not waited for.
        let (names, made) = detached(py, move |stop| {
            let (names, builder) = columns::read_stream(stream, &gaps, threads, &stop)?;
            Ok::<_, PyErr>((names, builder.finish()))
        })??;
        Ok(Self { ensemble: Arc::new(made.map_err(of_labels)?), names })
    }

    /// Names of the columns, where they have names.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.names.clone()
    }

    /// How many objects, columns, distinct rows and missing labels there are.
    #[getter]
    fn shape(&self) -> (usize, usize, usize, usize) {
        let ensemble = &self.ensemble;
        (ensemble.objects(), ensemble.columns(), ensemble.rows(), ensemble.missing())
    }

    /// How many labels each column has.
    #[getter]
    fn arity(&self) -> Vec<usize> {
        self.ensemble.arity().to_vec()
    }

    /// How many objects have no label at all.
    fn unlabelled(&self) -> u64 {
        let ensemble = &self.ensemble;
        let without = |row: &usize| ensemble.row(*row).iter().all(|&code| code == Labels::MISSING);
        (0..ensemble.rows()).filter(without).map(|row| u64::from(ensemble.weights()[row])).sum()
    }

    /// The codes of some objects, -1 for a missing label.
    fn codes<'py>(&self, py: Python<'py>, objects: Vec<usize>) -> PyResult<Bound<'py, PyArray2<i64>>> {
        let ensemble = &self.ensemble;
        let mut rows = Vec::with_capacity(objects.len());
        for object in objects {
            let row = ensemble.row_of().get(object).ok_or_else(|| value(format!("there is no object {object}")))?;
            let codes = ensemble.row(*row as usize).iter();
            rows.push(codes.map(|&code| if code == Labels::MISSING { -1 } else { i64::from(code) }).collect());
        }
        PyArray2::from_vec2(py, &rows).map_err(value)
    }
}

impl NativeLabels {
    /// The one column, as a clustering without gaps.
    ///
    /// # Errors
    /// When there are more, or labels are missing.
    pub(crate) fn partition(&self, what: &str) -> PyResult<Partition> {
        if self.ensemble.columns() != 1 {
            return Err(value(format!(
                "{what} has {} columns; one label per object is needed",
                self.ensemble.columns()
            )));
        }
        match self.ensemble.missing() {
            0 => Ok(Partition::from_codes(self.ensemble.column(0).codes())),
            missing => Err(value(format!("{what} lacks {missing} labels; every object needs one"))),
        }
    }
}

/// Columns that several threads read.
struct Shared<'a>(Vec<Box<dyn LabelColumn + 'a>>);

impl<'a> Shared<'a> {
    fn all(&self) -> &[Box<dyn LabelColumn + 'a>] {
        &self.0
    }
}
