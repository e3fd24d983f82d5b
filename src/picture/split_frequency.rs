//! How often two objects are separated, against their distance — Topchy, Jain & Punch, §5.1, Figure 3.
//!
//! In one dimension, r uniform thresholds on an interval of length L split two objects at distance x with probability
//! 1 − (1 − x/L)^r (Eq. 22). In more dimensions the paper expects the same shape; L is then fitted by least squares over
//! all pairs.

use rand::RngExt;

use super::{Mark, MarkKind, PanelSource};
use crate::consensus::{Halt, Similarity, Watch};

/// More objects have too many pairs to hold; a dataset's `sample` takes fewer.
pub(crate) const MOST_OBJECTS: usize = 3000;

/// Pairs that are drawn as dots.
const DOTS: usize = 1000;
/// Bins of distances.
const BINS: usize = 20;
/// Points of the law's curve.
const CURVE: usize = 60;

/// Two objects.
#[derive(Debug, Clone, Copy, PartialEq)]
struct ObjectPair {
    distance: f64,
    /// The share of base clusterings labelling both that separate them.
    split: f64,
}

pub(super) fn draw(subject: &PanelSource, watch: &Watch) -> Result<Vec<Mark>, Halt> {
    let pairs = pairs(subject, watch)?;
    let longest = pairs.iter().map(|pair| pair.distance).fold(0.0, f64::max);
    if longest == 0.0 {
        return Err(Halt::Failed("no base clustering labels two objects at different places".to_owned()));
    }
    let mut marks = vec![Mark::number(MarkKind::Objects, subject.ensemble.objects() as f64)];
    let law = match subject.planes {
        Some(planes) => Some(law(subject, planes, &pairs, watch)?),
        None => None,
    };
    if let Some((law, origin)) = &law {
        marks.push(Mark { note: Some((*origin).to_owned()), ..Mark::number(MarkKind::Length, law.length) });
        marks.push(Mark::number(MarkKind::Deviation, (law.squares(&pairs) / pairs.len() as f64).sqrt()));
        let at = |step: usize| step as f64 / CURVE as f64 * longest;
        marks.extend((0..=CURVE).map(at).map(|x| Mark::at(MarkKind::Law, x, law.at(x))));
    }
    marks.extend(bins(&pairs, longest, law.map(|(law, _)| law)));
    marks.extend(dots(pairs, subject).into_iter().map(|pair| Mark::at(MarkKind::Pair, pair.distance, pair.split)));
    Ok(marks)
}

/// Every unordered pair of objects that some base clustering labels both of.
fn pairs(subject: &PanelSource, watch: &Watch) -> Result<Vec<ObjectPair>, Halt> {
    let PanelSource { dataset, ensemble, .. } = subject;
    let mut objects_of: Vec<Vec<usize>> = vec![Vec::new(); ensemble.rows()];
    for (object, &row) in ensemble.row_of().iter().enumerate() {
        objects_of[row as usize].push(object);
    }
    let mut similarity = Similarity::of(ensemble);
    let mut pairs = Vec::new();
    for (row, objects) in objects_of.iter().enumerate() {
        let (agreeing, shared) = similarity.counts(row);
        for &one in objects {
            watch.check()?;
            for other in one + 1..ensemble.objects() {
                let row = ensemble.row_of()[other] as usize;
                if shared[row] > 0 {
                    let split = 1.0 - f64::from(agreeing[row]) / f64::from(shared[row]);
                    let sides = dataset.features.row(one).iter().zip(dataset.features.row(other));
                    pairs.push(ObjectPair {
                        distance: sides.map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt(),
                        split,
                    });
                }
            }
        }
    }
    Ok(pairs)
}

/// Eq. 22.
#[derive(Debug, Clone, Copy)]
struct Law {
    /// L.
    length: f64,
    /// r.
    planes: usize,
}

impl Law {
    /// 1 − (1 − x/L)^r; 1 beyond L.
    fn at(&self, x: f64) -> f64 {
        let together = (1.0 - x / self.length).max(0.0);
        1.0 - (0..self.planes).fold(1.0, |power, _| power * together)
    }

