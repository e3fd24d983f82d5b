//! What a step does to a run of places, one plain loop at a time: the compiler makes vectors of them. Sums that decide
//! anything have a lane for every eighth place, so that the order of additions is the same whatever the vectors.

use super::FLOOR;

/// Sums kept side by side; whatever there is of every place is padded to a multiple of it.
pub(super) const LANES: usize = 8;

/// Places worked on at once: what a step reads and writes of them stays in the nearest cache.
pub(super) const TILE: usize = 128;

/// A sum, with the additions of every eighth place in a lane.
pub(super) type LaneSums = [f64; LANES];

/// The pairs of J with a run of places: C_Ji and N_Ji − C_Ji, as exact as in `f64`.
#[derive(Debug, Clone, Copy)]
pub(super) struct CountRun<'c> {
    pub(super) together: &'c [f32],
    pub(super) apart: &'c [f32],
}

/// At least [`FLOOR`]; a comparison, because `f64::max` takes care of NaN, which slows the inner loops.
#[inline(always)]
pub(super) fn floored(probability: f64) -> f64 {
    if probability > FLOOR { probability } else { FLOOR }
}

/// w of C, N − C and y_J·y_i. One division serves both terms: C/x − (N − C)/z = (C z − (N − C) x)/(x z).
#[inline(always)]
fn weight(together: f32, apart: f32, p: f64) -> f64 {
    let (x, z) = (floored(p), floored(1.0 - p));
    (f64::from(together) * z - f64::from(apart) * x) / (x * z)
}

/// The weights at y_J·y_i.
#[inline(always)]
pub(super) fn weigh(counts: CountRun, a: &[f64], w: &mut [f64]) {
    for (((w, &a), &together), &apart) in w.iter_mut().zip(a).zip(counts.together).zip(counts.apart) {
        *w = weight(together, apart, a);
    }
}

/// The weights at y_J·y_i + ε d·y_i.
#[inline(always)]
pub(super) fn weigh_along(counts: CountRun, [a, d]: [&[f64]; 2], epsilon: f64, w: &mut [f64]) {
    let line = a.iter().zip(d);
    for (((w, (&a, &d)), &together), &apart) in w.iter_mut().zip(line).zip(counts.together).zip(counts.apart) {
        *w = weight(together, apart, a + epsilon * d);
    }
}

/// The terms of ρ and of its fall for a pair, and its weight.
#[inline(always)]
fn slope_terms(together: f32, apart: f32, p: f64, d: f64) -> [f64; 3] {
    let (x, z) = (floored(p), floored(1.0 - p));
    let (together, apart) = (f64::from(together), f64::from(apart));
    let (pull, both) = (together * z - apart * x, x * z);
    let q = d / both;
    [pull * q, (together * z * z + apart * x * x) * (q * q), pull / both]
}

/// The terms of ρ(ε) and of its fall.
#[inline(always)]
pub(super) fn slopes(counts: CountRun, [a, d]: [&[f64]; 2], epsilon: f64, [rho, fall]: [&mut [f64]; 2]) {
    let line = a.iter().zip(d);
    let terms = rho.iter_mut().zip(fall);
    for (((terms, (&a, &d)), &together), &apart) in terms.zip(line).zip(counts.together).zip(counts.apart) {
        let [rho, fall, _] = slope_terms(together, apart, a + epsilon * d, d);
        (*terms.0, *terms.1) = (rho, fall);
    }
}

/// The terms of ρ(0) and of its fall, and the weights.
#[inline(always)]
pub(super) fn slopes_and_weights(counts: CountRun, [a, d]: [&[f64]; 2], [rho, fall, w]: [&mut [f64]; 3]) {
    let line = a.iter().zip(d);
    let terms = rho.iter_mut().zip(fall).zip(w);
    for (((((rho, fall), w), (&a, &d)), &together), &apart) in terms.zip(line).zip(counts.together).zip(counts.apart) {
        [*rho, *fall, *w] = slope_terms(together, apart, a, d);
    }
}

/// Adds terms to their sum.
#[inline(always)]
pub(super) fn add(terms: &[f64], sums: &mut LaneSums) {
    for terms in terms.as_chunks::<LANES>().0 {
        for lane in 0..LANES {
            sums[lane] += terms[lane];
        }
    }
}

/// Adds the products of two runs to their sum.
#[inline(always)]
pub(super) fn add_products(a: &[f64], b: &[f64], sums: &mut LaneSums) {
    for (a, b) in a.as_chunks::<LANES>().0.iter().zip(b.as_chunks::<LANES>().0) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
}

/// Adds multiples of rows, in their order.
#[inline(always)]
pub(super) fn add_multiples<const N: usize>(out: &mut [f64], factors: [f64; N], rows: [&[f64]; N]) {
    let rows = rows.map(|row| &row[..out.len()]);
    for place in 0..out.len() {
        let mut sum = out[place];
        for row in 0..N {
            sum += factors[row] * rows[row][place];
        }
        out[place] = sum;
    }
}

/// u − v.
#[inline(always)]
pub(super) fn subtract(u: &[f64], v: &[f64], out: &mut [f64]) {
    out.iter_mut().zip(u.iter().zip(v)).for_each(|(out, (u, v))| *out = u - v);
}

/// g of a cluster, of which J has `before` with the weights of the first run, and `after` with those of the second.
#[inline(always)]
pub(super) fn update(g: &mut [f64], w: [&[f64]; 2], [before, after]: [f64; 2]) {
    g.iter_mut().zip(w[0].iter().zip(w[1])).for_each(|(g, (old, new))| *g += new * after - old * before);
}

/// The highest and lowest entries of g so far, with those of more clusters: the lowest where y is not 0.
#[inline(always)]
pub(super) fn widen<const N: usize>([highest, lowest]: [&mut [f64]; 2], y: [&[f64]; N], g: [&[f64]; N]) {
    let places = highest.len();
    let lowest = &mut lowest[..places];
    let (y, g) = (y.map(|y| &y[..places]), g.map(|g| &g[..places]));
    for place in 0..places {
        let (mut high, mut low) = (highest[place], lowest[place]);
        for cluster in 0..N {
            let entry = g[cluster][place];
            // A sum where a choice would do: one that the compiler leaves to be a plain minimum.
            let supported = entry + if y[cluster][place] > 0.0 { 0.0 } else { f64::INFINITY };
            high = if entry > high { entry } else { high };
            low = if supported < low { supported } else { low };
        }
        (highest[place], lowest[place]) = (high, low);
    }
}

/// The largest of some values; their number is a multiple of [`LANES`].
#[inline(always)]
pub(super) fn largest(values: &[f64]) -> f64 {
    let larger = |most: f64, value: f64| if value > most { value } else { most };
    let mut most = [f64::NEG_INFINITY; LANES];
    for values in values.as_chunks::<LANES>().0 {
        for lane in 0..LANES {
            most[lane] = larger(most[lane], values[lane]);
        }
    }
    most.into_iter().fold(f64::NEG_INFINITY, larger)
}
