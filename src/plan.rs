//! From a checked experiment to jobs and cells.
//!
//! A **job** is one ensemble as its generator makes it, with every variant of it that the sweep asks for (fewer columns,
//! deleted labels) and every cell scored on each. A **cell** is one run of one method on one variant; its id is a hash of
//! all that can change its number. Places of the sweep that lead to the same id share the cell.

mod pictures;
mod shards;

pub use pictures::{PanelPlace, PanelPlan, PicturePlan};
pub use shards::{Shard, Shares};

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use crate::consensus::{Consensus, Runs, Shape};
use crate::data::Dataset;
use crate::generate::{GeneratorInfo, Holdout, Mask, Which};
use crate::memory::Memory;
use crate::params::Params;
use crate::seed::Id;
use crate::spec::{EnsembleSetting, Experiment, Method, MethodSetting, PointValue, Setting};

/// Everything there is to do.
#[derive(Debug)]
pub struct Plan {
    /// The experiment.
    pub experiment: Experiment,
    /// The jobs, in the order of the spec.
    pub jobs: Vec<Job>,
    /// The pictures, in the order of the spec.
    pub pictures: Vec<PicturePlan>,
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
    /// Its identity before anything is deleted; seeds the mask.
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
    /// How many clusters the method is told to find.
    pub clusters: Option<usize>,
    /// Which of the repeated runs it is.
    pub repeat: u32,
    /// Where in the experiment its result is used.
    pub places: Vec<Place>,
}

/// A method ready to run.
pub struct MethodRun {
    /// What it is.
    pub method: Method,
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

/// Where in the experiment a result is used, by positions in its lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// In [`Experiment::points`].
    pub point: usize,
    /// In [`Experiment::datasets`].
    pub dataset: usize,
    /// In [`Setting::ensembles`].
    pub ensemble: usize,
    /// In [`Setting::methods`].
    pub method: usize,
}

/// Expands an experiment into jobs and cells.
#[must_use]
pub fn expand(experiment: Experiment) -> Plan {
    let mut builder = Builder::default();
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
                for index in 0..kind.count {
                    let base = id(kind.pool.is_none().then_some(index));
                    let job = builder.job(base, data, kind, index);
                    let variant = builder.variant(job, setting, kind);
                    if index == 0 {
                        shown.push((PanelPlace { point, dataset, ensemble }, variant));
                    }
                    let asked = |method: &usize| setting.methods[*method].is_run_on(&kind.label);
                    for (method, run) in runs.iter().enumerate().filter(|(method, _)| asked(method)) {
                        let place = Place { point, dataset, ensemble, method };
                        builder.cells(variant, &setting.methods[method], run, place, data);
                    }
                }
            }
        }
    }
    Plan { pictures: pictures::plan(&experiment, &shown, &builder.jobs), jobs: builder.jobs, experiment }
}

fn method_run(setting: &MethodSetting) -> MethodRun {
    let MethodSetting { method, deadline, memory, .. } = setting;
    MethodRun { method: method.clone(), consensus: method.make(), deadline: *deadline, memory: *memory }
}

#[derive(Default)]
struct Builder {
    jobs: Vec<Job>,
    job_of: HashMap<Id, usize>,
    variant_of: HashMap<Id, (usize, usize)>,
    cell_of: HashMap<Id, (usize, usize, usize)>,
}

impl Builder {
    fn job(&mut self, base: Id, dataset: &Arc<Dataset>, kind: &EnsembleSetting, index: u32) -> usize {
        let pooled = kind.pool.is_some();
        let identity = Id::of("job", &[base.bytes(), &index.to_le_bytes()]);
        *self.job_of.entry(identity).or_insert_with(|| {
            self.jobs.push(Job {
                base,
                pooled,
                dataset: Arc::clone(dataset),
                generator: kind.generator,
                params: kind.params.clone(),
                index,
                variants: Vec::new(),
            });
            self.jobs.len() - 1
        })
    }

