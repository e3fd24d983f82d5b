//! `rank-at-most`: a subject is among the first, or the last.

use super::reader::{Judges, Reader, Takes};
use super::scope::Scope;
use super::subjects::Subjects;
use crate::spec::bounds;
use crate::spec::experiment::PointValue;

/// A subject is among the first, or the last.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RankAtMost {
    pub(crate) of: Subjects,
    /// Those it is ranked with.
    pub(crate) against: Vec<PointValue>,
    /// The lowest rank that will do.
    pub(crate) rank: usize,
    pub(crate) from: CountedFrom,
}

/// Where counting of ranks begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CountedFrom {
    /// 1 is the best.
    Best,
    /// 1 is the worst.
    Worst,
}

impl RankAtMost {
    pub(super) fn read(reader: &Reader) -> Option<(Scope, Self)> {
        let scope = reader.scope(Judges::Better, Takes::Summaries, None);
        let fields = &reader.output.fields;
        let of = reader.subjects(scope.compare);
        let against = reader.rivals(scope.compare, &of);
        let rank = fields.required("rank", "the lowest rank that will do", fields.count("rank", bounds::COUNTED));
        let ends = [("best", CountedFrom::Best), ("worst", CountedFrom::Worst)];
        let from = fields.choice("from", &ends).unwrap_or(CountedFrom::Best);
        Some((scope, Self { of, against, rank: rank.unwrap_or(1), from }))
    }
}
