//! What can be drawn: one `impl` per kind of drawing, and the files that every drawing has.

use super::delimited;
use super::figure::{self, Medium, Scene};
use super::format::{FileBytes, Format};
use super::section::Heading;
use crate::summary::{Figure, HeatMap, PrintedDots, Ranking, SpecificationCurve, Trade};

/// Something that is laid out as shapes.
pub(super) trait Drawing {
    fn heading(&self) -> Heading<'_>;

    fn compose(&self, medium: Medium) -> Scene;

    /// Its values, as the text of a CSV file.
    fn csv(&self) -> Vec<u8>;

    /// The figure whose values fold out as a table below it.
    fn plotted(&self) -> Option<&Figure> {
        None
    }
}

impl Drawing for Figure {
    fn heading(&self) -> Heading<'_> {
        Heading { id: &self.id, title: &self.title, caption: &self.caption }
    }

    fn compose(&self, medium: Medium) -> Scene {
        figure::compose(self, medium)
    }

    fn csv(&self) -> Vec<u8> {
        delimited::figure(self)
    }

    fn plotted(&self) -> Option<&Figure> {
        Some(self)
    }
}

impl Drawing for HeatMap {
    fn heading(&self) -> Heading<'_> {
        Heading { id: &self.id, title: &self.title, caption: &self.caption }
    }

    fn compose(&self, medium: Medium) -> Scene {
        figure::compose_heat_map(self, medium)
    }

    fn csv(&self) -> Vec<u8> {
        delimited::heat_map(self)
    }
}

/// The diagram of mean ranks.
impl Drawing for Ranking {
    fn heading(&self) -> Heading<'_> {
        Heading { id: &self.id, title: &self.title, caption: &self.caption }
    }

    fn compose(&self, medium: Medium) -> Scene {
        figure::compose_rank_diagram(self, medium)
    }

    fn csv(&self) -> Vec<u8> {
        delimited::ranking(self)
    }
}

impl Drawing for Trade {
    fn heading(&self) -> Heading<'_> {
        Heading { id: &self.id, title: &self.title, caption: &self.caption }
    }

    fn compose(&self, medium: Medium) -> Scene {
        figure::compose_trade(self, medium)
    }

    fn csv(&self) -> Vec<u8> {
        delimited::trade(self)
    }
}

impl Drawing for PrintedDots {
    fn heading(&self) -> Heading<'_> {
        Heading { id: &self.id, title: &self.title, caption: &self.caption }
    }

    fn compose(&self, medium: Medium) -> Scene {
        figure::compose_printed_dots(self, medium)
    }

    fn csv(&self) -> Vec<u8> {
        delimited::printed_dots(self)
    }
}

impl Drawing for SpecificationCurve {
    fn heading(&self) -> Heading<'_> {
        Heading { id: &self.id, title: &self.title, caption: &self.caption }
    }

    fn compose(&self, medium: Medium) -> Scene {
        figure::compose_specification_curve(self, medium)
    }

    fn csv(&self) -> Vec<u8> {
        delimited::specification_curve(self)
    }
}

/// One `.svg` per drawing.
pub(super) struct Svg;

impl Format for Svg {
    type Part = FileBytes;

    fn drawing(&self, drawing: &dyn Drawing) -> Option<FileBytes> {
        let scene = drawing.compose(Medium::Wide);
        Some(Ok(figure::standalone(&scene, &drawing.heading()).into_bytes()))
    }
}

/// One `.png` per drawing.
pub(super) struct Png;

impl Format for Png {
    type Part = FileBytes;

    fn drawing(&self, drawing: &dyn Drawing) -> Option<FileBytes> {
        Some(figure::png_file(&drawing.compose(Medium::Wide)))
    }
}
