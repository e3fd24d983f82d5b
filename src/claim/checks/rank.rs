//! `rank-at-most`: a subject is among the first, or the last.

use super::wins::any_of;
use super::{EvidenceGroup, Judge, by_subject, shown};
use crate::claim::Verdict;
use crate::claim::estimate::difference;
use crate::claim::model::Lack;
use crate::claim::place::{Looking, Measurement, Spot};
use crate::claim::repeats::{Drawn, Holds, Repeats};
use crate::spec::PointValue;
use crate::spec::claims::{CountedFrom, RankAtMost, Relation};

impl Judge for RankAtMost {
    fn look(&self, looking: &Looking) -> Vec<EvidenceGroup> {
        by_subject(looking, &self.of, |spot, of| {
            let tries = of.iter().map(|subject| {
                let repeated = |repeats: &Repeats| repeated(spot, subject, self, repeats);
                spot.found(&looking.spell(subject), one(spot, subject, self), repeated)
            });
            any_of(spot, tries.collect())
        })
    }
}

/// The rank is at least 1 + those surely ahead, at most 1 + those not surely behind or equal.
fn one(spot: &Spot, subject: &PointValue, wanted: &RankAtMost) -> Result<Measurement, Lack> {
    let looking = spot.looking();
    let sign = sign(spot, wanted);
    let mut ahead = Vec::new();
    let mut perhaps = 0;
    let mut needed = None;
    for rival in wanted.against.iter().filter(|rival| *rival != subject) {
        let difference = spot.difference(&spot.with(rival), &spot.with(subject))?;
        let lead = if sign > 0.0 { difference } else { difference.negated() };
        match lead.against(Relation::Above, 0.0) {
            Verdict::Reproduced => ahead.push(looking.spell(rival)),
            Verdict::Inconclusive { needed: more } => {
                perhaps += 1;
                needed = needed.max(more);
            }
            _ => {}
        }
    }
    let (highest, lowest) = (1 + ahead.len(), 1 + ahead.len() + perhaps);
    let verdict = if lowest <= wanted.rank {
        Verdict::Reproduced
    } else if highest > wanted.rank {
        Verdict::NotReproduced
    } else {
        Verdict::Inconclusive { needed }
    };
    let end = match wanted.from {
        CountedFrom::Best => "the best",
        CountedFrom::Worst => "the worst",
    };
    let rank = if highest == lowest { highest.to_string() } else { format!("{highest} to {lowest}") };
    let before = if ahead.is_empty() { String::new() } else { format!("; before it: {}", ahead.join(", ")) };
    let estimate = spot.estimate(&spot.with(subject))?;
    let reason = format!("{}, rank {rank} from {end}{before}", shown(estimate.value));
    Ok(Measurement { estimate, verdict, reason })
}

/// +1 where larger numbers come first.
fn sign(spot: &Spot, wanted: &RankAtMost) -> f64 {
    match wanted.from {
        CountedFrom::Best => spot.looking().sign(),
        CountedFrom::Worst => -spot.looking().sign(),
    }
}

fn repeated(spot: &Spot, subject: &PointValue, wanted: &RankAtMost, repeats: &Repeats) -> Result<Holds, Lack> {
    let mine = spot.drawn(repeats, &spot.with(subject))?;
    let rivals = wanted.against.iter().filter(|rival| *rival != subject);
    let rivals: Vec<Drawn> = rivals.map(|rival| spot.drawn(repeats, &spot.with(rival))).collect::<Result<_, Lack>>()?;
    let sign = sign(spot, wanted);
    Ok(Holds::of(|repeat| {
        let ahead = rivals.iter().filter(|rival| sign * difference(rival[repeat], mine[repeat]) > 0.0).count();
        !mine[repeat].is_nan() && ahead < wanted.rank
    }))
}
