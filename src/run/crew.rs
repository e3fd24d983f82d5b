//! The threads of a run: as many workers as were asked for, or fewer where the system refuses some.

use std::io;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::isolate::Workbench;
use super::{Options, RunError, StopRequest};
use crate::threads::Threads;

/// How long workers get to notice that the user wants to stop.
const PATIENCE: Duration = Duration::from_millis(500);

/// How often a request to stop is looked for.
const LOOK: Duration = Duration::from_millis(50);

/// Has workers go through tasks in their order: `each` does one of them, sends what comes of it, and says whether its worker goes
/// on. A worker that has nothing left to do lends its thread to the others. Returns batches of what was sent, as it comes. They end when every worker has, or when a run that is to stop was given
/// long enough to do so; a worker may then still be inside a long task, and nobody waits for it.
///
/// # Errors
/// When not even one worker can be started.
pub(super) fn go_through<T: Send + Sync + 'static, R: Send + 'static>(
    tasks: Vec<T>,
    options: &Options,
    each: impl Fn(&T, &mut Workbench, &Sender<R>) -> ControlFlow<()> + Send + Sync + 'static,
    threads: &Threads,
) -> Result<Batches<R>, RunError> {
    let (sender, receiver) = mpsc::channel();
    let count = options.threads.min(tasks.len());
    // Threads without a task help those that have one.
    (count..options.threads).for_each(|_| threads.lend());
    let shared = Arc::new((tasks, AtomicUsize::new(0), each));
    let threads = threads.clone();
    start(count, move |mut bench| {
        let (tasks, next, each) = &*shared;
        while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
            if each(task, &mut bench, &sender).is_break() {
                break;
            }
        }
        threads.lend();
    })?;
    Ok(Batches { reports: receiver, stop: options.stop.clone(), latest: None })
}

/// What workers send, as it comes; see [`go_through`]. Workers end when this is dropped.
pub(super) struct Batches<R> {
    reports: Receiver<R>,
    stop: StopRequest,
    /// Until when workers are waited for, once the run is to stop.
    latest: Option<Instant>,
}

impl<R> Iterator for Batches<R> {
    type Item = Vec<R>;

    fn next(&mut self) -> Option<Vec<R>> {
        loop {
            if self.stop.is_requested() {
                let latest = *self.latest.get_or_insert_with(|| Instant::now() + PATIENCE);
                if Instant::now() >= latest {
                    return None;
                }
            }
            match self.reports.recv_timeout(LOOK) {
                // Whatever else has come meanwhile shares one flush to disk.
                Ok(first) => return Some(std::iter::once(first).chain(self.reports.try_iter()).collect()),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return None,
            }
        }
    }
}

/// Starts workers, each with a bench of its own.
fn start(count: usize, work: impl Fn(Workbench) + Clone + Send + 'static) -> Result<(), RunError> {
    let (benches, refusal) = hire(count);
    if let Some(why) = refusal {
        if benches.is_empty() {
            return Err(RunError::NoWorker { asked: count, why });
        }
        note_refusal(count, benches.len(), &why);
    }
    let pool = pool(benches.len()).map_err(|why| RunError::NoWorker { asked: count, why })?;
    let workers = pool.current_num_threads();
    // The pool's threads end with their work.
    for bench in benches.into_iter().take(workers) {
        let work = work.clone();
        pool.spawn(move || work(bench));
    }
    Ok(())
}

/// As many benches as there can be workers beside them, and why there are no more. A pool is all or nothing, so a thread stands in
/// for each of its threads until it is known how many there can be.
fn hire(count: usize) -> (Vec<Workbench>, Option<io::Error>) {
    let (end, is_ended) = mpsc::channel::<()>();
    let is_ended = Arc::new(Mutex::new(is_ended));
    let stand_in = |bench: Workbench| {
        let is_ended = Arc::clone(&is_ended);
        let wait = move || drop(is_ended.lock().map(|ended| ended.recv()));
        Ok((bench, thread::Builder::new().name("worker".to_owned()).spawn(wait)?))
    };
    let (mut benches, mut stand_ins, mut refusal) = (Vec::new(), Vec::new(), None);
    while benches.len() < count && refusal.is_none() {
        match Workbench::hire().and_then(stand_in) {
            Ok((bench, waiting)) => {
                benches.push(bench);
                stand_ins.push(waiting);
            }
            Err(why) => refusal = Some(why),
        }
    }
    drop(end);
    // They wait for nothing else, and cannot panic.
    stand_ins.into_iter().for_each(|waiting| drop(waiting.join()));
    (benches, refusal)
}

/// A pool of that many threads, or of fewer.
fn pool(mut threads: usize) -> io::Result<ThreadPool> {
    /// A thread that was joined may count for a moment longer.
    const TRIES: u32 = 50;
    const PAUSE: Duration = Duration::from_millis(2);
    let mut tries = 0;
    loop {
        match ThreadPoolBuilder::new().num_threads(threads).thread_name(|_| "worker".to_owned()).build() {
            Ok(pool) => return Ok(pool),
            Err(_) if tries < TRIES => {
                tries += 1;
                thread::sleep(PAUSE);
            }
            Err(_) if threads > 1 => {
                tries = 0;
                threads -= 1;
            }
            Err(why) => return Err(io::Error::other(why)),
        }
    }
}

fn note_refusal(asked: usize, granted: usize, why: &io::Error) {
    eprintln!(
        "note: the system allows only {granted} of the {asked} worker threads asked for ({why}); the run will take longer"
    );
}
