//! What came of many claims, in one sentence: "Of 38 testable claims 9 hold as stated, 12 depend on k, 13 do not hold as stated, 4 hold nowhere."

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::scorecard::{AuditCount, Tally};
use super::universes::UniverseReading;
use super::{ClaimKind, Judgement, Verdict};

/// More forks than these are counted, not named.
const MOST_FORKS: usize = 3;

/// The sentence of some claims and printed numbers; `None` where there is neither.
#[must_use]
pub(crate) fn finding<'a>(judgements: impl Iterator<Item = &'a Judgement> + Clone) -> Option<String> {
    let sentences = ClaimCounts::of(judgements.clone().filter(|claim| claim.is_of_a_sentence())).words();
    let printed: Tally = of_places(judgements.clone(), ClaimKind::PrintedNumbers);
    let printed = number_words(&printed, "printed number", "consistent with a repeat of the experiment");
    let inputs = || number_words(&of_places(judgements.clone(), ClaimKind::Inputs), "listed input", "as listed");
    let parts: Vec<String> = [sentences, printed].into_iter().flatten().collect();
    let parts = if parts.is_empty() { inputs().into_iter().collect() } else { parts };
    let mut words = parts.into_iter();
    let Some(first) = words.next() else { return nothing_judged(judgements) };
    Some(words.fold(first, |text, part| format!("{text}; {}", within_a_sentence(&part))) + ".")
}

/// Without its capital.
fn within_a_sentence(part: &str) -> String {
    let mut letters = part.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().collect::<String>() + letters.as_str())
}

/// Why there is no verdict at all.
fn nothing_judged<'a>(judgements: impl Iterator<Item = &'a Judgement> + Clone) -> Option<String> {
    let claims: Tally =
        judgements.clone().filter(|claim| claim.is_of_a_sentence()).map(|claim| claim.verdict).collect();
    let audits = AuditCount::of(judgements.clone()).words();
    let (all, noun) = match claims.total() {
        0 => (judgements.flat_map(|claim| &claim.evidence).map(|place| place.verdict).collect(), "printed number"),
        _ => (claims, "claim"),
    };
    let words = all.not_run_words();
    let not_judged = match all.not_run() {
        0 => None,
        total => {
            let which = match total {
                1 => format!("The one {noun} could not"),
                2 => format!("Neither {noun} could"),
                _ => format!("None of the {total} {noun}s could"),
            };
            // Where there is one reason, it is that of all.
            let all = format!("{total} ");
            Some(format!("{which} be judged here: {}", words.strip_prefix(&all).unwrap_or(&words)))
        }
    };
    let parts: Vec<String> = not_judged.into_iter().chain(audits).collect();
    match parts.is_empty() {
        true => None,
        false => Some(format!("{}.", parts.join("; "))),
    }
}

fn of_places<'a>(judgements: impl Iterator<Item = &'a Judgement>, about: ClaimKind) -> Tally {
    let wanted = judgements.filter(|claim| claim.about == about);
    wanted.flat_map(|claim| &claim.evidence).map(|place| place.verdict).collect()
}

/// "Of 64 printed numbers 9 are consistent with a repeat of the experiment, 21 are contradicted"; `None` where none was judged.
fn number_words(tally: &Tally, noun: &str, fits: &str) -> Option<String> {
    let counts: Vec<usize> = tally.iter().map(|(_, count)| count).collect();
    let [fit, contradicted, undecided, impossible, ..] = counts[..] else { return None };
    let parts = [
        verb(fit, "is", "are", fits),
        verb(contradicted, "is", "are", "contradicted"),
        verb(impossible, "cannot", "cannot", "be as published"),
        verb(undecided, "is", "are", "undecided"),
    ];
    of(fit + contradicted + undecided + impossible, noun, parts)
}

/// How claims came out; each is counted once.
#[derive(Debug, Default)]
struct ClaimCounts {
    hold: usize,
    /// Those that fail as stated; of other universes there are none, or not all are decided.
    fail: usize,
    /// Those that fail in every universe.
    nowhere: usize,
    undecided: usize,
    impossible: usize,
    depend: usize,
    /// The forks on which claims depend, and how many do on each.
    forks: BTreeMap<String, usize>,
}

