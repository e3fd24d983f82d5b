//! `equal`: subjects have the same numbers.

use super::{EvidenceGroup, Judge, shown, together};
use crate::claim::estimate::{Estimate, difference};
use crate::claim::model::Lack;
use crate::claim::place::{Looking, Measurement, Spot};
use crate::claim::repeats::{DrawKind, Holds, Repeats};
use crate::claim::sample::RunSample;
use crate::claim::{Verdict, count::count};
use crate::spec::claims::{Equal, Equality, Tolerance};
use crate::spec::{PointValue, Statistic};

impl Judge for Equal {
    /// The first subject beside each other one.
    fn look(&self, looking: &Looking) -> Vec<EvidenceGroup> {
        let Some((first, others)) = self.of.split_first() else { return Vec::new() };
        let spots = looking.spots();
        let each = others.iter().flat_map(|other| spots.iter().map(move |spot| (other, spot)));
        let found = each.map(|(other, spot)| {
            let name = format!("{} = {}", looking.spell(first), looking.spell(other));
            let both = [first, other];
            match self.on {
                Equality::Ensembles => spot.found(&name, on_ensembles(spot, both, self.tolerance), |repeats| {
                    repeated_on_ensembles(spot, both, self.tolerance, repeats)
                }),
                Equality::Mean => spot.found(&name, on_mean(spot, both, self.tolerance), |repeats| {
                    repeated_on_mean(spot, both, self.tolerance, repeats)
                }),
            }
        });
        together(found.collect())
    }
}

/// The distances between runs of both on the same ensembles, as the tolerance takes them.
fn distances(spot: &Spot, both: [&PointValue; 2], tolerance: Tolerance) -> Result<RunSample, Lack> {
    let [one, other] = both.map(|subject| spot.sample(&spot.with(subject)));
    let (one, other) = (one?, other?);
    if one.runs.keys().ne(other.runs.keys()) {
        return Err("they have not seen the same ensembles".to_owned().into());
    }
    let mut distances = RunSample { unmasked: one.unmasked.clone(), ..RunSample::default() };
    for ((ensemble, mine), theirs) in one.runs.iter().zip(other.runs.values()) {
        if mine.len() != theirs.len() {
            return Err("they have not run equally often".to_owned().into());
        }
        let distance = |(mine, theirs): (&f64, &f64)| {
            let distance = (mine - theirs).abs();
            match tolerance {
                Tolerance::Relative(_) if distance > 0.0 => distance / mine.abs().max(theirs.abs()),
                _ => distance,
            }
        };
        distances.runs.insert(ensemble.clone(), mine.iter().zip(theirs).map(distance).collect());
    }
    Ok(distances)
}

/// Every run beside the other subject's run on the same ensemble: nothing is left to chance.
fn on_ensembles(spot: &Spot, both: [&PointValue; 2], tolerance: Tolerance) -> Result<Measurement, Lack> {
    let distances = distances(spot, both, tolerance)?;
    let runs = distances.runs.values().map(Vec::len).sum();
    let largest = distances.runs.values().flatten().copied().fold(0.0, f64::max);
    let (allowed, what) = match tolerance {
        Tolerance::Absolute(allowed) => (allowed, "largest difference"),
        Tolerance::Relative(allowed) => (allowed, "largest relative difference"),
    };
    let verdict = if largest <= allowed { Verdict::Reproduced } else { Verdict::NotReproduced };
    let reason = format!("{what} over {} {}, {} allowed", count(runs, "run"), shown(largest), shown(allowed));
    Ok(Measurement { estimate: Estimate::certain(largest, distances.runs.len()), verdict, reason })
}

fn repeated_on_ensembles(
    spot: &Spot,
    both: [&PointValue; 2],
    tolerance: Tolerance,
    repeats: &Repeats,
) -> Result<Holds, Lack> {
    let (Tolerance::Absolute(allowed) | Tolerance::Relative(allowed)) = tolerance;
    let largest = repeats.statistic(&distances(spot, both, tolerance)?, Statistic::Max, DrawKind::Paper);
    Ok(Holds::of(|repeat| largest[repeat] <= allowed))
}

/// The whole interval of the difference is within the tolerance.
fn on_mean(spot: &Spot, both: [&PointValue; 2], tolerance: Tolerance) -> Result<Measurement, Lack> {
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

fn repeated_on_mean(
    spot: &Spot,
    both: [&PointValue; 2],
    tolerance: Tolerance,
    repeats: &Repeats,
) -> Result<Holds, Lack> {
    let [one, other] = both.map(|subject| spot.drawn(repeats, &spot.with(subject)));
    let (one, other) = (one?, other?);
    Ok(Holds::of(|repeat| {
        let (mine, theirs) = (one[repeat], other[repeat]);
        let allowed = match tolerance {
            Tolerance::Absolute(allowed) => allowed,
            Tolerance::Relative(share) => share * mine.abs().max(theirs.abs()),
        };
        difference(mine, theirs).abs() <= allowed
    }))
}
