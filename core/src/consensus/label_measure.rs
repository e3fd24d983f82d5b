//! Similarities of distinct rows that are sums over base clusterings: what two clusters of a clustering have in common, over all
//! clusterings that label both rows, divided by what these clusterings count for.
//!
//! Without missing labels the divisor is the same for all pairs. Rows that no clustering labels both have similarity 0.

use super::row_links::RowDistances;
use super::{Shape, Task};
use crate::ensemble::Labels;

/// What the clusters of one base clustering have in common.
pub(super) struct ColumnMeasure {
    /// What the clustering counts for in the divisor.
    pub(super) share: f64,
    pub(super) likeness: Likeness,
}

/// How like each other the clusters of one base clustering are.
pub(super) enum Likeness {
    /// Each cluster is like itself by so much, and not like any other.
    Itself(Vec<f64>),
    /// J × J: each like any other. Symmetric.
    Others(Vec<f64>),
}

/// 1 − similarity of some rows.
pub(super) struct LabelDistances {
    columns: Vec<LabelColumn>,
    /// Σ of all shares.
    total: f64,
    /// Σ of the shares of the clusterings that label both, where labels are missing.
    shared: Option<Vec<f64>>,
}

/// One base clustering.
struct LabelColumn {
    /// Of the row at every position; J where it is missing.
    codes: Vec<u32>,
    /// J.
    missing: u32,
    share: f64,
    likeness: Likeness,
}

impl LabelDistances {
    /// Of these rows. There is a measure for every base clustering.
    pub(super) fn new(task: &Task, rows: &[usize], measures: Vec<ColumnMeasure>) -> Self {
        let columns: Vec<LabelColumn> = measures
            .into_iter()
            .enumerate()
            .map(|(column, ColumnMeasure { share, likeness })| {
                let missing = u32::try_from(task.ensemble.arity()[column]).expect("fewer labels than u32 values");
                let code = |&row: &usize| match task.ensemble.row(row)[column] {
                    Labels::MISSING => missing,
                    code => code,
                };
                let likeness = likeness.with_missing(missing as usize);
                LabelColumn { codes: rows.iter().map(code).collect(), missing, share, likeness }
            })
            .collect();
        let total = columns.iter().map(|column| column.share).sum();
        let shared = (task.ensemble.missing() > 0).then(|| vec![0.0; rows.len()]);
        Self { columns, total, shared }
    }

    /// Codes, and the tables where clusters are like others.
    pub(super) fn bytes(shape: &Shape) -> f64 {
        4.0 * shape.rows * shape.columns + 8.0 * shape.rows
    }
}

impl Likeness {
    /// A missing label is like nothing: it has a column of zeros.
    fn with_missing(self, arity: usize) -> Self {
        match self {
            Self::Itself(values) => Self::Itself(values),
            Self::Others(values) => {
                let rows = values.chunks_exact(arity.max(1));
                Self::Others(rows.flat_map(|row| row.iter().copied().chain([0.0])).collect())
            }
        }
    }
}

impl LabelColumn {
    /// Adds what the row with label `own` has in common with every row.
    fn add(&self, own: u32, sums: &mut [f64]) {
        match &self.likeness {
            Likeness::Itself(values) => {
                let value = values[own as usize];
                for (sum, &code) in sums.iter_mut().zip(&self.codes) {
                    *sum += if code == own { value } else { 0.0 };
                }
            }
            Likeness::Others(values) => {
                let width = self.missing as usize + 1;
                let of_own = &values[own as usize * width..][..width];
                sums.iter_mut().zip(&self.codes).for_each(|(sum, &code)| *sum += of_own[code as usize]);
            }
        }
    }
}

impl RowDistances for LabelDistances {
    fn write(&mut self, position: usize, distances: &mut [f64]) {
        distances.fill(0.0);
        let labelled = self.columns.iter().filter(|column| column.codes[position] != column.missing);
        labelled.clone().for_each(|column| column.add(column.codes[position], distances));
        let Some(shared) = &mut self.shared else {
            distances.iter_mut().for_each(|sum| *sum = (1.0 - *sum / self.total).max(0.0));
            return;
        };
        shared.fill(0.0);
        for column in labelled {
            for (shared, &code) in shared.iter_mut().zip(&column.codes) {
                *shared += if code == column.missing { 0.0 } else { column.share };
            }
        }
        for (sum, &shared) in distances.iter_mut().zip(&*shared) {
            *sum = if shared == 0.0 { 1.0 } else { (1.0 - *sum / shared).max(0.0) };
        }
    }
}
