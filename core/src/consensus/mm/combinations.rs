//! Columns taken together: a few labels that occur side by side become one.
//!
//! A sum over a row's M labels of a table of vectors, or the scatter of a vector to those labels, is what costs time in a
//! mixture model. Rows repeat combinations of neighbouring columns (three columns of five labels have at most 125),
//! so the sum of each combination is made once and a row adds M/3 vectors instead of M; likewise products.

use crate::consensus::Shape;
use crate::ensemble::{Ensemble, Labels};

/// For every distinct row, the combinations that make up its labels.
#[derive(Debug)]
pub(super) struct Combinations {
    per_row: usize,
    /// Rows × `per_row`.
    of_row: Vec<u32>,
    /// Label positions of combination c: `labels[starts[c]..starts[c + 1]]`.
    starts: Vec<usize>,
    labels: Vec<u32>,
}

/// More combinations than this in a group would no longer be quick to look up.
const LARGEST_GROUP: usize = 256;

impl Combinations {
    /// About how many groups of columns, and how many combinations of labels, an ensemble of this shape has.
    pub(super) fn expected(shape: &Shape) -> (f64, f64) {
        let labels = (shape.labels / shape.columns).max(1.0);
        let most = (shape.rows / 16.0).min(LARGEST_GROUP as f64);
        // As many columns as have no more combinations than that, all of them equally wide.
        let width = if labels > 1.0 { (most.max(1.0).ln() / labels.ln()).floor().max(1.0) } else { shape.columns };
        let groups = (shape.columns / width).ceil();
        (groups, groups * labels.powf(width).min(most.max(labels)))
    }

    /// Groups neighbouring columns as long as the group has few combinations compared with the rows.
    pub(super) fn of(ensemble: &Ensemble) -> Self {
        let limit = LARGEST_GROUP.min(ensemble.rows() / 16);
        let offsets: Vec<usize> = ensemble.label_ranges().map(|column| column.start).collect();
        let mut found = Self { per_row: 0, of_row: Vec::new(), starts: vec![0], labels: Vec::new() };
        let mut groups: Vec<Vec<u32>> = Vec::new();
        let mut column = 0;
        while column < ensemble.columns() {
            let mut group = ColumnGroup::new(ensemble, column);
            while column + group.width < ensemble.columns()
                && let Some(wider) = group.widened(ensemble, limit)
            {
                group = wider;
            }
            groups.push(found.add(&group, ensemble, &offsets));
            column += group.width;
        }
        found.per_row = groups.len();
        found.of_row.reserve_exact(ensemble.rows() * groups.len());
        for row in 0..ensemble.rows() {
            found.of_row.extend(groups.iter().map(|group| group[row]));
        }
        found
    }

    /// Registers a group's combinations; returns that of every row.
    fn add(&mut self, group: &ColumnGroup, ensemble: &Ensemble, offsets: &[usize]) -> Vec<u32> {
        let first = self.len();
        for &row in &group.examples {
            let columns = group.first..group.first + group.width;
            let observed = columns.filter(|&column| ensemble.row(row)[column] != Labels::MISSING);
            self.labels.extend(observed.map(|column| number(offsets[column] + ensemble.row(row)[column] as usize)));
            self.starts.push(self.labels.len());
        }
        group.of_row.iter().map(|combination| number(first) + combination).collect()
    }

    /// Number of combinations.
    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The combinations of one row.
    pub(super) fn row(&self, row: usize) -> &[u32] {
        &self.of_row[row * self.per_row..][..self.per_row]
    }

    /// The label positions of one row.
    pub(super) fn labels_of(&self, row: usize) -> impl Iterator<Item = u32> + '_ {
        self.row(row).iter().flat_map(|&combination| self.labels(combination as usize)).copied()
    }

    /// Objects with each label.
    pub(super) fn objects_of(&self, ensemble: &Ensemble, labels: usize) -> Vec<f64> {
        let mut of_combination = vec![0.0; self.len()];
        for (row, &weight) in ensemble.weights().iter().enumerate() {
            self.row(row).iter().for_each(|&combination| of_combination[combination as usize] += f64::from(weight));
        }
        let mut objects_of = vec![0.0; labels];
        for (combination, objects) in of_combination.iter().enumerate() {
            self.labels(combination).iter().for_each(|&label| objects_of[label as usize] += objects);
        }
        objects_of
    }

    /// The label positions of one combination.
    pub(super) fn labels(&self, combination: usize) -> &[u32] {
        &self.labels[self.starts[combination]..self.starts[combination + 1]]
    }
}

/// Neighbouring columns and their combinations.
struct ColumnGroup {
    first: usize,
    width: usize,
    /// The combination of every row, from 0.
    of_row: Vec<u32>,
    /// A row that has each combination.
    examples: Vec<usize>,
}

impl ColumnGroup {
    /// One column by itself.
    fn new(ensemble: &Ensemble, column: usize) -> Self {
        let alone = Self { first: column, width: 0, of_row: vec![0; ensemble.rows()], examples: vec![0] };
        alone.widened(ensemble, usize::MAX).expect("there is no limit")
    }

    /// With the next column, unless that makes more combinations than `limit`.
    fn widened(&self, ensemble: &Ensemble, limit: usize) -> Option<Self> {
        const NONE: u32 = u32::MAX;
        let next = self.first + self.width;
        let labels = ensemble.arity()[next];
        if labels > limit {
            return None;
        }
        // The combination of each one so far with each label, a missing one being the last.
        let mut combination_of = vec![NONE; self.examples.len() * (labels + 1)];
        let mut wider = Self { first: self.first, width: self.width + 1, of_row: Vec::new(), examples: Vec::new() };
        wider.of_row.reserve_exact(ensemble.rows());
        for (row, &before) in self.of_row.iter().enumerate() {
            let label = (ensemble.row(row)[next] as usize).min(labels);
            let combination = &mut combination_of[before as usize * (labels + 1) + label];
            if *combination == NONE {
                if wider.examples.len() == limit {
                    return None;
                }
                *combination = number(wider.examples.len());
                wider.examples.push(row);
            }
            wider.of_row.push(*combination);
        }
        Some(wider)
    }
}

fn number(value: usize) -> u32 {
    u32::try_from(value).expect("fewer labels than u32 values")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::ensemble::tests::ensembles;
    use crate::ensemble::{Observed, Partition};

    proptest! {
        #[test]
        fn the_combinations_of_a_row_are_its_labels(ensemble in ensembles()) {
            let observed = Observed::of(&ensemble);
            let combinations = Combinations::of(&ensemble);
            for row in 0..ensemble.rows() {
                let labels: Vec<u32> = combinations.labels_of(row).collect();
                prop_assert_eq!(&labels[..], observed.row(row));
            }
        }
    }

    #[test]
    fn many_rows_of_few_labels_share_combinations() {
        let mut state = 1u32;
        let mut code = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 30
        };
        let columns: Vec<Labels> = (0..12).map(|_| Labels::from_codes((0..4000).map(|_| code()).collect())).collect();
        let ensemble = Ensemble::from_columns(&columns).unwrap();
        let combinations = Combinations::of(&ensemble);
        // Three columns of four labels make 64 combinations, four would make 256 of at most 4000 / 16.
        assert_eq!((combinations.per_row, combinations.len()), (4, 256));
        let few = Ensemble::from_columns(
            &columns
                .iter()
                .map(|column| Labels::from_codes(Partition::from_codes(&column.codes()[..20]).labels().to_vec()))
                .collect::<Vec<_>>(),
        )
        .unwrap();
        assert_eq!(Combinations::of(&few).per_row, 12);
    }
}
