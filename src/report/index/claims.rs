//! Every claim with its verdict, and ways to see some of them.

use maud::{Markup, html};

use super::{report_of, shown_at};
use crate::claim::{ClaimKind, ExperimentCard, Judgement, PaperCard, Scorecard, Verdict};
use crate::report::html::claims::{badge, colour, evidence, sign, slug};
use crate::report::html::frame::{column_head, titled};

/// The table of claims under its filters.
pub(super) fn section(card: &Scorecard) -> Markup {
    let experiments = card.papers.iter().flat_map(|paper| paper.experiments.iter().map(move |card| (paper, card)));
    let rows =
        experiments.enumerate().map(|(order, (paper, experiment))| ExperimentRows { paper, experiment, order }.rows());
    let heads = ["Repeats", "Verdict", "Paper", "Where", "Claim"];
    let content = html! {
        (filters(card))
        table.scorecard {
            caption.unseen { "Every claim and its verdict" } "\n"
            thead { tr { @for (column, name) in heads.iter().enumerate() { (column_head(column, name, None)) } } } "\n"
            tbody { "\n" @for rows in rows { (rows) } }
        } "\n"
        p.nothing hidden { "No claim matches these filters." }
    };
    titled("claims", "Claims", &content)
}

/// Ways to see some of the claims; shown by the script that makes them work.
fn filters(card: &Scorecard) -> Markup {
    html! {
        form.filters hidden {
            fieldset {
                legend { "Verdict" } "\n"
                @for verdict in Verdict::ALL {
                    (choice("verdict", slug(verdict), &html! {
                        span class={ "key " (colour(verdict)) } aria-hidden="true" { (sign(verdict)) } " " (verdict.name())
                    }))
                }
            } "\n"
            fieldset {
                legend { "Paper" } "\n"
                @for paper in &card.papers { (choice("paper", &paper.key, &html! { (paper.key) })) }
            } "\n"
            fieldset {
                legend { "Kind" } "\n"
                (choice("kind", "claim", &html! { "sentences" }))
                (choice("kind", "numbers", &html! { "printed numbers" }))
                (choice("kind", "inputs", &html! { "inputs" }))
            } "\n"
            label.search { "Search " input type="search" name="text" autocomplete="off"; } "\n"
            button type="reset" { "Show all" } "\n"
            output aria-live="polite" {}
        } "\n"
    }
}

fn choice(name: &str, value: &str, label: &Markup) -> Markup {
    html! { label { input type="checkbox" name=(name) value=(value); span { (label) } } "\n" }
}

/// What the rows of an experiment have in common.
struct ExperimentRows<'a> {
    paper: &'a PaperCard,
    experiment: &'a ExperimentCard,
    /// Position of the experiment on the card.
    order: usize,
}

impl ExperimentRows<'_> {
    /// One row per claim. A table or figure is on the card even when nothing is claimed of it.
    fn rows(&self) -> Markup {
        html! {
            @if self.experiment.judgements.is_empty() { (self.row_without_claim()) }
            @for claim in &self.experiment.judgements { (self.row(claim)) }
        }
    }

    fn row(&self, claim: &Judgement) -> Markup {
        let kind = match claim.about {
            ClaimKind::Sentence => "claim",
            ClaimKind::PrintedNumbers => "numbers",
            ClaimKind::Inputs => "inputs",
        };
        let source = (claim.source != self.experiment.place).then_some(claim.source.as_str());
        html! {
            tr id={ (self.experiment.name) "." (claim.id) } data-verdict=(slug(claim.verdict))
                data-paper=(self.paper.key) data-kind=(kind) {
                td.repeats data-sort=(claim.repeat.first().map_or(-1.0, |first| first.share)) { (claim.repeat.short()) }
                td data-sort=(claim.verdict.rank()) {
                    (badge(claim.verdict))
                    @if let Some(why) = claim.verdict.not_run() { " " span.why { (why.name()) } }
                    @if let Some(across) = claim.across() { " " span.why { (across.short()) } }
                }
                (self.places(&shown_at(self.experiment, claim), source))
                td.claim { (texts(&claim.statement, &super::found(claim))) (evidence(claim)) (self.making()) }
            } "\n"
        }
    }

    fn row_without_claim(&self) -> Markup {
        html! {
            tr data-verdict="none" data-paper=(self.paper.key) data-kind="none" {
                td.repeats data-sort="-1" {}
                td data-sort="9" { span.badge { "no claim" } }
                (self.places(&report_of(self.experiment), None))
                td.claim { (texts(&self.experiment.title, &self.experiment.remark)) (self.making()) }
            } "\n"
        }
    }

    fn places(&self, target: &str, source: Option<&str>) -> Markup {
        html! {
            td { (self.paper.key) }
            td data-sort=(format!("{:04}", self.order)) {
                a href=(target) { (self.experiment.place) }
                @if let Some(source) = source { " " span.source { (source) } }
            }
        }
    }

    /// The spec and the command behind a claim.
    fn making(&self) -> Markup {
        html! {
            p.making {
                a href={ (report_of(self.experiment)) "#spec" } { "spec" } " " code { (self.experiment.command) }
            }
        }
    }
}

/// On lines of their own: what is searched is their text, one after the other.
fn texts(statement: &str, finding: &str) -> Markup {
    html! { p.statement { (statement) } "\n" p.finding { (finding) } "\n" }
}
