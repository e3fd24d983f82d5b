//! Each number of clusters beside references without clusters, and the one that stands out.

use statrs::function::beta::checked_beta_reg;

use super::ConsensusCdf;
use crate::stats;

/// A PAC below this counts as this: its logarithm is taken.
const LEAST_PAC: f64 = 0.0001;

/// Structure is there when data without clusters would have so low a PAC so rarely, at any of the numbers that were tried.
const LEVEL: f64 = 0.05;

/// How stable each number of clusters is, and which is recommended.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Stability {
    /// Every number of clusters that was tried, in ascending order.
    pub counts: Vec<KStability>,
    /// What is recommended.
    pub finding: Finding,
    /// The p of the number with the largest RCSI, times how many numbers were tried.
    pub p: f64,
    /// How many objects there are.
    pub objects: usize,
    /// How many of them were looked at.
    pub looked_at: usize,
    /// H.
    pub draws: usize,
    /// R.
    pub references: usize,
}

/// What is recommended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finding {
    /// So many clusters, fewer than the most that were tried.
    Clusters(usize),
    /// As many clusters as were tried at most: more may be better still.
    AtLeast(usize),
    /// No number of clusters is more stable than in references without clusters.
    NoStructure,
}

impl Finding {
    /// How many clusters.
    #[must_use]
    pub fn clusters(self) -> usize {
        match self {
            Self::Clusters(clusters) | Self::AtLeast(clusters) => clusters,
            Self::NoStructure => 1,
        }
    }
}

/// How stable one number of clusters is.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct KStability {
    /// k.
    pub clusters: usize,
    /// CDF, A and PAC.
    pub cdf: ConsensusCdf,
    /// Δ(k).
    pub delta: f64,
    /// The mean PAC of the references.
    pub reference_pac: f64,
    /// The lowest and the highest PAC of a reference.
    pub reference_range: [f64; 2],
    /// ln PAC of the references, less that of the data.
    pub rcsi: f64,
    /// How often data without clusters would have a PAC as low.
    pub p: f64,
}

/// The curves of the data and then of every reference, by number of clusters.
pub(super) struct SetCurves<'a> {
    pub(super) counts: &'a [usize],
    /// The data's first.
    pub(super) curves: Vec<Vec<ConsensusCdf>>,
    pub(super) objects: usize,
    pub(super) looked_at: usize,
    pub(super) draws: usize,
}

impl SetCurves<'_> {
    fn log_pac(&self, set: usize, place: usize) -> f64 {
        libm::log(self.curves[set][place].pac.max(LEAST_PAC))
    }

    pub(super) fn judge(self) -> Stability {
        let references = self.curves.len() - 1;
        let counts: Vec<KStability> = (0..self.counts.len()).map(|place| self.count(place)).collect();
        let best = counts.iter().reduce(|best, other| if other.rcsi > best.rcsi { other } else { best });
        let best = best.expect("two clusters are tried at least");
        let p = (best.p * counts.len() as f64).min(1.0);
        let finding = match self.counts.last() {
            _ if p > LEVEL || best.rcsi <= 0.0 => Finding::NoStructure,
            Some(&most) if most == best.clusters && self.counts.len() > 1 => Finding::AtLeast(most),
            _ => Finding::Clusters(best.clusters),
        };
        let Self { objects, looked_at, draws, .. } = self;
        Stability { counts, finding, p, objects, looked_at, draws, references }
    }

    fn count(&self, place: usize) -> KStability {
        let own = &self.curves[0][place];
        let (log, references) = (self.log_pac(0, place), 1..self.curves.len());
        let pacs: Vec<f64> = references.clone().map(|set| self.curves[set][place].pac).collect();
        let before = place.checked_sub(1).map(|before| self.curves[0][before].area);
        KStability {
            clusters: self.counts[place],
            delta: before.map_or(own.area, |before| if before > 0.0 { (own.area - before) / before } else { 0.0 }),
            reference_range: [
                pacs.iter().copied().fold(f64::INFINITY, f64::min),
                pacs.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            ],
            reference_pac: mean(pacs.iter().copied()),
            rcsi: mean(references.clone().map(|set| self.log_pac(set, place))) - log,
            p: p_of(own.pac, &pacs),
            cdf: own.clone(),
        }
    }
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    stats::mean(&values.collect::<Vec<_>>()).expect("there is a reference at least")
}

