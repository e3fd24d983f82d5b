//! Base clusterings as the core has them, behind a handle that Python keeps.

use std::num::NonZeroUsize;
use std::sync::Arc;

use conclave_core::ensemble::{EnsembleBuilder, Labels};
use conclave_core::{Ensemble, Partition};
use numpy::PyArray2;
use pyo3::types::{PyAny, PyAnyMethods, PyList, PyListMethods, PyTuple, PyTupleMethods};
use pyo3::{Bound, PyResult, Python, pyclass, pymethods};

use crate::code::GapTexts;
use crate::columns::objects::{LONE_SURROGATE, no_label};
use crate::columns::{self, BorrowedArray, Coded, LabelColumn};
use crate::errors::{of_labels, value};
use crate::suspects;
use crate::work::{beside, detached};

/// Base clusterings of the same objects.
#[pyclass(frozen, name = "Labels", module = "conclave._native")]
pub(crate) struct NativeLabels {
    pub(crate) ensemble: Arc<Ensemble>,
    names: Vec<String>,
    /// A label of every column that has measurements.
    measured: Vec<Option<Box<str>>>,
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
            let codes: numpy::PyReadonlyArray1<i64> = pair.get_item(1)?.extract()?;
            let codes = codes.as_array();
            let mut texts: Vec<String> = Vec::new();
            for text in pair.get_item(0)?.try_iter()? {
                let code = texts.len();
                texts.push(text?.extract().map_err(|_| {
                    let row = codes.iter().position(|&other| usize::try_from(other) == Ok(code));
                    no_label(row.unwrap_or_default(), place, LONE_SURROGATE)
                })?);
            }
            return Ok(Self::Coded(Coded::new(texts, codes.iter().copied())));
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
        detached(py, move |stop| Self::of_builder(columns::joined(parts, &stop), Vec::new()))?
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
        detached(py, move |stop| {
            let (names, builder) = columns::read_stream(stream, &gaps, threads, &stop)?;
            Self::of_builder(builder, names)
        })?
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

    /// Columns with another label in nearly every row, counted from 0, and how many rows have a label there.
    fn differing(&self) -> Vec<(usize, u64)> {
        suspects::differing(&self.ensemble)
    }

    /// Columns with measurements, counted from 0, and one of each.
    fn measured(&self) -> Vec<(usize, &str)> {
        let examples = self.measured.iter().enumerate();
        examples.filter_map(|(place, example)| Some((place, example.as_deref()?))).collect()
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
    fn of_builder(builder: EnsembleBuilder, names: Vec<String>) -> PyResult<Self> {
        let measured = builder.labels().map(suspects::measurement).collect();
        let ensemble = Arc::new(builder.finish().map_err(of_labels)?);
        Ok(Self { ensemble, names, measured })
    }

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
