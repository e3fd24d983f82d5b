//! A figure as a list of shapes in pixels of the figure, before any file format.

use super::raster::Raster;
use super::theme::{Hatch, Ink, Mark};

/// A position: right, down.
pub(super) type Place = (f64, f64);

/// A figure ready to be painted.
#[derive(Debug, Clone)]
pub(in crate::report) struct Scene {
    pub(super) width: f64,
    pub(super) height: f64,
    /// Painted in this order.
    pub(super) shapes: Vec<Shape>,
    /// What is said of its marks in a page, when they are pointed at.
    pub(super) hints: Vec<Hint>,
}

/// A text for a place of a figure.
#[derive(Debug, Clone)]
pub(super) struct Hint {
    pub(super) frame: Frame,
    pub(super) text: String,
}

/// Something to paint.
#[derive(Debug, Clone)]
pub(super) enum Shape {
    Path {
        points: Vec<Place>,
        stroke: Stroke,
    },
    Area {
        points: Vec<Place>,
        ink: Ink,
        opacity: f64,
    },
    Disc {
        centre: Place,
        radius: f64,
        ink: Ink,
    },
    /// Many small discs.
    Dots {
        centres: Vec<Place>,
        radius: f64,
        ink: Ink,
    },
    /// Rectangles of equal size that fill a frame, coloured by value.
    Raster {
        frame: Frame,
        raster: Raster,
    },
    Text(Label),
}

/// How a path is drawn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stroke {
    pub(super) ink: Ink,
    pub(super) width: f64,
}

/// A line of text, standing on its base line.
#[derive(Debug, Clone)]
pub(super) struct Label {
    pub(super) at: Place,
    pub(super) text: String,
    pub(super) size: f64,
    pub(super) weight: Weight,
    pub(super) ink: Ink,
    pub(super) anchor: Anchor,
    pub(super) turn: Turn,
}

/// Weight of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Weight {
    Normal,
    Bold,
}

/// Which part of the text stands at its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// Direction of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    Level,
    /// Read from below.
    Upwards,
}

/// A rectangle: left, top, right, bottom.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

impl Frame {
    pub(super) fn width(self) -> f64 {
        self.right - self.left
    }

    pub(super) fn middle(self) -> Place {
        ((self.left + self.right) / 2.0, (self.top + self.bottom) / 2.0)
    }

    pub(super) fn corners(self) -> Vec<Place> {
        vec![(self.left, self.top), (self.right, self.top), (self.right, self.bottom), (self.left, self.bottom)]
    }
}

impl Scene {
    /// A figure with nothing in it yet.
    pub(super) fn empty(width: f64, height: f64) -> Self {
        Self { width, height, shapes: Vec::new(), hints: Vec::new() }
    }

    /// Says something of a place; small ones are widened so that they can be hit.
    pub(super) fn hint(&mut self, frame: Frame, text: String) {
        const LEAST: f64 = 12.0;
        let (x, y) = frame.middle();
        let (across, down) = (frame.width().max(LEAST) / 2.0, (frame.bottom - frame.top).max(LEAST) / 2.0);
        self.hints
            .push(Hint { frame: Frame { left: x - across, top: y - down, right: x + across, bottom: y + down }, text });
    }

    pub(super) fn line(&mut self, points: Vec<Place>, stroke: Stroke) {
        self.shapes.push(Shape::Path { points, stroke });
    }

    pub(super) fn text(&mut self, label: Label) {
        self.shapes.push(Shape::Text(label));
    }

    pub(super) fn area(&mut self, points: Vec<Place>, ink: Ink, opacity: f64) {
        self.shapes.push(Shape::Area { points, ink, opacity });
    }

    /// A path in strokes and gaps of the given lengths; whole when there are none.
    pub(super) fn dashed(&mut self, points: Vec<Place>, stroke: Stroke, lengths: &[f64]) {
        if lengths.is_empty() {
            self.line(points, stroke);
            return;
        }
        for part in dashes(&points, lengths) {
            self.line(part, stroke);
        }
    }

    pub(super) fn dots(&mut self, centres: Vec<Place>, ink: Ink, radius: f64) {
        self.shapes.push(Shape::Dots { centres, radius, ink });
    }

    pub(super) fn raster(&mut self, frame: Frame, raster: Raster) {
        self.shapes.push(Shape::Raster { frame, raster });
    }

    /// A filled mark.
    pub(super) fn mark(&mut self, mark: Mark, centre: Place, ink: Ink, radius: f64) {
        match mark {
            Mark::Disc => self.shapes.push(Shape::Disc { centre, radius, ink }),
            other => self.area(outline(other, centre, radius), ink, 1.0),
        }
    }

