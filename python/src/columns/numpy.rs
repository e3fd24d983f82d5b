//! Arrays of numbers, in any order of memory.

use std::ops::Range;

use conclave_core::ensemble::EnsembleBuilder;
use numpy::ndarray::{ArrayView1, s};
use numpy::{Element, PyReadonlyArray1};
use pyo3::types::{PyAny, PyAnyMethods};
use pyo3::{Bound, PyResult};

use super::{LabelColumn, Put};
use crate::code::Coder;
use crate::errors::value;

/// An array of one dimension that Python will not free while we look at it.
pub(crate) enum BorrowedArray<'py> {
    Bool(PyReadonlyArray1<'py, bool>),
    I8(PyReadonlyArray1<'py, i8>),
    I16(PyReadonlyArray1<'py, i16>),
    I32(PyReadonlyArray1<'py, i32>),
    I64(PyReadonlyArray1<'py, i64>),
    U8(PyReadonlyArray1<'py, u8>),
    U16(PyReadonlyArray1<'py, u16>),
    U32(PyReadonlyArray1<'py, u32>),
    U64(PyReadonlyArray1<'py, u64>),
    F32(PyReadonlyArray1<'py, f32>),
    F64(PyReadonlyArray1<'py, f64>),
}

/// Borrows an array.
///
/// # Errors
/// When it has another type.
pub(crate) fn borrowed<'py>(array: &Bound<'py, PyAny>) -> PyResult<BorrowedArray<'py>> {
    macro_rules! first_that_fits {
        ($($kind:ident),*) => {
            $(if let Ok(array) = array.extract() {
                return Ok(BorrowedArray::$kind(array));
            })*
        };
    }
    first_that_fits!(I64, I32, F64, Bool, I8, I16, U8, U16, U32, U64, F32);
    Err(value(format!("labels cannot be of the type {}", array.getattr("dtype")?)))
}

impl BorrowedArray<'_> {
    pub(crate) fn column(&self) -> Box<dyn LabelColumn + '_> {
        match self {
            Self::Bool(array) => Box::new(Viewed(array.as_array())),
            Self::I8(array) => Box::new(Viewed(array.as_array())),
            Self::I16(array) => Box::new(Viewed(array.as_array())),
            Self::I32(array) => Box::new(Viewed(array.as_array())),
            Self::I64(array) => Box::new(Viewed(array.as_array())),
            Self::U8(array) => Box::new(Viewed(array.as_array())),
            Self::U16(array) => Box::new(Viewed(array.as_array())),
            Self::U32(array) => Box::new(Viewed(array.as_array())),
            Self::U64(array) => Box::new(Viewed(array.as_array())),
            Self::F32(array) => Box::new(Viewed(array.as_array())),
            Self::F64(array) => Box::new(Viewed(array.as_array())),
        }
    }
}

/// A number that is a label.
pub(crate) trait Number: Copy + Sync {
    fn code(self, coder: &mut Coder, builder: &mut EnsembleBuilder) -> u32;
}

macro_rules! whole {
    ($($kind:ty),*) => {
        $(impl Number for $kind {
            #[inline]
            fn code(self, coder: &mut Coder, builder: &mut EnsembleBuilder) -> u32 {
                coder.whole(builder, i128::from(self))
            }
        })*
    };
}

whole!(i8, i16, i32, i64, u8, u16, u32, u64);

impl Number for f64 {
    #[inline]
    fn code(self, coder: &mut Coder, builder: &mut EnsembleBuilder) -> u32 {
        coder.real(builder, self)
    }
}

impl Number for f32 {
    #[inline]
    fn code(self, coder: &mut Coder, builder: &mut EnsembleBuilder) -> u32 {
        coder.real(builder, f64::from(self))
    }
}

impl Number for bool {
    #[inline]
    fn code(self, coder: &mut Coder, builder: &mut EnsembleBuilder) -> u32 {
        coder.text(builder, if self { "True" } else { "False" })
    }
}

struct Viewed<'a, T>(ArrayView1<'a, T>);

impl<T: Number + Element> LabelColumn for Viewed<'_, T> {
    fn rows(&self) -> usize {
        self.0.len()
    }

    fn codes(&self, rows: Range<usize>, coder: &mut Coder, builder: &mut EnsembleBuilder, put: &mut Put) {
        self.0.slice(s![rows]).iter().for_each(|number| put.code(number.code(coder, builder)));
    }
}
