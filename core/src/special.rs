//! The gamma function's family for positive arguments, as variational methods need it: often, and for many arguments at
//! once: `lanes` has those that are computed most often, as vector instructions. And sums of what is known by
//! its logarithm.
//!
//! Ψ(x) = Ψ(x + 8) − Σ_{i<8} 1/(x + i), and the asymptotic series at x + 8. The eight factors pair up: (x + i)(x + 7 − i) =
//! q + c_i with q = x² + 7x and c = 0, 6, 10, 12, so that the sum is (2x + 7) D'(q) / D(q) for
//! D = q (q + 6)(q + 10)(q + 12): one division instead of eight.

pub(crate) mod lanes;

/// ln Σ e^x, without leaving the range of numbers.
#[must_use]
pub fn ln_sum_exp(logs: &[f64]) -> f64 {
    let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let total: f64 = logs.iter().map(|log| (log - largest).exp()).sum();
    largest + total.ln()
}

/// Turns logarithms of weights into the weights' shares of their sum; returns the logarithm of the sum.
pub fn shares_of_logs(logs: &mut [f64]) -> f64 {
    let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    logs.iter_mut().for_each(|value| *value = (*value - largest).exp());
    let total: f64 = logs.iter().sum();
    logs.iter_mut().for_each(|value| *value /= total);
    largest + total.ln()
}

/// Ψ(x), the derivative of ln Γ, for x > 0; error below 1e-13, relative to max(1, |Ψ|).
#[must_use]
pub fn digamma(x: f64) -> f64 {
    (x + 8.0).ln() - digamma_deficit(x)
}

/// ln(x + 8) − Ψ(x).
#[inline]
fn digamma_deficit(x: f64) -> f64 {
    let y = x + 8.0;
    let q = x * (x + 7.0);
    let d = q * (720.0 + q * (252.0 + q * (28.0 + q)));
    let d_prime = 720.0 + q * (504.0 + q * (84.0 + q * 4.0));
    let steps = (2.0 * x + 7.0) * d_prime / d;
    let t = 1.0 / (y * y);
    // Σ B_2k / (2k) t^k: 1/12, −1/120, 1/252, −1/240, 1/132, −691/32760.
    let series = t
        * (1.0 / 12.0
            - t * (1.0 / 120.0 - t * (1.0 / 252.0 - t * (1.0 / 240.0 - t * (1.0 / 132.0 - t * (691.0 / 32760.0))))));
    0.5 / y + series + steps
}

/// Ψ'(x) for x > 0; relative error below 1e-12.
#[must_use]
pub fn trigamma(x: f64) -> f64 {
    let steps: f64 = (0..8).map(|step| (x + f64::from(step)).powi(-2)).sum();
    let y = x + 8.0;
    let t = 1.0 / (y * y);
    // 1/y + 1/(2y²) + Σ B_2k / y^(2k+1).
    let series = t
        * (1.0 / 6.0
            - t * (1.0 / 30.0 - t * (1.0 / 42.0 - t * (1.0 / 30.0 - t * (5.0 / 66.0 - t * (691.0 / 2730.0))))));
    steps + (1.0 + series) / y + 0.5 * t
}

/// ln Γ(x) for x > 0.
#[must_use]
pub fn ln_gamma(x: f64) -> f64 {
    libm::lgamma(x)
}

#[cfg(test)]
mod tests {
    use statrs::function::gamma;

    use super::*;

    #[test]
    fn sums_of_logarithms_are_those_of_the_numbers_and_do_not_underflow() {
        let numbers = [0.5, 2.0, 1e-9];
        let logs = numbers.map(f64::ln);
        let mut shares = logs;
        let sum: f64 = numbers.iter().sum();
        assert!((ln_sum_exp(&logs) - sum.ln()).abs() < 1e-15);
        assert!((shares_of_logs(&mut shares) - sum.ln()).abs() < 1e-15);
        shares.iter().zip(numbers).for_each(|(share, number)| assert!((share - number / sum).abs() < 1e-15));
        let mut tiny = [-1e6, -1e6, f64::NEG_INFINITY];
        assert!((ln_sum_exp(&tiny) - (2f64.ln() - 1e6)).abs() < 1e-9);
        shares_of_logs(&mut tiny);
        assert_eq!(tiny, [0.5, 0.5, 0.0]);
    }

    /// 1e-8 … 1e8, evenly on the logarithmic scale.
    fn arguments() -> impl Iterator<Item = f64> {
        (0..4000).map(|step| 10f64.powf(-8.0 + 16.0 * f64::from(step) / 4000.0))
    }

    #[test]
    fn digamma_equals_that_of_statrs_to_thirteen_digits() {
        for x in arguments() {
            let expected = gamma::digamma(x);
            assert!((digamma(x) - expected).abs() < 1e-13 * expected.abs().max(1.0), "{x}: {} {expected}", digamma(x));
        }
    }

    #[test]
    fn known_values_are_met() {
        let euler = 0.577_215_664_901_532_9;
        assert!((digamma(1.0) + euler).abs() < 1e-14);
        assert!((digamma(0.5) + euler + 4f64.ln()).abs() < 1e-14);
        assert!((trigamma(1.0) - std::f64::consts::PI.powi(2) / 6.0).abs() < 1e-14);
        assert!((trigamma(0.5) - std::f64::consts::PI.powi(2) / 2.0).abs() < 1e-13);
        assert!((ln_gamma(11.0) - 3_628_800f64.ln()).abs() < 1e-13);
    }

    #[test]
    fn trigamma_obeys_its_recurrence_and_is_the_derivative_of_digamma() {
        for x in arguments() {
            let stepped = trigamma(x + 1.0) + 1.0 / (x * x);
            assert!((trigamma(x) - stepped).abs() < 1e-12 * stepped, "{x}");
        }
        for x in arguments().filter(|&x| (0.1..100.0).contains(&x)) {
            let h = 1e-4 * x;
            let slope = (digamma(x + h) - digamma(x - h)) / (2.0 * h);
            assert!((trigamma(x) - slope).abs() < 1e-6 * slope, "{x}");
        }
    }
}
