//! Special functions of several numbers at once. Without branches, calls and tables, and with the same steps for each number,
//! so that the compiler makes vector instructions of them: a lane is what every x86-64 machine holds in one register.

/// Numbers that are worked on at once.
pub(crate) type Lane = [f64; LANE];
pub(crate) const LANE: usize = 2;

/// Written out, as `map` does not always become vector instructions.
#[inline(always)]
fn each([one, other]: Lane, function: impl Fn(f64) -> f64) -> Lane {
    [function(one), function(other)]
}

/// exp(Ψ(x)) for x > 0, to be taken of many in one loop: relative error below 1e-14. Never below exp(−600), so that ratios of sums of
/// these remain numbers.
#[inline(always)]
pub(crate) fn exp_digamma_of(x: f64) -> f64 {
    let Shifted { f, deficit } = shifted(x);
    // Not `min`, which has to think of what is not a number.
    let deficit = if deficit < DEEPEST { deficit } else { DEEPEST };
    f * exp_of_negative(deficit)
}

/// Ψ(x) for x > 0, to be taken of many in one loop; error below 1e-14, relative to max(1, |Ψ|).
#[inline(always)]
pub(crate) fn digamma_of(x: f64) -> f64 {
    let Shifted { f, deficit } = shifted(x);
    ln_of_normal(f) - deficit
}

/// ln Γ(x) for x > 0, by Stirling's series at x + 8; error below 2e-14, relative to max(5, |ln Γ|).
#[inline(always)]
pub(crate) fn ln_gamma_lane(x: Lane) -> Lane {
    each(x, |x| {
        let y = x + 8.0;
        let q = x * (x + 7.0);
        // Γ(x) = Γ(x + 8) / D(q).
        let d = q * (720.0 + q * (252.0 + q * (28.0 + q)));
        let r = 1.0 / y;
        let t = r * r;
        let series = r
            * (1.0 / 12.0
                + t * (-1.0 / 360.0
                    + t * (1.0 / 1260.0 + t * (-1.0 / 1680.0 + t * (1.0 / 1188.0 + t * (-691.0 / 360_360.0))))));
        (y - 0.5) * ln_of_normal(y) - y + HALF_LN_2_PI + series - ln_of_normal(d)
    })
}

const HALF_LN_2_PI: f64 = 0.918_938_533_204_672_8;

/// ln x for positive numbers that are not subnormal.
#[inline(always)]
pub(crate) fn ln_lane(x: Lane) -> Lane {
    each(x, ln_of_normal)
}

/// exp(−600) is nothing beside any other; a part of it of any size that matters can still be divided by.
const DEEPEST: f64 = 600.0;

/// Ψ(x) = ln F − deficit.
struct Shifted {
    /// F = exp(Ψ(x + 2)).
    f: f64,
    /// 1/x + 1/(x + 1).
    deficit: f64,
}

/// exp(Ψ(x + 2)) is smooth for x ≥ 0 and near x + 3/2: a ratio of polynomials of degrees 7 and 6, fitted to an error below 1e-16. All
/// their coefficients are positive, so nothing cancels; powers are grouped so that few steps wait for each other. One division for all: 1/u and 1/Q from 1/(u Q), with u = x (x + 1).
#[inline(always)]
fn shifted(x: f64) -> Shifted {
    let x2 = x * x;
    let x4 = x2 * x2;
    let p_low = (363.852_164_475_918_36 + x * 1_076.715_130_218_511_6)
        + x2 * (1_366.307_205_680_943_8 + x * 966.435_724_669_416_1);
    let p_high = (412.905_518_762_260_3 + x * 106.977_776_913_825_89) + x2 * (15.634_892_567_889_265 + x);
    let p = p_low + x4 * p_high;
    let q_low = (238.403_188_215_939_96 + x * 551.730_870_021_158_2)
        + x2 * (537.991_976_891_661_8 + x * 283.778_407_811_670_26);
    let q = q_low + x4 * ((85.733_771_395_335_3 + x * 14.134_892_567_889_208) + x2);
    let u = x * (x + 1.0);
    let inverse = 1.0 / (u * q);
    Shifted { f: p * (u * inverse), deficit: (2.0 * x + 1.0) * (q * inverse) }
}

/// Added to a number and taken away again, rounds it to a whole one, which the last bits of the sum hold.
const ROUNDER: f64 = 1.5 * 4_503_599_627_370_496.0;
/// ln 2 in two parts, the first with so many zeros at its end that a multiple of it is exact.
const LN_2_HIGH: f64 = 0.693_147_180_369_123_8;
const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;

/// exp(−x) for 0 ≤ x ≤ 700: 2^n e^r with |r| ≤ ln 2 / 2, and a Chebyshev approximation of e^r of degree 11, whose error is
/// below 1e-17.
#[inline(always)]
fn exp_of_negative(x: f64) -> f64 {
    let rounded = x * -std::f64::consts::LOG2_E + ROUNDER;
    let n = rounded - ROUNDER;
    let r = n * -LN_2_LOW + (n * -LN_2_HIGH - x);
    let r2 = r * r;
    let r4 = r2 * r2;
    let low = r2 * (0.500_000_000_000_001_8 + r * 0.166_666_666_666_666_8);
    let middle = (0.041_666_666_666_488_09 + r * 0.008_333_333_333_319_601)
        + r2 * (0.001_388_888_895_231_481_3 + r * 0.000_198_412_698_900_471_43);
    let high = (0.000_024_801_485_482_287_73 + r * 2.755_724_091_854_762_5e-6)
        + r2 * (2.763_263_965_412_376e-7 + r * 2.511_003_761_756_205e-8);
    let power = 1.0 + (r + (low + r4 * (middle + r4 * high)));
    f64::from_bits(power.to_bits().wrapping_add(rounded.to_bits() << 52))
}

