//! Labels that are Python objects: text, numbers, and the many ways to say that there is none.

use std::ops::Range;

use conclave_core::ensemble::{EnsembleBuilder, Labels};
use hashbrown::HashMap;
use pyo3::types::{
    PyAny, PyAnyMethods, PyBool, PyFloat, PyInt, PyList, PyListMethods, PyString, PyStringMethods, PyTypeMethods,
};
use pyo3::{Bound, PyResult, pyfunction};

use super::{LabelColumn, Put};
use crate::code::Coder;
use crate::errors::value;

/// Codes, and the text of each; a code beyond them is a missing label.
pub(crate) struct Coded {
    codes: Vec<u32>,
    texts: Vec<String>,
}

impl Coded {
    /// Of codes from 0; a negative one is a missing label.
    ///
    /// # Errors
    /// When there are too many.
    pub(crate) fn new(texts: Vec<String>, codes: impl Iterator<Item = i64>) -> Self {
        let known = i64::try_from(texts.len()).unwrap_or(i64::MAX);
        let code = |code: i64| u32::try_from(code).ok().filter(|_| code < known).unwrap_or(Labels::MISSING);
        Self { codes: codes.map(code).collect(), texts }
    }

    /// Of any objects; `column` is for messages.
    ///
    /// # Errors
    /// When one is no label.
    pub(crate) fn of_objects(objects: &Bound<'_, PyAny>, column: usize) -> PyResult<Self> {
        let mut known: HashMap<String, u32> = HashMap::new();
        let mut coded = Self { codes: Vec::with_capacity(objects.len().unwrap_or(0)), texts: Vec::new() };
        for (row, object) in objects.try_iter()?.enumerate() {
            if row & 0xFFFF == 0xFFFF {
                objects.py().check_signals()?;
            }
            let object = object?;
            let Some(text) = text(&object)? else {
                coded.codes.push(Labels::MISSING);
                continue;
            };
            let Some(text) = text.0 else {
                let kind = object.get_type().name()?;
                let place = format!("row {row}, column {column} (counted from 0)");
                return Err(value(format!("{place}: a label is text, a number, or missing, and this is a {kind}")));
            };
            let next = u32::try_from(known.len()).map_err(value)?;
            let code = *known.entry_ref(text.as_str()).or_insert_with(|| {
                coded.texts.push(text.clone());
                next
            });
            coded.codes.push(code);
        }
        Ok(coded)
    }
}

/// The text of an object that may be no label.
struct Text(Option<String>);

/// `None` where a label is missing.
fn text(object: &Bound<'_, PyAny>) -> PyResult<Option<Text>> {
    if object.is_none() {
        return Ok(None);
    }
    if let Ok(text) = object.cast::<PyString>() {
        return Ok(Some(Text(Some(text.to_cow()?.into_owned()))));
    }
    if object.is_instance_of::<PyBool>() || object.is_instance_of::<PyInt>() {
        return Ok(Some(Text(Some(object.str()?.to_cow()?.into_owned()))));
    }
    if object.is_instance_of::<PyFloat>() {
        return Ok(real(object.extract()?));
    }
    let kind = object.get_type().name()?.to_string();
    match kind.as_str() {
        // pandas says so, and a date that is none.
        "NAType" | "NaTType" => return Ok(None),
        "bool_" | "bool" => return Ok(Some(Text(Some(object.str()?.to_cow()?.into_owned())))),
        "bytes" | "bytes_" => {
            let bytes: Vec<u8> = object.extract()?;
            return Ok(Some(Text(String::from_utf8(bytes).ok())));
        }
        _ => {}
    }
    // Numbers of NumPy and others that are whole, then those that are not.
    if let Ok(whole) = object.call_method0("__index__") {
        return Ok(Some(Text(Some(whole.str()?.to_cow()?.into_owned()))));
    }
    if object.hasattr("__float__")? && !object.hasattr("__len__")? {
        return Ok(real(object.extract()?));
    }
    Ok(Some(Text(None)))
}

/// As in an array of floats: 1.0 is the label `1`.
fn real(value: f64) -> Option<Text> {
    // -0.0 and 0.0 are one number.
    (!value.is_nan()).then(|| Text(Some((value + 0.0).to_string())))
}

/// The texts of labels that stand for missing ones; what is missing by itself has none.
///
/// # Errors
/// When one is no label.
#[pyfunction]
pub(crate) fn texts_of(labels: &Bound<'_, PyList>) -> PyResult<Vec<String>> {
    let one = |label: Bound<'_, PyAny>| match text(&label)? {
        None => Ok(None),
        Some(Text(Some(text))) => Ok(Some(text)),
        Some(Text(None)) => Err(value(format!(
            "missing has a {}; expected labels: text, whole numbers or numbers",
            label.get_type().name()?
        ))),
    };
    labels.iter().filter_map(|label| one(label).transpose()).collect()
}

impl LabelColumn for &Coded {
    fn rows(&self) -> usize {
        self.codes.len()
    }

    fn codes(&self, rows: Range<usize>, coder: &mut Coder, builder: &mut EnsembleBuilder, put: &mut Put) {
        for &code in &self.codes[rows] {
            put.code(match self.texts.get(code as usize) {
                Some(text) => coder.numbered(builder, code as usize, text),
                None => Labels::MISSING,
            });
        }
    }
}