    fn variant(&mut self, job: usize, setting: &Setting, kind: &EnsembleSetting) -> (usize, usize) {
        let Job { base, index, .. } = self.jobs[job];
        let columns: Vec<usize> = match kind.pool {
            Some(pool) => pool.columns(index, kind.size, setting.mask.coupling, base),
            None => (0..kind.size).collect(),
        };
        let spelled: Vec<u8> = columns.iter().flat_map(|column| (*column as u64).to_le_bytes()).collect();
        let unmasked = Id::of("columns", &[base.bytes(), &index.to_le_bytes(), &spelled]);
        let (mask, holdout) = (setting.mask.identity(), setting.holdout.identity());
        let mut parts: Vec<&[u8]> = vec![unmasked.bytes(), mask.as_bytes()];
        if !holdout.is_empty() {
            parts.push(holdout.as_bytes());
        }
        let ensemble = Id::of("variant", &parts);
        *self.variant_of.entry(ensemble).or_insert_with(|| {
            let variants = &mut self.jobs[job].variants;
            variants.push(Variant {
                ensemble,
                columns,
                unmasked,
                mask: setting.mask,
                holdout: setting.holdout,
                cells: Vec::new(),
            });
            (job, variants.len() - 1)
        })
    }

    fn cells(
        &mut self,
        (job, variant): (usize, usize),
        setting: &MethodSetting,
        run: &Arc<MethodRun>,
        place: Place,
        dataset: &Dataset,
    ) {
        let cells = &mut self.jobs[job].variants[variant];
        let clusters = setting.clusters.as_ref().map(|rule| {
            let resolved = rule.resolve(dataset.population());
            resolved.ok().and_then(|resolved| resolved.only()).expect("the spec's check resolved this rule")
        });
        let repeats = match setting.method.runs() {
            Runs::Repeats => setting.repeats,
            Runs::Columns => u32::try_from(cells.columns.len()).expect("sizes are small"),
        };
        for repeat in 0..repeats {
            let id = cell_id(cells.ensemble, setting, clusters, repeat);
            let seed = cell_seed(cells.ensemble, &setting.method, clusters, repeat);
            match self.cell_of.get(&id) {
                Some(&(_, _, known)) => cells.cells[known].places.push(place),
                None => {
                    self.cell_of.insert(id, (job, variant, cells.cells.len()));
                    cells.cells.push(Cell { id, seed, run: Arc::clone(run), clusters, repeat, places: vec![place] });
                }
            }
        }
    }
}

/// Seeds a run. A distributed form of a method has the seed of the method itself: exact forms take the same steps.
fn cell_seed(ensemble: Id, method: &Method, clusters: Option<usize>, repeat: u32) -> Id {
    let clusters = clusters.map_or(0, |clusters| clusters as u64).to_le_bytes();
    Id::of("run", &[ensemble.bytes(), method.family().as_bytes(), &clusters, &repeat.to_le_bytes()])
}

/// Hashes everything that can change a cell's number.
fn cell_id(ensemble: Id, setting: &MethodSetting, clusters: Option<usize>, repeat: u32) -> Id {
    let clusters = clusters.map_or(0, |clusters| clusters as u64).to_le_bytes();
    let repeat = repeat.to_le_bytes();
    match &setting.method {
        Method::Listed { info, params } => {
            let (version, params) = (info.version.to_le_bytes(), params.identity(info.parameters));
            let parts = [ensemble.bytes(), info.name.as_bytes(), &version, params.as_bytes(), &clusters, &repeat];
            Id::of("cell", &parts)
        }
        Method::Program(program) => {
            Id::of("cell of a program", &[ensemble.bytes(), program.identity().as_bytes(), &clusters, &repeat])
        }
    }
}

/// `KEY=VALUE` pairs that narrow a run: a cell is run when, for every key, it has one of the values given for it.
#[derive(Debug, Clone, Default)]
pub struct Only(Vec<(String, String)>);

impl Only {
    /// Reads `KEY=VALUE` pairs and checks them against the plan.
    ///
    /// # Errors
    /// In words: what is not there, and what is.
    pub fn parse(pairs: &[String], experiment: &Experiment) -> Result<Self, String> {
        let mut only = Vec::new();
        for pair in pairs {
            let (key, value) = pair.split_once('=').ok_or_else(|| format!("--only {pair}: expected KEY=VALUE"))?;
            let values = values_of(experiment, key).ok_or_else(|| {
                let mut keys = vec!["dataset", "ensemble", "method"];
                keys.extend(experiment.sweep.iter().map(String::as_str));
                format!("--only {pair}: nothing is called `{key}` here; there are {}", keys.join(", "))
            })?;
            if !values.iter().any(|known| known == value) {
                return Err(format!("--only {pair}: `{key}` is one of {}", values.join(", ")));
            }
            only.push((key.to_owned(), value.to_owned()));
        }
        Ok(Self(only))
    }

