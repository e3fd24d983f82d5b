//! EM itself, on distinct rows.
//!
//! The E-step multiplies probabilities as Eq. 9 has them; no exponential and hardly a logarithm is taken. Products stay in
//! the range of numbers because every base cluster's ϑ are divided by the power of two above the largest of them, which
//! changes no digit and is put back in the likelihood. A row whose product is too small all the same, as with many
//! hundreds of partitions, is done in logarithms.

use std::convert::Infallible;
use std::f64::consts::LN_2;
use std::ops::Range;

use rand::RngExt;

use super::combinations::Combinations;
use super::{Halt, Limits, MixtureFit, Shape, Watch, penalty};
use crate::ensemble::Ensemble;
use crate::seed::Rng;
use crate::special::shares_of_logs;
use crate::threads;

/// The labels and the buffers of EM, reused across restarts.
pub(crate) struct MixtureModel<'a> {
    pub(super) ensemble: &'a Ensemble,
    /// The positions of each column's labels.
    pub(super) columns: Vec<Range<usize>>,
    combinations: Combinations,
    /// Objects with each label.
    objects_of: Vec<f64>,
    layout: TableLayout,
    /// s.
    pub(super) smoothing: f64,
    pub(super) parameters: MixtureParameters,
    /// Π ϑ over the labels of each combination: combination × component.
    products: Vec<f64>,
    /// Σ r over the rows with each combination: combination × component.
    of_combination: Vec<f64>,
    /// Σ_i r_im.
    sizes: Vec<f64>,
    /// Σ_i r_im \[y_ij = k\]: label position × component.
    counts: Vec<f64>,
}

/// α and ϑ.
#[derive(Debug, Clone)]
pub(super) struct MixtureParameters {
    alpha: Vec<f64>,
    /// Label position × component, each label's divided by a power of two: 2^`exponents`.
    theta: Vec<f64>,
    exponents: Vec<f64>,
}

/// The sums of an M-step, to go on from with other rows.
pub(super) struct MixtureStart {
    sizes: Vec<f64>,
    counts: Vec<f64>,
    objects: f64,
}

/// How vectors over components lie in memory: padded to whole blocks, so that the inner loops have a fixed shape. Padding has
/// weight 0.
#[derive(Debug, Clone, Copy)]
struct TableLayout {
    clusters: usize,
    /// Components that are worked on at once: 2, 4, 6 or 8.
    width: usize,
    blocks: usize,
}

impl TableLayout {
    const WIDEST: usize = 8;

    fn of(clusters: usize) -> Self {
        let blocks = clusters.div_ceil(Self::WIDEST);
        Self { clusters, width: clusters.div_ceil(blocks).next_multiple_of(2), blocks }
    }

    /// From one vector to the next.
    fn stride(self) -> usize {
        self.width * self.blocks
    }

    fn zeros(self, vectors: usize) -> Vec<f64> {
        vec![0.0; vectors * self.stride()]
    }
}

/// The inner loops for the width of the layout.
macro_rules! with_width {
    ($model:expr, $method:ident, $watch:expr) => {
        match $model.layout.width {
            2 => $model.$method::<2>($watch),
            4 => $model.$method::<4>($watch),
            6 => $model.$method::<6>($watch),
            _ => $model.$method::<8>($watch),
        }
    };
}

impl MixtureModel<'_> {
    /// What a model of an ensemble of this shape takes.
    pub(crate) fn bytes(shape: &Shape) -> f64 {
        let stride = 8.0 * TableLayout::of((shape.clusters as usize).max(1)).stride() as f64;
        let (groups, combinations) = Combinations::expected(shape);
        8.0 * shape.rows * groups
            + 8.0 * shape.rows
            + stride * (2.0 * combinations + 3.0 * shape.labels)
            + 24.0 * (combinations + shape.labels)
    }
}

impl<'a> MixtureModel<'a> {
    /// Buffers for the distinct rows of `ensemble`.
    pub(crate) fn new(ensemble: &'a Ensemble, clusters: usize) -> Self {
        let columns: Vec<Range<usize>> = ensemble.label_ranges().collect();
        let labels = columns.last().map_or(0, |column| column.end);
        let combinations = Combinations::of(ensemble);
        let layout = TableLayout::of(clusters);
        let parameters =
            MixtureParameters { alpha: layout.zeros(1), theta: layout.zeros(labels), exponents: vec![0.0; labels] };
        Self {
            ensemble,
            layout,
            smoothing: 0.0,
            parameters,
            objects_of: combinations.objects_of(ensemble, labels),
            products: layout.zeros(combinations.len()),
            of_combination: layout.zeros(combinations.len()),
            sizes: layout.zeros(1),
            counts: layout.zeros(labels),
            columns,
            combinations,
        }
    }

