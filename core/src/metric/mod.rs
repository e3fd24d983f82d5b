//! Indices of a clustering, most of them against known classes.
//!
//! | file | indices |
//! |---|---|
//! | `matching` | `mp`, `mp-greedy`, `accuracy`: objects that fall in the class of their cluster |
//! | `f1` | `f1-nbce`, `f1-class`, `f1-pairs`: harmonic means of precision and recall |
//! | `information` | `nmi-sqrt`, `nmi-max`: normalised mutual information |
//! | `ami` | `ami`: mutual information adjusted for chance |
//! | `ari` | `ari`: pair agreement adjusted for chance |
//! | `shape` | `clusters`, `singletons`: of the clustering alone |
//! | `perplexity` | `perplexity-train`, `perplexity-test`: of the model behind the clustering |
//!
//! Every index is read off a [`Contingency`] table or the [`Partition`](crate::ensemble::Partition) itself, and is
//! the same to the last bit however the clusters are numbered. Two partitions of no objects at all agree perfectly:
//! every index against classes is then 1, as in scikit-learn.

mod ami;
mod ari;
mod assignment;
mod contingency;
mod f1;
mod information;
mod matching;
mod perplexity;
mod registry;
mod shape;
#[cfg(test)]
mod tests;

pub use ami::ami;
pub use ari::ari;
pub use assignment::maximum_assignment;
pub use contingency::Contingency;
pub use f1::{f1_class, f1_nbce, f1_pairs};
pub use information::{nmi_max, nmi_sqrt};
pub use matching::{accuracy, mp, mp_greedy};
pub use perplexity::{LogEvidence, ModelFit};
pub use registry::{Direction, JudgedOn, MetricInfo, ModelKind, ValueRange, all, find};
pub use shape::{clusters, singletons};
