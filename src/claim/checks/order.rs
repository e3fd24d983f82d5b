//! `order`: at every place, neighbours of a chain stand in a relation.

use super::{EvidenceGroup, Judge, shown_of, together};
use crate::claim::count;
use crate::claim::estimate::difference;
use crate::claim::model::Lack;
use crate::claim::place::{Found, Looking, Measurement, Spot};
use crate::claim::repeats::{Drawn, Holds, Repeats};
use crate::spec::PointValue;
use crate::spec::claims::{InOrder, Relation};

impl Judge for InOrder {
    fn look(&self, looking: &Looking) -> Vec<EvidenceGroup> {
        together(looking.spots().iter().map(|spot| at(spot, self)).collect())
    }
}

/// The chain holds where every link holds; the weakest link is shown.
fn at(spot: &Spot, InOrder { chain, relation }: &InOrder) -> Found {
    let name = |pair: &[PointValue]| {
        let [one, other] = [&pair[0], &pair[1]].map(|value| spot.looking().spell(value));
        format!("{one} − {other}")
    };
    let links: Result<Vec<(String, Measurement)>, Lack> =
        chain.windows(2).map(|pair| Ok((name(pair), link(spot, pair, *relation)?))).collect();
    match links {
        Err(lack) => {
            let whole: Vec<String> = chain.iter().map(|value| spot.looking().spell(value)).collect();
            spot.lacking(&whole.join(&format!(" {} ", relation.sign())), &lack)
        }
        Ok(links) => {
            let verdict = count::all(links.iter().map(|(_, found)| found.verdict));
            let weakest = links.into_iter().find(|(_, found)| found.verdict.name() == verdict.name());
            match weakest {
                Some((name, found)) => {
                    spot.found(&name, Ok(found), |repeats| repeated(spot, chain, *relation, repeats))
                }
                None => spot.lacking("", &"there is nothing to compare".to_owned().into()),
            }
        }
    }
}

fn link(spot: &Spot, pair: &[PointValue], relation: Relation) -> Result<Measurement, Lack> {
    let [one, other] = [spot.with(&pair[0]), spot.with(&pair[1])];
    let lead = spot.difference(&one, &other)?;
    let [left, right] = [spot.estimate(&one)?.value, spot.estimate(&other)?.value];
    let [mine, theirs] = [left, right].map(|value| shown_of(&spot.looking().scope.metric, value));
    let reason = format!("{mine} {} {theirs}", sign_found(left, right));
    Ok(Measurement { verdict: lead.against(relation, 0.0), estimate: lead, reason })
}

fn sign_found(left: f64, right: f64) -> &'static str {
    let difference = difference(left, right);
    if difference < 0.0 {
        "<"
    } else if difference > 0.0 {
        ">"
    } else {
        "="
    }
}

fn repeated(spot: &Spot, chain: &[PointValue], relation: Relation, repeats: &Repeats) -> Result<Holds, Lack> {
    let drawn: Vec<Drawn> =
        chain.iter().map(|value| spot.drawn(repeats, &spot.with(value))).collect::<Result<_, Lack>>()?;
    let holds =
        |repeat: usize| drawn.windows(2).all(|pair| relation.holds(difference(pair[0][repeat], pair[1][repeat]), 0.0));
    Ok(Holds::of(holds))
}