    /// With pseudo-counts in every M-step.
    pub(crate) fn smoothed(self, smoothing: f64) -> Self {
        Self { smoothing, ..self }
    }

    /// Uniform α, and ϑ drawn from uniform(0, 1) and normalised.
    pub(crate) fn randomise(&mut self, rng: &mut Rng) {
        let clusters = self.layout.clusters;
        self.parameters.alpha[..clusters].fill(1.0 / clusters as f64);
        for vector in self.counts.chunks_exact_mut(self.layout.stride()) {
            vector[..clusters].fill_with(|| 1.0 - rng.random::<f64>());
        }
        // The start is as drawn, however much the M-steps are smoothed.
        self.normalise_theta(0.0);
    }

    /// The M-step of a clustering of the rows, with half a row more of everything, so that nothing is impossible. A row is as many
    /// objects as rows have in the mean: repeating all objects changes nothing.
    pub(super) fn start_at(&mut self, label_of_row: &[u32]) {
        let stride = self.layout.stride();
        self.sizes.fill(0.0);
        self.counts.fill(0.0);
        for (row, &cluster) in label_of_row.iter().enumerate() {
            let weight = f64::from(self.ensemble.weights()[row]);
            self.sizes[cluster as usize] += weight;
            for label in self.combinations.labels_of(row) {
                self.counts[label as usize * stride + cluster as usize] += weight;
            }
        }
        let start = self.start_with(0.5 * self.ensemble.objects() as f64 / self.ensemble.rows() as f64);
        self.start_from(&start);
    }

    /// The sums of the last M-step; half an object more of everything, so that what the sample lacks is not impossible.
    pub(super) fn start(&self) -> MixtureStart {
        self.start_with(0.5)
    }

    /// The sums of the last M-step and so many objects `more` of everything.
    fn start_with(&self, more: f64) -> MixtureStart {
        let clusters = self.layout.clusters;
        let mut start = MixtureStart {
            sizes: self.sizes.clone(),
            counts: self.counts.clone(),
            objects: self.ensemble.objects() as f64 + more * clusters as f64,
        };
        for vectors in [&mut start.sizes, &mut start.counts] {
            for vector in vectors.chunks_exact_mut(self.layout.stride()) {
                vector[..clusters].iter_mut().for_each(|sum| *sum += more);
            }
        }
        start
    }

    /// Parameters from sums over other rows of the same labels.
    pub(super) fn start_from(&mut self, start: &MixtureStart) {
        self.sizes.copy_from_slice(&start.sizes);
        self.counts.copy_from_slice(&start.counts);
        self.maximise(start.objects);
    }

    /// EM from the current parameters. It ends with those of the last E-step, whose likelihood is returned, and with the sums
    /// of the M-step that would follow. `seen` gets what EM never lowers, in every iteration.
    pub(super) fn fit(&mut self, limits: Limits, watch: &Watch, mut seen: impl FnMut(f64)) -> Result<MixtureFit, Halt> {
        let objects = self.ensemble.objects() as f64;
        let mut fit = MixtureFit::new();
        loop {
            let log_likelihood = self.expect_within(watch)?;
            fit.reached(log_likelihood, self.penalty(), limits);
            seen(fit.penalised);
            if !fit.goes_on(limits) {
                return Ok(fit);
            }
            self.maximise(objects);
        }
    }

    /// E-step and the sums of the M-step; returns the log-likelihood of the observed labels under the current parameters.
    pub(crate) fn expect(&mut self) -> f64 {
        self.expect_within(&Watch::default()).expect("nobody stops this watch")
    }

    /// As [`MixtureModel::expect`], with the threads of the watch and until it says stop.
    pub(super) fn expect_within(&mut self, watch: &Watch) -> Result<f64, Halt> {
        with_width!(self, expect_wide, watch)
    }

    /// r of the current parameters: distinct row × component.
    pub(crate) fn responsibilities(&mut self, watch: &Watch) -> Vec<f64> {
        with_width!(self, responsibilities_wide, watch)
    }

    /// M-step (Eq. 10–11) from the sums.
    pub(crate) fn maximise(&mut self, objects: f64) {
        self.parameters.alpha.iter_mut().zip(&self.sizes).for_each(|(alpha, size)| *alpha = size / objects);
        self.normalise_theta(self.smoothing);
    }