impl ClaimCounts {
    fn of<'a>(claims: impl Iterator<Item = &'a Judgement>) -> Self {
        let mut counts = Self::default();
        for claim in claims {
            let reading = claim.across().map(|across| across.reading());
            match (reading, claim.verdict) {
                (Some(UniverseReading::Depends), _) => {
                    counts.depend += 1;
                    for fork in claim.across().iter().flat_map(|across| across.turning()) {
                        *counts.forks.entry(fork.to_owned()).or_default() += 1;
                    }
                }
                (_, Verdict::Reproduced) => counts.hold += 1,
                (Some(UniverseReading::InNone), Verdict::NotReproduced) => counts.nowhere += 1,
                (_, Verdict::NotReproduced) => counts.fail += 1,
                (_, Verdict::Inconclusive { .. }) => counts.undecided += 1,
                (_, Verdict::Impossible) => counts.impossible += 1,
                (_, Verdict::NotRun(_) | Verdict::NothingFound) => {}
            }
        }
        counts
    }

    fn words(&self) -> Option<String> {
        let total = self.hold + self.fail + self.nowhere + self.undecided + self.impossible + self.depend;
        let parts = [
            verb(self.hold, "holds", "hold", "as stated"),
            verb(self.depend, "depends", "depend", &format!("on {}", self.fork_words())),
            verb(self.fail, "does not", "do not", "hold as stated"),
            verb(self.nowhere, "holds", "hold", "nowhere"),
            verb(self.impossible, "is", "are", "impossible as published"),
            verb(self.undecided, "is", "are", "undecided"),
        ];
        of(total, "testable claim", parts)
    }

    /// "base-k and starts", the fork on which most claims depend first.
    fn fork_words(&self) -> String {
        let mut forks: Vec<(&String, &usize)> = self.forks.iter().collect();
        forks.sort_by_key(|(name, count)| (Reverse(**count), *name));
        let mut names: Vec<String> = forks.iter().take(MOST_FORKS).map(|(name, _)| (*name).clone()).collect();
        if forks.len() > MOST_FORKS {
            names.push(format!("{} more choices", forks.len() - MOST_FORKS));
        }
        match names.split_last() {
            Some((last, [])) => last.clone(),
            Some((last, others)) => format!("{} or {last}", others.join(", ")),
            None => "what the paper leaves open".to_owned(),
        }
    }
}

/// What came of some of them: "9", "hold as stated".
type Part = (usize, String);

/// `None` where there are none.
fn verb(count: usize, one: &str, many: &str, rest: &str) -> Option<Part> {
    (count > 0).then(|| (count, format!("{} {rest}", if count == 1 { one } else { many })))
}

