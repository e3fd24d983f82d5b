//! Numbers of the command line within the bounds that specs have.

use std::num::{NonZeroU32, NonZeroUsize};

use crate::plan::Shard;
use crate::spec::bounds;

/// How many base clusterings.
///
/// # Errors
/// In words: what was expected.
pub(super) fn base_clusterings(text: &str) -> Result<NonZeroUsize, String> {
    up_to(text, bounds::BASE_CLUSTERINGS)
}

/// How many clusters, where the objects are not counted yet.
///
/// # Errors
/// In words: what was expected.
pub(super) fn clusters(text: &str) -> Result<NonZeroUsize, String> {
    up_to(text, u32::MAX as usize)
}

/// The largest number of clusters to try.
///
/// # Errors
/// In words: what was expected.
pub(super) fn largest_k(text: &str) -> Result<NonZeroUsize, String> {
    between(text, 2, 100)
}

/// How many subsamples.
///
/// # Errors
/// In words: what was expected.
pub(super) fn draws(text: &str) -> Result<NonZeroUsize, String> {
    between(text, 10, 1000)
}

/// How many references: fewer do not say how PACs vary.
///
/// # Errors
/// In words: what was expected.
pub(super) fn references(text: &str) -> Result<NonZeroUsize, String> {
    between(text, 10, 1000)
}

/// How many worker threads.
///
/// # Errors
/// In words: what was expected.
pub(super) fn threads(text: &str) -> Result<NonZeroUsize, String> {
    const MOST: usize = 4096;
    up_to(text, MOST)
}

/// How many shares of a run.
///
/// # Errors
/// In words: what was expected.
pub(super) fn shards(text: &str) -> Result<NonZeroU32, String> {
    Shard::count(text).ok_or_else(|| format!("expected a whole number from 1 to {}", Shard::MOST))
}

/// A whole number of seconds.
///
/// # Errors
/// In words: what was expected.
pub(super) fn seconds(text: &str) -> Result<u64, String> {
    let most = bounds::SECONDS as u64;
    let seconds = text.parse::<u64>().ok().filter(|seconds| *seconds <= most);
    seconds.ok_or_else(|| format!("expected a whole number of seconds from 0 to {most}"))
}

/// A seed.
///
/// # Errors
/// In words: what was expected.
pub(super) fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("expected a whole number from 0 to {}", u64::MAX))
}

fn up_to(text: &str, most: usize) -> Result<NonZeroUsize, String> {
    between(text, 1, most)
}

fn between(text: &str, least: usize, most: usize) -> Result<NonZeroUsize, String> {
    let number = text.parse::<NonZeroUsize>().ok().filter(|number| (least..=most).contains(&number.get()));
    number.ok_or_else(|| format!("expected a whole number from {least} to {most}"))
}
