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
use pulldown_cmark::{Options, Parser};

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
    pulldown_cmark::html::push_html(&mut text, Parser::new_ext(METHODOLOGY, Options::ENABLE_TABLES));
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

/// Where a report's page is, from the scorecard.
fn report_of(experiment: &ExperimentCard) -> String {
    format!("{}/index.html", experiment.name)
}

/// Where a claim is shown: its table or figure, or else the claim itself.
fn shown_at(experiment: &ExperimentCard, claim: &Judgement) -> String {
    let anchor = claim.shown_in.clone().unwrap_or_else(|| format!("claim-{}", claim.id));
    format!("{}#{anchor}", report_of(experiment))
}
