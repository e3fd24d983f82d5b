use super::Matrix;
use crate::ensemble::Partition;
use crate::params::Population;
use crate::seed::Id;

/// Objects with features, and their classes where they are known.
#[derive(Debug, Clone)]
pub struct Dataset {
    /// Name in results and reports.
    pub label: String,
    /// The features.
    pub features: Matrix,
    /// The classes, where they are known.
    pub truth: Option<Partition>,
    /// Names of the classes, by code.
    pub class_names: Vec<String>,
    /// What the column with the classes is called where the dataset comes from, if it has one: no part of its identity.
    pub class_column: Option<String>,
    /// Hash of features and classes: what the identity of everything made of it depends on.
    pub id: Id,
    /// Whether it stands in for data that cannot be obtained.
    pub stand_in: bool,
}

impl Dataset {
    /// A dataset by its content.
    #[must_use]
    pub fn new(label: impl Into<String>, features: Matrix, truth: Option<Partition>) -> Self {
        let id = content_id(&features, truth.as_ref());
        Self { label: label.into(), features, truth, class_names: Vec::new(), class_column: None, id, stand_in: false }
    }

    /// The objects at these positions, which may repeat. Only its content counts: it has no identity of its own.
    #[must_use]
    pub fn select(&self, rows: &[usize]) -> Self {
        let pick =
            |truth: &Partition| Partition::from_codes(&rows.iter().map(|&row| truth.labels()[row]).collect::<Vec<_>>());
        Self {
            label: self.label.clone(),
            features: self.features.select(rows),
            truth: self.truth.as_ref().map(pick),
            class_names: self.class_names.clone(),
            class_column: self.class_column.clone(),
            id: self.id,
            stand_in: self.stand_in,
        }
    }

    /// What rules for numbers of clusters are resolved against.
    #[must_use]
    pub fn population(&self) -> Population {
        Population { objects: self.features.rows(), classes: self.truth.as_ref().map(Partition::clusters) }
    }
}

fn content_id(features: &Matrix, truth: Option<&Partition>) -> Id {
    let values: Vec<u8> = features.values().iter().flat_map(|value| value.to_bits().to_le_bytes()).collect();
    let classes: Vec<u8> =
        truth.iter().flat_map(|truth| truth.labels()).flat_map(|class| class.to_le_bytes()).collect();
    Id::of("dataset", &[&(features.columns() as u64).to_le_bytes(), &values, &classes])
}
