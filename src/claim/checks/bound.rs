//! `bound`: numbers lie on one side of a bound.

use super::shown;
use crate::claim::Evidence;
use crate::claim::place::{Found, Looking, Spot};
use crate::spec::claims::{Bounded, Relation};
use crate::spec::{PointValue, Statistic};

/// What is claimed.
pub(super) struct Bound {
    pub(super) relation: Relation,
    pub(super) bound: f64,
    pub(super) on: Bounded,
}

pub(super) fn look(looking: &Looking, of: &[PointValue], bound: &Bound) -> Vec<Evidence> {
    let spots = looking.spots();
    let each = of.iter().flat_map(|subject| spots.iter().map(move |spot| (subject, spot)));
    each.map(|(subject, spot)| spot.evidence(&looking.spell(subject), one(spot, subject, bound))).collect()
}

fn one(spot: &Spot, subject: &PointValue, Bound { relation, bound, on }: &Bound) -> Result<Found, String> {
    let at = spot.with(subject);
    match on {
        Bounded::Statistic => {
            let estimate = spot.estimate(&at)?;
            let reason = format!("{} (claimed: {} {})", shown(estimate.value), relation.sign(), shown(*bound));
            Ok(Found { verdict: estimate.against(*relation, *bound), estimate, reason })
        }
        Bounded::Runs(share) => {
            let kept = |value: f64| match relation {
                Relation::Below => value < *bound,
                Relation::AtMost => value <= *bound,
                Relation::Above => value > *bound,
                Relation::AtLeast => value >= *bound,
            };
            let estimate = spot.sample(&at)?.share(kept).estimate(Statistic::Mean);
            let reason = format!(
                "{:.1} % of runs have {} {}, claimed: {:.0} %",
                100.0 * estimate.value,
                relation.sign(),
                shown(*bound),
                100.0 * share
            );
            Ok(Found { verdict: estimate.against(Relation::AtLeast, *share), estimate, reason })
        }
    }
}
