//! Tables that come through the Arrow C stream interface: of pandas, polars, pyarrow, DuckDB and others. Their buffers are read
//! where they are.

use std::ffi::CStr;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use arrow_array::cast::AsArray;
use arrow_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use arrow_array::types::{
    ArrowDictionaryKeyType, Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type, DecimalType, Float16Type,
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayAccessor, ArrowPrimitiveType, PrimitiveArray, RecordBatch, RecordBatchReader};
use arrow_buffer::ArrowNativeType;
use arrow_schema::DataType;
use conclave_core::ensemble::{EnsembleBuilder, Labels};
use pyo3::types::{PyAny, PyAnyMethods, PyCapsule, PyCapsuleMethods};
use pyo3::{Bound, PyResult};

use super::objects::decimal;
use super::{LabelColumn, Put};
use crate::code::{Coder, GapTexts};
use crate::errors::{of_labels, value};

const STREAM: &CStr = c"arrow_array_stream";

/// Takes the stream of something that has `__arrow_c_stream__`.
///
/// # Errors
/// When it does not keep to the interface.
#[allow(unsafe_code)]
pub(crate) fn from_stream(table: &Bound<'_, PyAny>) -> PyResult<RecordBatchStreamReader> {
    let capsule = table.call_method0("__arrow_c_stream__")?;
    let capsule = capsule.cast_into::<PyCapsule>()?;
    let stream = capsule.pointer_checked(Some(STREAM))?.cast::<FFI_ArrowArrayStream>();
    // SAFETY: a capsule of this name holds such a stream, says the interface; what is moved out of it is marked as released, so
    // that the capsule does not release it again.
    unsafe { RecordBatchStreamReader::from_raw(stream.as_ptr()) }.map_err(value)
}

/// Names of the columns, and the labels of all batches, one after the other.
///
/// # Errors
/// When a column has a type that labels do not have.
pub(crate) fn read_stream(
    reader: RecordBatchStreamReader,
    gaps: &GapTexts,
    threads: NonZeroUsize,
    stop: &AtomicBool,
) -> PyResult<(Vec<String>, EnsembleBuilder)> {
    let names: Vec<String> = reader.schema().fields().iter().map(|field| field.name().clone()).collect();
    let mut all: Option<EnsembleBuilder> = None;
    for batch in reader {
        // Whoever stops it drops what there is.
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let columns = columns(&batch.map_err(value)?)?;
        if columns.is_empty() {
            continue;
        }
        let part = super::joined(super::parts(&columns, gaps, threads, stop).map_err(of_labels)?, stop);
        match &mut all {
            Some(all) => all.append(part),
            none => *none = Some(part),
        }
    }
    let all = all.unwrap_or_else(|| EnsembleBuilder::new(names.len()));
    Ok((names, all))
}

fn columns(batch: &RecordBatch) -> PyResult<Vec<Box<dyn LabelColumn>>> {
    let schema = batch.schema();
    let fields = schema.fields().iter().zip(batch.columns());
    fields.map(|(field, array)| column(field.name(), array.as_ref())).collect()
}

fn column(name: &str, array: &dyn Array) -> PyResult<Box<dyn LabelColumn>> {
    // What another library says of its buffers is looked at before it is believed.
    array.to_data().validate_full().map_err(|error| value(format!("column `{name}`: {error}")))?;
    Ok(match array.data_type() {
        DataType::Null => Box::new(Nothing(array.len())),
        DataType::Boolean => Box::new(Truths(array.as_boolean().clone())),
        DataType::Int8 => Box::new(Wholes(array.as_primitive::<Int8Type>().clone())),
        DataType::Int16 => Box::new(Wholes(array.as_primitive::<Int16Type>().clone())),
        DataType::Int32 => Box::new(Wholes(array.as_primitive::<Int32Type>().clone())),
        DataType::Int64 => Box::new(Wholes(array.as_primitive::<Int64Type>().clone())),
        DataType::UInt8 => Box::new(Wholes(array.as_primitive::<UInt8Type>().clone())),
        DataType::UInt16 => Box::new(Wholes(array.as_primitive::<UInt16Type>().clone())),
        DataType::UInt32 => Box::new(Wholes(array.as_primitive::<UInt32Type>().clone())),
        DataType::UInt64 => Box::new(Wholes(array.as_primitive::<UInt64Type>().clone())),
        DataType::Float16 => Box::new(Reals(array.as_primitive::<Float16Type>().clone())),
        DataType::Float32 => Box::new(Reals(array.as_primitive::<Float32Type>().clone())),
        DataType::Float64 => Box::new(Reals(array.as_primitive::<Float64Type>().clone())),
        DataType::Decimal32(..) => Box::new(Decimals(array.as_primitive::<Decimal32Type>().clone())),
        DataType::Decimal64(..) => Box::new(Decimals(array.as_primitive::<Decimal64Type>().clone())),
        DataType::Decimal128(..) => Box::new(Decimals(array.as_primitive::<Decimal128Type>().clone())),
        DataType::Decimal256(..) => Box::new(Decimals(array.as_primitive::<Decimal256Type>().clone())),
        DataType::Utf8 => Box::new(Texts(array.as_string::<i32>().clone())),
        DataType::LargeUtf8 => Box::new(Texts(array.as_string::<i64>().clone())),
        DataType::Utf8View => Box::new(Texts(array.as_string_view().clone())),
        DataType::Dictionary(key, values) if !matches!(**values, DataType::Dictionary(..)) => match **key {
            DataType::Int8 => keyed::<Int8Type>(name, array)?,
            DataType::Int16 => keyed::<Int16Type>(name, array)?,
            DataType::Int32 => keyed::<Int32Type>(name, array)?,
            DataType::Int64 => keyed::<Int64Type>(name, array)?,
            DataType::UInt8 => keyed::<UInt8Type>(name, array)?,
            DataType::UInt16 => keyed::<UInt16Type>(name, array)?,
            DataType::UInt32 => keyed::<UInt32Type>(name, array)?,
            _ => keyed::<UInt64Type>(name, array)?,
        },
        other => {
            return Err(value(format!(
                "column `{name}` is of the type {other}; labels are text, whole numbers, numbers or categories"
            )));
        }
    })
}

