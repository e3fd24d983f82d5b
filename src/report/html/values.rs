//! The numbers of a figure as a table that folds out: for those who cannot see the figure, or want to read it off.

use crate::report::delimited::position;
use crate::report::escape::html;
use crate::report::marks::around;
use crate::report::numbers::{count, difference};
use crate::summary::{Figure, Panel, Point};

/// Above this, a table is no way to read a figure; the CSV file has them all.
const MOST_POINTS: usize = 2500;

/// One row a panel and place on the axis, one column a series.
pub(super) fn table(figure: &Figure) -> String {
    let points: usize = figure.panels.iter().flat_map(|panel| &panel.series).map(|series| series.points.len()).sum();
    if points == 0 || points > MOST_POINTS {
        return String::new();
    }
    let has_panels = figure.panels.iter().any(|panel| !panel.name.is_empty());
    let keys = has_panels.then_some("panel").into_iter().chain([figure.x_label.as_str()]);
    let heads =
        keys.map(|name| (name, "")).chain(figure.series.iter().map(|name| (name.as_str(), " class=\"number\"")));
    let heads: String = heads
        .enumerate()
        .map(|(column, (name, class))| format!("<th scope=\"col\" data-column=\"{column}\"{class}>{}</th>", html(name)))
        .collect();
    let rows: String =
        figure.panels.iter().map(|panel| panel_rows(figure, panel, has_panels.then_some(&panel.name))).collect();
    format!(
        "<details class=\"values\"><summary>The values as a table: {} of {}</summary>\n\
         <div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Values of {}\">\n\
         <table>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table></div></details>\n",
        count(points, "value"),
        html(&figure.y_label),
        html(&figure.title)
    )
}

fn panel_rows(figure: &Figure, panel: &Panel, name: Option<&String>) -> String {
    let mut places: Vec<f64> = panel.series.iter().flat_map(|series| &series.points).map(|point| point.x).collect();
    places.sort_by(f64::total_cmp);
    places.dedup();
    let name = name.map_or_else(String::new, |name| format!("<th scope=\"row\">{}</th>", html(name)));
    let row = |x: &f64| {
        let cells: String = figure.series.iter().map(|series| cell(find(panel, series, *x))).collect();
        format!("<tr>{name}<th scope=\"row\">{}</th>{cells}</tr>\n", html(&position(&figure.x, *x)))
    };
    places.iter().map(row).collect()
}

fn find<'a>(panel: &'a Panel, series: &str, x: f64) -> Option<&'a Point> {
    let series = panel.series.iter().find(|other| other.name == series)?;
    series.points.iter().find(|point| point.x == x)
}

fn cell(point: Option<&Point>) -> String {
    let Some(point) = point else { return "<td class=\"number\">—</td>".to_owned() };
    let around = around(point).map_or_else(String::new, |text| format!(" <small>{text}</small>"));
    let printed = point
        .printed
        .map_or_else(String::new, |printed| format!("<small class=\"printed\">paper {}</small>", difference(printed)));
    format!("<td class=\"number\">{}{around}{printed}</td>", difference(point.y))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn every_value_of_a_figure_is_in_its_table() {
        let table = table(&sample::lines());
        assert!(table.contains("4 values of accuracy"), "{table}");
        assert!(table.contains("<tr><th scope=\"row\">iris</th><th scope=\"row\">2</th><td class=\"number\">0.7000 <small>0.6800 to 0.7200</small></td><td class=\"number\">—</td></tr>"), "{table}");
    }
}
