//! `bound`: numbers lie on one side of a bound.

use super::{EvidenceGroup, Judge, of_each, shown};
use crate::claim::estimate::difference;
use crate::claim::model::Lack;
use crate::claim::place::{Looking, Measurement, Spot};
use crate::claim::repeats::{DrawKind, Holds, Repeats};
use crate::spec::claims::{Bound, Bounded, Relation};
use crate::spec::{PointValue, Statistic};

impl Judge for Bound {
    fn look(&self, looking: &Looking) -> Vec<EvidenceGroup> {
        let repeated = |spot: &Spot, subject: &PointValue, repeats: &Repeats| repeated(spot, subject, self, repeats);
        of_each(looking, &self.of, |spot, subject| one(spot, subject, self), repeated)
    }
}

fn one(
    spot: &Spot,
    subject: &PointValue,
    Bound { relation, bound, on, less, .. }: &Bound,
) -> Result<Measurement, Lack> {
    let at = spot.with(subject);
    match (on, less) {
        (Bounded::Statistic, Some(less)) => {
            let theirs = spot.with(less);
            let estimate = spot.difference(&at, &theirs)?;
            let [mine, other] = [spot.estimate(&at)?.value, spot.estimate(&theirs)?.value];
            let reason =
                format!("{} less {} (claimed: {} {})", shown(mine), shown(other), relation.sign(), shown(*bound));
            Ok(Measurement { verdict: estimate.against(*relation, *bound), estimate, reason })
        }
        (Bounded::Statistic, None) => {
            let estimate = spot.estimate(&at)?;
            let reason = format!("{} (claimed: {} {})", shown(estimate.value), relation.sign(), shown(*bound));
            Ok(Measurement { verdict: estimate.against(*relation, *bound), estimate, reason })
        }
        (Bounded::Runs(share), _) => {
            let estimate = spot.sample(&at)?.share(|value| relation.holds(value, *bound)).estimate(Statistic::Mean);
            let reason = format!(
                "{:.1} % of runs have {} {}, claimed: {:.0} %",
                100.0 * estimate.value,
                relation.sign(),
                shown(*bound),
                100.0 * share
            );
            Ok(Measurement { verdict: estimate.against(Relation::AtLeast, *share), estimate, reason })
        }
    }
}

/// Whether each repeat's number, or its share of runs, is on the claimed side.
fn repeated(
    spot: &Spot,
    subject: &PointValue,
    Bound { relation, bound, on, less, .. }: &Bound,
    repeats: &Repeats,
) -> Result<Holds, Lack> {
    let at = spot.with(subject);
    let (drawn, relation, bound) = match on {
        Bounded::Statistic => (spot.drawn(repeats, &at)?, *relation, *bound),
        Bounded::Runs(share) => {
            let marked = spot.sample(&at)?.share(|value| relation.holds(value, *bound));
            (repeats.statistic(&marked, Statistic::Mean, DrawKind::Paper), Relation::AtLeast, *share)
        }
    };
    let subtracted = less.as_ref().map(|less| spot.drawn(repeats, &spot.with(less))).transpose()?;
    let number = |repeat: usize| {
        let subtracted = subtracted.as_ref().map(|subtracted| subtracted[repeat]);
        subtracted.map_or(drawn[repeat], |other| difference(drawn[repeat], other))
    };
    Ok(Holds::of(|repeat| relation.holds(difference(number(repeat), bound), 0.0)))
}
