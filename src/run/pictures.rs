//! Computes the pictures of a plan that are not stored yet, from the ensembles that the cells see.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::mpsc::Sender;

use super::isolate::{Broken, Workbench};
use super::{Options, RunError, StopRequest, crew, job};
use crate::consensus::{Halt, Watch};
use crate::ensemble::Ensemble;
use crate::generate::{ColumnCache, LabelOrigin};
use crate::picture::{self, Mark, MarkKind, PanelSource, PictureKind};
use crate::plan::Plan;
use crate::seed::Id;
use crate::store::Pictures;
use crate::threads::Threads;

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

/// Positions of a job and of one of its variants.
type EnsemblePosition = (usize, usize);
/// An ensemble and what is computed from it.
type Panels = (EnsemblePosition, Vec<(Id, PictureKind)>);
type DrawnPanel = (Id, Vec<Mark>);

/// Adds what is missing of a plan's pictures.
///
/// # Errors
/// When the system refuses the threads it takes.
pub fn draw(plan: &Arc<Plan>, pictures: &mut Pictures, options: &Options) -> Result<PictureOutcome, RunError> {
    let _listening = options.stop.listen();
    let mut wanted: BTreeMap<Id, (EnsemblePosition, PictureKind)> = BTreeMap::new();
    for picture in &plan.pictures {
        for panel in &picture.panels {
            if options.only.admits_panel(panel.place, &plan.experiment) {
                wanted.insert(panel.id, ((panel.job, panel.variant), picture.request.kind));
            }
        }
    }
    // Panels of the same ensemble are computed together, so that it is made once.
    let mut groups: BTreeMap<EnsemblePosition, Vec<(Id, PictureKind)>> = BTreeMap::new();
    for (&id, &(ensemble, kind)) in wanted.iter().filter(|(id, _)| !pictures.contains_key(id)) {
        groups.entry(ensemble).or_default().push((id, kind));
    }
    let mut outcome = PictureOutcome { wanted: wanted.len(), ..PictureOutcome::default() };
    if !groups.is_empty() {
        let artist = Artist { plan: Arc::clone(plan), stop: options.stop.clone() };
        let groups: Vec<Panels> = groups.into_iter().collect();
        let batches = crew::go_through(
            groups,
            options,
            move |group, bench, sender| artist.draw(group, bench, sender),
            &Threads::default(),
        )?;
        for (id, marks) in batches.flatten() {
            pictures.insert(id, marks);
            outcome.computed += 1;
        }
        outcome.interrupted = options.stop.is_requested();
    }
    let failed =
        |id: &&Id| pictures.get(id).is_some_and(|marks| marks.iter().any(|mark| mark.part == MarkKind::Failed));
    outcome.failed = wanted.keys().filter(failed).count();
    Ok(outcome)
}

/// What every worker knows.
struct Artist {
    plan: Arc<Plan>,
    stop: StopRequest,
}

impl Artist {
    /// Computes the panels of an ensemble; breaks off when the run is being stopped.
    fn draw(&self, (position, panels): &Panels, bench: &mut Workbench, sender: &Sender<DrawnPanel>) -> ControlFlow<()> {
        let ensemble = match self.ensemble(*position, bench) {
            Err(Halt::Cancelled) => return ControlFlow::Break(()),
            other => other.map(Arc::new).map_err(|halt| format!("the ensemble could not be made: {halt}")),
        };
        for &(id, kind) in panels {
            let marks = match &ensemble {
                Ok(ensemble) => self.panel(position.0, (id, kind), ensemble, bench),
                Err(reason) => Some(vec![Mark::failed(reason.clone())]),
            };
            let Some(marks) = marks else { return ControlFlow::Break(()) };
            if sender.send((id, marks)).is_err() {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }

    /// The ensemble as the methods see it.
    fn ensemble(&self, (job, variant): EnsemblePosition, bench: &mut Workbench) -> Result<Ensemble, Halt> {
        let job = &self.plan.jobs[job];
        let variant = &job.variants[variant];
        let cache = Arc::new(ColumnCache::default());
        let given = job::WorkOrder {
            job,
            cells: &[],
            metrics: &[],
            cache: &cache,
            cancelled: self.stop.flag(),
            threads: &Threads::default(),
        };
        let columns = job::columns(&given, variant.columns.iter().copied().collect(), bench)?;
        job::ensemble(variant, &columns).map_err(Halt::Failed)
    }

    /// One panel; `None` when the run is being stopped.
    fn panel(
        &self,
        job: usize,
        (id, kind): (Id, PictureKind),
        ensemble: &Arc<Ensemble>,
        bench: &mut Workbench,
    ) -> Option<Vec<Mark>> {
        let (plan, ensemble) = (Arc::clone(&self.plan), Arc::clone(ensemble));
        let watch = Watch::new(None, Arc::clone(self.stop.flag()));
        let drawn = bench.run(None, move || {
            let job = &plan.jobs[job];
            let planes = (job.generator.origin == LabelOrigin::Hyperplanes).then(|| job.params.integer("r"));
            picture::draw(kind, &PanelSource { dataset: &job.dataset, ensemble: &ensemble, planes, id }, &watch)
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
