//! Pictures of an ensemble itself, before any method: what a `[[picture]]` of a spec shows.
//!
//! A panel is computed once, from the ensemble that index 0 of the cells sees, and kept as [`Mark`]s: the report draws
//! them and computes nothing.

mod co_association;
mod link_weights;
mod marks;
mod split_frequency;
mod vat;

pub(crate) use co_association::{ByCluster, by_cluster};
pub(crate) use marks::{Mark, MarkKind};
pub(crate) use split_frequency::MOST_OBJECTS;

use crate::consensus::{Halt, Watch};
use crate::data::Dataset;
use crate::ensemble::Ensemble;
use crate::seed::Id;

/// What a picture shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PictureKind {
    /// How often two objects are separated, against their distance (Topchy, Jain & Punch, Figure 3).
    SplitFrequency,
    /// How often two objects are together, as a matrix (Lourenço et al., Figures 2 and 4).
    CoAssociation(MatrixOrder),
    /// How heavy links between objects are, and how often they are right (Huang, Lai & Wang 2016, Table 1).
    LinkWeights,
}

/// How the objects of a matrix are ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MatrixOrder {
    /// By class.
    Truth,
    /// By visual assessment of tendency (Bezdek & Hathaway, 2002).
    Vat,
}

impl PictureKind {
    /// Its name with the version of what computes it, as a part of identities: raise it when the marks change.
    #[must_use]
    pub(crate) fn identity(self) -> &'static str {
        match self {
            Self::SplitFrequency => "split-frequency 1",
            Self::CoAssociation(MatrixOrder::Truth) => "co-association by truth 1",
            Self::CoAssociation(MatrixOrder::Vat) => "co-association by vat 1",
            Self::LinkWeights => "link-weights 1",
        }
    }
}

/// What a panel is computed from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PanelSource<'a> {
    pub(crate) dataset: &'a Dataset,
    pub(crate) ensemble: &'a Ensemble,
    /// r, where the base clusterings are cells of r random hyperplanes.
    pub(crate) planes: Option<usize>,
    /// The panel's identity; seeds what is drawn at random.
    pub(crate) id: Id,
}

/// Computes a panel.
///
/// # Errors
/// [`Halt`] when the run was cancelled, or why there can be no such picture.
pub(crate) fn draw(kind: PictureKind, subject: &PanelSource, watch: &Watch) -> Result<Vec<Mark>, Halt> {
    match kind {
        PictureKind::SplitFrequency => split_frequency::draw(subject, watch),
        PictureKind::CoAssociation(order) => co_association::draw(subject, order, watch),
        PictureKind::LinkWeights => link_weights::draw(subject, watch),
    }
}
