//! How long runs take, as far as anybody can know: learnt from earlier runs, corrected by what is measured while they go on.

mod left;
mod model;
mod screen;
mod taste;
mod usual;

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::job::{JobNews, Spent};
use super::pending::{Pending, PendingJob};
use crate::plan::{Cell, JobWork, Plan, Variant};
use crate::results::Finished;
use crate::seed::Id;
use crate::store::{Status, WorkCost};
use left::{JobLeft, makespan, order, total};
use model::{CostModel, ExpectedCost, Taken};
use screen::Screen;
use taste::Tastes;
pub(crate) use usual::seconds_of_operations;

/// What is known of how long runs take: of one experiment, or of several that are run one after the other. Clones are the same one.
#[derive(Debug, Clone, Default)]
pub struct Outlook(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    model: CostModel,
    tastes: Tastes,
    /// Experiments that have not begun, with what is left of each.
    later: Vec<(String, Vec<JobLeft>)>,
    /// What is left of the one that is running.
    now: Vec<JobLeft>,
    threads: usize,
    screen: Screen,
    /// Seconds on one thread that work took since the first of them began.
    spent: f64,
    fitted: Option<Instant>,
    #[cfg(test)]
    log: Vec<(usize, usize, f64)>,
}

/// How long something takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimeEstimate {
    /// What is expected.
    pub seconds: f64,
    /// It takes more than this in nine of ten cases; at least a third of what is expected.
    pub low: f64,
    /// It takes less than this in nine of ten cases; at most three times what is expected.
    pub high: f64,
    /// What it rests on.
    pub basis: EstimateBasis,
}

/// What an estimate rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EstimateBasis {
    /// Measurements of the same work, or of work much like it.
    Measurements,
    /// Formulas, most of all.
    Formulas,
    /// Nothing: most of it is programs that have not run yet.
    Nothing,
}

impl EstimateBasis {
    /// Its name in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Measurements => "measurements",
            Self::Formulas => "formulas",
            Self::Nothing => "nothing",
        }
    }
}

impl Outlook {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Learns what earlier runs measured.
    pub fn learn(&self, costs: &[WorkCost]) {
        let mut state = self.state();
        for WorkCost { kind, count, seconds } in costs {
            let position = state.model.position(kind);
            if !state.model.is_learnt(position) {
                state.model.learn(position, Taken { count: *count, seconds: count * seconds });
            }
        }
        state.model.fit();
    }

    /// Learns what the finished cells of a plan took, where nothing better is known.
    pub fn learn_from(&self, plan: &Plan, finished: &Finished) {
        let mut guard = self.state();
        let state = &mut *guard;
        let mut taken: HashMap<usize, Taken> = HashMap::new();
        for job in &plan.jobs {
            let mut kinds = KindCache::of(state.tastes.work(job));
            for variant in &job.variants {
                for cell in &variant.cells {
                    let Some(seconds) = finished.get(&cell.id).and_then(|result| result.value("seconds")) else {
                        continue;
                    };
                    let known = taken.entry(kinds.cell(&mut state.model, variant, cell)).or_default();
                    known.count += 1.0;
                    known.seconds += seconds;
                }
            }
        }
        for (position, taken) in taken {
            if !state.model.is_learnt(position) {
                state.model.learn(position, taken);
            }
        }
        state.model.fit();
    }

    /// How long those cells of a plan take that `wanted` admits.
    #[must_use]
    pub fn estimate(&self, plan: &Plan, threads: usize, wanted: impl Fn(&Cell) -> bool) -> TimeEstimate {
        /// The tenth part of a normal distribution is beyond this.
        const NINE_OF_TEN: f64 = 1.2816;
        /// With a smaller spread, most was measured.
        const MEASURED: f64 = 0.45;
        /// A wider range would say nothing.
        const WIDEST: f64 = 3.0;
        let mut state = self.state();
        let pending = Pending::wanted(plan, wanted);
        let jobs: Vec<JobLeft> = pending.jobs.iter().map(|job| JobKinds::of(plan, job, &mut state).left()).collect();
        let costs: Vec<ExpectedCost> = jobs.iter().map(|job| job.expected(&state.model)).collect();
        let ExpectedCost { seconds: work, spread } = total(costs.iter().copied());
        let mut by_cost: Vec<f64> = costs.iter().map(|cost| cost.seconds).collect();
        by_cost.sort_by(|one, other| other.total_cmp(one));
        let seconds = makespan(by_cost.into_iter(), threads);
        let unknown: f64 = jobs.iter().map(|job| job.never_seen(&state.model)).sum();
        let basis = match spread {
            _ if unknown > 0.5 * work => EstimateBasis::Nothing,
            spread if spread <= MEASURED => EstimateBasis::Measurements,
            _ => EstimateBasis::Formulas,
        };
        let factor = (NINE_OF_TEN * spread).exp().min(WIDEST);
        TimeEstimate { seconds, low: seconds / factor, high: seconds * factor, basis }
    }