    /// s Σ_jmk ln ϑ_jm(k) of the current parameters.
    pub(crate) fn penalty(&self) -> f64 {
        let MixtureParameters { theta, exponents, .. } = &self.parameters;
        let of_label = theta.chunks_exact(self.layout.stride()).map(|theta| &theta[..self.layout.clusters]);
        let logs = of_label.zip(exponents).flat_map(|(theta, exponent)| {
            let divided_out = LN_2 * exponent;
            theta.iter().map(move |theta| theta.ln() + divided_out)
        });
        penalty(self.smoothing, logs)
    }

    /// The sums of the M-step, without padding: Σ_i r_im, then Σ_i r_im \[y_ij = k\] label by label.
    pub(crate) fn sums(&self) -> impl Iterator<Item = &[f64]> {
        let vectors = [&self.sizes, &self.counts].into_iter().flat_map(|sums| sums.chunks_exact(self.layout.stride()));
        vectors.map(|vector| &vector[..self.layout.clusters])
    }

    /// As [`MixtureModel::sums`], to be written.
    pub(crate) fn sums_mut(&mut self) -> impl Iterator<Item = &mut [f64]> {
        let TableLayout { clusters, .. } = self.layout;
        let stride = self.layout.stride();
        let vectors =
            [&mut self.sizes, &mut self.counts].into_iter().flat_map(move |sums| sums.chunks_exact_mut(stride));
        vectors.map(move |vector| &mut vector[..clusters])
    }

    fn expect_wide<const W: usize>(&mut self, watch: &Watch) -> Result<f64, Halt> {
        watch.check()?;
        self.multiply::<W>();
        let mut of_combination = std::mem::take(&mut self.of_combination);
        let mut sizes = std::mem::take(&mut self.sizes);
        of_combination.fill(0.0);
        sizes.fill(0.0);
        let rows = self.ensemble.rows();
        let log_likelihood = if threads::blocks(rows).len() == 1 {
            self.expect_block::<W>(0..rows, &mut of_combination, &mut sizes)
        } else {
            let (length, clusters) = (of_combination.len(), sizes.len());
            let mut log_likelihood = 0.0;
            let each = |rows: Range<usize>| -> Result<(f64, Vec<f64>, Vec<f64>), Halt> {
                watch.check()?;
                let (mut of_combination, mut sizes) = (vec![0.0; length], vec![0.0; clusters]);
                Ok((self.expect_block::<W>(rows, &mut of_combination, &mut sizes), of_combination, sizes))
            };
            let done = watch.threads().each_range(rows, 8.0 * length as f64, each, |(log, more, more_sizes)| {
                log_likelihood += log;
                of_combination.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
                sizes.iter_mut().zip(more_sizes).for_each(|(sum, more)| *sum += more);
            });
            // The buffers are needed again even if this is where it stops.
            if let Err(halt) = done {
                (self.of_combination, self.sizes) = (of_combination, sizes);
                return Err(halt);
            }
            log_likelihood
        };
        self.count::<W>(&of_combination);
        self.of_combination = of_combination;
        self.sizes = sizes;
        let divided_out = self.parameters.exponents.iter().zip(&self.objects_of);
        Ok(log_likelihood + LN_2 * divided_out.map(|(exponent, objects)| exponent * objects).sum::<f64>())
    }

    /// E-step of the rows of one block, whose sums are added; returns its log-likelihood but for the powers of two that were
    /// divided out.
    fn expect_block<const W: usize>(&self, rows: Range<usize>, of_combination: &mut [f64], sizes: &mut [f64]) -> f64 {
        let blocks = self.layout.blocks;
        let (sums, _) = of_combination.as_chunks_mut::<W>();
        let (totals, _) = sizes.as_chunks_mut::<W>();
        self.each_row::<W>(rows, |row, combinations, likelihood, r| {
            let share = f64::from(self.ensemble.weights()[row]) / likelihood;
            for (block, r) in r.iter().enumerate() {
                let r = r.map(|value| value * share);
                add(&mut totals[block], &r);
                for &combination in combinations {
                    add(&mut sums[combination as usize * blocks + block], &r);
                }
            }
        })
    }

    /// The counts of labels from those of combinations.
    fn count<const W: usize>(&mut self, of_combination: &[f64]) {
        let blocks = self.layout.blocks;
        let (sums, _) = of_combination.as_chunks::<W>();
        self.counts.fill(0.0);
        let (counts, _) = self.counts.as_chunks_mut::<W>();
        for (combination, sum) in sums.chunks_exact(blocks).enumerate() {
            for &label in self.combinations.labels(combination) {
                let counts = &mut counts[label as usize * blocks..][..blocks];
                counts.iter_mut().zip(sum).for_each(|(count, sum)| add(count, sum));
            }
        }
    }

