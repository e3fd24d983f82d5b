//! Writes a filled page as a folder of files: a web page, Markdown, LaTeX and CSV tables, SVG and PNG figures.
//!
//! | file | what it does |
//! |---|---|
//! | `files.rs` | puts files in place whole or not at all |
//! | `format.rs`, `escape.rs` | numbers and names as text |
//! | `marks.rs` | what is said of one mark of a figure |
//! | `shared.rs` | what tables have in common in every format: headings, footnotes, cells of tests |
//! | `html.rs`, `html/`, `style.css`, `script.js` | `index.html` |
//! | `index.rs`, `index/` | the scorecard of all experiments, one folder above |
//! | `markdown.rs` | `report.md` |
//! | `latex.rs` | one `.tex` a table |
//! | `claims.rs` | `claims.csv`, `claims.json`, and their section of `report.md` |
//! | `delimited.rs` | one `.csv` a table and a figure |
//! | `figure.rs`, `figure/` | one `.svg` and `.png` a figure |
//! | `consensus.rs` | the page of one consensus, all in one file |
//!
//! Nothing is computed here: every number comes from [`crate::summary`]. The same page always gives the
//! same bytes.

mod claims;
mod consensus;
mod delimited;
mod escape;
mod figure;
mod files;
mod format;
mod html;
mod index;
mod latex;
mod markdown;
mod marks;
#[cfg(test)]
mod sample;
mod shared;
#[cfg(test)]
mod tests;

pub use claims::claims_value;
pub use consensus::{ConsensusPage, MembershipBars, TextTable, write_consensus};

use crate::claim::Scorecard;
use crate::files::OutputError;
use crate::spec::names;
use crate::summary::{Page, Ranking};
use figure::Medium;
use files::Folder;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// The scorecard's web page, in the folder of reports.
pub const SCORECARD_PAGE: &str = "index.html";

/// What a report's page leads back to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Above {
    /// It stands alone.
    Nothing,
    /// The scorecard, one folder above.
    Scorecard,
}

/// What was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The web page.
    pub index: PathBuf,
    /// How many files, the web page among them.
    pub files: usize,
}

