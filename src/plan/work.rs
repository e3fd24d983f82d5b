//! Kinds of work: what takes about the same time whenever it is done.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::{Cell, Job, RowGrowth, Variant};
use crate::consensus::Shape;
use crate::seed::Id;
use crate::spec::MethodSource;

/// What the name of a program ends with, before its identity.
const PROGRAM: &str = " program ";

/// Methods that look at every object; all others look at distinct rows.
const BY_OBJECT: [&str; 5] = ["base", "g-bce", "mm-columns", "nbce-gibbs", "v-bce-columns"];

/// A part of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WorkStep {
    /// Making the base clusterings.
    Ensemble,
    /// Putting an ensemble together as the methods see it.
    View,
    /// One run of a method, and its scores.
    Cell,
}

impl WorkStep {
    const ALL: [Self; 3] = [Self::Ensemble, Self::View, Self::Cell];

    /// Its name in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Ensemble => "ensemble",
            Self::View => "view",
            Self::Cell => "cell",
        }
    }

    /// The step of that name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|step| step.name() == name)
    }
}

/// Work that takes about the same time whenever it is done: a step with its parameters, on ensembles of one kind.
#[derive(Debug, Clone)]
pub struct WorkKind {
    /// Which part of a job it is.
    pub step: WorkStep,
    /// The method or the generator.
    pub name: Arc<str>,
    /// Identity of the dataset.
    pub data: Arc<str>,
    /// What makes the ensembles.
    pub ensembles: Arc<str>,
    /// H.
    pub columns: usize,
    /// K, or the most that are tried; 0 where the method finds it.
    pub clusters: usize,
    /// What the formula says: [`crate::consensus::Consensus::operations`] of an ensemble whose rows all differ.
    pub operations: f64,
    /// What it is likely to be. Nothing tells kinds apart by it.
    pub likely: LikelyWork,
}

/// What work is likely to be, as far as one can tell before it is done.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LikelyWork {
    /// What the formula says of an ensemble with as many distinct rows as are likely.
    pub operations: f64,
    /// How many objects scoring looks at.
    pub scored: f64,
}

impl WorkKind {
    /// Whether it is a run of a program, of whose costs no formula knows anything.
    #[must_use]
    pub fn is_of_a_program(&self) -> bool {
        self.step == WorkStep::Cell && self.name.contains(PROGRAM)
    }

    fn key(&self) -> (WorkStep, &str, &str, &str, usize, usize, u64) {
        let Self { step, name, data, ensembles, columns, clusters, operations, likely: _ } = self;
        (*step, name, data, ensembles, *columns, *clusters, operations.to_bits())
    }
}

impl PartialEq for WorkKind {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for WorkKind {}

impl Hash for WorkKind {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

impl fmt::Display for WorkKind {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        write!(out, "{} {} of {} columns, k = {}", self.step.name(), self.name, self.columns, self.clusters)
    }
}

/// The kinds of work of one job.
pub struct JobWork<'a> {
    job: &'a Job,
    data: Arc<str>,
    ensembles: Arc<str>,
    generator: Arc<str>,
    per_column: f64,
    rows: RowGrowth,
}

impl<'a> JobWork<'a> {
    /// Of a job.
    #[must_use]
    pub fn of(job: &'a Job) -> Self {
        let made = job.generator.make(&job.params, &job.dataset);
        let generator = job.generator.name;
        Self {
            job,
            data: job.dataset.id.to_string().into(),
            ensembles: format!("{generator};{}", job.params.identity(job.generator.parameters)).into(),
            generator: generator.into(),
            per_column: made.map_or(0.0, |made| made.operations()),
            rows: RowGrowth::all_differ(job.dataset.features.rows()),
        }
    }

    /// The same, with what is known of distinct rows.
    #[must_use]
    pub fn with_rows(self, rows: RowGrowth) -> Self {
        Self { rows, ..self }
    }

    /// What tells ensembles from those of another kind: their dataset, and what makes them.
    #[must_use]
    pub fn ensembles(&self) -> [Arc<str>; 2] {
        [Arc::clone(&self.data), Arc::clone(&self.ensembles)]
    }

    /// Making so many base clusterings.
    #[must_use]
    pub fn ensemble(&self, columns: usize) -> WorkKind {
        let operations = columns as f64 * self.per_column;
        WorkKind {
            step: WorkStep::Ensemble,
            name: Arc::clone(&self.generator),
            data: Arc::clone(&self.data),
            ensembles: Arc::clone(&self.ensembles),
            columns,
            clusters: 0,
            operations,
            likely: LikelyWork { operations, scored: 0.0 },
        }
    }

    /// Putting together what the methods see.
    #[must_use]
    pub fn view(&self, variant: &Variant) -> WorkKind {
        let columns = variant.columns.len();
        let operations = (self.job.dataset.features.rows() * columns) as f64;
        let likely = LikelyWork { operations, scored: 0.0 };
        WorkKind { step: WorkStep::View, ensembles: self.seen(variant), operations, likely, ..self.ensemble(columns) }
    }

    /// One run, and its scores. Best values over several numbers of clusters are another kind of work than one of them.
    #[must_use]
    pub fn cell(&self, variant: &Variant, cell: &Cell) -> WorkKind {
        let objects = self.job.dataset.features.rows();
        let columns = variant.columns.len();
        let planned = Shape::planned(objects, columns, cell.clusters.unwrap_or(10));
        let tried = cell.best_over.as_ref().map_or(1, |tried| tried.len());
        let scored = (tried * objects) as f64;
        let method = &cell.run.consensus;
        // Scoring looks at every object once, for each number of clusters that is tried.
        let operations = method.operations(&planned) + 20.0 * scored;
        let name = match &cell.run.method {
            MethodSource::Listed { info, .. } => info.name.to_owned(),
            // A program of the same name may be another one.
            MethodSource::Program(program) => {
                format!("{}{PROGRAM}{}", program.name, Id::of("program", &[program.identity().as_bytes()]))
            }
        };
        let rows = self.rows.masked(columns, variant.mask.fraction);
        let is_by_object = BY_OBJECT.contains(&name.as_str()) || matches!(cell.run.method, MethodSource::Program(_));
        let shape = if is_by_object { Shape { rows, ..planned } } else { Shape { rows, objects: rows, ..planned } };
        WorkKind {
            step: WorkStep::Cell,
            name: if tried > 1 { format!("{name} over k") } else { name }.into(),
            data: Arc::clone(&self.data),
            ensembles: self.seen(variant),
            columns,
            clusters: cell.clusters.unwrap_or(0),
            operations,
            likely: LikelyWork { operations: method.operations(&shape), scored },
        }
    }

    /// What makes the ensembles, and what is deleted from them: rows that differ only by what is missing are many.
    fn seen(&self, variant: &Variant) -> Arc<str> {
        let deleted = variant.mask.identity();
        if deleted.is_empty() {
            Arc::clone(&self.ensembles)
        } else {
            format!("{} without {deleted}", self.ensembles).into()
        }
    }
}
