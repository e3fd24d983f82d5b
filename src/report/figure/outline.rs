//! What shapes consist of: corners of symbols, lines of hatches, strokes of dashed paths.

use super::scene::{Frame, Position};
use super::theme::{Hatch, Symbol};

/// Corners of a symbol.
pub(super) fn outline(symbol: Symbol, (x, y): Position, radius: f64) -> Vec<Position> {
    // Sizes are evened out by eye: a square of the disc's width looks larger than the disc.
    let unit: Vec<Position> = match symbol {
        Symbol::Disc => (0..24)
            .map(|i| f64::from(i) * std::f64::consts::TAU / 24.0)
            .map(|angle| (angle.cos(), angle.sin()))
            .collect(),
        Symbol::Square => vec![(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
        Symbol::Up => vec![(0.0, -1.2), (1.15, 0.85), (-1.15, 0.85)],
        Symbol::Down => vec![(0.0, 1.2), (1.15, -0.85), (-1.15, -0.85)],
        Symbol::Diamond => vec![(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)],
        Symbol::Plus => arms(1.3, 0.42),
        Symbol::Cross => arms(1.35, 0.42)
            .into_iter()
            .map(|(a, b)| ((a - b) * std::f64::consts::FRAC_1_SQRT_2, (a + b) * std::f64::consts::FRAC_1_SQRT_2))
            .collect(),
    };
    unit.into_iter().map(|(a, b)| (x + a * radius, y + b * radius)).collect()
}

/// A cross of four arms.
fn arms(long: f64, wide: f64) -> Vec<Position> {
    vec![
        (-wide, -long),
        (wide, -long),
        (wide, -wide),
        (long, -wide),
        (long, wide),
        (wide, wide),
        (wide, long),
        (-wide, long),
        (-wide, wide),
        (-long, wide),
        (-long, -wide),
        (-wide, -wide),
    ]
}

/// Lines of a hatch, cut off at the edges of the rectangle.
pub(super) fn hatching(frame: Frame, hatch: Hatch) -> Vec<Vec<Position>> {
    const STEP: f64 = 7.0;
    match hatch {
        Hatch::Plain => Vec::new(),
        Hatch::Level => level(frame, STEP),
        Hatch::Upright => upright(frame, STEP),
        Hatch::Rising => rising(frame, STEP),
        Hatch::Falling => falling(frame, STEP),
        Hatch::Crossed => [rising(frame, STEP), falling(frame, STEP)].concat(),
        Hatch::Grid => [level(frame, STEP), upright(frame, STEP)].concat(),
        Hatch::Dense => rising(frame, STEP / 2.0),
    }
}

/// Places within a length, so far apart.
fn steps(length: f64, step: f64) -> impl Iterator<Item = f64> {
    (0..).map(move |i| f64::from(i) * step + step / 2.0).take_while(move |at| *at < length)
}

fn level(Frame { left, top, right, bottom }: Frame, step: f64) -> Vec<Vec<Position>> {
    steps(bottom - top, step).map(|at| vec![(left, bottom - at), (right, bottom - at)]).collect()
}

fn upright(Frame { left, top, right, bottom }: Frame, step: f64) -> Vec<Vec<Position>> {
    steps(right - left, step).map(|at| vec![(left + at, top), (left + at, bottom)]).collect()
}

fn rising(Frame { left, top, right, bottom }: Frame, step: f64) -> Vec<Vec<Position>> {
    steps((right - left + bottom - top) / std::f64::consts::SQRT_2, step)
        .map(|at| left + top + at * std::f64::consts::SQRT_2)
        .map(|sum| {
            let (from, to) = ((sum - bottom).max(left), (sum - top).min(right));
            vec![(from, sum - from), (to, sum - to)]
        })
        .collect()
}

fn falling(Frame { left, top, right, bottom }: Frame, step: f64) -> Vec<Vec<Position>> {
    steps((right - left + bottom - top) / std::f64::consts::SQRT_2, step)
        .map(|at| left - bottom + at * std::f64::consts::SQRT_2)
        .map(|gap| {
            let (from, to) = ((gap + top).max(left), (gap + bottom).min(right));
            vec![(from, from - gap), (to, to - gap)]
        })
        .collect()
}

/// Cuts a path into strokes; neither SVG nor bitmaps of plotters know dashes.
pub(super) fn dashes(points: &[Position], lengths: &[f64]) -> Vec<Vec<Position>> {
    let mut parts = Vec::new();
    let mut current: Vec<Position> = points.first().copied().into_iter().collect();
    let (mut phase, mut left) = (0, lengths[0]);
    for pair in points.windows(2) {
        let (mut from, to) = (pair[0], pair[1]);
        let mut rest = (to.0 - from.0).hypot(to.1 - from.1);
        while rest > left {
            let share = left / rest;
            from = (from.0 + (to.0 - from.0) * share, from.1 + (to.1 - from.1) * share);
            rest -= left;
            current.push(from);
            let ended = std::mem::replace(&mut current, vec![from]);
            if phase % 2 == 0 {
                parts.push(ended);
            }
            phase += 1;
            left = lengths[phase % lengths.len()];
        }
        left -= rest;
        current.push(to);
    }
    if phase % 2 == 0 && current.len() > 1 {
        parts.push(current);
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_cover_strokes_and_leave_gaps() {
        let parts = dashes(&[(0.0, 0.0), (10.0, 0.0)], &[3.0, 2.0]);
        assert_eq!(parts, vec![vec![(0.0, 0.0), (3.0, 0.0)], vec![(5.0, 0.0), (8.0, 0.0)]]);
    }

    #[test]
    fn hatches_stay_inside() {
        let frame = Frame { left: 10.0, top: 20.0, right: 37.0, bottom: 60.0 };
        let all =
            [Hatch::Level, Hatch::Upright, Hatch::Rising, Hatch::Falling, Hatch::Crossed, Hatch::Grid, Hatch::Dense];
        for hatch in all {
            let lines = hatching(frame, hatch);
            assert!(lines.len() > 3, "{hatch:?}");
            for (x, y) in lines.into_iter().flatten() {
                assert!((9.99..=37.01).contains(&x) && (19.99..=60.01).contains(&y), "{hatch:?} {x} {y}");
            }
        }
    }
}
