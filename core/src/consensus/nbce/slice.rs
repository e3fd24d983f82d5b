use rand::RngExt;

use crate::seed::Rng;

/// Width of the first interval, on the scale of logarithms.
const WIDTH: f64 = 1.0;
/// How often the interval may be widened.
const WIDENINGS: usize = 20;

/// One step of slice sampling — Neal, "Slice sampling" (2003), §4.1 — for a positive quantity with this log density, up
/// to a constant. The step is taken on the logarithm of the quantity, within `bounds`.
pub(super) fn slice_step(at: f64, bounds: (f64, f64), rng: &mut Rng, log_density: impl Fn(f64) -> f64) -> f64 {
    // The density of t = ln x has the factor x.
    let (least, greatest) = (bounds.0.ln(), bounds.1.ln());
    let density = |t: f64| if (least..=greatest).contains(&t) { log_density(t.exp()) + t } else { f64::NEG_INFINITY };
    let start = at.ln();
    let level = density(start) + (1.0 - rng.random::<f64>()).ln();
    let mut low = start - WIDTH * rng.random::<f64>();
    let mut high = low + WIDTH;
    let below = rng.random_range(0..=WIDENINGS);
    let mut steps = below;
    while steps > 0 && density(low) > level {
        low -= WIDTH;
        steps -= 1;
    }
    steps = WIDENINGS - below;
    while steps > 0 && density(high) > level {
        high += WIDTH;
        steps -= 1;
    }
    loop {
        let t = low + (high - low) * rng.random::<f64>();
        if density(t) > level {
            return t.exp();
        }
        // The interval shrinks towards the start, which is in the slice; if rounding hides that, nothing moves.
        if (high - low).abs() < 1e-12 {
            return at;
        }
        if t < start { low = t } else { high = t }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::Id;

    #[test]
    fn a_gamma_density_is_sampled() {
        let mut rng = Id::of("test", &[]).rng("slice");
        let (shape, rate) = (3.0, 2.0);
        let mut x = 1.0;
        let (mut sum, mut squares) = (0.0, 0.0);
        let steps = 40_000;
        for _ in 0..steps {
            x = slice_step(x, (1e-6, 1e6), &mut rng, |x| (shape - 1.0) * f64::ln(x) - rate * x);
            sum += x;
            squares += x * x;
        }
        let mean = sum / f64::from(steps);
        let variance = squares / f64::from(steps) - mean * mean;
        assert!((mean - 1.5).abs() < 0.03 && (variance - 0.75).abs() < 0.05, "{mean} {variance}");
    }
}
