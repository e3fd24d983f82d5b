//! Confidence interval of a mean.

use super::describe::{mean, sd};
use statrs::distribution::{ContinuousCDF, FisherSnedecor, StudentsT};

/// A mean and how far its confidence interval reaches to either side.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeanInterval {
    /// Arithmetic mean.
    pub mean: f64,
    /// t(1 − α/2; n − 1) · sd / √n.
    pub half_width: f64,
    /// Number of values.
    pub n: usize,
}

impl MeanInterval {
    /// The lower and the upper end.
    pub fn ends(&self) -> [f64; 2] {
        [self.mean - self.half_width, self.mean + self.half_width]
    }

    /// Its ends, for values that cannot be below `low` or above `high` (infinite where there is no such bound). Where the
    /// interval would reach beyond one of them, it is that of a transformed mean, by the delta method: with m the mean and h
    /// the half-width, ln((m − low) / (high − m)) ± h (high − low) / ((m − low) (high − m)) between two bounds, and
    /// ln(m − low) ± h / (m − low) or ln(high − m) ± h / (high − m) beside one, transformed back.
    #[must_use]
    pub fn within(&self, [low, high]: [f64; 2]) -> [f64; 2] {
        let (below, above) = (self.mean - low, high - self.mean);
        if !(self.half_width > below || self.half_width > above) {
            return self.ends();
        }
        if below <= 0.0 || above <= 0.0 {
            // All values are the bound, but for rounding.
            return [self.mean; 2];
        }
        let scaled = |distance: f64| [-1.0, 1.0].map(|sign: f64| distance * (sign * self.half_width / distance).exp());
        let [from, to] = match (low.is_finite(), high.is_finite()) {
            (true, true) => [-1.0, 1.0].map(|sign| {
                let shift = sign * self.half_width * (high - low) / (below * above);
                low + (high - low) / (1.0 + (above.ln() - below.ln() - shift).exp())
            }),
            (true, false) => scaled(below).map(|distance| low + distance),
            (false, true) => {
                let [near, far] = scaled(above);
                [high - far, high - near]
            }
            (false, false) => self.ends(),
        };
        // Rounding may pass the mean or a bound.
        [from.min(self.mean).max(low), to.max(self.mean).min(high)]
    }
}

/// The Student t interval of the mean at confidence `level`: mean ± t(1 − α/2; n − 1) · sd / √n with α = 1 − level;
/// `None` when there are fewer than two values.
///
/// # Panics
/// When `level` is not strictly between 0 and 1.
pub fn mean_interval(values: &[f64], level: f64) -> Option<MeanInterval> {
    let (mean, sd, n) = (mean(values)?, sd(values)?, values.len());
    let half_width = t_quantile(level, n as f64 - 1.0) * sd / (n as f64).sqrt();
    Some(MeanInterval { mean, half_width, n })
}

/// Student's t with n − 1 degrees of freedom, for samples of n ≥ 2.
pub(super) fn student(n: usize) -> StudentsT {
    StudentsT::new(0.0, 1.0, n as f64 - 1.0).expect("two or more values leave a degree of freedom")
}

/// The t that the middle `level` of the distribution with so many degrees of freedom, whole or not, lies within.
///
/// # Panics
/// When `level` is not strictly between 0 and 1, or there is no freedom.
#[must_use]
pub fn t_quantile(level: f64, freedom: f64) -> f64 {
    assert!(level > 0.0 && level < 1.0, "a confidence level is between 0 and 1, not {level}");
    let student = StudentsT::new(0.0, 1.0, freedom).expect("there is some freedom");
    let tail = 0.5 - 0.5 * level;
    inverted(|t| tail - student.sf(t), 0.0)
}

/// Where an increasing function is 0, from `low` on. Found by halving: the inverse of the incomplete beta function in statrs leaves as few
/// as five digits from about 10⁴ degrees of freedom on, and does not end for some degrees.
fn inverted(function: impl Fn(f64) -> f64, mut low: f64) -> f64 {
    let mut high = 1.0f64.max(2.0 * low);
    while function(high) < 0.0 && high < f64::MAX / 2.0 {
        (low, high) = (high, 2.0 * high);
    }
    // Until no number lies between them.
    loop {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            return middle;
        }
        if function(middle) < 0.0 { low = middle } else { high = middle }
    }
}

