//! The number that a claim is about: what universes are sorted by.
//!
//! Of a claim about several places it is at how many it comes out as claimed, in an average repeat of the paper's experiment; the
//! interval is the middle 95 % of repeats. Of a claim about one place it is what was measured there.

use super::checks::EvidenceGroup;
use super::model::ClaimQuantity;
use super::place::Found;
use super::repeats::{Holds, REPEATS, central};
use crate::spec::claims::{Bounded, MeasuredClaim, Test};

pub(super) fn of(groups: &[EvidenceGroup], measured: &MeasuredClaim) -> Option<ClaimQuantity> {
    let places: Vec<&Found> = groups.iter().flat_map(|group| &group.places).collect();
    match &places[..] {
        [] => None,
        [only] => {
            let evidence = &only.evidence;
            let claimed = measured.test.claimed();
            Some(ClaimQuantity {
                name: evidence.place.clone(),
                value: evidence.ours?,
                interval: evidence.interval,
                claimed,
            })
        }
        several => {
            let first = |found: &&Found| found.repeats.first().and_then(|first| first.as_ref().ok()).cloned();
            let drawn: Vec<Holds> = several.iter().filter_map(first).collect();
            if drawn.is_empty() {
                return None;
            }
            let counts: Vec<f64> =
                (0..REPEATS).map(|repeat| drawn.iter().filter(|holds| holds.at(repeat)).count() as f64).collect();
            let (from, to) = measured.places.range(drawn.len() / groups.len().max(1));
            // Of a smaller scale there may be fewer places than are claimed: then the claim has no place on the axis.
            let claimed = [from, to.min(drawn.len())].map(|count| (count * groups.len()) as f64);
            let can_be = claimed[0] <= drawn.len() as f64;
            let lacking = if can_be { String::new() } else { measured.places.claimed() };
            let value = counts.iter().sum::<f64>() / REPEATS as f64;
            let [low, high] = central(&counts);
            Some(ClaimQuantity {
                name: format!("places where it comes out so, of {}{lacking}", drawn.len()),
                value,
                interval: Some([low.min(value), high.max(value)]),
                claimed: can_be.then_some(claimed),
            })
        }
    }
}

impl Test {
    /// What is claimed of the number at a place, where that is one interval.
    fn claimed(&self) -> Option<[f64; 2]> {
        match self {
            Self::Order(order) => Some(order.relation.side(0.0)),
            Self::Bound(bound) => match bound.on {
                Bounded::Statistic => Some(bound.relation.side(bound.bound)),
                Bounded::Runs(share) => Some([share, 1.0]),
            },
            Self::Value(value) => {
                let printed = super::printed::number::Rounded::parse(&value.printed)?;
                Some([printed.value - printed.half, printed.value + printed.half])
            }
            _ => None,
        }
    }
}
