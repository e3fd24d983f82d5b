//! What a person sees on a terminal while files are read and methods run.

use std::io::IsTerminal;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use conclave_core::{Permit, Permits};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::answer::MemoryPermits;
use super::text::counted;
use crate::consensus::{Consensus, Halt, Task};

/// Tells how far a consensus is, on standard error if that is a terminal. Every run asks here before it begins, so that they can
/// be counted.
pub(super) struct ConsensusProgress {
    source: String,
    bar: ProgressBar,
    runs: Arc<Mutex<RunCounts>>,
}

#[derive(Debug, Default, Clone, Copy)]
struct RunCounts {
    running: usize,
    done: usize,
}

impl ConsensusProgress {
    /// Nothing is to be seen yet.
    pub(super) fn start(source: &str) -> Self {
        let bar = if std::io::stderr().is_terminal() {
            ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr())
        } else {
            ProgressBar::hidden()
        };
        let style = ProgressStyle::with_template("{spinner} {msg}, {elapsed}");
        bar.set_style(style.expect("the template is a constant"));
        Self { source: source.to_owned(), bar, runs: Arc::default() }
    }

    /// Shows that the labels are read, while they are.
    pub(super) fn reading<T>(&self, read: impl FnOnce() -> T) -> T {
        self.bar.set_message(format!("reading {}", self.source));
        self.show();
        let what = read();
        self.finish();
        what
    }

    /// Takes what is shown off the terminal.
    pub(super) fn finish(&self) {
        self.bar.disable_steady_tick();
        self.bar.finish_and_clear();
    }

    fn show(&self) {
        const TICK: Duration = Duration::from_millis(200);
        if !self.bar.is_hidden() {
            self.bar.reset();
            self.bar.enable_steady_tick(TICK);
        }
    }
}

/// What counts a run that began: dropped, the run is done.
struct CountedRun {
    runs: Arc<Mutex<RunCounts>>,
    bar: ProgressBar,
    _memory: Permit,
}

/// Counts and tells.
fn count(runs: &Mutex<RunCounts>, bar: &ProgressBar, change: impl FnOnce(&mut RunCounts)) {
    // Whoever panicked while it counted left whole numbers.
    let mut counts = runs.lock().unwrap_or_else(PoisonError::into_inner);
    change(&mut counts);
    bar.set_message(format!("{} done, {} running", counted(counts.done, "run"), counts.running));
}

impl Drop for CountedRun {
    fn drop(&mut self) {
        count(&self.runs, &self.bar, |counts| {
            counts.running -= 1;
            counts.done += 1;
        });
    }
}

impl Permits for ConsensusProgress {
    fn permit(&self, method: &dyn Consensus, task: &Task) -> Result<Permit, Halt> {
        let memory = MemoryPermits.permit(method, task)?;
        count(&self.runs, &self.bar, |counts| counts.running += 1);
        if self.bar.is_finished() {
            self.show();
        }
        Ok(Box::new(CountedRun { runs: Arc::clone(&self.runs), bar: self.bar.clone(), _memory: memory }))
    }
}
