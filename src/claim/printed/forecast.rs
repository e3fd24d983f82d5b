//! What a repeat of the paper's experiment would print.
//!
//! A **mean** over n_p ensembles, where ours over n_o is m: with 95 % probability
//!
//! - m ± t(n_o − 1) √(s_p² / n_p + s² / n_o),
//!
//! s² the variance between our ensembles' means of r_o runs, and s_p² the same for r_p runs: s² − w / r_o + w / r_p, w the
//! variance within ensembles. Where r_p = r_o that is m ± t √(s² (1/n_p + 1/n_o)). **Any other statistic**: the middle 95 % of simulated
//! repeats.
//!
//! Both know less than they seem to. The t interval takes means for normal, and ensembles that all gave the same number tell nothing of how
//! often others do; a simulation draws from our ensembles as if there were no others. So a number is contradicted only where it
//! is outside a second interval as well, the **guard**, which allows for that:
//!
//! - of a mean, by the skewness γ of our values (Cornish–Fisher, on the side it lengthens; with ten ensembles or more only where γ is larger than
//!   1.2 standard errors of that of a normal sample), and for ties (see [`super::ties`]);
//! - of any other statistic, the middle 95 % of repeats whose ensembles are drawn from a draw of ours, stretched by
//!   t(n_o − 1) / z √(n_o / (n_o − 1)) about ours, because draws of few values spread less than the values themselves would;
//! - of a standard deviation s also s √F, F with n_p − 1 and n_o − 1 degrees of freedom, fewer where our values have a kurtosis κ above that
//!   of the normal distribution: 2 n / (κ − (n − 3) / (n − 1)) (Bonett), κ one standard error above theirs; any number, where ties hide how far values spread.
//!
//! An **extreme** over the paper's runs can lie outside all of ours, with probability n_p / (n_p + n_o) if both are alike; a
//! printed one that does is beyond what our runs can tell.

use super::ties;
use crate::claim::repeats::{DrawKind, Drawn, Repeats, central};
use crate::claim::sample::RunSample;
use crate::spec::{RunsBehind, Statistic};
use crate::stats::{self, INTERVAL_LEVEL};

/// What a repeat of one size would print, and what of it would be contradicted.
pub(in crate::claim) struct Forecast {
    /// The prediction interval.
    pub(in crate::claim) interval: [f64; 2],
    /// What is outside this as well is contradicted.
    pub(in crate::claim) guard: [f64; 2],
    /// For an extreme: how likely it is to lie outside all of our runs.
    pub(in crate::claim) beyond: Option<Beyond>,
    /// Whose number of runs makes the interval as wide as it is.
    pub(in crate::claim) wider_for: Whose,
    /// Numbers of true repeats, and the ends of what would not contradict each.
    repeats: Drawn,
    ends: Vec<[f64; 2]>,
}

/// The chance that an extreme lies outside all of ours.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::claim) struct Beyond {
    pub(in crate::claim) chance: f64,
    /// Our largest, or smallest.
    pub(in crate::claim) ours: f64,
    pub(in crate::claim) statistic: Statistic,
}

/// Who has too few runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::claim) enum Whose {
    Ours,
    Paper,
}

impl Beyond {
    /// Below this chance a number beyond ours is as good as contradicted.
    const LEAST: f64 = 0.025;

    /// Whether a printed number from `low` to `high` is beyond all of ours, and that is no wonder.
    pub(in crate::claim) fn covers(&self, [low, high]: [f64; 2]) -> bool {
        let outside = match self.statistic {
            Statistic::Min => high < self.ours,
            _ => low > self.ours,
        };
        outside && self.chance > Self::LEAST
    }
}

/// What there is to forecast from.
pub(in crate::claim) struct Basis<'a> {
    pub(in crate::claim) sample: &'a RunSample,
    pub(in crate::claim) statistic: Statistic,
    /// The ends of what the numbers can be at all.
    pub(in crate::claim) range: Option<[f64; 2]>,
}

impl Forecast {
    /// `None` where one value is all there is, or one ensemble beside several of the paper's.
    pub(in crate::claim) fn new(basis: &Basis, repeats: &Repeats) -> Option<Self> {
        basis.sample.can_stand_for(repeats.behind).ok()?;
        match basis.statistic {
            Statistic::Mean => Self::of_mean(basis, repeats),
            _ => Self::of_simulation(basis, repeats),
        }
    }