    /// Whether any of the cell's places is among what was asked for.
    #[must_use]
    pub fn admits(&self, cell: &Cell, experiment: &Experiment) -> bool {
        let keys: std::collections::BTreeSet<&str> = self.0.iter().map(|(key, _)| key.as_str()).collect();
        cell.places.iter().any(|place| {
            keys.iter().all(|key| {
                let value = value_at(experiment, *place, key);
                self.0.iter().any(|(wanted, admitted)| wanted == key && Some(admitted) == value.as_ref())
            })
        })
    }
}

impl Only {
    /// Whether a panel of a picture is among what was asked for; methods do not matter to it.
    #[must_use]
    pub fn admits_panel(&self, place: PanelPlace, experiment: &Experiment) -> bool {
        let PanelPlace { point, dataset, ensemble } = place;
        let place = Place { point, dataset, ensemble, method: 0 };
        let keys = self.0.iter().map(|(key, _)| key.as_str()).filter(|key| *key != "method");
        keys.into_iter().all(|key| {
            let value = value_at(experiment, place, key);
            self.0.iter().any(|(wanted, admitted)| wanted == key && Some(admitted) == value.as_ref())
        })
    }
}

fn values_of(experiment: &Experiment, key: &str) -> Option<Vec<String>> {
    let setting = &experiment.points[0].setting;
    match key {
        "dataset" => Some(experiment.datasets.iter().map(|dataset| dataset.label.clone()).collect()),
        "ensemble" => Some(setting.ensembles.iter().map(|ensemble| ensemble.label.clone()).collect()),
        "method" => Some(setting.methods.iter().map(|method| method.label.clone()).collect()),
        _ => {
            let position = experiment.sweep.iter().position(|swept| swept == key)?;
            Some(experiment.points.iter().map(|point| point.values[position].to_string()).collect())
        }
    }
}

fn value_at(experiment: &Experiment, place: Place, key: &str) -> Option<String> {
    let point = &experiment.points[place.point];
    match key {
        "dataset" => Some(experiment.datasets[place.dataset].label.clone()),
        "ensemble" => Some(point.setting.ensembles[place.ensemble].label.clone()),
        "method" => Some(point.setting.methods[place.method].label.clone()),
        _ => {
            let position = experiment.sweep.iter().position(|swept| swept == key)?;
            Some(PointValue::to_string(&point.values[position]))
        }
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

/// What an operation of [`Consensus::operations`] takes, roughly.
const SECONDS_PER_OPERATION: f64 = 1e-9;

impl Job {
    /// A rough number of seconds on one thread for those cells that `wanted` admits: good for comparing jobs and for
    /// telling minutes from hours, no more.
    #[must_use]
    pub fn estimated_seconds(&self, wanted: impl Fn(&Cell) -> bool) -> f64 {
        let mut seconds = 0.0;
        let mut columns = 0;
        for variant in &self.variants {
            for cell in variant.cells.iter().filter(|cell| wanted(cell)) {
                columns = columns.max(variant.columns.len());
                seconds += self.estimated_cell_seconds(variant, cell);
            }
        }
        seconds + self.estimated_ensemble_seconds(columns)
    }

    /// The part of one cell in [`Self::estimated_seconds`].
    #[must_use]
    pub fn estimated_cell_seconds(&self, variant: &Variant, cell: &Cell) -> f64 {
        let objects = self.dataset.features.rows();
        let shape = Shape::planned(objects, variant.columns.len(), cell.clusters.unwrap_or(10));
        // Scoring looks at every object once.
        (cell.run.consensus.operations(&shape) + 20.0 * objects as f64) * SECONDS_PER_OPERATION
    }

    /// The part of making this many base clusterings in [`Self::estimated_seconds`].
    #[must_use]
    pub fn estimated_ensemble_seconds(&self, columns: usize) -> f64 {
        let generator = self.generator.make(&self.params, &self.dataset);
        let per_column = generator.map_or(0.0, |generator| generator.operations());
        columns as f64 * per_column * SECONDS_PER_OPERATION
    }
}
