//! `decreases` and `increases`: a series goes down, or up.

use super::{EvidenceGroup, Judge, of_each, shown};
use crate::claim::Verdict;
use crate::claim::estimate::difference;
use crate::claim::model::{Lack, NotRun};
use crate::claim::place::{Looking, Measurement, Spot};
use crate::claim::repeats::{Drawn, Holds, Repeats};
use crate::results::At;
use crate::spec::PointValue;
use crate::spec::claims::{Relation, Stretch, Trend, TrendSteps, Way};

impl Judge for Trend {
    fn look(&self, looking: &Looking) -> Vec<EvidenceGroup> {
        let repeated = |spot: &Spot, subject: &PointValue, repeats: &Repeats| repeated(spot, subject, self, repeats);
        of_each(looking, &self.of, |spot, subject| one(spot, subject, self), repeated)
    }
}

/// The first value of a stretch, and all of its values in ascending order.
pub(super) fn ends(spot: &Spot, stretch: &Stretch) -> Result<(f64, Vec<f64>), Lack> {
    let values = spot.along(stretch.along);
    let first = stretch.from.or(values.first().copied()).ok_or_else(|| "there is no series".to_owned())?;
    if !values.contains(&first) {
        return Err(Lack::new(NotRun::NotAtThisScale, format!("{first} is not part of this scale")));
    }
    let last = stretch.to.unwrap_or(f64::INFINITY);
    let (low, high) = if last < first { (last, first) } else { (first, last) };
    Ok((first, values.into_iter().filter(|value| (low..=high).contains(value)).collect()))
}

/// The ends of a stretch as they are at this scale.
pub(super) fn both_ends(spot: &Spot, stretch: &Stretch) -> Result<(f64, f64, Vec<f64>), Lack> {
    let (first, values) = ends(spot, stretch)?;
    let last = stretch.to.or(values.last().copied()).ok_or_else(|| "there is no series".to_owned())?;
    if !values.contains(&last) {
        return Err(Lack::new(NotRun::NotAtThisScale, format!("{last} is not part of this scale")));
    }
    if first == last {
        return Err(Lack::new(NotRun::NotAtThisScale, "the series has one point"));
    }
    Ok((first, last, values))
}

fn one(spot: &Spot, subject: &PointValue, trend: &Trend) -> Result<Measurement, Lack> {
    let (first, last, values) = both_ends(spot, &trend.stretch)?;
    let key = trend.stretch.along;
    let at = |x: f64| -> At { spot.with(subject).into_iter().chain([(key, PointValue::Number(x))]).collect() };
    let change = spot.difference(&at(last), &at(first))?;
    let (relation, bound) = claimed(trend);
    let mut verdict = change.against(relation, bound);
    let [from, to] = [spot.estimate(&at(first))?.value, spot.estimate(&at(last))?.value];
    let mut reason = format!("{} at {first}, {} at {last}", shown(from), shown(to));
    if trend.steps == TrendSteps::Every {
        let back = back(trend);
        for step in values.windows(2) {
            let change = spot.difference(&at(step[1]), &at(step[0]))?;
            if change.against(back, 0.0) == Verdict::Reproduced {
                verdict = Verdict::NotReproduced;
                reason.push_str(&format!("; the other way from {} to {}", step[0], step[1]));
            }
        }
    }
    Ok(Measurement { estimate: change, verdict, reason })
}

/// What is claimed of the last number less the first.
fn claimed(trend: &Trend) -> (Relation, f64) {
    match (trend.way, trend.by > 0.0) {
        (Way::Down, false) => (Relation::Below, 0.0),
        (Way::Up, false) => (Relation::Above, 0.0),
        (Way::Down, true) => (Relation::AtMost, -trend.by),
        (Way::Up, true) => (Relation::AtLeast, trend.by),
    }
}

/// What a step the other way is.
fn back(trend: &Trend) -> Relation {
    match trend.way {
        Way::Down => Relation::Above,
        Way::Up => Relation::Below,
    }
}

fn repeated(spot: &Spot, subject: &PointValue, trend: &Trend, repeats: &Repeats) -> Result<Holds, Lack> {
    let (first, last, values) = both_ends(spot, &trend.stretch)?;
    let drawn = |x: f64| {
        let at: At = spot.with(subject).into_iter().chain([(trend.stretch.along, PointValue::Number(x))]).collect();
        spot.drawn(repeats, &at)
    };
    let (start, end) = (drawn(first)?, drawn(last)?);
    let steps: Vec<Drawn> = match trend.steps {
        TrendSteps::Every => values.into_iter().map(drawn).collect::<Result<_, Lack>>()?,
        TrendSteps::Ends => Vec::new(),
    };
    let ((relation, bound), back) = (claimed(trend), back(trend));
    Ok(Holds::of(|repeat| {
        let change = difference(end[repeat], start[repeat]);
        let turns = |step: &[Drawn]| back.holds(difference(step[1][repeat], step[0][repeat]), 0.0);
        relation.holds(difference(change, bound), 0.0) && !steps.windows(2).any(turns)
    }))
}
