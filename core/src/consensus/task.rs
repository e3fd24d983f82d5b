use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::allocation::OutOfMemory;
use crate::cluster::NotFinite;
use crate::ensemble::{Ensemble, Partition};
use crate::graph::GraphError;
use crate::metric::LogEvidence;
use crate::seed::{Id, Rng};
use crate::threads::Threads;

/// One run of a method: what to combine, into how many clusters, with which random numbers, until when.
#[derive(Debug)]
pub struct Task<'a> {
    /// The base clusterings.
    pub ensemble: &'a Ensemble,
    /// K, where it is given.
    pub clusters: Option<usize>,
    /// Which of the repeated runs this is.
    pub repeat: usize,
    /// Seeds every random stream of this run.
    pub id: Id,
    /// Says when to stop.
    pub watch: Watch,
}

impl<'a> Task<'a> {
    /// K, for methods that declare that they need it.
    ///
    /// # Errors
    /// When it was not given.
    pub fn given_clusters(&self) -> Result<usize, Halt> {
        self.clusters.ok_or_else(|| Halt::Failed("the number of clusters must be given".to_owned()))
    }

    /// The same task on another ensemble: a sample of this one.
    pub(crate) fn on<'b>(&self, ensemble: &'b Ensemble) -> Task<'b> {
        Task { ensemble, clusters: self.clusters, repeat: self.repeat, id: self.id, watch: self.watch.clone() }
    }

    /// The same task with another number of clusters.
    #[must_use]
    pub(crate) fn with_clusters(&self, clusters: usize) -> Task<'a> {
        Task { clusters: Some(clusters), ..self.on(self.ensemble) }
    }

    /// The random stream for one purpose of this run.
    #[must_use]
    pub fn rng(&self, purpose: &str) -> Rng {
        self.id.rng(purpose)
    }
}

/// What a run may use: time, and threads that are idle. Methods look at the time once per iteration.
#[derive(Debug, Clone, Default)]
pub struct Watch {
    deadline: Option<Instant>,
    cancelled: Arc<AtomicBool>,
    threads: Threads,
}

impl Watch {
    /// Stops after `allowance`, if there is one, and when `cancelled` turns true.
    #[must_use]
    pub fn new(allowance: Option<Duration>, cancelled: Arc<AtomicBool>) -> Self {
        // A deadline beyond what a clock can show never comes.
        let deadline = allowance.and_then(|allowance| Instant::now().checked_add(allowance));
        Self { deadline, cancelled, threads: Threads::default() }
    }

    /// The same watch, for a part that may take no longer than `allowance`.
    #[must_use]
    pub fn within(&self, allowance: Duration) -> Self {
        let own = Instant::now().checked_add(allowance);
        let deadline = self.deadline.into_iter().chain(own).min();
        Self { deadline, ..self.clone() }
    }

    /// The run may borrow these threads. The answer is the same with any number of them.
    #[must_use]
    pub fn with_threads(self, threads: Threads) -> Self {
        Self { threads, ..self }
    }

    /// The threads that can be borrowed.
    #[must_use]
    pub fn threads(&self) -> &Threads {
        &self.threads
    }

    /// Passes while there is time.
    ///
    /// # Errors
    /// [`Halt::TimedOut`] or [`Halt::Cancelled`].
    pub fn check(&self) -> Result<(), Halt> {
        if self.cancelled.load(Ordering::Relaxed) {
            return Err(Halt::Cancelled);
        }
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(Halt::TimedOut),
            _ => Ok(()),
        }
    }
}

impl Watch {
    /// As [`Watch::check`], for a loop over rows: looks at the first row and at every 65,536th, so that millions of rows are
    /// left within a second and a single one costs nothing.
    pub(super) fn check_at(&self, row: usize) -> Result<(), Halt> {
        if row & 0xFFFF == 0 { self.check() } else { Ok(()) }
    }
}

/// Why a method stopped without an answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Halt {
    /// The deadline passed.
    #[error("the time allowed for one run was over")]
    TimedOut,
    /// The deadline passed, and this is what the method had said about its work until then.
    #[error("the time allowed for one run was over: {0}")]
    Overtime(String),
    /// The whole run is being stopped.
    #[error("the run was stopped")]
    Cancelled,
    /// It cannot go on, for this reason.
    #[error("{0}")]
    Failed(String),
}