    fn of_mean(&Basis { sample, range, .. }: &Basis, repeats: &Repeats) -> Option<Self> {
        let spread = MeanSpread::of(sample, repeats.behind)?;
        let half = spread.half_width(spread.variance);
        let interval = [spread.mean - half, spread.mean + half];
        let [mut low, mut high] = spread.skewed();
        if let Some([least, most]) = ties::reach(&spread.values, spread.drawn, range) {
            (low, high) = (low.min(least), high.max(most));
        }
        let guard = [low.min(interval[0]), high.max(interval[1])];
        // Another run of ours would have had another mean, and a guard that is wider or narrower with its own spread.
        let reach = [spread.mean - guard[0], guard[1] - spread.mean];
        let ends = repeats.means(sample, DrawKind::Ours).into_iter().map(|(mean, sd)| {
            let scale = if sd > 0.0 && half > 0.0 { spread.half_width(sd * sd) / half } else { 1.0 };
            [mean - scale * reach[0], mean + scale * reach[1]]
        });
        let ends = ends.collect();
        let wider_for = if spread.of_paper() > spread.of_ours() { Whose::Paper } else { Whose::Ours };
        let repeats = repeats.statistic(sample, Statistic::Mean, DrawKind::Paper);
        Some(Self { interval, guard, beyond: None, wider_for, repeats, ends })
    }

    fn of_simulation(&Basis { sample, statistic, .. }: &Basis, repeats: &Repeats) -> Option<Self> {
        let runs: usize = sample.runs.values().map(Vec::len).sum();
        let drawn = repeats.statistic(sample, statistic, DrawKind::Paper);
        if runs < 2 || drawn.iter().all(|value| value.is_nan()) {
            return None;
        }
        let unknown = repeats.statistic(sample, statistic, DrawKind::PaperOfOurs);
        let beyond = matches!(statistic, Statistic::Min | Statistic::Max).then(|| {
            let behind = repeats.behind;
            let share = |theirs: usize, ours: usize| theirs as f64 / (theirs + ours) as f64;
            let by_ensembles = if sample.runs.len() > 1 { share(behind.ensembles, sample.runs.len()) } else { 0.0 };
            Beyond {
                chance: share(behind.total(), runs).max(by_ensembles),
                ours: sample.estimate(statistic).value,
                statistic,
            }
        });
        let anew = repeats.statistic(sample, statistic, DrawKind::Ours);
        let units = if sample.runs.len() > 1 { sample.runs.len() } else { runs };
        let mut forecast = Self::simulated(
            drawn,
            &unknown,
            Simulated { anew, beyond, ours: sample.estimate(statistic).value, stretch: stretch(units) },
        );
        if statistic == Statistic::Sd {
            forecast.allow(spread_of_sd(sample, repeats.behind));
        }
        Some(forecast)
    }

    /// Makes the guard wider, on both sides of ours and of what another run of ours would have been.
    fn allow(&mut self, [low, high]: [f64; 2]) {
        let more = [(self.guard[0] - low).max(0.0), (high - self.guard[1]).max(0.0)];
        self.guard = [self.guard[0] - more[0], self.guard[1] + more[1]];
        self.ends.iter_mut().for_each(|ends| *ends = [ends[0] - more[0], ends[1] + more[1]]);
    }

    /// From numbers of repeats, and of repeats of unknown ensembles.
    pub(in crate::claim) fn simulated(repeats: Drawn, unknown: &[f64], of: Simulated) -> Self {
        let interval = central(&repeats);
        let wide = central(unknown).map(|end| of.ours + of.stretch * (end - of.ours));
        let guard = [wide[0].min(interval[0]), wide[1].max(interval[1])];
        let shifted = of.anew.iter().map(|anew| {
            let by = anew - of.ours;
            let ends = [guard[0] + by, guard[1] + by];
            match of.beyond.filter(|beyond| beyond.chance > Beyond::LEAST).map(|beyond| beyond.statistic) {
                Some(Statistic::Min) => [f64::NEG_INFINITY, ends[1]],
                Some(_) => [ends[0], f64::INFINITY],
                None => ends,
            }
        });
        let ends = shifted.collect();
        let width = |[low, high]: [f64; 2]| high - low;
        let wider_for = if width(guard) > 1.5 * width(interval) { Whose::Ours } else { Whose::Paper };
        Self { interval, guard, beyond: of.beyond, wider_for, repeats, ends }
    }

    /// Whether each true repeat would be contradicted, if it were printed with this rounding.
    pub(in crate::claim) fn contradicts(&self, half: f64, repeat: usize) -> bool {
        let (value, [low, high]) = (self.repeats[repeat], self.ends[repeat]);
        let slack = half + 1e-9 * value.abs().max(1e-3);
        value + slack < low || value - slack > high
    }
}

/// What a simulated forecast is about.
pub(in crate::claim) struct Simulated {
    /// What ours would have been, in another run of our own.
    pub(in crate::claim) anew: Drawn,
    pub(in crate::claim) beyond: Option<Beyond>,
    /// What ours is.
    pub(in crate::claim) ours: f64,
    /// By how much draws spread too little.
    pub(in crate::claim) stretch: f64,
}

