//! Shares of objects, and what their means can be.
//!
//! A share of N objects is i/N with a whole i. A mean over n runs of it is i/(N n), because the numbers of objects add up
//! to a whole number (the GRIM test of Brown and Heathers, 2017). A number that is printed as x with a unit u of its last
//! digit stands for x ± u/2: it can be where a multiple of 1/(N n) lies there. This says something only where the
//! multiples are farther apart than u, so where N n u < 1.

use super::number::AuditedNumber;
use crate::claim::printed::number::Rounded;
use crate::consensus::Runs;
use crate::metric;
use crate::results::value_in;
use crate::spec::{Dimension, Experiment, PaperRuns, PointValue, Published, RunsBehind, RunsSaid, Show, Statistic};

/// Rounding of the arithmetic itself, in multiples of 1/(N n).
pub(super) const SLACK: f64 = 1e-6;

/// The share of some objects, as it is shown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ObjectShare {
    /// N.
    pub(super) objects: usize,
    /// What all objects are shown as: 1, or 100 %. An error is the share of the other objects.
    unit: f64,
}

impl ObjectShare {
    /// What a printed number is a share of; `None` where it is no share of objects, or their number is not known: of a
    /// stand-in, and where some objects are held out, which a paper may count or not.
    pub(super) fn of(
        number: &AuditedNumber,
        place: &[(Dimension, PointValue)],
        experiment: &Experiment,
    ) -> Option<Self> {
        let all_kept = experiment.points.iter().all(|point| point.setting.holdout.fraction == 0.0);
        if !metric::find(number.metric)?.counts_objects() || !all_kept {
            return None;
        }
        let label = value_in(place, Dimension::Dataset)?.to_string();
        let stands_in = experiment.datasets.iter().any(|dataset| dataset.label == label && dataset.stand_in);
        // A smaller scale may take fewer objects than the paper did.
        let (_, objects) = experiment.paper_objects.iter().find(|(known, _)| *known == label && !stands_in)?;
        Some(Self::shown(*objects, number.show))
    }

    fn shown(objects: usize, show: Show) -> Self {
        Self { objects, unit: (show.apply(1.0) - show.apply(0.0)).abs() }
    }

    /// N n, the number of steps from 0 to 1.
    fn steps(&self, runs: usize) -> f64 {
        self.objects as f64 * runs as f64
    }

    /// Whether a mean over so many runs rounds to it.
    pub(super) fn fits(&self, printed: Rounded, runs: usize) -> bool {
        let [low, high] = [printed.low(), printed.high()].map(|end| end / self.unit * self.steps(runs));
        (low - SLACK).ceil() <= high + SLACK
    }

    /// The chance that a number of as many digits fits so many runs whatever it is: the part of all such numbers that do.
    ///
    /// With D = 1/u there are D + 1 numbers from 0 to 1. Each of the N n + 1 multiples lies in the rounding of one, or on
    /// the edge of two, and no two of them in the same if N n < D. On an edge lies i/(N n) = (2j + 1)/(2D): with
    /// g = gcd(N n, 2D) that is i = t N n/g and 2j + 1 = t 2D/g, so t and 2D/g are odd, and there are g/2 of them.
    pub(super) fn chance(&self, printed: Rounded, runs: usize) -> f64 {
        let (steps, numbers) = (self.steps(runs), (self.unit / (2.0 * printed.half)).round());
        // Beyond this whole numbers are not exact, and edges do not matter.
        const EXACT: f64 = 1e15;
        if steps >= numbers {
            return 1.0;
        }
        let edges = if numbers < EXACT { on_edges(steps as u64, 2 * numbers as u64) } else { 0 };
        ((steps + 1.0 + edges as f64) / (numbers + 1.0)).min(1.0)
    }

    /// Whether some number of as many digits is no mean over so many runs.
    pub(super) fn can_tell(&self, printed: Rounded, runs: usize) -> bool {
        self.chance(printed, runs) < 1.0
    }

    /// The largest share that rounds to a number; where none does, the end of its rounding.
    pub(super) fn largest(&self, printed: Rounded) -> f64 {
        let objects = (self.objects_in(printed.high()) + SLACK).floor();
        let share = self.unit * objects / self.objects as f64;
        if self.fits(printed, 1) { share } else { printed.high() }
    }

    /// A number in objects.
    pub(super) fn objects_in(&self, shown: f64) -> f64 {
        shown / self.unit * self.objects as f64
    }

    /// The means next to a number that is none: "357/625 = 0.5712 or 358/625 = 0.5728".
    pub(super) fn neighbours(&self, printed: Rounded, runs: usize) -> String {
        let steps = self.steps(runs);
        let below = (printed.value / self.unit * steps).floor();
        let digits = (-(2.0 * printed.half).log10()).round().clamp(0.0, 17.0) as usize;
        let one = |i: f64| format!("{i}/{steps} = {:.digits$}", self.unit * i / steps);
        let percent = if self.unit == 1.0 { "" } else { " %" };
        format!("{}{percent} or {}{percent}", one(below), one(below + 1.0))
    }
}

/// Multiples of 1/steps on the edge between two roundings; `halves` is 2D.
fn on_edges(steps: u64, halves: u64) -> u64 {
    let (mut g, mut rest) = (steps, halves);
    while rest > 0 {
        (g, rest) = (rest, g % rest);
    }
    if (halves / g).is_multiple_of(2) { 0 } else { g / 2 }
}

