//! What a distributed method is to whoever runs it: programs for its parties, and what comes of them.
//!
//! [`combine_rows`] and [`combine_columns`] run every party in a thread and put the results together, which is how specs
//! and `conclave consensus` run a method. A process that is one party runs the same programs over a transport of its own.

use std::ops::Range;
use std::sync::Arc;

use super::channels::Links;
use super::columns::ColumnPart;
use super::rows::{Dealt, RowPart};
use super::transport::{Stopped, Transport};
use super::{columns, drive};
use crate::consensus::{Halt, Objective, Predictive, Solution, Task, Watch, mm, strongest, v_bce};
use crate::ensemble::Partition;
use crate::params::{DefaultValue, Kind, Parameter};
use crate::seed::Id;

/// Every owner is a thread with a stack of its own.
const MOST_PARTIES: i64 = 4096;

/// How many parties own rows.
pub(crate) const PARTIES: Parameter = Parameter {
    name: "parties",
    kind: Kind::Integer { min: 1, max: MOST_PARTIES },
    default: DefaultValue::Integer(2),
    help: "owners of rows, which are split among them evenly and at random",
};

/// How many clients own columns.
pub(crate) const CLIENTS: Parameter = Parameter {
    name: "clients",
    kind: Kind::Integer { min: 0, max: MOST_PARTIES },
    default: DefaultValue::Integer(0),
    help: "owners of neighbouring base clusterings; 0: one for each",
};

/// A method between parties.
pub enum Form<'a> {
    /// Every party owns all labels of some objects.
    Rows(&'a dyn RowForm),
    /// A server, which owns nothing, and clients that own base clusterings.
    Columns(&'a dyn ColumnForm),
}

/// A method between parties that own rows.
pub trait RowForm: Sync {
    /// The program of one party, whose labels are coded as everybody's are.
    ///
    /// # Errors
    /// When it cannot go on, or another party is gone.
    fn party(&self, part: &RowPart, common: &Common, transport: &mut dyn Transport) -> Result<RowsFound, Stopped>;
}

/// A method between a server (party 0) and clients that own columns.
pub trait ColumnForm: Sync {
    /// The program of a client.
    ///
    /// # Errors
    /// When it cannot go on, or another party is gone.
    fn client(&self, part: &ColumnPart, common: &Common, transport: &mut dyn Transport) -> Result<(), Stopped>;

    /// The program of the server.
    ///
    /// # Errors
    /// When it cannot go on, or another party is gone.
    fn server(&self, common: &Common, transport: &mut dyn Transport) -> Result<ColumnsFound, Stopped>;
}

/// What everybody knows.
pub struct Common<'a> {
    /// K.
    pub clusters: usize,
    /// Seeds every random stream.
    pub id: Id,
    /// Says when to stop.
    pub watch: &'a Watch,
    /// Labels in each column.
    pub arity: &'a [usize],
    /// The columns of each client; of no use between parties that own rows.
    pub columns: &'a [Range<usize>],
    /// N; of no use between parties that own rows, who know their own.
    pub objects: usize,
}

/// How a run ended.
#[derive(Debug, Clone, Copy)]
pub struct RunEnd {
    /// The value of what the method optimises.
    pub objective: f64,
    /// Iterations of the run that was kept.
    pub iterations: usize,
    /// Whether it stopped because nothing changed any more.
    pub converged: bool,
    /// Iterations of all starts.
    pub spent: usize,
}

/// What a party that owns rows found.
pub struct RowsFound {
    /// How the run ended.
    pub end: RunEnd,
    /// For its own distinct rows.
    pub assigned: Assigned,
    /// The fitted model, where there is one.
    pub predictive: Option<Arc<dyn Predictive>>,
}

/// Where rows belong.
pub enum Assigned {
    /// Row × component.
    Memberships(Vec<f64>),
    /// One cluster a row.
    Clusters(Vec<u32>),
}

