//! Labels that are Python objects: text, numbers, and the many ways to say that there is none.

use std::borrow::Cow;
use std::ops::Range;

use conclave_core::ensemble::{EnsembleBuilder, Labels};
use hashbrown::HashMap;
use pyo3::exceptions::PyException;
use pyo3::types::{
    PyAny, PyAnyMethods, PyBool, PyFloat, PyInt, PyList, PyListMethods, PyString, PyStringMethods, PyTypeMethods,
};
use pyo3::{Bound, PyErr, PyResult, pyfunction};

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
            let text = text.0.map_err(|what| no_label(row, column, &what))?;
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

/// What stands in a place is no label.
pub(crate) fn no_label(row: usize, column: usize, what: &str) -> PyErr {
    let place = format!("row {row}, column {column} (counted from 0)");
    value(format!("{place}: a label is text, a number, or missing, and this is {what}"))
}

/// What text is that UTF-8 has no bytes for.
pub(crate) const LONE_SURROGATE: &str = "text with a lone surrogate";

/// The text of an object, or what the object is where it is no label.
struct Text(Result<String, String>);

/// `None` where a label is missing.
fn text(object: &Bound<'_, PyAny>) -> PyResult<Option<Text>> {
    if object.is_none() {
        return Ok(None);
    }
    if let Ok(text) = object.cast::<PyString>() {
        return Ok(Some(Text(text.to_cow().map(Cow::into_owned).map_err(|_| LONE_SURROGATE.to_owned()))));
    }
    if object.is_instance_of::<PyBool>() || object.is_instance_of::<PyInt>() {
        return written(object);
    }
    if object.is_instance_of::<PyFloat>() {
        return Ok(real(object.extract()?));
    }
    let kind = object.get_type().name()?.to_string();
    let other = || Ok(Some(Text(Err(format!("a {kind}")))));
    match kind.as_str() {
        // pandas says so, and a date that is none.
        "NAType" | "NaTType" => return Ok(None),
        "bool_" | "bool" => return written(object),
        "bytes" | "bytes_" => {
            let bytes: Vec<u8> = object.extract()?;
            return Ok(Some(Text(String::from_utf8(bytes).map_err(|_| "bytes that are no UTF-8".to_owned()))));
        }
        "datetime64" | "timedelta64" => return if object.str()?.to_cow()? == "NaT" { Ok(None) } else { other() },
        "Decimal" if object.call_method0("is_finite")?.is_truthy()? => {
            let text = object.call_method1("__format__", ("f",))?;
            return Ok(Some(Text(Ok(decimal(text.extract()?)))));
        }
        _ => {}
    }
    // Numbers of NumPy and others that are whole, then those that are not.
    if let Ok(whole) = object.call_method0("__index__") {
        return written(&whole);
    }
    if object.hasattr("__float__")? && !object.hasattr("__len__")? {
        return match object.extract() {
            Ok(number) => Ok(real(number)),
            // What has no number says so; Ctrl-C is another matter.
            Err(error) if error.is_instance_of::<PyException>(object.py()) => other(),
            Err(error) => Err(error),
        };
    }
    other()
}

/// A label that is written as `str` writes it.
fn written(object: &Bound<'_, PyAny>) -> PyResult<Option<Text>> {
    Ok(Some(Text(Ok(object.str()?.to_cow()?.into_owned()))))
}

/// As in an array of floats: 1.0 is the label `1`.
fn real(value: f64) -> Option<Text> {
    // -0.0 and 0.0 are one number.
    (!value.is_nan()).then(|| Text(Ok((value + 0.0).to_string())))
}

/// A decimal as the float of the same value is written: 1.50 is the label `1.5`, and 2.0 is the label `2`.
pub(crate) fn decimal(mut text: String) -> String {
    if text.contains('.') {
        text.truncate(text.trim_end_matches('0').trim_end_matches('.').len());
    }
    if text == "-0" { "0".to_owned() } else { text }
}

/// The texts of labels that stand for missing ones; what is missing by itself has none.
///
/// # Errors
/// When one is no label.
#[pyfunction]
pub(crate) fn texts_of(labels: &Bound<'_, PyList>) -> PyResult<Vec<String>> {
    let one = |label: Bound<'_, PyAny>| match text(&label)? {
        None => Ok(None),
        Some(Text(Ok(text))) => Ok(Some(text)),
        Some(Text(Err(what))) => {
            Err(value(format!("missing has {what}; expected labels: text, whole numbers or numbers")))
        }
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
