//! What papers claim, and what came of it.
//!
//! A claim is data in a spec: where the paper says it, what it says in our words, and a check over stored results. A
//! check ends in a [`Judgement`]: a [`Verdict`] with the [`Evidence`] it rests on.

mod model;

pub use model::{Evidence, Judgement, Verdict};
