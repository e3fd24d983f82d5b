//! The scorecard: what came of every claim of every paper, as a web page, Markdown and CSV.

mod files;
mod page;
#[cfg(test)]
mod tests;

pub(super) use files::{csv, markdown};
pub(super) use page::html;

use super::html::{self as frame, front};
use super::{SCORECARD_PAGE, escape};
use crate::claim::{ExperimentCard, Judgement, Scorecard};
use pulldown_cmark::{Options, Parser};

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
    let crumbs = format!(
        "<nav class=\"crumbs\" aria-label=\"Breadcrumbs\"><ol><li><a href=\"{SCORECARD_PAGE}\">Scorecard</a></li>\
         <li aria-current=\"page\">Methodology</li></ol></nav>\n"
    );
    let blocks = [
        frame::head("Methodology", &card.version),
        front::skip("main", "Skip to the text"),
        crumbs,
        format!("<main id=\"main\" class=\"prose\">\n{text}</main>\n"),
        frame::end(""),
    ];
    blocks.concat()
}

/// Where a report's page is, from the scorecard.
fn report_of(experiment: &ExperimentCard) -> String {
    format!("{}/index.html", escape::html(&experiment.name))
}

/// Where a claim is shown: its table or figure, or else the claim itself.
fn shown_at(experiment: &ExperimentCard, claim: &Judgement) -> String {
    let anchor = claim.shown_in.clone().unwrap_or_else(|| format!("claim-{}", claim.id));
    format!("{}#{}", report_of(experiment), escape::html(&anchor))
}