/// How often data without clusters have a PAC as low: (b + 1) / (R + 1), where b of R references have. Where none has, the lower tail
/// of the beta distribution with their mean and variance, as in M3C, if that is less.
fn p_of(pac: f64, references: &[f64]) -> f64 {
    let as_low = references.iter().filter(|&&of_reference| of_reference <= pac).count();
    let counted = (as_low + 1) as f64 / (references.len() + 1) as f64;
    if as_low > 0 {
        return counted;
    }
    // A mean of 1 has no beta distribution.
    let (mean, deviation) = (mean(references.iter().copied()).min(0.999), stats::sd(references).unwrap_or(0.0));
    // Equal references tell nothing of how PACs vary: as if by one part in a thousand.
    let variance = deviation.max(0.001).powi(2);
    let alpha = ((1.0 - mean) / variance - 1.0 / mean) * mean * mean;
    let beta = alpha * (1.0 / mean - 1.0);
    checked_beta_reg(alpha, beta, pac.max(LEAST_PAC)).map_or(counted, |tail| tail.min(counted))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cdf(pac: f64, area: f64) -> ConsensusCdf {
        ConsensusCdf { shares: Vec::new(), area, pac }
    }

    fn judged(data: &[f64], references: &[&[f64]]) -> Stability {
        let of = |pacs: &[f64]| pacs.iter().map(|&pac| cdf(pac, 0.5)).collect::<Vec<_>>();
        let counts: Vec<usize> = (2..2 + data.len()).collect();
        let curves = std::iter::once(of(data)).chain(references.iter().map(|pacs| of(pacs))).collect();
        SetCurves { counts: &counts, curves, objects: 10, looked_at: 10, draws: 5 }.judge()
    }

    #[test]
    fn the_largest_gap_to_the_references_is_recommended_and_not_the_lowest_pac() {
        // The lowest PAC is that of 4 clusters, for the data and for every reference.
        let references = vec![&[0.4, 0.4, 0.1][..]; 19];
        let found = judged(&[0.4, 0.1, 0.09], &references);
        assert_eq!(found.finding, Finding::Clusters(3));
        assert!((found.counts[1].rcsi - (0.4_f64 / 0.1).ln()).abs() < 1e-12);
        assert!(found.p < 0.001 && found.counts[1].p < 0.001);
        assert!((found.counts[0].p - 1.0).abs() < 1e-12, "an equal reference is as low");
    }

    #[test]
    fn a_reference_that_is_as_stable_is_enough_for_no_structure() {
        let mut references = vec![&[0.4, 0.4, 0.1][..]; 19];
        references[7] = &[0.4, 0.1, 0.1];
        let found = judged(&[0.4, 0.1, 0.09], &references);
        assert_eq!((found.finding, found.finding.clusters()), (Finding::NoStructure, 1));
        assert!((found.counts[1].p - 0.1).abs() < 1e-12 && (found.p - 0.3).abs() < 1e-12);
    }

    #[test]
    fn beyond_all_references_p_is_the_tail_of_their_beta_distribution() {
        // Mean 0.3 and variance 0.005 · 20/19: by R, pbeta(0.1, 11.67, 27.23).
        let references: Vec<f64> =
            (0..20).map(|place| 0.3 + 0.005_f64.sqrt() * if place % 2 == 0 { 1.0 } else { -1.0 }).collect();
        assert!((p_of(0.1, &references) - 0.000_351_509_208_347_373).abs() < 1e-9, "{}", p_of(0.1, &references));
        assert!((p_of(0.2293, &references) - 11.0 / 21.0).abs() < 1e-12, "half of them are as low");
        assert!(
            p_of(0.5, &[1.0; 19]) < 1e-6 && p_of(0.0, &[0.9; 19]) < 1e-6 && (p_of(0.9, &[0.9; 19]) - 1.0).abs() < 1e-12
        );
    }

    #[test]
    fn perfect_stability_that_references_have_too_is_no_structure() {
        let found = judged(&[0.0, 0.0], &vec![&[0.0, 0.0][..]; 19]);
        assert_eq!((found.finding, found.counts[0].rcsi, found.p), (Finding::NoStructure, 0.0, 1.0));
    }

    #[test]
    fn the_end_of_the_range_is_said() {
        let references = vec![&[0.4, 0.4, 0.4][..]; 19];
        assert_eq!(judged(&[0.4, 0.4, 0.0], &references).finding, Finding::AtLeast(4));
        assert_eq!(judged(&[0.0], &vec![&[0.4][..]; 19]).finding, Finding::Clusters(2), "no other number was possible");
    }

    #[test]
    fn growth_of_the_area_is_relative_to_the_number_before() {
        let counts = [2, 3, 4];
        let curves: Vec<ConsensusCdf> = [0.4, 0.5, 0.45].map(|area| cdf(0.1, area)).into();
        let sets =
            SetCurves { counts: &counts, curves: vec![curves.clone(), curves], objects: 9, looked_at: 9, draws: 5 };
        let delta: Vec<f64> = sets.judge().counts.iter().map(|count| count.delta).collect();
        assert!(delta.iter().zip([0.4, 0.25, -0.1]).all(|(found, expected)| (found - expected).abs() < 1e-12));
    }
}
