//! One file for each check: how it is judged. What it asks for is in `spec/claims/`.

mod bound;
mod change;
mod equal;
mod fails;
mod flat;
mod order;
mod paired;
mod rank;
mod trend;
mod value;
mod wins;

use std::rc::Rc;

use super::Evidence;
use super::model::Lack;
use super::place::{Found, Looking, Measurement, Spot};
use super::repeats::{Holds, Repeats};
use super::source::ResultSource;
use crate::facts::{self, FactUnit};
use crate::spec::PointValue;
use crate::spec::claims::{MeasuredClaim, Subjects, Test, WhichSubjects};

/// A check that can be judged by results.
trait Judge {
    /// The evidence for it, in groups that must each suffice.
    fn look(&self, looking: &Looking) -> Vec<EvidenceGroup>;
}

/// Evidence that must suffice by itself.
pub(super) struct EvidenceGroup {
    /// The subject it is about, where each has to do it by itself.
    pub(super) subject: Option<String>,
    /// What was found at every place.
    pub(super) places: Vec<Found>,
}

impl EvidenceGroup {
    /// A line for every place.
    pub(super) fn evidence(&self) -> impl Iterator<Item = &Evidence> {
        self.places.iter().map(|found| &found.evidence)
    }
}

/// The evidence for a claim, in groups that must each suffice, and what repeats of each size find.
pub(super) fn look(claim: &MeasuredClaim, source: &dyn ResultSource, repeats: &[Rc<Repeats>]) -> Vec<EvidenceGroup> {
    let check: &dyn Judge = match &claim.test {
        Test::Bound(check) => check,
        Test::ChangesLess(check) => check,
        Test::Equal(check) => check,
        Test::Fails(check) => check,
        Test::Flat(check) => check,
        Test::Order(check) => check,
        Test::Paired(check) => check,
        Test::Rank(check) => check,
        Test::Trend(check) => check,
        Test::Value(check) => check,
        Test::Wins(check) => check,
    };
    check.look(&Looking { source, scope: &claim.scope, repeats })
}

/// One group, which must suffice as a whole.
fn together(places: Vec<Found>) -> Vec<EvidenceGroup> {
    vec![EvidenceGroup { subject: None, places }]
}

/// Every subject at every place.
fn of_each(
    looking: &Looking,
    of: &[PointValue],
    one: impl Fn(&Spot, &PointValue) -> Result<Measurement, Lack>,
    repeated: impl Fn(&Spot, &PointValue, &Repeats) -> Result<Holds, Lack>,
) -> Vec<EvidenceGroup> {
    let spots = looking.spots();
    let each = of.iter().flat_map(|subject| spots.iter().map(move |spot| (subject, spot)));
    let found = each.map(|(subject, spot)| {
        spot.found(&looking.spell(subject), one(spot, subject), |repeats| repeated(spot, subject, repeats))
    });
    together(found.collect())
}

/// All subjects at every place, or a group for each where each has to do it by itself.
fn by_subject(looking: &Looking, of: &Subjects, at: impl Fn(&Spot, &[PointValue]) -> Found) -> Vec<EvidenceGroup> {
    let spots = looking.spots();
    let look = |of: &[PointValue]| spots.iter().map(|spot| at(spot, of)).collect();
    match of.which {
        WhichSubjects::Any => together(look(&of.values)),
        WhichSubjects::Each => {
            let group = |subject: &PointValue| EvidenceGroup {
                subject: Some(looking.spell(subject)),
                places: look(std::slice::from_ref(subject)),
            };
            of.values.iter().map(group).collect()
        }
    }
}

/// A value of a metric in a sentence: of seconds with a unit.
fn shown_of(metric: &str, value: f64) -> String {
    if facts::find(metric).is_none_or(|fact| fact.unit != FactUnit::Seconds) {
        return shown(value);
    }
    let (unit, scale) = match value.abs() {
        size if size < 1e-3 => ("µs", 1e6),
        size if size < 1.0 => ("ms", 1e3),
        _ => ("s", 1.0),
    };
    let scaled = value * scale;
    // Three digits.
    let digits = if scaled.abs() < 10.0 { 2 } else { usize::from(scaled.abs() < 100.0) };
    format!("{scaled:.digits$} {unit}")
}

/// A number in a sentence.
pub(super) fn shown(value: f64) -> String {
    let size = value.abs();
    if size == 0.0 {
        "0".to_owned()
    } else if !(1e-3..1e7).contains(&size) {
        format!("{value:.2e}")
    } else if size >= 100.0 {
        format!("{value:.1}")
    } else {
        format!("{value:.4}")
    }
}

#[cfg(test)]
mod tests {
    use super::shown_of;

    #[test]
    fn seconds_have_a_unit_and_metrics_have_none() {
        let times = [8.61e-4, 6.62e-5, 0.0123, 2.5].map(|seconds| shown_of("seconds", seconds));
        assert_eq!(times, ["861 µs", "66.2 µs", "12.3 ms", "2.50 s"]);
        assert_eq!(shown_of("accuracy", 0.5), "0.5000");
    }
}
