//! What a curve says in words.

use crate::report::numbers::{difference, fixed};
use crate::summary::{CurveStanding, CurveUniverse};

/// As the legend, hints and files have it.
pub(in crate::report) fn standing(standing: CurveStanding) -> &'static str {
    match standing {
        CurveStanding::Holds => "holds",
        CurveStanding::Fails => "does not hold",
        CurveStanding::Open => "undecided",
    }
}

/// The universe that is as stated has no options to be named by.
pub(in crate::report) fn name(universe: &CurveUniverse) -> &str {
    if universe.as_stated && universe.name.is_empty() { "as stated" } else { &universe.name }
}

/// What is said of a universe when its column is pointed at.
pub(super) fn hint(universe: &CurveUniverse) -> String {
    let name = name(universe);
    let stated = if universe.as_stated && name != "as stated" { " (as stated)" } else { "" };
    let interval = universe.interval.map(|ends| ends.map(difference).join(" to "));
    let interval = interval.map_or_else(String::new, |interval| format!(" ({interval})"));
    format!("{name}{stated}: {}{interval}; {}", difference(universe.value), standing(universe.standing))
}

/// "81 % of the variance"; `None` where the share is not a number.
pub(super) fn share(share: f64) -> Option<String> {
    let percent = match share {
        share if !share.is_finite() => return None,
        share if share > 0.0 && share < 0.01 => "< 1 %".to_owned(),
        share if share > 0.99 && share < 1.0 => "> 99 %".to_owned(),
        share => format!("{} %", fixed(100.0 * share, 0)),
    };
    Some(format!("{percent} of the variance"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_shares_are_not_nothing_and_large_ones_not_all() {
        let texts = [0.0, 0.004, 0.814, 0.996, 1.0].map(|part| share(part).expect("it is a number"));
        let percents = texts.each_ref().map(|text| text.trim_end_matches(" of the variance"));
        assert_eq!(percents, ["0 %", "< 1 %", "81 %", "> 99 %", "100 %"]);
        assert_eq!(share(f64::NAN), None);
    }

    #[test]
    fn a_hint_names_the_universe_its_numbers_and_what_came_of_the_claim() {
        let mut universe = CurveUniverse {
            name: "base-k = 2..7".to_owned(),
            value: 0.25,
            interval: Some([-0.125, f64::INFINITY]),
            standing: CurveStanding::Open,
            as_stated: false,
            options: vec![1],
        };
        assert_eq!(hint(&universe), "base-k = 2..7: 0.2500 (−0.1250 to ∞); undecided");
        universe = CurveUniverse { name: String::new(), value: f64::NAN, interval: None, as_stated: true, ..universe };
        assert_eq!(hint(&universe), "as stated: n/a; undecided");
    }
}
