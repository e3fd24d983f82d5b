//! Threads that runs lend each other, and work that comes out the same however many there are.
//!
//! A run has the thread it was called on. Where others are idle, it borrows them for work that falls into pieces: starts side by
//! side, or blocks of rows. They are given back when there is nothing left for them to do, and threads that become idle meanwhile join.
//! Nobody waits for a thread: with none to borrow, the caller does all pieces itself.
//!
//! Pieces are the same and are put together in the same order whatever the number of threads, so results are equal to the last bit.
//! Sums over rows are made block by block (`blocks`): the block decides the order of additions, not the thread.

use std::convert::Infallible;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ScopedJoinHandle};
use std::time::{Duration, Instant};

/// Rows of a block where there are not so many that [`MOST_BLOCKS`] would be exceeded.
const BLOCK: usize = 4096;

/// Each block has sums of its own.
const MOST_BLOCKS: usize = 128;

/// What the states of borrowed threads may take together: the caller's own state is what methods estimate.
const MOST_BYTES: f64 = 128e6;

/// The blocks of so many rows, in order: up to 4,096 rows are one block, and there are never more than 128.
pub(crate) fn blocks(rows: usize) -> impl ExactSizeIterator<Item = Range<usize>> {
    let size = BLOCK.max(rows.div_ceil(MOST_BLOCKS));
    (0..rows.div_ceil(size)).map(move |block| block * size..rows.min((block + 1) * size))
}

/// How many rows each of [`blocks`] has, but the last.
pub(crate) fn block_size(rows: usize) -> usize {
    BLOCK.max(rows.div_ceil(MOST_BLOCKS))
}

/// So many blocks that what is made of them does not pile up.
fn at_a_time(bytes: f64) -> usize {
    ((MOST_BYTES / bytes.max(1.0)) as usize).clamp(1, MOST_BLOCKS)
}

/// Threads that can be borrowed. Clones share them. The default has none.
#[derive(Debug, Clone, Default)]
pub struct Threads {
    idle: Arc<AtomicUsize>,
    lent: Arc<LentTime>,
}

/// Time in which there were not as many threads at work as clocks on the wall would think, in nanoseconds.
#[derive(Debug, Default)]
struct LentTime {
    /// Borrowed threads worked.
    worked: AtomicU64,
    /// The caller waited for them.
    waited: AtomicU64,
}

impl Threads {
    /// So many threads in all: that of the caller, and others that can be borrowed.
    #[must_use]
    pub fn new(threads: NonZeroUsize) -> Self {
        Self { idle: Arc::new(AtomicUsize::new(threads.get() - 1)), lent: Arc::default() }
    }

    /// As many threads as there are processors.
    #[must_use]
    pub fn all() -> Self {
        Self::new(thread::available_parallelism().unwrap_or(NonZeroUsize::MIN))
    }

    /// One thread more can be borrowed: that of a worker which has nothing left to do.
    pub fn lend(&self) {
        self.idle.fetch_add(1, Ordering::AcqRel);
    }

    /// How many threads would work if there were work now: those that can be borrowed and the caller's.
    #[must_use]
    pub fn at_work(&self) -> usize {
        self.idle.load(Ordering::Relaxed) + 1
    }

    /// The same threads, for another run whose time is taken apart.
    #[must_use]
    pub fn for_another_run(&self) -> Self {
        Self { idle: Arc::clone(&self.idle), lent: Arc::default() }
    }

    /// What a run that took so long on the clock would have taken on one thread: with the work of threads that it borrowed, without
    /// the time that it waited for them.
    #[must_use]
    pub fn alone(&self, elapsed: Duration) -> Duration {
        let time = |of: &AtomicU64| Duration::from_nanos(of.load(Ordering::Relaxed));
        elapsed.saturating_sub(time(&self.lent.waited)) + time(&self.lent.worked)
    }

