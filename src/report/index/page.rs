//! `index.html`: papers, their tables and figures, and every claim with its verdict.

use super::{METHODOLOGY_PAGE, report_of, shown_at};
use crate::claim::{ExperimentCard, Judgement, PaperCard, Scorecard, Verdict};
use crate::report::escape::html as safe;
use crate::report::html::claims::{badge, bar, evidence, sign, slug};
use crate::report::html::{self as frame, front};
use crate::report::numbers::count;

const FILTER: &str = include_str!("filter.js");

/// The whole file.
pub(in crate::report) fn html(card: &Scorecard) -> String {
    let blocks = [
        frame::head("Scorecard", &card.version),
        front::skip("claims", "Skip to the claims"),
        header(card),
        "<main id=\"main\">\n".to_owned(),
        papers(card),
        claims(card),
        "</main>\n".to_owned(),
        format!(
            "<footer><p>Written by conclave {} ({}) at scale {}. The same is in <a href=\"scorecard.csv\">scorecard.csv</a> \
             and <a href=\"scorecard.md\">scorecard.md</a>.</p></footer>\n",
            safe(&card.version),
            safe(&card.revision),
            safe(&card.scale)
        ),
        frame::end(FILTER),
    ];
    blocks.concat()
}

fn header(card: &Scorecard) -> String {
    let quick = if card.scale == crate::spec::PAPER_SCALE {
        String::new()
    } else {
        format!(
            "<p><strong>This is the {} scale</strong>: fewer ensembles and repeats than the papers had, so many verdicts are \
             weaker than they could be.</p>\n",
            safe(&card.scale)
        )
    };
    format!(
        "<header>\n<h1>Do the papers’ claims hold?</h1>\n\
         <p class=\"paper\">{} and {} from {}, each with a verdict from results computed here. \
         <a href=\"{METHODOLOGY_PAGE}\">How verdicts are reached</a>.</p>\n{quick}</header>\n",
        count(card.sentences().total(), "claim"),
        count(card.numbers().total(), "printed number"),
        count(card.places(), "table or figure").replace("table or figures", "tables and figures"),
    )
}

fn papers(card: &Scorecard) -> String {
    let cards: String = card.papers.iter().map(paper).collect();
    format!(
        "<section id=\"papers\" aria-labelledby=\"papers-title\">\n<h2 id=\"papers-title\">Papers</h2>\n\
         <div class=\"cards\">\n{cards}</div>\n</section>\n"
    )
}

fn paper(card: &PaperCard) -> String {
    let origin = if card.origin.is_empty() {
        String::new()
    } else {
        format!("<p class=\"origin\">{}</p>\n", safe(&card.origin))
    };
    let tallies: String = [("Claims", card.sentences()), ("Printed numbers", card.numbers())]
        .iter()
        .filter(|(_, tally)| tally.total() > 0)
        .map(|(name, tally)| format!("<h4>{name} <span>{}</span></h4>\n{}", tally.total(), bar(tally)))
        .collect();
    let places: String = card.experiments.iter().map(place).collect();
    format!(
        "<article class=\"card\" id=\"paper-{key}\" aria-labelledby=\"paper-{key}-title\">\n\
         <h3 id=\"paper-{key}-title\">{} <code>{key}</code></h3>\n{origin}{tallies}\
         <h4>Tables and figures</h4>\n<ul class=\"places\">\n{places}</ul>\n</article>\n",
        safe(&card.title),
        key = safe(&card.key),
    )
}

/// A table or figure with the signs of its verdicts on sentences.
fn place(experiment: &ExperimentCard) -> String {
    let signs: String = experiment
        .sentences()
        .iter()
        .filter(|(_, count)| *count > 0)
        .map(|(verdict, count)| {
            format!(
                " <span class=\"mini v-{}\" title=\"{count} {name}\">{count}<span aria-hidden=\"true\">{}</span>\
                 <span class=\"unseen\"> {name}</span></span>",
                slug(verdict),
                sign(verdict),
                name = verdict.name(),
            )
        })
        .collect();
    format!(
        "<li id=\"{}\"><a href=\"{}\" title=\"{}\">{}</a>{signs}</li>\n",
        safe(&experiment.name),
        report_of(experiment),
        safe(&experiment.title),
        safe(&experiment.place)
    )
}

