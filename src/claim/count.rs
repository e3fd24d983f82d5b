//! From places to a verdict on the whole.

use super::model::NotRun;
use super::{Evidence, Verdict};
use crate::spec::claims::{HowMany, PlaceCount, Quantity};

/// How many places came out how.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct PlaceTally {
    pub(super) holds: usize,
    pub(super) contradicted: usize,
    pub(super) undecided: usize,
    pub(super) impossible: usize,
    pub(super) not_run: usize,
    /// Why the first of those was not.
    pub(super) why: Option<NotRun>,
    /// The largest number of ensembles that an undecided place needs.
    pub(super) needed: Option<u64>,
}

impl PlaceTally {
    pub(super) fn of<'a>(evidence: impl Iterator<Item = &'a Evidence>) -> Self {
        let mut tally = Self::default();
        for verdict in evidence.map(|evidence| evidence.verdict) {
            match verdict {
                Verdict::Reproduced => tally.holds += 1,
                Verdict::NotReproduced => tally.contradicted += 1,
                Verdict::Impossible => tally.impossible += 1,
                // What audits say of whole tables is said of no place.
                Verdict::NothingFound => {}
                Verdict::NotRun(why) => {
                    tally.not_run += 1;
                    tally.why = tally.why.or(Some(why));
                }
                Verdict::Inconclusive { needed } => {
                    tally.undecided += 1;
                    tally.needed = tally.needed.max(needed);
                }
            }
        }
        tally
    }

    pub(super) fn places(&self) -> usize {
        self.holds + self.contradicted + self.undecided + self.impossible + self.not_run
    }

    /// The verdict on a claim that must hold at so many places. Places that are undecided, not run or (beside `out_of`)
    /// not there may be either: if they cannot change the answer, it stands.
    pub(super) fn verdict(&self, how_many: HowMany) -> Verdict {
        let total = self.places().max(how_many.out_of.unwrap_or(0));
        if self.holds + self.contradicted + self.undecided == 0 {
            return self.not_run();
        }
        let least = self.holds;
        let most = total - self.contradicted;
        let (from, to) = how_many.range(total);
        if from <= least && most <= to {
            Verdict::Reproduced
        } else if most < from || to < least {
            Verdict::NotReproduced
        } else {
            // What ran at this scale is never "not run".
            Verdict::Inconclusive { needed: self.needed.filter(|_| self.undecided > 0) }
        }
    }

    /// What is said where no place ran. Places that only the paper has are of its scale.
    fn not_run(&self) -> Verdict {
        Verdict::NotRun(self.why.unwrap_or(NotRun::NotAtThisScale))
    }

    /// Whether it holds at more places than it may.
    pub(super) fn exceeds(&self, how_many: HowMany) -> bool {
        self.holds > how_many.range(self.places().max(how_many.out_of.unwrap_or(0))).1
    }

    /// In words.
    pub(super) fn describe(&self, how_many: HowMany) -> String {
        let (places, claimed) = (self.places(), how_many.claimed());
        let mut parts = vec![format!("It holds at {} of {}{claimed}", self.holds, count(places, "place"))];
        if self.contradicted > 0 {
            parts.push(format!("is contradicted at {}", self.contradicted));
        }
        if self.undecided > 0 {
            parts.push(format!("is undecided at {}", self.undecided));
        }
        if self.not_run > 0 {
            parts.push(format!("is not judged at {}", self.not_run));
        }
        let mut text = format!("{}.", parts.join(", "));
        if let Some(out_of) = how_many.out_of.filter(|out_of| *out_of > places) {
            text.push_str(&format!(" The paper looked at {out_of}, this run at {places}."));
        }
        text
    }
}

impl HowMany {
    /// The fewest and the most places of `total` that will do.
    pub(super) fn range(self, total: usize) -> (usize, usize) {
        match self.quantity {
            Quantity::All => (total, total),
            Quantity::AtLeast(count) => (count.at_least(total), total),
            Quantity::AtMost(count) => (0, count.at_most(total)),
            Quantity::Exactly(number) => (number, number),
        }
    }

