//! From a checked experiment to jobs and cells.
//!
//! A **job** is one ensemble as its generator makes it, with every variant of it that the sweep asks for (fewer columns,
//! deleted labels) and every cell scored on each. A **cell** is one run of one method on one variant; its id is a hash of
//! all that can change its number. Places of the sweep that lead to the same id share the cell.

mod build;
mod estimate;
mod only;
mod pictures;
mod rows;
mod shards;
mod work;

pub use only::Only;
pub use pictures::{PlannedPanel, PlannedPicture};
pub use rows::RowGrowth;
pub use shards::{Shard, Shares};
pub use work::{JobWork, LikelyWork, WorkKind, WorkStep};

use std::sync::Arc;
use std::time::Duration;

use crate::consensus::Consensus;
use crate::data::Dataset;
use crate::generate::{GeneratorInfo, Holdout, Mask, Which};
use crate::memory::Memory;
use crate::params::Params;
use crate::seed::Id;
use crate::spec::{CellPlace, EnsemblePlace, Experiment, MethodSetting, MethodSource};
use build::Builder;

/// Everything there is to do.
#[derive(Debug)]
pub struct Plan {
    /// The experiment.
    pub experiment: Experiment,
    /// The jobs, in the order of the spec.
    pub jobs: Vec<Job>,
    /// The pictures, in the order of the spec.
    pub pictures: Vec<PlannedPicture>,
}

/// One ensemble, and what is done with it.
#[derive(Debug)]
pub struct Job {
    /// Identity of the ensemble before anything is deleted from it, or of the pool it is drawn from; seeds its columns.
    pub base: Id,
    /// Whether other jobs use columns of the same base.
    pub pooled: bool,
    /// What is clustered.
    pub dataset: Arc<Dataset>,
    /// What clusters it.
    pub generator: &'static GeneratorInfo,
    /// The generator's parameters.
    pub params: Params,
    /// Which of the ensembles of this kind it is.
    pub index: u32,
    /// What is done with it.
    pub variants: Vec<Variant>,
}

/// An ensemble as the methods see it.
#[derive(Debug)]
pub struct Variant {
    /// Its identity: what paired tests pair by.
    pub ensemble: Id,
    /// Which columns of the base it has.
    pub columns: Vec<usize>,
    /// Its identity before anything is deleted: seeds the mask, and says which ensembles of a sweep over masks belong
    /// together.
    pub unmasked: Id,
    /// Which labels are deleted.
    pub mask: Mask,
    /// Which objects are held out.
    pub holdout: Holdout,
    /// The runs.
    pub cells: Vec<Cell>,
}

/// One run of one method on one ensemble.
#[derive(Debug)]
pub struct Cell {
    /// Its identity.
    pub id: Id,
    /// Seeds its random numbers: the same for every form and every setting of a method, so that they start alike.
    pub seed: Id,
    /// What is run.
    pub run: Arc<MethodRun>,
    /// How many clusters the method is told to find; the most, where several are tried.
    pub clusters: Option<usize>,
    /// The numbers of clusters that are tried, with the classes in view, so that each metric keeps its best value.
    pub best_over: Option<Arc<[usize]>>,
    /// Which of the repeated runs it is.
    pub repeat: u32,
    /// Where in the experiment its result is used.
    pub places: Vec<CellPlace>,
}

/// A method ready to run.
pub struct MethodRun {
    /// What it is.
    pub method: MethodSource,
    /// The same, made.
    pub consensus: Box<dyn Consensus>,
    /// How long one run may take.
    pub deadline: Option<Duration>,
    /// How much memory one run may take, where the spec says.
    pub memory: Option<Memory>,
}

impl std::fmt::Debug for MethodRun {
    fn fmt(&self, out: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(out, "run of {}", self.method.name())
    }
}

impl Plan {
    /// Every cell with its job and variant.
    pub fn cells(&self) -> impl Iterator<Item = (&Job, &Variant, &Cell)> {
        self.jobs.iter().flat_map(|job| {
            job.variants.iter().flat_map(move |variant| variant.cells.iter().map(move |cell| (job, variant, cell)))
        })
    }
}

/// Expands an experiment into jobs and cells. What universes share is there once.
#[must_use]
pub fn expand(experiment: Experiment) -> Plan {
    let mut builder = Builder::default();
    let shown = builder.add(&experiment, 0);
    for index in 1..experiment.universe_count() {
        builder.add(experiment.universe(index), index);
    }
    Plan { pictures: pictures::plan(&experiment, &shown, &builder.jobs), jobs: builder.jobs, experiment }
}

impl Builder {
    /// Adds the cells of a universe; returns where the first ensemble of each kind is.
    fn add(&mut self, experiment: &Experiment, universe: usize) -> Vec<(EnsemblePlace, (usize, usize))> {
        let mut shown = Vec::new();
        for (point, sweep_point) in experiment.points.iter().enumerate() {
            let setting = &sweep_point.setting;
            let runs: Vec<Arc<MethodRun>> = setting.methods.iter().map(|method| Arc::new(method_run(method))).collect();
            for (dataset, data) in experiment.datasets.iter().enumerate() {
                let kinds = setting.ensembles.iter().enumerate().filter(|(_, kind)| kind.is_made_of(data));
                for (ensemble, kind) in kinds {
                    let id = |index: Option<u32>| {
                        let which = Which { seed: experiment.seed, index };
                        let id = kind.generator.ensemble_id(&kind.params, data, &which);
                        id.expect("the spec's check made this generator for this dataset")
                    };
                    // One pool, however many ensembles are drawn from it: its labels may be a large file.
                    let pool = kind.pool.map(|_| id(None));
                    for index in 0..kind.count {
                        let base = pool.unwrap_or_else(|| id(Some(index)));
                        let job = self.job(base, data, kind, index);
                        let variant = self.variant(job, setting, kind);
                        if index == 0 {
                            shown.push((EnsemblePlace { point, dataset, ensemble }, variant));
                        }
                        let asked = |method: &usize| setting.methods[*method].is_run_on(&kind.label);
                        for (method, run) in runs.iter().enumerate().filter(|(method, _)| asked(method)) {
                            let place = CellPlace { universe, point, dataset, ensemble, method };
                            self.cells(variant, &setting.methods[method], run, place, data);
                        }
                    }
                }
            }
        }
        shown
    }
}

fn method_run(setting: &MethodSetting) -> MethodRun {
    let MethodSetting { method, deadline, memory, .. } = setting;
    MethodRun { method: method.clone(), consensus: method.make(), deadline: *deadline, memory: *memory }
}
