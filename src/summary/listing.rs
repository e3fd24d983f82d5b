use super::model::{Column, Row, Table, TableCell};
use super::verdicts::PrintedVerdicts;
use crate::spec::{Declared, Experiment, ListingRequest, ListingSubject, declared};

/// Fills a listing from what is known of the datasets, or from what the methods declare.
pub(super) fn fill(request: &ListingRequest, experiment: &Experiment, verdicts: &PrintedVerdicts) -> Table {
    let rows = declared(request.of, experiment);
    let printed = |row: &str, column: &str| {
        let found = request.printed.iter().find(|(key, name, _)| key == row && *name == column);
        found.map(|(_, _, text)| text.clone())
    };
    let rows = rows.into_iter().map(|(name, declared)| {
        let mut cells: Vec<TableCell> = declared.into_iter().map(cell).collect();
        for (cell, column) in cells.iter_mut().zip(request.of.columns()) {
            cell.printed = printed(&name, column);
            cell.verdict = cell.printed.as_ref().and_then(|_| verdicts.of_entry(&name, column));
        }
        Row { keys: vec![name], cells }
    });
    Table {
        id: request.id.clone(),
        title: request.title.clone(),
        caption: request.caption.clone(),
        keys: vec![match request.of {
            ListingSubject::Datasets => "dataset".to_owned(),
            ListingSubject::Methods => "method".to_owned(),
        }],
        rows: rows.collect(),
        columns: request.of.columns().iter().map(|name| Column::named(*name)).collect(),
        digits: 0,
        references: Vec::new(),
        across: Vec::new(),
        quiet: Vec::new(),
    }
}

fn cell(declared: Declared) -> TableCell {
    let cell = TableCell { n: 1, ..TableCell::default() };
    match declared {
        Declared::Number(number) => TableCell { value: Some(number as f64), ..cell },
        Declared::Words(words) => TableCell { words: Some(words), ..cell },
        Declared::Unknown => cell,
    }
}
