//! Tells a person how far a run is: a bar on a terminal, otherwise a line now and then, all on standard error.

use std::fmt::Write as _;
use std::io::IsTerminal;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

/// Without a terminal, silence up to this long: short runs say nothing.
const SILENCE: Duration = Duration::from_secs(10);

/// Estimates that err by more than this are not shown: the standard deviation of a logarithm.
const TOO_UNSURE: f64 = 0.55;

/// What is shown.
#[derive(Debug, Default)]
pub(super) struct Screen {
    /// What all of it is called, where it is more than one experiment.
    title: Option<String>,
    /// How many experiments there are, and which of them is running.
    runs: usize,
    run: usize,
    name: String,
    total: usize,
    done: usize,
    failed: usize,
    bar: Option<ProgressBar>,
    spoken: Option<Instant>,
    left: Arc<Mutex<LeftShown>>,
}

/// The estimate that is shown, and when it was made.
#[derive(Debug, Clone, Copy, Default)]
struct LeftShown(Option<(f64, Instant)>);

impl LeftShown {
    fn words(self, now: Instant) -> String {
        match self.0 {
            None => "estimating".to_owned(),
            Some((seconds, made)) => {
                // It may take longer than was thought: then there is still a little left.
                let left = (seconds - now.duration_since(made).as_secs_f64()).max(0.05 * seconds);
                format!("{} left", about(left))
            }
        }
    }
}

/// Seconds as precisely as anybody can know them.
fn about(seconds: f64) -> String {
    match seconds {
        s if s < 1.0 => "less than 1 s".to_owned(),
        s if s < 10.0 => format!("about {s:.0} s"),
        s if s < 90.0 => format!("about {:.0} s", (s / 5.0).round() * 5.0),
        s if s < 5400.0 => format!("about {:.0} min", s / 60.0),
        s => format!("about {:.1} h", s / 3600.0),
    }
}

impl Screen {
    /// Says that several experiments are to be run, and what that is called.
    pub(super) fn entitle(&mut self, title: &str, runs: usize) {
        self.title = Some(title.to_owned());
        self.runs = runs;
    }

    /// Adds cells to what is to be done.
    pub(super) fn add(&mut self, cells: usize) {
        self.total += cells;
        if let Some(bar) = &self.bar {
            bar.set_length(self.total as u64);
        }
    }

    /// Begins an experiment.
    pub(super) fn begin(&mut self, name: &str) {
        self.run += 1;
        name.clone_into(&mut self.name);
        if self.bar.is_none() && self.total > self.done && std::io::stderr().is_terminal() {
            self.bar = Some(self.new_bar());
        }
        self.spoken.get_or_insert_with(Instant::now);
        self.show_counts();
    }

    fn new_bar(&self) -> ProgressBar {
        /// Columns that the counts and the estimate take, and those that the name of an experiment takes.
        const WORDS: usize = 48;
        const NAME: usize = 30;
        let prefix = self.title.as_deref().unwrap_or(&self.name);
        let columns = terminal_size::terminal_size_of(std::io::stderr()).map_or(80, |(width, _)| usize::from(width.0));
        let words = WORDS + if self.title.is_some() { NAME } else { 0 };
        let width = columns.saturating_sub(words + prefix.chars().count()).clamp(4, 40);
        let bar = ProgressBar::with_draw_target(Some(self.total as u64), ProgressDrawTarget::stderr());
        let template = format!("{{prefix}} [{{bar:{width}}}] {{pos}}/{{len}} cells, {{left}}{{msg}}");
        let left = Arc::clone(&self.left);
        let words = move |_: &ProgressState, out: &mut dyn std::fmt::Write| {
            let left = *left.lock().unwrap_or_else(PoisonError::into_inner);
            let _ = out.write_str(&left.words(Instant::now()));
        };
        let style = ProgressStyle::with_template(&template).expect("the template is a constant but for its width");
        bar.set_style(style.with_key("left", words).progress_chars("=> "));
        bar.set_prefix(prefix.to_owned());
        bar.enable_steady_tick(Duration::from_millis(200));
        bar
    }

    /// Counts finished cells.
    pub(super) fn advance(&mut self, done: usize, failed: usize) {
        self.done += done;
        self.failed += failed;
        self.show_counts();
        if self.bar.is_none() && self.spoken.is_some_and(|spoken| spoken.elapsed() >= SILENCE) {
            self.spoken = Some(Instant::now());
            let left = self.left.lock().unwrap_or_else(PoisonError::into_inner).words(Instant::now());
            eprintln!("{}: {} of {} cells, {left}{}", self.name, self.done, self.total, self.remark());
        }
    }

    /// Shows an estimate of what is left, if it is good enough.
    pub(super) fn show_left(&mut self, seconds: f64, spread: f64) {
        let shown = (spread <= TOO_UNSURE).then(|| (seconds, Instant::now()));
        *self.left.lock().unwrap_or_else(PoisonError::into_inner) = LeftShown(shown);
    }

    /// Prints something where the bar is.
    pub(super) fn say(&self, print: impl FnOnce()) {
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    /// Takes the bar away; what comes next is counted anew.
    pub(super) fn end(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
        *self = Self { title: self.title.take(), runs: self.runs, run: self.run, ..Self::default() };
    }

    fn show_counts(&self) {
        if let Some(bar) = &self.bar {
            bar.set_position(self.done as u64);
            bar.set_message(self.remark());
        }
    }

    /// Which experiment it is, and what failed.
    fn remark(&self) -> String {
        let mut words = String::new();
        if self.title.is_some() {
            let _ = write!(words, " · {} ({} of {})", self.name, self.run, self.runs);
        }
        if self.failed > 0 {
            let _ = write!(words, " ({} failed)", self.failed);
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_said_in_words_and_never_runs_out() {
        let made = Instant::now();
        let shown =
            |seconds: f64, later: u64| LeftShown(Some((seconds, made))).words(made + Duration::from_secs(later));
        assert_eq!(LeftShown(None).words(made), "estimating");
        assert_eq!(shown(600.0, 0), "about 10 min left");
        assert_eq!(shown(600.0, 540), "about 60 s left");
        assert_eq!(shown(600.0, 10_000), "about 30 s left");
        assert_eq!(shown(3.2, 0), "about 3 s left");
        assert_eq!(shown(0.3, 0), "less than 1 s left");
        assert_eq!(shown(9000.0, 0), "about 2.5 h left");
    }
}
