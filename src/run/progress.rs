use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::store::{CellResult, Status};

/// Tells a person how far a run is: a bar with an estimate on a terminal, otherwise a line now and then, all on standard
/// error.
#[derive(Debug)]
pub(super) struct Progress {
    name: String,
    total: usize,
    started: Instant,
    bar: Option<ProgressBar>,
    state: Mutex<ProgressCounts>,
}

#[derive(Debug)]
struct ProgressCounts {
    done: usize,
    failed: usize,
    spoken: Instant,
}

/// Without a terminal, silence up to this long: short runs say nothing.
const SILENCE: Duration = Duration::from_secs(10);

impl Progress {
    /// Starts counting to `total` cells.
    #[must_use]
    pub(super) fn start(name: &str, total: usize) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(Some(total as u64), ProgressDrawTarget::stderr());
            let style = ProgressStyle::with_template("{prefix} [{bar:30}] {pos}/{len} cells, {eta} left {msg}");
            bar.set_style(style.expect("the template is a constant").progress_chars("=> "));
            bar.set_prefix(name.to_owned());
            bar.enable_steady_tick(Duration::from_millis(200));
            bar
        });
        let now = Instant::now();
        let state = Mutex::new(ProgressCounts { done: 0, failed: 0, spoken: now });
        Self { name: name.to_owned(), total, started: now, bar, state }
    }

    /// Counts finished cells.
    pub(super) fn advance(&self, results: &[CellResult]) {
        let mut state = self.state.lock().expect("nothing panics while it holds this lock");
        state.done += results.len();
        state.failed += results.iter().filter(|result| result.status != Status::Done).count();
        let failed = if state.failed > 0 { format!("({} failed)", state.failed) } else { String::new() };
        match &self.bar {
            Some(bar) => {
                bar.set_position(state.done as u64);
                bar.set_message(failed);
            }
            None if state.spoken.elapsed() >= SILENCE => {
                state.spoken = Instant::now();
                let elapsed = self.started.elapsed().as_secs_f64();
                let left = elapsed / state.done as f64 * (self.total - state.done) as f64;
                eprintln!("{}: {} of {} cells, about {left:.0} s left {failed}", self.name, state.done, self.total);
            }
            None => {}
        }
    }

    /// Takes the bar away.
    pub(super) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
