//! A figure as a list of shapes in pixels of the figure, before any file format.

use super::outline::{dashes, hatching, outline};
use super::raster::Raster;
use super::theme::{Hatch, Ink, Symbol};

/// A position: right, down.
pub(super) type Position = (f64, f64);

/// A figure ready to be painted.
#[derive(Debug, Clone)]
pub(in crate::report) struct Scene {
    pub(super) width: f64,
    pub(super) height: f64,
    /// Painted in this order.
    pub(super) shapes: Vec<Primitive>,
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
pub(super) enum Primitive {
    Path {
        points: Vec<Position>,
        stroke: Stroke,
    },
    Area {
        points: Vec<Position>,
        ink: Ink,
        opacity: f64,
    },
    Disc {
        centre: Position,
        radius: f64,
        ink: Ink,
    },
    /// Many small discs.
    Dots {
        centres: Vec<Position>,
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
    pub(super) at: Position,
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

    pub(super) fn middle(self) -> Position {
        ((self.left + self.right) / 2.0, (self.top + self.bottom) / 2.0)
    }

    pub(super) fn corners(self) -> Vec<Position> {
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

    pub(super) fn line(&mut self, points: Vec<Position>, stroke: Stroke) {
        self.shapes.push(Primitive::Path { points, stroke });
    }

    pub(super) fn text(&mut self, label: Label) {
        self.shapes.push(Primitive::Text(label));
    }

    pub(super) fn area(&mut self, points: Vec<Position>, ink: Ink, opacity: f64) {
        self.shapes.push(Primitive::Area { points, ink, opacity });
    }

    /// A path in strokes and gaps of the given lengths; whole when there are none.
    pub(super) fn dashed(&mut self, points: Vec<Position>, stroke: Stroke, lengths: &[f64]) {
        if lengths.is_empty() {
            self.line(points, stroke);
            return;
        }
        for part in dashes(&points, lengths) {
            self.line(part, stroke);
        }
    }

    pub(super) fn dots(&mut self, centres: Vec<Position>, ink: Ink, radius: f64) {
        if !centres.is_empty() {
            self.shapes.push(Primitive::Dots { centres, radius, ink });
        }
    }

    pub(super) fn raster(&mut self, frame: Frame, raster: Raster) {
        self.shapes.push(Primitive::Raster { frame, raster });
    }

    /// A filled mark.
    pub(super) fn mark(&mut self, mark: Symbol, centre: Position, ink: Ink, radius: f64) {
        match mark {
            Symbol::Disc => self.shapes.push(Primitive::Disc { centre, radius, ink }),
            other => self.area(outline(other, centre, radius), ink, 1.0),
        }
    }

    /// A mark of which only the edge is drawn.
    pub(super) fn hollow(&mut self, mark: Symbol, centre: Position, ink: Ink, radius: f64) {
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