    /// Whether a count between two numbers could be meant.
    pub(super) fn admits(self, fewest: usize, most: usize, total: usize) -> bool {
        let (from, to) = self.range(total);
        from <= most && fewest <= to
    }

    /// " (claimed: exactly 1)"; nothing where it is every place.
    pub(super) fn claimed(self) -> String {
        match self.quantity {
            Quantity::All => String::new(),
            _ => format!(" (claimed: {})", self.describe()),
        }
    }

    /// "exactly 1".
    pub(super) fn describe(self) -> String {
        let of = |count: PlaceCount| match count {
            PlaceCount::Number(number) => number.to_string(),
            PlaceCount::Share(share) => format!("{} %", share * 100.0),
            PlaceCount::Most => "more than half".to_owned(),
        };
        match self.quantity {
            Quantity::All => "all".to_owned(),
            Quantity::AtLeast(PlaceCount::Most) => of(PlaceCount::Most),
            Quantity::AtLeast(count) => format!("at least {}", of(count)),
            Quantity::AtMost(count) => format!("at most {}", of(count)),
            Quantity::Exactly(number) => format!("exactly {number}"),
        }
    }
}

/// "About 120", "About 4,600"; no more is claimed to be known of large numbers.
pub(crate) fn about(ensembles: u64) -> String {
    match ensembles {
        0..1000 => format!("About {ensembles}"),
        // Two digits: an estimate knows no more.
        1000..=10_000 => {
            let hundreds = (ensembles + 50) / 100;
            format!("About {},{}00", hundreds / 10, hundreds % 10)
        }
        _ => "More than 10,000".to_owned(),
    }
}

impl PlaceCount {
    /// Whether it counts places instead of taking a share of them.
    pub(super) fn is_a_number(self) -> bool {
        matches!(self, Self::Number(_))
    }

    fn at_least(self, total: usize) -> usize {
        match self {
            Self::Number(number) => number,
            Self::Share(share) => (share * total as f64 - 1e-9).ceil() as usize,
            Self::Most => total / 2 + 1,
        }
    }

    fn at_most(self, total: usize) -> usize {
        match self {
            Self::Number(number) => number,
            Self::Share(share) => (share * total as f64 + 1e-9).floor() as usize,
            // "At most most" restricts nothing; specs cannot say it.
            Self::Most => total,
        }
    }
}

