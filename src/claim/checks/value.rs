//! `value`: one printed number.

use super::{EvidenceGroup, Judge, together};
use crate::claim::Evidence;
use crate::claim::place::{Looking, Spot, missing};
use crate::claim::printed::number::{AllowedWidth, judge};
use crate::spec::claims::PrintedValue;

impl Judge for PrintedValue {
    fn look(&self, looking: &Looking) -> Vec<EvidenceGroup> {
        let (scope, printed) = (looking.scope, &self.printed);
        let allowed = match self.tolerance {
            Some(half_width) => AllowedWidth(half_width),
            None => AllowedWidth::of(&scope.metric, scope.show, printed),
        };
        let at = |spot: &Spot| {
            let name = spot.named(&looking.spell(&self.of));
            match spot.estimate(&spot.with(&self.of)) {
                Ok(estimate) => judge(name, &estimate, printed, allowed),
                Err(reason) => Evidence { printed: Some(printed.clone()), ..missing(name, reason) },
            }
        };
        together(looking.spots().iter().map(at).collect())
    }
}
