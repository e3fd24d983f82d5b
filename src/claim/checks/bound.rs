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

fn one(spot: &Spot, subject: &PointValue, Bound { relation, bound, on, .. }: &Bound) -> Result<Measurement, Lack> {
    let at = spot.with(subject);
    match on {
        Bounded::Statistic => {
            let estimate = spot.estimate(&at)?;
            let reason = format!("{} (claimed: {} {})", shown(estimate.value), relation.sign(), shown(*bound));
            Ok(Measurement { verdict: estimate.against(*relation, *bound), estimate, reason })
        }
        Bounded::Runs(share) => {
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
    Bound { relation, bound, on, .. }: &Bound,
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
    Ok(Holds::of(|repeat| relation.holds(difference(drawn[repeat], bound), 0.0)))
}
