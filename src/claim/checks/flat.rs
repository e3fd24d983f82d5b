//! `flat-until`: a series stays near its start.

use super::shown;
use super::trend::ends;
use crate::claim::place::{Found, Looking, Spot};
use crate::claim::{Evidence, Verdict, count};
use crate::results::At;
use crate::spec::PointValue;
use crate::spec::claims::{Relation, Side, Stretch};

/// What flat means.
pub(super) struct Flatness<'a> {
    pub(super) stretch: &'a Stretch,
    pub(super) within: f64,
    pub(super) side: Side,
}

pub(super) fn look(looking: &Looking, of: &[PointValue], flat: &Flatness) -> Vec<Evidence> {
    let spots = looking.spots();
    let each = of.iter().flat_map(|subject| spots.iter().map(move |spot| (subject, spot)));
    each.map(|(subject, spot)| spot.evidence(&looking.spell(subject), one(spot, subject, flat))).collect()
}

/// Flat where every point's whole interval of the difference from the start is within the tolerance; the point that
/// strays most is shown.
fn one(spot: &Spot, subject: &PointValue, flat: &Flatness) -> Result<Found, String> {
    let key = flat.stretch.along;
    let (from, points) = ends(spot, flat.stretch)?;
    let at = |x: f64| -> At { spot.with(subject).into_iter().chain([(key, PointValue::Number(x))]).collect() };
    let mut found = Vec::new();
    for x in points.into_iter().filter(|x| *x != from) {
        let change = spot.difference(&at(x), &at(from))?;
        let verdict = match flat.side {
            Side::Both => change.within(flat.within),
            Side::Worse if spot.looking().sign() > 0.0 => change.against(Relation::AtLeast, -flat.within),
            Side::Worse => change.against(Relation::AtMost, flat.within),
        };
        let reason = format!("from {from} to {x}: {}, at most {} allowed", shown(change.value), shown(flat.within));
        found.push(Found { estimate: change, verdict, reason });
    }
    let verdict = count::all(found.iter().map(|found| found.verdict));
    let strayed = |found: &Found| match (flat.side, spot.looking().sign() > 0.0) {
        (Side::Both, _) => found.estimate.value.abs(),
        (Side::Worse, true) => -found.estimate.value,
        (Side::Worse, false) => found.estimate.value,
    };
    let shown = found.into_iter().filter(|found| found.verdict.name() == verdict.name());
    let worst = shown.max_by(|one, other| strayed(one).total_cmp(&strayed(other)));
    let worst = worst.ok_or_else(|| "the series has one point".to_owned())?;
    Ok(match verdict {
        Verdict::Inconclusive { .. } => Found { verdict, ..worst },
        _ => worst,
    })
}
