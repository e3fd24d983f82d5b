//! `value`: one printed number.

use super::{EvidenceGroup, Judge, together};
use crate::claim::Evidence;
use crate::claim::model::Lack;
use crate::claim::place::{Found, Looking, Spot};
use crate::claim::printed::number::{AllowedWidth, PrintedText, Rounded, judge};
use crate::claim::repeats::{Holds, Repeats};
use crate::spec::claims::PrintedValue;

impl Judge for PrintedValue {
    fn look(&self, looking: &Looking) -> Vec<EvidenceGroup> {
        together(looking.spots().iter().map(|spot| at(spot, self)).collect())
    }
}

fn at(spot: &Spot, value: &PrintedValue) -> Found {
    let looking = spot.looking();
    let (scope, text) = (looking.scope, &value.printed);
    let allowed = allowed(looking, value);
    let who = looking.spell(&value.of);
    let at = spot.with(&value.of);
    let printed = PrintedText { text, allowed, metric: &scope.metric, show: scope.show };
    // What is averaged over places has no sample of its own; it is judged by its interval.
    let judged = match scope.average.is_empty() {
        true => spot
            .sample(&at)
            .map(|sample| judge(spot.named(&who), &sample, scope.statistic, &printed, looking.repeats).evidence),
        false => spot.estimate(&at).map(|estimate| printed.against(spot.named(&who), &estimate, looking.repeats)),
    };
    match judged {
        Ok(evidence) => spot.repeated(evidence, |repeats| repeated(spot, value, repeats)),
        Err(lack) => {
            let Found { evidence, repeats } = spot.lacking(&who, &lack);
            Found { evidence: Evidence { printed: Some(text.clone()), ..evidence }, repeats }
        }
    }
}

/// How far from the printed number ours may be: as the claim says, or as narrow as an interval must be to say something.
fn allowed(looking: &Looking, value: &PrintedValue) -> AllowedWidth {
    match value.tolerance {
        Some(half_width) => AllowedWidth(half_width),
        None => AllowedWidth::of(&looking.scope.metric, looking.scope.show, &value.printed),
    }
}

/// Whether each repeat prints a number that is near enough.
fn repeated(spot: &Spot, value: &PrintedValue, repeats: &Repeats) -> Result<Holds, Lack> {
    let drawn = spot.drawn(repeats, &spot.with(&value.of))?;
    let printed = Rounded::parse(&value.printed).ok_or_else(|| "this is not a number".to_owned())?;
    let allowed = allowed(spot.looking(), value).0.max(printed.half);
    Ok(Holds::of(|repeat| (drawn[repeat] - printed.value).abs() <= allowed * (1.0 + 1e-9)))
}