/// What the server found.
pub struct ColumnsFound {
    /// How the run ended.
    pub end: RunEnd,
    /// Object × component.
    pub memberships: Vec<f64>,
}

/// Runs a method between `parties` threads that own rows.
///
/// # Errors
/// When time is up, the run was cancelled, or a party cannot go on.
pub(crate) fn combine_rows(
    form: &dyn RowForm,
    parties: usize,
    task: &Task,
    objective: &'static str,
) -> Result<Solution, Halt> {
    let clusters = task.given_clusters()?;
    let split = Dealt::of(task, parties);
    let common = Common { arity: task.ensemble.arity(), ..Common::of(task, clusters) };
    let mut outcome = drive::run(split.parts(task.ensemble), Links::Ring, &task.watch, |part, transport| {
        form.party(&part, &common, transport)
    })?;
    // The last party's word: all have the same, but for heuristics, where it has the latest.
    let last = outcome.results.last_mut().expect("there is at least one party");
    let (end, predictive) = (last.end, last.predictive.take());
    let mut memberships = Vec::new();
    let mut labels = Vec::new();
    for found in outcome.results {
        match found.assigned {
            Assigned::Memberships(values) => memberships.push(values),
            Assigned::Clusters(values) => labels.push(values),
        }
    }
    let solution = if labels.is_empty() {
        let values = split.gather(task.ensemble, &memberships, clusters);
        let (partition, memberships) = strongest(&task.ensemble.expanded(), &values, clusters);
        Solution { memberships: Some(memberships), ..Solution::of(partition) }
    } else {
        Solution::of(Partition::from_codes(&split.gather(task.ensemble, &labels, 1)))
    };
    Ok(Solution { predictive, traffic: Some(outcome.traffic), ..ended(solution, end, objective) })
}

/// Runs a method between a server and `clients` threads that own columns; 0: one for each column.
///
/// # Errors
/// When time is up, the run was cancelled, or a party cannot go on.
pub(crate) fn combine_columns(
    form: &dyn ColumnForm,
    clients: usize,
    task: &Task,
    objective: &'static str,
) -> Result<Solution, Halt> {
    let clusters = task.given_clusters()?;
    let split = columns::split(task.ensemble.columns(), clients);
    let common = Common { columns: &split, ..Common::of(task, clusters) };
    let (found, traffic) = columns::serve(
        columns::parts(task.ensemble, &split),
        &task.watch,
        |transport| form.server(&common, transport),
        |part, transport| form.client(part, &common, transport),
    )?;
    let (partition, memberships) = strongest(&task.ensemble.expanded(), &found.memberships, clusters);
    let solution = Solution { memberships: Some(memberships), ..Solution::of(partition) };
    Ok(Solution { traffic: Some(traffic), ..ended(solution, found.end, objective) })
}

fn ended(solution: Solution, end: RunEnd, objective: &'static str) -> Solution {
    Solution {
        objective: Some(Objective { name: objective, value: end.objective }),
        iterations: end.iterations,
        converged: end.converged,
        ..solution
    }
}

impl RunEnd {
    /// Of one start of a mixture model.
    pub(crate) fn of_mm(fit: mm::MixtureFit) -> Self {
        let mm::MixtureFit { log_likelihood, iterations, converged, .. } = fit;
        Self { objective: log_likelihood, iterations, converged, spent: iterations }
    }

    /// Of one start of a Bayesian cluster ensemble.
    pub(crate) fn of_v_bce(fit: v_bce::fit::BceFit) -> Self {
        let v_bce::fit::BceFit { lower_bound, iterations, converged } = fit;
        Self { objective: lower_bound, iterations, converged, spent: iterations }
    }
}

impl<'a> Common<'a> {
    fn of(task: &'a Task, clusters: usize) -> Self {
        let objects = task.ensemble.objects();
        Self { clusters, id: task.id, watch: &task.watch, arity: &[], columns: &[], objects }
    }
}