/// Why a report could not be written.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The folder could not be made, or its entries not brought to disk.
    #[error("cannot write the folder {}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file could not be written.
    #[error("cannot write {0}")]
    File(#[from] OutputError),
    /// A figure could not be drawn.
    #[error("cannot draw {}", path.display())]
    Figure {
        /// The file.
        path: PathBuf,
        /// What the drawing library said.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The id of a table or figure cannot be the name of its files.
    #[error("\"{id}\" cannot name a file: use letters, digits, \"-\", \"_\" and \".\", a letter or digit first")]
    Id {
        /// The id.
        id: String,
    },
    /// The id of a table or figure would overwrite a file that every report has.
    #[error("\"{id}\" cannot be the id of a table or figure: the report has files of that name itself")]
    OwnFile {
        /// The id.
        id: String,
    },
    /// Two tables or figures would write the same file.
    #[error("two tables or figures have the id \"{id}\": each needs its own, because it names their files")]
    SameId {
        /// The id.
        id: String,
    },
}

/// Writes a page and everything it links to into a folder, which is created if absent.
///
/// Each file replaces an older one of its name at once; files of other names are left alone.
///
/// # Errors
///
/// When the folder or a file cannot be written (the error names it), or when an id is unfit for a file name
/// or used twice. Ids are checked before anything is written.
pub fn write(page: &Page, folder: &Path, above: Above) -> Result<Written, ReportError> {
    check_ids(page)?;
    let mut folder = Folder::create(folder)?;
    write_tables(page, &mut folder)?;
    write_figures(page, &mut folder)?;
    if !page.claims.is_empty() {
        folder.write("claims.csv", &claims::csv(&page.claims))?;
        folder.write("claims.json", claims::json(&page.claims).as_bytes())?;
    }
    folder.write("report.md", markdown::page(page).as_bytes())?;
    // Last, so that a page never links to files that are not there yet.
    let index = folder.write("index.html", html::page(page, above).as_bytes())?;
    Ok(Written { index, files: folder.finish()? })
}

/// Writes the scorecard of all experiments into the folder of reports: a web page, Markdown, CSV and how it was made.
///
/// # Errors
///
/// When the folder or a file cannot be written (the error names it).
pub fn write_scorecard(card: &Scorecard, folder: &Path) -> Result<Written, ReportError> {
    let mut folder = Folder::create(folder)?;
    folder.write("scorecard.csv", &index::csv(card))?;
    folder.write("scorecard.md", index::markdown(card).as_bytes())?;
    folder.write(index::METHODOLOGY_PAGE, index::methodology(card).as_bytes())?;
    let index = folder.write(SCORECARD_PAGE, index::html(card).as_bytes())?;
    Ok(Written { index, files: folder.finish()? })
}

fn write_tables(page: &Page, folder: &mut Folder) -> Result<(), ReportError> {
    for table in page.tables.iter().chain(page.rankings.iter().flat_map(|ranking| &ranking.tables)) {
        folder.write(&format!("{}.csv", table.id), &delimited::table(table))?;
        folder.write(&format!("{}.tex", table.id), latex::table(table).as_bytes())?;
    }
    for test in &page.tests {
        folder.write(&format!("{}.csv", test.id), &delimited::test(test))?;
        folder.write(&format!("{}.tex", test.id), latex::test(test).as_bytes())?;
    }
    Ok(())
}

fn write_figures(page: &Page, folder: &mut Folder) -> Result<(), ReportError> {
    for drawn in &page.figures {
        let scene = figure::compose(drawn, Medium::Wide);
        folder.write(&format!("{}.csv", drawn.id), &delimited::figure(drawn))?;
        folder.write(&format!("{}.svg", drawn.id), figure::standalone(&scene, &drawn.title).as_bytes())?;
        folder.draw(&format!("{}.png", drawn.id), || figure::png_file(&scene))?;
    }
    for drawn in &page.heat_maps {
        let scene = figure::compose_heat_map(drawn, Medium::Wide);
        folder.write(&format!("{}.csv", drawn.id), &delimited::heat_map(drawn))?;
        folder.write(&format!("{}.svg", drawn.id), figure::standalone(&scene, &drawn.title).as_bytes())?;
        folder.draw(&format!("{}.png", drawn.id), || figure::png_file(&scene))?;
    }
    page.rankings.iter().try_for_each(|ranking| write_ranking(ranking, folder))
}

/// The two figures of a ranking.
fn write_ranking(ranking: &Ranking, folder: &mut Folder) -> Result<(), ReportError> {
    let mut draw = |id: &str, title: &str, scene: &figure::Scene, values: &[u8]| {
        folder.write(&format!("{id}.csv"), values)?;
        folder.write(&format!("{id}.svg"), figure::standalone(scene, title).as_bytes())?;
        folder.draw(&format!("{id}.png"), || figure::png_file(scene))
    };
    let scene = figure::compose_rank_diagram(ranking, Medium::Wide);
    draw(&ranking.id, &ranking.title, &scene, &delimited::ranking(ranking))?;
    if let Some(trade) = &ranking.trade {
        let scene = figure::compose_trade(trade, Medium::Wide);
        draw(&trade.id, &trade.title, &scene, &delimited::trade(trade))?;
    }
    Ok(())
}

fn check_ids(page: &Page) -> Result<(), ReportError> {
    let tables = page.tables.iter().map(|table| &table.id);
    let figures = page.figures.iter().map(|figure| &figure.id);
    let tests = page.tests.iter().map(|test| &test.id);
    let heat_maps = page.heat_maps.iter().map(|map| &map.id);
    let ranked = page.rankings.iter().flat_map(|ranking| {
        let tables = ranking.tables.iter().map(|table| &table.id);
        std::iter::once(&ranking.id).chain(ranking.trade.iter().map(|trade| &trade.id)).chain(tables)
    });
    let mut seen = HashSet::new();
    for id in tables.chain(figures).chain(tests).chain(heat_maps).chain(ranked) {
        let sound = id.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c));
        if !sound || !id.starts_with(|c: char| c.is_ascii_alphanumeric()) {
            return Err(ReportError::Id { id: id.clone() });
        }
        if names::is_one_of(id, &names::FILES_OF_A_REPORT) {
            return Err(ReportError::OwnFile { id: id.clone() });
        }
        // Two ids that differ in case are one file on some systems.
        if !seen.insert(id.to_ascii_lowercase()) {
            return Err(ReportError::SameId { id: id.clone() });
        }
    }
    Ok(())
}
