//! Location, spread and quantiles of a sample.

/// Minimum, lower quartile, median, upper quartile and maximum.
pub type FiveNumbers = [f64; 5];

/// The summary of one sample.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Describe {
    /// Number of values.
    pub n: usize,
    /// Arithmetic mean.
    pub mean: f64,
    /// Standard deviation with divisor n − 1; `None` for a single value.
    pub sd: Option<f64>,
    /// Minimum, quartiles and maximum.
    pub quartiles: FiveNumbers,
}

impl Describe {
    /// Summarises a sample; `None` when it is empty.
    pub fn of(values: &[f64]) -> Option<Describe> {
        Some(Describe { n: values.len(), mean: mean(values)?, sd: sd(values), quartiles: quartiles(values)? })
    }
}

/// Σ x, with compensation (Neumaier) and over the values in ascending order, so that any order of the slice gives the
/// same sum to the last bit.
pub fn sum(values: &[f64]) -> f64 {
    sum_of_sorted(&sorted(values))
}

/// (1/n) Σ x; `None` when there are no values.
pub fn mean(values: &[f64]) -> Option<f64> {
    let sorted = sorted(values);
    let (&least, &most) = (sorted.first()?, sorted.last()?);
    let mean = sum_of_sorted(&sorted) / sorted.len() as f64;
    // The division may round past the ends, which would give a constant sample a spread. NaN must stay NaN.
    Some(if mean < least {
        least
    } else if mean > most {
        most
    } else {
        mean
    })
}

/// √(Σ (x − mean)² / (n − 1)); `None` when there are fewer than two values.
pub fn sd(values: &[f64]) -> Option<f64> {
    if values.len() < 2 {
        return None;
    }
    let mean = mean(values)?;
    let squares: Vec<f64> = values.iter().map(|x| (x - mean) * (x - mean)).collect();
    Some((sum(&squares) / (values.len() - 1) as f64).sqrt())
}

/// The `q` quantile by linear interpolation between order statistics at (n − 1)q (type 7 of Hyndman and Fan, the
/// default of R and NumPy); `None` when there are no values.
///
/// # Panics
/// When `q` is not between 0 and 1.
pub fn quantile(values: &[f64], q: f64) -> Option<f64> {
    quantile_of_sorted(&sorted(values), q)
}

/// Quantiles 0, ¼, ½, ¾ and 1; `None` when there are no values.
pub fn quartiles(values: &[f64]) -> Option<FiveNumbers> {
    let sorted = sorted(values);
    let mut numbers = [0.0; 5];
    for (number, q) in numbers.iter_mut().zip([0.0, 0.25, 0.5, 0.75, 1.0]) {
        *number = quantile_of_sorted(&sorted, q)?;
    }
    Some(numbers)
}

pub(super) fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted
}

fn quantile_of_sorted(sorted: &[f64], q: f64) -> Option<f64> {
    assert!((0.0..=1.0).contains(&q), "a quantile is between 0 and 1, not {q}");
    let last = sorted.len().checked_sub(1)?;
    let position = last as f64 * q;
    let below = position.floor() as usize;
    let above = (below + 1).min(last);
    let fraction = position - below as f64;
    Some(sorted[below] + fraction * (sorted[above] - sorted[below]))
}

fn sum_of_sorted(sorted: &[f64]) -> f64 {
    let (mut total, mut lost) = (0.0_f64, 0.0);
    for &value in sorted {
        let next = total + value;
        lost += if total.abs() >= value.abs() { (total - next) + value } else { (value - next) + total };
        total = next;
    }
    // With an infinite total the compensation is ∞ − ∞ and says nothing.
    if total.is_finite() { total + lost } else { total }
}

/// Skewness with its small-sample correction, n / ((n − 1)(n − 2)) Σ ((x − x̄) / sd)³; `None` for fewer than three values, or none
/// that differ.
#[must_use]
pub fn skewness(values: &[f64]) -> Option<f64> {
    let n = values.len() as f64;
    let (mean, sd) = (mean(values)?, sd(values)?);
    if n < 3.0 || sd <= 1e-12 * mean.abs() {
        return None;
    }
    let cubes: Vec<f64> = values.iter().map(|value| ((value - mean) / sd).powi(3)).collect();
    Some(n / ((n - 1.0) * (n - 2.0)) * sum(&cubes))
}

