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

/// The loss of one, less that of the other, is below 0.
fn one(spot: &Spot, ChangesLess { stretch, of, against }: &ChangesLess) -> Result<Measurement, String> {
    let (first, last, _) = both_ends(spot, stretch)?;
    let losing = if spot.looking().sign() > 0.0 { [first, last] } else { [last, first] };
    let at = |subject: &PointValue, x: f64| -> At {
        spot.with(subject).into_iter().chain([(stretch.along, PointValue::Number(x))]).collect()
    };
    let [mine, theirs] = [of, against].map(|subject| losing.map(|x| at(subject, x)));
    let excess = spot.excess(mine.each_ref(), theirs.each_ref())?;
    let loss = |[larger, smaller]: &[At; 2]| Ok::<_, String>(shown(spot.difference(larger, smaller)?.value));
    let reason = format!("from {first} to {last} it loses {}, the other {}", loss(&mine)?, loss(&theirs)?);
    Ok(Measurement { verdict: excess.against(Relation::Below, 0.0), estimate: excess, reason })
}
