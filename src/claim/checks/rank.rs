//! `rank-at-most`: a subject is among the first, or the last.

use super::wins::best_of;
use super::{EvidenceGroup, Judge, by_subject, shown};
use crate::claim::Verdict;
use crate::claim::place::{Looking, Measurement, Spot};
use crate::spec::PointValue;
use crate::spec::claims::{CountedFrom, RankAtMost, Relation};

impl Judge for RankAtMost {
    fn look(&self, looking: &Looking) -> Vec<EvidenceGroup> {
        by_subject(looking, &self.of, |spot, of| {
            let tries = of.iter().map(|subject| spot.evidence(&looking.spell(subject), one(spot, subject, self)));
            best_of(spot, tries.collect())
        })
    }
}

/// The rank is at least 1 + those surely ahead, at most 1 + those not surely behind or equal.
fn one(spot: &Spot, subject: &PointValue, wanted: &RankAtMost) -> Result<Measurement, String> {
    let looking = spot.looking();
    let sign = match wanted.from {
        CountedFrom::Best => looking.sign(),
        CountedFrom::Worst => -looking.sign(),
    };
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