/// "Of 38 testable claims 9 hold, 29 do not hold", "Both testable claims hold"; `None` where there are none.
fn of<const PARTS: usize>(total: usize, noun: &str, parts: [Option<Part>; PARTS]) -> Option<String> {
    let parts: Vec<Part> = parts.into_iter().flatten().collect();
    match (total, &parts[..]) {
        (0, _) | (_, []) => None,
        (1, [(_, verb)]) => Some(format!("The one {noun} {verb}")),
        (2, [(_, verb)]) => Some(format!("Both {noun}s {verb}")),
        (_, [(_, verb)]) => Some(format!("All {total} {noun}s {verb}")),
        (_, several) => {
            let counted: Vec<String> = several.iter().map(|(count, verb)| format!("{count} {verb}")).collect();
            Some(format!("Of {total} {noun}s {}", counted.join(", ")))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::claim::universes::{ForkFacts, InUniverse, Multiverse};
    use crate::claim::{NotRun, sample_scorecard};

    const YES: Verdict = Verdict::Reproduced;
    const NO: Verdict = Verdict::NotReproduced;

    fn sentence(verdict: Verdict) -> Judgement {
        let any = sample_scorecard().papers[0].experiments[0].judgements[0].clone();
        assert!(any.is_of_a_sentence());
        Judgement { verdict, evidence: Vec::new(), ..any }
    }

    /// The claim as stated and in one other universe.
    fn forked(fork: &str, stated: Verdict, other: Verdict) -> Judgement {
        let options = ["same", "other"].map(|option| (option.to_owned(), None)).to_vec();
        let forks: Arc<[ForkFacts]> = [ForkFacts { id: fork.to_owned(), paper: None, why: None, options }].into();
        let others = vec![InUniverse { options: vec![1], judgement: sentence(other) }];
        Judgement { universes: Some(Multiverse { forks, others }), ..sentence(stated) }
    }

    #[test]
    fn every_claim_that_was_judged_is_counted_once() {
        let open = Verdict::Inconclusive { needed: None };
        let claims = [
            sentence(YES),
            forked("k", YES, YES),
            forked("k", NO, YES),
            forked("k", YES, NO),
            forked("starts", NO, YES),
            sentence(NO),
            forked("k", NO, NO),
            forked("k", NO, open),
            forked("k", NO, Verdict::NotRun(NotRun::NotYet)),
            sentence(Verdict::Impossible),
            sentence(open),
            sentence(Verdict::NotRun(NotRun::NoData)),
        ];
        assert_eq!(
            finding(claims.iter()).as_deref(),
            Some(
                "Of 11 testable claims 2 hold as stated, 3 depend on k or starts, 3 do not hold as stated, 1 holds nowhere, \
                 1 is impossible as published, 1 is undecided."
            )
        );
    }

    #[test]
    fn printed_numbers_follow_the_claims() {
        let card = sample_scorecard();
        let judgements = &card.papers[0].experiments[0].judgements;
        assert_eq!(
            finding(judgements.iter()).as_deref(),
            Some(
                "Of 2 testable claims 1 holds as stated, 1 does not hold as stated; of 3 printed numbers 1 is consistent with a repeat \
                 of the experiment, 1 is contradicted, 1 cannot be as published."
            )
        );
        let numbers = judgements.iter().filter(|claim| claim.is_of_printed_numbers());
        assert!(finding(numbers).is_some_and(|text| text.starts_with("Of 3 printed numbers")));
    }

    #[test]
    fn what_is_true_of_all_is_not_counted() {
        let open = sentence(Verdict::Inconclusive { needed: None });
        let all = |claims: &[Judgement]| finding(claims.iter()).unwrap();
        assert_eq!(all(std::slice::from_ref(&open)), "The one testable claim is undecided.");
        assert_eq!(all(&[sentence(YES), sentence(YES)]), "Both testable claims hold as stated.");
        assert_eq!(all(&[sentence(NO), sentence(NO)]), "Both testable claims do not hold as stated.");
        assert_eq!(all(&[open.clone(), open.clone(), open]), "All 3 testable claims are undecided.");
    }

    #[test]
    fn where_nothing_was_judged_it_says_why() {
        assert_eq!(finding([].iter()), None);
        let [one, two] = [NotRun::NoData, NotRun::NotTestable].map(|why| sentence(Verdict::NotRun(why)));
        assert_eq!(finding(std::iter::once(&one)).as_deref(), Some("The one claim could not be judged here: no data."));
        assert_eq!(
            finding([&one, &two].into_iter()).as_deref(),
            Some("Neither claim could be judged here: 1 not testable, 1 no data.")
        );
        let same = [1, 2, 3].map(|_| sentence(Verdict::NotRun(NotRun::NoData)));
        assert_eq!(finding(same[..2].iter()).as_deref(), Some("Neither claim could be judged here: no data."));
        assert_eq!(finding(same.iter()).as_deref(), Some("None of the 3 claims could be judged here: no data."));
        let audit = sentence(Verdict::NothingFound);
        assert_eq!(
            finding([&audit, &two].into_iter()).as_deref(),
            Some(
                "The one claim could not be judged here: not testable; 1 audit of printed numbers, which found nothing that cannot be."
            )
        );
        assert_eq!(
            finding([&audit, &sentence(YES)].into_iter()).as_deref(),
            Some("The one testable claim holds as stated.")
        );
    }
}