    /// Borrows a thread, if there is one; dropped, it is given back.
    fn borrow_one(&self) -> Option<Borrowed<'_>> {
        let less = |idle: usize| idle.checked_sub(1);
        self.idle.fetch_update(Ordering::AcqRel, Ordering::Relaxed, less).ok()?;
        Some(Borrowed { from: self, since: Instant::now() })
    }

    /// What `each` makes of every item, in their order.
    ///
    /// # Panics
    /// When `each` does.
    pub fn map<I: Send, T: Send>(&self, items: Vec<I>, each: impl Fn(I) -> T + Sync) -> Vec<T> {
        let all = self.try_map(items, |item| Ok::<T, Infallible>(each(item)));
        all.unwrap_or_else(|never| match never {})
    }

    /// Goes through rows, each `width` entries of `data`, block by block: `each` is given the rows of a block and their entries, and what
    /// it makes of them, which takes `bytes`, is handed to `add` in the order of the blocks.
    ///
    /// # Errors
    /// The first of the failures that were met.
    pub(crate) fn each_block<X: Send, T: Send, E: Send>(
        &self,
        (data, width): (&mut [X], usize),
        bytes: f64,
        each: impl Fn(Range<usize>, &mut [X]) -> Result<T, E> + Sync,
        add: impl FnMut(T),
    ) -> Result<(), E> {
        let rows = data.len() / width;
        let blocks = blocks(rows).zip(data.chunks_mut(block_size(rows) * width));
        self.in_order(blocks, bytes, |(rows, entries)| each(rows, entries), add)
    }

    /// As [`Threads::each_block`], for so many rows without entries of their own.
    ///
    /// # Errors
    /// The first of the failures that were met.
    pub(crate) fn each_range<T: Send, E: Send>(
        &self,
        rows: usize,
        bytes: f64,
        each: impl Fn(Range<usize>) -> Result<T, E> + Sync,
        add: impl FnMut(T),
    ) -> Result<(), E> {
        self.in_order(blocks(rows), bytes, each, add)
    }

    /// Hands what `each` makes of every item, which takes `bytes`, to `add` in the order of the items.
    ///
    /// # Errors
    /// The first of the failures that were met.
    pub(crate) fn in_order<I: Send, T: Send, E: Send>(
        &self,
        mut items: impl Iterator<Item = I>,
        bytes: f64,
        each: impl Fn(I) -> Result<T, E> + Sync,
        mut add: impl FnMut(T),
    ) -> Result<(), E> {
        loop {
            let some: Vec<I> = items.by_ref().take(at_a_time(bytes)).collect();
            if some.is_empty() {
                return Ok(());
            }
            self.try_map(some, &each)?.into_iter().for_each(&mut add);
        }
    }

    /// What `each` makes of every item, in their order, unless it fails.
    ///
    /// # Errors
    /// The first of the failures that were met; items after them are left.
    ///
    /// # Panics
    /// When `each` does.
    pub fn try_map<I: Send, T: Send, E: Send>(
        &self,
        items: Vec<I>,
        each: impl Fn(I) -> Result<T, E> + Sync,
    ) -> Result<Vec<T>, E> {
        let count = items.len();
        if count == 1 {
            return items.into_iter().map(each).collect();
        }
        let items = Items::new(items);
        let done = self.spread(&items, count, |next| {
            let mut done = Vec::new();
            while let Some((place, item)) = next() {
                match each(item) {
                    Ok(made) => done.push((place, made)),
                    Err(failure) => return (done, items.fail(place, failure)),
                }
            }
            (done, None)
        });
        let failure = done.iter().filter_map(|(_, failed)| failed.as_ref().map(|(place, _)| *place)).min();
        let mut all: Vec<Option<T>> = (0..count).map(|_| None).collect();
        for (made, failed) in done {
            if let Some((_, failure)) = failed.filter(|(place, _)| Some(*place) == failure) {
                return Err(failure);
            }
            made.into_iter().for_each(|(place, made)| all[place] = Some(made));
        }
        Ok(all.into_iter().map(|made| made.expect("nothing failed, so every item was taken and done")).collect())
    }

    /// The best of several starts, the first of equals; one whose merit is not a number is the last choice. Its end, what was kept
    /// of it, and the caller's own state for further use.
    ///
    /// # Errors
    /// The first of the failures that were met.
    pub(crate) fn best_start<S: Send, F: Send, K: Send, E: Send>(
        &self,
        starts: Starts<
            impl Fn() -> Result<S, E> + Sync,
            impl Fn(&mut S, usize) -> Result<F, E> + Sync,
            impl Fn(&F) -> f64 + Sync,
            impl Fn(&mut S) -> K + Sync,
        >,
    ) -> Result<(F, K, S), E> {
        let items = Items::new((0..starts.count).collect());
        let most = (MOST_BYTES / starts.bytes.max(1.0)) as usize;
        let done = self.spread(&items, most, |next| {
            let mut best: Option<Champion<F, K>> = None;
            let mut state = None;
            while let Some((start, _)) = next() {
                let state = match &mut state {
                    Some(state) => state,
                    none => match (starts.state)() {
                        Ok(made) => none.insert(made),
                        Err(failure) => return (best, None, items.fail(start, failure)),
                    },
                };
                let ended = match (starts.run)(state, start) {
                    Ok(ended) => ended,
                    Err(failure) => return (best, None, items.fail(start, failure)),
                };
                let merit = (starts.merit)(&ended);
                if best.as_ref().is_none_or(|best| best.yields_to(merit, start)) {
                    best = Some(Champion { start, merit, kept: (starts.keep)(state), ended });
                }
            }
            (best, state, None)
        });
        let failed_at = done.iter().filter_map(|(.., failed)| failed.as_ref().map(|(place, _)| *place));
        let failure = failed_at.min();
        let mut best: Option<Champion<F, K>> = None;
        let mut own = None;
        for (champion, state, failed) in done {
            if let Some((_, failure)) = failed.filter(|(place, _)| Some(*place) == failure) {
                return Err(failure);
            }
            own = own.or(state);
            let Some(champion) = champion else { continue };
            if best.as_ref().is_none_or(|best| best.yields_to(champion.merit, champion.start)) {
                best = Some(champion);
            }
        }
        let (best, own) = best.zip(own).expect("the caller makes the first start, and there is one");
        Ok((best.ended, best.kept, own))
    }

    /// As [`Threads::best_start`], for starts that share no buffers; each takes so many `bytes`.
    ///
    /// # Errors
    /// The first of the failures that were met.
    pub(crate) fn best_end<F: Send, E: Send>(
        &self,
        (count, bytes): (usize, f64),
        run: impl Fn(usize) -> Result<F, E> + Sync,
        merit: impl Fn(&F) -> f64 + Sync,
    ) -> Result<F, E> {
        let (state, run, keep) = (|| Ok(()), |(): &mut (), start| run(start), |(): &mut ()| ());
        let (best, (), ()) = self.best_start(Starts { count, bytes, state, run, merit, keep })?;
        Ok(best)
    }

    /// Has `work` done by the caller, and at the same time by up to `most` threads that can be borrowed. Each is given the way to
    /// its next item.
    fn spread<I: Send, R: Send>(
        &self,
        items: &Items<I>,
        most: usize,
        work: impl Fn(&mut dyn FnMut() -> Option<(usize, I)>) -> R + Sync,
    ) -> Vec<R> {
        let work = &work;
        thread::scope(|scope| {
            let mut helpers: Vec<ScopedJoinHandle<R>> = Vec::new();
            let own = work(&mut || {
                let item = items.next();
                while helpers.len() < most && items.left() > 0 {
                    let Some(borrowed) = self.borrow_one() else { break };
                    let helper = thread::Builder::new().name("borrowed".to_owned()).spawn_scoped(scope, move || {
                        let _borrowed = borrowed;
                        work(&mut || items.next())
                    });
                    match helper {
                        Ok(helper) => helpers.push(helper),
                        // The system has no thread to spare; the caller goes on with those there are.
                        Err(_) => break,
                    }
                }
                item
            });
            let waiting = Instant::now();
            let mut all = vec![own];
            let had_help = !helpers.is_empty();
            for helper in helpers {
                all.push(helper.join().unwrap_or_else(|panic| resume_unwind(panic)));
            }
            if had_help {
                add(&self.lent.waited, waiting.elapsed());
            }
            all
        })
    }
}

