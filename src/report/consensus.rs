//! The page of one consensus: everything in one file that needs nothing else.

use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use maud::{Markup, html};

use super::ReportError;
use super::drawing::Drawing;
use super::figure::{self, Medium, Scene};
use super::html::drawings::drawn;
use super::html::frame::{Document, SCRIPT, column_head, document, fact, scrolling, sentences, skip, titled};
use super::numbers::count;
use super::section::Heading;
use crate::files::Target;
use crate::summary::{Figure, HeatMap};

/// What the page shows, filled in.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ConsensusPage {
    pub(crate) title: String,
    /// What was found: paragraphs under the title, of which the first says the most.
    pub(crate) finding: Vec<String>,
    /// Pictures and tables, in this order.
    pub(crate) parts: Vec<ConsensusPart>,
    /// What was left out, and why.
    pub(crate) notes: Vec<String>,
    /// The command that makes the page again.
    pub(crate) command: String,
    /// Names and values.
    pub(crate) facts: Vec<(String, String)>,
}

/// A picture or a table.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ConsensusPart {
    /// The co-association matrix.
    Matrix(HeatMap),
    /// How stable each number of clusters is.
    Stability(StabilityCurves),
    /// How much objects belong to clusters.
    Memberships(MembershipBars),
    /// Cluster sizes, confidence.
    Figure(Figure),
    /// Methods, objects, base clusterings, metrics.
    Table(TextTable),
}

/// Memberships of objects, a few to a bar.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct MembershipBars {
    pub(crate) caption: String,
    /// For each bar, the share of every cluster.
    pub(crate) bars: Vec<Vec<f64>>,
    /// Name of each cluster, and the share of the width where it begins and ends.
    pub(crate) clusters: Vec<(String, f64, f64)>,
}

/// Consensus CDFs and ambiguous pairs, by number of clusters.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct StabilityCurves {
    pub(crate) caption: String,
    pub(crate) counts: Vec<StabilityCurve>,
    /// The recommended number of clusters.
    pub(crate) chosen: Option<usize>,
}

/// Those of one number of clusters.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct StabilityCurve {
    pub(crate) clusters: usize,
    /// At equal steps from 0 to 1.
    pub(crate) cdf: Vec<f64>,
    pub(crate) pac: f64,
    /// The mean over references.
    pub(crate) reference_pac: f64,
    /// The lowest and the highest of them.
    pub(crate) references: [f64; 2],
}

/// A table of texts; the first column names the rows.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TextTable {
    /// Its place in the page.
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) caption: String,
    /// A name for each column.
    pub(crate) header: Vec<String>,
    /// As many texts per row as there are names.
    pub(crate) rows: Vec<Vec<String>>,
    /// What of it is folded away.
    pub(crate) folding: TableFolding,
}

/// How much of a table is seen at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TableFolding {
    /// All of it.
    Open,
    /// So many rows; the others are folded away.
    After(usize),
    /// Nothing but how large it is.
    Whole,
}

