//! Two intertwined spirals (topchy, Table 2 and Figures 2 and 5; peace, Table 1 and Figure 1a).
//!
//! Spiral c ∈ {0, 1} is (θ cos(θ + cπ), θ sin(θ + cπ)), θ from θ₀ to θ₁, plus normal noise on both coordinates. Along
//! r = θ the length of the curve grows about as θ²/2, so θ = √(θ₀² + u (θ₁² − θ₀²)) with u ∈ [0, 1) spaces points evenly.

use std::f64::consts::PI;

use super::draw::{DatasetRng, Points};
use super::{Synthetic, SyntheticData, SyntheticKind};

/// Neither paper prints coordinates. Range and noise were chosen for topchy's mean k-means error and so that single link
/// on co-associations of random projections finds the spirals at the k and H of topchy's Table 9.
pub(super) const TWO_SPIRALS: Synthetic = Synthetic {
    name: "2-spirals",
    title: "2-spirals",
    n: 200,
    d: 2,
    classes: 2,
    kind: SyntheticKind::Synthetic,
    description: "After topchy, Table 2 and Figure 5: two Archimedean spirals r = θ of 100 points, θ from π to 2.8π, the \
                  second turned by half a turn, normal noise of standard deviation 0.1. The paper prints no \
                  coordinates: the range of θ is chosen so that k-means makes its mean error of 43.5 %.",
    make: || Spirals { points: 100, from: PI, to: 2.8 * PI, noise: 0.1 }.make(&mut DatasetRng::of(TWO_SPIRALS.name, 1)),
};

/// Wound more loosely than [`TWO_SPIRALS`]: peace's ensembles of k = 2 … 8 can then tell the arms apart, as it reports.
pub(super) const SPIRAL: Synthetic = Synthetic {
    name: "spiral",
    title: "Spiral",
    n: 200,
    d: 2,
    classes: 2,
    kind: SyntheticKind::Synthetic,
    description: "After peace, Table 1 and Figure 1a: two Archimedean spirals r = θ of 100 points, θ from π/4 to 1.75π, \
                  the second turned by half a turn, normal noise of standard deviation 0.1. The paper prints no \
                  coordinates: the range of θ is a choice under which k-means ensembles with k from 2 to 8 and single \
                  link can tell the arms apart.",
    make: || {
        Spirals { points: 100, from: 0.25 * PI, to: 1.75 * PI, noise: 0.1 }.make(&mut DatasetRng::of(SPIRAL.name, 1))
    },
};

struct Spirals {
    /// Points on each spiral.
    points: usize,
    /// θ₀, where a spiral begins.
    from: f64,
    /// θ₁, where it ends.
    to: f64,
    /// Standard deviation of the noise.
    noise: f64,
}

impl Spirals {
    fn make(&self, draw: &mut DatasetRng) -> SyntheticData {
        let mut points = Points::new(2);
        for (class, turn) in [(0, 0.0), (1, PI)] {
            for u in draw.stratified(self.points) {
                let theta = (self.from * self.from + u * (self.to * self.to - self.from * self.from)).sqrt();
                let x = theta * libm::cos(theta + turn) + self.noise * draw.normal();
                let y = theta * libm::sin(theta + turn) + self.noise * draw.normal();
                points.push(class, &[x, y]);
            }
        }
        points.finish(["first spiral", "second spiral"])
    }
}
