//! What came of claims: badges, evidence that folds out, and the section of a report.

use super::downloads;
use crate::claim::{Evidence, Judgement, Tally, Verdict};
use crate::report::escape::html;
use crate::report::format::FileKind;
use crate::report::numbers::{count, difference};
use crate::report::section::CLAIMS;

/// The end of a verdict's CSS class, and its name in links and filters.
pub(in crate::report) fn slug(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Reproduced => "reproduced",
        Verdict::NotReproduced => "not-reproduced",
        Verdict::Inconclusive { .. } => "inconclusive",
        Verdict::Impossible => "impossible",
        Verdict::NotRun => "not-run",
    }
}

/// A sign that tells verdicts apart without colour.
pub(in crate::report) fn sign(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Reproduced => "✓",
        Verdict::NotReproduced => "✗",
        Verdict::Inconclusive { .. } => "?",
        Verdict::Impossible => "!",
        Verdict::NotRun => "–",
    }
}

/// A verdict in its colour, with its sign and in words.
pub(in crate::report) fn badge(verdict: Verdict) -> String {
    format!(
        "<span class=\"badge v-{}\"><span aria-hidden=\"true\">{}</span> {}</span>",
        slug(verdict),
        sign(verdict),
        verdict.name()
    )
}

/// A bar of as many parts as there are verdicts, each as long as its count, and the counts in words below.
pub(in crate::report) fn bar(tally: &Tally) -> String {
    let there: Vec<(Verdict, usize)> = tally.iter().filter(|(_, count)| *count > 0).collect();
    let parts: String = there
        .iter()
        .map(|(verdict, count)| format!("<i class=\"v-{}\" style=\"flex-grow:{count}\"></i>", slug(*verdict)))
        .collect();
    let words: String = there
        .iter()
        .map(|(verdict, count)| {
            format!(
                "<li class=\"v-{}\"><span class=\"key\" aria-hidden=\"true\">{}</span> <b>{count}</b> {}</li>",
                slug(*verdict),
                sign(*verdict),
                verdict.name()
            )
        })
        .collect();
    format!("<div class=\"tally\" aria-hidden=\"true\">{parts}</div>\n<ul class=\"counts\">{words}</ul>\n")
}

/// What a verdict rests on, folded away; nothing when there is nothing.
pub(in crate::report) fn evidence(claim: &Judgement) -> String {
    if claim.evidence.is_empty() {
        return String::new();
    }
    let heads: String = ["place", "verdict", "ours", "95 % CI", "n", "printed", "decided by"]
        .iter()
        .enumerate()
        .map(|(column, name)| {
            let class = if is_number(column) { " class=\"number\"" } else { "" };
            format!("<th scope=\"col\" data-column=\"{column}\"{class}>{name}</th>")
        })
        .collect();
    let rows: String = claim.evidence.iter().map(evidence_row).collect();
    let noun = if claim.is_of_printed_numbers() { "printed number" } else { "place" };
    format!(
        "<details class=\"evidence\"><summary>Evidence: {}</summary>\n\
         <div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Evidence of {}\">\n\
         <table>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table></div></details>\n",
        count(claim.evidence.len(), noun),
        html(&claim.id)
    )
}

fn is_number(column: usize) -> bool {
    (2..=5).contains(&column)
}

fn evidence_row(place: &Evidence) -> String {
    let dash = || "—".to_owned();
    let ours = place.ours.map_or_else(dash, difference);
    let interval = place.interval.map_or_else(dash, |ends| ends.map(difference).join(" to "));
    let n = if place.n == 0 { dash() } else { place.n.to_string() };
    let printed = place.printed.as_deref().map_or_else(dash, html);
    let numbers: String =
        [ours, interval, n, printed].iter().map(|text| format!("<td class=\"number\">{text}</td>")).collect();
    format!(
        "<tr><th scope=\"row\">{}</th><td data-sort=\"{}\">{}</td>{numbers}<td class=\"reason\">{}</td></tr>\n",
        html(&place.place),
        place.verdict.rank(),
        badge(place.verdict),
        html(&place.reason)
    )
}

/// The claims of a report.
pub(super) fn section(claims: &[Judgement]) -> String {
    let items: String = claims.iter().map(item).collect();
    format!(
        "<section id=\"claims\" aria-labelledby=\"claims-title\">\n<h2 id=\"claims-title\">What came of the claims</h2>\n\
         <ul class=\"claims\">\n{items}</ul>\n<p class=\"files\">{}</p>\n</section>\n",
        downloads(CLAIMS, &FileKind::OF_CLAIMS)
    )
}

fn item(claim: &Judgement) -> String {
    let shown = claim
        .shown_in
        .as_ref()
        .map_or_else(String::new, |id| format!(" <a href=\"#{id}\">shown below</a>", id = html(id)));
    format!(
        "<li id=\"claim-{}\">\n<p class=\"statement\">{} <span class=\"source\">{}</span> {}</p>\n<p class=\"finding\">{}{shown}</p>\n{}</li>\n",
        html(&claim.id),
        badge(claim.verdict),
        html(&claim.source),
        html(&claim.statement),
        html(&claim.finding),
        evidence(claim)
    )
}