    fn responsibilities_wide<const W: usize>(&mut self, watch: &Watch) -> Vec<f64> {
        self.multiply::<W>();
        let clusters = self.layout.clusters;
        let mut responsibilities = vec![0.0; self.ensemble.rows() * clusters];
        let each = |rows: Range<usize>, entries: &mut [f64]| {
            let mut entries = entries.chunks_exact_mut(clusters);
            self.each_row::<W>(rows, |_, _, likelihood, r| {
                let of_row = entries.next().into_iter().flatten().zip(r.as_flattened());
                of_row.for_each(|(entry, value)| *entry = value / likelihood);
            });
            Ok::<(), Infallible>(())
        };
        let done = watch.threads().each_block((&mut responsibilities, clusters), 1.0, each, |()| ());
        done.unwrap_or_else(|never| match never {});
        responsibilities
    }

    /// Π ϑ over the labels of every combination.
    fn multiply<const W: usize>(&mut self) {
        let blocks = self.layout.blocks;
        let (theta, _) = self.parameters.theta.as_chunks::<W>();
        let (products, _) = self.products.as_chunks_mut::<W>();
        for (combination, product) in products.chunks_exact_mut(blocks).enumerate() {
            product.fill([1.0; W]);
            for &label in self.combinations.labels(combination) {
                let theta = &theta[label as usize * blocks..][..blocks];
                product.iter_mut().zip(theta).for_each(|(product, theta)| multiply(product, theta));
            }
        }
    }

    /// E-step (Eq. 9): calls `seen` with every row, its combinations, its likelihood and the shares of the components in
    /// that; returns the log-likelihood of these rows, but for the powers of two that were divided out.
    fn each_row<const W: usize>(
        &self,
        rows: Range<usize>,
        mut seen: impl FnMut(usize, &[u32], f64, &[[f64; W]]),
    ) -> f64 {
        let (alpha, _) = self.parameters.alpha.as_chunks::<W>();
        let (products, _) = self.products.as_chunks::<W>();
        let blocks = alpha.len();
        let mut logarithms = None;
        let mut log_likelihood = LogOfProduct::new();
        let mut shares = alpha.to_vec();
        for row in rows {
            let weight = self.ensemble.weights()[row];
            let combinations = self.combinations.row(row);
            let mut likelihood = 0.0;
            for (block, share) in shares.iter_mut().enumerate() {
                let mut product = alpha[block];
                for &combination in combinations {
                    multiply(&mut product, &products[combination as usize * blocks + block]);
                }
                likelihood += total(&product);
                *share = product;
            }
            if likelihood >= LogOfProduct::SMALLEST {
                log_likelihood.multiply(likelihood, weight);
            } else {
                let logarithms = logarithms.get_or_insert_with(|| Logarithms::of(&self.parameters));
                let log = logarithms.shares(self.combinations.labels_of(row), shares.as_flattened_mut());
                log_likelihood.sum += f64::from(weight) * log;
                likelihood = 1.0;
            }
            seen(row, combinations, likelihood, &shares);
        }
        log_likelihood.value()
    }

    /// ϑ from the counts and as many `more` of every label. A component without any observed label in a column says nothing
    /// about it: uniform.
    fn normalise_theta(&mut self, more: f64) {
        let stride = self.layout.stride();
        let clusters = self.layout.clusters;
        let MixtureParameters { theta, exponents, .. } = &mut self.parameters;
        let mut totals = vec![0.0; stride];
        for column in self.columns.iter().cloned() {
            totals.fill(0.0);
            let counts = &self.counts[column.start * stride..column.end * stride];
            counts.chunks_exact(stride).for_each(|count| {
                totals.iter_mut().zip(count).for_each(|(total, count)| *total += count);
            });
            totals.iter_mut().for_each(|total| *total += more * column.len() as f64);
            let uniform = 1.0 / column.len() as f64;
            for (label, counts) in column.zip(counts.chunks_exact(stride)) {
                let theta = &mut theta[label * stride..][..clusters];
                let shares = counts.iter().zip(&totals);
                theta.iter_mut().zip(shares).for_each(|(theta, (count, total))| {
                    *theta = if *total > 0.0 { (count + more) / total } else { uniform };
                });
                exponents[label] = scale(theta);
            }
        }
    }
}