impl From<OutOfMemory> for Halt {
    fn from(error: OutOfMemory) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<NotFinite> for Halt {
    fn from(error: NotFinite) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<GraphError> for Halt {
    fn from(error: GraphError) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<String> for Halt {
    fn from(reason: String) -> Self {
        Self::Failed(reason)
    }
}

/// A method's answer.
#[derive(Debug, Clone)]
pub struct Solution {
    /// The consensus clustering.
    pub partition: Partition,
    /// The value of what the method optimises.
    pub objective: Option<Objective>,
    /// Iterations of the run that was kept.
    pub iterations: usize,
    /// Whether it stopped because nothing changed any more, rather than at its limit of iterations.
    pub converged: bool,
    /// Soft memberships, where the method has them.
    pub memberships: Option<Memberships>,
    /// The fitted model, where the method has one that gives unseen objects a probability.
    pub predictive: Option<Arc<dyn Predictive>>,
    /// What was exchanged, where the method runs between parties.
    pub traffic: Option<Traffic>,
    /// The graph of distinct rows, where the method walks on one.
    pub graph: Option<RowGraph>,
    /// The most memory that the method had at once, where it is a process of its own and that was seen.
    pub peak_bytes: Option<u64>,
}

impl Solution {
    /// A partition found in one step, with nothing else to say.
    #[must_use]
    pub fn of(partition: Partition) -> Self {
        Self {
            partition,
            objective: None,
            iterations: 1,
            converged: true,
            memberships: None,
            predictive: None,
            traffic: None,
            graph: None,
            peak_bytes: None,
        }
    }
}

/// A fitted model that gives the labels of any object a probability, seen or not.
pub trait Predictive: std::fmt::Debug + Send + Sync {
    /// The probability of the observed labels of every object of `ensemble`, whose codes and arities are those of the
    /// ensemble the model was fitted to.
    fn evidence(&self, ensemble: &Ensemble) -> LogEvidence;
}

/// What parties exchanged during a run, and how long they worked.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Traffic {
    /// Bytes of all messages.
    pub bytes: u64,
    /// Number of messages.
    pub messages: u64,
    /// Rounds: how often everybody had to wait for somebody else's message.
    pub rounds: u64,
    /// Processor seconds, without waiting, of the party that worked longest.
    pub slowest_party_seconds: f64,
    /// Processor seconds of the server, where there is one.
    pub server_seconds: f64,
}

/// A graph of distinct rows, of which a method keeps some links.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RowGraph {
    /// Distinct rows that have a label.
    pub rows: usize,
    /// Pairs of them that share a label.
    pub links: usize,
    /// How many of these pairs are kept.
    pub kept: usize,
}

/// The value of what a method optimises.
#[derive(Debug, Clone, PartialEq)]
pub struct Objective {
    /// What it is.
    pub name: &'static str,
    /// Its value, natural logarithms, all constants included.
    pub value: f64,
}

/// How much each object belongs to each cluster; column h belongs to cluster h of the partition, and columns beyond
/// its clusters are components that no object has as its strongest. A component that no object belongs to at all has
/// no column.
#[derive(Debug, Clone)]
pub struct Memberships {
    columns: usize,
    /// Distinct rows, or objects, × columns.
    values: Vec<f64>,
    row_of: Vec<u32>,
}

impl Memberships {
    /// Number of clusters or components.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The memberships of one object; they sum to 1.
    #[must_use]
    pub fn object(&self, object: usize) -> &[f64] {
        &self.values[self.row_of[object] as usize * self.columns..][..self.columns]
    }
}

/// The partition that gives every distinct row its strongest component, and the memberships with their columns in the
/// order of the partition's clusters. `values` is distinct rows × `columns`. Equal strengths go to the lower component,
/// whose number means nothing but the order of the random start.
#[must_use]
pub(crate) fn strongest(ensemble: &Ensemble, values: &[f64], columns: usize) -> (Partition, Memberships) {
    let strongest: Vec<u32> = values.chunks_exact(columns).map(strongest_of).collect();
    labelled(ensemble, &strongest, values)
}

/// As [`strongest`], for a method that chooses each distinct row's component itself, among equally strong ones for
/// instance.
#[must_use]
pub(super) fn labelled(ensemble: &Ensemble, component_of_row: &[u32], values: &[f64]) -> (Partition, Memberships) {
    let (columns, values) = by_use(component_of_row, values);
    let memberships = Memberships { columns, values, row_of: ensemble.row_of().to_vec() };
    (ensemble.partition_of_rows(component_of_row), memberships)
}

/// As [`labelled`], for a method that gives objects with equal labels memberships of their own. `values` is objects ×
/// components.
#[must_use]
pub(super) fn labelled_objects(component_of_object: &[u32], values: &[f64]) -> (Partition, Memberships) {
    let (columns, values) = by_use(component_of_object, values);
    let objects = u32::try_from(component_of_object.len()).expect("object numbers are u32");
    (Partition::from_codes(component_of_object), Memberships { columns, values, row_of: (0..objects).collect() })
}

/// How many columns of `values` are not zero throughout, and those columns with the chosen components first, so that
/// they stand in the order of a partition's clusters.
fn by_use(chosen: &[u32], values: &[f64]) -> (usize, Vec<f64>) {
    let columns = values.len() / chosen.len();
    let mut used = vec![false; columns];
    chosen.iter().for_each(|&component| used[component as usize] = true);
    let mut occurs = used.clone();
    for row in values.chunks_exact(columns) {
        occurs.iter_mut().zip(row).for_each(|(occurs, value)| *occurs |= *value != 0.0);
    }
    let mut order: Vec<usize> = (0..columns).filter(|&component| occurs[component]).collect();
    order.sort_by_key(|&component| !used[component]);
    let values = values.chunks_exact(columns).flat_map(|row| order.iter().map(|&component| row[component]));
    (order.len(), values.collect())
}

/// The strongest component; of equals, the lowest.
#[must_use]
pub fn strongest_of(row: &[f64]) -> u32 {
    let best = row.iter().enumerate().fold(0, |best, (index, value)| if *value > row[best] { index } else { best });
    u32::try_from(best).expect("fewer components than u32 values")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ensemble::Labels;

    #[test]
    fn memberships_are_ordered_like_the_clusters_of_the_partition() {
        let column = Labels::from_options([Some(0), Some(1), Some(0)]);
        let ensemble = Ensemble::from_columns(&[column]).unwrap();
        let (partition, memberships) = strongest(&ensemble, &[0.1, 0.2, 0.7, 0.6, 0.1, 0.3], 3);
        assert_eq!(partition.labels(), [1, 0, 1]);
        assert_eq!(memberships.object(0), [0.1, 0.7, 0.2]);
        assert_eq!(memberships.object(1), [0.6, 0.3, 0.1]);
    }

    #[test]
    fn objects_with_equal_labels_may_have_memberships_of_their_own() {
        let (partition, memberships) = labelled_objects(&[2, 0], &[0.1, 0.2, 0.7, 0.6, 0.1, 0.3]);
        assert_eq!(partition.labels(), [1, 0]);
        assert_eq!(memberships.object(0), [0.1, 0.7, 0.2]);
        assert_eq!(memberships.object(1), [0.6, 0.3, 0.1]);
    }

    #[test]
    fn a_component_that_nobody_belongs_to_has_no_column() {
        let (partition, memberships) = labelled_objects(&[3, 0], &[0.0, 0.2, 0.0, 0.8, 0.9, 0.1, 0.0, 0.0]);
        assert_eq!((partition.labels(), memberships.columns()), (&[1, 0][..], 3));
        assert_eq!(memberships.object(0), [0.0, 0.8, 0.2]);
        assert_eq!(memberships.object(1), [0.9, 0.0, 0.1]);
    }

    #[test]
    fn a_watch_stops_at_its_deadline_and_when_cancelled() {
        let cancelled = Arc::new(AtomicBool::new(false));
        assert_eq!(Watch::new(Some(Duration::ZERO), Arc::clone(&cancelled)).check(), Err(Halt::TimedOut));
        let watch = Watch::new(None, Arc::clone(&cancelled));
        assert_eq!(watch.check(), Ok(()));
        assert_eq!(watch.within(Duration::ZERO).check(), Err(Halt::TimedOut));
        let late = Watch::new(Some(Duration::ZERO), Arc::clone(&cancelled)).within(Duration::from_secs(60));
        assert_eq!(late.check(), Err(Halt::TimedOut), "a part has no more time than the whole");
        let part = watch.within(Duration::from_secs(60));
        assert_eq!(part.check(), Ok(()));
        cancelled.store(true, Ordering::Relaxed);
        assert_eq!([watch, part].map(|watch| watch.check()), [Err(Halt::Cancelled), Err(Halt::Cancelled)]);
    }
}
