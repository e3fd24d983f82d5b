//! `rank-at-most`: a subject is among the first, or the last.

use super::shown;
use super::wins::best_of;
use crate::claim::place::{Found, Looking, Spot};
use crate::claim::{Evidence, Verdict};
use crate::spec::PointValue;
use crate::spec::claims::{End, Relation};

/// The ranks that will do.
pub(super) struct Wanted {
    pub(super) rank: usize,
    pub(super) from: End,
}

pub(super) fn look(looking: &Looking, of: &[PointValue], against: &[PointValue], wanted: &Wanted) -> Vec<Evidence> {
    let at = |spot: &Spot| {
        let tries = of.iter().map(|subject| {
            let me = looking.spell(subject);
            spot.evidence(&me, one(spot, subject, against, wanted))
        });
        best_of(tries.collect()).unwrap_or_else(|| spot.evidence("", Err("there is nobody to compare".to_owned())))
    };
    looking.spots().iter().map(at).collect()
}

/// The rank is at least 1 + those surely ahead, at most 1 + those not surely behind or equal.
fn one(spot: &Spot, subject: &PointValue, against: &[PointValue], wanted: &Wanted) -> Result<Found, String> {
    let looking = spot.looking();
    let sign = match wanted.from {
        End::Best => looking.sign(),
        End::Worst => -looking.sign(),
    };
    let mut ahead = Vec::new();
    let mut perhaps = 0;
    let mut needed = None;
    for rival in against.iter().filter(|rival| *rival != subject) {
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
        End::Best => "the best",
        End::Worst => "the worst",
    };
    let rank = if highest == lowest { highest.to_string() } else { format!("{highest} to {lowest}") };
    let before = if ahead.is_empty() { String::new() } else { format!("; before it: {}", ahead.join(", ")) };
    let estimate = spot.estimate(&spot.with(subject))?;
    let reason = format!("{}, rank {rank} from {end}{before}", shown(estimate.value));
    Ok(Found { estimate, verdict, reason })
}
