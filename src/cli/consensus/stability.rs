//! How stable each number of clusters is, for a page or as JSON beside the answer, which wait for it only a few seconds.

use std::io::IsTerminal;

use conclave_core::stability::{self, Stability, StabilityPlan};

use super::ConsensusArguments;
use crate::cli::k_choice::{KChoice, Material};
use crate::cli::text;
use crate::consensus::{self, MethodInfo, Watch};
use crate::data::LabelTable;
use crate::params::Params;
use crate::run;
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

/// Where all this would take more than so many seconds on one thread, there are fewer draws and references.
const MOST_SECONDS: f64 = 15.0;
const FEWEST_DRAWS: usize = 10;
const FEWEST_REFERENCES: usize = 10;

/// Longer than this nobody waits without a word.
const SILENT_SECONDS: f64 = 2.0;

/// The stability of each number of clusters of a file of labels, or why that cannot be said.
pub(super) fn measure(
    arguments: &ConsensusArguments,
    table: &LabelTable,
    clusters: usize,
    threads: &Threads,
) -> Result<Stability, String> {
    let method = method();
    let watch = Watch::default().with_threads(threads.for_another_run());
    let mut plan = StabilityPlan {
        largest: (clusters + 2).clamp(LARGEST, MOST),
        draws: DRAWS,
        references: REFERENCES,
        objects: OBJECTS,
        seed: arguments.seed,
        watch: &watch,
        done: &|| (),
    };
    let params = Params::defaults(method.parameters);
    let maker = method.make(&params);
    let seconds = |plan: &StabilityPlan| {
        run::seconds_of_operations(method.name, stability::operations_of_labels(&table.ensemble, &*maker, plan))
    };
    if seconds(&plan) > MOST_SECONDS {
        plan = StabilityPlan { draws: FEWEST_DRAWS, references: FEWEST_REFERENCES, ..plan };
    }
    let expected = seconds(&plan);
    if expected > MOST_SECONDS {
        let (largest, time) = (plan.largest, text::duration(expected));
        return Err(format!(
            "left out, as {largest} numbers of clusters would take about {time} even with few draws; ask for it with conclave \
             choose-k {} --method {}",
            arguments.labels, method.name
        ));
    }
    if expected > SILENT_SECONDS && !std::io::stderr().is_terminal() {
        eprintln!("looking how stable each number of clusters is, about {}", text::duration(expected));
    }
    stability::of_labels(&table.ensemble, method, &params, &plan).map_err(|error| error.to_string())
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
