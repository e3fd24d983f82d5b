//! How stable each number of clusters is, for a page or as JSON beside the answer.

use conclave_core::stability::{self, Stability, StabilityPlan};

use super::ConsensusArguments;
use crate::cli::k_choice::{KChoice, Material};
use crate::consensus::{self, MethodInfo, Watch};
use crate::data::LabelTable;
use crate::params::Params;
use crate::threads::Threads;

/// The method that combines the draws, whichever made the consensus: quick, and it takes missing labels.
const METHOD: &str = "voting";

/// Numbers of clusters up to this are tried, and more where the consensus has as many.
const LARGEST: usize = 10;
const MOST: usize = 40;

/// Fewer draws, references and objects than those of `choose-k`: an answer should not wait for them.
const DRAWS: usize = 20;
const REFERENCES: usize = 15;
const OBJECTS: usize = 400;

/// The stability of each number of clusters of a file of labels, or why that cannot be said.
pub(super) fn measure(
    arguments: &ConsensusArguments,
    table: &LabelTable,
    clusters: usize,
    threads: &Threads,
) -> Result<Stability, String> {
    let method = method();
    let watch = Watch::default().with_threads(threads.for_another_run());
    let plan = StabilityPlan {
        largest: (clusters + 2).clamp(LARGEST, MOST),
        draws: DRAWS,
        references: REFERENCES,
        objects: OBJECTS,
        seed: arguments.seed,
        watch: &watch,
        done: &|| (),
    };
    stability::of_labels(&table.ensemble, method, &Params::defaults(method.parameters), &plan)
        .map_err(|error| error.to_string())
}

/// Whether somebody will look at it: a page, or JSON of an answer whose number of clusters nobody gave.
pub(super) fn is_asked_for(arguments: &ConsensusArguments) -> bool {
    arguments.report.is_some() || (arguments.json && arguments.k.is_none())
}

/// In the words of the command line.
pub(super) fn choice<'a>(arguments: &ConsensusArguments, stability: &'a Stability) -> KChoice<'a> {
    KChoice { stability, material: Material::Labels, by: method().name, seed: arguments.seed }
}

fn method() -> &'static MethodInfo {
    consensus::find(METHOD).expect("the method is registered")
}
