//! `wins`: a subject has the best number of all.

use super::{EvidenceGroup, Judge, by_subject, shown};
use crate::claim::estimate::difference;
use crate::claim::model::Lack;
use crate::claim::place::{Found, Looking, Measurement, Spot};
use crate::claim::repeats::{Drawn, Holds, Repeats};
use crate::claim::{Verdict, count};
use crate::spec::PointValue;
use crate::spec::claims::{Relation, Victory, Wins};

impl Judge for Wins {
    /// Any of the subjects may win: the best outcome counts.
    fn look(&self, looking: &Looking) -> Vec<EvidenceGroup> {
        by_subject(looking, &self.of, |spot, of| {
            any_of(spot, of.iter().map(|subject| one(spot, subject, self)).collect())
        })
    }
}

/// The evidence with the most favourable verdict, the first of several; a repeat agrees where any of them does.
pub(super) fn any_of(spot: &Spot, tries: Vec<Found>) -> Found {
    let favour = |verdict: Verdict| match verdict {
        Verdict::Reproduced => 0,
        Verdict::Inconclusive { .. } => 1,
        Verdict::NotRun(_) | Verdict::NothingFound => 2,
        Verdict::NotReproduced | Verdict::Impossible => 3,
    };
    let sizes = tries.first().map_or(0, |first| first.repeats.len());
    let repeats = (0..sizes).map(|size| {
        let each: Vec<Holds> = tries.iter().map(|found| found.repeats[size].clone()).collect::<Result<_, Lack>>()?;
        Ok(Holds::any(&each))
    });
    let repeats = repeats.collect();
    match tries.into_iter().min_by_key(|found| favour(found.evidence.verdict)) {
        Some(best) => Found { repeats, ..best }.with_share(),
        None => spot.lacking("", &"there is nobody to compare".to_owned().into()),
    }
}

/// A subject wins where it beats every rival; the rival it beats least is shown.
fn one(spot: &Spot, subject: &PointValue, wins: &Wins) -> Found {
    let looking = spot.looking();
    let relation = match wins.victory {
        Victory::Alone => Relation::Above,
        Victory::Tied => Relation::AtLeast,
    };
    let rivals = wins.against.iter().filter(|rival| *rival != subject);
    let duels: Result<Vec<(f64, String, Measurement)>, Lack> = rivals
        .map(|rival| {
            let difference = spot.difference(&spot.with(subject), &spot.with(rival))?;
            let lead = if looking.sign() > 0.0 { difference } else { difference.negated() };
            let verdict = lead.against(relation, 0.0);
            let theirs = spot.estimate(&spot.with(rival))?.value;
            let name = looking.spell(rival);
            Ok((
                lead.value,
                name.clone(),
                Measurement { estimate: difference, verdict, reason: format!("{name} has {}", shown(theirs)) },
            ))
        })
        .collect();
    let me = looking.spell(subject);
    match duels {
        Err(lack) => spot.lacking(&me, &lack),
        Ok(mut duels) => {
            let verdict = count::all(duels.iter().map(|(_, _, found)| found.verdict));
            duels.retain(|(_, _, found)| found.verdict.name() == verdict.name());
            let hardest = duels.into_iter().min_by(|one, other| one.0.total_cmp(&other.0));
            match (hardest, spot.estimate(&spot.with(subject))) {
                (Some((_, rival, found)), Ok(mine)) => {
                    let reason = format!("{me} has {}, {}", shown(mine.value), found.reason);
                    let measured = Measurement { verdict, reason, ..found };
                    spot.found(&format!("{me} − {rival}"), Ok(measured), |repeats| {
                        repeated(spot, subject, wins, repeats)
                    })
                }
                (_, Err(lack)) => spot.lacking(&me, &lack),
                (None, _) => spot.lacking(&me, &"there is nobody to compare with".to_owned().into()),
            }
        }
    }
}

fn repeated(spot: &Spot, subject: &PointValue, wins: &Wins, repeats: &Repeats) -> Result<Holds, Lack> {
    let mine = spot.drawn(repeats, &spot.with(subject))?;
    let rivals = wins.against.iter().filter(|rival| *rival != subject);
    let rivals: Vec<Drawn> = rivals.map(|rival| spot.drawn(repeats, &spot.with(rival))).collect::<Result<_, Lack>>()?;
    let sign = spot.looking().sign();
    Ok(Holds::of(|repeat| {
        rivals.iter().all(|rival| {
            let lead = sign * difference(mine[repeat], rival[repeat]);
            match wins.victory {
                Victory::Alone => lead > 0.0,
                Victory::Tied => lead >= 0.0,
            }
        })
    }))
}
