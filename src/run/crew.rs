//! The threads of a run: as many workers as were asked for, or fewer where the system refuses some.

use std::io;

use rayon::ThreadPoolBuilder;

use super::RunError;
use super::isolate::Bench;

/// Starts workers, each with a bench of its own; says how many there are.
///
/// # Errors
/// When not even one can be started.
pub(super) fn start(count: usize, work: impl Fn(Bench) + Clone + Send + 'static) -> Result<usize, RunError> {
    let mut refusal = None;
    let hired = (0..count).map_while(|_| Bench::hire().map_err(|why| refusal = Some(why)).ok());
    let benches: Vec<Bench> = hired.collect();
    let mut granted = benches.len();
    let pool = loop {
        if granted == 0 {
            let why = refusal.unwrap_or_else(|| io::ErrorKind::WouldBlock.into());
            return Err(RunError::NoWorker { asked: count, why });
        }
        match ThreadPoolBuilder::new().num_threads(granted).thread_name(|_| "worker".to_owned()).build() {
            Ok(pool) => break pool,
            Err(why) => {
                refusal = Some(io::Error::other(why));
                granted -= 1;
            }
        }
    };
    if let Some(why) = &refusal {
        note_refusal(count, granted, why);
    }
    // The pool's threads end with their work.
    for bench in benches.into_iter().take(granted) {
        let work = work.clone();
        pool.spawn(move || work(bench));
    }
    Ok(granted)
}

fn note_refusal(asked: usize, granted: usize, why: &io::Error) {
    eprintln!(
        "note: the system grants {granted} of the {asked} worker threads asked for ({why}); it takes longer that way"
    );
}
