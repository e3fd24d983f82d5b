//! Datasets made by formula, and stand-ins for data that could not be obtained.
//!
//! | file | datasets |
//! |---|---|
//! | `spirals` | `2-spirals`, `spiral` |
//! | `half_rings` | `half-rings` |
//! | `outliers` | `two-clusters-outliers`, `two-clusters-outliers-alone` |
//! | `control_chart` | `control-chart-synthetic` |
//! | `mixture` | Gaussian sub-clusters with a class mix each: what the next two are made of |
//! | `galaxy`, `biochemical` | the stand-ins of these names |
//! | `image_c` | `image-c`, a stand-in |
//!
//! A dataset is fixed, like a file: its random numbers come from its name and version and from nothing in a spec, and
//! its elementary functions from `libm`, so every run on every machine sees the same bytes. One that is made
//! differently from one day to the next gets the next version, which changes every result that depends on it.
//!
//! Objects are in the order of their classes.

mod biochemical;
mod control_chart;
mod draw;
mod galaxy;
mod half_rings;
mod image_c;
mod mixture;
mod outliers;
mod spirals;
#[cfg(test)]
mod tests;

use super::Matrix;
use crate::ensemble::Partition;

/// A dataset that is made, not read.
#[derive(Debug, Clone)]
pub(super) struct Synthetic {
    /// Name in specs and results.
    pub name: &'static str,
    /// A human name.
    pub title: &'static str,
    /// Number of objects.
    pub n: usize,
    /// Number of features.
    pub d: usize,
    /// Number of classes.
    pub classes: usize,
    /// Whether it is the thing itself.
    pub kind: SyntheticKind,
    /// What it is made after, how it is made, and what it is not.
    pub description: &'static str,
    /// Makes it; the same every time.
    pub make: fn() -> SyntheticData,
}

/// Whether a made dataset is the thing itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SyntheticKind {
    /// Synthetic by nature: made after a published description.
    Synthetic,
    /// In the place of real data that could not be obtained; results on it are never a reproduction.
    StandIn,
}

/// What [`Synthetic::make`] makes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SyntheticData {
    /// The features.
    pub features: Matrix,
    /// The classes.
    pub truth: Partition,
    /// Names of the classes, by code.
    pub class_names: Vec<String>,
}

static ALL: [Synthetic; 9] = [
    spirals::TWO_SPIRALS,
    half_rings::HALF_RINGS,
    spirals::SPIRAL,
    outliers::TWO_CLUSTERS_OUTLIERS,
    outliers::TWO_CLUSTERS_OUTLIERS_ALONE,
    control_chart::CONTROL_CHART,
    galaxy::GALAXY,
    biochemical::BIOCHEMICAL,
    image_c::IMAGE_C,
];

/// Every dataset that can be made.
#[must_use]
pub(super) fn all() -> &'static [Synthetic] {
    &ALL
}
