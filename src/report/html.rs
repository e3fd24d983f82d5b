//! `index.html`: one file that needs nothing else but its downloads.

pub(super) mod claims;
pub(super) mod front;
mod rankings;
mod tables;
mod values;

use super::escape::html;
use super::figure::{self, Medium, Scene};
use super::{Above, SCORECARD_PAGE};
use crate::summary::{Figure, HeatMap, Page, Provenance};

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// The whole file.
pub(super) fn page(page: &Page, above: Above) -> String {
    let blocks = [
        head(&page.title, &page.provenance.version),
        front::skip("main", "Skip to the results"),
        breadcrumbs(page, above),
        front::header(page),
        nav(page),
        "<main id=\"main\">\n".to_owned(),
        front::banners(page),
        rankings::findings(page),
        claims::section(&page.claims),
        front::provenance(page),
        front::notes(page),
        page.rankings.iter().map(rankings::ranking).collect(),
        page.figures.iter().map(figure_section).collect(),
        page.heat_maps.iter().map(heat_map_section).collect(),
        page.tables.iter().map(tables::table).collect(),
        page.tests.iter().map(tables::test).collect(),
        sources(&page.provenance),
        "</main>\n".to_owned(),
        footer(&page.provenance),
        end(""),
    ];
    blocks.concat()
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
fn nav(page: &Page) -> String {
    let heat_maps = page.heat_maps.iter().map(|map| (&map.id, &map.title));
    let figures: Vec<_> = page.figures.iter().map(|figure| (&figure.id, &figure.title)).chain(heat_maps).collect();
    let tables: Vec<_> = page.tables.iter().map(|table| (&table.id, &table.title)).collect();
    let tests: Vec<_> = page.tests.iter().map(|test| (&test.id, &test.title)).collect();
    let rankings: Vec<_> = page.rankings.iter().map(|ranking| (&ranking.id, &ranking.title)).collect();
    if rankings.len() + figures.len() + tables.len() + tests.len() <= 2 {
        return String::new();
    }
    let groups: String = [("Rankings", rankings), ("Figures", figures), ("Tables", tables), ("Tests", tests)]
        .iter()
        .filter(|(_, links)| !links.is_empty())
        .map(|(name, links)| {
            let links: String = links
                .iter()
                .map(|(id, title)| format!("<li><a href=\"#{}\">{}</a></li>", html(id), html(title)))
                .collect();
            format!("<div><span>{name}</span><ul>{links}</ul></div>\n")
        })
        .collect();
    format!("<nav aria-label=\"Sections of this page\">\n{groups}</nav>\n")
}

/// A figure in two layouts, of which the style sheet shows the one that fits the screen.
fn figure_section(drawn: &Figure) -> String {
    let texts = Texts { id: &drawn.id, title: &drawn.title, caption: &drawn.caption };
    section(&texts, &values::table(drawn), |medium| figure::compose(drawn, medium))
}

/// A heat map, likewise.
fn heat_map_section(drawn: &HeatMap) -> String {
    let texts = Texts { id: &drawn.id, title: &drawn.title, caption: &drawn.caption };
    section(&texts, "", |medium| figure::compose_heat_map(drawn, medium))
}

/// What is written around a figure.
struct Texts<'a> {
    id: &'a str,
    title: &'a str,
    caption: &'a str,
}

fn section(&Texts { id, title, caption }: &Texts, values: &str, compose: impl Fn(Medium) -> Scene) -> String {
    let label = if caption.is_empty() { title.to_owned() } else { format!("{title}. {caption}") };
    let [wide, narrow] = [Medium::Wide, Medium::Narrow].map(|medium| figure::inline(&compose(medium), &label, medium));
    let caption = if caption.is_empty() { String::new() } else { format!("{} ", html(caption)) };
    format!(
        "<section id=\"{id}\" aria-labelledby=\"{id}-title\">\n<h2 id=\"{id}-title\">{}</h2>\n<figure>\n\
         <div class=\"plot wide\">\n{wide}</div>\n<div class=\"plot narrow\">\n{narrow}</div>\n\
         <figcaption>{caption}{}</figcaption>\n{values}</figure>\n</section>\n",
        html(title),
        downloads(id, &[("svg", "SVG"), ("png", "PNG"), ("csv", "CSV")]),
        id = html(id),
    )
}

/// Links to files beside the page.
fn downloads(id: &str, kinds: &[(&str, &str)]) -> String {
    let id = html(id);
    let links: Vec<String> = kinds
        .iter()
        .map(|(extension, name)| format!("<a href=\"{id}.{extension}\" aria-label=\"{name} of {id}\">{name}</a>"))
        .collect();
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