/// ln x = k ln 2 + ln m with m between √½ and √2, and ln m = 2 artanh s with s = (m − 1) / (m + 1):
/// 2 s, and s³ times a Chebyshev approximation in s² of degree 6, whose error is below 1e-17.
#[inline(always)]
fn ln_of_normal(x: f64) -> f64 {
    const ROOT_HALF: u64 = std::f64::consts::FRAC_1_SQRT_2.to_bits();
    const FRACTION: u64 = (1 << 52) - 1;
    /// 2^52: its last bits are whole numbers.
    const WHOLE: f64 = 4_503_599_627_370_496.0;
    const BIAS: u64 = 1024;
    let over = x.to_bits().wrapping_sub(ROOT_HALF);
    let exponent = over.wrapping_add(BIAS << 52) >> 52;
    let k = f64::from_bits(exponent | WHOLE.to_bits()) - (WHOLE + BIAS as f64);
    let m = f64::from_bits((over & FRACTION).wrapping_add(ROOT_HALF));
    let s = (m - 1.0) / (m + 1.0);
    let z = s * s;
    let z2 = z * z;
    let high = 0.181_828_891_252_618_8 + z * 0.153_317_216_005_516_9 + z2 * 0.146_164_496_850_889_05;
    let rest = (0.666_666_666_666_667 + z * 0.399_999_999_998_995_04)
        + z2 * ((0.285_714_286_259_754_85 + z * 0.222_222_111_347_950_77) + z2 * high);
    let rest = z * rest;
    k * std::f64::consts::LN_2 + (2.0 * s + s * rest)
}

#[cfg(test)]
mod tests {
    use statrs::function::gamma;

    use super::*;
    use crate::special::{digamma, ln_gamma};

    /// 1e-8 … 1e8, evenly on the logarithmic scale, and as many between 0 and 40.
    fn arguments() -> impl Iterator<Item = f64> {
        let wide = (0..4000).map(|step| 10f64.powf(-8.0 + 16.0 * f64::from(step) / 4000.0));
        wide.chain((1..4000).map(|step| f64::from(step) / 100.0))
    }

    /// The two numbers of a lane do not see each other.
    fn of_one(function: impl Fn(Lane) -> Lane, x: f64) -> f64 {
        let [alone, _] = function([x, 1.0]);
        let [_, other] = function([3.5, x]);
        assert_eq!(alone.to_bits(), other.to_bits());
        alone
    }

    #[test]
    fn digamma_equals_that_of_statrs_and_the_slow_one() {
        for x in arguments() {
            let found = digamma_of(x);
            for expected in [gamma::digamma(x), digamma(x)] {
                assert!((found - expected).abs() < 5e-14 * expected.abs().max(1.0), "{x}: {found} {expected}");
            }
        }
    }

    /// Sums of the harmonic series, and Gauss' values.
    #[test]
    fn known_values_are_met() {
        let euler = 0.577_215_664_901_532_9;
        let ln_2 = std::f64::consts::LN_2;
        let pi = std::f64::consts::PI;
        let mut known = vec![
            (0.5, -euler - 2.0 * ln_2),
            (0.25, -euler - pi / 2.0 - 3.0 * ln_2),
            (0.75, -euler + pi / 2.0 - 3.0 * ln_2),
        ];
        known.extend((1..40).map(|n| (f64::from(n), (1..n).map(|i| 1.0 / f64::from(i)).sum::<f64>() - euler)));
        for (x, expected) in known {
            let found = digamma_of(x);
            assert!((found - expected).abs() < 1e-14 * expected.abs().max(1.0), "{x}: {found} {expected}");
            let (found, expected) = (exp_digamma_of(x), expected.exp());
            assert!((found - expected).abs() < 1e-14 * expected, "{x}: {found} {expected}");
        }
    }

    #[test]
    fn the_exponential_of_digamma_obeys_its_recurrence_until_it_underflows() {
        for x in arguments().filter(|&x| x > 0.005) {
            let expected = exp_digamma_of(x + 1.0) * (-1.0 / x).exp();
            let found = exp_digamma_of(x);
            // The exponent itself is rounded.
            assert!((found - expected).abs() < (1e-14 + 1e-15 / x) * expected, "{x}: {found} {expected}");
        }
        for x in [1e-3, 1e-8, 1e-300, f64::MIN_POSITIVE] {
            let found = exp_digamma_of(x);
            assert!(found > 1e-261 && found < 1e-259, "{x}: {found}");
        }
    }

    #[test]
    fn the_logarithm_of_gamma_is_that_of_libm() {
        for x in arguments() {
            let (found, expected) = (of_one(ln_gamma_lane, x), ln_gamma(x));
            assert!((found - expected).abs() < 2e-14 * expected.abs().max(5.0), "{x}: {found} {expected}");
        }
    }

    #[test]
    fn logarithms_are_those_of_the_standard_library() {
        let powers = (-1022..1023).map(|power| f64::from(power).exp2());
        let near_one = (-50..50).map(|step| 1.0 + f64::from(step) * 1e-6);
        for x in arguments().chain(powers).chain(near_one).chain([f64::MIN_POSITIVE, f64::MAX, 1.0]) {
            let (found, expected) = (of_one(ln_lane, x), x.ln());
            assert!((found - expected).abs() <= 1e-15 * expected.abs(), "{x}: {found} {expected}");
        }
    }
}
