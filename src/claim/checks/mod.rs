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

/// Evidence that must suffice by itself.
pub(super) struct Group {
    /// The subject it is about, where each has to do it by itself.
    pub(super) subject: Option<String>,
    /// A line for every place.
    pub(super) evidence: Vec<Evidence>,
}

/// The evidence for a claim, in groups that must each suffice.
pub(super) fn look(measured: &Measured, source: &dyn Source) -> Vec<Group> {
    let looking = Looking { source, scope: &measured.scope };
    let one = |evidence: Vec<Evidence>| vec![Group { subject: None, evidence }];
    let groups = |of: &Subjects, look: &dyn Fn(&[PointValue]) -> Vec<Evidence>| match of.need {
        Need::Any => one(look(&of.values)),
        Need::Each => {
            let each = of.values.iter();
            each.map(|subject| Group {
                subject: Some(looking.spell(subject)),
                evidence: look(std::slice::from_ref(subject)),
            })
            .collect()
        }
    };
    match &measured.test {
        Test::Order { chain, relation } => one(order::look(&looking, chain, *relation)),
        Test::Wins { of, against, best } => groups(of, &|of| wins::look(&looking, of, against, *best)),
        Test::Rank { of, against, rank, from } => {
            groups(of, &|of| rank::look(&looking, of, against, &rank::Wanted { rank: *rank, from: *from }))
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
