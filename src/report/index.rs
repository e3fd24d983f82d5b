//! The scorecard: what came of every claim of every paper, as a web page, Markdown and CSV.

mod claims;
mod files;
mod left_open;
mod page;
/// What repeats say, what universes say, then what was found.
fn found(claim: &Judgement) -> String {
    let universes = claim.across().map_or_else(String::new, |across| across.words());
    let parts = [claim.repeat.describe(), universes, claim.finding.clone()];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;

pub(super) use files::{csv, markdown};
pub(super) use page::page;

use maud::{PreEscaped, html};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::SCORECARD_PAGE;
use super::card::Neighbours;
use super::html::frame::{Document, SCRIPT, breadcrumbs, document, skip};
use crate::claim::{ExperimentCard, Judgement, Scorecard};

/// How verdicts are reached, beside the scorecard.
pub(super) const METHODOLOGY_PAGE: &str = "methodology.html";
const METHODOLOGY: &str = include_str!("../../docs/METHODOLOGY.md");

/// The methodology as a page.
pub(super) fn methodology(card: &Scorecard) -> String {
    let mut text = String::new();
    pulldown_cmark::html::push_html(&mut text, linked(METHODOLOGY).into_iter());
    // Wide tables scroll in a box of their own.
    let text = text
        .replace("<table>", "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table\"><table>")
        .replace("</table>", "</table></div>");
    let body = html! {
        (skip("main", "Skip to the text"))
        (breadcrumbs(SCORECARD_PAGE, "Methodology", &Neighbours::default()))
        main.prose id="main" { "\n" (PreEscaped(text)) } "\n"
    };
    document(&Document { title: "Methodology", version: Some(&card.version), scripts: &[SCRIPT] }, &body)
}

/// A document of the project, with ids for its headings, which links within it lead to, and without links to other documents, which are
/// not beside the page.
fn linked(markdown: &str) -> Vec<Event<'_>> {
    let mut events: Vec<Event> = Parser::new_ext(markdown, Options::ENABLE_TABLES).collect();
    let mut heading = None;
    for place in 0..events.len() {
        match &events[place] {
            Event::Start(Tag::Heading { .. }) => heading = Some((place, String::new())),
            Event::Text(words) | Event::Code(words) => {
                if let Some((_, title)) = &mut heading {
                    title.push_str(words);
                }
            }
            Event::End(TagEnd::Heading(_)) => {
                let Some((start, title)) = heading.take() else { continue };
                if let Event::Start(Tag::Heading { id, .. }) = &mut events[start] {
                    *id = Some(anchor(&title).into());
                }
            }
            _ => {}
        }
    }
    let mut within_other = false;
    events.retain(|event| match event {
        Event::Start(Tag::Link { dest_url, .. }) => {
            within_other = !dest_url.starts_with('#') && !dest_url.contains(':');
            !within_other
        }
        Event::End(TagEnd::Link) => !std::mem::take(&mut within_other),
        _ => true,
    });
    events
}

/// What GitHub calls the place of a heading, so that the same links work there.
fn anchor(title: &str) -> String {
    let kept = title.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// Where a report's page is, from the scorecard.
fn report_of(experiment: &ExperimentCard) -> String {
    format!("{}/index.html", experiment.name)
}

/// Where a claim is shown: its table or figure, or else the claim itself.
fn shown_at(experiment: &ExperimentCard, claim: &Judgement) -> String {
    let anchor = claim.shown_in.clone().unwrap_or_else(|| format!("claim-{}", claim.id));
    format!("{}#{anchor}", report_of(experiment))
}
