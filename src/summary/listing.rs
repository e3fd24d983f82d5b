use super::model::{Column, Row, Table, TableCell};
use crate::consensus::Abilities;
use crate::spec::{Experiment, ListingRequest, Subject};

/// Fills a listing from what is known of the datasets, or from what the methods declare.
pub(super) fn fill(request: &ListingRequest, experiment: &Experiment) -> Table {
    let rows = match request.of {
        Subject::Datasets => datasets(experiment),
        Subject::Methods => methods(experiment),
    };
    let printed = |row: &str, column: &str| {
        let found = request.printed.iter().find(|(key, name, _)| key == row && *name == column);
        found.map(|(_, _, text)| text.clone())
    };
    let rows = rows.into_iter().map(|(name, mut cells)| {
        for (cell, column) in cells.iter_mut().zip(request.of.columns()) {
            cell.printed = printed(&name, column);
        }
        Row { keys: vec![name], cells }
    });
    Table {
        id: request.id.clone(),
        title: request.title.clone(),
        caption: request.caption.clone(),
        keys: vec![match request.of {
            Subject::Datasets => "dataset".to_owned(),
            Subject::Methods => "method".to_owned(),
        }],
        rows: rows.collect(),
        columns: request.of.columns().iter().map(|name| Column { group: None, name: (*name).to_owned() }).collect(),
        digits: 0,
    }
}

fn datasets(experiment: &Experiment) -> Vec<(String, Vec<TableCell>)> {
    let cell =
        |value: Option<usize>| TableCell { value: value.map(|value| value as f64), n: 1, ..TableCell::default() };
    let row = |data: &std::sync::Arc<crate::data::Dataset>| {
        let classes = data.truth.as_ref().map(crate::ensemble::Partition::clusters);
        let sizes = [Some(data.features.rows()), Some(data.features.columns()), classes];
        (data.label.clone(), sizes.map(cell).to_vec())
    };
    experiment.datasets.iter().map(row).collect()
}

fn methods(experiment: &Experiment) -> Vec<(String, Vec<TableCell>)> {
    let words = |yes: bool| {
        let words = if yes { "yes" } else { "no" };
        TableCell { words: Some(words), n: 1, ..TableCell::default() }
    };
    let setting = &experiment.points[0].setting;
    let rows = setting.methods.iter().map(|method| {
        let Abilities { missing, columns_distributed, rows_distributed } = method.method.abilities();
        let abilities = [true, missing, true, columns_distributed, rows_distributed];
        (method.label.clone(), abilities.map(words).to_vec())
    });
    rows.collect()
}