/// Categories: the values are looked up once each.
fn keyed<K: ArrowDictionaryKeyType>(name: &str, array: &dyn Array) -> PyResult<Box<dyn LabelColumn>> {
    let array = array.as_dictionary::<K>().clone();
    let values = column(name, array.values().as_ref())?;
    Ok(Box::new(Keyed { keys: array.keys().clone(), values }))
}

struct Nothing(usize);

impl LabelColumn for Nothing {
    fn rows(&self) -> usize {
        self.0
    }

    fn codes(&self, rows: Range<usize>, _coder: &mut Coder, _builder: &mut EnsembleBuilder, put: &mut Put) {
        rows.for_each(|_| put.code(Labels::MISSING));
    }
}

struct Truths(arrow_array::BooleanArray);

impl LabelColumn for Truths {
    fn rows(&self) -> usize {
        self.0.len()
    }

    fn codes(&self, rows: Range<usize>, coder: &mut Coder, builder: &mut EnsembleBuilder, put: &mut Put) {
        for row in rows {
            put.code(match (self.0.is_null(row), self.0.value(row)) {
                (true, _) => Labels::MISSING,
                (false, true) => coder.text(builder, "True"),
                (false, false) => coder.text(builder, "False"),
            });
        }
    }
}

struct Wholes<T: ArrowPrimitiveType>(PrimitiveArray<T>);

impl<T: ArrowPrimitiveType> LabelColumn for Wholes<T>
where
    i128: From<T::Native>,
{
    fn rows(&self) -> usize {
        self.0.len()
    }

    fn codes(&self, rows: Range<usize>, coder: &mut Coder, builder: &mut EnsembleBuilder, put: &mut Put) {
        let gaps = self.0.nulls();
        for row in rows {
            let missing = gaps.is_some_and(|gaps| gaps.is_null(row));
            put.code(if missing { Labels::MISSING } else { coder.whole(builder, i128::from(self.0.value(row))) });
        }
    }
}

struct Reals<T: ArrowPrimitiveType>(PrimitiveArray<T>);

impl<T: ArrowPrimitiveType> LabelColumn for Reals<T>
where
    f64: From<T::Native>,
{
    fn rows(&self) -> usize {
        self.0.len()
    }

    fn codes(&self, rows: Range<usize>, coder: &mut Coder, builder: &mut EnsembleBuilder, put: &mut Put) {
        for row in rows {
            let missing = self.0.is_null(row);
            put.code(if missing { Labels::MISSING } else { coder.real(builder, f64::from(self.0.value(row))) });
        }
    }
}

struct Decimals<T: DecimalType>(PrimitiveArray<T>);

impl<T: DecimalType> LabelColumn for Decimals<T> {
    fn rows(&self) -> usize {
        self.0.len()
    }

    fn codes(&self, rows: Range<usize>, coder: &mut Coder, builder: &mut EnsembleBuilder, put: &mut Put) {
        for row in rows {
            let missing = self.0.is_null(row);
            let text = || decimal(self.0.value_as_string(row));
            put.code(if missing { Labels::MISSING } else { coder.text(builder, &text()) });
        }
    }
}

struct Texts<A>(A);

impl<A> LabelColumn for Texts<A>
where
    A: Array,
    for<'a> &'a A: ArrayAccessor<Item = &'a str>,
{
    fn rows(&self) -> usize {
        self.0.len()
    }

    fn codes(&self, rows: Range<usize>, coder: &mut Coder, builder: &mut EnsembleBuilder, put: &mut Put) {
        for row in rows {
            let missing = self.0.is_null(row);
            put.code(if missing { Labels::MISSING } else { coder.text(builder, (&self.0).value(row)) });
        }
    }
}

struct Keyed<K: ArrowDictionaryKeyType> {
    keys: PrimitiveArray<K>,
    values: Box<dyn LabelColumn>,
}

impl<K: ArrowDictionaryKeyType> LabelColumn for Keyed<K> {
    fn rows(&self) -> usize {
        self.keys.len()
    }

    fn codes(&self, rows: Range<usize>, coder: &mut Coder, builder: &mut EnsembleBuilder, put: &mut Put) {
        for row in rows {
            if self.keys.is_null(row) {
                put.code(Labels::MISSING);
                continue;
            }
            let place = self.keys.value(row).as_usize();
            let code = coder.known(place).unwrap_or_else(|| {
                let mut code = [Labels::MISSING];
                let mut one = Put { block: &mut code, next: 0, columns: 1 };
                self.values.codes(place..place + 1, coder, builder, &mut one);
                coder.know(place, code[0]);
                code[0]
            });
            put.code(code);
        }
    }
}
