//! Base clusterers: features in, one clustering out. They know nothing of ensembles.

mod kmeans;

pub use kmeans::{KMeans, kmeans};
