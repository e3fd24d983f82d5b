//! One plot area: where values lie in it.

use super::axis::{Range, Tick, log_ticks, short, ticks, whole_ticks};
use super::font;
use super::scene::{Frame, Weight};
use super::theme::text;
use crate::spec::AxisScale;
use crate::summary::{Axis, Figure, FigureKind, Panel, Point};

/// The horizontal axis, shared by all panels.
#[derive(Debug, Clone)]
pub(super) enum Across {
    /// A scale of numbers.
    Numbers { range: Range, whole: Whole, measured: Vec<f64> },
    /// A logarithmic scale; the range is of decimal logarithms.
    Powers { range: Range, measured: Vec<f64> },
    /// Slots of equal width, each with a name, for the values listed.
    Slots { values: Vec<f64>, names: Vec<String> },
}

/// Whether an axis counts things.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Whole {
    Yes,
    No,
}

impl Across {
    /// Lines over numbers have a scale; bars and boxes always have slots.
    pub(super) fn of(figure: &Figure) -> Self {
        if let Axis::Categories(names) = &figure.x {
            let values = (0..names.len()).map(|index| index as f64).collect();
            return Self::Slots { values, names: names.clone() };
        }
        let mut values: Vec<f64> = points(figure).map(|point| point.x).filter(|x| x.is_finite()).collect();
        values.sort_by(f64::total_cmp);
        values.dedup();
        if matches!(figure.kind, FigureKind::Bar | FigureKind::Box) {
            let names = values.iter().map(|value| short(*value)).collect();
            return Self::Slots { values, names };
        }
        let whole = if values.iter().all(|x| x.fract() == 0.0) { Whole::Yes } else { Whole::No };
        if figure.scales.x == AxisScale::Logarithmic && values.iter().all(|x| *x > 0.0) {
            let range = Range::of(values.iter().map(|x| x.log10())).unwrap_or(Range { low: 0.0, high: 1.0 });
            return Self::Powers { range: range.padded(0.04), measured: values };
        }
        let range = Range::of(values.iter().copied()).unwrap_or(Range { low: 0.0, high: 1.0 }).padded(0.04);
        Self::Numbers { range, whole, measured: values }
    }

    /// How many slots there are; none on a scale.
    pub(super) fn slots(&self) -> usize {
        match self {
            Self::Numbers { .. } | Self::Powers { .. } => 0,
            Self::Slots { values, .. } => values.len(),
        }
    }

    /// Ticks of a scale this wide.
    pub(super) fn ticks(&self, width: f64) -> Vec<Tick> {
        const PIXELS_PER_TICK: f64 = 48.0;
        let target = (width / PIXELS_PER_TICK) as usize;
        let regular = match self {
            Self::Numbers { range, whole: Whole::Yes, .. } => whole_ticks(*range, target),
            Self::Numbers { range, whole: Whole::No, .. } => ticks(*range, target),
            Self::Powers { range, .. } => log_ticks(*range, width),
            Self::Slots { .. } => Vec::new(),
        };
        self.measured(width).unwrap_or(regular)
    }

    /// Ticks where something was measured; `None` where that is at too many places, or they are too near each other.
    fn measured(&self, scale: f64) -> Option<Vec<Tick>> {
        const MOST: usize = 8;
        const APART: f64 = 5.0;
        let (Self::Numbers { measured, .. } | Self::Powers { measured, .. }) = self else { return None };
        if !(2..=MOST).contains(&measured.len()) {
            return None;
        }
        let mut free = f64::NEG_INFINITY;
        let mut found = Vec::new();
        for &at in measured {
            let tick = Tick { at, text: short(at) };
            let half = font::width(&tick.text, text::TICK, Weight::Normal) / 2.0;
            let x = self.share(at)? * scale;
            if x - half < free {
                return None;
            }
            free = x + half + APART;
            found.push(tick);
        }
        Some(found)
    }

    /// Where a value lies between the left end, 0, and the right end, 1.
    fn share(&self, value: f64) -> Option<f64> {
        match self {
            Self::Numbers { range, .. } => value.is_finite().then(|| range.share(value)),
            Self::Powers { range, .. } => (value.is_finite() && value > 0.0).then(|| range.share(value.log10())),
            Self::Slots { values, .. } => {
                let slot = values.iter().position(|other| *other == value)?;
                Some((slot as f64 + 0.5) / values.len() as f64)
            }
        }
    }
}

/// A plot area with its scales.
#[derive(Debug, Clone)]
pub(super) struct Plot<'a> {
    pub(super) frame: Frame,
    pub(super) across: &'a Across,
    pub(super) upright: Range,
}

impl Plot<'_> {
    /// Pixel of a value on the horizontal axis; `None` where the axis has no place for it.
    pub(super) fn x(&self, value: f64) -> Option<f64> {
        self.across.share(value).map(|share| self.frame.left + share * self.frame.width())
    }

    /// Pixel of a value on the vertical axis.
    pub(super) fn y(&self, value: f64) -> f64 {
        self.frame.bottom - self.upright.share(value) * (self.frame.bottom - self.frame.top)
    }

    /// Width of a slot.
    pub(super) fn slot(&self) -> f64 {
        self.frame.width() / self.across.slots().max(1) as f64
    }
}

/// The vertical range of some panels; `None` when they have no numbers.
pub(super) fn upright<'a>(kind: FigureKind, panels: impl IntoIterator<Item = &'a Panel>) -> Option<Range> {
    let series = panels.into_iter().flat_map(|panel| &panel.series);
    let range = Range::of(series.flat_map(|series| &series.points).flat_map(|point| extent(kind, point)))?;
    Some(match kind {
        FigureKind::Bar => bar_range(range),
        FigureKind::Line | FigureKind::Box | FigureKind::Scatter => range.padded(0.06),
    })
}

/// Bars begin at zero: their lengths are compared.
fn bar_range(range: Range) -> Range {
    const BEYOND: f64 = 1.06;
    let (low, high) = (range.low.min(0.0), range.high.max(0.0));
    if low == high {
        return Range { low: 0.0, high: 1.0 };
    }
    Range { low: low * BEYOND, high: high * BEYOND }
}

fn extent(kind: FigureKind, point: &Point) -> Vec<f64> {
    let mut values: Vec<f64> = point.printed.into_iter().chain(point.each.iter().copied()).collect();
    match (kind, point.quartiles) {
        (FigureKind::Box, Some(quartiles)) => values.extend(quartiles),
        _ => values.extend([point.y, point.low, point.high]),
    }
    values
}

/// Every point of a figure.
pub(super) fn points(figure: &Figure) -> impl Iterator<Item = &Point> {
    figure.panels.iter().flat_map(|panel| &panel.series).flat_map(|series| &series.points)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_begin_at_zero_whatever_they_show() {
        for (low, high) in [(0.90, 0.95), (10.0, 40.0), (1000.0, 1010.0), (6.0, 9.1), (0.0, 0.0)] {
            let range = bar_range(Range { low, high });
            assert!(range.low == 0.0 && range.high > high, "{low} to {high}: {range:?}");
        }
    }

    #[test]
    fn negative_bars_hang_from_zero() {
        let range = bar_range(Range { low: -0.4, high: -0.1 });
        assert!(range.low < -0.4 && range.high == 0.0);
        let range = bar_range(Range { low: -0.4, high: 0.2 });
        assert!(range.low < -0.4 && range.high > 0.2);
    }
}
