//! Figures.

use crate::spec::{AxisScale, FigureStyle, PanelRange};

/// A filled figure.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// Names its files and its place on the page.
    pub id: String,
    /// Its heading on the page.
    pub title: String,
    /// One or two sentences under the figure: what the marks, bands and whiskers are.
    pub caption: String,
    /// How it is drawn.
    pub kind: FigureKind,
    /// Axis titles.
    pub x_label: String,
    /// Axis titles.
    pub y_label: String,
    /// What stands on the horizontal axis.
    pub x: Axis,
    /// One plot area each; drawn as a grid.
    pub panels: Vec<Panel>,
    /// Names of the series over all panels, in drawing order: position = colour.
    pub series: Vec<String>,
    /// How its axes and bands are drawn.
    pub scales: FigureScales,
}

/// How the axes and bands of a figure are drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FigureScales {
    /// The horizontal axis, where it has numbers.
    pub x: AxisScale,
    /// The vertical axes of several panels.
    pub y: PanelRange,
    /// What ticks of the vertical axis count: 10⁶ where values are bytes and the axis is in MB.
    pub tick_unit: f64,
    /// How intervals of lines are drawn.
    pub bands: BandMarks,
    /// The least and the largest value that the quantity can have: the vertical axis ends there.
    pub bounds: [f64; 2],
}

impl Default for FigureScales {
    fn default() -> Self {
        let bounds = [f64::NEG_INFINITY, f64::INFINITY];
        Self { x: AxisScale::Linear, y: PanelRange::Shared, tick_unit: 1.0, bands: BandMarks::Areas, bounds }
    }
}

/// How intervals of lines are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BandMarks {
    /// As areas around the lines.
    Areas,
    /// As thin whiskers, where areas would hide the lines.
    Whiskers,
}

/// How a figure is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FigureKind {
    /// Lines with confidence bands.
    Line,
    /// Grouped bars with whiskers.
    Bar,
    /// Box plots: `Point::quartiles` is set.
    Box,
    /// The first series as dots, the others as curves over them.
    Scatter,
}

impl From<FigureStyle> for FigureKind {
    fn from(style: FigureStyle) -> Self {
        match style {
            FigureStyle::Line => Self::Line,
            FigureStyle::Bar => Self::Bar,
            FigureStyle::Box => Self::Box,
        }
    }
}

/// The horizontal axis.
#[derive(Debug, Clone, PartialEq)]
pub enum Axis {
    /// Numbers; ticks are drawn at round values.
    Numeric,
    /// Names; `Point::x` is the position in this list.
    Categories(Vec<String>),
}

/// One plot area.
#[derive(Debug, Clone, PartialEq)]
pub struct Panel {
    /// Heading of the panel (a dataset); empty when there is one panel.
    pub name: String,
    /// Lines, bar groups or box groups. Not every series of the figure needs to be here.
    pub series: Vec<Series>,
}

/// One line, or one bar or box in each group.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// One of `Figure::series`.
    pub name: String,
    /// In ascending order of x.
    pub points: Vec<Point>,
}

/// One mark.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// Position on the axis.
    pub x: f64,
    /// Height.
    pub y: f64,
    /// Ends of the band or whisker; equal to `y` when there is none.
    pub low: f64,
    /// Ends of the band or whisker; equal to `y` when there is none.
    pub high: f64,
    /// The values themselves, where they are two or three: too few for an interval.
    pub each: Vec<f64>,
    /// How many values it summarises.
    pub n: usize,
    /// Minimum, lower quartile, median, upper quartile, maximum (box plots).
    pub quartiles: Option<[f64; 5]>,
    /// What the paper printed here, drawn as a hollow mark.
    pub printed: Option<f64>,
}

impl Point {
    /// The same with values counted in a unit: as they are read off the axis.
    #[must_use]
    pub fn counted_in(&self, unit: f64) -> Self {
        let in_unit = |value: f64| value / unit;
        Self {
            y: in_unit(self.y),
            low: in_unit(self.low),
            high: in_unit(self.high),
            each: self.each.iter().copied().map(in_unit).collect(),
            quartiles: self.quartiles.map(|five| five.map(in_unit)),
            printed: self.printed.map(in_unit),
            ..*self
        }
    }
}
