//! In which universes a claim holds, and on which forks that depends.

use super::{ForkFacts, InUniverse};
use crate::claim::{Judgement, Verdict};
use crate::spec::named_universe;

/// A claim in all universes, as stated first.
pub(crate) struct AcrossUniverses<'a> {
    pub(crate) forks: &'a [ForkFacts],
    pub(crate) each: Vec<(Vec<usize>, &'a Judgement)>,
}

/// What universes say of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UniverseReading {
    /// It holds in every universe.
    Robust,
    /// It holds in some, and does not in others.
    Depends,
    /// It fails in all of them.
    InNone,
    /// It holds in none, and fails in some; in others it is undecided, or was not run.
    NoneDecided,
    /// It holds or fails wherever that could be decided, and that was not everywhere.
    Open,
}

/// In how many universes a claim came out how.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct UniverseCounts {
    pub(crate) hold: usize,
    pub(crate) fail: usize,
    /// Chance could explain either, or the paper's own numbers cannot be.
    pub(crate) undecided: usize,
    /// Not computed, or without its data.
    pub(crate) not_run: usize,
}

impl UniverseReading {
    /// As other programs read it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Robust => "robust",
            Self::Depends => "depends",
            Self::InNone | Self::NoneDecided => "in no universe",
            Self::Open => "undecided",
        }
    }
}

impl Judgement {
    /// The claim in all universes; `None` where there is one only, or nothing that could differ.
    pub(crate) fn across(&self) -> Option<AcrossUniverses<'_>> {
        let multiverse = self.universes.as_ref()?;
        let stated = (vec![0; multiverse.forks.len()], self);
        let others = multiverse.others.iter().map(|InUniverse { options, judgement }| (options.clone(), judgement));
        Some(AcrossUniverses { forks: &multiverse.forks, each: std::iter::once(stated).chain(others).collect() })
    }
}

impl UniverseCounts {
    fn of<'a>(judgements: impl Iterator<Item = &'a Judgement>) -> Self {
        let mut counts = Self::default();
        for judgement in judgements {
            *match judgement.verdict {
                Verdict::Reproduced => &mut counts.hold,
                Verdict::NotReproduced => &mut counts.fail,
                Verdict::Inconclusive { .. } | Verdict::Impossible => &mut counts.undecided,
                Verdict::NotRun(_) | Verdict::NothingFound => &mut counts.not_run,
            } += 1;
        }
        counts
    }

    pub(crate) fn total(&self) -> usize {
        self.hold + self.fail + self.undecided + self.not_run
    }

    /// " It is undecided in 3, and was not run in 1."; nothing where everything was decided.
    fn open(&self) -> String {
        let parts = [(self.undecided, "is undecided in"), (self.not_run, "was not run in")];
        let parts: Vec<String> =
            parts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{what} {count}")).collect();
        if parts.is_empty() { String::new() } else { format!(" It {}.", parts.join(", and ")) }
    }
}

