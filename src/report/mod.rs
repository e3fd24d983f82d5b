//! Writes a filled page as a folder of files: a web page, Markdown, LaTeX and CSV tables, SVG and PNG figures.
//!
//! A page is a list of sections (`section.rs`), and each format says what it makes of each section (`format.rs`). A new
//! kind of section is a variant of `Content` and a method of `Format`, which the formats that show it implement; a new kind of
//! drawing is an `impl` in `drawing.rs`.
//!
//! | file | what it does |
//! |---|---|
//! | `section.rs` | what a page shows, in which order, and which files each section has |
//! | `format.rs` | the trait of formats, and the kinds of files |
//! | `html.rs`, `html/`, `style.css`, `script.js` | `index.html` |
//! | `markdown.rs`, `markdown/` | `report.md` |
//! | `latex.rs` | one `.tex` per table |
//! | `delimited.rs` | one `.csv` per table and drawing |
//! | `claims.rs` | `claims.csv` and `claims.json` |
//! | `card.rs` | `scorecard.part.json`: what a later scorecard keeps of a report |
//! | `drawing.rs`, `figure.rs`, `figure/` | one `.svg` and one `.png` per drawing |
//! | `index.rs`, `index/` | the scorecard of all experiments, one folder above |
//! | `site.rs`, `site/` | the scorecard and all reports as pages alone, to be published |
//! | `consensus.rs` | the page of one consensus, all in one file |
//! | `files.rs` | puts files in place whole or not at all |
//! | `numbers.rs`, `escape.rs` | numbers and names as text |
//! | `marks.rs` | what is said of one mark of a figure |
//! | `cells.rs` | headings, footnotes and cells of tables, as every format has them |
//! | `p_matrix.rs` | tests of one method against each other, as a table of p |
//! | `reading.rs` | tables as they are read: what a sentence says as well left out, turned where that is narrower |
//! | `wording.rs` | sentences about a page, as every format has them |
//!
//! Nothing is computed here: every number comes from [`crate::summary`]. The same page always gives the
//! same bytes.

mod card;
mod cells;
mod claims;
mod consensus;
mod delimited;
mod drawing;
mod escape;
mod figure;
mod files;
mod format;
mod html;
mod index;
mod latex;
mod markdown;
mod marks;
mod numbers;
mod p_matrix;
mod reading;
#[cfg(test)]
mod sample;
mod section;
mod site;
#[cfg(test)]
mod tests;
mod wording;

pub(crate) use card::{Neighbours, PageLink, StoredCard, card_of, stored_cards};
pub(crate) use claims::{ClaimOrigin, claims_value, numbers_value};
pub(crate) use consensus::{
    ConsensusPage, ConsensusPart, MembershipBars, StabilityCurve, StabilityCurves, TableFolding, TextTable,
    write_consensus,
};
pub(crate) use site::{PublishedSite, Site};

use crate::claim::Scorecard;
use crate::files::OutputError;
use crate::spec::names;
use crate::summary::Page;
use files::Folder;
use section::{Section, sections};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// The scorecard's web page, in the folder of reports.
pub(crate) const SCORECARD_PAGE: &str = "index.html";

/// What a report's page leads back to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Above {
    /// It stands alone.
    Nothing,
    /// The scorecard, one folder above, and the other pages of the same paper.
    Scorecard(Neighbours),
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
        /// What the system says.
        source: std::io::Error,
    },
    /// A file could not be written.
    #[error("cannot write {0}")]
    File(#[from] OutputError),
    /// A figure could not be drawn.
    #[error("cannot draw {}", path.display())]
    Figure {
        /// Where it was to be.
        path: PathBuf,
        /// What the drawing library says.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The id of a table or figure cannot be the name of its files.
    #[error("\"{id}\" cannot name a file: use letters, digits, \"-\", \"_\" and \".\", a letter or digit first")]
    Id {
        /// What the spec calls it.
        id: String,
    },
    /// The id of a table or figure would overwrite a file that every report has.
    #[error("\"{id}\" cannot be the id of a table or figure: the report has files of that name itself")]
    OwnFile {
        /// What the spec calls it.
        id: String,
    },
    /// Two tables or figures would write the same file.
    #[error("two tables or figures have the id \"{id}\": each needs its own, because it names their files")]
    SameId {
        /// What the spec calls it.
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
pub(crate) fn write(page: &Page, folder: &Path, above: &Above) -> Result<Written, ReportError> {
    let sections = sections(page);
    check_ids(&sections)?;
    let mut folder = Folder::create(folder)?;
    for section in &sections {
        write_files(section, &mut folder)?;
    }
    folder.write(card::CARD_FILE, &card::card_file(page))?;
    folder.write("report.md", markdown::page(page, &sections).as_bytes())?;
    // Last, so that a page never links to files that are not there yet.
    let index = folder.write("index.html", html::page(page, &sections, above).as_bytes())?;
    Ok(Written { index, files: folder.finish()? })
}

fn write_files(section: &Section, folder: &mut Folder) -> Result<(), ReportError> {
    for (name, kind) in section.files() {
        if let Some(file) = kind.file_of(section) {
            folder.draw(&name, file)?;
        }
    }
    Ok(())
}

/// Writes the scorecard of all experiments into the folder of reports: a web page, Markdown, CSV and how it was made.
///
/// # Errors
///
/// When the folder or a file cannot be written (the error names it).
pub(crate) fn write_scorecard(card: &Scorecard, folder: &Path) -> Result<Written, ReportError> {
    let mut folder = Folder::create(folder)?;
    folder.write("scorecard.csv", &index::csv(card))?;
    folder.write("scorecard.md", index::markdown(card).as_bytes())?;
    folder.write(index::METHODOLOGY_PAGE, index::methodology(card).as_bytes())?;
    let index = folder.write(SCORECARD_PAGE, index::page(card).as_bytes())?;
    Ok(Written { index, files: folder.finish()? })
}

fn check_ids(sections: &[Section]) -> Result<(), ReportError> {
    let mut seen = HashSet::new();
    for id in sections.iter().filter_map(Section::heading).map(|heading| heading.id) {
        let sound = id.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c));
        if !sound || !id.starts_with(|c: char| c.is_ascii_alphanumeric()) {
            return Err(ReportError::Id { id: id.to_owned() });
        }
        if names::is_one_of(id, &names::FILES_OF_A_REPORT) {
            return Err(ReportError::OwnFile { id: id.to_owned() });
        }
        // Two ids that differ in case are one file on some systems.
        if !seen.insert(id.to_ascii_lowercase()) {
            return Err(ReportError::SameId { id: id.to_owned() });
        }
    }
    Ok(())
}