/// The number that a variable of the F distribution stays below with probability `p`.
///
/// # Panics
/// When `p` is not strictly between 0 and 1, or there is no freedom.
#[must_use]
pub fn f_quantile(p: f64, numerator: f64, denominator: f64) -> f64 {
    assert!(p > 0.0 && p < 1.0, "a probability is between 0 and 1, not {p}");
    let f = FisherSnedecor::new(numerator, denominator).expect("there is some freedom");
    inverted(|x| f.cdf(x) - p, 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLE: [f64; 5] = [2.1, 3.4, 1.9, 5.6, 4.4];

    #[test]
    fn half_widths_equal_scipy() {
        let expected = [(0.90, 1.488328340491087), (0.95, 1.9383484603055678), (0.99, 3.2143045753992134)];
        for (level, half_width) in expected {
            let interval = mean_interval(&SAMPLE, level).expect("five values");
            assert!((interval.half_width - half_width).abs() < 1e-10, "{level}");
            assert!((interval.mean - 3.48).abs() < 1e-15);
            assert_eq!(interval.n, 5);
            assert!((interval.ends()[0] - (3.48 - half_width)).abs() < 1e-10);
            assert!((interval.ends()[1] - (3.48 + half_width)).abs() < 1e-10);
        }
    }

    #[test]
    fn f_quantiles_equal_tables_and_end_for_every_freedom() {
        // NIST/SEMATECH e-Handbook, §1.3.6.7.3, upper 5 %: F(10, 10) and F(1, 5); and F(d, ∞) against χ²(3) = 7.815.
        for (freedom, expected) in [([10.0, 10.0], 2.978), ([1.0, 5.0], 6.608), ([3.0, 1e9], 7.815 / 3.0)] {
            let found = f_quantile(0.95, freedom[0], freedom[1]);
            assert!((found - expected).abs() < 1e-3, "{freedom:?}: {found}");
        }
        let freedoms = (0..60).map(|step| 1.0 + 1.37 * f64::from(step) * f64::from(step) / 3.0);
        for (one, other) in freedoms.clone().flat_map(|one| freedoms.clone().map(move |other| (one, other))) {
            let f = FisherSnedecor::new(one, other).unwrap();
            for p in [0.025, 0.975] {
                assert!((f.cdf(f_quantile(p, one, other)) - p).abs() < 1e-9, "{p} {one} {other}");
            }
        }
    }

    #[test]
    fn t_quantiles_end_for_every_freedom() {
        for step in 0..20_000 {
            let freedom = 1.0 + f64::from(step) * 0.013;
            assert!(t_quantile(0.95, freedom) > 1.95);
        }
    }

    #[test]
    fn t_quantiles_equal_scipy_from_one_to_many_degrees() {
        let expected = [
            (2, 12.706204736174694),
            (3, 4.302652729749462),
            (10, 2.262157162798205),
            (100, 1.9842169515864174),
            (1000, 1.9623414611334493),
        ];
        for (n, t) in expected {
            assert!((t_quantile(0.95, f64::from(n) - 1.0) - t).abs() < 1e-10, "{n}");
        }
        // Here the inverse of statrs is off by 7e-6.
        assert!((t_quantile(0.95, 99_999.0) - 1.9599877077718442).abs() < 1e-8);
    }

    fn interval(mean: f64, half_width: f64) -> MeanInterval {
        MeanInterval { mean, half_width, n: 9 }
    }

    #[test]
    fn an_interval_inside_its_bounds_is_left_as_it_is() {
        assert_eq!(interval(0.7, 0.2).within([0.0, 1.0]), interval(0.7, 0.2).ends());
        assert_eq!(interval(-3.0, 20.0).within([f64::NEG_INFINITY, f64::INFINITY]), [-23.0, 17.0]);
        assert_eq!(interval(0.0, 0.0).within([0.0, 1.0]), [0.0, 0.0]);
    }

    #[test]
    fn an_interval_that_would_leave_its_bounds_is_that_of_the_transformed_mean() {
        // In R: plogis(qlogis(0.9) + c(-1, 1) * 0.2 / (0.9 * 0.1)), and 2 * exp(c(-1, 1) * 3 / 2).
        let [low, high] = interval(0.9, 0.2).within([0.0, 1.0]);
        assert!((low - 0.493_750_9).abs() < 1e-6 && (high - 0.988_102_4).abs() < 1e-6, "{low} {high}");
        let [low, high] = interval(2.0, 3.0).within([0.0, f64::INFINITY]);
        assert!((low - 0.446_260_3).abs() < 1e-6 && (high - 8.963_378_1).abs() < 1e-6, "{low} {high}");
        let [low, high] = interval(-2.0, 3.0).within([f64::NEG_INFINITY, 0.0]);
        assert!((low + 8.963_378_1).abs() < 1e-6 && (high + 0.446_260_3).abs() < 1e-6, "{low} {high}");
    }

    #[test]
    fn no_interval_leaves_its_bounds_or_its_mean() {
        let means = [0.0, 1e-310, 1e-9, 0.3, 0.5, 0.999_999, 1.0 - 1e-16, 1.0];
        let widths = [0.0, 1e-12, 0.01, 0.5, 2.372, 1e6, 1e300];
        let everywhere = means.iter().flat_map(|mean| widths.map(|width| interval(*mean, width)));
        for (interval, bounds) in everywhere.flat_map(|one| {
            [[0.0, 1.0], [0.0, f64::INFINITY], [f64::NEG_INFINITY, 1.0], [-0.5, 1.0]].map(|bounds| (one, bounds))
        }) {
            let [low, high] = interval.within(bounds);
            assert!(bounds[0] <= low && low <= interval.mean, "{interval:?} in {bounds:?}: {low} {high}");
            assert!(interval.mean <= high && high <= bounds[1], "{interval:?} in {bounds:?}: {low} {high}");
        }
    }

    #[test]
    fn a_single_value_has_no_interval_and_a_constant_sample_a_point() {
        assert_eq!(mean_interval(&[1.0], 0.95), None);
        let point = mean_interval(&[0.1; 4], 0.95).expect("four values");
        assert_eq!(point.ends(), [0.1, 0.1]);
    }

    #[test]
    #[should_panic(expected = "a confidence level")]
    fn a_level_in_percent_is_refused() {
        mean_interval(&SAMPLE, 95.0);
    }
}
