//! One file a check: what must hold at a place, and what speaks for it.

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

use super::Evidence;
use super::place::Looking;
use super::source::Source;
use crate::spec::PointValue;
use crate::spec::claims::{Measured, Need, Subjects, Test};

/// The evidence for a claim, in groups that must each suffice.
pub(super) fn look(measured: &Measured, source: &dyn Source) -> Vec<Vec<Evidence>> {
    let looking = Looking { source, scope: &measured.scope };
    let one = |evidence: Vec<Evidence>| vec![evidence];
    match &measured.test {
        Test::Order { chain, relation } => one(order::look(&looking, chain, *relation)),
        Test::Wins { of, against, best } => groups(of, |of| wins::look(&looking, of, against, *best)),
        Test::Rank { of, against, rank, from } => {
            groups(of, |of| rank::look(&looking, of, against, &rank::Wanted { rank: *rank, from: *from }))
        }
        Test::Paired { first, second, alternative, p } => {
            one(paired::look(&looking, &paired::Pair { first, second, alternative: *alternative, level: *p }))
        }
        Test::Flat { of, stretch, within, side } => {
            one(flat::look(&looking, of, &flat::Flatness { stretch, within: *within, side: *side }))
        }
        Test::Trend { of, stretch, way, by, steps } => {
            one(trend::look(&looking, of, &trend::Trend { stretch, way: *way, by: *by, steps: *steps }))
        }
        Test::ChangesLess { stretch, of, against } => one(change::look(&looking, stretch, of, against)),
        Test::Equal { of, tolerance, on } => one(equal::look(&looking, of, *tolerance, *on)),
        Test::Bound { of, relation, bound, on } => {
            one(bound::look(&looking, of, &bound::Bound { relation: *relation, bound: *bound, on: *on }))
        }
        Test::Value { of, printed, tolerance } => one(value::look(&looking, of, printed, *tolerance)),
        Test::Fails { of } => one(fails::look(&looking, of)),
    }
}

/// All subjects together, or each by itself.
fn groups(of: &Subjects, look: impl Fn(&[PointValue]) -> Vec<Evidence>) -> Vec<Vec<Evidence>> {
    match of.need {
        Need::Any => vec![look(&of.values)],
        Need::Each => of.values.iter().map(|one| look(std::slice::from_ref(one))).collect(),
    }
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
