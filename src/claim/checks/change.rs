//! `changes-less`: along a series, one subject gets worse by less than another.

use super::trend::both_ends;
use super::{EvidenceGroup, Judge, shown, together};
use crate::claim::estimate::difference;
use crate::claim::model::Lack;
use crate::claim::place::{Looking, Measurement, Spot};
use crate::claim::repeats::{Drawn, Holds, Repeats};
use crate::results::At;
use crate::spec::PointValue;
use crate::spec::claims::{ChangesLess, Relation};

impl Judge for ChangesLess {
    fn look(&self, looking: &Looking) -> Vec<EvidenceGroup> {
        let name = format!("{} less than {}", looking.spell(&self.of), looking.spell(&self.against));
        let found = |spot: &Spot| spot.found(&name, one(spot, self), |repeats| repeated(spot, self, repeats));
        together(looking.spots().iter().map(found).collect())
    }
}

/// Where the losses of both are taken: what is lost is the number at the first place less that at the second.
fn losses(spot: &Spot, ChangesLess { stretch, of, against }: &ChangesLess) -> Result<[[At; 2]; 2], Lack> {
    let (first, last, _) = both_ends(spot, stretch)?;
    let losing = if spot.looking().sign() > 0.0 { [first, last] } else { [last, first] };
    let at = |subject: &PointValue, x: f64| -> At {
        spot.with(subject).into_iter().chain([(stretch.along, PointValue::Number(x))]).collect()
    };
    Ok([of, against].map(|subject| losing.map(|x| at(subject, x))))
}

/// The loss of one, less that of the other, is below 0.
fn one(spot: &Spot, check: &ChangesLess) -> Result<Measurement, Lack> {
    let (first, last, _) = both_ends(spot, &check.stretch)?;
    let [mine, theirs] = losses(spot, check)?;
    let excess = spot.excess(mine.each_ref(), theirs.each_ref())?;
    let loss = |[larger, smaller]: &[At; 2]| Ok::<_, Lack>(shown(spot.difference(larger, smaller)?.value));
    let reason = format!("from {first} to {last} it loses {}, the other {}", loss(&mine)?, loss(&theirs)?);
    Ok(Measurement { verdict: excess.against(Relation::Below, 0.0), estimate: excess, reason })
}

fn repeated(spot: &Spot, check: &ChangesLess, repeats: &Repeats) -> Result<Holds, Lack> {
    let drawn =
        |both: &[At; 2]| Ok::<[Drawn; 2], Lack>([spot.drawn(repeats, &both[0])?, spot.drawn(repeats, &both[1])?]);
    let [mine, theirs] = losses(spot, check)?;
    let (mine, theirs) = (drawn(&mine)?, drawn(&theirs)?);
    let loss = |[larger, smaller]: &[Drawn; 2], repeat: usize| difference(larger[repeat], smaller[repeat]);
    Ok(Holds::of(|repeat| difference(loss(&mine, repeat), loss(&theirs, repeat)) < 0.0))
}