    /// A mark of which only the edge is drawn.
    pub(super) fn hollow(&mut self, mark: Mark, centre: Place, ink: Ink, radius: f64) {
        let mut edge = outline(mark, centre, radius);
        self.area(edge.clone(), Ink::Paper, 1.0);
        edge.extend_from_within(..2);
        self.line(edge, Stroke { ink, width: 1.4 });
    }

    /// A filled rectangle with its hatch in the colour of the ground.
    pub(super) fn bar(&mut self, frame: Frame, ink: Ink, hatch: Hatch) {
        self.area(frame.corners(), ink, 1.0);
        for part in hatching(frame, hatch) {
            self.line(part, Stroke { ink: Ink::Paper, width: 0.8 });
        }
    }

    /// A pale rectangle with a firm edge.
    pub(super) fn pane(&mut self, frame: Frame, ink: Ink, hatch: Hatch) {
        let mut edge = frame.corners();
        self.area(edge.clone(), Ink::Paper, 1.0);
        self.area(edge.clone(), ink, 0.28);
        for part in hatching(frame, hatch) {
            self.line(part, Stroke { ink, width: 0.6 });
        }
        edge.extend_from_within(..2);
        self.line(edge, Stroke { ink, width: 1.3 });
    }
}

/// Corners of a mark.
fn outline(mark: Mark, (x, y): Place, radius: f64) -> Vec<Place> {
    // Sizes are evened out by eye: a square of the disc's width looks larger than the disc.
    let unit: Vec<Place> = match mark {
        Mark::Disc => (0..24)
            .map(|i| f64::from(i) * std::f64::consts::TAU / 24.0)
            .map(|angle| (angle.cos(), angle.sin()))
            .collect(),
        Mark::Square => vec![(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
        Mark::Up => vec![(0.0, -1.2), (1.15, 0.85), (-1.15, 0.85)],
        Mark::Down => vec![(0.0, 1.2), (1.15, -0.85), (-1.15, -0.85)],
        Mark::Diamond => vec![(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)],
        Mark::Plus => arms(1.3, 0.42),
        Mark::Cross => arms(1.35, 0.42)
            .into_iter()
            .map(|(a, b)| ((a - b) * std::f64::consts::FRAC_1_SQRT_2, (a + b) * std::f64::consts::FRAC_1_SQRT_2))
            .collect(),
    };
    unit.into_iter().map(|(a, b)| (x + a * radius, y + b * radius)).collect()
}

/// A cross of four arms.
fn arms(long: f64, wide: f64) -> Vec<Place> {
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
fn hatching(frame: Frame, hatch: Hatch) -> Vec<Vec<Place>> {
    const STEP: f64 = 7.0;
    let Frame { left, top, right, bottom } = frame;
    let steps = |length: f64| (0..).map(|i| f64::from(i) * STEP + STEP / 2.0).take_while(move |at| *at < length);
    match hatch {
        Hatch::Plain => Vec::new(),
        Hatch::Level => steps(bottom - top).map(|at| vec![(left, bottom - at), (right, bottom - at)]).collect(),
        Hatch::Rising => steps((right - left + bottom - top) / std::f64::consts::SQRT_2)
            .map(|at| left + top + at * std::f64::consts::SQRT_2)
            .map(|sum| {
                let (from, to) = ((sum - bottom).max(left), (sum - top).min(right));
                vec![(from, sum - from), (to, sum - to)]
            })
            .collect(),
        Hatch::Falling => steps((right - left + bottom - top) / std::f64::consts::SQRT_2)
            .map(|at| left - bottom + at * std::f64::consts::SQRT_2)
            .map(|gap| {
                let (from, to) = ((gap + top).max(left), (gap + bottom).min(right));
                vec![(from, from - gap), (to, to - gap)]
            })
            .collect(),
    }
}

/// Cuts a path into strokes; neither SVG nor bitmaps of plotters know dashes.
fn dashes(points: &[Place], lengths: &[f64]) -> Vec<Vec<Place>> {
    let mut parts = Vec::new();
    let mut current: Vec<Place> = points.first().copied().into_iter().collect();
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
        let frame = Frame { left: 10.0, top: 20.0, right: 17.0, bottom: 60.0 };
        for hatch in [Hatch::Level, Hatch::Rising, Hatch::Falling] {
            let lines = hatching(frame, hatch);
            assert!(lines.len() > 3, "{hatch:?}");
            for (x, y) in lines.into_iter().flatten() {
                assert!((9.99..=17.01).contains(&x) && (19.99..=60.01).contains(&y), "{hatch:?} {x} {y}");
            }
        }
    }
}
