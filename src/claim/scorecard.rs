//! The judgements of many experiments, by paper, and how many there are of each verdict.

mod control;

pub(crate) use control::{ControlCount, ControlFit};

use serde::{Deserialize, Serialize};

use super::count::count;
use super::finding::finding;
use super::model::{AuditOutcome, ClaimKind, Judgement, NotRun, Verdict};
use super::universes::UniverseReading;
use crate::spec::Control;

impl Verdict {
    /// One of each, in the order in which they are counted.
    pub const ALL: [Self; 6] = [
        Self::Reproduced,
        Self::NotReproduced,
        Self::Inconclusive { needed: None },
        Self::Impossible,
        Self::NotRun(NotRun::NotTestable),
        Self::NothingFound,
    ];

    /// Position in [`Verdict::ALL`].
    #[must_use]
    pub fn rank(self) -> usize {
        match self {
            Self::Reproduced => 0,
            Self::NotReproduced => 1,
            Self::Inconclusive { .. } => 2,
            Self::Impossible => 3,
            Self::NotRun(_) => 4,
            Self::NothingFound => 5,
        }
    }
}

/// What came of every claim of every paper that was looked at.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Scorecard {
    /// The scale everything was run at.
    pub scale: String,
    /// Version of the program.
    pub version: String,
    /// Git revision it was built from.
    pub revision: String,
    /// The papers, oldest first; what belongs to none comes last.
    pub papers: Vec<PaperCard>,
    /// Reports in the same folder that are of other scales: how many of which.
    pub elsewhere: Vec<(String, usize)>,
}

/// One paper.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PaperCard {
    /// Its key: "bce".
    pub key: String,
    /// Its title.
    pub title: String,
    /// Authors, venue and year in one line; empty for what belongs to no paper.
    pub origin: String,
    /// Whether its inputs are public.
    pub control: Option<Control>,
    /// From which earlier run it is, in words; `None` where it was reproduced now.
    pub kept: Option<String>,
    /// Its tables and figures: tables first, in the paper's order.
    pub experiments: Vec<ExperimentCard>,
}

/// One table or figure of a paper.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct ExperimentCard {
    /// The experiment's name, which is also the folder of its report.
    pub name: String,
    /// What it is in the paper: "Table 3".
    pub place: String,
    /// Its title.
    pub title: String,
    /// Path of its spec.
    pub spec_path: String,
    /// The command that makes its report.
    pub command: String,
    /// Why there are no judgements, when there are none.
    pub remark: String,
    /// What came of its claims, in the order of the spec.
    pub judgements: Vec<Judgement>,
}

impl Scorecard {
    /// The verdicts on sentences of all papers.
    #[must_use]
    pub(crate) fn sentences(&self) -> Tally {
        Tally::sum(self.papers.iter().map(PaperCard::sentences))
    }

    /// The verdicts on printed numbers of all papers.
    #[must_use]
    pub(crate) fn numbers(&self) -> Tally {
        Tally::sum(self.papers.iter().map(PaperCard::numbers))
    }

    /// What came of what the papers list of datasets and methods.
    #[must_use]
    pub(crate) fn inputs(&self) -> Tally {
        Tally::sum(self.papers.iter().map(PaperCard::inputs))
    }

    /// The audits of all papers.
    #[must_use]
    pub(crate) fn audits(&self) -> AuditCount {
        let experiments = self.papers.iter().flat_map(|paper| &paper.experiments);
        AuditCount::of(experiments.flat_map(|experiment| &experiment.judgements))
    }

    /// What came of papers whose inputs are public, where there are any.
    #[must_use]
    pub(crate) fn control(&self) -> Option<ControlCount> {
        ControlCount::of(self)
    }

    /// What came of all papers, in a sentence.
    #[must_use]
    pub(crate) fn finding(&self) -> Option<String> {
        let experiments = self.papers.iter().flat_map(|paper| &paper.experiments);
        finding(experiments.flat_map(|experiment| &experiment.judgements))
    }

    /// How many tables and figures there are.
    #[must_use]
    pub(crate) fn places(&self) -> usize {
        self.papers.iter().map(|paper| paper.experiments.len()).sum()
    }
}

impl PaperCard {
    /// The verdicts on its sentences.
    #[must_use]
    pub(crate) fn sentences(&self) -> Tally {
        Tally::sum(self.experiments.iter().map(ExperimentCard::sentences))
    }

