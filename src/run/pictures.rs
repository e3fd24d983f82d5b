//! Computes the pictures of a plan that are not stored yet, from the ensembles that the cells see.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use super::isolate::{Bench, Broken};
use super::{Options, PATIENCE, RunError, crew, job};
use crate::consensus::{Halt, Watch};
use crate::ensemble::Ensemble;
use crate::generate::ColumnCache;
use crate::picture::{self, Mark, Part, PictureKind, Subject};
use crate::plan::Plan;
use crate::seed::Id;
use crate::store::Pictures;

/// What a run did for pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PictureOutcome {
    /// Panels asked for.
    pub wanted: usize,
    /// Of these, computed now.
    pub computed: usize,
    /// Of these, without a picture, now or before.
    pub failed: usize,
    /// Whether the user stopped it.
    pub interrupted: bool,
}

/// Adds what is missing of a plan's pictures.
///
/// # Errors
/// When the system refuses the threads it takes.
pub fn draw(plan: &Arc<Plan>, pictures: &mut Pictures, options: &Options) -> Result<PictureOutcome, RunError> {
    let mut wanted: BTreeMap<Id, Pending> = BTreeMap::new();
    for picture in &plan.pictures {
        for panel in &picture.panels {
            if options.only.admits_panel(panel.place, &plan.experiment) {
                let (ensemble, kind) = ((panel.job, panel.variant), picture.request.kind);
                wanted.insert(panel.id, Pending { ensemble, kind });
            }
        }
    }
    // Panels of the same ensemble are computed together, so that it is made once.
    let mut groups: BTreeMap<(usize, usize), Vec<(Id, PictureKind)>> = BTreeMap::new();
    for (&id, pending) in wanted.iter().filter(|(id, _)| !pictures.contains_key(id)) {
        groups.entry(pending.ensemble).or_default().push((id, pending.kind));
    }
    let mut outcome = PictureOutcome { wanted: wanted.len(), ..PictureOutcome::default() };
    if !groups.is_empty() {
        let results = start_workers(plan, groups.into_iter().collect(), options)?;
        outcome.interrupted = collect(&results, pictures, options, &mut outcome.computed);
    }
    let failed = |id: &&Id| pictures.get(id).is_some_and(|marks| marks.iter().any(|mark| mark.part == Part::Failed));
    outcome.failed = wanted.keys().filter(failed).count();
    Ok(outcome)
}

#[derive(Clone, Copy)]
struct Pending {
    /// Positions of the job and the variant.
    ensemble: (usize, usize),
    kind: PictureKind,
}

/// An ensemble, by positions of its job and variant, and what is computed from it.
type Group = ((usize, usize), Vec<(Id, PictureKind)>);
type Finished = (Id, Vec<Mark>);

/// Starts the workers; they end when there is nothing left, when nobody listens any more, or when cancelled.
fn start_workers(plan: &Arc<Plan>, groups: Vec<Group>, options: &Options) -> Result<Receiver<Finished>, RunError> {
    let (sender, receiver) = mpsc::channel();
    let (groups, next) = (Arc::new(groups), Arc::new(AtomicUsize::new(0)));
    let (count, plan, options) = (options.threads.min(groups.len()), Arc::clone(plan), options.clone());
    crew::start(count, move |bench| {
        let mut worker = Worker { plan: Arc::clone(&plan), options: options.clone(), bench };
        while let Some(group) = groups.get(next.fetch_add(1, Ordering::Relaxed)) {
            if worker.draw(group, &sender).is_none() {
                break;
            }
        }
    })?;
    Ok(receiver)
}

struct Worker {
    plan: Arc<Plan>,
    options: Options,
    bench: Bench,
}

impl Worker {
    /// Computes the panels of an ensemble; `None` when the run is being stopped.
    fn draw(&mut self, ((job, variant), panels): &Group, sender: &Sender<Finished>) -> Option<()> {
        let ensemble = match self.ensemble(*job, *variant) {
            Err(Halt::Cancelled) => return None,
            other => other.map(Arc::new).map_err(|halt| format!("the ensemble could not be made: {halt}")),
        };
        for &(id, kind) in panels {
            let marks = match &ensemble {
                Ok(ensemble) => self.panel(*job, (id, kind), ensemble)?,
                Err(reason) => vec![Mark::failed(reason.clone())],
            };
            sender.send((id, marks)).ok()?;
        }
        Some(())
    }

    /// The ensemble as the methods see it.
    fn ensemble(&mut self, job: usize, variant: usize) -> Result<Ensemble, Halt> {
        let job = &self.plan.jobs[job];
        let variant = &job.variants[variant];
        let cache = Arc::new(ColumnCache::default());
        let work = job::Work { job, cells: &[], metrics: &[], cache: &cache, cancelled: &self.options.cancelled };
        let columns = job::columns(&work, variant.columns.iter().copied().collect(), &mut self.bench)?;
        job::ensemble(variant, &columns).map_err(Halt::Failed)
    }

    fn panel(&mut self, job: usize, (id, kind): (Id, PictureKind), ensemble: &Arc<Ensemble>) -> Option<Vec<Mark>> {
        let (plan, ensemble) = (Arc::clone(&self.plan), Arc::clone(ensemble));
        let watch = Watch::new(None, Arc::clone(&self.options.cancelled));
        let drawn = self.bench.run(None, move || {
            let job = &plan.jobs[job];
            let planes = (job.generator.name == "hyperplanes").then(|| job.params.integer("r"));
            picture::draw(kind, &Subject { dataset: &job.dataset, ensemble: &ensemble, planes, id }, &watch)
        });
        match drawn {
            Ok(Ok(marks)) => Some(marks),
            Ok(Err(Halt::Cancelled)) => None,
            Ok(Err(halt)) => Some(vec![Mark::failed(halt.to_string())]),
            Err(Broken::Panicked(message)) => Some(vec![Mark::failed(message)]),
            Err(Broken::LeftBehind) => unreachable!("it has all the time there is"),
            Err(Broken::NoThread) => Some(vec![Mark::failed(job::NO_THREAD.to_owned())]),
        }
    }
}

/// Takes finished panels as they come; says whether the user stopped the run.
fn collect(results: &Receiver<Finished>, pictures: &mut Pictures, options: &Options, computed: &mut usize) -> bool {
    let mut give_up = None;
    loop {
        match results.recv_timeout(Duration::from_millis(50)) {
            Ok((id, marks)) => {
                pictures.insert(id, marks);
                *computed += 1;
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if options.cancelled.load(Ordering::Relaxed) {
            let until = *give_up.get_or_insert_with(|| Instant::now() + PATIENCE);
            if Instant::now() >= until {
                break;
            }
        }
    }
    options.cancelled.load(Ordering::Relaxed)
}
