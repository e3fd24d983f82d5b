//! In which universes a claim holds, and on which forks that depends.

use super::{ForkFacts, InUniverse};
use crate::claim::{Judgement, Verdict};

/// A claim in all universes, as stated first.
pub(crate) struct Across<'a> {
    pub(crate) forks: &'a [ForkFacts],
    pub(crate) each: Vec<(Vec<usize>, &'a Judgement)>,
}

/// What universes say of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UniverseReading {
    /// It holds in every universe.
    Robust,
    /// It holds in some.
    Depends,
    /// It holds in none.
    InNone,
}

impl UniverseReading {
    /// As other programs read it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Robust => "robust",
            Self::Depends => "depends",
            Self::InNone => "in no universe",
        }
    }
}

impl Judgement {
    /// The claim in all universes; `None` where there is one only, or nothing that could differ.
    pub(crate) fn across(&self) -> Option<Across<'_>> {
        let multiverse = self.universes.as_ref()?;
        let stated = (vec![0; multiverse.forks.len()], self);
        let others = multiverse.others.iter().map(|InUniverse { options, judgement }| (options.clone(), judgement));
        Some(Across { forks: &multiverse.forks, each: std::iter::once(stated).chain(others).collect() })
    }
}

impl Across<'_> {
    pub(crate) fn total(&self) -> usize {
        self.each.len()
    }

    fn count(&self, wanted: Verdict) -> usize {
        self.each.iter().filter(|(_, judgement)| judgement.verdict.name() == wanted.name()).count()
    }

    /// In how many it holds.
    pub(crate) fn hold(&self) -> usize {
        self.count(Verdict::Reproduced)
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
        match self.hold() {
            0 => UniverseReading::InNone,
            all if all == self.total() => UniverseReading::Robust,
            _ => UniverseReading::Depends,
        }
    }

    /// The forks on which it turns: two universes that differ in that fork alone differ in the verdict. Where no pair
    /// goes from "holds" to "does not hold", pairs from "holds" to "open" count.
    fn depends_on(&self) -> Vec<usize> {
        let turns = |against: fn(Verdict) -> bool| {
            let on = |fork: &usize| {
                let pairs = self.each.iter().flat_map(|one| self.each.iter().map(move |other| (one, other)));
                pairs.into_iter().any(|((one, here), (other, there))| {
                    here.verdict == Verdict::Reproduced && against(there.verdict) && differ_in(*fork, one, other)
                })
            };
            (0..self.forks.len()).filter(on).collect::<Vec<usize>>()
        };
        let decided = turns(|verdict| verdict == Verdict::NotReproduced);
        if decided.is_empty() { turns(|verdict| verdict != Verdict::Reproduced) } else { decided }
    }

    /// "in 6 of 9 universes, depends on base-k".
    pub(crate) fn short(&self) -> String {
        let total = self.total();
        match self.reading() {
            UniverseReading::Robust => format!("in all {total} universes"),
            UniverseReading::InNone => format!("in none of {total} universes"),
            UniverseReading::Depends => {
                format!("in {} of {total} universes, depends on {}", self.hold(), self.turning().join(", "))
            }
        }
    }

    /// The ids of the forks on which it turns; none where it holds everywhere or nowhere.
    pub(crate) fn turning(&self) -> Vec<&str> {
        match self.reading() {
            UniverseReading::Depends => {
                self.depends_on().into_iter().map(|fork| self.forks[fork].id.as_str()).collect()
            }
            UniverseReading::Robust | UniverseReading::InNone => Vec::new(),
        }
    }

    /// One or two sentences.
    pub(crate) fn words(&self) -> String {
        let (hold, total) = (self.hold(), self.total());
        let open = total - hold - self.count(Verdict::NotReproduced);
        let undecided = match open {
            0 => String::new(),
            1 => " It is undecided in 1.".to_owned(),
            open => format!(" It is undecided in {open}."),
        };
        match self.reading() {
            UniverseReading::Robust => format!("It holds in all {total} universes, whatever the paper left open."),
            UniverseReading::InNone => format!("It holds in none of the {total} universes.{undecided}"),
            UniverseReading::Depends => {
                let stated = match self.as_stated() {
                    Some(true) => "as stated it does",
                    Some(false) => "as stated it does not",
                    None => "as stated it is undecided",
                };
                let turns: Vec<String> = self.depends_on().into_iter().map(|fork| self.turns_on(fork)).collect();
                let turns = turns.join("");
                format!(
                    "It depends on what the paper leaves open: it holds in {hold} of {total} universes, and {stated}.{turns}{undecided}"
                )
            }
        }
    }

    /// " With base-k = 2..7 it holds in 3 of 3 universes, with classes (as stated) in none of 3."
    fn turns_on(&self, fork: usize) -> String {
        let facts = &self.forks[fork];
        let option = |(position, (label, _)): (usize, &(String, Option<String>))| {
            let with = || self.each.iter().filter(|(options, _)| options[fork] == position);
            let holds = with().filter(|(_, judgement)| judgement.verdict == Verdict::Reproduced).count();
            let stated = if position == 0 { " (as stated)" } else { "" };
            match (holds, with().count()) {
                (_, 0) => None,
                (0, of) => Some(format!("with \"{label}\"{stated} in none of {of}")),
                (holds, of) if holds == of => Some(format!("with \"{label}\"{stated} in all {of}")),
                (holds, of) => Some(format!("with \"{label}\"{stated} in {holds} of {of}")),
            }
        };
        let options: Vec<String> = facts.options.iter().enumerate().filter_map(option).collect();
        format!(" It turns on {}: it holds {}.", facts.id, options.join(", "))
    }
}

fn differ_in(fork: usize, one: &[usize], other: &[usize]) -> bool {
    one.iter().zip(other).enumerate().all(|(at, (one, other))| (at == fork) == (one != other))
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
             it holds with \"same\" (as stated) in none of 2, with \"few\" in all 2, with \"many\" in all 2."
        );
    }

    #[test]
    fn open_verdicts_count_only_where_nothing_is_decided() {
        let decided = claim([[YES, OPEN], [NO, OPEN], [YES, YES]]);
        assert_eq!(decided.across().unwrap().turning(), ["k"]);
        let open = claim([[YES, OPEN], [YES, OPEN], [YES, OPEN]]);
        assert_eq!(open.across().unwrap().turning(), ["starts"]);
        assert!(
            open.across().unwrap().words().ends_with("It is undecided in 3."),
            "{}",
            open.across().unwrap().words()
        );
    }

    #[test]
    fn everywhere_and_nowhere_turn_on_nothing() {
        let robust = claim([[YES; 2]; 3]);
        assert_eq!(robust.across().unwrap().reading(), UniverseReading::Robust);
        assert!(robust.across().unwrap().turning().is_empty());
        let nowhere = claim([[NO, NO], [NO, OPEN], [NO, NO]]);
        assert_eq!(nowhere.across().unwrap().reading(), UniverseReading::InNone);
        assert_eq!(nowhere.across().unwrap().words(), "It holds in none of the 6 universes. It is undecided in 1.");
    }
}