/// Kurtosis m₄ / m₂², 3 for a normal distribution; `None` where no values differ.
#[must_use]
pub fn kurtosis(values: &[f64]) -> Option<f64> {
    let mean = mean(values)?;
    let moment = |power: i32| {
        let powers: Vec<f64> = values.iter().map(|value| (value - mean).powi(power)).collect();
        sum(&powers) / values.len() as f64
    };
    Some(moment(4) / moment(2).powi(2)).filter(|kurtosis| kurtosis.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skewness_and_kurtosis_equal_scipy() {
        let sample = [1.0, 2.0, 4.0, 8.0, 16.0];
        assert!((skewness(&sample).unwrap() - 1.325_314_709_813_404_6).abs() < 1e-9, "{:?}", skewness(&sample));
        assert!((kurtosis(&sample).unwrap() - 2.325_940_860_215_052_6).abs() < 1e-9, "{:?}", kurtosis(&sample));
        assert_eq!((skewness(&[1.0, 2.0]), skewness(&[0.5; 9]), kurtosis(&[0.5; 9])), (None, None, None));
    }

    const SAMPLE: [f64; 5] = [2.1, 3.4, 1.9, 5.6, 4.4];

    #[test]
    fn description_of_a_sample_equals_numpy() {
        let description = Describe::of(&SAMPLE).expect("the sample has values");
        assert_eq!(description.n, 5);
        assert!((description.mean - 3.48).abs() < 1e-15);
        let sd = description.sd.expect("the sample has two values");
        assert!((sd - 1.5610893632332519).abs() < 1e-15);
        assert_eq!(description.quartiles, [1.9, 2.1, 3.4, 4.4, 5.6]);
    }

    #[test]
    fn quantiles_interpolate_as_type_7() {
        let quartiles = quartiles(&[4.0, 1.0, 3.0, 2.0]);
        assert_eq!(quartiles, Some([1.0, 1.75, 2.5, 3.25, 4.0]));
        let ninth = quantile(&SAMPLE, 0.9).expect("the sample has values");
        assert!((ninth - 5.12).abs() < 1e-14);
        assert_eq!(quantile(&[7.0], 0.3), Some(7.0));
    }

    #[test]
    fn too_few_values_have_no_statistic() {
        assert_eq!(Describe::of(&[]), None);
        assert_eq!(quantile(&[], 0.5), None);
        assert_eq!(sd(&[1.0]), None);
        assert_eq!(mean(&[1.0]), Some(1.0));
    }

    #[test]
    #[should_panic(expected = "between 0 and 1")]
    fn a_quantile_above_one_is_refused() {
        quantile(&SAMPLE, 1.5);
    }

    #[test]
    fn a_sum_keeps_what_a_plain_loop_loses_and_ignores_order() {
        assert_eq!(sum(&[1e16, 1.0, -1e16, 1.0]), 2.0);
        let forth: Vec<f64> = (1..=1000).map(|i| 1.0 / f64::from(i * i)).collect();
        let back: Vec<f64> = forth.iter().rev().copied().collect();
        assert_eq!(sum(&forth).to_bits(), sum(&back).to_bits());
    }

    #[test]
    fn a_constant_sample_has_no_spread() {
        for value in [0.1, 0.7, 1.0 / 3.0, 1e300] {
            let constant = [value; 7];
            assert_eq!(mean(&constant), Some(value));
            assert_eq!(sd(&constant), Some(0.0));
        }
    }

    #[test]
    fn a_large_offset_does_not_disturb_the_spread() {
        let shifted: Vec<f64> = [1.0, 2.0, 3.0, 4.0].iter().map(|x| x + 1e9).collect();
        let sd = sd(&shifted).expect("four values");
        assert!((sd - (5.0_f64 / 3.0).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn missing_numbers_stay_visible() {
        assert!(mean(&[1.0, f64::NAN]).is_some_and(f64::is_nan));
        assert_eq!(mean(&[1.0, f64::INFINITY]), Some(f64::INFINITY));
    }
}