    fn squares(&self, pairs: &[ObjectPair]) -> f64 {
        pairs.iter().map(|pair| (pair.split - self.at(pair.distance)).powi(2)).sum()
    }
}

/// The law of r hyperplanes for these objects, and where its L is from.
fn law(subject: &PanelSource, planes: usize, pairs: &[ObjectPair], watch: &Watch) -> Result<(Law, &'static str), Halt> {
    if subject.dataset.features.columns() == 1 {
        let values = subject.dataset.features.values().iter().copied();
        let length = values.clone().fold(f64::NEG_INFINITY, f64::max) - values.fold(f64::INFINITY, f64::min);
        return Ok((Law { length, planes }, "the length of the data’s interval"));
    }
    Ok((Law { length: fitted_length(planes, pairs, watch)?, planes }, "fitted by least squares"))
}

/// The L of the least squares: the best of a wide grid, then a golden section between its neighbours. The law is cut off at
/// 1, so that its squares may have several minima.
fn fitted_length(planes: usize, pairs: &[ObjectPair], watch: &Watch) -> Result<f64, Halt> {
    const STEPS: i32 = 48;
    const ROUNDS: usize = 40;
    let longest = pairs.iter().map(|pair| pair.distance).fold(0.0, f64::max);
    // From a tenth of the longest distance to a thousand times it.
    let length = |step: f64| longest * libm::pow(10.0, 4.0 * step / f64::from(STEPS) - 1.0);
    let squares = |step: f64| -> Result<f64, Halt> {
        watch.check()?;
        Ok(Law { length: length(step), planes }.squares(pairs))
    };
    let mut best = (f64::INFINITY, 0.0);
    for step in (0..=STEPS).map(f64::from) {
        let found = squares(step)?;
        if found < best.0 {
            best = (found, step);
        }
    }
    let ratio = (5_f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (best.1 - 1.0, best.1 + 1.0);
    for _ in 0..ROUNDS {
        let (left, right) = (high - ratio * (high - low), low + ratio * (high - low));
        if squares(left)? <= squares(right)? {
            high = right;
        } else {
            low = left;
        }
    }
    Ok(length((low + high) / 2.0))
}

/// Means over pairs in bins of equal width.
fn bins(pairs: &[ObjectPair], longest: f64, law: Option<Law>) -> Vec<Mark> {
    let mut bins = [(0_u32, 0.0, 0.0); BINS];
    for pair in pairs {
        let bin = ((pair.distance / longest * BINS as f64) as usize).min(BINS - 1);
        let (count, split, lawful) = &mut bins[bin];
        *count += 1;
        *split += pair.split;
        *lawful += law.map_or(0.0, |law| law.at(pair.distance));
    }
    let mut marks = Vec::new();
    for (bin, (count, split, lawful)) in bins.into_iter().enumerate().filter(|(_, (count, ..))| *count > 0) {
        let ends = [bin, bin + 1].map(|end| end as f64 / BINS as f64 * longest);
        let count = f64::from(count);
        marks.push(Mark::over(MarkKind::BinPairs, ends, count));
        marks.push(Mark::over(MarkKind::BinMean, ends, split / count));
        marks.extend(law.map(|_| Mark::over(MarkKind::BinLaw, ends, lawful / count)));
    }
    marks
}

/// As many pairs as can be looked at, drawn at random without repetition, by distance.
fn dots(mut pairs: Vec<ObjectPair>, subject: &PanelSource) -> Vec<ObjectPair> {
    if pairs.len() > DOTS {
        let mut rng = subject.id.rng("pairs");
        for position in 0..DOTS {
            let other = rng.random_range(position..pairs.len());
            pairs.swap(position, other);
        }
        pairs.truncate(DOTS);
    }
    pairs.sort_by(|one, other| one.distance.total_cmp(&other.distance).then(one.split.total_cmp(&other.split)));
    pairs
}

#[cfg(test)]
#[path = "split_frequency_tests.rs"]
mod tests;
