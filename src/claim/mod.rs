//! What papers claim, and what came of it.
//!
//! A claim is data in a spec: where the paper says it, what it says in our words, and a check over stored results. A
//! check ends in a [`Judgement`]: a [`Verdict`] with the [`Evidence`] it rests on.
//!
//! # Rules
//! The independent unit is the ensemble: runs on one ensemble are averaged first. (Where there is one ensemble only, the
//! claim is about that one, and its runs are the units.) Intervals are 95 %.
//! - Means, and means of the run with the best objective, have a t interval; differences are paired where both have seen
//!   the same ensembles, whichever labels are missing from them, and Welch's where they have seen different ones. Standard
//!   deviations and medians have the percentile interval of 999 bootstrap draws of ensembles. Smallest and largest values
//!   have none: they are facts of the runs made, and are compared as they are.
//! - A comparison **holds** where the whole interval of the difference lies on the claimed side, or all differences are 0
//!   and ties are allowed. It is **contradicted** where the whole interval lies on the other side, or all differences are
//!   0 and ties are not allowed. Else it is **undecided**, and the number of ensembles is estimated whose interval would
//!   be narrower than the difference.
//! - A count ("on eight of ten") is reproduced where enough places hold for sure, not reproduced where too many are
//!   contradicted, and inconclusive where undecided places could tip it.
//! - A printed number is judged by what a repeat of the paper's experiment would print: `printed/forecast.rs`. A table is judged by
//!   how many of its numbers true repeats of the whole table contradict: `printed/whole.rs`.
//! - Every claim has a repeat probability besides: of 2,000 simulated repeats of the paper's size, the share that says what
//!   the paper says (`repeats/`).
//! - Stand-in data, absent data and missing runs earn no verdict; failed runs decide nothing. Numbers that the
//!   [audit](self) finds impossible are never counted as not reproduced.
//!
//! | file | what it does |
//! |---|---|
//! | `judge.rs` | a claim to its judgement |
//! | `checks/` | one file for each check: evidence at every place |
//! | `count.rs` | from places to a verdict |
//! | `quantity.rs` | from places to the number that a claim is about |
//! | `universes/` | the same claim in every universe |
//! | `printed/` | printed numbers of tables, figures, listings and tests |
//! | `audit/` | printed numbers that cannot be |
//! | `picture.rs` | claims about pictures |
//! | `estimate.rs`, `sample.rs` | numbers with their intervals, from runs |
//! | `repeats/` | simulated repeats of the paper's experiment |
//! | `pairing.rs` | differences, and which numbers belong together in them |
//! | `finding.rs` | what came of many claims, in one sentence |
//! | `scorecard.rs` | the judgements of many experiments, counted |
//! | `stored.rs` | how parts of judgements are written down and read back |
//! | `place.rs`, `source.rs` | where claims look, and what they find there |

pub(crate) mod audit;
mod checks;
mod count;
mod estimate;
mod finding;
mod judge;
mod model;
mod pairing;
mod picture;
mod place;
pub(crate) mod printed;
mod quantity;
mod repeat_words;
mod repeats;
mod sample;
mod scorecard;
mod source;
mod stored;
pub(crate) mod universes;

#[cfg(test)]
mod tests;

pub(crate) use count::about;
pub(crate) use finding::finding;
pub(crate) use judge::{Stored, judge};
pub(crate) use model::{
    AuditOutcome, ClaimKind, Evidence, Judgement, NotRun, NumberJudgement, Repeat, RepeatShare, Verdict,
};
#[cfg(test)]
pub(crate) use scorecard::sample::scorecard as sample_scorecard;
pub(crate) use scorecard::{
    AuditCount, ControlCount, ControlFit, ExperimentCard, PaperCard, Scorecard, Tally, place_order,
};
