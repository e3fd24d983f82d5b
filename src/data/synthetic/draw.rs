//! What every dataset is made with: its random numbers, and a place to collect its objects.

use rand::RngExt;

use super::SyntheticData;
use crate::data::Matrix;
use crate::ensemble::Partition;
use crate::seed::{Id, Rng};
use conclave_core::normal::normal_pair;

/// The random numbers of one dataset: the same in every run, on every machine.
///
/// Elementary functions come from `libm`, not from the system, so that no platform rounds them differently.
pub(super) struct DatasetRng {
    rng: Rng,
    spare: Option<f64>,
}

impl DatasetRng {
    /// The stream of this version of a dataset. A dataset whose making changes gets the next version.
    pub(super) fn of(name: &str, version: u32) -> Self {
        let id = Id::of("synthetic", &[name.as_bytes(), &version.to_le_bytes()]);
        Self { rng: id.rng("points"), spare: None }
    }

    /// Uniform on [low, high).
    pub(super) fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.rng.random::<f64>()
    }

    /// One number out of each of `count` equal parts of [0, 1), ascending: random, yet without large gaps.
    pub(super) fn stratified(&mut self, count: usize) -> Vec<f64> {
        (0..count).map(|part| (part as f64 + self.rng.random::<f64>()) / count as f64).collect()
    }

    /// Standard normal.
    pub(super) fn normal(&mut self) -> f64 {
        self.spare.take().unwrap_or_else(|| {
            let [variate, spare] = normal_pair(&mut self.rng);
            self.spare = Some(spare);
            variate
        })
    }
}

/// Objects as they are made, each with its class.
pub(super) struct Points {
    columns: usize,
    values: Vec<f64>,
    codes: Vec<u32>,
}

impl Points {
    pub(super) fn new(columns: usize) -> Self {
        Self { columns, values: Vec::new(), codes: Vec::new() }
    }

    pub(super) fn push(&mut self, class: usize, row: &[f64]) {
        debug_assert_eq!(row.len(), self.columns);
        self.values.extend_from_slice(row);
        self.codes.push(u32::try_from(class).expect("a handful of classes"));
    }

    /// `class_names` are in the order of the codes; names of classes beyond the last code are left out.
    pub(super) fn finish(self, class_names: impl IntoIterator<Item = impl Into<String>>) -> SyntheticData {
        let truth = Partition::from_codes(&self.codes);
        let class_names = class_names.into_iter().map(Into::into).take(truth.clusters()).collect();
        let features = Matrix::new(self.columns, self.values).expect("whole rows of finite numbers were pushed");
        SyntheticData { features, truth, class_names }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stratified_draws_leave_no_gap_of_two_parts() {
        let draws = DatasetRng::of("test", 1).stratified(50);
        assert!(draws.windows(2).all(|pair| pair[0] < pair[1] && pair[1] - pair[0] < 2.0 / 50.0));
        assert!(draws.iter().all(|value| (0.0..1.0).contains(value)));
    }
}