/// How many runs the paper states for these numbers; `None` where it does not.
pub(super) fn stated(published: &Published, experiment: &Experiment) -> Option<RunsBehind> {
    match published.runs.as_ref().unwrap_or(&experiment.paper_runs) {
        PaperRuns { each, said: RunsSaid::Stated } if each.len() == 1 => Some(each[0]),
        _ => None,
    }
}

/// Whether a place is of base clusterings, of which every run has as many as an ensemble has.
pub(super) fn is_of_base(place: &[(Dimension, PointValue)], experiment: &Experiment) -> bool {
    let label = value_in(place, Dimension::Method).map(PointValue::to_string);
    let mut methods = experiment.points.iter().flat_map(|point| &point.setting.methods);
    methods.any(|method| {
        method.method.runs() == Runs::Columns && label.as_ref().is_none_or(|label| *label == method.label)
    })
}

/// How many runs a printed number is the mean of: one where it is the largest or smallest; `None` where that is not known.
pub(super) fn averaged(
    number: &AuditedNumber,
    place: &[(Dimension, PointValue)],
    experiment: &Experiment,
) -> Option<usize> {
    let stated = || stated(number.published, experiment).filter(|_| !is_of_base(place, experiment));
    match number.statistic {
        Statistic::Max | Statistic::Min => Some(1),
        Statistic::Mean => stated().map(RunsBehind::total),
        Statistic::Selected => stated().map(|runs| runs.ensembles),
        Statistic::Sd | Statistic::Median | Statistic::Runs => None,
    }
}

/// Why no number of objects gives a printed number.
pub(super) fn refuted(
    number: &AuditedNumber,
    place: &[(Dimension, PointValue)],
    experiment: &Experiment,
) -> Option<String> {
    let printed = Rounded::parse(number.text)?;
    let runs = averaged(number, place, experiment)?;
    let share = ObjectShare::of(number, place, experiment)?;
    if share.fits(printed, runs) {
        return None;
    }
    let what = match runs {
        1 => format!("a share of {} objects", share.objects),
        _ => format!("a mean over {runs} runs of a share of {} objects", share.objects),
    };
    Some(format!("the printed value is impossible: {what} is {}", share.neighbours(printed, runs)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(text: &str) -> Rounded {
        Rounded::parse(text).unwrap()
    }

    #[test]
    fn a_share_is_a_whole_number_of_objects_within_its_rounding() {
        let balance = ObjectShare::shown(625, Show::Value);
        assert!(!balance.fits(printed("0.5714"), 1));
        assert_eq!(balance.neighbours(printed("0.5714"), 1), "357/625 = 0.5712 or 358/625 = 0.5728");
        // 357/625 = 0.5712 exactly; 0.571 stands for up to 0.5715; two runs may have 357 and 358.
        assert!(balance.fits(printed("0.5712"), 1));
        assert!(balance.fits(printed("0.571"), 1));
        assert!(balance.fits(printed("0.5720"), 2));
        assert!(!balance.fits(printed("0.5714"), 2));
        // 1/8 is on the edge between 0.12 and 0.13, and papers round either way.
        let eight = ObjectShare::shown(8, Show::Value);
        assert!(eight.fits(printed("0.12"), 1) && eight.fits(printed("0.13"), 1) && !eight.fits(printed("0.14"), 1));
    }

    #[test]
    fn percentages_and_errors_have_the_same_steps() {
        let percent = ObjectShare::shown(214, Show::Percent);
        // 7/214 = 3.27 %, 6/214 = 2.80 %.
        assert!(percent.fits(printed("3.3"), 1) && !percent.fits(printed("3.2"), 1));
        assert_eq!(percent.neighbours(printed("3.2"), 1), "6/214 = 2.8 % or 7/214 = 3.3 %");
        let errors = ObjectShare::shown(625, Show::Error);
        assert!(errors.fits(printed("0.4288"), 1) && !errors.fits(printed("0.4286"), 1));
    }

    #[test]
    fn any_number_of_digits_can_be_looked_at() {
        let text = format!("0.57{}", "1".repeat(400));
        let balance = ObjectShare::shown(625, Show::Value);
        assert!(!balance.fits(printed(&text), 1) && balance.can_tell(printed(&text), 1_000_000));
        assert!(balance.neighbours(printed(&text), 1).starts_with("356/625 = 0.5696"));
        assert!(balance.fits(printed("1"), 1) && !balance.can_tell(printed("1"), 1));
    }

    #[test]
    fn the_chance_to_fit_is_the_part_of_all_numbers_that_fit() {
        for (objects, runs, digits) in
            [(150, 1, 4), (150, 20, 4), (214, 10, 4), (16, 1, 2), (64, 1, 3), (625, 8, 4), (7, 3, 1)]
        {
            let share = ObjectShare::shown(objects, Show::Value);
            let numbers = 10_usize.pow(digits);
            let text = |j: usize| format!("{:.1$}", j as f64 / numbers as f64, digits as usize);
            let fitting = (0..=numbers).filter(|j| share.fits(printed(&text(*j)), runs)).count();
            let expected = fitting as f64 / (numbers + 1) as f64;
            let found = share.chance(printed(&text(0)), runs);
            assert!((found - expected).abs() < 1e-12, "{objects} objects, {runs} runs: {found}, not {expected}");
        }
        assert_eq!(ObjectShare::shown(150, Show::Value).chance(printed("0.8867"), 10_000), 1.0);
        assert!(ObjectShare::shown(150, Show::Percent).can_tell(printed("88.67"), 20));
        assert!(!ObjectShare::shown(150, Show::Percent).can_tell(printed("88.7"), 20));
    }
}
