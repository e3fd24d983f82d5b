//! Features and classes of the tables of datasets.

use std::collections::{HashMap, HashSet};

use crate::data::Matrix;
use crate::data::dataset::{CLASS_COLUMN, Original, UserFile};
use crate::data::features;
use crate::data::grid::TextGrid;
use crate::data::labels::{FirstRow, is_identifier, is_unnamed};
use crate::data::manifest::{Manifest, MarkupName, TextManifest};
use crate::data::text::{self, Markup, TextOptions};

/// A table as its manifest describes it.
pub(super) fn described_table(mut grid: TextGrid, manifest: &Manifest) -> Result<Original, String> {
    let class = grid.position(CLASS_COLUMN)?;
    if let Some(end) = &manifest.class_until {
        for row in &mut grid.rows {
            let length = row[class].find(end.as_str()).unwrap_or(row[class].len());
            row[class].truncate(length);
        }
    }
    let features = match &manifest.text {
        None => {
            let dropped = manifest.drop.iter().map(|name| grid.position(name)).collect::<Result<Vec<_>, _>>()?;
            features::numbers(&grid, &[&[class][..], &dropped].concat())?
        }
        Some(text) => document_features(&grid, text)?,
    };
    Ok(Original { features, classes: Some(features::classes(&grid, class)), stand_in: false })
}

fn document_features(grid: &TextGrid, manifest: &TextManifest) -> Result<Matrix, String> {
    let documents: Vec<String> = grid.column(grid.position(&manifest.column)?).map(str::to_owned).collect();
    let options = TextOptions {
        minimum_documents: manifest.minimum_documents,
        features: Some(manifest.features),
        markup: match manifest.markup {
            MarkupName::Plain => Markup::Plain,
            MarkupName::Article => Markup::Article,
            MarkupName::Html => Markup::Html,
        },
    };
    text::features(&documents, &options).map(|features| features.matrix)
}

/// The table that a stand-in stands for: every column but the class is a feature.
pub(super) fn real_table(grid: &TextGrid) -> Result<Original, String> {
    let class = grid.position(CLASS_COLUMN)?;
    let features = features::numbers(grid, &[class])?;
    Ok(Original { features, classes: Some(features::classes(grid, class)), stand_in: false })
}

/// A user's file: every column but the class and those left out is a feature.
pub(super) fn user_file(file: &UserFile) -> Result<Original, String> {
    let grid = TextGrid::read_users(&file.path, file.header)?;
    if file.header == FirstRow::Header {
        check_headers(&grid, file)?;
    }
    let class = file.class.as_deref().map(|name| grid.position(name)).transpose()?;
    let mut without = file.drop.iter().map(|name| grid.position(name)).collect::<Result<Vec<_>, _>>()?;
    without.extend(class);
    // Lines may end with delimiters.
    let is_blank = |column: &usize| grid.headers[*column].is_empty() && grid.column(*column).all(str::is_empty);
    without.extend((0..grid.headers.len()).filter(is_blank));
    let used: Vec<usize> = (0..grid.headers.len()).filter(|column| !without.contains(column)).collect();
    // Where there is nothing else, it stands in the way of nothing: the objects of a file of labels have no features.
    if used.len() > 1 {
        used.into_iter().try_for_each(|column| refuse_names(&grid, column))?;
    }
    let features = features::numbers(&grid, &without).map_err(|problem| {
        format!("{problem} (--drop COLUMN, or drop = [\"COLUMN\"] in a spec, leaves a column out)")
    })?;
    Ok(Original { features, classes: class.map(|class| features::classes(&grid, class)), stand_in: false })
}

/// Refuses columns that share a name, and a first line that looks like those below it.
fn check_headers(grid: &TextGrid, file: &UserFile) -> Result<(), String> {
    let mut seen: HashMap<&str, usize> = HashMap::new();
    for (column, header) in grid.headers.iter().enumerate().filter(|(_, header)| !header.is_empty()) {
        if let Some(earlier) = seen.insert(header, column) {
            return Err(format!(
                "columns {} and {} are both named `{header}`; give them different names ({HEADER_MISSING})",
                earlier + 1,
                column + 1
            ));
        }
    }
    let numbers: Option<Vec<f64>> = grid.headers.iter().map(|header| header.trim().parse().ok()).collect();
    // Numbers that rise are names: 0, 1, 2, … as pandas writes them, or wavelengths.
    let is_doubted = numbers.is_some_and(|numbers| !numbers.is_sorted_by(|one, next| one < next));
    if is_doubted && file.class.is_none() && file.drop.is_empty() {
        return Err(format!("the first line has nothing but numbers, as the lines below it; {HEADER_MISSING}"));
    }
    Ok(())
}

const HEADER_MISSING: &str = "is the header missing? add a line with the names of the columns, or use --no-header";

/// Refuses a column that numbers or names the objects: it would be the widest of all features.
fn refuse_names(grid: &TextGrid, column: usize) -> Result<(), String> {
    let name = &grid.headers[column];
    let values: Option<Vec<i64>> = grid.column(column).map(|text| text.trim().parse().ok()).collect();
    let rows = grid.rows.len();
    let is_called_so = || {
        let different: HashSet<&str> = grid.column(column).collect();
        (is_identifier(name) || is_unnamed(name)) && different.len() == rows
    };
    let counts = |values: &[i64]| {
        column == 0 && matches!(values[0], 0 | 1) && values.windows(2).all(|pair| pair[1] == pair[0] + 1)
    };
    let reason = match values {
        Some(values) if rows > 2 && counts(&values) => "numbers the rows",
        Some(_) if rows > 2 && is_called_so() => "has another value in every row",
        _ => return Ok(()),
    };
    let (called, word) = if name.is_empty() {
        ("the column without a name".to_owned(), "\"\"".to_owned())
    } else {
        (format!("column `{name}`"), format!("\"{name}\""))
    };
    Err(format!(
        "{called} {reason}, so it is no feature; add --drop {word}, or drop = [{word}] in a spec (if it is one, give it a name \
         that says so)"
    ))
}
