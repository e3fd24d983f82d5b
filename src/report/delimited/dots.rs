//! Printed numbers against ours as CSV.

use super::{Lines, exact, optional};
use crate::summary::PrintedDots;

/// One line per printed number.
pub(in crate::report) fn printed_dots(dots: &PrintedDots) -> Vec<u8> {
    let mut lines = Lines::new();
    lines.push(["panel", "place", "printed", "ours", "low", "high", "judgement"].map(str::to_owned));
    for panel in &dots.panels {
        for dot in &panel.dots {
            let [low, high] = [0, 1].map(|end| optional(dot.interval.map(|ends| ends[end])));
            let judgement = dot.judged.name().to_owned();
            lines.push([
                panel.name.clone(),
                dot.place.clone(),
                exact(dot.printed),
                exact(dot.ours),
                low,
                high,
                judgement,
            ]);
        }
    }
    lines.done()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn every_number_has_a_line() {
        let text = String::from_utf8(printed_dots(&sample::printed_dots())).expect("CSV is UTF-8");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 9);
        assert_eq!(lines[1], "mm,\"iris, 1\",0.6,0.7,,,consistent");
        assert_eq!(lines[2], "mm,\"iris, 2\",0.7,0.7,0.65,0.78,inconclusive");
    }
}
