//! The threads of a run: as many workers as were asked for, or fewer where the system refuses some.

use std::io;
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::Duration;

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::RunError;
use super::isolate::Bench;

/// Starts workers, each with a bench of its own; says how many there are.
///
/// # Errors
/// When not even one can be started.
pub(super) fn start(count: usize, work: impl Fn(Bench) + Clone + Send + 'static) -> Result<usize, RunError> {
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
    Ok(workers)
}

/// As many benches as there can be workers beside them, and why there are no more. A pool is all or nothing, so a thread stands in
/// for each of its threads until it is known how many there can be.
fn hire(count: usize) -> (Vec<Bench>, Option<io::Error>) {
    let (end, is_ended) = mpsc::channel::<()>();
    let is_ended = Arc::new(Mutex::new(is_ended));
    let stand_in = |bench: Bench| {
        let is_ended = Arc::clone(&is_ended);
        let wait = move || drop(is_ended.lock().map(|ended| ended.recv()));
        Ok((bench, thread::Builder::new().name("worker".to_owned()).spawn(wait)?))
    };
    let (mut benches, mut stand_ins, mut refusal) = (Vec::new(), Vec::new(), None);
    while benches.len() < count && refusal.is_none() {
        match Bench::hire().and_then(stand_in) {
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
        "note: the system grants {granted} of the {asked} worker threads asked for ({why}); it takes longer that way"
    );
}
