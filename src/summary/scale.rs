//! How much less than the whole experiment a smaller scale is.

use crate::spec::{Dimension, Experiment, PAPER_SCALE, PaperRuns, RunsSaid};

/// "Scale quick has 4 of 10 datasets and 4 ensembles × 2 runs; the paper’s numbers stand on 100 ensembles × 100 runs."; `None` at
/// the full scale.
pub(super) fn smaller(experiment: &Experiment) -> Option<String> {
    if experiment.scale == PAPER_SCALE {
        return None;
    }
    let key = Dimension::Dataset.key(&experiment.sweep);
    let all: usize =
        experiment.paper_extent.iter().find(|(known, _)| known == key).map_or(0, |(_, values)| values.len());
    let here = experiment.datasets.len();
    if here == 0 && all > 0 {
        let nothing =
            if all == 1 { "does not have its dataset".to_owned() } else { format!("has none of the {all} datasets") };
        return Some(format!("Scale {} {nothing} here: nothing was run.", experiment.scale));
    }
    let datasets = (here < all).then(|| format!("{here} of {all} datasets"));
    let runs_here = PaperRuns::as_run(&experiment.points);
    let is_run = experiment.points.iter().any(|point| !point.setting.methods.is_empty());
    let runs = is_run.then(|| each(&runs_here));
    let has: Vec<String> = datasets.into_iter().chain(runs).collect();
    let has = if has.is_empty() { "has less".to_owned() } else { format!("has {}", has.join(" and ")) };
    let full = &experiment.paper_runs;
    let whose = match (&experiment.paper, full.said) {
        (Some(_), RunsSaid::Stated) => "the paper’s numbers stand on",
        (Some(_), RunsSaid::Assumed) => "the paper’s numbers may stand on",
        (None, _) => "the full experiment has",
    };
    let full = if is_run && full.each != runs_here.each { format!("; {whose} {}", each(full)) } else { String::new() };
    Some(format!("Scale {} {has}{full}. What follows is less certain than it could be.", experiment.scale))
}

/// "20 runs", "1 to 100 runs".
fn each(runs: &PaperRuns) -> String {
    let counts = runs.each.iter().map(|behind| behind.ensembles);
    if let (Some(least), Some(most), true) =
        (counts.clone().min(), counts.max(), runs.each.iter().all(|behind| behind.repeats == 1))
        && least < most
    {
        return format!("{least} to {most} runs");
    }
    runs.each.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or ")
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::data::Catalog;
    use crate::spec::{RunsBehind, Spec};

    #[test]
    fn numbers_of_runs_that_nobody_states_are_a_range() {
        let of = |behind: &[(usize, usize)]| {
            let runs = behind.iter().map(|&(ensembles, repeats)| RunsBehind { ensembles, repeats }).collect();
            each(&PaperRuns { each: runs, said: RunsSaid::Assumed })
        };
        assert_eq!(of(&[(10, 1), (1, 1), (100, 1)]), "1 to 100 runs");
        assert_eq!(of(&[(20, 1)]), "20 runs");
        assert!(of(&[(100, 100), (10, 10)]).contains(" or "));
    }

    #[test]
    fn a_smaller_scale_says_how_much_it_lacks() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments/bce/table3.toml");
        let at = |scale: &str| smaller(&Spec::load(&path).unwrap().check(scale, &Catalog::locate(None)).unwrap());
        assert_eq!(at(PAPER_SCALE), None);
        let words = at("quick").unwrap();
        assert!(
            words.starts_with(
                "Scale quick has 4 of 10 datasets and 4 ensembles × 2 runs; the paper’s numbers stand on 100"
            ),
            "{words}"
        );
    }
}