    /// Seconds on one thread of every group of a plan's cells, by what each group adds to those before it.
    #[must_use]
    pub fn seconds_by(&self, plan: &Plan, groups: usize, group_of: impl Fn(&Cell) -> Option<usize>) -> Vec<f64> {
        let mut state = self.state();
        let mut seconds = vec![0.0; groups];
        for pending in &Pending::wanted(plan, |cell| group_of(cell).is_some()).jobs {
            let kinds = JobKinds::of(plan, pending, &mut state);
            let job = &plan.jobs[pending.job];
            let mut first_of_job = groups;
            for (variant, (view, cells)) in job.variants.iter().zip(&kinds.variants) {
                let mut first = groups;
                for (cell, kind) in cells {
                    if let Some(group) = group_of(&variant.cells[*cell]).filter(|group| *group < groups) {
                        seconds[group] += state.model.expected(*kind).seconds;
                        first = first.min(group);
                    }
                }
                if first < groups {
                    seconds[first] += state.model.expected(*view).seconds;
                    first_of_job = first_of_job.min(first);
                }
            }
            if first_of_job < groups {
                seconds[first_of_job] += state.model.expected(kinds.ensemble).seconds;
            }
        }
        seconds
    }

    /// Says that an experiment will be run after others.
    pub fn expect(&self, plan: &Plan, finished: &Finished, wanted: impl Fn(&Cell) -> bool) {
        self.learn_from(plan, finished);
        let pending = Pending::of(plan, finished, wanted);
        let mut state = self.state();
        let jobs = pending.jobs.iter().map(|job| JobKinds::of(plan, job, &mut state).left()).collect();
        state.screen.add(pending.cells);
        state.later.push((plan.experiment.name.clone(), jobs));
    }

    /// Begins a run; puts what is pending into the order in which it is best done.
    pub(super) fn begin(&self, plan: &Plan, finished: &Finished, pending: &mut Pending, threads: usize) -> Course {
        self.learn_from(plan, finished);
        let mut state = self.state();
        let name = &plan.experiment.name;
        let is_expected = state.later.iter().any(|(later, _)| later == name);
        state.later.retain(|(later, _)| later != name);
        if !is_expected {
            state.screen.add(pending.cells);
        }
        let kinds: Vec<JobKinds> = pending.jobs.iter().map(|job| JobKinds::of(plan, job, &mut state)).collect();
        let jobs: Vec<JobLeft> = kinds.iter().map(JobKinds::left).collect();
        let order = order(&jobs, &state.model);
        state.now = order.iter().map(|job| jobs[*job].clone()).collect();
        state.threads = threads;
        let mut kinds: Vec<Option<JobKinds>> = kinds.into_iter().map(Some).collect();
        let mut sorted = Vec::new();
        let mut jobs = Vec::new();
        let mut taken: Vec<Option<PendingJob>> = std::mem::take(&mut pending.jobs).into_iter().map(Some).collect();
        for job in order {
            if let (Some(mut job), Some(kinds)) = (taken[job].take(), kinds[job].take()) {
                kinds.scouts_first(&mut job);
                sorted.push(kinds);
                jobs.push(job);
            }
        }
        pending.jobs = jobs;
        state.screen.begin(name);
        state.look();
        drop(state);
        Course { outlook: self.clone(), kinds: sorted }
    }

    /// Says that several experiments will be run.
    pub fn entitle(&self, runs: usize) {
        self.state().screen.entitle(runs);
    }

    /// Prints something where the bar is.
    pub fn say(&self, print: impl FnOnce()) {
        self.state().screen.say(print);
    }

    /// Takes the bar away, whatever is left to do.
    pub(super) fn end(&self) {
        let mut state = self.state();
        state.later.clear();
        state.screen.end();
    }

    /// What was measured since this was asked last.
    #[must_use]
    pub fn take_measured(&self) -> Vec<WorkCost> {
        let measured = self.state().model.take_measured().into_iter();
        measured.map(|(kind, Taken { count, seconds })| WorkCost { kind, count, seconds: seconds / count }).collect()
    }
}

impl State {
    /// How long the rest takes.
    fn left(&self) -> ExpectedCost {
        let now: Vec<ExpectedCost> = self.now.iter().map(|job| job.expected(&self.model)).collect();
        let later = self.later.iter().flat_map(|(_, jobs)| jobs).map(|job| job.expected(&self.model));
        let later = total(later);
        let all = total(now.iter().copied().chain([later]));
        let seconds = makespan(now.iter().map(|job| job.seconds).filter(|seconds| *seconds > 0.0), self.threads);
        ExpectedCost { seconds: seconds + later.seconds / self.threads.max(1) as f64, spread: all.spread }
    }