    /// The verdicts on its printed numbers.
    #[must_use]
    pub(crate) fn numbers(&self) -> Tally {
        Tally::sum(self.experiments.iter().map(ExperimentCard::numbers))
    }

    /// What came of what it lists of datasets and methods.
    #[must_use]
    pub(crate) fn inputs(&self) -> Tally {
        Tally::sum(self.experiments.iter().map(ExperimentCard::inputs))
    }

    /// The audits of its printed numbers.
    #[must_use]
    pub(crate) fn audits(&self) -> AuditCount {
        AuditCount::of(self.experiments.iter().flat_map(|experiment| &experiment.judgements))
    }

    /// What came of all of it, in a sentence.
    #[must_use]
    pub(crate) fn finding(&self) -> Option<String> {
        finding(self.experiments.iter().flat_map(|experiment| &experiment.judgements))
    }

    /// What universes say of each of its claims that ran as stated, or holds in some universes and not in others; none where its
    /// specs have no forks.
    #[must_use]
    pub(crate) fn universe_readings(&self) -> Vec<UniverseReading> {
        let claims = self.experiments.iter().flat_map(|experiment| &experiment.judgements);
        let read = claims
            .filter(|claim| claim.is_of_a_sentence())
            .filter_map(|claim| Some((claim, claim.across()?.reading())));
        let ran = |(claim, reading): &(&Judgement, UniverseReading)| {
            claim.verdict.not_run().is_none() || *reading == UniverseReading::Depends
        };
        read.filter(ran).map(|(_, reading)| reading).collect()
    }
}

impl ExperimentCard {
    /// The verdicts on sentences that it puts to the test.
    #[must_use]
    pub(crate) fn sentences(&self) -> Tally {
        self.judgements.iter().filter(|claim| claim.is_of_a_sentence()).map(|claim| claim.verdict).collect()
    }

    /// The verdicts on the numbers that the paper prints there, each counted by itself.
    #[must_use]
    pub(crate) fn numbers(&self) -> Tally {
        let printed = self.judgements.iter().filter(|claim| claim.is_of_printed_numbers());
        printed.flat_map(|claim| &claim.evidence).map(|place| place.verdict).collect()
    }

    /// What came of what the paper lists there, each entry counted by itself.
    #[must_use]
    pub(crate) fn inputs(&self) -> Tally {
        let listed = self.judgements.iter().filter(|claim| claim.about == ClaimKind::Inputs);
        listed.flat_map(|claim| &claim.evidence).map(|place| place.verdict).collect()
    }
}

/// How often each verdict was reached, and why there was none where there was none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Tally {
    verdicts: [usize; 6],
    not_run: [usize; 5],
}

impl Tally {
    /// All of them.
    #[must_use]
    pub(crate) fn total(&self) -> usize {
        self.verdicts.iter().sum()
    }

    /// How many were not run. Audits that found nothing were.
    pub(crate) fn not_run(&self) -> usize {
        self.not_run.iter().sum()
    }

    /// Every verdict with its count, in the order of [`Verdict::ALL`].
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Verdict, usize)> + use<> {
        Verdict::ALL.into_iter().zip(self.verdicts)
    }

    /// Every reason for there being no verdict with its count, in the order of [`NotRun::ALL`].
    pub(crate) fn reasons(&self) -> impl Iterator<Item = (NotRun, usize)> + use<> {
        NotRun::ALL.into_iter().zip(self.not_run)
    }

    /// "5 not testable, 2 no data"; nothing where everything was run.
    #[must_use]
    pub(crate) fn not_run_words(&self) -> String {
        let there = self.reasons().filter(|(_, count)| *count > 0);
        there.map(|(why, count)| format!("{count} {}", why.name())).collect::<Vec<_>>().join(", ")
    }

    fn sum(tallies: impl Iterator<Item = Self>) -> Self {
        fn added<const N: usize>(one: [usize; N], two: [usize; N]) -> [usize; N] {
            std::array::from_fn(|rank| one[rank] + two[rank])
        }
        tallies.fold(Self::default(), |sum, tally| Self {
            verdicts: added(sum.verdicts, tally.verdicts),
            not_run: added(sum.not_run, tally.not_run),
        })
    }
}

/// How many audits of printed numbers were made, and how many of them found nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct AuditCount {
    pub(crate) made: usize,
    pub(crate) nothing_found: usize,
}

