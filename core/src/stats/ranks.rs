//! Several methods measured on the same blocks: ranks within each block, and the tests that rest on them (Demšar 2006,
//! "Statistical comparisons of classifiers over multiple data sets").

use super::studentized_range::studentized_range_quantile;
use statrs::distribution::{ChiSquared, ContinuousCDF, FisherSnedecor};

/// Which values have the low ranks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Best {
    /// The largest value has rank 1.
    Highest,
    /// The smallest value has rank 1.
    Lowest,
}

/// Values this near to each other, relative to the larger, are tied.
const ROUNDING: f64 = 1e-12;

/// The ranks of one block, 1 for the best; equal values (up to 1e-12 of the larger) share the mean of their ranks.
pub fn ranks(values: &[f64], best: Best) -> Vec<f64> {
    let worth = |value: f64| match best {
        Best::Highest => -value,
        Best::Lowest => value,
    };
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| worth(values[a]).total_cmp(&worth(values[b])));
    let tied = |a: usize, b: usize| (values[a] - values[b]).abs() <= ROUNDING * values[a].abs().max(values[b].abs());
    let mut ranks = vec![0.0; values.len()];
    let mut start = 0;
    while start < order.len() {
        let group = order[start..].iter().take_while(|other| tied(order[start], **other)).count();
        // The mean of start + 1 ..= start + group.
        let shared = start as f64 + (group as f64 + 1.0) / 2.0;
        order[start..start + group].iter().for_each(|&place| ranks[place] = shared);
        start += group;
    }
    ranks
}

/// Two or more blocks, each with a rank for every one of two or more methods.
#[derive(Debug, Clone, PartialEq)]
pub struct RankTable {
    blocks: Vec<Vec<f64>>,
    methods: usize,
}

impl RankTable {
    /// Ranks the values of every block; `None` when there are fewer than two blocks or methods.
    ///
    /// # Panics
    /// When blocks differ in their number of values.
    pub fn of(values: &[Vec<f64>], best: Best) -> Option<Self> {
        let methods = values.first()?.len();
        assert!(values.iter().all(|block| block.len() == methods), "every block has a value of every method");
        let blocks: Vec<Vec<f64>> = values.iter().map(|block| ranks(block, best)).collect();
        (methods >= 2 && blocks.len() >= 2).then_some(Self { blocks, methods })
    }

    /// n.
    pub fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// k.
    pub fn methods(&self) -> usize {
        self.methods
    }

    /// The mean rank of each method.
    pub fn mean_ranks(&self) -> Vec<f64> {
        self.sums().into_iter().map(|sum| sum / self.blocks() as f64).collect()
    }

    fn sums(&self) -> Vec<f64> {
        (0..self.methods).map(|method| self.blocks.iter().map(|block| block[method]).sum()).collect()
    }
}

/// Friedman's test that all methods rank alike, and Iman and Davenport's sharper form of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Friedman {
    /// χ², corrected for ties.
    pub chi_squared: f64,
    /// Its degrees of freedom, k − 1.
    pub degrees: usize,
    /// P(χ² or more) if all methods rank alike.
    pub p: f64,
    /// Iman and Davenport's F = (n − 1) χ² / (n (k − 1) − χ²); infinite where every block has the same ranks.
    pub f: f64,
    /// Its degrees of freedom, k − 1 and (k − 1)(n − 1).
    pub f_degrees: [usize; 2],
    /// P(F or more) if all methods rank alike.
    pub f_p: f64,
}

/// Friedman's test: χ² = (k − 1) Σ_j (R_j − n (k + 1) / 2)² / (Σ r² − n k (k + 1)² / 4) with R_j the sum of a method's
/// ranks r; without ties that is 12 / (n k (k + 1)) Σ R_j² − 3 n (k + 1). Where everything is tied, χ² is 0 and p is 1.
pub fn friedman(table: &RankTable) -> Friedman {
    let (n, k) = (table.blocks() as f64, table.methods() as f64);
    let between: f64 = table.sums().iter().map(|sum| (sum - n * (k + 1.0) / 2.0).powi(2)).sum();
    let squares: f64 = table.blocks.iter().flatten().map(|rank| rank * rank).sum();
    let within = squares - n * k * (k + 1.0).powi(2) / 4.0;
    let chi_squared = if within > 0.0 { (k - 1.0) * between / within } else { 0.0 };
    let rest = n * (k - 1.0) - chi_squared;
    // Equal ranks in every block leave a rest of nothing but rounding.
    let f = if rest > 1e-9 * n * k { (n - 1.0) * chi_squared / rest } else { f64::INFINITY };
    let degrees = [k - 1.0, (k - 1.0) * (n - 1.0)];
    let chi = ChiSquared::new(degrees[0]).expect("two methods leave a degree of freedom");
    let fisher = FisherSnedecor::new(degrees[0], degrees[1]).expect("two methods and blocks leave degrees of freedom");
    Friedman {
        chi_squared,
        degrees: table.methods() - 1,
        p: chi.sf(chi_squared),
        f,
        f_degrees: degrees.map(|degree| degree as usize),
        f_p: if f.is_finite() { fisher.sf(f) } else { 0.0 },
    }
}

/// Nemenyi's critical difference: mean ranks further apart than q(1 − level; k, ∞) / √2 · √(k (k + 1) / (6 n)) differ.
///
/// # Panics
/// When `level` is not strictly between 0 and 1.
pub fn nemenyi_difference(table: &RankTable, level: f64) -> f64 {
    let (n, k) = (table.blocks() as f64, table.methods() as f64);
    studentized_range_quantile(table.methods(), level) / std::f64::consts::SQRT_2 * (k * (k + 1.0) / (6.0 * n)).sqrt()
}

/// The maximal groups of two or more neighbours in an order in which no two differ: first and last position of each.
pub fn cliques(members: usize, differ: impl Fn(usize, usize) -> bool) -> Vec<[usize; 2]> {
    let mut groups: Vec<[usize; 2]> = Vec::new();
    for first in 0..members {
        let joins = |last: &usize| (first..*last).all(|other| !differ(other, *last));
        let last = (first + 1..members).take_while(joins).last().unwrap_or(first);
        if last > first && groups.last().is_none_or(|group| group[1] < last) {
            groups.push([first, last]);
        }
    }
    groups
}

#[cfg(test)]
#[path = "ranks_tests.rs"]
mod tests;
