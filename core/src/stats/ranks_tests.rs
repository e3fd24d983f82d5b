//! Demšar's worked example, other libraries' values, and every permutation of small tables.

use super::*;
use proptest::prelude::*;

/// AUC of C4.5, C4.5+m, C4.5+cf and C4.5+m+cf on 14 datasets (Demšar 2006, Table 6). On voting the paper ranks two equal printed
/// values 2 and 3, so the first of them is taken to be a little larger.
const AUC: [[f64; 4]; 14] = [
    [0.763, 0.768, 0.771, 0.798],
    [0.599, 0.591, 0.590, 0.569],
    [0.954, 0.971, 0.968, 0.967],
    [0.628, 0.661, 0.654, 0.657],
    [0.882, 0.888, 0.886, 0.898],
    [0.936, 0.931, 0.916, 0.931],
    [0.661, 0.668, 0.609, 0.685],
    [0.583, 0.583, 0.563, 0.625],
    [0.775, 0.838, 0.866, 0.875],
    [1.000, 1.000, 1.000, 1.000],
    [0.940, 0.962, 0.965, 0.962],
    [0.619, 0.666, 0.614, 0.669],
    [0.972, 0.981, 0.9751, 0.975],
    [0.957, 0.978, 0.946, 0.970],
];

fn table(values: &[impl AsRef<[f64]>], best: Best) -> RankTable {
    let rows: Vec<Vec<f64>> = values.iter().map(|row| row.as_ref().to_vec()).collect();
    RankTable::of(&rows, best).expect("two blocks and two methods")
}

/// χ² of Demšar's formula, which has no correction for ties.
fn plain_chi_squared(table: &RankTable) -> f64 {
    let (n, k) = (table.blocks() as f64, table.methods() as f64);
    let squares: f64 = table.mean_ranks().iter().map(|rank| rank * rank).sum();
    12.0 * n / (k * (k + 1.0)) * (squares - k * (k + 1.0).powi(2) / 4.0)
}

#[test]
fn demsars_example_has_his_ranks_statistics_and_critical_difference() {
    let table = table(&AUC, Best::Highest);
    for (found, printed) in table.mean_ranks().into_iter().zip([3.143, 2.000, 2.893, 1.964]) {
        assert!((found - printed).abs() < 5e-4, "{found}");
    }
    let plain = plain_chi_squared(&table);
    assert!((plain - 9.28).abs() < 5e-3, "{plain}");
    assert!((13.0 * plain / (14.0 * 3.0 - plain) - 3.69).abs() < 5e-3);
    assert!((nemenyi_difference(&table, 0.05) - 1.25).abs() < 5e-3);
    assert!((nemenyi_difference(&table, 0.10) - 1.12).abs() < 5e-3);
    // The correction: 1 − Σ (t³ − t) / (n k (k² − 1)) with three pairs and one group of four.
    let correction = 1.0 - (3.0 * 6.0 + 60.0) / (14.0 * 4.0 * 15.0);
    let test = friedman(&table);
    assert!((test.chi_squared - plain / correction).abs() < 1e-12);
    assert_eq!((test.degrees, test.f_degrees), (3, [3, 39]));
    assert!((test.f - 13.0 * test.chi_squared / (42.0 - test.chi_squared)).abs() < 1e-12);
}

#[test]
fn friedman_equals_scipy_with_ties() {
    let test = friedman(&table(&AUC, Best::Highest));
    assert!((test.chi_squared - SCIPY_CHI).abs() < 1e-10, "{}", test.chi_squared);
    assert!((test.p - SCIPY_P).abs() < 1e-10, "{}", test.p);
    assert!((test.f_p - SCIPY_F_P).abs() < 1e-10, "{}", test.f_p);
}

const SCIPY_CHI: f64 = 10.228346456692925;
const SCIPY_P: f64 = 0.016721580328441323;
const SCIPY_F_P: f64 = 0.011620659515310975;

#[test]
fn lower_is_better_turns_the_ranks_around() {
    assert_eq!(ranks(&[0.1, 0.4, 0.1 + 0.3, 0.2], Best::Highest), [4.0, 1.5, 1.5, 3.0]);
    assert_eq!(ranks(&[0.1, 0.4, 0.1 + 0.3, 0.2], Best::Lowest), [1.0, 3.5, 3.5, 2.0]);
}

#[test]
fn equal_methods_show_nothing_and_a_constant_order_everything() {
    let tied = friedman(&table(&[[0.5; 3]; 4], Best::Highest));
    assert_eq!((tied.chi_squared, tied.p, tied.f, tied.f_p), (0.0, 1.0, 0.0, 1.0));
    let constant = friedman(&table(&[[0.9, 0.5, 0.1]; 6], Best::Highest));
    assert!((constant.chi_squared - 12.0).abs() < 1e-12);
    assert_eq!((constant.f, constant.f_p), (f64::INFINITY, 0.0));
    assert_eq!(RankTable::of(&[vec![1.0, 2.0]], Best::Highest), None);
}

