use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::claims::ClaimRequest;
use super::forks::{Fork, Universe};
use super::method::MethodSource;
use super::paper_runs::PaperRuns;
use super::papers::Paper;
use super::rankings::RankingRequest;
use super::requests::{FigureRequest, ListingRequest, PictureRequest, TableRequest, TestRequest};
use super::{FULL_SCALE, PAPER_SCALE};
use crate::data::Dataset;
use crate::generate::{GeneratorInfo, Holdout, Mask, Pool};
use crate::memory::Memory;
use crate::metric::MetricInfo;
use crate::params::{Params, WantedCount};

/// A spec that can run: every name is known, every value is in its bounds, every dataset is in memory.
#[derive(Debug)]
pub struct Experiment {
    /// Name of the results and reports folders.
    pub name: String,
    /// A human title.
    pub title: String,
    /// What it is about; paragraphs are separated by empty lines.
    pub description: String,
    /// The paper it belongs to.
    pub paper: Option<Paper>,
    /// The table or figure it reproduces.
    pub reproduces: Option<String>,
    /// Root of all random numbers.
    pub seed: u64,
    /// Experiments whose finished cells are used where they are the same.
    pub reuse: Vec<String>,
    /// The scale that was asked for.
    pub scale: String,
    /// Path of the spec.
    pub spec_path: String,
    /// Text of the spec.
    pub spec_text: String,
    /// The datasets, in the spec's order.
    pub datasets: Vec<Arc<Dataset>>,
    /// Datasets that are optional and not there, and why.
    pub absent: Vec<(String, String)>,
    /// How to get each of those.
    pub to_get: Vec<String>,
    /// What is measured on every consensus.
    pub metrics: Vec<&'static MetricInfo>,
    /// The keys that are swept.
    pub sweep: Vec<String>,
    /// Every point of the sweep; one when nothing is swept.
    pub points: Vec<SweepPoint>,
    /// Listings of the report.
    pub listings: Vec<ListingRequest>,
    /// Tables of the report.
    pub tables: Vec<TableRequest>,
    /// Figures of the report.
    pub figures: Vec<FigureRequest>,
    /// Tests of the report.
    pub tests: Vec<TestRequest>,
    /// Pictures of the report.
    pub pictures: Vec<PictureRequest>,
    /// Rankings of the report.
    pub rankings: Vec<RankingRequest>,
    /// What the paper claims.
    pub(crate) claims: Vec<ClaimRequest>,
    /// How much stands behind the paper's numbers where neither they nor a claim say it.
    pub paper_runs: PaperRuns,
    /// The values every dimension has at the paper's scale, by its name.
    pub paper_extent: Vec<(String, Vec<PointValue>)>,
    /// How many objects every dataset has at the paper's scale, by its label.
    pub paper_objects: Vec<(String, usize)>,
    /// What the paper leaves open.
    pub forks: Vec<Fork>,
    /// The universes that are not as stated; each has no universes of its own.
    pub universes: Vec<Universe>,
}

impl Experiment {
    /// What its scale is called where it is shown: without a paper, the top level is the full scale and no paper's.
    #[must_use]
    pub fn scale_name(&self) -> &str {
        match self.scale.as_str() {
            PAPER_SCALE if self.paper.is_none() => FULL_SCALE,
            scale => scale,
        }
    }
}

/// Values in the order in which each first appears.
#[must_use]
pub fn distinct(values: impl Iterator<Item = PointValue>) -> Vec<PointValue> {
    let mut found = Vec::new();
    for value in values {
        if !found.contains(&value) {
            found.push(value);
        }
    }
    found
}

/// One point of the sweep.
#[derive(Debug, Clone)]
pub struct SweepPoint {
    /// As many as [`Experiment::sweep`].
    pub values: Vec<PointValue>,
    /// What is run there.
    pub setting: Setting,
}

/// What is run at a point of the sweep.
#[derive(Debug, Clone)]
pub struct Setting {
    /// Which labels are deleted.
    pub mask: Mask,
    /// Which objects are held out.
    pub holdout: Holdout,
    /// The ensembles that are made.
    pub ensembles: Vec<EnsembleSetting>,
    /// The methods that are run on each.
    pub methods: Vec<MethodSetting>,
}

/// One kind of ensemble.
#[derive(Debug, Clone)]
pub struct EnsembleSetting {
    /// Name in results and reports.
    pub label: String,
    /// The datasets it is made of, by label; all when there is none.
    pub only: Option<Vec<String>>,
    /// What makes it.
    pub generator: &'static GeneratorInfo,
    /// The generator's parameters.
    pub params: Params,
    /// H, base clusterings in each.
    pub size: usize,
    /// How many are made of each dataset.
    pub count: u32,
    /// The pool they are drawn from; each is made by itself when there is none.
    pub pool: Option<Pool>,
}

impl EnsembleSetting {
    /// Whether this kind of ensemble is made of a dataset.
    #[must_use]
    pub fn is_made_of(&self, dataset: &Dataset) -> bool {
        self.only.as_ref().is_none_or(|only| only.contains(&dataset.label))
    }
}

/// One method with its parameters.
#[derive(Debug, Clone)]
pub struct MethodSetting {
    /// Name in results and reports.
    pub label: String,
    /// What is run, with its parameters.
    pub method: MethodSource,
    /// How many clusters it is told to find; `None` when it is not told.
    pub clusters: Option<WantedCount>,
    /// How often it is run on each ensemble, if its answer depends on chance.
    pub repeats: u32,
    /// How long one run may take.
    pub deadline: Option<Duration>,
    /// How much memory one run of a built-in method may take; a program's is its own.
    pub memory: Option<Memory>,
    /// The kinds of ensembles it is run on, by label; all when there is none.
    pub ensembles: Option<Vec<String>>,
}

impl MethodSetting {
    /// Whether it is run on this kind of ensemble.
    #[must_use]
    pub fn is_run_on(&self, ensemble: &str) -> bool {
        self.ensembles.as_ref().is_none_or(|kinds| kinds.iter().any(|kind| kind == ensemble))
    }
}

/// A value of a swept key.
#[derive(Debug, Clone, PartialEq)]
pub enum PointValue {
    /// A number.
    Number(f64),
    /// Anything else, as it is written.
    Text(String),
}

impl PointValue {
    pub(crate) fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Text(_) => None,
        }
    }
}

impl fmt::Display for PointValue {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Number(value) => write!(out, "{value}"),
            Self::Text(text) => write!(out, "{text}"),
        }
    }
}
