//! What the k-means variants for text need of their data, dense or sparse, and products with many centres at once.
//!
//! Sums run feature after feature, and a feature of 0 adds nothing to them: a sparse matrix and the same matrix written
//! out give the same numbers to the last bit.

use crate::data::{Matrix, SparseMatrix};

/// Rows of features, dense or sparse.
pub trait Rows {
    /// Number of objects.
    fn rows(&self) -> usize;

    /// Number of features.
    fn columns(&self) -> usize;

    /// The (feature, value) pairs of one object in the order of the features; those of value 0 may be left out.
    fn entries(&self, row: usize) -> impl Iterator<Item = (usize, f64)>;
}

impl Rows for Matrix {
    fn rows(&self) -> usize {
        Matrix::rows(self)
    }

    fn columns(&self) -> usize {
        Matrix::columns(self)
    }

    fn entries(&self, row: usize) -> impl Iterator<Item = (usize, f64)> {
        self.row(row).iter().copied().enumerate()
    }
}

impl Rows for SparseMatrix {
    fn rows(&self) -> usize {
        SparseMatrix::rows(self)
    }

    fn columns(&self) -> usize {
        SparseMatrix::columns(self)
    }

    fn entries(&self, row: usize) -> impl Iterator<Item = (usize, f64)> {
        self.row(row).iter().map(|&(feature, value)| (feature as usize, value))
    }
}

/// Σ of two rows' products.
pub(super) fn product(data: &impl Rows, a: usize, b: usize) -> f64 {
    let mut second = data.entries(b).peekable();
    let mut sum = 0.0;
    for (feature, value) in data.entries(a) {
        while second.next_if(|&(other, _)| other < feature).is_some() {}
        if let Some((_, other)) = second.next_if(|&(other, _)| other == feature) {
            sum += value * other;
        }
    }
    sum
}

/// Σ of squares of a row.
pub(super) fn squared_norm(data: &impl Rows, row: usize) -> f64 {
    data.entries(row).map(|(_, value)| value * value).sum()
}

/// Whether two rows are the same point.
pub(super) fn same_place(data: &impl Rows, a: usize, b: usize) -> bool {
    let nonzero = |row: usize| data.entries(row).filter(|&(_, value)| value != 0.0);
    nonzero(a).eq(nonzero(b))
}

/// One vector a cluster, stored feature after feature so that one entry of a row meets all clusters side by side.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ClusterVectors {
    clusters: usize,
    values: Vec<f64>,
}

impl ClusterVectors {
    pub(super) fn zeros(clusters: usize, features: usize) -> Self {
        Self { clusters, values: vec![0.0; clusters * features] }
    }

    /// These rows, each times its factor.
    pub(super) fn of_rows(data: &impl Rows, rows: &[usize], factor: impl Fn(usize) -> f64) -> Self {
        let mut vectors = Self::zeros(rows.len(), data.columns());
        rows.iter().enumerate().for_each(|(cluster, &row)| vectors.add(data, row, cluster, factor(row)));
        vectors
    }

    pub(super) fn clusters(&self) -> usize {
        self.clusters
    }

    pub(super) fn fill_with_zeros(&mut self) {
        self.values.fill(0.0);
    }

    /// Adds a row times a factor to a cluster's vector.
    pub(super) fn add(&mut self, data: &impl Rows, row: usize, cluster: usize, factor: f64) {
        for (feature, value) in data.entries(row) {
            self.values[feature * self.clusters + cluster] += value * factor;
        }
    }

    /// Writes the product of a row with every cluster's vector.
    pub(super) fn products(&self, data: &impl Rows, row: usize, products: &mut [f64]) {
        products.fill(0.0);
        for (feature, value) in data.entries(row) {
            let vectors = &self.values[feature * self.clusters..][..self.clusters];
            products.iter_mut().zip(vectors).for_each(|(product, coordinate)| *product += value * coordinate);
        }
    }

    /// Σ of squares of every cluster's vector.
    pub(super) fn squared_norms(&self) -> Vec<f64> {
        let mut norms = vec![0.0; self.clusters];
        for vectors in self.values.chunks_exact(self.clusters.max(1)) {
            norms.iter_mut().zip(vectors).for_each(|(norm, coordinate)| *norm += coordinate * coordinate);
        }
        norms
    }

    /// Writes these vectors, each times its cluster's factor; without a factor the target's vector is left as it is.
    pub(super) fn scaled_into(&self, factors: &[Option<f64>], target: &mut Self) {
        for ((from, to), factor) in self.values.iter().zip(&mut target.values).zip(factors.iter().cycle()) {
            if let Some(factor) = factor {
                *to = from * factor;
            }
        }
    }

    #[cfg(test)]
    pub(super) fn vector(&self, cluster: usize) -> Vec<f64> {
        self.values.iter().skip(cluster).step_by(self.clusters).copied().collect()
    }
}

/// The position of the largest value, the first of several; 0 if there is none.
pub(super) fn first_largest(values: &[f64]) -> (u32, f64) {
    (0..)
        .zip(values)
        .fold((0, f64::NEG_INFINITY), |best, (place, &value)| if value > best.1 { (place, value) } else { best })
}

#[cfg(test)]
pub(super) fn sparse_of(data: &Matrix) -> SparseMatrix {
    let row = |row: usize| (0..).zip(data.row(row).iter().copied()).collect();
    SparseMatrix::new(data.columns(), (0..data.rows()).map(row)).unwrap()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::test_data::on_a_grid;
    use super::*;

    proptest! {
        #[test]
        fn dense_and_sparse_rows_have_the_same_products(data in on_a_grid()) {
            let sparse = sparse_of(&data);
            for a in 0..data.rows() {
                for b in 0..data.rows() {
                    let expected: f64 = data.row(a).iter().zip(data.row(b)).map(|(x, y)| x * y).sum();
                    prop_assert_eq!(product(&data, a, b), expected);
                    prop_assert_eq!(product(&sparse, a, b), expected);
                    prop_assert_eq!(same_place(&data, a, b), data.row(a) == data.row(b));
                    prop_assert_eq!(same_place(&sparse, a, b), data.row(a) == data.row(b));
                }
            }
            let all: Vec<usize> = (0..data.rows()).collect();
            let vectors = ClusterVectors::of_rows(&sparse, &all, |_| 2.0);
            let mut products = vec![0.0; data.rows()];
            vectors.products(&data, 0, &mut products);
            prop_assert!(all.iter().all(|&row| products[row] == 2.0 * product(&data, 0, row)));
        }
    }
}
