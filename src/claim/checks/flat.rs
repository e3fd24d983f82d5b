//! `flat-until`: a series stays near its start.

use super::trend::ends;
use super::{EvidenceGroup, Judge, of_each, shown};
use crate::claim::estimate::difference;
use crate::claim::model::Lack;
use crate::claim::place::{Looking, Measurement, Spot};
use crate::claim::repeats::{Drawn, Holds, Repeats};
use crate::claim::{Verdict, count};
use crate::results::At;
use crate::spec::PointValue;
use crate::spec::claims::{Departures, FlatUntil, Relation};

impl Judge for FlatUntil {
    fn look(&self, looking: &Looking) -> Vec<EvidenceGroup> {
        let repeated = |spot: &Spot, subject: &PointValue, repeats: &Repeats| repeated(spot, subject, self, repeats);
        of_each(looking, &self.of, |spot, subject| one(spot, subject, self), repeated)
    }
}

/// Flat where every point's whole interval of the difference from the start is within the tolerance; the point that
/// strays most is shown.
fn one(spot: &Spot, subject: &PointValue, flat: &FlatUntil) -> Result<Measurement, Lack> {
    let key = flat.stretch.along;
    let (from, points) = ends(spot, &flat.stretch)?;
    let at = |x: f64| -> At { spot.with(subject).into_iter().chain([(key, PointValue::Number(x))]).collect() };
    let mut found = Vec::new();
    for x in points.into_iter().filter(|x| *x != from) {
        let change = spot.difference(&at(x), &at(from))?;
        let verdict = match flat.side {
            Departures::Both => change.within(flat.within),
            Departures::Worse if spot.looking().sign() > 0.0 => change.against(Relation::AtLeast, -flat.within),
            Departures::Worse => change.against(Relation::AtMost, flat.within),
        };
        let reason = format!("from {from} to {x}: {}, at most {} allowed", shown(change.value), shown(flat.within));
        found.push(Measurement { estimate: change, verdict, reason });
    }
    let verdict = count::all(found.iter().map(|found| found.verdict));
    let strayed = |found: &Measurement| match (flat.side, spot.looking().sign() > 0.0) {
        (Departures::Both, _) => found.estimate.value.abs(),
        (Departures::Worse, true) => -found.estimate.value,
        (Departures::Worse, false) => found.estimate.value,
    };
    let shown = found.into_iter().filter(|found| found.verdict.name() == verdict.name());
    let worst = shown.max_by(|one, other| strayed(one).total_cmp(&strayed(other)));
    let worst = worst.ok_or_else(|| "the series has one point".to_owned())?;
    Ok(match verdict {
        Verdict::Inconclusive { .. } => Measurement { verdict, ..worst },
        _ => worst,
    })
}

fn repeated(spot: &Spot, subject: &PointValue, flat: &FlatUntil, repeats: &Repeats) -> Result<Holds, Lack> {
    let key = flat.stretch.along;
    let (from, points) = ends(spot, &flat.stretch)?;
    let drawn = |x: f64| {
        let at: At = spot.with(subject).into_iter().chain([(key, PointValue::Number(x))]).collect();
        spot.drawn(repeats, &at)
    };
    let start = drawn(from)?;
    let others: Vec<Drawn> = points.into_iter().filter(|x| *x != from).map(drawn).collect::<Result<_, Lack>>()?;
    let sign = spot.looking().sign();
    Ok(Holds::of(|repeat| {
        others.iter().all(|point| {
            let change = difference(point[repeat], start[repeat]);
            match flat.side {
                Departures::Both => change.abs() <= flat.within,
                Departures::Worse => -sign * change <= flat.within,
            }
        })
    }))
}