/// Divides `values`, none above 1, by the power of two that takes the largest into (1/2, 1]; returns its exponent.
fn scale(values: &mut [f64]) -> f64 {
    const BIAS: u64 = 1023;
    const MANTISSA: u32 = 52;
    let largest = values.iter().copied().fold(0.0, f64::max);
    if largest == 0.0 {
        return 0.0;
    }
    // The number just below has the exponent of the interval that is open above.
    let exponent = (((largest.to_bits() - 1) >> MANTISSA) + 1).min(BIAS);
    let factor = f64::from_bits((2 * BIAS - exponent) << MANTISSA);
    values.iter_mut().for_each(|value| *value *= factor);
    exponent as f64 - BIAS as f64
}

/// The logarithm of a long product of numbers between [`LogOfProduct::SMALLEST`] and 1, taken as seldom as possible.
struct LogOfProduct {
    sum: f64,
    product: f64,
}

impl LogOfProduct {
    /// Two of these can be multiplied.
    const SMALLEST: f64 = 1e-140;

    fn new() -> Self {
        Self { sum: 0.0, product: 1.0 }
    }

    /// Multiplies by `factor` to the power of `times`.
    fn multiply(&mut self, factor: f64, times: u32) {
        if times > 1 {
            self.sum += f64::from(times) * factor.ln();
            return;
        }
        self.product *= factor;
        if self.product < Self::SMALLEST {
            self.sum += self.product.ln();
            self.product = 1.0;
        }
    }

    fn value(&self) -> f64 {
        self.sum + self.product.ln()
    }
}

/// The parameters' logarithms.
struct Logarithms {
    alpha: Vec<f64>,
    theta: Vec<f64>,
}

impl Logarithms {
    fn of(parameters: &MixtureParameters) -> Self {
        let [alpha, theta] =
            [&parameters.alpha, &parameters.theta].map(|values| values.iter().map(|value| value.ln()).collect());
        Self { alpha, theta }
    }

    /// E-step of one row by its labels: writes r; returns the logarithm of its likelihood.
    #[cold]
    fn shares(&self, labels: impl Iterator<Item = u32>, r: &mut [f64]) -> f64 {
        r.copy_from_slice(&self.alpha);
        for label in labels {
            let theta = &self.theta[label as usize * r.len()..][..r.len()];
            r.iter_mut().zip(theta).for_each(|(sum, more)| *sum += more);
        }
        shares_of_logs(r)
    }
}

fn add<const W: usize>(sum: &mut [f64; W], more: &[f64; W]) {
    sum.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
}

fn multiply<const W: usize>(product: &mut [f64; W], more: &[f64; W]) {
    product.iter_mut().zip(more).for_each(|(product, more)| *product *= more);
}

/// Pairs first, so that the additions need not wait for each other.
fn total<const W: usize>(values: &[f64; W]) -> f64 {
    let (pairs, _) = values.as_chunks::<2>();
    let [even, odd] = pairs.iter().fold([0.0; 2], |sum, pair| [sum[0] + pair[0], sum[1] + pair[1]]);
    even + odd
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scaling_changes_no_digit_and_takes_the_largest_above_a_half() {
        for largest in [1.0, 0.999, 0.75, 0.5, 0.3, 1e-3, 1e-300, f64::MIN_POSITIVE, 1e-310, 5e-324] {
            let values = [largest / 3.0, largest, 0.0];
            let mut scaled = values;
            let exponent = scale(&mut scaled) as i32;
            if largest >= f64::MIN_POSITIVE {
                assert!(0.5 < scaled[1] && scaled[1] <= 1.0, "{largest} {scaled:?}");
            }
            // Two steps back, as one power of two may be too small for a number.
            let back = scaled.map(|value| value * 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2));
            assert_eq!(back, values, "{exponent}");
        }
        let mut nothing = [0.0, 0.0];
        assert_eq!((scale(&mut nothing), nothing), (0.0, [0.0, 0.0]));
    }

    #[test]
    fn the_logarithm_of_a_product_is_the_sum_of_logarithms() {
        let factors: Vec<(f64, u32)> =
            (1..2000).map(|i| (10f64.powi(-(i % 140)), 1 + u32::from(i % 7 == 0) * 5)).collect();
        let mut product = LogOfProduct::new();
        factors.iter().for_each(|&(factor, times)| product.multiply(factor, times));
        let sum: f64 = factors.iter().map(|&(factor, times)| f64::from(times) * factor.ln()).sum();
        assert!((product.value() - sum).abs() < 1e-12 * sum.abs(), "{} {sum}", product.value());
    }

    #[test]
    fn components_lie_in_as_few_blocks_as_hold_them() {
        for clusters in 1..100 {
            let layout = TableLayout::of(clusters);
            assert!([2, 4, 6, 8].contains(&layout.width), "{layout:?}");
            assert!(layout.stride() >= clusters && layout.blocks == clusters.div_ceil(8), "{layout:?}");
        }
    }
}