impl AcrossUniverses<'_> {
    pub(crate) fn counts(&self) -> UniverseCounts {
        UniverseCounts::of(self.each.iter().map(|(_, judgement)| *judgement))
    }

    pub(crate) fn total(&self) -> usize {
        self.each.len()
    }

    /// What the universe with these options is called: those that are not as stated.
    pub(crate) fn name(&self, options: &[usize]) -> String {
        let others = self.forks.iter().zip(options).filter(|(_, option)| **option > 0);
        named_universe(others.map(|(fork, option)| (fork.id.as_str(), fork.options[*option].0.as_str())))
    }

    /// In how many it holds.
    pub(crate) fn hold(&self) -> usize {
        self.counts().hold
    }

    /// Whether it holds as stated; `None` where that is open.
    pub(crate) fn as_stated(&self) -> Option<bool> {
        match self.each[0].1.verdict {
            Verdict::Reproduced => Some(true),
            Verdict::NotReproduced => Some(false),
            _ => None,
        }
    }

    pub(crate) fn reading(&self) -> UniverseReading {
        match self.counts() {
            UniverseCounts { hold, .. } if hold == self.total() => UniverseReading::Robust,
            UniverseCounts { hold: 1.., fail: 1.., .. } => UniverseReading::Depends,
            UniverseCounts { fail, .. } if fail == self.total() => UniverseReading::InNone,
            UniverseCounts { hold: 0, fail: 1.., .. } => UniverseReading::NoneDecided,
            _ => UniverseReading::Open,
        }
    }

    /// The forks on which it turns: two universes that differ in that fork alone differ in the verdict, from "holds" to "does not
    /// hold". Where no pair differs in one fork alone, all forks in which the nearest pairs differ.
    fn depends_on(&self) -> Vec<usize> {
        let with = |wanted: Verdict| self.each.iter().filter(move |(_, judgement)| judgement.verdict == wanted);
        let pairs: Vec<Vec<usize>> = with(Verdict::Reproduced)
            .flat_map(|(one, _)| with(Verdict::NotReproduced).map(|(other, _)| differing(one, other)))
            .collect();
        let nearest = pairs.iter().map(Vec::len).min().unwrap_or(0);
        let near: Vec<&Vec<usize>> = pairs.iter().filter(|forks| forks.len() == nearest).collect();
        (0..self.forks.len()).filter(|fork| near.iter().any(|forks| forks.contains(fork))).collect()
    }

    /// "in 6 of 9 universes, depends on base-k".
    pub(crate) fn short(&self) -> String {
        let (counts, total) = (self.counts(), self.total());
        match self.reading() {
            UniverseReading::Robust => format!("in all {total} universes"),
            UniverseReading::InNone => format!("in none of {total} universes"),
            UniverseReading::NoneDecided => {
                format!("fails in {} of {total} universes, open in the others", counts.fail)
            }
            UniverseReading::Depends => {
                format!("in {} of {total} universes, depends on {}", counts.hold, self.turning().join(", "))
            }
            UniverseReading::Open if counts.hold == 0 => format!("undecided in all {total} universes"),
            UniverseReading::Open => format!("in {} of {total} universes, open in the others", counts.hold),
        }
    }

    /// The ids of the forks on which it turns; none where it holds everywhere or nowhere.
    pub(crate) fn turning(&self) -> Vec<&str> {
        match self.reading() {
            UniverseReading::Depends => {
                self.depends_on().into_iter().map(|fork| self.forks[fork].id.as_str()).collect()
            }
            UniverseReading::Robust
            | UniverseReading::InNone
            | UniverseReading::NoneDecided
            | UniverseReading::Open => Vec::new(),
        }
    }

    /// One or two sentences.
    pub(crate) fn words(&self) -> String {
        let counts = self.counts();
        let (hold, total, open) = (counts.hold, self.total(), counts.open());
        match self.reading() {
            UniverseReading::Robust => format!("It holds in all {total} universes, whatever the paper left open."),
            UniverseReading::InNone => format!("It holds in none of the {total} universes."),
            UniverseReading::NoneDecided => {
                format!(
                    "It does not hold in {} of {total} universes, and no universe speaks for it.{open}",
                    counts.fail
                )
            }
            UniverseReading::Open if hold == 0 => format!("None of the {total} universes decides it.{open}"),
            UniverseReading::Open => {
                format!("It holds in {hold} of {total} universes, and no universe speaks against it.{open}")
            }
            UniverseReading::Depends => {
                let stated = match self.each[0].1.verdict {
                    Verdict::Reproduced => "as stated it does",
                    Verdict::NotReproduced => "as stated it does not",
                    Verdict::NotRun(_) | Verdict::NothingFound => "as stated it was not run",
                    Verdict::Inconclusive { .. } | Verdict::Impossible => "as stated it is undecided",
                };
                let turns: Vec<String> = self.depends_on().into_iter().map(|fork| self.turns_on(fork)).collect();
                let turns = turns.join("");
                format!(
                    "It depends on what the paper leaves open: it holds in {hold} of {total} universes, and {stated}.{turns}{open}"
                )
            }
        }
    }

    /// "base-k: it holds with base-k = classes (as stated) in none of 3, …" for every fork on which it turns.
    pub(crate) fn turn_words(&self) -> String {
        let forks = if self.reading() == UniverseReading::Depends { self.depends_on() } else { Vec::new() };
        let words = forks.into_iter().map(|fork| self.turns_on(fork));
        let words: Vec<String> =
            words.map(|words| words.trim_start_matches(" It turns on ").trim_end_matches('.').to_owned()).collect();
        words.join("; ")
    }

    /// " It turns on base-k: it holds with base-k = classes (as stated) in none of 3 universes, with base-k = 2..7 in all 3."
    fn turns_on(&self, fork: usize) -> String {
        let facts = &self.forks[fork];
        let option = |(position, (label, _)): (usize, &(String, Option<String>))| {
            let with = self.each.iter().filter(|(options, _)| options[fork] == position);
            let counts = UniverseCounts::of(with.map(|(_, judgement)| *judgement));
            let stated = if position == 0 { " (as stated)" } else { "" };
            let name = format!("with {} = {label}{stated}", facts.id);
            match (counts.hold, counts.total()) {
                (_, 0) => None,
                (0, of) => Some(format!("{name} in none of {of}")),
                (holds, of) if holds == of => Some(format!("{name} in all {of}")),
                (holds, of) => Some(format!("{name} in {holds} of {of}")),
            }
        };
        let options: Vec<String> = facts.options.iter().enumerate().filter_map(option).collect();
        format!(" It turns on {}: it holds {}.", facts.id, options.join(", "))
    }
}