fn claims(card: &Scorecard) -> String {
    let rows: String = card
        .papers
        .iter()
        .flat_map(|paper| paper.experiments.iter().map(move |experiment| (paper, experiment)))
        .enumerate()
        .map(|(order, (paper, experiment))| experiment_rows(paper, experiment, order))
        .collect();
    let heads: String = ["Verdict", "Paper", "Where", "Claim"]
        .iter()
        .enumerate()
        .map(|(column, name)| format!("<th scope=\"col\" data-column=\"{column}\">{name}</th>"))
        .collect();
    format!(
        "<section id=\"claims\" aria-labelledby=\"claims-title\">\n<h2 id=\"claims-title\">Claims</h2>\n{}\
         <table class=\"scorecard\">\n<caption class=\"unseen\">Every claim and its verdict</caption>\n\
         <thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n\
         <p class=\"nothing\" hidden>No claim is like that.</p>\n</section>\n",
        filters(card)
    )
}

/// Ways to see some of the claims; shown by the script that makes them work.
fn filters(card: &Scorecard) -> String {
    let choice = |name: &str, value: &str, label: &str| {
        format!("<label><input type=\"checkbox\" name=\"{name}\" value=\"{value}\"><span>{label}</span></label>\n")
    };
    let verdicts: String = Verdict::ALL
        .iter()
        .map(|verdict| {
            let label = format!(
                "<span class=\"key v-{}\" aria-hidden=\"true\">{}</span> {}",
                slug(*verdict),
                sign(*verdict),
                verdict.name()
            );
            choice("verdict", slug(*verdict), &label)
        })
        .collect();
    let papers: String =
        card.papers.iter().map(|paper| choice("paper", &safe(&paper.key), &safe(&paper.key))).collect();
    let kinds = choice("kind", "claim", "sentences") + &choice("kind", "numbers", "printed numbers");
    format!(
        "<form class=\"filters\" hidden>\n\
         <fieldset><legend>Verdict</legend>\n{verdicts}</fieldset>\n<fieldset><legend>Paper</legend>\n{papers}</fieldset>\n\
         <fieldset><legend>Kind</legend>\n{kinds}</fieldset>\n\
         <label class=\"search\">Search <input type=\"search\" name=\"text\" autocomplete=\"off\"></label>\n\
         <button type=\"reset\">Show all</button>\n<output aria-live=\"polite\"></output>\n</form>\n"
    )
}

fn experiment_rows(paper: &PaperCard, experiment: &ExperimentCard, order: usize) -> String {
    let row = Row { paper, experiment, order };
    if experiment.judgements.is_empty() {
        return row.without_claims();
    }
    experiment.judgements.iter().map(|claim| row.of(claim)).collect()
}

/// What the rows of an experiment have in common.
struct Row<'a> {
    paper: &'a PaperCard,
    experiment: &'a ExperimentCard,
    /// Position of the experiment on the card.
    order: usize,
}

impl Row<'_> {
    fn of(&self, claim: &Judgement) -> String {
        let kind = if claim.is_of_printed_numbers() { "numbers" } else { "claim" };
        let source = if claim.source == self.experiment.place {
            String::new()
        } else {
            format!(" <span class=\"source\">{}</span>", safe(&claim.source))
        };
        format!(
            "<tr id=\"{name}.{id}\" data-verdict=\"{}\" data-paper=\"{}\" data-kind=\"{kind}\">\
             <td data-sort=\"{}\">{}</td>{}<td class=\"claim\"><p class=\"statement\">{}</p>\n\
             <p class=\"finding\">{}</p>\n{}{}</td></tr>\n",
            slug(claim.verdict),
            safe(&self.paper.key),
            claim.verdict.rank(),
            badge(claim.verdict),
            self.places(&shown_at(self.experiment, claim), &source),
            safe(&claim.statement),
            safe(&claim.finding),
            evidence(claim),
            self.making(),
            name = safe(&self.experiment.name),
            id = safe(&claim.id),
        )
    }

    /// A table or figure is on the card even when nothing is claimed of it.
    fn without_claims(&self) -> String {
        format!(
            "<tr data-verdict=\"none\" data-paper=\"{}\" data-kind=\"none\"><td data-sort=\"9\">\
             <span class=\"badge\">no claim</span></td>{}<td class=\"claim\"><p class=\"statement\">{}</p>\n\
             <p class=\"finding\">{}</p>\n{}</td></tr>\n",
            safe(&self.paper.key),
            self.places(&report_of(self.experiment), ""),
            safe(&self.experiment.title),
            safe(&self.experiment.remark),
            self.making()
        )
    }

    fn places(&self, target: &str, source: &str) -> String {
        format!(
            "<td>{}</td><td data-sort=\"{:04}\"><a href=\"{target}\">{}</a>{source}</td>",
            safe(&self.paper.key),
            self.order,
            safe(&self.experiment.place)
        )
    }

    /// The spec and the command behind a claim.
    fn making(&self) -> String {
        format!(
            "<p class=\"making\"><a href=\"{}#spec\">spec</a> <code>{}</code></p>",
            report_of(self.experiment),
            safe(&self.experiment.command)
        )
    }
}