/// Writes the page to a file, or wherever else its path leads; its folder is made if it is absent.
///
/// # Errors
/// When the folder or the file cannot be written, or a picture not be drawn.
pub(crate) fn write_consensus(page: &ConsensusPage, path: &Path) -> Result<(), ReportError> {
    let text = text(page).map_err(|source| ReportError::Figure { path: path.to_owned(), source })?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder {
        let failed = |source| ReportError::Folder { path: folder.to_owned(), source };
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    Ok(Target::find(path)?.write(|out| out.write_all(text.as_bytes()))?)
}

type DrawnPart<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

fn text(page: &ConsensusPage) -> DrawnPart<String> {
    let parts = page.parts.iter().map(part).collect::<DrawnPart<Vec<Markup>>>()?;
    let body = html! {
        (skip("main", "Skip to the results"))
        header {
            h1 { (page.title) } "\n"
            @for (place, sentence) in page.finding.iter().enumerate() {
                p class=[(place == 0).then_some("finding-first")] { (sentence) } "\n"
            }
        } "\n"
        main id="main" {
            "\n"
            @for part in &parts { (part) }
            @if !page.notes.is_empty() {
                section aria-label="Left out" { h2 { "Left out" } "\n" (sentences(&page.notes)) } "\n"
            }
            (origin(page))
        } "\n"
        footer { p { "Written by conclave " (env!("CARGO_PKG_VERSION")) "." } } "\n"
    };
    Ok(document(&Document { title: &page.title, version: None, scripts: &[SCRIPT] }, &body))
}

fn origin(page: &ConsensusPage) -> Markup {
    html! {
        section.provenance aria-labelledby="origin-title" {
            h2 id="origin-title" { "Where this comes from" } "\n"
            pre.command tabindex="0" { code { (page.command) } } "\n"
            dl { @for (name, value) in &page.facts { (fact(name, &html! { (value) })) } }
        } "\n"
    }
}

fn part(part: &ConsensusPart) -> DrawnPart<Markup> {
    match part {
        ConsensusPart::Matrix(map) => {
            let heading = Heading { id: &map.id, title: &map.title, caption: &map.caption };
            drawing(&heading, |medium| figure::compose_heat_map(map, medium))
        }
        ConsensusPart::Stability(curves) => {
            let heading = Heading { id: "stability", title: "How many clusters?", caption: &curves.caption };
            drawing(&heading, |medium| figure::compose_stability(curves, medium))
        }
        ConsensusPart::Memberships(bars) => {
            let heading = Heading { id: "memberships", title: "Memberships", caption: &bars.caption };
            drawing(&heading, |medium| figure::compose_memberships(bars, medium))
        }
        ConsensusPart::Figure(shown) => drawing(&shown.heading(), |medium| figure::compose(shown, medium)),
        ConsensusPart::Table(shown) => Ok(table(shown)),
    }
}

/// A picture with its caption and its files, which are in the page themselves.
fn drawing(heading: &Heading, compose: impl Fn(Medium) -> Scene) -> DrawnPart<Markup> {
    let scene = compose(Medium::Wide);
    let svg = figure::standalone(&scene, heading);
    let files =
        [("SVG", "svg", "image/svg+xml", svg.into_bytes()), ("PNG", "png", "image/png", figure::png_file(&scene)?)];
    let caption = html! {
        figcaption {
            (heading.caption) " "
            span.downloads {
                @for (place, (name, ending, kind, bytes)) in files.iter().enumerate() {
                    @if place > 0 { " " }
                    a href={ "data:" (kind) ";base64," (STANDARD.encode(bytes)) } download={ (heading.id) "." (ending) }
                        aria-label={ (name) " of " (heading.title) } { (name) }
                }
            }
        }
    };
    Ok(titled(heading.id, heading.title, &drawn(heading, compose, &caption)))
}

fn table(table: &TextTable) -> Markup {
    let shown = match table.folding {
        TableFolding::Open => table.rows.len(),
        TableFolding::After(rows) => rows.min(table.rows.len()),
        TableFolding::Whole => 0,
    };
    let (open, folded) = table.rows.split_at(shown);
    let summary = match open.len() {
        0 => format!("The table: {} of {}", count(folded.len(), "row"), count(table.header.len(), "column")),
        _ => format!("{} more", folded.len()),
    };
    let content = html! {
        @if open.is_empty() { p { (table.caption) } "\n" } @else { (scrolling(&table.title, &rows(table, open, &table.caption))) "\n" }
        @if !folded.is_empty() {
            details { summary { (summary) } "\n" (scrolling(&format!("{}: {summary}", table.title), &rows(table, folded, ""))) } "\n"
        }
    };
    titled(&table.id, &table.title, &content)
}

/// Some rows of a table under its heads.
fn rows(table: &TextTable, rows: &[Vec<String>], caption: &str) -> Markup {
    let number = |column: usize| (column > 0).then_some("number");
    html! {
        table.numbers {
            @if !caption.is_empty() { caption { span { (caption) } } "\n" }
            thead { tr { @for (column, name) in table.header.iter().enumerate() { (column_head(column, name, number(column))) } } } "\n"
            tbody { "\n" @for row in rows { (table_row(row)) "\n" } }
        }
    }
}

/// The first text names the row.
fn table_row(row: &[String]) -> Markup {
    html! {
        tr {
            @for (column, text) in row.iter().enumerate() {
                @if column == 0 { th scope="row" { (text) } } @else { td.number { (text) } }
            }
        }
    }
}
