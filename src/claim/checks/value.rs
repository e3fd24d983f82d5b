//! `value`: one printed number.

use crate::claim::place::{Looking, Spot};
use crate::claim::printed::number::{Tolerance, judge};
use crate::claim::{Evidence, Verdict};
use crate::spec::PointValue;

pub(super) fn look(looking: &Looking, of: &PointValue, printed: &str, tolerance: Option<f64>) -> Vec<Evidence> {
    let scope = looking.scope;
    let allowed = match tolerance {
        Some(half_width) => Tolerance(half_width),
        None => Tolerance::of(&scope.metric, scope.show, printed),
    };
    let at = |spot: &Spot| {
        let name = spot.named(&looking.spell(of));
        let found = spot.estimate(&spot.with(of));
        match found {
            Ok(estimate) => judge(name, &estimate, printed, allowed),
            Err(reason) => Evidence {
                printed: Some(printed.to_owned()),
                verdict: Verdict::NotRun,
                ..crate::claim::place::missing(name, reason)
            },
        }
    };
    looking.spots().iter().map(at).collect()
}
