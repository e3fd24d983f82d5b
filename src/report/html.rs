//! `index.html`: one file that needs nothing else but its downloads.

pub(super) mod claims;
pub(super) mod front;
mod tables;
mod values;

use super::drawing::Drawing;
use super::escape::html;
use super::figure::{self, Medium};
use super::format::{FileKind, Format};
use super::section::{Chapter, ClaimList, Heading, Section, Shortfall};
use super::{Above, SCORECARD_PAGE};
use crate::summary::{Page, Provenance, Ranking, Table, TestTable};

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// The whole file.
pub(super) fn page(page: &Page, sections: &[Section], above: Above) -> String {
    let blocks = [
        head(&page.title, &page.provenance.version),
        front::skip("main", "Skip to the results"),
        breadcrumbs(page, above),
        front::header(page),
        nav(sections),
        "<main id=\"main\">\n".to_owned(),
        sections.iter().filter_map(|section| Html.section(section)).collect(),
        "</main>\n".to_owned(),
        footer(&page.provenance),
        end(""),
    ];
    blocks.concat()
}

/// Sections of `index.html`.
pub(super) struct Html;

impl Format for Html {
    type Part = String;

    fn stand_ins(&self, warning: &str) -> Option<String> {
        Some(front::stand_ins(warning))
    }

    fn incomplete(&self, shortfall: &Shortfall) -> Option<String> {
        Some(front::incomplete(shortfall))
    }

    fn findings(&self, rankings: &[Ranking]) -> Option<String> {
        Some(front::findings(rankings))
    }

    fn claims(&self, list: &ClaimList) -> Option<String> {
        Some(claims::section(list.claims))
    }

    fn provenance(&self, page: &Page) -> Option<String> {
        Some(front::provenance(page))
    }

    fn notes(&self, notes: &[String]) -> Option<String> {
        Some(front::notes(notes))
    }

    fn drawing(&self, drawing: &dyn Drawing) -> Option<String> {
        Some(drawing_section(drawing))
    }

    fn table(&self, table: &Table) -> Option<String> {
        Some(tables::table(table))
    }

    fn test(&self, test: &TestTable) -> Option<String> {
        Some(tables::test(test))
    }

    fn sources(&self, provenance: &Provenance) -> Option<String> {
        Some(sources(provenance))
    }
}

/// Everything up to the body's first element.
pub(super) fn head(title: &str, version: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta name=\"generator\" content=\"conclave {}\">\n<title>{}</title>\n\
         <link rel=\"icon\" href=\"data:,\">\n<style>\n{STYLE}</style>\n</head>\n<body>\n",
        html(version),
        html(title),
    )
}

/// The scripts of the page, and everything after its last element.
pub(super) fn end(more: &str) -> String {
    format!("<script>\n{SCRIPT}{more}</script>\n</body>\n</html>\n")
}

/// The way back to the scorecard, where there is one.
fn breadcrumbs(page: &Page, above: Above) -> String {
    if above == Above::Nothing {
        return String::new();
    }
    let here = page.reproduces.as_deref().unwrap_or(&page.title);
    format!(
        "<nav class=\"crumbs\" aria-label=\"Breadcrumbs\"><ol><li><a href=\"../{SCORECARD_PAGE}#{}\">Scorecard</a></li>\
         <li aria-current=\"page\">{}</li></ol></nav>\n",
        html(&page.name),
        html(here),
    )
}

/// Links to the sections, when there are more than two.
fn nav(sections: &[Section]) -> String {
    let headings = |chapter: Chapter| -> Vec<Heading> {
        let within = sections.iter().filter(|section| section.chapter == Some(chapter));
        within.filter_map(Section::heading).collect()
    };
    let chapters = Chapter::ALL.map(|chapter| (chapter, headings(chapter)));
    if chapters.iter().map(|(_, headings)| headings.len()).sum::<usize>() <= 2 {
        return String::new();
    }
    let groups: String = chapters
        .iter()
        .filter(|(_, headings)| !headings.is_empty())
        .map(|(chapter, headings)| {
            let link =
                |heading: &Heading| format!("<li><a href=\"#{}\">{}</a></li>", html(heading.id), html(heading.title));
            let links: String = headings.iter().map(link).collect();
            format!("<div><span>{}</span><ul>{links}</ul></div>\n", chapter.title())
        })
        .collect();
    format!("<nav aria-label=\"Sections of this page\">\n{groups}</nav>\n")
}

/// A drawing in two layouts, of which the style sheet shows the one that fits the screen.
fn drawing_section(drawing: &dyn Drawing) -> String {
    let Heading { id, title, caption } = drawing.heading();
    let label = if caption.is_empty() { title.to_owned() } else { format!("{title}. {caption}") };
    let [wide, narrow] =
        [Medium::Wide, Medium::Narrow].map(|medium| figure::inline(&drawing.compose(medium), &label, medium));
    let caption = if caption.is_empty() { String::new() } else { format!("{} ", html(caption)) };
    let values = drawing.plotted().map_or_else(String::new, values::table);
    format!(
        "<section id=\"{id}\" aria-labelledby=\"{id}-title\">\n<h2 id=\"{id}-title\">{}</h2>\n<figure>\n\
         <div class=\"plot wide\">\n{wide}</div>\n<div class=\"plot narrow\">\n{narrow}</div>\n\
         <figcaption>{caption}{}</figcaption>\n{values}</figure>\n</section>\n",
        html(title),
        downloads(id, &FileKind::OF_DRAWINGS),
        id = html(id),
    )
}

/// Links to files beside the page.
fn downloads(id: &str, kinds: &[FileKind]) -> String {
    let id = html(id);
    let link = |kind: &FileKind| {
        let (extension, name) = (kind.extension(), kind.name());
        format!("<a href=\"{id}.{extension}\" aria-label=\"{name} of {id}\">{name}</a>")
    };
    let links: Vec<String> = kinds.iter().map(link).collect();
    format!("<span class=\"downloads\">{}</span>", links.join(" "))
}

fn sources(provenance: &Provenance) -> String {
    let rows: String = provenance
        .datasets
        .iter()
        .map(|(name, hash)| {
            format!("<tr><th scope=\"row\">{}</th><td><code>{}</code></td></tr>\n", html(name), html(hash))
        })
        .collect();
    let datasets = if rows.is_empty() {
        String::new()
    } else {
        format!(
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Content hashes of the datasets\">\n\
             <table class=\"hashes\"><caption>Datasets and the hashes of their contents</caption>\n\
             <thead><tr><th scope=\"col\">dataset</th><th scope=\"col\">content hash</th></tr></thead>\n\
             <tbody>\n{rows}</tbody></table></div>\n"
        )
    };
    format!(
        "<section id=\"sources\" aria-labelledby=\"sources-title\">\n<h2 id=\"sources-title\">Spec and data</h2>\n\
         <details><summary>The full spec, {}</summary>\n<pre id=\"spec\" tabindex=\"0\"><code>{}</code></pre></details>\n\
         {datasets}</section>\n",
        html(&provenance.spec_path),
        html(&provenance.spec_text),
    )
}

fn footer(provenance: &Provenance) -> String {
    format!(
        "<footer><p>Written by conclave {} ({}). The same text is in <a href=\"report.md\">report.md</a>.</p></footer>\n",
        html(&provenance.version),
        html(&provenance.revision),
    )
}
