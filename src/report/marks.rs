//! One mark of a figure in words.

use super::delimited::position;
use super::numbers::difference;
use crate::summary::{Axis, Figure, Point, PrintedDot};

/// Ends of the interval, or of the boxes, or the few values themselves.
pub(super) fn around(point: &Point) -> Option<String> {
    match point.quartiles {
        Some(five) => Some(five.map(difference).join(" / ")),
        None if !point.each.is_empty() => {
            Some(point.each.iter().map(|value| difference(*value)).collect::<Vec<_>>().join(", "))
        }
        None => (point.low < point.high).then(|| format!("{} to {}", difference(point.low), difference(point.high))),
    }
}

/// What is said of a mark when it is pointed at.
pub(super) fn hint(figure: &Figure, [panel, series]: [&str; 2], point: &Point) -> String {
    let place = match &figure.x {
        Axis::Numeric => format!("{} {}", figure.x_label, position(&figure.x, point.x)),
        Axis::Categories(_) => position(&figure.x, point.x),
    };
    let names: Vec<&str> = [series, panel, &place].into_iter().filter(|name| !name.is_empty()).collect();
    let point = &point.counted_in(figure.scales.tick_unit);
    let around = around(point).map_or_else(String::new, |text| format!(" ({text})"));
    let n = if point.n > 0 { format!(", n = {}", point.n) } else { String::new() };
    let printed = point.printed.map_or_else(String::new, |printed| format!("; paper {}", difference(printed)));
    format!("{}: {}{around}{n}{printed}", names.join(", "), difference(point.y))
}

/// What is said of a printed number beside ours.
pub(super) fn dot_hint(panel: &str, dot: &PrintedDot) -> String {
    let place = if panel.is_empty() || dot.place.contains(panel) { String::new() } else { format!("{panel}, ") };
    let interval = dot.interval.map_or_else(String::new, |ends| format!(" ({})", ends.map(difference).join(" to ")));
    let [printed, ours] = [dot.printed, dot.ours].map(difference);
    format!("{place}{}: printed {printed}, ours {ours}{interval}: {}", dot.place, dot.judged.name())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn a_hint_counts_in_the_unit_of_the_axis() {
        let mut figure = sample::bars();
        figure.scales.tick_unit = 1e-3;
        let point = &figure.panels[0].series[0].points[0];
        assert_eq!(hint(&figure, ["", "mm"], point), "mm, iris: 900.00 (880.00 to 920.00), n = 50; paper 910.00");
    }

    #[test]
    fn a_hint_names_its_mark_and_the_printed_number() {
        let figure = sample::bars();
        let point = &figure.panels[0].series[0].points[0];
        assert_eq!(hint(&figure, ["", "mm"], point), "mm, iris: 0.9000 (0.8800 to 0.9200), n = 50; paper 0.9100");
    }
}
