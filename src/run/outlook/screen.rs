//! Tells a person how far a run is: a bar on a terminal, otherwise a line now and then, all on standard error.

use std::io::IsTerminal;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

/// Without a terminal, silence up to this long: short runs say nothing.
const SILENCE: Duration = Duration::from_secs(10);

/// Estimates that err by more than this are not shown at first: the standard deviation of a logarithm.
const TOO_UNSURE: f64 = 0.55;

/// The share of the work after which an estimate is shown, however sure it is.
const ENOUGH: f64 = 0.1;

/// What is shown.
#[derive(Debug, Default)]
pub(super) struct Screen {
    /// How many experiments there are, where they are more than one, and which of them is running.
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

/// What is said of the time that is left.
#[derive(Debug, Clone, Copy, Default)]
enum LeftShown {
    /// Nobody can know yet.
    #[default]
    Estimating,
    /// So many seconds, at that moment.
    About(f64, Instant),
    /// Every cell is done.
    Nothing,
}

impl LeftShown {
    /// What comes after the counts of cells.
    fn words(self, now: Instant) -> String {
        match self {
            Self::Estimating => ", estimating".to_owned(),
            Self::About(seconds, made) => {
                // It may take longer than was thought: then there is still a little left.
                let left = (seconds - now.duration_since(made).as_secs_f64()).max(0.05 * seconds);
                format!(", {} left", about(left))
            }
            Self::Nothing => String::new(),
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
    /// Says that several experiments are to be run.
    pub(super) fn entitle(&mut self, runs: usize) {
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
        if let Some(bar) = &self.bar {
            bar.set_style(self.style());
            bar.set_prefix(self.what());
        }
        self.spoken.get_or_insert_with(Instant::now);
        self.show_counts();
    }

    fn new_bar(&self) -> ProgressBar {
        let bar = ProgressBar::with_draw_target(Some(self.total as u64), ProgressDrawTarget::stderr());
        bar.set_style(self.style());
        bar.enable_steady_tick(Duration::from_millis(200));
        bar
    }

    fn style(&self) -> ProgressStyle {
        let columns = terminal_size::terminal_size_of(std::io::stderr()).map_or(80, |(width, _)| usize::from(width.0));
        let template = template(columns, self.what().chars().count() + self.remark().chars().count(), self.total);
        let left = Arc::clone(&self.left);
        let words = move |_: &ProgressState, out: &mut dyn std::fmt::Write| {
            let left = *left.lock().unwrap_or_else(PoisonError::into_inner);
            let _ = out.write_str(&left.words(Instant::now()));
        };
        let style = ProgressStyle::with_template(&template).expect("the template is a constant but for its width");
        style.with_key("left", words).progress_chars("=> ")
    }

    /// Counts finished cells.
    pub(super) fn advance(&mut self, done: usize, failed: usize) {
        self.done += done;
        self.failed += failed;
        if self.done >= self.total {
            self.say_left(LeftShown::Nothing);
        }
        if let Some(bar) = self.bar.as_ref().filter(|_| failed > 0) {
            bar.set_style(self.style());
        }
        self.show_counts();
        if self.bar.is_none() && self.spoken.is_some_and(|spoken| spoken.elapsed() >= SILENCE) {
            self.spoken = Some(Instant::now());
            let left = self.left.lock().unwrap_or_else(PoisonError::into_inner).words(Instant::now());
            eprintln!("{}: {} of {} cells{left}{}", self.what(), self.done, self.total, self.remark());
        }
    }

    /// Shows an estimate of what is left, if it is good enough: sure, or made after enough of the work.
    pub(super) fn show_left(&mut self, seconds: f64, spread: f64, share: f64) {
        let is_shown = spread <= TOO_UNSURE || share >= ENOUGH;
        let left = if self.done >= self.total {
            LeftShown::Nothing
        } else if is_shown {
            LeftShown::About(seconds, Instant::now())
        } else {
            LeftShown::Estimating
        };
        self.say_left(left);
    }

    fn say_left(&self, left: LeftShown) {
        *self.left.lock().unwrap_or_else(PoisonError::into_inner) = left;
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
        *self = Self { runs: self.runs, run: self.run, ..Self::default() };
    }

    fn show_counts(&self) {
        if let Some(bar) = &self.bar {
            bar.set_position(self.done as u64);
            bar.set_message(self.remark());
        }
    }

    /// Which experiment it is.
    fn what(&self) -> String {
        match self.runs {
            0 => self.name.clone(),
            runs => format!("{} ({} of {runs})", self.name, self.run),
        }
    }

    /// What failed.
    fn remark(&self) -> String {
        if self.failed > 0 { format!(" ({} failed)", self.failed) } else { String::new() }
    }
}

/// How a line looks that fits so many columns, beside an experiment and remarks that take `words`: a bar of at least ten columns, or
/// the percentage where there is no room for one.
fn template(columns: usize, words: usize, total: usize) -> String {
    const LONGEST_LEFT: &str = ", less than 1 s left";
    const BAR: std::ops::RangeInclusive<usize> = 10..=40;
    let counts = 2 * total.to_string().len() + "/ cells".len();
    let rest = columns.saturating_sub(words + " [] ".len() + counts + LONGEST_LEFT.len());
    let share = match rest.min(*BAR.end()) {
        width if BAR.contains(&width) => format!("[{{bar:{width}}}]"),
        _ => "{percent}%".to_owned(),
    };
    format!("{{prefix}} {share} {{pos}}/{{len}} cells{{left}}{{msg}}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_said_in_words_and_never_runs_out() {
        let made = Instant::now();
        let shown = |seconds: f64, later: u64| {
            let words = LeftShown::About(seconds, made).words(made + Duration::from_secs(later));
            words.strip_prefix(", ").unwrap().to_owned()
        };
        assert_eq!(LeftShown::Estimating.words(made), ", estimating");
        assert_eq!(LeftShown::Nothing.words(made), "");
        assert_eq!(shown(600.0, 0), "about 10 min left");
        assert_eq!(shown(600.0, 540), "about 60 s left");
        assert_eq!(shown(600.0, 10_000), "about 30 s left");
        assert_eq!(shown(3.2, 0), "about 3 s left");
        assert_eq!(shown(0.3, 0), "less than 1 s left");
        assert_eq!(shown(9000.0, 0), "about 2.5 h left");
    }

    /// What is said after a report of so many cells, and an estimate of this spread after this share of the work.
    fn said(done: usize, spread: f64, share: f64) -> String {
        let mut screen = Screen::default();
        screen.add(100);
        screen.begin("small");
        screen.advance(done, 0);
        screen.show_left(600.0, spread, share);
        screen.left.lock().unwrap().words(Instant::now())
    }

    #[test]
    fn an_estimate_is_shown_when_it_is_sure_or_after_a_tenth_of_the_work_and_not_when_all_is_done() {
        assert_eq!(said(1, 1.0, 0.05), ", estimating");
        assert_eq!(said(1, 0.2, 0.01), ", about 10 min left");
        assert_eq!(said(1, 1.0, 0.1), ", about 10 min left");
        assert_eq!(said(100, 1.0, 0.99), "");
        assert_eq!(said(100, 0.1, 0.99), "");
    }

    #[test]
    fn a_bar_is_wide_enough_to_be_read_or_is_left_out_and_the_line_fits() {
        let experiment = "topchy-section6 (17 of 19)".len();
        assert_eq!(template(80, experiment, 10_277), "{prefix} [{bar:13}] {pos}/{len} cells{left}{msg}");
        assert_eq!(template(200, experiment, 10_277), "{prefix} [{bar:40}] {pos}/{len} cells{left}{msg}");
        assert_eq!(template(70, experiment, 10_277), "{prefix} {percent}% {pos}/{len} cells{left}{msg}");
        assert_eq!(template(80, experiment + " (12 failed)".len(), 10_277), template(70, experiment, 10_277));
    }
}
