//! What came of a claim in every universe, put together.
//!
//! | file | what it does |
//! |---|---|
//! | `across.rs` | in which universes a claim holds, and on which forks that depends |
//! | `fit.rs` | how well printed numbers fit in each universe |
//! | `share.rs` | each fork's share of the variance |

mod across;
mod fit;
mod share;

use std::sync::Arc;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::count::count;
use super::judge::judge_by;
use super::model::{Judgement, NotRun, Repeat, Verdict};
use super::source::Results;
use super::stored::shared;
use crate::plan::Plan;
use crate::results::{Finished, ResultRow};
use crate::spec::claims::PRINTED;
use crate::spec::{Experiment, Fork};
use crate::store::Pictures;

pub(crate) use across::{AcrossUniverses, UniverseReading};
pub(crate) use fit::{DatasetLeftOut, FitTable, NumberFit, UniverseFit};
pub(crate) use share::shares;

/// What came of a claim in the universes that are not as stated.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Multiverse {
    /// What the paper leaves open.
    #[serde(with = "shared")]
    pub forks: Arc<[ForkFacts]>,
    /// In the order of the plan.
    pub others: Vec<InUniverse>,
}

/// A fork as pages show it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ForkFacts {
    /// Its id.
    pub id: String,
    /// What the paper says of it.
    pub paper: Option<String>,
    /// Why these options.
    pub why: Option<String>,
    /// Its options in words, with the reasons for each; the spec's own first.
    pub options: Vec<(String, Option<String>)>,
}

/// A claim in another universe.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct InUniverse {
    /// For every fork, which of its options.
    pub options: Vec<usize>,
    /// What came of it there.
    pub judgement: Judgement,
}

impl From<&Fork> for ForkFacts {
    fn from(fork: &Fork) -> Self {
        let options = fork.options.iter().map(|option| (option.label.clone(), option.why.clone()));
        Self { id: fork.id.clone(), paper: fork.paper.clone(), why: fork.why.clone(), options: options.collect() }
    }
}

/// The forks of an experiment as pages show them.
pub(crate) fn facts(experiment: &Experiment) -> Arc<[ForkFacts]> {
    experiment.forks.iter().map(ForkFacts::from).collect()
}

/// Adds to judgements of what is stated what came of the same claims in every other universe.
pub(super) fn add(stated: Vec<Judgement>, plan: &Plan, finished: &Finished, pictures: &Pictures) -> Vec<Judgement> {
    let experiment = &plan.experiment;
    if experiment.universes.is_empty() {
        return stated;
    }
    let others: Vec<Vec<Judgement>> = (1..experiment.universe_count())
        .into_par_iter()
        .map(|universe| {
            let rows = ResultRow::of_universe(plan, finished, universe);
            let judged = judge_by(&Results::new(plan, universe, &rows, pictures));
            let missing = missing(plan, finished, universe);
            if missing == 0 { judged } else { judged.into_iter().map(|claim| not_yet(claim, missing)).collect() }
        })
        .collect();
    let forks = facts(experiment);
    let with_universes = |mut judgement: Judgement| {
        if !can_differ(&judgement, experiment) {
            return judgement;
        }
        let in_universe = |(index, there): (usize, &Vec<Judgement>)| {
            let same = there.iter().find(|other| other.id == judgement.id)?;
            Some(InUniverse { options: experiment.universe_options(index + 1), judgement: same.clone() })
        };
        let others = others.iter().enumerate().filter_map(in_universe).collect();
        judgement.universes = Some(Multiverse { forks: Arc::clone(&forks), others });
        judgement
    };
    stated.into_iter().map(with_universes).collect()
}

/// How many cells of a universe are not computed.
pub(crate) fn missing(plan: &Plan, finished: &Finished, universe: usize) -> usize {
    let here = plan.cells().filter(|(_, _, cell)| cell.places.iter().any(|place| place.universe == universe));
    here.filter(|(_, _, cell)| !finished.contains_key(&cell.id)).count()
}

/// A claim in a universe of which a part is missing: nothing is said of it, whatever the other part says.
fn not_yet(claim: Judgement, missing: usize) -> Judgement {
    Judgement {
        verdict: Verdict::NotRun(NotRun::NotYet),
        finding: format!("{} of this universe not computed yet.", count(missing, "cell")),
        repeat: Repeat::None("The universe is not computed yet.".to_owned()),
        evidence: Vec::new(),
        quantity: None,
        ..claim
    }
}

/// Whether options can change what comes of a claim: it is measured, and its number is not our input.
fn can_differ(judgement: &Judgement, experiment: &Experiment) -> bool {
    let measured = |claim: &crate::spec::ClaimRequest| claim.id == judgement.id && claim.check.is_measured();
    let is_printed = judgement.id.ends_with(PRINTED) && judgement.is_of_printed_numbers();
    is_printed || experiment.claims.iter().any(measured)
}
