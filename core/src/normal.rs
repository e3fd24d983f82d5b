//! Normal variates, the same on every machine.

use rand::RngExt;

use crate::seed::Rng;

/// Two independent standard normal variates by Marsaglia's polar method. The logarithm comes from `libm`, not from the
/// system, so that no platform rounds it differently.
pub fn normal_pair(rng: &mut Rng) -> [f64; 2] {
    loop {
        let (x, y) = (2.0 * rng.random::<f64>() - 1.0, 2.0 * rng.random::<f64>() - 1.0);
        let square = x * x + y * y;
        if square > 0.0 && square < 1.0 {
            let scale = (-2.0 * libm::log(square) / square).sqrt();
            return [x * scale, y * scale];
        }
    }
}

/// One standard normal variate.
pub fn standard_normal(rng: &mut Rng) -> f64 {
    normal_pair(rng)[0]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::Id;

    #[test]
    fn variates_have_the_moments_of_a_standard_normal_and_those_of_a_pair_are_uncorrelated() {
        let mut rng = Id::of("test", &[]).rng("normal");
        let pairs: Vec<[f64; 2]> = (0..20_000).map(|_| normal_pair(&mut rng)).collect();
        let mean = |f: &dyn Fn(&[f64; 2]) -> f64| pairs.iter().map(f).sum::<f64>() / pairs.len() as f64;
        // Five standard errors of each moment at this many draws.
        for (power, expected, tolerance) in [(1, 0.0, 0.036), (2, 1.0, 0.05), (3, 0.0, 0.14), (4, 3.0, 0.35)] {
            for one in 0..2 {
                let moment = mean(&|pair| pair[one].powi(power));
                assert!((moment - expected).abs() < tolerance, "moment {power}: {moment}");
            }
        }
        assert!(mean(&|pair| pair[0] * pair[1]).abs() < 0.036);
    }
}
