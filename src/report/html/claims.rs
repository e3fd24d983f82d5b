//! What came of claims: badges, evidence that folds out, and the section of a report.

use maud::{Markup, html};

use super::frame::{column_head, downloads, scrolling, titled};
use super::universes;
use crate::claim::{Evidence, Judgement, Tally, Verdict};
use crate::report::format::FileKind;
use crate::report::numbers::{beside, count, difference};
use crate::report::section::CLAIMS;

/// The end of a verdict's CSS class, and its name in links and filters.
pub(in crate::report) fn slug(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Reproduced => "reproduced",
        Verdict::NotReproduced => "not-reproduced",
        Verdict::Inconclusive { .. } => "inconclusive",
        Verdict::Impossible => "impossible",
        Verdict::NotRun(_) => "not-run",
        Verdict::NothingFound => "nothing-found",
    }
}

/// A sign that tells verdicts apart without colour.
pub(in crate::report) fn sign(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Reproduced => "✓",
        Verdict::NotReproduced => "✗",
        Verdict::Inconclusive { .. } => "?",
        Verdict::Impossible => "!",
        Verdict::NotRun(_) => "–",
        Verdict::NothingFound => "○",
    }
}

/// The CSS class of a verdict's colour.
pub(in crate::report) fn colour(verdict: Verdict) -> String {
    format!("v-{}", slug(verdict))
}

/// A verdict in its colour, with its sign and in words.
pub(in crate::report) fn badge(verdict: Verdict) -> Markup {
    html! {
        span class={ "badge " (colour(verdict)) } { span aria-hidden="true" { (sign(verdict)) } " " (verdict.name()) }
    }
}

/// How many repeats of the paper's experiment say what the paper says; nothing where none was simulated.
pub(in crate::report) fn repeat(claim: &Judgement) -> Markup {
    let short = claim.repeat.short();
    html! {
        @if !short.is_empty() {
            span.repeat title=(claim.repeat.describe()) { b { (short) } " of repeats" } " "
        }
    }
}

/// A bar of as many parts as there are verdicts, each as long as its count, and the counts in words below, which lead to what is
/// counted.
pub(in crate::report) fn bar(tally: &Tally, address: impl Fn(Verdict) -> String) -> Markup {
    let there: Vec<(Verdict, usize)> = tally.iter().filter(|(_, count)| *count > 0).collect();
    html! {
        div.tally aria-hidden="true" {
            @for (verdict, count) in &there { i class=(colour(*verdict)) style={ "flex-grow:" (count) } {} }
        } "\n"
        ul.counts {
            @for (verdict, count) in &there {
                li class=(colour(*verdict)) {
                    a href=(address(*verdict)) {
                        span.key aria-hidden="true" { (sign(*verdict)) } " " b { (count) } " " (verdict.name())
                    }
                }
            }
        } "\n"
    }
}

/// What a verdict rests on, folded away; nothing when there is nothing.
pub(in crate::report) fn evidence(claim: &Judgement) -> Markup {
    const HEADS: [(&str, Option<&str>); 8] = [
        ("place", None),
        ("repeats", Some("number")),
        ("verdict", None),
        ("ours", Some("number")),
        ("95 %", Some("number")),
        ("n", Some("number")),
        ("printed", Some("number")),
        ("decided by", None),
    ];
    let noun = if claim.is_of_a_sentence() { "place" } else { "printed number" };
    let table = html! {
        table {
            thead { tr { @for (column, (name, class)) in HEADS.iter().enumerate() { (column_head(column, name, *class)) } } }
            tbody { @for place in &claim.evidence { (evidence_row(place)) "\n" } }
        }
    };
    html! {
        @if !claim.evidence.is_empty() {
            details.evidence {
                summary { "Evidence: " (count(claim.evidence.len(), noun)) }
                (scrolling(&format!("Evidence of {}", claim.id), &table))
            }
        }
    }
}

fn evidence_row(place: &Evidence) -> Markup {
    let dash = || "—".to_owned();
    let agrees = place.agrees.map_or_else(dash, |share| format!("{:.1} %", 100.0 * share));
    let ours = place.ours.map_or_else(dash, |ours| beside(ours, place.printed.as_deref()));
    let interval = place.interval.map_or_else(dash, |ends| ends.map(difference).join(" to "));
    let n = if place.n == 0 { dash() } else { place.n.to_string() };
    let printed = place.printed.clone().unwrap_or_else(dash);
    html! {
        tr {
            th scope="row" { (place.place) }
            td.number data-sort=(place.agrees.unwrap_or(-1.0)) { (agrees) }
            td data-sort=(place.verdict.rank()) { (badge(place.verdict)) }
            @for text in [ours, interval, n, printed] { td.number { (text) } }
            td.reason { (place.reason) }
        }
    }
}

/// The claims of a report.
pub(super) fn section(claims: &[Judgement]) -> Markup {
    let content = html! {
        ul.claims { "\n" @for claim in claims { (item(claim)) } } "\n"
        p.files { (downloads(CLAIMS, &FileKind::OF_CLAIMS)) }
    };
    titled("claims", "What came of the claims", &content)
}

fn item(claim: &Judgement) -> Markup {
    html! {
        li id={ "claim-" (claim.id) } {
            p.statement { (repeat(claim)) (badge(claim.verdict)) " " span.source { (claim.source) } " " (claim.statement) } "\n"
            p.finding {
                @if claim.repeat.first().is_some() { (claim.repeat.describe()) " " }
                (claim.finding)
                @if let Some(id) = &claim.shown_in { " " a href={ "#" (id) } { "where it is shown" } }
            } "\n"
            (universes::reading(claim))
            (evidence(claim))
            (universes::each(claim))
        } "\n"
    }
}