impl AuditCount {
    pub(super) fn of<'a>(claims: impl Iterator<Item = &'a Judgement>) -> Self {
        let mut counted = Self::default();
        for outcome in claims.filter_map(Judgement::audit) {
            counted.made += 1;
            counted.nothing_found += usize::from(outcome == AuditOutcome::NothingFound);
        }
        counted
    }

    /// "8 audits of printed numbers, of which 5 found nothing that cannot be"; nothing where none was made.
    #[must_use]
    pub(crate) fn words(self) -> Option<String> {
        let made = count(self.made, "audit");
        let found = match self.nothing_found {
            0 if self.made == 1 => "which found numbers that cannot be".to_owned(),
            1 if self.made == 1 => "which found nothing that cannot be".to_owned(),
            0 => "each of which found numbers that cannot be".to_owned(),
            all if all == self.made => "none of which found anything that cannot be".to_owned(),
            some => format!("of which {some} found nothing that cannot be"),
        };
        (self.made > 0).then(|| format!("{made} of printed numbers, {found}"))
    }
}

impl FromIterator<Verdict> for Tally {
    fn from_iter<I: IntoIterator<Item = Verdict>>(verdicts: I) -> Self {
        let mut tally = Self::default();
        for verdict in verdicts {
            tally.verdicts[verdict.rank()] += 1;
            if let Verdict::NotRun(why) = verdict
                && let Some(position) = NotRun::ALL.iter().position(|known| *known == why)
            {
                tally.not_run[position] += 1;
            }
        }
        tally
    }
}

/// Sorts names as people count: "Table 2" before "Table 10", tables before figures.
#[must_use]
pub(crate) fn place_order(place: &str) -> (bool, Vec<(String, u64)>) {
    let mut parts = Vec::new();
    let mut rest = place;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len());
        let (words, after) = rest.split_at(digits);
        let end = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
        let (number, after) = after.split_at(end);
        parts.push((words.to_lowercase(), number.parse().unwrap_or(0)));
        rest = after;
    }
    (!place.to_lowercase().starts_with("table"), parts)
}

#[cfg(test)]
pub(crate) mod sample;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_and_printed_numbers_are_counted_apart() {
        let card = sample::scorecard();
        let counts = |tally: Tally| tally.iter().map(|(_, count)| count).collect::<Vec<_>>();
        assert_eq!(counts(card.papers[0].sentences()), [1, 1, 0, 0, 0, 0]);
        assert_eq!(counts(card.papers[0].numbers()), [1, 1, 0, 1, 0, 0]);
        assert_eq!(counts(card.papers[1].sentences()), [0, 0, 1, 0, 1, 1]);
        assert_eq!((card.sentences().total(), card.numbers().total(), card.places()), (5, 3, 4));
        assert_eq!(counts(card.sentences()), [1, 1, 1, 0, 1, 1]);
    }

    #[test]
    fn audits_that_were_made_are_counted_whatever_they_found() {
        let audit = |verdict| {
            let any = sample::scorecard().papers[1].experiments[0].judgements[1].clone();
            Judgement { verdict, ..any }
        };
        let [nothing, wrong, not_made] =
            [Verdict::NothingFound, Verdict::Impossible, Verdict::NotRun(NotRun::NotTestable)].map(audit);
        let words = |claims: &[&Judgement]| AuditCount::of(claims.iter().copied()).words();
        assert_eq!(words(&[&not_made]), None);
        let some = words(&[&nothing, &wrong, &not_made, &nothing]);
        assert_eq!(some.as_deref(), Some("3 audits of printed numbers, of which 2 found nothing that cannot be"));
        let all = words(&[&nothing, &nothing]);
        assert_eq!(all.as_deref(), Some("2 audits of printed numbers, none of which found anything that cannot be"));
        assert_eq!(words(&[&wrong]).as_deref(), Some("1 audit of printed numbers, which found numbers that cannot be"));
    }

    #[test]
    fn places_are_in_the_order_of_a_paper() {
        let mut places = ["Figure 10", "Table 10", "Figure 3, ensemble 2", "Table 2", "Figure 3, ensemble 1"];
        places.sort_by_key(|place| place_order(place));
        assert_eq!(places, ["Table 2", "Table 10", "Figure 3, ensemble 1", "Figure 3, ensemble 2", "Figure 10"]);
    }
}
