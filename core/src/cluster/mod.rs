//! Base clusterers: features in, one clustering out. They know nothing of ensembles.

mod cosine;
mod eigen;
mod kmeans;
mod kmeans_1d;
mod linkage;
mod minibatch;
mod rows;
mod seeds;
mod spectral;
#[cfg(test)]
mod test_data;

pub use cosine::{CosineKMeans, cosine_kmeans};
pub use kmeans::{KMeans, Start, kmeans, kmeans_from, kmeans_started};
pub use kmeans_1d::Sorted1d;
pub use linkage::{Dendrogram, Linkage, Merge, PairDistances, linkage};
pub use minibatch::{MiniBatch, minibatch_kmeans};
pub use rows::Rows;
pub use spectral::{KernelScale, Spectral, SpectralBasis, SpectralError, spectral};
