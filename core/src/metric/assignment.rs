//! One-to-one matching of rows to columns of greatest total weight.

/// The one-to-one matching of rows to columns with the greatest total weight: for each row its column, or `None`
/// for the rows left over when there are more rows than columns.
///
/// `weights` holds `rows × columns` values row after row. This is the Hungarian method with potentials
/// (Kuhn–Munkres by shortest augmenting paths), exact on integers, in O(min² · max) steps.
///
/// # Panics
/// When `weights` does not hold `rows × columns` values, or one of them exceeds `i64::MAX / 4`.
pub fn maximum_assignment(weights: &[u64], rows: usize, columns: usize) -> Vec<Option<usize>> {
    assert_eq!(weights.len(), rows * columns, "a weight for every row and column");
    let cost = |weight: u64| {
        let weight = i64::try_from(weight).expect("weights are counts, far below i64::MAX");
        assert!(weight <= i64::MAX / 4, "weights leave room for potentials");
        -weight
    };
    if rows <= columns {
        least_cost(rows, columns, |row, column| cost(weights[row * columns + column])).into_iter().map(Some).collect()
    } else {
        let row_of = least_cost(columns, rows, |column, row| cost(weights[row * columns + column]));
        let mut column_of = vec![None; rows];
        for (column, row) in row_of.into_iter().enumerate() {
            column_of[row] = Some(column);
        }
        column_of
    }
}

/// Matches each of `rows ≤ columns` rows to its own column at the least total cost.
fn least_cost(rows: usize, columns: usize, cost: impl Fn(usize, usize) -> i64) -> Vec<usize> {
    // Columns are shifted by one: column 0 is a stand-in that holds the row being placed.
    let mut row_potential = vec![0_i64; rows];
    let mut column_potential = vec![0_i64; columns + 1];
    let mut row_at: Vec<Option<usize>> = vec![None; columns + 1];
    for placed in 0..rows {
        row_at[0] = Some(placed);
        let mut slack = vec![i64::MAX; columns + 1];
        let mut came_from = vec![0_usize; columns + 1];
        let mut reached = vec![false; columns + 1];
        let mut current = 0;
        while let Some(row) = row_at[current] {
            reached[current] = true;
            let (mut step, mut next) = (i64::MAX, 0);
            for column in 1..=columns {
                if reached[column] {
                    continue;
                }
                let reduced = cost(row, column - 1) - row_potential[row] - column_potential[column];
                if reduced < slack[column] {
                    slack[column] = reduced;
                    came_from[column] = current;
                }
                if slack[column] < step {
                    step = slack[column];
                    next = column;
                }
            }
            for column in 0..=columns {
                if !reached[column] {
                    slack[column] = slack[column].saturating_sub(step);
                } else if let Some(row) = row_at[column] {
                    row_potential[row] += step;
                    column_potential[column] -= step;
                }
            }
            current = next;
        }
        while current != 0 {
            let previous = came_from[current];
            row_at[current] = row_at[previous];
            current = previous;
        }
    }
    let mut column_of = vec![0; rows];
    for (column, row) in row_at.iter().enumerate().skip(1) {
        if let Some(row) = row {
            column_of[*row] = column - 1;
        }
    }
    column_of
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn total(weights: &[u64], columns: usize, matching: &[Option<usize>]) -> u64 {
        matching
            .iter()
            .enumerate()
            .filter_map(|(row, column)| column.map(|column| weights[row * columns + column]))
            .sum()
    }

    /// The best total over every way to give rows distinct columns or none.
    fn best_by_enumeration(weights: &[u64], columns: usize, free: &BTreeSet<usize>) -> u64 {
        if weights.is_empty() {
            return 0;
        }
        let rest = &weights[columns..];
        let skipped = best_by_enumeration(rest, columns, free);
        free.iter().fold(skipped, |best, &column| {
            let mut left = free.clone();
            left.remove(&column);
            best.max(weights[column] + best_by_enumeration(rest, columns, &left))
        })
    }

    #[test]
    fn a_worked_table_is_not_matched_greedily() {
        // Greedy takes 9 and is left with 1; the best is 8 + 7.
        assert_eq!(maximum_assignment(&[9, 8, 7, 1], 2, 2), [Some(1), Some(0)]);
    }

    #[test]
    fn surplus_rows_stay_unmatched() {
        assert_eq!(maximum_assignment(&[1, 5, 3], 3, 1), [None, Some(0), None]);
        assert_eq!(maximum_assignment(&[1, 5, 3], 1, 3), [Some(1)]);
        assert_eq!(maximum_assignment(&[], 2, 0), [None, None]);
        assert!(maximum_assignment(&[], 0, 3).is_empty());
    }

    proptest! {
        #[test]
        fn total_is_the_best_of_all_matchings(
            (rows, columns, weights) in (1_usize..6, 1_usize..6).prop_flat_map(|(rows, columns)| {
                (Just(rows), Just(columns), prop::collection::vec(0_u64..12, rows * columns))
            })
        ) {
            let matching = maximum_assignment(&weights, rows, columns);
            let used: Vec<usize> = matching.iter().flatten().copied().collect();
            let distinct: BTreeSet<usize> = used.iter().copied().collect();
            prop_assert_eq!(distinct.len(), used.len());
            prop_assert_eq!(used.len(), rows.min(columns));
            let best = best_by_enumeration(&weights, columns, &(0..columns).collect());
            prop_assert_eq!(total(&weights, columns, &matching), best);
        }
    }
}
