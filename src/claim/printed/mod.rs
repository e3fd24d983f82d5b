//! Every printed number is a claim: one judgement for each table, figure, listing and test that has some.
//!
//! | file | what it does |
//! |---|---|
//! | `forecast.rs` | what a repeat of the paper's experiment would print |
//! | `ties.rs` | the same for a mean where most of our runs are equal |
//! | `number.rs` | one printed number beside it |
//! | `whole.rs` | all numbers of a table |
//! | `table.rs`, `test.rs`, `listing.rs` | where the numbers stand |

pub(crate) mod forecast;
mod listing;
pub(crate) mod number;
mod table;
mod test;
mod ties;
pub(super) mod whole;

pub(crate) use listing::entry as listing_entry;
pub(super) use table::{PrintedCell, Sheet, belongs, cells};

use super::count::{PlaceTally, count};
use super::model::{ClaimQuantity, Repeat};
use super::repeats::Sizes;
use super::source::ResultSource;
use super::{ClaimKind, Evidence, Judgement, Verdict};
use crate::spec::claims::PRINTED;
use crate::spec::{Experiment, PrintedUse};
use number::JudgedNumber;

/// The judgements of all printed numbers, in the order of the page.
pub(super) fn judge(source: &dyn ResultSource, sizes: &Sizes) -> Vec<Judgement> {
    let experiment = source.experiment();
    let listings = experiment.listings.iter().filter(|listing| !listing.printed.is_empty());
    let listings = listings.map(|listing| {
        let what = format!("{}, as listed", listing.title);
        let evidence = listing::evidence(listing, experiment);
        let printed = PrintedOutput { id: &listing.id, check: "equal", numbers: evidence.len(), what };
        inputs(experiment, &printed, evidence)
    });
    let sheets = experiment.tables.iter().map(Sheet::of_table).chain(experiment.figures.iter().map(Sheet::of_figure));
    let sheets = sheets
        .filter(|sheet| sheet.published.use_as == PrintedUse::Judged && !sheet.published.entries().is_empty())
        .map(|sheet| {
            let what = sheet.metrics.iter().map(|metric| sheet.show.describe(metric)).collect::<Vec<_>>().join(", ");
            let numbers = table::numbers(&sheet, experiment);
            let runs = sheet.published.runs.as_ref().unwrap_or(&experiment.paper_runs);
            let repeats = sizes.of(runs);
            let judged = table::judged(&sheet, source, &repeats);
            results(experiment, &PrintedOutput { id: sheet.id, check: "value", numbers, what }, judged)
        });
    let tests = experiment.tests.iter().filter(|test| !test.published.is_empty()).map(|test| {
        let what = format!("{} − {} in {}", test.first, test.second(), test.metric);
        let repeats = sizes.of(test.runs.as_ref().unwrap_or(&experiment.paper_runs));
        let judged = test::judged(test, source, &repeats);
        results(experiment, &PrintedOutput { id: &test.id, check: "value", numbers: judged.len(), what }, judged)
    });
    let all: Vec<Judgement> = listings.chain(sheets).chain(tests).collect();
    all.into_iter().filter(|judgement| !judgement.evidence.is_empty()).collect()
}

/// What is printed.
struct PrintedOutput<'a> {
    id: &'a str,
    check: &'static str,
    /// How many numbers; a number can stand at several places.
    numbers: usize,
    /// What the numbers are.
    what: String,
}

impl PrintedOutput<'_> {
    fn judgement(&self, experiment: &Experiment, about: ClaimKind, evidence: Vec<Evidence>) -> Judgement {
        let source = experiment.reproduces.clone().unwrap_or_else(|| experiment.title.clone());
        let mut numbers = count(self.numbers, "printed number");
        if self.numbers != evidence.len() {
            numbers.push_str(&format!(", looked for at {}", count(evidence.len(), "place")));
        }
        let tally = PlaceTally::of(evidence.iter());
        Judgement {
            id: format!("{}{PRINTED}", self.id),
            statement: format!("{source}: {} ({numbers}).", self.what),
            source,
            about,
            check: self.check.into(),
            verdict: tally.nothing_judged(),
            finding: finding(&tally, &evidence),
            repeat: Repeat::None("A table is judged by how many of its numbers a repeat contradicts.".to_owned()),
            quantity: Some(ClaimQuantity {
                name: "printed numbers that are consistent".to_owned(),
                value: tally.holds as f64,
                interval: None,
                claimed: None,
            }),
            evidence,
            shown_in: Some(self.id.to_owned()),
            universes: None,
        }
    }
}

/// What is listed is what went in: every difference counts.
fn inputs(experiment: &Experiment, printed: &PrintedOutput, evidence: Vec<Evidence>) -> Judgement {
    let tally = PlaceTally::of(evidence.iter());
    let judgement = printed.judgement(experiment, ClaimKind::Inputs, evidence);
    let verdict = match (tally.holds, tally.contradicted) {
        (0, 0) => judgement.verdict,
        (_, 0) => Verdict::Reproduced,
        _ => Verdict::NotReproduced,
    };
    Judgement { verdict, repeat: Repeat::None("It is listed, not measured.".to_owned()), ..judgement }
}

/// Results are judged by how many of them a true repeat of the whole would contradict.
fn results(experiment: &Experiment, printed: &PrintedOutput, judged: Vec<JudgedNumber>) -> Judgement {
    let whole = whole::judge(&judged);
    let evidence = judged.into_iter().map(|judged| judged.evidence).collect();
    let mut judgement = printed.judgement(experiment, ClaimKind::PrintedNumbers, evidence);
    if let Some((verdict, words)) = whole {
        judgement.verdict = verdict;
        judgement.finding = format!("{words} {}", judgement.finding);
    }
    judgement
}

impl PlaceTally {
    /// The verdict where nothing could be judged.
    fn nothing_judged(&self) -> Verdict {
        match (self.undecided, self.impossible, self.why) {
            (1.., _, _) => Verdict::Inconclusive { needed: None },
            (0, 1.., _) => Verdict::Impossible,
            (0, 0, why) => Verdict::NotRun(why.unwrap_or(super::model::NotRun::NotAtThisScale)),
        }
    }
}

fn finding(tally: &PlaceTally, evidence: &[Evidence]) -> String {
    let PlaceTally { holds, contradicted, undecided, impossible, not_run, .. } = tally;
    let counts = [
        (*holds, "consistent"),
        (*contradicted, "contradicted"),
        (*undecided, "inconclusive"),
        (*impossible, "impossible as published"),
        (*not_run, "not judged"),
    ];
    let parts: Vec<String> =
        counts.iter().filter(|(number, _)| *number > 0).map(|(number, what)| format!("{number} {what}")).collect();
    let reason = |name: &str, intro: &str| {
        let first = evidence.iter().find(|evidence| evidence.verdict.name() == name)?;
        Some(format!(" {intro}: {} ({}).", first.reason, first.place))
    };
    let impossible = reason(Verdict::Impossible.name(), "Impossible, for example");
    let not_run = reason(Verdict::NotRun(super::model::NotRun::NoData).name(), "Not judged, for example");
    let more = [impossible, not_run].into_iter().flatten().collect::<String>();
    format!("Of {}: {}.{more}", evidence.len(), parts.join(", "))
}
