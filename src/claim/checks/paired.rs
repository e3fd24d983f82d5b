//! `paired-test`: a paired t-test comes out as the paper says; Wilcoxon's signed-rank test stands beside it.

use super::{EvidenceGroup, Judge, shown, together};
use crate::claim::Verdict;
use crate::claim::estimate::Estimate;
use crate::claim::place::{Looking, Measurement, Spot};
use crate::spec::PointValue;
use crate::spec::claims::{Opponent, PLevel, PairedTest, Relation};
use crate::stats::{self, Alternative, PairingError, Pairs};

impl Judge for PairedTest {
    fn look(&self, looking: &Looking) -> Vec<EvidenceGroup> {
        let first = looking.spell(&self.first);
        let at = |spot: &Spot| match second(spot, self) {
            Err(reason) => spot.evidence(&first, Err(reason)),
            Ok(second) => {
                let name = format!("{first} − {}", looking.spell(&second));
                spot.evidence(&name, one(spot, &second, self))
            }
        };
        together(looking.spots().iter().map(at).collect())
    }
}

/// Who is tested against: named, or the best of all others.
fn second(spot: &Spot, pair: &PairedTest) -> Result<PointValue, String> {
    let looking = spot.looking();
    match &pair.second {
        Opponent::Named(value) => Ok(value.clone()),
        Opponent::RunnerUp => {
            let experiment = looking.source.experiment();
            let others = experiment.values_of(looking.scope.compare);
            let mut best: Option<(f64, PointValue)> = None;
            for other in others.into_iter().filter(|other| *other != pair.first) {
                let merit = looking.sign() * spot.estimate(&spot.with(&other))?.value;
                if best.as_ref().is_none_or(|(known, _)| merit > *known) {
                    best = Some((merit, other));
                }
            }
            best.map(|(_, other)| other).ok_or_else(|| "there is nobody else".to_owned())
        }
    }
}

/// Below a level: holds where p is; contradicted where the whole interval lies on the other side, or all pairs are
/// equal; else undecided. Above a level: p decides by itself.
fn one(spot: &Spot, second: &PointValue, pair: &PairedTest) -> Result<Measurement, String> {
    let means = |subject: &PointValue| Ok::<_, String>(spot.sample(&spot.with(subject))?.by_ensemble());
    let pairs = match Pairs::by_id(&means(&pair.first)?, &means(second)?) {
        Err(error @ PairingError::OnePair { .. }) => {
            let estimate = spot.difference(&spot.with(&pair.first), &spot.with(second))?;
            let verdict = Verdict::Inconclusive { needed: None };
            return Ok(Measurement { estimate, verdict, reason: error.to_string() });
        }
        other => other.map_err(|error| error.to_string())?,
    };
    let test = stats::t_test(&pairs, pair.alternative);
    let wilcoxon = stats::wilcoxon(&pairs, pair.alternative).p;
    let estimate = Estimate::mean(&pairs.differences());
    let verdict = match pair.level {
        PLevel::Below(level) if test.p < level => Verdict::Reproduced,
        PLevel::Below(_) => {
            let relation = match pair.alternative {
                Alternative::Less => Relation::Below,
                Alternative::Greater => Relation::Above,
                // A difference of either sign will do, so only equality speaks against one.
                Alternative::TwoSided if estimate.value < 0.0 => Relation::Below,
                Alternative::TwoSided => Relation::Above,
            };
            match estimate.against(relation, 0.0) {
                // On the right side by the interval, but not as surely as the paper says.
                Verdict::Reproduced => Verdict::Inconclusive { needed: None },
                other => other,
            }
        }
        PLevel::Above(level) if test.p < level => Verdict::NotReproduced,
        PLevel::Above(_) => Verdict::Reproduced,
    };
    let reason =
        format!("paired t-test ({}): p = {}; Wilcoxon: p = {}", pair.alternative, shown(test.p), shown(wilcoxon));
    Ok(Measurement { estimate, verdict, reason })
}
