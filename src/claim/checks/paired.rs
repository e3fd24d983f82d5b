//! `paired-test`: a paired t-test comes out as the paper says; Wilcoxon's signed-rank test stands beside it.

use super::{EvidenceGroup, Judge, shown, together};
use crate::claim::Verdict;
use crate::claim::estimate::Estimate;
use crate::claim::model::Lack;
use crate::claim::place::{Looking, Measurement, Spot};
use crate::claim::repeats::{DrawKind, Drawn, Holds, Repeats};
use crate::spec::PointValue;
use crate::spec::claims::{Opponent, PLevel, PairedTest, Relation};
use crate::stats::{self, Alternative, PairingError, Pairs};

impl Judge for PairedTest {
    fn look(&self, looking: &Looking) -> Vec<EvidenceGroup> {
        let first = looking.spell(&self.first);
        let at = |spot: &Spot| match second(spot, self) {
            Err(lack) => spot.lacking(&first, &lack),
            Ok(second) => {
                let name = format!("{first} − {}", looking.spell(&second));
                spot.found(&name, one(spot, &second, self), |repeats| repeated(spot, self, repeats))
            }
        };
        together(looking.spots().iter().map(at).collect())
    }
}

/// Who is tested against: named, or the best of all others.
fn second(spot: &Spot, pair: &PairedTest) -> Result<PointValue, Lack> {
    let looking = spot.looking();
    match &pair.second {
        Opponent::Named(value) => Ok(value.clone()),
        Opponent::RunnerUp => {
            let mut best: Option<(f64, PointValue)> = None;
            for other in others(looking, pair) {
                let merit = looking.sign() * spot.estimate(&spot.with(&other))?.value;
                if best.as_ref().is_none_or(|(known, _)| merit > *known) {
                    best = Some((merit, other));
                }
            }
            Ok(best.map(|(_, other)| other).ok_or_else(|| "there is nobody else".to_owned())?)
        }
    }
}

/// Everybody but the first.
fn others(looking: &Looking, pair: &PairedTest) -> Vec<PointValue> {
    let all = looking.source.experiment().values_of(looking.scope.compare);
    all.into_iter().filter(|other| *other != pair.first).collect()
}

/// Whether the test of each repeat comes out so; against the best of all others, that is the best in the same repeat.
fn repeated(spot: &Spot, pair: &PairedTest, repeats: &Repeats) -> Result<Holds, Lack> {
    let opponents = match &pair.second {
        Opponent::Named(value) => vec![value.clone()],
        Opponent::RunnerUp => others(spot.looking(), pair),
    };
    let first = spot.sample(&spot.with(&pair.first))?;
    let mut tests: Vec<(Drawn, Drawn)> = Vec::new();
    for opponent in &opponents {
        let at = spot.with(opponent);
        let differences = first.differences(&*spot.sample(&at)?)?;
        differences.can_stand_for(repeats.behind)?;
        let p = repeats.p_values(&differences, pair.alternative, DrawKind::Paper);
        tests.push((spot.drawn(repeats, &at)?, p));
    }
    let sign = spot.looking().sign();
    Ok(Holds::of(|repeat| {
        // The first of several that are equally good, as above.
        let best =
            tests.iter().rev().max_by(|(one, _), (other, _)| (sign * one[repeat]).total_cmp(&(sign * other[repeat])));
        best.is_some_and(|(_, p)| match pair.level {
            PLevel::Below(level) => p[repeat] < level,
            PLevel::Above(level) => p[repeat] >= level,
        })
    }))
}

/// Below a level: holds where p is; contradicted where the whole interval lies on the other side, or all pairs are
/// equal; else undecided. Above a level: p decides by itself.
fn one(spot: &Spot, second: &PointValue, pair: &PairedTest) -> Result<Measurement, Lack> {
    let means = |subject: &PointValue| Ok::<_, Lack>(spot.sample(&spot.with(subject))?.by_ensemble());
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
