//! What a step does to eight places at once. Sums that decide anything have a lane for every eighth place, so that the order of
//! additions is the same whatever vectors a machine has; vectors are spelled out, because of loops over eight numbers the
//! compiler does not always make any.

use fearless_simd::{Simd, f32x8, f64x8, prelude::*};

use super::FLOOR;

/// Places that are worked on at once; whatever there is of every place is padded to a multiple of it.
pub(super) const LANES: usize = 8;

/// A number for each of eight places; a sum, with the additions of every eighth place in a lane. In a cache line of its own, of
/// which machines with long vectors read twice as many a time as of halves of two.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[repr(align(64))]
pub(super) struct Lanes(pub(super) [f64; LANES]);

impl Lanes {
    pub(super) const ZERO: Self = Self([0.0; LANES]);
    pub(super) const LEAST: Self = Self([f64::NEG_INFINITY; LANES]);

    /// Into registers.
    #[inline(always)]
    pub(super) fn load<S: Simd>(&self, simd: S) -> f64x8<S> {
        f64x8::simd_from(simd, self.0)
    }

    /// From registers.
    #[inline(always)]
    pub(super) fn store<S: Simd>(&mut self, values: f64x8<S>) {
        self.0 = values.into();
    }
}

/// The numbers of all places.
pub(super) fn flat(lanes: &[Lanes]) -> impl Iterator<Item = f64> + '_ {
    lanes.iter().flat_map(|lanes| lanes.0)
}

/// The pairs of J with eight places: C_Ji and N_Ji − C_Ji.
#[derive(Clone, Copy)]
pub(super) struct Counts<S: Simd> {
    pub(super) together: f64x8<S>,
    pub(super) apart: f64x8<S>,
}

impl<S: Simd> Counts<S> {
    #[inline(always)]
    pub(super) fn load(simd: S, counts: [&[f32; LANES]; 2]) -> Self {
        let [together, apart] = counts.map(
            #[inline(always)]
            |counts| {
                let (first, last) = simd.widen_f32x8(f32x8::simd_from(simd, *counts));
                simd.combine_f64x4(first, last)
            },
        );
        Self { together, apart }
    }
}

/// The terms of ρ and of its fall, and the weights.
#[derive(Clone, Copy)]
pub(super) struct SlopeTerms<S: Simd> {
    pub(super) rho: f64x8<S>,
    pub(super) fall: f64x8<S>,
    pub(super) w: f64x8<S>,
}

/// At least [`FLOOR`].
#[inline(always)]
pub(super) fn floored(probability: f64) -> f64 {
    if probability > FLOOR { probability } else { FLOOR }
}

/// p and 1 − p, at least [`FLOOR`].
#[inline(always)]
fn both_floored<S: Simd>(p: f64x8<S>) -> [f64x8<S>; 2] {
    [p.max(FLOOR), (1.0 - p).max(FLOOR)]
}

/// w at the probabilities p. One division serves both terms: C/x − (N − C)/z = (C z − (N − C) x)/(x z).
#[inline(always)]
pub(super) fn weights<S: Simd>(counts: Counts<S>, p: f64x8<S>) -> f64x8<S> {
    let [x, z] = both_floored(p);
    (counts.together * z - counts.apart * x) / (x * z)
}

/// The slope at the probabilities p along d, and the weights.
#[inline(always)]
pub(super) fn slope_terms<S: Simd>(Counts { together, apart }: Counts<S>, p: f64x8<S>, d: f64x8<S>) -> SlopeTerms<S> {
    let [x, z] = both_floored(p);
    let (pull, both) = (together * z - apart * x, x * z);
    let q = d / both;
    SlopeTerms { rho: pull * q, fall: (together * z * z + apart * x * x) * (q * q), w: pull / both }
}

/// The highest entries of g and the lowest where y is not 0, of more and more clusters.
#[derive(Clone, Copy)]
pub(super) struct Extremes<S: Simd> {
    highest: f64x8<S>,
    lowest: f64x8<S>,
}

impl<S: Simd> Extremes<S> {
    #[inline(always)]
    pub(super) fn new(simd: S) -> Self {
        Self { highest: f64x8::splat(simd, f64::NEG_INFINITY), lowest: f64x8::splat(simd, f64::INFINITY) }
    }

    #[inline(always)]
    pub(super) fn widen(&mut self, y: f64x8<S>, g: f64x8<S>) {
        let supported = y.simd_gt(0.0).select(g, f64x8::splat(y.simd, f64::INFINITY));
        self.highest = self.highest.max(g);
        self.lowest = self.lowest.min(supported);
    }

    /// Bounds that some entry of every place has.
    #[inline(always)]
    pub(super) fn bounds(self) -> GradientBounds {
        GradientBounds { highest: Lanes(self.highest.into()), lowest: Lanes(self.lowest.into()) }
    }
}

/// Of eight places what no entry of g is above, and what none is below where y is not 0. They hold to the last bit: rounding is
/// monotone, so an entry that was no lower than its bound still is when the same or less was added to the bound.
#[derive(Debug, Clone, Copy)]
pub(super) struct GradientBounds {
    highest: Lanes,
    lowest: Lanes,
}

impl GradientBounds {
    /// Of places without any entry.
    pub(super) const NONE: Self = Self { highest: Lanes::LEAST, lowest: Lanes([f64::INFINITY; LANES]) };

    /// Follows entries that moved: the highest is one of them or was it before, and no entry fell deeper than the deepest fall.
    #[inline(always)]
    pub(super) fn follow<S: Simd>(&mut self, moved: Moved<S>) {
        let simd = moved.fall.simd;
        self.highest.store(self.highest.load(simd).max(moved.highest));
        self.lowest.store(self.lowest.load(simd) + moved.fall);
    }

    /// What no KKT gap is above; −∞ for padding, whose support is empty.
    #[inline(always)]
    pub(super) fn gaps<S: Simd>(&self, simd: S) -> f64x8<S> {
        self.highest.load(simd) - self.lowest.load(simd)
    }
}

/// The highest of the entries of g that moved, and the deepest fall.
#[derive(Clone, Copy)]
pub(super) struct Moved<S: Simd> {
    highest: f64x8<S>,
    fall: f64x8<S>,
}

impl<S: Simd> Moved<S> {
    #[inline(always)]
    pub(super) fn new(simd: S) -> Self {
        Self { highest: f64x8::splat(simd, f64::NEG_INFINITY), fall: f64x8::splat(simd, 0.0) }
    }

    /// By how much an entry changed, and what it is now.
    #[inline(always)]
    pub(super) fn widen(&mut self, change: f64x8<S>, value: f64x8<S>) {
        self.highest = self.highest.max(value);
        self.fall = self.fall.min(change);
    }
}

/// The largest value of every lane.
#[inline(always)]
pub(super) fn largest<S: Simd>(simd: S, values: impl Iterator<Item = f64x8<S>>) -> f64x8<S> {
    let mut most = Lanes::LEAST.load(simd);
    for values in values {
        most = most.max(values);
    }
    most
}
