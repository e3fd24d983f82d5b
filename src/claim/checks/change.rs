//! `changes-less`: along a series, one subject gets worse by less than another.

use super::trend::both_ends;
use super::{EvidenceGroup, Judge, shown, together};
use crate::claim::place::{Looking, Measurement, Spot};
use crate::results::At;
use crate::spec::PointValue;
use crate::spec::claims::{ChangesLess, Relation};

impl Judge for ChangesLess {
    fn look(&self, looking: &Looking) -> Vec<EvidenceGroup> {
        let name = format!("{} less than {}", looking.spell(&self.of), looking.spell(&self.against));
        together(looking.spots().iter().map(|spot| spot.evidence(&name, one(spot, self))).collect())
    }
}

/// The loss of one, less that of the other, is below 0. Losses of both are taken for independent.
fn one(spot: &Spot, ChangesLess { stretch, of, against }: &ChangesLess) -> Result<Measurement, String> {
    let (first, last, _) = both_ends(spot, stretch)?;
    let loss = |subject: &PointValue| {
        let at =
            |x: f64| -> At { spot.with(subject).into_iter().chain([(stretch.along, PointValue::Number(x))]).collect() };
        let change = spot.difference(&at(last), &at(first))?;
        Ok::<_, String>(if spot.looking().sign() > 0.0 { change.negated() } else { change })
    };
    let [mine, theirs] = [loss(of)?, loss(against)?];
    let excess = mine.minus(&theirs);
    let reason = format!("from {first} to {last} it loses {}, the other {}", shown(mine.value), shown(theirs.value));
    Ok(Measurement { verdict: excess.against(Relation::Below, 0.0), estimate: excess, reason })
}