/// t(n − 1) / z √(n / (n − 1)): by how much draws from n values spread too little.
pub(in crate::claim) fn stretch(n: usize) -> f64 {
    const Z: f64 = 1.959_963_984_540_054;
    let n = n.max(2) as f64;
    stats::t_quantile(INTERVAL_LEVEL, n - 1.0) / Z * (n / (n - 1.0)).sqrt()
}

/// Where the standard deviation of a repeat lies, from ours.
fn spread_of_sd(sample: &RunSample, behind: RunsBehind) -> [f64; 2] {
    let ours = sample.estimate(Statistic::Sd).value;
    if ties::hide_the_spread(&sample.unit_values(Statistic::Mean).into_values().collect::<Vec<_>>()) {
        return [0.0, f64::INFINITY];
    }
    let runs: Vec<f64> = sample.runs.values().flatten().copied().collect();
    let [mine, theirs] = match sample.runs.len() {
        1 => [runs.len(), behind.total()],
        several => [several, behind.ensembles],
    };
    // Few values show a smaller kurtosis than there is: one standard error of it is allowed for.
    let kurtosis = stats::kurtosis(&runs).map_or(3.0, |known| known + (24.0 / runs.len() as f64).sqrt()).max(3.0);
    let freedom = |n: usize| {
        let n = n as f64;
        (2.0 * n / (kurtosis - (n - 3.0) / (n - 1.0))).clamp(1.0, (n - 1.0).max(1.0))
    };
    let [theirs, mine] = [theirs, mine].map(|n| freedom(n.max(2)));
    [0.025, 0.975].map(|p| ours * stats::f_quantile(p, theirs, mine).sqrt())
}

/// Our values, as they bear on a mean of the paper's.
struct MeanSpread {
    /// A mean for every ensemble, or every run of the only one.
    values: Vec<f64>,
    mean: f64,
    /// Between our values.
    variance: f64,
    /// What another number of runs on each ensemble adds to it.
    more: f64,
    /// How many values the paper's mean is of.
    drawn: usize,
    /// t(n − 1).
    quantile: f64,
}

impl MeanSpread {
    fn of(sample: &RunSample, behind: RunsBehind) -> Option<Self> {
        let values: Vec<f64> = sample.unit_values(Statistic::Mean).into_values().collect();
        let (mean, sd) = (stats::mean(&values)?, stats::sd(&values)?);
        let (more, drawn) = match sample.runs.len() {
            1 => (0.0, behind.total()),
            _ => (sample.between_sizes(behind.repeats), behind.ensembles),
        };
        let quantile = stats::t_quantile(INTERVAL_LEVEL, values.len() as f64 - 1.0);
        Some(Self { mean, variance: sd * sd, more, drawn, quantile, values })
    }

    fn n(&self) -> f64 {
        self.values.len() as f64
    }

    /// Of the paper's mean about the truth, and of ours.
    fn errors(&self, variance: f64) -> [f64; 2] {
        [(variance + self.more).max(0.0) / self.drawn as f64, variance / self.n()]
    }

    fn half_width(&self, variance: f64) -> f64 {
        let [paper, ours] = self.errors(variance);
        self.quantile * (paper + ours).sqrt()
    }

    fn of_paper(&self) -> f64 {
        self.errors(self.variance)[0]
    }

    fn of_ours(&self) -> f64 {
        self.errors(self.variance)[1]
    }

    /// The interval, longer on the side that skewed values lengthen. With D the paper's mean less ours, in standard errors
    /// of ours, and c = 1/n_p + 1/n_o: E D ≈ γ / (2 n_o √c), third cumulant γ (1/n_p² − 1/n_o²) / c^1.5 + 3 γ / (n_o √c).
    fn skewed(&self) -> [f64; 2] {
        let (n, drawn) = (self.n(), self.drawn as f64);
        let half = self.half_width(self.variance);
        let plain = [self.mean - half, self.mean + half];
        let Some(skewness) = stats::skewness(&self.values) else { return plain };
        let usual = (6.0 * n * (n - 1.0) / ((n - 2.0) * (n + 1.0) * (n + 3.0))).sqrt();
        if n >= 10.0 && skewness.abs() <= 1.2 * usual {
            return plain;
        }
        let c = 1.0 / drawn + 1.0 / n;
        let lean = skewness / (n * c.sqrt());
        let third = skewness * (1.0 / (drawn * drawn) - 1.0 / (n * n)) / c.powf(1.5) + 3.0 * lean;
        let q = self.quantile;
        let shift = (lean / 2.0 + third / 6.0 * (q * q - 1.0)) * half / q;
        [plain[0] + shift.min(0.0), plain[1] + shift.max(0.0)]
    }
}
