//! The threads of a run: as many workers as were asked for, or fewer where the system refuses some.

use std::io;

use super::RunError;
use super::isolate::Bench;

/// Starts workers, each with a bench of its own; says how many there are.
///
/// # Errors
/// When not even one can be started.
pub(super) fn start(count: usize, work: impl Fn(Bench) + Clone + Send + 'static) -> Result<usize, RunError> {
    for started in 0..count {
        let work = work.clone();
        let worker = |bench| std::thread::Builder::new().name("worker".to_owned()).spawn(move || work(bench));
        match Bench::hire().and_then(worker) {
            Ok(_) => {}
            Err(why) if started == 0 => return Err(RunError::NoWorker { asked: count, why }),
            Err(why) => {
                note_refusal(count, started, &why);
                return Ok(started);
            }
        }
    }
    Ok(count)
}

fn note_refusal(asked: usize, granted: usize, why: &io::Error) {
    eprintln!(
        "note: the system grants {granted} of the {asked} worker threads asked for ({why}); it takes longer that way"
    );
}
