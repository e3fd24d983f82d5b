//! Every printed number is a claim: one judgement for each table, figure, listing and test that has some.

mod listing;
pub(crate) mod number;
mod table;
mod test;

pub(super) use table::{Sheet, belongs, cells};

use super::count::{PlaceTally, count};
use super::source::ResultSource;
use super::{ClaimKind, Evidence, Judgement, Verdict};
use crate::spec::claims::PRINTED;
use crate::spec::{Experiment, PrintedUse};

/// The share of numbers that chance alone contradicts: intervals are 95 % ones.
const BY_CHANCE: f64 = 0.05;

/// The judgements of all printed numbers, in the order of the page.
pub(super) fn judge(source: &dyn ResultSource) -> Vec<Judgement> {
    let experiment = source.experiment();
    let listings = experiment.listings.iter().filter(|listing| !listing.printed.is_empty());
    let listings = listings.map(|listing| {
        let what = format!("{}, as listed", listing.title);
        let evidence = listing::evidence(listing, experiment);
        judgement(
            experiment,
            &PrintedOutput { id: &listing.id, check: "equal", numbers: evidence.len(), what },
            evidence,
        )
    });
    let sheets = experiment.tables.iter().map(Sheet::of_table).chain(experiment.figures.iter().map(Sheet::of_figure));
    let sheets = sheets
        .filter(|sheet| sheet.published.use_as == PrintedUse::Judged && !sheet.published.entries().is_empty())
        .map(|sheet| {
            let what = sheet.metrics.iter().map(|metric| sheet.show.describe(metric)).collect::<Vec<_>>().join(", ");
            let numbers = table::numbers(&sheet, experiment);
            judgement(
                experiment,
                &PrintedOutput { id: sheet.id, check: "value", numbers, what },
                table::evidence(&sheet, source),
            )
        });
    let tests = experiment.tests.iter().filter(|test| !test.published.is_empty()).map(|test| {
        let what = format!("{} − {} in {}", test.first, test.second, test.metric);
        let evidence = test::evidence(test, source);
        judgement(experiment, &PrintedOutput { id: &test.id, check: "value", numbers: evidence.len(), what }, evidence)
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

fn judgement(experiment: &Experiment, printed: &PrintedOutput, evidence: Vec<Evidence>) -> Judgement {
    let source = experiment.reproduces.clone().unwrap_or_else(|| experiment.title.clone());
    let mut numbers = count(printed.numbers, "printed number");
    if printed.numbers != evidence.len() {
        numbers.push_str(&format!(", looked for at {}", count(evidence.len(), "place")));
    }
    let tally = PlaceTally::of(&evidence);
    Judgement {
        id: format!("{}{PRINTED}", printed.id),
        statement: format!("{source}: {} ({numbers}).", printed.what),
        source,
        about: ClaimKind::PrintedNumbers,
        check: printed.check,
        verdict: verdict(&tally),
        finding: finding(&tally, &evidence),
        evidence,
        shown_in: Some(printed.id.to_owned()),
    }
}

/// Impossible numbers and those that could not be looked at do not count. Of the rest, 95 % must hold, and no more than
/// chance would contradict may be contradicted.
fn verdict(tally: &PlaceTally) -> Verdict {
    let judged = tally.holds + tally.contradicted + tally.undecided;
    if judged == 0 {
        return if tally.impossible > 0 { Verdict::Impossible } else { Verdict::NotRun };
    }
    let share = |number: usize| number as f64 / judged as f64;
    if share(tally.contradicted) > BY_CHANCE {
        Verdict::NotReproduced
    } else if share(tally.holds) >= 1.0 - BY_CHANCE {
        Verdict::Reproduced
    } else {
        Verdict::Inconclusive { needed: tally.needed }
    }
}

fn finding(tally: &PlaceTally, evidence: &[Evidence]) -> String {
    let PlaceTally { holds, contradicted, undecided, impossible, not_run, .. } = tally;
    let counts = [
        (*holds, "reproduced"),
        (*contradicted, "contradicted"),
        (*undecided, "undecided"),
        (*impossible, "impossible as published"),
        (*not_run, "not judged"),
    ];
    let parts: Vec<String> =
        counts.iter().filter(|(number, _)| *number > 0).map(|(number, what)| format!("{number} {what}")).collect();
    let reason = |verdict: Verdict, intro: &str| {
        let first = evidence.iter().find(|evidence| evidence.verdict == verdict)?;
        Some(format!(" {intro}: {} ({}).", first.reason, first.place))
    };
    let impossible = reason(Verdict::Impossible, "Impossible, for example");
    let not_run = reason(Verdict::NotRun, "Not judged, for example");
    let more = [impossible, not_run].into_iter().flatten().collect::<String>();
    format!("Of {}: {}.{more}", evidence.len(), parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_numbers_are_never_counted_as_not_reproduced() {
        let tally = |holds, contradicted, undecided, impossible| PlaceTally {
            holds,
            contradicted,
            undecided,
            impossible,
            ..PlaceTally::default()
        };
        assert_eq!(verdict(&tally(0, 0, 0, 9)), Verdict::Impossible);
        assert_eq!(verdict(&tally(20, 1, 0, 9)), Verdict::Reproduced);
        assert_eq!(verdict(&tally(18, 2, 0, 0)), Verdict::NotReproduced);
        assert_eq!(verdict(&tally(18, 0, 2, 0)), Verdict::Inconclusive { needed: None });
        assert_eq!(verdict(&PlaceTally { not_run: 3, ..PlaceTally::default() }), Verdict::NotRun);
    }
}
