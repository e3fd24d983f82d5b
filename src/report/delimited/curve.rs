//! Specification curves as CSV.

use super::{Lines, exact, optional};
use crate::report::figure::{standing_in_words, universe_name};
use crate::summary::{CurveUniverse, SpecificationCurve};

/// One line per universe, and a column per fork with the option that is active.
pub(in crate::report) fn specification_curve(curve: &SpecificationCurve) -> Vec<u8> {
    let mut lines = Lines::new();
    let heads = ["universe", "as_stated", "value", "low", "high", "standing"].map(str::to_owned);
    lines.push(heads.into_iter().chain(curve.forks.iter().map(|fork| fork.id.clone())));
    for universe in &curve.universes {
        lines.push(numbers(universe).into_iter().chain(options(curve, universe)));
    }
    lines.done()
}

fn numbers(universe: &CurveUniverse) -> [String; 6] {
    let [low, high] = [0, 1].map(|end| optional(universe.interval.map(|ends| ends[end])));
    let as_stated = if universe.as_stated { "yes" } else { "no" };
    [
        universe_name(universe).to_owned(),
        as_stated.to_owned(),
        exact(universe.value),
        low,
        high,
        standing_in_words(universe.standing).to_owned(),
    ]
}

fn options(curve: &SpecificationCurve, universe: &CurveUniverse) -> impl Iterator<Item = String> {
    curve.forks.iter().enumerate().map(|(position, fork)| {
        let active = universe.options.get(position).and_then(|option| fork.options.get(*option));
        active.cloned().unwrap_or_default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::{CurveFork, CurveStanding};

    #[test]
    fn universes_have_their_numbers_exactly_and_their_options_in_words() {
        let fork = |id: &str, options: [&str; 2]| CurveFork {
            id: id.to_owned(),
            options: options.map(str::to_owned).to_vec(),
            share: None,
        };
        let stated = CurveUniverse {
            name: String::new(),
            value: 1.0 / 3.0,
            interval: Some([f64::NEG_INFINITY, 0.5]),
            standing: CurveStanding::Holds,
            as_stated: true,
            options: vec![0, 0],
        };
        let other = CurveUniverse {
            name: "base-k = 2..7, \"all\"".to_owned(),
            value: f64::NAN,
            interval: None,
            standing: CurveStanding::Open,
            as_stated: false,
            options: vec![1, 0],
        };
        let curve = SpecificationCurve {
            id: "curve".to_owned(),
            title: String::new(),
            caption: String::new(),
            quantity: String::new(),
            band: None,
            universes: vec![stated, other],
            forks: vec![fork("base-k", ["10", "2..7"]), fork("runs", ["20", "50"])],
        };
        let text = String::from_utf8(specification_curve(&curve)).expect("CSV is UTF-8");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "universe,as_stated,value,low,high,standing,base-k,runs");
        assert_eq!(lines[1], "as stated,yes,0.3333333333333333,-inf,0.5,holds,10,20");
        assert_eq!(lines[2], "\"base-k = 2..7, \"\"all\"\"\",no,,,,undecided,2..7,20");
    }
}
