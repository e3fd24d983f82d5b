//! `conclave._native`: the part of the Python package that is written in Rust. It turns what Python holds into labels, calls
//! `conclave-core` without Python's lock, and hands back arrays. What users see is in `package/conclave`.

mod answer;
mod code;
mod columns;
mod combine;
mod errors;
mod generators;
mod indices;
mod labels;
mod listing;
mod permits;
mod stream;
mod suspects;
mod work;

use pyo3::prelude::pymodule;

#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::answer::NativeAnswer;
    #[pymodule_export]
    use crate::columns::objects::texts_of;
    #[pymodule_export]
    use crate::combine::{NativeComparison, combine, compare};
    #[pymodule_export]
    use crate::generators::base_clusterings;
    #[pymodule_export]
    use crate::indices::measure;
    #[pymodule_export]
    use crate::labels::NativeLabels;
    #[pymodule_export]
    use crate::listing::{generators, methods, metrics, version};
    #[pymodule_export]
    use crate::stream::arrow_stream;
}
