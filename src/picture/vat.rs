//! VAT, the visual assessment of tendency — Bezdek & Hathaway, IJCNN 2002: the order in which Prim's algorithm adds
//! objects to a minimum spanning tree, begun at an end of the most distant pair. Clusters become blocks of the matrix.

/// The order of `n` objects. `distances` fills in an object's distances from all; each row is asked for twice, and the
/// matrix is never held. Among equals the first object goes first.
///
/// # Errors
/// Those of `distances`.
pub(super) fn vat_order<E>(
    n: usize,
    mut distances: impl FnMut(usize, &mut [f64]) -> Result<(), E>,
) -> Result<Vec<usize>, E> {
    let mut row = vec![0.0; n];
    let (mut start, mut longest) = (0, f64::NEG_INFINITY);
    for object in 0..n {
        distances(object, &mut row)?;
        let farthest = row[object + 1..].iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if farthest > longest {
            (start, longest) = (object, farthest);
        }
    }
    let mut order = Vec::with_capacity(n);
    // Distance of every object outside the tree from the nearest inside.
    let mut nearest = vec![f64::INFINITY; n];
    let mut outside: Vec<usize> = (0..n).collect();
    let mut next = start;
    while !outside.is_empty() {
        order.push(next);
        outside.retain(|&object| object != next);
        distances(next, &mut row)?;
        let mut best = f64::INFINITY;
        for &object in &outside {
            nearest[object] = nearest[object].min(row[object]);
            if nearest[object] < best {
                (next, best) = (object, nearest[object]);
            }
        }
    }
    Ok(order)
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use proptest::prelude::*;

    use super::*;

    /// By the letter: the nearest pair with one end inside and one outside, over all such pairs, each time anew.
    fn slow_order(matrix: &[Vec<f64>]) -> Vec<usize> {
        let n = matrix.len();
        let pairs = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j)));
        let start =
            pairs.reduce(|best, pair| if matrix[pair.0][pair.1] > matrix[best.0][best.1] { pair } else { best });
        let mut inside = vec![start.map_or(0, |(i, _)| i)];
        while inside.len() < n {
            let outside = (0..n).filter(|j| !inside.contains(j));
            let crossing = outside.flat_map(|j| inside.iter().map(move |&i| (matrix[i][j], j)));
            let (_, next) = crossing.min_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1))).unwrap();
            inside.push(next);
        }
        inside
    }

    fn order_of(matrix: &[Vec<f64>]) -> Vec<usize> {
        let fill = |i: usize, row: &mut [f64]| -> Result<(), Infallible> {
            row.copy_from_slice(&matrix[i]);
            Ok(())
        };
        vat_order(matrix.len(), fill).unwrap()
    }

    proptest! {
        /// Few different distances, so that there are many ties.
        #[test]
        fn the_order_is_that_of_the_definition(n in 1..12_usize, values in proptest::collection::vec(0..6_u8, 144)) {
            let at = |i: usize, j: usize| if i == j { 0.0 } else { f64::from(values[i.min(j) * 12 + i.max(j)]) };
            let matrix: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| at(i, j)).collect()).collect();
            prop_assert_eq!(order_of(&matrix), slow_order(&matrix));
        }
    }

    #[test]
    fn clusters_that_were_mixed_stand_together() {
        let places = [0.0, 10.0, 0.1, 10.1, 20.0, 0.2, 10.2, 20.1];
        let matrix: Vec<Vec<f64>> = places.map(|a: f64| places.map(|b| (a - b).abs()).to_vec()).to_vec();
        assert_eq!(order_of(&matrix), [0, 2, 5, 1, 3, 6, 4, 7]);
    }
}
