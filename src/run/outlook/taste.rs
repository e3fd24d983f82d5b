//! A taste of the ensembles of a plan: a few base clusterings of each kind, made to see how many of their rows differ.

use std::collections::HashMap;
use std::sync::Arc;

use crate::ensemble::{Ensemble, Labels};
use crate::generate;
use crate::plan::{Job, JobWork, RowGrowth};

/// Base clusterings that are made of one kind at most.
const MOST: usize = 16;

/// Operations that one kind may take, and those that all may take: about a second.
const OF_ONE: f64 = 1e8;
const OF_ALL: f64 = 1.5e9;

/// What makes a base clustering takes no more memory than this, in bytes.
const BYTES: f64 = 2.5e8;

/// How many rows differ, by kinds of ensembles.
#[derive(Debug, Default)]
pub(super) struct Tastes {
    known: HashMap<[Arc<str>; 2], RowGrowth>,
    operations: f64,
}

impl Tastes {
    /// The work of a job, with what is known of its rows.
    pub(super) fn work<'a>(&mut self, job: &'a Job) -> JobWork<'a> {
        let work = JobWork::of(job);
        let rows = match self.known.get(&work.ensembles()) {
            Some(known) => known.clone(),
            None => {
                let growth = self.taste(job);
                self.known.insert(work.ensembles(), growth.clone());
                growth
            }
        };
        work.with_rows(rows)
    }

    fn taste(&mut self, job: &Job) -> RowGrowth {
        let objects = job.dataset.features.rows();
        let unknown = RowGrowth::all_differ(objects);
        let Ok(generator) = job.generator.make(&job.params, &job.dataset) else { return unknown };
        let operations = generator.operations().max(objects as f64);
        let affordable = (OF_ONE.min(OF_ALL - self.operations) / operations).max(0.0) as usize;
        let count = affordable.min(generator.columns().unwrap_or(MOST)).min(MOST);
        if count < 2 || generator.bytes() > BYTES {
            return unknown;
        }
        self.operations += count as f64 * operations;
        let made = (0..count).map(|column| generate::column(generator.as_ref(), job.base, column));
        let Ok(columns) = made.collect::<Result<Vec<Labels>, _>>() else { return unknown };
        let seen = (1..=count).map(|first| Ensemble::from_columns(&columns[..first]).map(|ensemble| ensemble.rows()));
        seen.collect::<Result<Vec<usize>, _>>().map_or(unknown, |seen| RowGrowth::of(objects, &seen))
    }
}