/// "1 place", "2 places".
pub(super) fn count(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

/// The verdict on claims that must all hold: one that does not is enough, one that is open leaves all open. What was not run
/// leaves open what was.
pub(super) fn all(verdicts: impl Iterator<Item = Verdict>) -> Verdict {
    let verdicts: Vec<Verdict> = verdicts.collect();
    let is = |wanted: Verdict| verdicts.iter().any(|verdict| verdict.name() == wanted.name());
    let first_lack = verdicts.iter().find_map(|verdict| verdict.not_run());
    if is(Verdict::NotReproduced) {
        return Verdict::NotReproduced;
    }
    if verdicts.iter().all(|verdict| verdict.not_run().is_some()) {
        return Verdict::NotRun(first_lack.unwrap_or(NotRun::NotAtThisScale));
    }
    let needed = verdicts.iter().filter_map(|verdict| match verdict {
        Verdict::Inconclusive { needed } => Some(*needed),
        _ => None,
    });
    match (needed.max(), first_lack) {
        (Some(needed), _) => Verdict::Inconclusive { needed },
        (None, Some(_)) => Verdict::Inconclusive { needed: None },
        (None, None) if is(Verdict::Impossible) => Verdict::Impossible,
        (None, None) => Verdict::Reproduced,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(holds: usize, contradicted: usize, undecided: usize, not_run: usize) -> PlaceTally {
        PlaceTally { holds, contradicted, undecided, not_run, needed: Some(7), ..PlaceTally::default() }
    }

    fn verdict(tally: PlaceTally, quantity: Quantity, out_of: Option<usize>) -> &'static str {
        tally.verdict(HowMany { quantity, out_of }).name()
    }

    #[test]
    fn all_means_every_place() {
        assert_eq!(verdict(tally(3, 0, 0, 0), Quantity::All, None), "reproduced");
        assert_eq!(verdict(tally(3, 1, 2, 1), Quantity::All, None), "not reproduced");
        assert_eq!(verdict(tally(3, 0, 1, 1), Quantity::All, None), "inconclusive");
        assert_eq!(verdict(tally(3, 0, 0, 1), Quantity::All, None), "inconclusive");
        assert_eq!(verdict(tally(0, 0, 0, 2), Quantity::All, None), "not run");
    }

    #[test]
    fn what_is_unknown_counts_only_where_it_could_change_the_answer() {
        let eight = Quantity::AtLeast(PlaceCount::Number(8));
        assert_eq!(verdict(tally(8, 1, 1, 0), eight, Some(10)), "reproduced");
        assert_eq!(verdict(tally(7, 3, 0, 0), eight, Some(10)), "not reproduced");
        assert_eq!(verdict(tally(7, 1, 2, 0), eight, Some(10)), "inconclusive");
        assert_eq!(verdict(tally(4, 0, 0, 0), eight, Some(10)), "inconclusive");
        assert_eq!(verdict(tally(0, 0, 0, 4), eight, Some(10)), "not run");
        assert_eq!(verdict(tally(1, 3, 0, 0), eight, Some(10)), "not reproduced");
        let once = Quantity::Exactly(1);
        assert_eq!(verdict(tally(1, 3, 0, 0), once, None), "reproduced");
        assert_eq!(verdict(tally(2, 1, 1, 0), once, None), "not reproduced");
        assert_eq!(verdict(tally(0, 4, 0, 0), once, None), "not reproduced");
        assert_eq!(verdict(tally(1, 2, 1, 0), once, None), "inconclusive");
        let few = Quantity::AtMost(PlaceCount::Share(0.5));
        assert_eq!(verdict(tally(2, 2, 0, 0), few, None), "reproduced");
        assert_eq!(verdict(tally(3, 1, 0, 0), few, None), "not reproduced");
        assert_eq!(verdict(tally(2, 2, 0, 0), Quantity::AtLeast(PlaceCount::Most), None), "not reproduced");
        assert_eq!(verdict(tally(3, 2, 0, 0), Quantity::AtLeast(PlaceCount::Most), None), "reproduced");
        assert_eq!(verdict(tally(9, 1, 0, 0), Quantity::AtLeast(PlaceCount::Share(0.9)), None), "reproduced");
    }

    #[test]
    fn counts_read_as_people_say_them() {
        let most = HowMany { quantity: Quantity::AtLeast(PlaceCount::Most), out_of: None };
        let words = tally(3, 1, 0, 2).describe(most);
        assert_eq!(
            words,
            "It holds at 3 of 6 places (claimed: more than half), is contradicted at 1, is not judged at 2."
        );
        assert_eq!(most.claimed(), " (claimed: more than half)");
        let all = HowMany { quantity: Quantity::All, out_of: Some(3) };
        assert_eq!(all.claimed(), "");
        assert_eq!(tally(2, 0, 0, 0).describe(all), "It holds at 2 of 2 places. The paper looked at 3, this run at 2.");
    }

    #[test]
    fn of_several_claims_the_worst_counts() {
        let joint = all([Verdict::Reproduced, Verdict::Inconclusive { needed: Some(5) }].into_iter());
        assert_eq!(joint, Verdict::Inconclusive { needed: Some(5) });
        let lack = Verdict::NotRun(NotRun::NoData);
        assert_eq!(all([Verdict::NotReproduced, lack].into_iter()), Verdict::NotReproduced);
        assert_eq!(all([Verdict::Reproduced, lack].into_iter()), Verdict::Inconclusive { needed: None });
        assert_eq!(all([lack, lack].into_iter()), lack);
        assert_eq!(all([Verdict::Reproduced; 2].into_iter()), Verdict::Reproduced);
    }
}
