//! The reader of label files must take any bytes: an error in words or a table, never a panic, and what it keeps must be
//! what is there.

#![no_main]

use conclave::data::{LabelTable, Selection};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    // The first byte chooses which parts columns play, so that one corpus serves all of them.
    let Some((choice, text)) = bytes.split_first() else { return };
    let named = |bit: u8, name: &str| (choice & bit != 0).then(|| name.to_owned());
    let columns = (choice & 4 != 0).then(|| vec!["a".to_owned(), "b".to_owned()]);
    let selection = Selection { columns, id: named(1, "id"), truth: named(2, "class"), ..Selection::default() };
    let Ok(table) = LabelTable::read_text(text, "fuzz", &selection) else { return };
    let ensemble = &table.ensemble;
    assert_eq!(ensemble.columns(), table.names.len());
    assert_eq!(ensemble.weights().iter().map(|&weight| weight as usize).sum::<usize>(), ensemble.objects());
    assert!((1..ensemble.rows()).all(|row| ensemble.row(row - 1) < ensemble.row(row)));
    if let Some(ids) = &table.ids {
        assert_eq!(ids.len(), ensemble.objects());
    }
    if let Some(truth) = &table.truth {
        assert_eq!(truth.len(), ensemble.objects());
    }
});
