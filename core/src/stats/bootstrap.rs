//! Bootstrap interval of a mean: bias-corrected and accelerated (Efron 1987, "Better bootstrap confidence intervals").

use super::describe::{mean, quantile, sorted};
use super::normal::{normal_cdf, normal_quantile};
use crate::seed::Id;
use rand::RngExt;

/// How often a sample is drawn again.
pub const RESAMPLES: usize = 10_000;

/// The BCa interval of the mean at confidence `level`; `None` when there are fewer than two values.
///
/// With θ* the means of [`RESAMPLES`] samples drawn with replacement, its ends are the quantiles of θ* at
/// Φ(z₀ + (z₀ + z) / (1 − a (z₀ + z))), z = Φ⁻¹(α/2) and Φ⁻¹(1 − α/2), where z₀ = Φ⁻¹(share of θ* below the mean, ties
/// counted half) corrects the bias and a = Σ (x − mean)³ / (6 (Σ (x − mean)²)^1.5) the change of the spread: the jackknife's
/// value for a mean.
///
/// The random numbers follow from the values alone, in whatever order: the same sample has the same interval, always and
/// everywhere. A constant sample has a point.
///
/// # Panics
/// When `level` is not strictly between 0 and 1.
pub fn bootstrap_interval(values: &[f64], level: f64) -> Option<[f64; 2]> {
    assert!(level > 0.0 && level < 1.0, "a confidence level is between 0 and 1, not {level}");
    if values.len() < 2 {
        return None;
    }
    let sample = sorted(values);
    let (least, most) = (sample[0], sample[sample.len() - 1]);
    if least == most {
        return Some([least, most]);
    }
    let bytes: Vec<u8> = sample.iter().flat_map(|value| value.to_le_bytes()).collect();
    let mut rng = Id::of("bootstrap", &[&bytes]).rng("resample");
    let resampled = (0..RESAMPLES).map(|_| {
        let drawn: f64 = (0..sample.len()).map(|_| sample[rng.random_range(0..sample.len())]).sum();
        drawn / sample.len() as f64
    });
    let means: Vec<f64> = resampled.collect();
    bca_ends(&sample, &means, level)
}

/// The interval from the means of samples drawn again.
fn bca_ends(sample: &[f64], means: &[f64], level: f64) -> Option<[f64; 2]> {
    let centre = mean(sample)?;
    // Sums of the same values in another order differ in their last bits; those are ties.
    let rounding = 1e-12 * sample.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
    let below = means.iter().filter(|mean| **mean < centre - rounding).count() as f64;
    let equal = means.iter().filter(|mean| (**mean - centre).abs() <= rounding).count() as f64;
    let bias = normal_quantile((below + equal / 2.0) / means.len() as f64);
    let [squares, cubes] = [2, 3].map(|power| sample.iter().map(|value| (value - centre).powi(power)).sum::<f64>());
    let acceleration = cubes / (6.0 * squares.powf(1.5));
    let end = |tail: f64| {
        let shifted = bias + normal_quantile(tail);
        quantile(means, normal_cdf(bias + shifted / (1.0 - acceleration * shifted)))
    };
    let tail = (1.0 - level) / 2.0;
    Some([end(tail)?, end(1.0 - tail)?])
}

#[cfg(test)]
mod tests {
    use super::super::interval::mean_interval;
    use super::*;

    /// Differences of Darwin's plants in eighths of an inch, as in Efron's own examples.
    const PLANTS: [f64; 15] =
        [49.0, -67.0, 8.0, 16.0, 6.0, 23.0, 28.0, 41.0, 14.0, 29.0, 56.0, 24.0, 75.0, 60.0, -48.0];

    /// Means of all nⁿ samples that can be drawn.
    fn every_mean(sample: &[f64]) -> Vec<f64> {
        let n = sample.len();
        let all = (0..n.pow(u32::try_from(n).expect("a small sample"))).map(|mut which| {
            let mut total = 0.0;
            for _ in 0..n {
                total += sample[which % n];
                which /= n;
            }
            total / n as f64
        });
        all.collect()
    }

    #[test]
    fn drawing_at_random_comes_near_to_drawing_every_sample() {
        for sample in [[0.11, 0.43, 0.52, 0.97, 3.01], [-2.07, -1.13, 0.02, 0.94, 2.58], [5.03, 1.27, 4.11, 2.36, 2.92]]
        {
            let exact = bca_ends(&sorted(&sample), &every_mean(&sample), 0.95).expect("five values");
            let drawn = bootstrap_interval(&sample, 0.95).expect("five values");
            let spread = mean_interval(&sample, 0.95).expect("five values").half_width;
            for (one, other) in exact.iter().zip(drawn) {
                assert!((one - other).abs() < 0.05 * spread, "{exact:?} {drawn:?}");
            }
        }
    }

    #[test]
    fn darwins_plants_come_near_to_scipy() {
        // scipy.stats.bootstrap(method = "BCa") with a million resamples; 10,000 leave an error of about half a unit.
        let [low, high] = bootstrap_interval(&PLANTS, 0.95).expect("fifteen values");
        assert!((low + 1.667).abs() < 1.0 && (high - 36.333).abs() < 1.0, "{low} {high}");
    }

    #[test]
    fn the_order_of_the_values_does_not_matter_and_the_interval_repeats() {
        let mut turned = PLANTS;
        turned.reverse();
        assert_eq!(bootstrap_interval(&PLANTS, 0.95), bootstrap_interval(&turned, 0.95));
    }

    #[test]
    fn the_interval_leans_to_the_side_of_the_long_tail_as_the_t_interval_cannot() {
        let skewed: Vec<f64> = (1..=20).map(|i| f64::from(i * i * i)).collect();
        let [low, high] = bootstrap_interval(&skewed, 0.95).expect("twenty values");
        let centre = mean(&skewed).expect("twenty values");
        assert!(high - centre > 1.15 * (centre - low), "{low} {centre} {high}");
    }

    #[test]
    fn one_value_has_no_interval_and_equal_ones_have_a_point() {
        assert_eq!(bootstrap_interval(&[1.0], 0.95), None);
        assert_eq!(bootstrap_interval(&[0.3; 6], 0.95), Some([0.3, 0.3]));
    }
}
