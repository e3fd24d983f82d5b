//! The page of one consensus: everything in one file that needs nothing else.

use std::path::Path;

use super::ReportError;
use super::escape::html;
use super::figure::{self, Medium, Scene};
use crate::files::Target;
use crate::summary::{Figure, HeatMap};

const STYLE: &str = include_str!("style.css");

/// What the page shows, filled in.
#[derive(Debug, Clone, PartialEq)]
pub struct ConsensusPage {
    /// Heading.
    pub title: String,
    /// Paragraphs under it.
    pub lead: Vec<String>,
    /// The command that makes the page again.
    pub command: String,
    /// Names and values.
    pub facts: Vec<(String, String)>,
    /// The co-association matrix.
    pub matrix: HeatMap,
    /// Memberships, where the method has them.
    pub memberships: Option<MembershipBars>,
    /// Cluster sizes, confidence.
    pub figures: Vec<Figure>,
    /// Methods, clusters, metrics.
    pub tables: Vec<TextTable>,
    /// What was left out, and why.
    pub notes: Vec<String>,
}

/// Memberships of objects, a few to a bar.
#[derive(Debug, Clone, PartialEq)]
pub struct MembershipBars {
    /// Under the bars.
    pub caption: String,
    /// For each bar, the share of every cluster.
    pub bars: Vec<Vec<f64>>,
    /// Name of each cluster, and the share of the width where it begins and ends.
    pub clusters: Vec<(String, f64, f64)>,
}

/// A table of texts; the first column names the rows.
#[derive(Debug, Clone, PartialEq)]
pub struct TextTable {
    /// Its place in the page.
    pub id: String,
    /// Heading.
    pub title: String,
    /// Over the table.
    pub caption: String,
    /// A name for each column.
    pub header: Vec<String>,
    /// As many texts a row as there are names.
    pub rows: Vec<Vec<String>>,
}

/// Writes the page to a file, or wherever else its path leads; its folder is made if it is absent.
///
/// # Errors
/// When the folder or the file cannot be written.
pub fn write_consensus(page: &ConsensusPage, path: &Path) -> Result<(), ReportError> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder {
        let failed = |source| ReportError::Folder { path: folder.to_owned(), source };
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    Ok(Target::find(path)?.write(|out| out.write_all(text(page).as_bytes()))?)
}

fn text(page: &ConsensusPage) -> String {
    let lead: String = page.lead.iter().map(|part| format!("<p>{}</p>\n", html(part))).collect();
    let facts: String = page
        .facts
        .iter()
        .map(|(name, value)| format!("<div><dt>{}</dt><dd>{}</dd></div>\n", html(name), html(value)))
        .collect();
    let matrix = drawn("matrix", &page.matrix.title, &page.matrix.caption, |medium| {
        figure::compose_heat_map(&page.matrix, medium)
    });
    let memberships = page.memberships.as_ref().map_or_else(String::new, |bars| {
        drawn("memberships", "Memberships", &bars.caption, |medium| figure::compose_memberships(bars, medium))
    });
    let figures = page
        .figures
        .iter()
        .map(|shown| drawn(&shown.id, &shown.title, &shown.caption, |medium| figure::compose(shown, medium)));
    [
        head(&page.title),
        format!("<header>\n<h1>{}</h1>\n{lead}</header>\n<main id=\"main\">\n", html(&page.title)),
        format!(
            "<section class=\"provenance\" aria-label=\"Where this comes from\">\n\
             <pre class=\"command\" tabindex=\"0\"><code>{}</code></pre>\n<dl>\n{facts}</dl>\n</section>\n",
            html(&page.command)
        ),
        page.tables.iter().map(table).collect(),
        notes(&page.notes),
        matrix,
        memberships,
        figures.collect(),
        format!("</main>\n<footer><p>Written by conclave {}.</p></footer>\n", env!("CARGO_PKG_VERSION")),
        "</body>\n</html>\n".to_owned(),
    ]
    .concat()
}

fn head(title: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n\
         <link rel=\"icon\" href=\"data:,\">\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <a class=\"skip\" href=\"#main\">Skip to the results</a>\n",
        html(title),
    )
}

/// A figure in two layouts, of which the style sheet shows the one that fits the screen.
fn drawn(id: &str, title: &str, caption: &str, compose: impl Fn(Medium) -> Scene) -> String {
    let label = format!("{title}. {caption}");
    let [wide, narrow] = [Medium::Wide, Medium::Narrow].map(|medium| figure::inline(&compose(medium), &label, medium));
    format!(
        "<section id=\"{id}\" aria-labelledby=\"{id}-title\">\n<h2 id=\"{id}-title\">{}</h2>\n<figure>\n\
         <div class=\"plot wide\">\n{wide}</div>\n<div class=\"plot narrow\">\n{narrow}</div>\n\
         <figcaption>{}</figcaption>\n</figure>\n</section>\n",
        html(title),
        html(caption),
        id = html(id),
    )
}

fn table(table: &TextTable) -> String {
    let class = |column: usize| if column == 0 { "" } else { " class=\"number\"" };
    let cells = |row: &[String], tag: &dyn Fn(usize) -> &'static str, scope: &dyn Fn(usize) -> &'static str| {
        let cell = |(column, text): (usize, &String)| {
            format!("<{0}{1}{2}>{3}</{0}>", tag(column), scope(column), class(column), html(text))
        };
        row.iter().enumerate().map(cell).collect::<String>()
    };
    let header = cells(&table.header, &|_| "th", &|_| " scope=\"col\"");
    let rows: String = table
        .rows
        .iter()
        .map(|row| {
            let row = cells(row, &|column| if column == 0 { "th" } else { "td" }, &|column| {
                if column == 0 { " scope=\"row\"" } else { "" }
            });
            format!("<tr>{row}</tr>\n")
        })
        .collect();
    format!(
        "<section id=\"{id}\" aria-labelledby=\"{id}-title\">\n<h2 id=\"{id}-title\">{}</h2>\n\
         <div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-labelledby=\"{id}-title\">\n<table class=\"numbers\">\n\
         <caption><span>{}</span></caption>\n<thead>\n<tr>{header}</tr>\n</thead>\n<tbody>\n{rows}</tbody>\n</table>\n\
         </div>\n</section>\n",
        html(&table.title),
        html(&table.caption),
        id = html(&table.id),
    )
}

fn notes(notes: &[String]) -> String {
    if notes.is_empty() {
        return String::new();
    }
    let items: String = notes.iter().map(|note| format!("<li>{}</li>\n", html(note))).collect();
    format!("<section aria-label=\"Left out\">\n<h2>Left out</h2>\n<ul class=\"notes\">\n{items}</ul>\n</section>\n")
}
