//! Figures.

use crate::spec::FigureStyle;

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
    /// One plot area each, with its own vertical axis; drawn as a grid.
    pub panels: Vec<Panel>,
    /// Names of the series over all panels, in drawing order: position = colour.
    pub series: Vec<String>,
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
    /// How many values it summarises.
    pub n: usize,
    /// Minimum, lower quartile, median, upper quartile, maximum (box plots).
    pub quartiles: Option<[f64; 5]>,
    /// What the paper printed here, drawn as a hollow mark.
    pub printed: Option<f64>,
}
