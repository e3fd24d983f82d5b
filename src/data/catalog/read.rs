//! Reads the files of datasets, and compares them with what is declared.

use std::fmt::Write as _;
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::data::Matrix;
use crate::data::dataset::{CLASS_COLUMN, Original};
use crate::data::features;
use crate::data::grid::TextGrid;
use crate::data::manifest::{Manifest, MarkupName, TextManifest};
use crate::data::text::{self, Markup, TextOptions};

pub(super) fn check_hash(path: &Path, declared: &str) -> Result<(), String> {
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    let found = Sha256::digest(&bytes).iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("writing to a string cannot fail");
        text
    });
    if found == declared {
        Ok(())
    } else {
        Err(format!("the file has changed: its sha256 is {found}, but the manifest says {declared}"))
    }
}

pub(super) fn described_file(path: &Path, manifest: &Manifest) -> Result<Original, String> {
    let mut grid = TextGrid::read(path)?;
    let class = grid.position(CLASS_COLUMN)?;
    if let Some(end) = &manifest.class_until {
        for row in &mut grid.rows {
            let length = row[class].find(end.as_str()).unwrap_or(row[class].len());
            row[class].truncate(length);
        }
    }
    let features = match &manifest.text {
        None => features::numbers(&grid, &[class])?,
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

/// A user's file: every column but the class is a feature.
pub(super) fn user_file(path: &Path, class: Option<&str>) -> Result<Original, String> {
    let grid = TextGrid::read(path)?;
    let class = class.map(|name| grid.position(name)).transpose()?;
    let features = features::numbers(&grid, class.as_slice())?;
    Ok(Original { features, classes: class.map(|class| features::classes(&grid, class)), stand_in: false })
}