/// The forks in which two universes differ.
fn differing(one: &[usize], other: &[usize]) -> Vec<usize> {
    (0..one.len()).filter(|fork| one[*fork] != other[*fork]).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::claim::sample_scorecard;
    use crate::claim::universes::Multiverse;

    const YES: Verdict = Verdict::Reproduced;
    const NO: Verdict = Verdict::NotReproduced;
    const OPEN: Verdict = Verdict::Inconclusive { needed: None };

    /// Forks `k` with three options and `starts` with two; the verdict with each, as stated first.
    fn claim(verdicts: [[Verdict; 2]; 3]) -> Judgement {
        let fork = |id: &str, options: &[&str]| ForkFacts {
            id: id.to_owned(),
            paper: None,
            why: None,
            options: options.iter().map(|option| ((*option).to_owned(), None)).collect(),
        };
        let any = sample_scorecard().papers[0].experiments[0].judgements[0].clone();
        let with = |verdict: Verdict| Judgement { verdict, ..any.clone() };
        let all = (0..3).flat_map(|k| (0..2).map(move |starts| vec![k, starts]));
        let others = all.skip(1).map(|options| {
            let judgement = with(verdicts[options[0]][options[1]]);
            InUniverse { options, judgement }
        });
        let forks: Arc<[ForkFacts]> = [fork("k", &["same", "few", "many"]), fork("starts", &["one", "ten"])].into();
        Judgement { universes: Some(Multiverse { forks, others: others.collect() }), ..with(verdicts[0][0]) }
    }

    #[test]
    fn a_claim_turns_on_the_fork_that_flips_it() {
        let claim = claim([[NO, NO], [YES, YES], [YES, YES]]);
        let across = claim.across().unwrap();
        assert_eq!((across.total(), across.hold(), across.as_stated()), (6, 4, Some(false)));
        assert_eq!(across.turning(), ["k"]);
        assert_eq!(
            across.words(),
            "It depends on what the paper leaves open: it holds in 4 of 6 universes, and as stated it does not. It turns on k: \
             it holds with k = same (as stated) in none of 2, with k = few in all 2, with k = many in all 2."
        );
    }

    #[test]
    fn only_a_universe_that_speaks_against_it_makes_it_depend() {
        let decided = claim([[YES, OPEN], [NO, OPEN], [YES, YES]]);
        assert_eq!(decided.across().unwrap().turning(), ["k"]);
        let not_run = Verdict::NotRun(crate::claim::NotRun::NotYet);
        let open = claim([[YES, OPEN], [YES, not_run], [YES, OPEN]]);
        let across = open.across().unwrap();
        assert_eq!((across.reading(), across.turning()), (UniverseReading::Open, Vec::new()));
        assert_eq!(
            across.words(),
            "It holds in 3 of 6 universes, and no universe speaks against it. It is undecided in 2, and was not run in 1."
        );
        let nothing = claim([[not_run; 2]; 3]);
        assert_eq!(nothing.across().unwrap().words(), "None of the 6 universes decides it. It was not run in 6.");
    }

    #[test]
    fn forks_that_flip_it_only_together_are_named_together() {
        let claim = claim([[NO, OPEN], [OPEN, YES], [OPEN, OPEN]]);
        assert_eq!(claim.across().unwrap().turning(), ["k", "starts"]);
    }

    #[test]
    fn everywhere_and_nowhere_turn_on_nothing() {
        let robust = claim([[YES; 2]; 3]);
        assert_eq!(robust.across().unwrap().reading(), UniverseReading::Robust);
        assert!(robust.across().unwrap().turning().is_empty());
        let nowhere = claim([[NO; 2]; 3]);
        assert_eq!(nowhere.across().unwrap().reading(), UniverseReading::InNone);
        assert_eq!(nowhere.across().unwrap().words(), "It holds in none of the 6 universes.");
    }

    #[test]
    fn a_claim_holds_nowhere_only_where_every_universe_is_decided() {
        let not_run = Verdict::NotRun(crate::claim::NotRun::NotYet);
        let open = claim([[NO, OPEN], [OPEN, OPEN], [OPEN, not_run]]);
        let across = open.across().unwrap();
        assert_eq!((across.reading(), across.turning()), (UniverseReading::NoneDecided, Vec::new()));
        assert_eq!(
            across.words(),
            "It does not hold in 1 of 6 universes, and no universe speaks for it. It is undecided in 4, and was not run in 1."
        );
        assert_eq!(across.short(), "fails in 1 of 6 universes, open in the others");
    }
}
