//! The page of one consensus: everything in one file that needs nothing else.

use std::path::Path;

use maud::{Markup, html};

use super::ReportError;
use super::drawing::Drawing;
use super::figure::{self, Medium, Scene};
use super::html::drawings::drawn;
use super::html::frame::{Document, document, fact, sentences, skip, titled, titled_table};
use super::section::Heading;
use crate::files::Target;
use crate::summary::{Figure, HeatMap};

/// What the page shows, filled in.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ConsensusPage {
    pub(crate) title: String,
    /// Paragraphs under it.
    pub(crate) lead: Vec<String>,
    /// The command that makes the page again.
    pub(crate) command: String,
    /// Names and values.
    pub(crate) facts: Vec<(String, String)>,
    /// The co-association matrix.
    pub(crate) matrix: HeatMap,
    /// Memberships, where the method has them.
    pub(crate) memberships: Option<MembershipBars>,
    /// Cluster sizes, confidence.
    pub(crate) figures: Vec<Figure>,
    /// Methods, clusters, metrics.
    pub(crate) tables: Vec<TextTable>,
    /// What was left out, and why.
    pub(crate) notes: Vec<String>,
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
}

/// Writes the page to a file, or wherever else its path leads; its folder is made if it is absent.
///
/// # Errors
/// When the folder or the file cannot be written.
pub(crate) fn write_consensus(page: &ConsensusPage, path: &Path) -> Result<(), ReportError> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder {
        let failed = |source| ReportError::Folder { path: folder.to_owned(), source };
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    Ok(Target::find(path)?.write(|out| out.write_all(text(page).as_bytes()))?)
}

fn text(page: &ConsensusPage) -> String {
    let body = html! {
        (skip("main", "Skip to the results"))
        header { h1 { (page.title) } "\n" @for part in &page.lead { p { (part) } "\n" } } "\n"
        main id="main" {
            "\n"
            (origin(page))
            @for shown in &page.tables { (table(shown)) }
            @if !page.notes.is_empty() {
                section aria-label="Left out" { h2 { "Left out" } "\n" (sentences(&page.notes)) } "\n"
            }
            (drawings(page))
        } "\n"
        footer { p { "Written by conclave " (env!("CARGO_PKG_VERSION")) "." } } "\n"
    };
    document(&Document { title: &page.title, version: None, scripts: &[] }, &body)
}

fn origin(page: &ConsensusPage) -> Markup {
    html! {
        section.provenance aria-label="Where this comes from" {
            pre.command tabindex="0" { code { (page.command) } } "\n"
            dl { @for (name, value) in &page.facts { (fact(name, &html! { (value) })) } }
        } "\n"
    }
}

/// The matrix, memberships where there are some, then the figures.
fn drawings(page: &ConsensusPage) -> Markup {
    let matrix = Heading { id: "matrix", title: &page.matrix.title, caption: &page.matrix.caption };
    html! {
        (drawing(&matrix, |medium| figure::compose_heat_map(&page.matrix, medium)))
        @if let Some(bars) = &page.memberships {
            (drawing(&Heading { id: "memberships", title: "Memberships", caption: &bars.caption }, |medium| {
                figure::compose_memberships(bars, medium)
            }))
        }
        @for shown in &page.figures { (drawing(&shown.heading(), |medium| figure::compose(shown, medium))) }
    }
}

fn drawing(heading: &Heading, compose: impl Fn(Medium) -> Scene) -> Markup {
    let caption = html! { figcaption { (heading.caption) } };
    titled(heading.id, heading.title, &drawn(heading, compose, &caption))
}

fn table(table: &TextTable) -> Markup {
    let heading = Heading { id: &table.id, title: &table.title, caption: &table.caption };
    let number = |column: usize| (column > 0).then_some("number");
    let content = html! {
        table.numbers {
            caption { span { (heading.caption) } } "\n"
            thead {
                tr { @for (column, name) in table.header.iter().enumerate() { th scope="col" class=[number(column)] { (name) } } }
            } "\n"
            tbody { "\n" @for row in &table.rows { (table_row(row)) "\n" } }
        }
    };
    titled_table(&heading, &content, &html! {})
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