/// Starts of which the best is kept; see [`Threads::best_start`].
pub(crate) struct Starts<State, Run, Merit, Keep> {
    /// How many; at least one.
    pub(crate) count: usize,
    /// What the state of another thread takes.
    pub(crate) bytes: f64,
    /// Makes what starts on one thread share: buffers, of which no start remembers anything.
    pub(crate) state: State,
    /// One start; what comes of it depends on its number and on nothing that was done before.
    pub(crate) run: Run,
    /// Of how a start went: the higher, the better.
    pub(crate) merit: Merit,
    /// What is to be kept of the state, right after a start that is the best of its thread so far.
    pub(crate) keep: Keep,
}

/// The best start of a thread so far.
struct Champion<F, K> {
    start: usize,
    merit: f64,
    ended: F,
    kept: K,
}

impl<F, K> Champion<F, K> {
    fn yields_to(&self, merit: f64, start: usize) -> bool {
        let number = |merit: f64| if merit.is_nan() { f64::NEG_INFINITY } else { merit };
        let (own, other) = (number(self.merit), number(merit));
        other > own || (other == own && (merit.is_nan(), start) < (self.merit.is_nan(), self.start))
    }
}

/// Items that are handed out one by one.
struct Items<I>(Mutex<std::iter::Enumerate<std::vec::IntoIter<I>>>);

impl<I> Items<I> {
    fn new(items: Vec<I>) -> Self {
        Self(Mutex::new(items.into_iter().enumerate()))
    }

    fn queue(&self) -> MutexGuard<'_, std::iter::Enumerate<std::vec::IntoIter<I>>> {
        // Taking an item cannot panic half-way.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next(&self) -> Option<(usize, I)> {
        self.queue().next()
    }

    fn left(&self) -> usize {
        self.queue().len()
    }

    /// Nobody need begin another item.
    fn fail<E>(&self, place: usize, failure: E) -> Option<(usize, E)> {
        self.queue().by_ref().for_each(drop);
        Some((place, failure))
    }
}

/// A thread of somebody else's, given back when dropped.
struct Borrowed<'a> {
    from: &'a Threads,
    since: Instant,
}

impl Drop for Borrowed<'_> {
    fn drop(&mut self) {
        add(&self.from.lent.worked, self.since.elapsed());
        self.from.lend();
    }
}

fn add(to: &AtomicU64, time: Duration) {
    to.fetch_add(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
}

#[cfg(test)]
mod tests;
