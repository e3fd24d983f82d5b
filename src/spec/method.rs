use std::sync::Arc;
use std::time::Duration;

use crate::consensus::{Abilities, Accepts, Consensus, MethodInfo, Missing, Predicts, Runs};
use crate::external::{self, Program};
use crate::metric::Direction;
use crate::params::Params;

/// What a `[[method]]` runs.
#[derive(Debug, Clone)]
pub enum MethodSource {
    /// A method of the library.
    Listed {
        /// What the registry says of it.
        info: &'static MethodInfo,
        /// Its parameters.
        params: Params,
    },
    /// A program of the user's.
    Program(Arc<Program>),
}

impl MethodSource {
    /// Its own name, not the label it has in reports.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Listed { info, .. } => info.name,
            Self::Program(program) => &program.name,
        }
    }

    /// The name of the method it is a form of: what seeds its runs.
    #[must_use]
    pub fn family(&self) -> &str {
        match self {
            Self::Listed { info, .. } => info.family(),
            Self::Program(program) => &program.name,
        }
    }

    /// What input it takes.
    #[must_use]
    pub fn accepts(&self) -> Accepts {
        match self {
            Self::Listed { info, .. } => info.accepts,
            Self::Program(program) => program.accepts,
        }
    }

    /// How often it is worth running on one ensemble.
    #[must_use]
    pub fn runs(&self) -> Runs {
        match self {
            Self::Listed { info, .. } => info.runs,
            Self::Program(_) => Runs::Repeats,
        }
    }

    /// Whether it fits a model of the labels.
    #[must_use]
    pub fn predicts(&self) -> Predicts {
        match self {
            Self::Listed { info, .. } => info.predicts,
            Self::Program(_) => Predicts::Nothing,
        }
    }

    /// Which way its objective improves.
    #[must_use]
    pub fn optimises(&self) -> Direction {
        match self {
            Self::Listed { info, .. } => info.optimises,
            Self::Program(_) => Direction::Neither,
        }
    }

    /// What it and its distributed forms declare.
    #[must_use]
    pub fn abilities(&self) -> Abilities {
        match self {
            Self::Listed { info, .. } => info.abilities(),
            Self::Program(program) => Abilities {
                missing: program.accepts.missing == Missing::Accepted,
                columns_distributed: false,
                rows_distributed: false,
            },
        }
    }

    /// How long a run may take when the spec does not say.
    #[must_use]
    pub fn usual_deadline(&self) -> Option<Duration> {
        match self {
            Self::Listed { .. } => None,
            Self::Program(_) => Some(external::DEADLINE),
        }
    }

    /// The method itself, ready to run.
    #[must_use]
    pub fn make(&self) -> Box<dyn Consensus> {
        match self {
            Self::Listed { info, params } => info.make(params),
            Self::Program(program) => Box::new(Program::clone(program)),
        }
    }
}
