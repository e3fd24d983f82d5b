//! Mutual information adjusted for chance.

use super::Contingency;
use super::information::{entropy, information_term, mutual_information};
use crate::stats;
use std::collections::BTreeMap;

/// Weights fall ever faster away from the mode: what follows one this small cannot reach the last bit of a sum ≥ 1.
const NEGLIGIBLE: f64 = 1e-30;

/// Adjusted mutual information (Vinh, Epps and Bailey): (I − E) / ((H(C) + H(K))/2 − E), where E is the mean of I over
/// all pairs of partitions with the same group sizes. scikit-learn's default normaliser.
///
/// 1 when both partitions group the objects alike. 0 when only one of them is a single cluster or leaves every
/// object alone: its mutual information with the other is then the same whatever the other's arrangement.
pub fn ami(table: &Contingency) -> f64 {
    if table.same_grouping() {
        return 1.0;
    }
    // A single cluster comes out as 0 by itself; singletons would leave the rounding of I − E.
    let all_alone = |groups: usize| groups as u64 == table.objects();
    if all_alone(table.clusters()) || all_alone(table.classes()) {
        return 0.0;
    }
    let expected = expected_mutual_information(table);
    let [first, second] = [table.cluster_sizes(), table.class_sizes()].map(entropy);
    (mutual_information(table) - expected) / (0.5 * (first + second) - expected)
}

/// E = Σ_ij Σ_n P(n; N, a_i, b_j) (n/N) ln(N n / (a_i b_j)), P hypergeometric.
///
/// Groups of one size share their sums, so the cost grows with the number of distinct sizes.
fn expected_mutual_information(table: &Contingency) -> f64 {
    let (rows, columns) = (multiplicities(table.cluster_sizes()), multiplicities(table.class_sizes()));
    let mut terms = Vec::with_capacity(rows.len() * columns.len());
    for (&cluster_size, &row_times) in &rows {
        for (&class_size, &column_times) in &columns {
            let times = row_times as f64 * column_times as f64;
            terms.push(times * expected_term(cluster_size, class_size, table.objects()));
        }
    }
    stats::sum(&terms)
}

fn multiplicities(sizes: &[u64]) -> BTreeMap<u64, u64> {
    let mut times = BTreeMap::new();
    for &size in sizes {
        *times.entry(size).or_insert(0) += 1;
    }
    times
}

/// Mean of (n/N) ln(N n / (a b)) for n hypergeometric: the overlap of random groups of `a` and `b` among N objects.
///
/// The probabilities grow from the mode outwards by their ratios P(n+1)/P(n) = (a−n)(b−n) / ((n+1)(N−a−b+n+1)) and
/// are divided by their own sum: log-gammas of N would lose log10(N!) digits to cancellation.
fn expected_term(a: u64, b: u64, objects: u64) -> f64 {
    let (least, most) = ((a + b).saturating_sub(objects), a.min(b));
    let mode = ((a + 1) * (b + 1) / (objects + 2)).clamp(least, most);
    let ratio_up = |n: u64| {
        let gained = (a - n) as f64 * (b - n) as f64;
        gained / ((n + 1) as f64 * (objects + n + 1 - a - b) as f64)
    };
    let value = |n: u64| {
        if n == 0 { 0.0 } else { information_term(n, a, b, objects) }
    };

    let (mut total, mut mean) = (1.0, value(mode));
    let mut add = |n: u64, weight: f64| {
        total += weight;
        mean += weight * value(n);
    };
    let mut weight = 1.0;
    for n in mode..most {
        weight *= ratio_up(n);
        if weight < NEGLIGIBLE {
            break;
        }
        add(n + 1, weight);
    }
    weight = 1.0;
    for n in (least..mode).rev() {
        weight /= ratio_up(n);
        if weight < NEGLIGIBLE {
            break;
        }
        add(n, weight);
    }
    mean / total
}

#[cfg(test)]
mod tests {
    use super::super::contingency::table;
    use super::*;

    /// The sum as published, with log-gammas and without shared sizes.
    fn expected_by_log_gamma(clusters: &[u64], classes: &[u64]) -> f64 {
        let objects: u64 = clusters.iter().sum();
        let log_factorial = |n: u64| libm::lgamma(n as f64 + 1.0);
        let mut sum = 0.0;
        for &a in clusters {
            for &b in classes {
                for n in (a + b).saturating_sub(objects).max(1)..=a.min(b) {
                    let log_probability =
                        log_factorial(a) + log_factorial(b) + log_factorial(objects - a) + log_factorial(objects - b)
                            - log_factorial(objects)
                            - log_factorial(n)
                            - log_factorial(a - n)
                            - log_factorial(b - n)
                            - log_factorial(objects + n - a - b);
                    sum += log_probability.exp() * information_term(n, a, b, objects);
                }
            }
        }
        sum
    }

    #[test]
    fn expected_information_equals_the_published_sum() {
        let predicted: Vec<u32> = (0..300).map(|i| i * i % 13 % 5).collect();
        let truth: Vec<u32> = (0..300).map(|i| i / 17 % 7).collect();
        let table = table(&predicted, &truth);
        let slow = expected_by_log_gamma(table.cluster_sizes(), table.class_sizes());
        assert!((expected_mutual_information(&table) - slow).abs() < 1e-12);
    }

    #[test]
    fn expected_information_is_the_mean_over_all_arrangements() {
        // Sizes (2, 2) against (2, 2): of the 3 ways to pair up four objects one repeats the truth (I = ln 2) and
        // two cross it (I = 0).
        let crossed = table(&[0, 0, 1, 1], &[0, 1, 0, 1]);
        let expected = std::f64::consts::LN_2 / 3.0;
        assert!((expected_mutual_information(&crossed) - expected).abs() < 1e-15);
        assert!((ami(&crossed) + 0.5).abs() < 1e-15);
    }

    #[test]
    fn degenerate_partitions_are_exact() {
        assert_eq!(ami(&table(&[0, 0, 0], &[0, 0, 0])), 1.0);
        assert_eq!(ami(&table(&[0, 1, 2], &[2, 0, 1])), 1.0);
        assert_eq!(ami(&table(&[1, 0, 0], &[0, 1, 1])), 1.0);
        assert_eq!(ami(&table(&[0, 0, 0], &[0, 1, 1])), 0.0);
        assert_eq!(ami(&table(&[0, 1, 1], &[0, 0, 0])), 0.0);
        for objects in 5..40 {
            let alone: Vec<u32> = (0..objects).collect();
            let uneven: Vec<u32> = (0..objects).map(|i| i * i % 7 % 5).collect();
            assert_eq!(ami(&table(&alone, &uneven)), 0.0, "{objects}");
            assert_eq!(ami(&table(&uneven, &alone)), 0.0, "{objects}");
        }
        assert_eq!(ami(&table(&[], &[])), 1.0);
    }
}
