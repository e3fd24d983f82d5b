//! Synthetic control charts (R. J. Alcock and Y. Manolopoulos, *Time-series similarity queries employing a feature-based
//! approach*, 1999): the generator behind the UCI file, with the published formulas.
//!
//! y(t) = m + r s for t = 0 … 59, with m = 30, s = 2 and r uniform on (−3, 3) for every t, plus by kind
//!
//! - cyclic: a sin(2πt / T), a and T uniform on [10, 15]
//! - increasing and decreasing trend: ± g t, g uniform on [0.2, 0.5]
//! - upward and downward shift: ± x from time t₃ on, x uniform on [7.5, 20], t₃ on [n/3, 2n/3]
//!
//! a, T, g, x and t₃ are drawn once a series. That t begins at 0 is not published; the UCI file's cyclic series do.

use std::f64::consts::PI;

use super::draw::{DatasetRng, Points};
use super::{Synthetic, SyntheticData, SyntheticKind};

pub(super) const CONTROL_CHART: Synthetic = Synthetic {
    name: "control-chart-synthetic",
    title: "Control charts, generated",
    n: 600,
    d: LENGTH,
    classes: 6,
    kind: SyntheticKind::Synthetic,
    description: "Alcock and Manolopoulos' generator of the UCI Synthetic Control Chart file, with other random numbers: \
                  100 series of 60 values of each of six kinds, y(t) = 30 + 2 r(t), r uniform on (−3, 3), plus a \
                  sine of amplitude and period 10 to 15, a trend of ± 0.2 to 0.5 a step, or a shift of ± 7.5 to 20 \
                  somewhere in the middle third.",
    make,
};

/// Values of a series.
const LENGTH: usize = 60;
/// Series of each kind.
const SERIES: usize = 100;
/// m, the level.
const MEAN: f64 = 30.0;
/// s, which scales the noise r.
const SCALE: f64 = 2.0;
/// r is uniform on ± this.
const NOISE: f64 = 3.0;
/// a, the amplitude of a cycle, is uniform on this.
const AMPLITUDE: [f64; 2] = [10.0, 15.0];
/// T, the period of a cycle.
const PERIOD: [f64; 2] = [10.0, 15.0];
/// g, the gradient of a trend.
const GRADIENT: [f64; 2] = [0.2, 0.5];
/// x, the size of a shift.
const SHIFT: [f64; 2] = [7.5, 20.0];
/// t₃, the time of a shift, as shares of the length.
const SHIFT_TIME: [f64; 2] = [1.0 / 3.0, 2.0 / 3.0];

const NAMES: [&str; 6] = ["normal", "cyclic", "increasing-trend", "decreasing-trend", "upward-shift", "downward-shift"];

/// What one series adds to the noise, with its own parameters.
enum Pattern {
    Normal,
    Cyclic { amplitude: f64, period: f64 },
    Trend { gradient: f64 },
    Shift { size: f64, time: f64 },
}

impl Pattern {
    /// The parameters of a series of the kind with this class code.
    fn draw(class: usize, draw: &mut DatasetRng) -> Self {
        let mut within = |[low, high]: [f64; 2]| draw.uniform(low, high);
        match class {
            0 => Self::Normal,
            1 => Self::Cyclic { amplitude: within(AMPLITUDE), period: within(PERIOD) },
            2 => Self::Trend { gradient: within(GRADIENT) },
            3 => Self::Trend { gradient: -within(GRADIENT) },
            4 => Self::Shift { size: within(SHIFT), time: LENGTH as f64 * within(SHIFT_TIME) },
            _ => Self::Shift { size: -within(SHIFT), time: LENGTH as f64 * within(SHIFT_TIME) },
        }
    }

    fn at(&self, t: f64) -> f64 {
        match *self {
            Self::Normal => 0.0,
            Self::Cyclic { amplitude, period } => amplitude * libm::sin(2.0 * PI * t / period),
            Self::Trend { gradient } => gradient * t,
            Self::Shift { size, time } => {
                if t < time {
                    0.0
                } else {
                    size
                }
            }
        }
    }
}

fn make() -> SyntheticData {
    let mut draw = DatasetRng::of(CONTROL_CHART.name, 1);
    let mut points = Points::new(LENGTH);
    for class in 0..NAMES.len() {
        for _ in 0..SERIES {
            let pattern = Pattern::draw(class, &mut draw);
            let value = |t| MEAN + SCALE * draw.uniform(-NOISE, NOISE) + pattern.at(t);
            let series: Vec<f64> = (0..LENGTH).map(|t| t as f64).map(value).collect();
            points.push(class, &series);
        }
    }
    points.finish(NAMES)
}
