//! Figures, matrices and diagrams.

use maud::{Markup, html};

use super::frame::{downloads, titled};
use super::values;
use crate::report::drawing::Drawing;
use crate::report::figure::{self, Medium, Scene};
use crate::report::format::FileKind;
use crate::report::section::Heading;

/// A drawing with its caption, its files, and its values where they can be read as a table.
pub(super) fn section(drawing: &dyn Drawing) -> Markup {
    let heading = drawing.heading();
    let after = html! {
        figcaption {
            @if !heading.caption.is_empty() { (heading.caption) " " }
            (downloads(heading.id, &FileKind::OF_DRAWINGS))
        }
        @if let Some(figure) = drawing.plotted() { (values::table(figure)) }
    };
    titled(heading.id, heading.title, &drawn(&heading, |medium| drawing.compose(medium), &after))
}

/// A figure in two layouts, of which the style sheet shows the one that fits the screen.
pub(in crate::report) fn drawn(heading: &Heading, compose: impl Fn(Medium) -> Scene, after: &Markup) -> Markup {
    let Heading { title, caption, .. } = heading;
    let label = if caption.is_empty() { (*title).to_owned() } else { format!("{title}. {caption}") };
    let picture = |medium| figure::inline(&compose(medium), &label, medium);
    html! {
        figure {
            div.plot.wide { (picture(Medium::Wide)) } "\n"
            div.plot.narrow { (picture(Medium::Narrow)) } "\n"
            (after)
        } "\n"
    }
}
