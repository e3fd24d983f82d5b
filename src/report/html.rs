//! `index.html`: one file that needs nothing else but its downloads.
//!
//! Every text is escaped by `html!`. `PreEscaped` is only for what is HTML already: the site's own style sheet, scripts and
//! methodology, and pictures that `figure` made.

pub(super) mod claims;
pub(super) mod drawings;
pub(super) mod frame;
mod front;
mod paired;
mod tables;
pub(super) mod universes;
mod values;

use maud::{Markup, html};

use super::drawing::Drawing;
use super::format::Format;
use super::section::{Chapter, ClaimList, Heading, Section, Shortfall};
use super::{Above, SCORECARD_PAGE};
use crate::summary::{MultiverseSummary, Page, PageProvenance, Ranking, Table, TestTable};
use frame::{Document, SCRIPT, breadcrumbs, document, skip, trail};

/// The whole file.
pub(super) fn page(page: &Page, sections: &[Section], above: &Above) -> String {
    let body = html! {
        (skip("main", "Skip to the results"))
        @if let Above::Scorecard(neighbours) = above {
            (breadcrumbs(
                &format!("../{SCORECARD_PAGE}#{}", page.name),
                page.reproduces.as_deref().unwrap_or(&page.title),
                neighbours,
            ))
        }
        (front::header(page))
        (nav(sections))
        main id="main" {
            "\n"
            @for part in sections.iter().filter_map(|section| Html.section(section)) { (part) }
        } "\n"
        @if let Above::Scorecard(neighbours) = above {
            @let links = trail(neighbours);
            @if !links.0.is_empty() { nav.crumbs.trail.end aria-label="Pages of the paper" { (links) } "\n" }
        }
        (footer(&page.provenance))
    };
    let version = Some(page.provenance.version.as_str());
    document(&Document { title: &page.title, version, scripts: &[SCRIPT] }, &body)
}

/// Sections of `index.html`.
pub(super) struct Html;

impl Format for Html {
    type Part = Markup;

    fn smaller_scale(&self, words: &str) -> Option<Markup> {
        Some(front::smaller_scale(words))
    }

    fn stand_ins(&self, warning: &str) -> Option<Markup> {
        Some(front::stand_ins(warning))
    }

    fn incomplete(&self, shortfall: &Shortfall) -> Option<Markup> {
        Some(front::incomplete(shortfall))
    }

    fn findings(&self, rankings: &[Ranking]) -> Option<Markup> {
        Some(front::findings(rankings))
    }

    fn claims(&self, list: &ClaimList) -> Option<Markup> {
        Some(claims::section(list.claims))
    }

    fn forks(&self, multiverse: &MultiverseSummary) -> Option<Markup> {
        Some(universes::section(multiverse))
    }

    fn provenance(&self, page: &Page) -> Option<Markup> {
        Some(front::provenance(page))
    }

    fn about(&self, page: &Page) -> Option<Markup> {
        Some(front::about(page))
    }

    fn drawing(&self, drawing: &dyn Drawing) -> Option<Markup> {
        Some(drawings::section(drawing))
    }

    fn table(&self, table: &Table) -> Option<Markup> {
        Some(tables::table(table))
    }

    fn test(&self, test: &TestTable) -> Option<Markup> {
        Some(paired::test(test))
    }

    fn sources(&self, provenance: &PageProvenance) -> Option<Markup> {
        Some(front::sources(provenance))
    }
}

/// More links than these are folded away, and longer ones: both push the results off the first screen.
const MOST_LINKS: usize = 8;
const MOST_LETTERS: usize = 240;

/// Links to the sections, when there are more than two.
fn nav(sections: &[Section]) -> Markup {
    let headings = |chapter: Chapter| -> Vec<Heading> {
        let within = sections.iter().filter(|section| section.chapter == Some(chapter));
        within.filter_map(Section::heading).collect()
    };
    let mut chapters: Vec<_> = Chapter::ALL.iter().map(|chapter| (chapter, headings(*chapter))).collect();
    chapters.retain(|(_, headings)| !headings.is_empty());
    let are_many = chapters.iter().map(|(_, headings)| headings.len()).sum::<usize>() > 2;
    html! {
        @if are_many {
            nav aria-label="Sections of this page" {
                @for (chapter, headings) in &chapters {
                    @let links = html! {
                        ul { @for heading in headings { li { a href={ "#" (heading.id) } { (heading.title) } } } }
                    };
                    div {
                        span { (chapter.title()) }
                        @if headings.len() > MOST_LINKS || letters(headings) > MOST_LETTERS {
                            details { summary { (headings.len()) " in all" } (links) }
                        } @else {
                            (links)
                        }
                    } "\n"
                }
            } "\n"
        }
    }
}

fn letters(headings: &[Heading]) -> usize {
    headings.iter().map(|heading| heading.title.chars().count()).sum()
}

fn footer(provenance: &PageProvenance) -> Markup {
    html! {
        footer {
            p {
                "Written by conclave " (provenance.version) " (" (provenance.revision) "). The same text is in "
                a href="report.md" { "report.md" } "."
            }
        } "\n"
    }
}
