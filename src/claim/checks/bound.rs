//! `bound`: numbers lie on one side of a bound.

use super::{EvidenceGroup, Judge, of_each, shown};
use crate::claim::place::{Looking, Measurement, Spot};
use crate::spec::claims::{Bound, Bounded, Relation};
use crate::spec::{PointValue, Statistic};

impl Judge for Bound {
    fn look(&self, looking: &Looking) -> Vec<EvidenceGroup> {
        of_each(looking, &self.of, |spot, subject| one(spot, subject, self))
    }
}

fn one(spot: &Spot, subject: &PointValue, Bound { relation, bound, on, .. }: &Bound) -> Result<Measurement, String> {
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
