//! `equal`: subjects have the same numbers.

use super::{EvidenceGroup, Judge, shown, together};
use crate::claim::estimate::Estimate;
use crate::claim::place::{Looking, Measurement, Spot};
use crate::claim::{Verdict, count::count};
use crate::spec::PointValue;
use crate::spec::claims::{Equal, Equality, Tolerance};

impl Judge for Equal {
    /// The first subject beside each other one.
    fn look(&self, looking: &Looking) -> Vec<EvidenceGroup> {
        let Some((first, others)) = self.of.split_first() else { return Vec::new() };
        let spots = looking.spots();
        let each = others.iter().flat_map(|other| spots.iter().map(move |spot| (other, spot)));
        let evidence = each.map(|(other, spot)| {
            let name = format!("{} = {}", looking.spell(first), looking.spell(other));
            let found = match self.on {
                Equality::Ensembles => on_ensembles(spot, [first, other], self.tolerance),
                Equality::Mean => on_mean(spot, [first, other], self.tolerance),
            };
            spot.evidence(&name, found)
        });
        together(evidence.collect())
    }
}

/// Every run beside the other subject's run on the same ensemble: nothing is left to chance.
fn on_ensembles(spot: &Spot, both: [&PointValue; 2], tolerance: Tolerance) -> Result<Measurement, String> {
    let [one, other] = both.map(|subject| spot.sample(&spot.with(subject)));
    let (one, other) = (one?, other?);
    let (one, other) = (&one.runs, &other.runs);
    if one.keys().ne(other.keys()) {
        return Err("they have not seen the same ensembles".to_owned());
    }
    let mut largest = (0.0_f64, 0.0_f64);
    let mut runs = 0;
    for (mine, theirs) in one.values().zip(other.values()) {
        if mine.len() != theirs.len() {
            return Err("they have not run equally often".to_owned());
        }
        for (mine, theirs) in mine.iter().zip(theirs) {
            let distance = (mine - theirs).abs();
            let scale = mine.abs().max(theirs.abs());
            let relative = if distance == 0.0 { 0.0 } else { distance / scale };
            largest = (largest.0.max(distance), largest.1.max(relative));
            runs += 1;
        }
    }
    let (distance, allowed, what) = match tolerance {
        Tolerance::Absolute(allowed) => (largest.0, allowed, "largest difference"),
        Tolerance::Relative(allowed) => (largest.1, allowed, "largest relative difference"),
    };
    let verdict = if distance <= allowed { Verdict::Reproduced } else { Verdict::NotReproduced };
    let reason = format!("{what} over {} {}, {} allowed", count(runs, "run"), shown(distance), shown(allowed));
    Ok(Measurement { estimate: Estimate::certain(distance, one.len()), verdict, reason })
}

/// The whole interval of the difference is within the tolerance.
fn on_mean(spot: &Spot, both: [&PointValue; 2], tolerance: Tolerance) -> Result<Measurement, String> {
    let [one, other] = both.map(|subject| spot.with(subject));
    let difference = spot.difference(&one, &other)?;
    let [mine, theirs] = [spot.estimate(&one)?.value, spot.estimate(&other)?.value];
    let allowed = match tolerance {
        Tolerance::Absolute(allowed) => allowed,
        Tolerance::Relative(share) => share * mine.abs().max(theirs.abs()),
    };
    let reason = format!("{} and {}, a difference of {} allowed", shown(mine), shown(theirs), shown(allowed));
    Ok(Measurement { verdict: difference.within(allowed), estimate: difference, reason })
}
