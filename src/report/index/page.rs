//! `index.html`: papers with their tables and figures, then every claim.

use maud::{Markup, html};

use super::{METHODOLOGY_PAGE, claims, report_of};
use crate::claim::universes::UniverseReading;
use crate::claim::{ControlCount, ExperimentCard, PaperCard, Scorecard, Verdict};
use crate::report::html::claims::{bar, colour, sign, slug};
use crate::report::html::frame::{Document, SCRIPT, column_head, document, scrolling, skip, titled};
use crate::report::numbers::count;

const FILTER: &str = include_str!("filter.js");

/// The whole file.
pub(in crate::report) fn page(card: &Scorecard) -> String {
    let papers = html! { div.cards { @for paper in &card.papers { (paper_card(paper)) "\n" } } "\n" };
    let body = html! {
        (skip("claims", "Skip to the claims"))
        (header(card))
        main id="main" {
            "\n"
            (titled("papers", "Papers", &papers))
            (claims::section(card))
        } "\n"
        (footer(card))
    };
    document(&Document { title: "Scorecard", version: Some(&card.version), scripts: &[SCRIPT, FILTER] }, &body)
}

fn header(card: &Scorecard) -> Markup {
    let places = match card.places() {
        1 => "1 table or figure".to_owned(),
        places => format!("{places} tables and figures"),
    };
    html! {
        header {
            h1 { "Do the papers’ claims hold?" } "\n"
            @if let Some(finding) = card.finding() { p.finding-first { (finding) } "\n" }
            p.paper {
                (count(card.sentences().total(), "claim")) " and "  (count(card.numbers().total(), "printed result"))
                " from " (places) ", each with a verdict from results computed here, and with how often a repeat of the paper’s experiment would say the same. "
                a href=(METHODOLOGY_PAGE) { "How verdicts are reached" } "."
            } "\n"
            @if let Some(control) = card.control() {
                p { (control.words()) } "\n"
                details { summary { "By method" } (by_method(&control)) } "\n"
            }
            @if card.scale != crate::spec::PAPER_SCALE {
                p {
                    strong { "This is the " (card.scale) " scale" }
                    ": fewer ensembles and repeats than the papers had, so many verdicts are weaker than they could be."
                } "\n"
            }
        } "\n"
    }
}

/// How many printed numbers of each method are consistent, and how many are not contradicted.
fn by_method(control: &ControlCount) -> Markup {
    const HEADS: [&str; 4] = ["consistent", "of judged", "not contradicted", "of all"];
    let table = html! {
        table {
            thead { tr {
                (column_head(0, "method", None))
                @for (column, name) in HEADS.iter().enumerate() { (column_head(column + 1, name, Some("number"))) }
            } }
            tbody {
                @for (method, fit) in control.by_method() {
                    tr {
                        th scope="row" { (method) }
                        @for count in [fit.consistent, fit.judged(), fit.not_contradicted(), fit.all()] { td.number { (count) } }
                    } "\n"
                }
            }
        }
    };
    scrolling("The control by method", &table)
}

fn footer(card: &Scorecard) -> Markup {
    html! {
        footer {
            p {
                "Written by conclave " (card.version) " (" (card.revision) ") at scale " (card.scale) ". The same is in "
                a href="scorecard.csv" { "scorecard.csv" } " and " a href="scorecard.md" { "scorecard.md" } "."
            } "\n"
            @for (scale, reports) in &card.elsewhere {
                p { "In the same folder and not on this page: " (count(*reports, "report")) " of scale " (scale) "." } "\n"
            }
        } "\n"
    }
}

/// What the filters call sentences of a paper.
const SENTENCES: &str = "claim";

/// The address of some claims of a paper. Printed numbers are counted one by one and listed table by table: there the verdict does not
/// choose.
fn filtered(paper: &str, kind: &str, verdict: Option<Verdict>) -> String {
    let verdict = verdict.map_or_else(String::new, |verdict| format!("&verdict={}", slug(verdict)));
    format!("?paper={paper}&kind={kind}{verdict}#claims")
}

fn paper_card(card: &PaperCard) -> Markup {
    let id = format!("paper-{}", card.key);
    let tallies = [
        ("Claims", SENTENCES, card.sentences()),
        ("Printed results", "numbers", card.numbers()),
        ("Listed inputs", "inputs", card.inputs()),
    ];
    html! {
        article.card id=(id) aria-labelledby={ (id) "-title" } {
            h3 id={ (id) "-title" } { (card.title) " " code { (card.key) } } "\n"
            @if let Some(finding) = card.finding() { p { (finding) } "\n" }
            @if !card.origin.is_empty() { p.origin { (card.origin) } "\n" }
            @if let Some(kept) = &card.kept { p.origin { (kept) } "\n" }
            @for (name, kind, tally) in tallies.iter().filter(|(_, _, tally)| tally.total() > 0) {
                h4 { a href=(filtered(&card.key, kind, None)) { (name) } " " span { (tally.total()) } } "\n"
                (bar(tally, |verdict| filtered(&card.key, kind, Some(verdict).filter(|_| *kind == SENTENCES))))
                @let not_run = tally.not_run_words();
                @if !not_run.is_empty() { p.why { "Not run: " (not_run) "." } "\n" }
            }
            @if let Some(words) = card.audits().words() { h4 { "Audits" } "\n" p.why { (words) "." } "\n" }
            @if let Some(words) = universes(card) { h4 { "What the paper leaves open" } "\n" p.why { (words) } "\n" }
            h4 { "Tables and figures" } "\n"
            ul.places { @for experiment in &card.experiments { (place(experiment)) "\n" } }
        }
    }
}

/// What universes say of the paper's claims; `None` where its specs have no forks.
fn universes(card: &PaperCard) -> Option<String> {
    let readings = card.universe_readings();
    if readings.is_empty() {
        return None;
    }
    let counted = |wanted: UniverseReading, words: &str| {
        let count = readings.iter().filter(|reading| **reading == wanted).count();
        (count > 0).then(|| format!("{count} {words}"))
    };
    let parts = [
        counted(UniverseReading::Robust, "hold whatever one chooses"),
        counted(UniverseReading::Depends, "depend on a choice"),
        counted(UniverseReading::InNone, "hold under no choice"),
        counted(UniverseReading::NoneDecided, "fail where that is decided"),
        counted(UniverseReading::Open, "are open"),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    Some(format!("Of {} claims judged in several universes {}.", readings.len(), parts.join(", ")))
}

/// A table or figure with the signs of its verdicts on sentences.
fn place(experiment: &ExperimentCard) -> Markup {
    let sentences = experiment.sentences();
    html! {
        li id=(experiment.name) {
            a href=(report_of(experiment)) title=(experiment.title) { (experiment.place) }
            @for (verdict, count) in sentences.iter().filter(|(_, count)| *count > 0) {
                " "
                span class={ "mini " (colour(verdict)) } title={ (count) " " (verdict.name()) } {
                    (count) span aria-hidden="true" { (sign(verdict)) } span.unseen { " " (verdict.name()) }
                }
            }
        }
    }
}
