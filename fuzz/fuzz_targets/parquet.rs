//! The reader of Parquet label files must take any bytes: an error in words or a table, never a panic, and soon.

#![no_main]

use std::path::PathBuf;
use std::sync::LazyLock;

use conclave::data::{LabelTable, Selection};
use libfuzzer_sys::fuzz_target;

/// Parquet is read from its end: it needs a file.
static FILE: LazyLock<PathBuf> =
    LazyLock::new(|| std::env::temp_dir().join(format!("conclave-fuzz-{}.parquet", std::process::id())));

fuzz_target!(|bytes: &[u8]| {
    // Anything else is read as text, which has a target of its own.
    if !bytes.starts_with(b"PAR1") || std::fs::write(&*FILE, bytes).is_err() {
        return;
    }
    let Some(name) = FILE.to_str() else { return };
    match LabelTable::read(name, &Selection::default()) {
        Ok(table) => {
            let weights: usize = table.ensemble.weights().iter().map(|&weight| weight as usize).sum();
            assert_eq!(weights, table.ensemble.objects());
            assert_eq!(table.ensemble.columns(), table.names.len());
        }
        Err(problem) => assert!(problem.to_string().starts_with(name)),
    }
});
