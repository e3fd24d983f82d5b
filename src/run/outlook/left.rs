//! What is left to do of a run, and how long that takes.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::model::{CostModel, ExpectedCost};

/// What is left of a job: how often each kind of work is to be done, in the order of the kinds' positions.
#[derive(Debug, Clone, Default)]
pub(super) struct JobLeft {
    work: Vec<(usize, u32)>,
    cells: usize,
}

impl JobLeft {
    /// A job with this work; `cells` of it are runs of methods.
    pub(super) fn new(mut kinds: Vec<usize>, cells: usize) -> Self {
        kinds.sort_unstable();
        let work = kinds.chunk_by(|one, other| one == other).map(|same| (same[0], same.len() as u32)).collect();
        Self { work, cells }
    }

    /// Notes that work of a kind was done.
    pub(super) fn done(&mut self, kind: usize) {
        if let Ok(place) = self.work.binary_search_by_key(&kind, |(known, _)| *known) {
            let left = &mut self.work[place].1;
            *left = left.saturating_sub(1);
        }
    }

    /// Notes that a run of a method was done.
    pub(super) fn cell_done(&mut self) {
        self.cells = self.cells.saturating_sub(1);
    }

    pub(super) fn kinds(&self) -> impl Iterator<Item = usize> {
        self.work.iter().map(|(kind, _)| *kind)
    }

    /// Seconds of programs that have never been seen to run.
    pub(super) fn never_seen(&self, model: &CostModel) -> f64 {
        let unseen = self.work.iter().filter(|(kind, _)| model.is_never_seen(*kind));
        unseen.map(|(kind, count)| model.expected(*kind).seconds * f64::from(*count)).sum()
    }

    fn is_done(&self) -> bool {
        self.cells == 0
    }

    /// On one thread; the spread is that of the whole, as if all of it erred the same way.
    pub(super) fn expected(&self, model: &CostModel) -> ExpectedCost {
        if self.is_done() {
            return ExpectedCost { seconds: 0.0, spread: 0.0 };
        }
        let parts = self.work.iter().filter(|(_, count)| *count > 0).map(|(kind, count)| {
            let ExpectedCost { seconds, spread } = model.expected(*kind);
            ExpectedCost { seconds: seconds * f64::from(*count), spread }
        });
        total(parts)
    }
}

/// All together, as if all of it erred the same way.
pub(super) fn total(parts: impl Iterator<Item = ExpectedCost>) -> ExpectedCost {
    let (seconds, weighted) =
        parts.fold((0.0, 0.0), |(sum, weighted), part| (sum + part.seconds, weighted + part.seconds * part.spread));
    ExpectedCost { seconds, spread: if seconds > 0.0 { weighted / seconds } else { 0.0 } }
}

/// How long workers take for jobs of so many seconds, each taking the next job when it is done with one.
pub(super) fn makespan(jobs: impl Iterator<Item = f64>, threads: usize) -> f64 {
    // Numbers that are not negative are ordered as their bits are.
    let mut free: BinaryHeap<Reverse<u64>> = (0..threads.max(1)).map(|_| Reverse(0.0_f64.to_bits())).collect();
    let mut end = 0.0_f64;
    for seconds in jobs {
        let Some(Reverse(earliest)) = free.pop() else { break };
        let until = f64::from_bits(earliest) + seconds.max(0.0);
        end = end.max(until);
        free.push(Reverse(until.to_bits()));
    }
    end
}

/// The order of jobs: expensive ones first, so that none is left for the end; before them a small job of each sort whose costs are not
/// known yet, where there are several of that sort.
pub(super) fn order(jobs: &[JobLeft], model: &CostModel) -> Vec<usize> {
    /// Jobs of a sort that are enough for one to go ahead.
    const SEVERAL: usize = 3;
    /// The share of all work that may go ahead.
    const AHEAD: f64 = 0.2;
    /// Costs with a smaller spread are known.
    const KNOWN: f64 = 0.3;
    let expected: Vec<ExpectedCost> = jobs.iter().map(|job| job.expected(model)).collect();
    let mut order: Vec<usize> = (0..jobs.len()).collect();
    order.sort_by(|one, other| expected[*other].seconds.total_cmp(&expected[*one].seconds));
    let mut sorts: std::collections::BTreeMap<Vec<usize>, Vec<usize>> = std::collections::BTreeMap::new();
    for &job in &order {
        sorts.entry(jobs[job].kinds().collect()).or_default().push(job);
    }
    let several = sorts.values().filter(|same| same.len() >= SEVERAL);
    let mut ahead: Vec<usize> =
        several.filter_map(|same| same.last().copied()).filter(|job| expected[*job].spread > KNOWN).collect();
    ahead.sort_by(|one, other| expected[*one].seconds.total_cmp(&expected[*other].seconds).then(one.cmp(other)));
    let mut room = AHEAD * total(expected.iter().copied()).seconds;
    ahead.retain(|job| {
        room -= expected[*job].seconds;
        room >= 0.0
    });
    order.retain(|job| !ahead.contains(job));
    ahead.into_iter().chain(order).collect()
}
