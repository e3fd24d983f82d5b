//! One plot area: where values lie in it.

use super::axis::{Range, Tick, short, ticks, whole_ticks};
use super::scene::Frame;
use crate::summary::{Axis, Figure, FigureKind, Panel, Point};

/// The horizontal axis, shared by all panels.
#[derive(Debug, Clone)]
pub(super) enum Across {
    /// A scale of numbers.
    Numbers { range: Range, whole: Whole },
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
        let range = Range::of(values).unwrap_or(Range { low: 0.0, high: 1.0 }).padded(0.04);
        Self::Numbers { range, whole }
    }

    /// How many slots there are; none on a scale.
    pub(super) fn slots(&self) -> usize {
        match self {
            Self::Numbers { .. } => 0,
            Self::Slots { values, .. } => values.len(),
        }
    }

    /// Ticks of a scale this wide.
    pub(super) fn ticks(&self, width: f64) -> Vec<Tick> {
        const PIXELS_PER_TICK: f64 = 48.0;
        let target = (width / PIXELS_PER_TICK) as usize;
        match self {
            Self::Numbers { range, whole: Whole::Yes } => whole_ticks(*range, target),
            Self::Numbers { range, whole: Whole::No } => ticks(*range, target),
            Self::Slots { .. } => Vec::new(),
        }
    }

    /// Where a value lies between the left end, 0, and the right end, 1.
    fn share(&self, value: f64) -> Option<f64> {
        match self {
            Self::Numbers { range, .. } => value.is_finite().then(|| range.share(value)),
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

/// The vertical range of a panel; `None` when it has no numbers.
pub(super) fn upright(kind: FigureKind, panel: &Panel) -> Option<Range> {
    let values = panel.series.iter().flat_map(|series| &series.points).flat_map(|point| extent(kind, point));
    let range = Range::of(values)?;
    Some(match kind {
        FigureKind::Bar => bar_range(range),
        FigureKind::Line | FigureKind::Box | FigureKind::Scatter => range.padded(0.06),
    })
}

/// Bars begin at zero, except where all are so far from it that their differences would not be seen.
fn bar_range(range: Range) -> Range {
    const FAR: f64 = 0.5;
    let beyond = range.padded(0.06);
    if range.low < 0.0 {
        return Range { low: beyond.low, high: beyond.high.max(0.0) };
    }
    if range.high <= 1.0 || range.low <= FAR * range.high {
        let high = if range.high > 0.0 { range.high * 1.06 } else { 1.0 };
        return Range { low: 0.0, high };
    }
    range.padded(0.15)
}

fn extent(kind: FigureKind, point: &Point) -> Vec<f64> {
    let mut values: Vec<f64> = point.printed.into_iter().collect();
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
    fn bars_of_shares_begin_at_zero() {
        assert_eq!(bar_range(Range { low: 0.90, high: 0.95 }).low, 0.0);
        assert_eq!(bar_range(Range { low: 10.0, high: 40.0 }).low, 0.0);
    }

    #[test]
    fn bars_far_from_zero_show_their_differences() {
        assert!(bar_range(Range { low: 1000.0, high: 1010.0 }).low > 900.0);
    }

    #[test]
    fn negative_bars_hang_from_zero() {
        let range = bar_range(Range { low: -0.4, high: -0.1 });
        assert!(range.low < -0.4 && range.high >= 0.0);
    }
}