/// P(χ² at least as large) over every order of the ranks within every block.
fn p_by_permutation(table: &RankTable) -> f64 {
    let observed = friedman(table).chi_squared;
    let orders: Vec<Vec<Vec<f64>>> = table.blocks.iter().map(|block| permutations(block)).collect();
    let (mut extreme, mut all) = (0_u32, 0_u32);
    let mut chosen = vec![0; orders.len()];
    loop {
        let blocks = chosen.iter().zip(&orders).map(|(&which, of_block)| of_block[which].clone()).collect();
        let permuted = friedman(&RankTable { blocks, methods: table.methods }).chi_squared;
        extreme += u32::from(permuted >= observed - 1e-9);
        all += 1;
        let Some(next) = (0..chosen.len()).find(|&block| chosen[block] + 1 < orders[block].len()) else { break };
        chosen[next] += 1;
        chosen[..next].fill(0);
    }
    f64::from(extreme) / f64::from(all)
}

fn permutations(values: &[f64]) -> Vec<Vec<f64>> {
    let Some((first, rest)) = values.split_first() else { return vec![Vec::new()] };
    let longer = |shorter: Vec<f64>| {
        let insert = move |place: usize| [&shorter[..place], &[*first], &shorter[place..]].concat();
        (0..values.len()).map(insert).collect::<Vec<_>>()
    };
    permutations(rest).into_iter().flat_map(longer).collect()
}

#[test]
fn the_chi_squared_approximation_is_near_the_permutation_distribution() {
    // Hollander and Wolfe's tables: for k = 3, n = 6 the exact P(χ² ≥ 7) is 0.029.
    let rows = [[0.9, 0.8, 0.1], [0.9, 0.7, 0.2], [0.8, 0.6, 0.3], [0.9, 0.5, 0.7], [0.9, 0.4, 0.5], [0.6, 0.9, 0.2]];
    let table = table(&rows, Best::Highest);
    let test = friedman(&table);
    assert!((test.chi_squared - 7.0).abs() < 1e-12, "{}", test.chi_squared);
    let exact = p_by_permutation(&table);
    assert!((exact - 0.029).abs() < 5e-4, "{exact}");
    assert!((test.p - exact).abs() < 0.005 && (test.f_p - exact).abs() < 0.02, "{} {} {exact}", test.p, test.f_p);
}

#[test]
fn cliques_are_maximal_and_of_neighbours() {
    // 0 differs from 2 and beyond, 1 from 4.
    let differ = |a: usize, b: usize| matches!((a, b), (0, 2..) | (1, 4));
    assert_eq!(cliques(5, differ), [[0, 1], [1, 3], [2, 4]]);
    assert_eq!(cliques(3, |_, _| true), Vec::<[usize; 2]>::new());
    assert_eq!(cliques(3, |_, _| false), [[0, 2]]);
}

proptest! {
    #[test]
    fn cliques_are_all_maximal_intervals_without_a_difference(pairs in prop::collection::vec(any::<bool>(), 36)) {
        const MEMBERS: usize = 6;
        let differ = |a: usize, b: usize| pairs[a.min(b) * MEMBERS + a.max(b)];
        let sound = |first: usize, last: usize| (first..=last).all(|a| (a + 1..=last).all(|b| !differ(a, b)));
        let mut expected = Vec::new();
        for first in 0..MEMBERS {
            for last in first + 1..MEMBERS {
                let longer = (first > 0 && sound(first - 1, last)) || (last + 1 < MEMBERS && sound(first, last + 1));
                if sound(first, last) && !longer {
                    expected.push([first, last]);
                }
            }
        }
        prop_assert_eq!(cliques(MEMBERS, differ), expected);
    }

    #[test]
    fn ranks_of_a_block_sum_to_the_same_whatever_the_ties(whole in prop::collection::vec(0_i32..4, 2..8)) {
        let values: Vec<f64> = whole.into_iter().map(f64::from).collect();
        let n = values.len() as f64;
        let ranked = ranks(&values, Best::Highest);
        prop_assert_eq!(ranked.iter().sum::<f64>(), n * (n + 1.0) / 2.0);
        // By counting: one plus those above, plus half of the other equals.
        for (value, rank) in values.iter().zip(&ranked) {
            let above = values.iter().filter(|other| *other > value).count() as f64;
            let equal = values.iter().filter(|other| *other == value).count() as f64;
            prop_assert_eq!(*rank, above + (equal + 1.0) / 2.0);
        }
    }
}
