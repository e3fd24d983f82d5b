//! Base clusterers: features in, one clustering out. They know nothing of ensembles.

mod cosine;
mod eigen;
mod kmeans;
mod kmeans_1d;
mod leading;
mod linkage;
mod minibatch;
mod rotation;
mod rows;
mod seeds;
mod spectral;
#[cfg(test)]
mod test_data;

pub use cosine::{CosineKMeans, cosine_kmeans};
pub(crate) use eigen::NotFinite;
pub(crate) use kmeans::kmeans_weighted;
pub use kmeans::{KMeans, Start, kmeans, kmeans_from, kmeans_started};
pub use kmeans_1d::Sorted1d;
pub(crate) use leading::{LowerTriangle, leading_bytes};
pub use linkage::{Dendrogram, Linkage, Merge, PairDistances, linkage};
pub use minibatch::{MiniBatch, minibatch_kmeans};
pub(crate) use rotation::NearestRotation;
pub use rows::Rows;
pub use spectral::{KernelScale, Spectral, SpectralBasis, SpectralError, spectral};
