//! The numbers of a figure as a table that folds out: for those who cannot see the figure, or want to read it off.

use maud::{Markup, html};

use super::frame::{column_head, scrolling};
use crate::report::delimited::position;
use crate::report::marks::around;
use crate::report::numbers::{count, difference, fixed};
use crate::summary::{Figure, Panel, Point};

/// Above this, a table is no way to read a figure; the CSV file has them all.
const MOST_POINTS: usize = 2500;

/// One row per panel and place on the axis, one column per series; nothing where there are no values, or too many.
pub(super) fn table(figure: &Figure) -> Markup {
    let points: usize = figure.panels.iter().flat_map(|panel| &panel.series).map(|series| series.points.len()).sum();
    if points == 0 || points > MOST_POINTS {
        return html! {};
    }
    let has_panels = figure.panels.iter().any(|panel| !panel.name.is_empty());
    let keys = has_panels.then_some("panel").into_iter().chain([figure.x_label.as_str()]);
    let heads = keys.map(|name| (name, None)).chain(figure.series.iter().map(|name| (name.as_str(), Some("number"))));
    let table = html! {
        table {
            thead { tr { @for (column, (name, class)) in heads.enumerate() { (column_head(column, name, class)) } } }
            tbody {
                @for panel in &figure.panels {
                    (panel_rows(figure, panel, has_panels.then_some(&panel.name)))
                }
            }
        }
    };
    html! {
        details.values {
            summary { "The values as a table: " (count(points, "value")) " of " (figure.y_label) }
            (scrolling(&format!("Values of {}", figure.title), &table))
        }
    }
}

fn panel_rows(figure: &Figure, panel: &Panel, name: Option<&String>) -> Markup {
    let mut places: Vec<f64> = panel.series.iter().flat_map(|series| &series.points).map(|point| point.x).collect();
    places.sort_by(f64::total_cmp);
    places.dedup();
    let wholeness = Wholeness::of(figure);
    html! {
        @for x in places {
            tr {
                @if let Some(name) = name { th scope="row" { (name) } }
                th scope="row" { (position(&figure.x, x)) }
                @for series in &figure.series {
                    (cell(find(panel, series, x).map(|point| point.counted_in(figure.scales.tick_unit)).as_ref(), wholeness))
                }
            } "\n"
        }
    }
}

fn find<'a>(panel: &'a Panel, series: &str, x: f64) -> Option<&'a Point> {
    let series = panel.series.iter().find(|other| other.name == series)?;
    series.points.iter().find(|point| point.x == x)
}

/// Whether a figure counts things.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wholeness {
    /// Whole numbers, more than one of which there can be.
    Whole,
    Fractions,
}

impl Wholeness {
    fn of(figure: &Figure) -> Self {
        let points = || figure.panels.iter().flat_map(|panel| &panel.series).flat_map(|series| &series.points);
        let is_whole = points().all(|point| point.y.fract() == 0.0 && point.low == point.y && point.high == point.y);
        if is_whole && points().any(|point| point.y > 1.0) { Self::Whole } else { Self::Fractions }
    }
}

fn cell(point: Option<&Point>, wholeness: Wholeness) -> Markup {
    html! {
        td.number {
            @if let Some(point) = point {
                @match wholeness {
                    Wholeness::Whole => (fixed(point.y, 0)),
                    Wholeness::Fractions => (difference(point.y)),
                }
                @if let Some(text) = around(point) { " " small { (text) } }
                @if let Some(printed) = point.printed { small.printed { "paper " (difference(printed)) } }
            } @else {
                "—"
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn values_are_counted_in_the_unit_of_the_axis() {
        let mut figure = sample::bars();
        figure.scales.tick_unit = 1e-3;
        let table = table(&figure).into_string();
        assert!(
            table.contains("900.00 <small>880.00 to 920.00</small><small class=\"printed\">paper 910.00</small>"),
            "{table}"
        );
    }

    #[test]
    fn every_value_of_a_figure_is_in_its_table() {
        let table = table(&sample::lines()).into_string();
        assert!(table.contains("4 values of accuracy"), "{table}");
        assert!(table.contains("<tr><th scope=\"row\">iris</th><th scope=\"row\">2</th><td class=\"number\">0.7000 <small>0.6800 to 0.7200</small></td><td class=\"number\">—</td></tr>"), "{table}");
    }
}
