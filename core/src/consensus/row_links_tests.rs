use proptest::prelude::*;

use super::*;

/// Any distances, all written down.
struct DistanceTable {
    rows: usize,
    values: Vec<f64>,
    kept: Vec<usize>,
}

impl DistanceTable {
    fn new(rows: usize, values: Vec<f64>) -> Self {
        Self { rows, values, kept: (0..rows).collect() }
    }
}

impl RowDistances for DistanceTable {
    fn write(&mut self, position: usize, distances: &mut [f64]) {
        assert_eq!(distances.len(), self.kept.len());
        let row = self.kept[position];
        distances.iter_mut().zip(&self.kept).for_each(|(slot, &other)| *slot = self.values[row * self.rows + other]);
    }

    fn keep(&mut self, positions: &[usize]) {
        self.kept = positions.iter().map(|&position| self.kept[position]).collect();
    }
}

/// Symmetric distances of up to `most` rows, of which most are equal to others, and weights.
fn tables(most: usize) -> impl Strategy<Value = (usize, Vec<f64>, Vec<f64>)> {
    (1..most, 1..40_u32).prop_flat_map(|(rows, different)| {
        let values = proptest::collection::vec(0..different, rows * rows);
        let weights = proptest::collection::vec(1..4_u32, rows);
        (values, weights).prop_map(move |(drawn, weights)| {
            let of_pair = |i: usize, j: usize| f64::from(drawn[i.min(j) * rows + i.max(j)]) / 7.0;
            let values = (0..rows).flat_map(|i| (0..rows).map(move |j| (i, j))).map(|(i, j)| of_pair(i, j)).collect();
            (rows, values, weights.into_iter().map(f64::from).collect())
        })
    })
}

/// The distance to two clusters together, from those to each and their weights.
type Joined = fn([f64; 2], [f64; 2]) -> f64;

/// Chains of nearest neighbours in a square of all distances, of equally near ones back to where the chain came from, else to
/// the first.
fn slow_chain((rows, mut values, mut weights): (usize, Vec<f64>, Vec<f64>), joined: Joined) -> Vec<RowMerge> {
    let mut active: Vec<usize> = (0..rows).collect();
    let (mut chain, mut merges) = (Vec::<usize>::new(), Vec::new());
    while active.len() > 1 {
        if chain.is_empty() {
            chain.push(active[0]);
        }
        let last = chain[chain.len() - 1];
        let before = chain.len().checked_sub(2).map(|place| chain[place]);
        let mut nearest = before;
        for &other in active.iter().filter(|&&other| other != last) {
            let nearer = |best: usize| values[last * rows + other] < values[last * rows + best];
            nearest = if nearest.is_none_or(nearer) { Some(other) } else { nearest };
        }
        let nearest = nearest.unwrap();
        if Some(nearest) != before {
            chain.push(nearest);
            continue;
        }
        chain.truncate(chain.len() - 2);
        merges.push(RowMerge { rows: (last, nearest), height: values[last * rows + nearest] });
        active.retain(|&row| row != last);
        for &other in active.iter().filter(|&&other| other != nearest) {
            let both = [values[last * rows + other], values[nearest * rows + other]];
            let distance = joined(both, [weights[last], weights[nearest]]);
            values[nearest * rows + other] = distance;
            values[other * rows + nearest] = distance;
        }
        weights[nearest] += weights[last];
    }
    merges
}

/// Again and again the row outside the tree that is nearest to any row of it, of equals the first.
fn slow_spanning_tree(rows: usize, values: &[f64]) -> Vec<RowMerge> {
    let mut outside: Vec<(usize, usize, f64)> = (1..rows).map(|row| (row, 0, f64::INFINITY)).collect();
    let (mut newest, mut merges) = (0, Vec::new());
    while !outside.is_empty() {
        for (row, nearest, distance) in &mut outside {
            if values[newest * rows + *row] < *distance {
                (*nearest, *distance) = (newest, values[newest * rows + *row]);
            }
        }
        let least = (0..outside.len()).reduce(|best, next| if outside[next].2 < outside[best].2 { next } else { best });
        let (row, nearest, height) = outside.remove(least.unwrap());
        merges.push(RowMerge { rows: (row, nearest), height });
        newest = row;
    }
    merges
}

proptest! {
    #[test]
    fn merges_are_those_of_a_square_of_all_distances_to_the_last_bit((rows, values, weights) in tables(150)) {
        let mean: Joined = |d, w| (w[0] * d[0] + w[1] * d[1]) / (w[0] + w[1]);
        let greatest: Joined = |d, _| d[0].max(d[1]);
        for (link, joined) in [(Link::Average, mean), (Link::Complete, greatest)] {
            let mut table = DistanceTable::new(rows, values.clone());
            let found = link.merges(&mut table, weights.clone(), &Watch::default()).unwrap();
            prop_assert_eq!(found, slow_chain((rows, values.clone(), weights.clone()), joined), "{:?}", link);
        }
        for of_pairs in [PairLists::KeptOfNewest(0), PairLists::KeptOfNewest(3)] {
            let mut table = DistanceTable::new(rows, values.clone());
            let found = NeighbourChain::new(&mut table, weights.clone(), of_pairs).merges(average, &Watch::default());
            prop_assert_eq!(found.unwrap(), slow_chain((rows, values.clone(), weights.clone()), mean), "{:?}", of_pairs);
            let mut table = DistanceTable::new(rows, values.clone());
            let found = NeighbourChain::new(&mut table, weights.clone(), of_pairs).merges(largest, &Watch::default());
            prop_assert_eq!(found.unwrap(), slow_chain((rows, values.clone(), weights.clone()), greatest), "{:?}", of_pairs);
        }
        let mut table = DistanceTable::new(rows, values.clone());
        let found = Link::Single.merges(&mut table, weights, &Watch::default()).unwrap();
        prop_assert_eq!(found, slow_spanning_tree(rows, &values));
    }
}

#[test]
fn no_row_and_one_row_have_nothing_to_merge() {
    for link in [Link::Single, Link::Average, Link::Complete] {
        for rows in [0, 1] {
            let mut table = DistanceTable::new(rows, vec![0.0; rows]);
            assert_eq!(link.merges(&mut table, vec![1.0; rows], &Watch::default()).unwrap(), []);
        }
    }
}