    /// Estimates anew, and shows it.
    fn look(&mut self) {
        self.model.fit();
        let left = self.left();
        let to_do = left.seconds * self.threads.max(1) as f64;
        let share = if to_do > 0.0 { self.spent / (self.spent + to_do) } else { 1.0 };
        self.screen.show_left(left.seconds, left.spread, share);
        self.fitted = Some(Instant::now());
    }
}

/// The kinds of work of a pending job, by their positions in the model.
struct JobKinds {
    ensemble: usize,
    /// For each variant: of putting it together, and of its pending cells.
    variants: Vec<(usize, Vec<(usize, usize)>)>,
}

impl JobKinds {
    fn of(plan: &Plan, pending: &PendingJob, state: &mut State) -> Self {
        let job = &plan.jobs[pending.job];
        let mut kinds = KindCache::of(state.tastes.work(job));
        let model = &mut state.model;
        let mut columns = 0;
        let mut variants = Vec::new();
        for (variant, cells) in job.variants.iter().zip(&pending.cells) {
            let of_cells: Vec<(usize, usize)> =
                cells.iter().map(|&cell| (cell, kinds.cell(model, variant, &variant.cells[cell]))).collect();
            if !cells.is_empty() {
                columns = columns.max(variant.columns.len());
            }
            variants.push((model.position(&kinds.work.view(variant)), of_cells));
        }
        Self { ensemble: model.position(&kinds.work.ensemble(columns)), variants }
    }

    fn left(&self) -> JobLeft {
        let mut all = vec![self.ensemble];
        let mut count = 0;
        for (view, cells) in self.variants.iter().filter(|(_, cells)| !cells.is_empty()) {
            all.push(*view);
            all.extend(cells.iter().map(|(_, kind)| *kind));
            count += cells.len();
        }
        JobLeft::new(all, count)
    }

    /// In each variant, puts the first cell of every kind before the others: their costs are then known early.
    fn scouts_first(&self, job: &mut PendingJob) {
        for ((_, kinds), cells) in self.variants.iter().zip(&mut job.cells) {
            let mut seen = std::collections::HashSet::new();
            let (first, rest): (Vec<_>, Vec<_>) = kinds.iter().partition(|(_, kind)| seen.insert(*kind));
            *cells = first.into_iter().chain(rest).map(|(cell, _)| cell).collect();
        }
    }

    fn kind_of(&self, step: Spent) -> Option<usize> {
        match step {
            Spent::Ensemble => Some(self.ensemble),
            Spent::View { variant } => Some(self.variants.get(variant)?.0),
            Spent::Cell { variant, cell } => {
                let cells = &self.variants.get(variant)?.1;
                Some(cells[cells.binary_search_by_key(&cell, |(position, _)| *position).ok()?].1)
            }
        }
    }
}

/// The kinds of the cells of a job: repeats are of one kind, and are looked up once.
struct KindCache<'a> {
    work: JobWork<'a>,
    known: HashMap<(usize, Id, Option<usize>, usize), usize>,
}

impl<'a> KindCache<'a> {
    fn of(work: JobWork<'a>) -> Self {
        Self { work, known: HashMap::new() }
    }

    fn cell(&mut self, model: &mut CostModel, variant: &Variant, cell: &Cell) -> usize {
        let tried = cell.best_over.as_ref().map_or(0, |tried| tried.len());
        let key = (Arc::as_ptr(&cell.run) as usize, variant.ensemble, cell.clusters, tried);
        *self.known.entry(key).or_insert_with(|| model.position(&self.work.cell(variant, cell)))
    }
}

/// The course of one run.
pub(in crate::run) struct Course {
    outlook: Outlook,
    kinds: Vec<JobKinds>,
}

impl Course {
    /// Notes what a worker did of a job, which is at this position among the pending ones.
    pub(super) fn advance(&self, job: usize, news: &JobNews) {
        /// Estimates are not made anew more often.
        const PAUSE: Duration = Duration::from_millis(400);
        let mut state = self.outlook.state();
        for (step, seconds) in &news.spent {
            let Some(kind) = self.kinds[job].kind_of(*step) else { continue };
            state.model.measure(kind, *seconds);
            state.spent += seconds;
            #[cfg(test)]
            state.log.push((job, kind, *seconds));
            state.now[job].done(kind);
            if matches!(step, Spent::Cell { .. }) {
                state.now[job].cell_done();
            }
        }
        let failed = news.results.iter().filter(|result| result.status != Status::Done).count();
        state.screen.advance(news.results.len(), failed);
        if state.fitted.is_none_or(|fitted| fitted.elapsed() >= PAUSE) {
            state.look();
        }
    }

    /// Ends the course; the bar goes with the last one.
    pub(super) fn finish(&self) {
        let mut state = self.outlook.state();
        state.now.clear();
        if state.later.is_empty() {
            state.screen.end();
        }
    }
}
