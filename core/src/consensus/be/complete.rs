//! Where no label is missing, S_ij is the share of the M base clusterings that have i and j in one cluster, and sums over pairs of
//! objects go label by label: nothing is needed for each pair of rows.

use super::super::similarity::Similarity;
use super::super::{Halt, Watch};
use super::factors::{Lane, add};
use crate::ensemble::{Ensemble, Observed};

/// Σ_{i≠j} S_ij² over ordered pairs of objects. M² S_ij² summed over j is a whole number, so the order of the additions is nothing.
///
/// # Errors
/// When time is up.
pub(super) fn squares(ensemble: &Ensemble, watch: &Watch) -> Result<f64, Halt> {
    let (rows, columns) = (ensemble.rows(), ensemble.columns());
    // Of U² M steps and U M² those that are fewer.
    let all = if rows < columns { by_rows(ensemble, watch)? } else { by_columns(ensemble, watch)? };
    let own = (columns as u128).pow(2) * ensemble.objects() as u128;
    Ok((all - own) as f64 / (columns as f64).powi(2))
}

/// Σ_ij (M S_ij)², row by row.
fn by_rows(ensemble: &Ensemble, watch: &Watch) -> Result<u128, Halt> {
    let weights = ensemble.weights();
    let mut counts = Similarity::of(ensemble);
    let mut all = 0;
    for (row, &weight) in weights.iter().enumerate() {
        watch.check()?;
        let (agreeing, _) = counts.counts(row);
        let squares = agreeing.iter().zip(weights).map(|(&count, &other)| u128::from(count).pow(2) * u128::from(other));
        all += u128::from(weight) * squares.sum::<u128>();
    }
    Ok(all)
}

/// The same by pairs of base clusterings: Σ_ab |a ∩ b|² over their base clusters.
fn by_columns(ensemble: &Ensemble, watch: &Watch) -> Result<u128, Halt> {
    let weights = ensemble.weights();
    let columns: Vec<Vec<u32>> = (0..ensemble.columns())
        .map(|column| (0..ensemble.rows()).map(|row| ensemble.row(row)[column]).collect())
        .collect();
    let mut counts = vec![0_u64; ensemble.arity().iter().copied().max().unwrap_or(0)];
    let mut all = 0;
    for (first, codes) in columns.iter().enumerate() {
        let clusters = rows_by_code(codes, ensemble.arity()[first]);
        for (second, codes) in columns[..=first].iter().enumerate() {
            watch.check()?;
            let mut squares = 0;
            for cluster in &clusters {
                for &row in cluster {
                    counts[codes[row as usize] as usize] += u64::from(weights[row as usize]);
                }
                for &row in cluster {
                    let count = std::mem::take(&mut counts[codes[row as usize] as usize]);
                    squares += u128::from(count).pow(2);
                }
            }
            all += if second < first { 2 * squares } else { squares };
        }
    }
    Ok(all)
}

/// The rows with each code.
fn rows_by_code(codes: &[u32], arity: usize) -> Vec<Vec<u32>> {
    let mut rows = vec![Vec::new(); arity];
    (0..).zip(codes).for_each(|(row, &code)| rows[code as usize].push(row));
    rows
}

/// `products` = S × `vectors`, where each row has as many vectors as objects summed into one: U M additions instead of U².
pub(super) fn multiply_by_labels(labels: &Observed, lanes: usize, vectors: &[Lane], products: &mut [Lane]) {
    match lanes {
        1 => multiply_lanes::<1>(labels, vectors, products),
        2 => multiply_lanes::<2>(labels, vectors, products),
        3 => multiply_lanes::<3>(labels, vectors, products),
        4 => multiply_lanes::<4>(labels, vectors, products),
        lanes => {
            let mut of_label = vec![Lane::default(); labels.labels() * lanes];
            for (row, vector) in vectors.chunks_exact(lanes).enumerate() {
                for &label in labels.row(row) {
                    add(&mut of_label[label as usize * lanes..][..lanes], 1.0, vector);
                }
            }
            for (row, product) in products.chunks_exact_mut(lanes).enumerate() {
                product.fill(Lane::default());
                let share = 1.0 / labels.row(row).len() as f64;
                for &label in labels.row(row) {
                    add(product, share, &of_label[label as usize * lanes..][..lanes]);
                }
            }
        }
    }
}

/// [`multiply_by_labels`] for vectors of L lanes, whose sums stay in registers.
fn multiply_lanes<const L: usize>(labels: &Observed, vectors: &[Lane], products: &mut [Lane]) {
    let mut of_label = vec![[Lane::default(); L]; labels.labels()];
    for (row, vector) in vectors.as_chunks::<L>().0.iter().enumerate() {
        for &label in labels.row(row) {
            add(&mut of_label[label as usize], 1.0, vector);
        }
    }
    for (row, product) in products.as_chunks_mut::<L>().0.iter_mut().enumerate() {
        let share = 1.0 / labels.row(row).len() as f64;
        let mut sum = [Lane::default(); L];
        for &label in labels.row(row) {
            add(&mut sum, share, &of_label[label as usize]);
        }
        *product = sum;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::ensemble::Labels;

    proptest! {
        #[test]
        fn squares_are_those_of_all_pairs_by_rows_and_by_columns(
            columns in proptest::collection::vec(proptest::collection::vec(0..3_u32, 30), 1..5),
        ) {
            let labels: Vec<Labels> = columns.iter().cloned().map(Labels::from_codes).collect();
            let ensemble = Ensemble::from_columns(&labels).unwrap();
            let pairs = (0..30).flat_map(|i| (0..30).map(move |j| (i, j))).filter(|(i, j)| i != j);
            let together = |(i, j): (usize, usize)| columns.iter().filter(|column| column[i] == column[j]).count() as f64;
            let slow: f64 = pairs.map(|pair| (together(pair) / columns.len() as f64).powi(2)).sum();
            let watch = Watch::default();
            prop_assert!((squares(&ensemble, &watch).unwrap() - slow).abs() < 1e-9 * slow.max(1.0));
            prop_assert_eq!(by_rows(&ensemble, &watch).unwrap(), by_columns(&ensemble, &watch).unwrap());
        }
    }
}
