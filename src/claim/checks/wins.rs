//! `wins`: a subject has the best number of all.

use super::{EvidenceGroup, Judge, by_subject, shown};
use crate::claim::place::{Looking, Measurement, Spot};
use crate::claim::{Evidence, Verdict, count};
use crate::spec::PointValue;
use crate::spec::claims::{Relation, Victory, Wins};

impl Judge for Wins {
    /// Any of the subjects may win: the best outcome counts.
    fn look(&self, looking: &Looking) -> Vec<EvidenceGroup> {
        by_subject(looking, &self.of, |spot, of| {
            best_of(spot, of.iter().map(|subject| one(spot, subject, self)).collect())
        })
    }
}

/// The evidence with the most favourable verdict; the first of several.
pub(super) fn best_of(spot: &Spot, tries: Vec<Evidence>) -> Evidence {
    let favour = |verdict: Verdict| match verdict {
        Verdict::Reproduced => 0,
        Verdict::Inconclusive { .. } => 1,
        Verdict::NotRun => 2,
        Verdict::NotReproduced | Verdict::Impossible => 3,
    };
    let best = tries.into_iter().min_by_key(|evidence| favour(evidence.verdict));
    best.unwrap_or_else(|| spot.evidence("", Err("there is nobody to compare".to_owned())))
}

/// A subject wins where it beats every rival; the rival it beats least is shown.
fn one(spot: &Spot, subject: &PointValue, wins: &Wins) -> Evidence {
    let looking = spot.looking();
    let relation = match wins.victory {
        Victory::Alone => Relation::Above,
        Victory::Tied => Relation::AtLeast,
    };
    let rivals = wins.against.iter().filter(|rival| *rival != subject);
    let duels: Result<Vec<(f64, String, Measurement)>, String> = rivals
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
        Err(reason) => spot.evidence(&me, Err(reason)),
        Ok(mut duels) => {
            let verdict = count::all(duels.iter().map(|(_, _, found)| found.verdict));
            duels.retain(|(_, _, found)| found.verdict.name() == verdict.name());
            let hardest = duels.into_iter().min_by(|one, other| one.0.total_cmp(&other.0));
            match (hardest, spot.estimate(&spot.with(subject))) {
                (Some((_, rival, found)), Ok(mine)) => {
                    let reason = format!("{me} has {}, {}", shown(mine.value), found.reason);
                    spot.evidence(&format!("{me} − {rival}"), Ok(Measurement { verdict, reason, ..found }))
                }
                (_, Err(reason)) => spot.evidence(&me, Err(reason)),
                (None, _) => spot.evidence(&me, Err("there is nobody to compare with".to_owned())),
            }
        }
    }
}
