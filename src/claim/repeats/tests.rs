use super::*;
use crate::claim::sample::{Within, sample};
use crate::seed::Id;
use crate::stats;
use rand::RngExt;

fn behind(ensembles: usize, repeats: usize) -> RunsBehind {
    RunsBehind { ensembles, repeats }
}

fn drawn(sample: &RunSample, statistic: Statistic, size: RunsBehind) -> Drawn {
    Repeats::of(size).statistic(sample, statistic, DrawKind::Paper)
}

fn of_values(values: &[f64]) -> RunSample {
    let runs = values.iter().enumerate().map(|(n, value)| (format!("{n:03}"), vec![*value]));
    RunSample { runs: runs.collect(), ..RunSample::default() }
}

/// The slow, obvious way: runs are drawn, listed and summed up.
#[test]
fn repeats_are_those_of_runs_drawn_one_by_one() {
    let mut rng = Id::of("test", &[]).rng("values");
    let values: Vec<f64> = (0..30).map(|_| rng.random::<f64>().powi(3)).collect();
    let sample = of_values(&values);
    let slow = |statistic: fn(&[f64]) -> f64, n: usize| {
        let mut rng = Id::of("test", &[]).rng("oracle");
        let one = |_| statistic(&(0..n).map(|_| values[rng.random_range(0..values.len())]).collect::<Vec<_>>());
        (0..20_000).map(one).collect::<Vec<f64>>()
    };
    type OfRuns = fn(&[f64]) -> f64;
    let statistics: [(Statistic, OfRuns); 5] = [
        (Statistic::Mean, |runs| stats::mean(runs).unwrap()),
        (Statistic::Sd, |runs| stats::sd(runs).unwrap()),
        (Statistic::Median, |runs| stats::quantile(runs, 0.5).unwrap()),
        (Statistic::Max, |runs| runs.iter().copied().fold(0.0, f64::max)),
        (Statistic::Min, |runs| runs.iter().copied().fold(1.0, f64::min)),
    ];
    for (statistic, of) in statistics {
        let (quick, slow) = (drawn(&sample, statistic, behind(12, 1)), slow(of, 12));
        for q in [0.1, 0.5, 0.9] {
            let [quick, slow] = [&quick[..], &slow].map(|values| stats::quantile(values, q).unwrap());
            assert!((quick - slow).abs() < 0.035, "{statistic:?} at {q}: {quick} and {slow}");
        }
    }
}

#[test]
fn the_spread_of_a_mean_has_both_components() {
    // Between ensembles 1, within 4: a mean over 10 ensembles with 2 runs each has variance (1 + 4/2) / 10.
    let mut rng = Id::of("test", &[]).rng("components");
    let mut normal = || (0..12).map(|_| rng.random::<f64>()).sum::<f64>() - 6.0;
    let made = (0..400).map(|n| {
        let centre = normal();
        (format!("{n:03}"), (0..30).map(|_| centre + 2.0 * normal()).collect::<Vec<f64>>())
    });
    let sample = RunSample { runs: made.collect(), ..RunSample::default() };
    for (repeats, expected) in [(1, 0.5), (2, 0.3), (20, 0.12)] {
        let sd = stats::sd(&drawn(&sample, Statistic::Mean, behind(10, repeats))).unwrap();
        assert!((sd * sd / expected - 1.0).abs() < 0.2, "{repeats} runs: variance {}, expected {expected}", sd * sd);
    }
    let whole = RunSample { within: Within::Members, ..sample.clone() };
    let sd = stats::sd(&drawn(&whole, Statistic::Mean, behind(10, 2))).unwrap();
    assert!((sd * sd / (0.1 + 0.4 / 30.0) - 1.0).abs() < 0.2, "an ensemble brings all of its base clusterings");
}

#[test]
fn few_runs_on_each_ensemble_spread_no_more_than_the_paper_had() {
    let mut rng = Id::of("test", &[]).rng("few runs");
    let mut normal = || (0..12).map(|_| rng.random::<f64>()).sum::<f64>() - 6.0;
    let made = (0..6000).map(|n| {
        let centre = normal();
        (format!("{n:04}"), (0..2).map(|_| centre + 2.0 * normal()).collect::<Vec<f64>>())
    });
    let sample = RunSample { runs: made.collect(), ..RunSample::default() };
    for (repeats, expected) in [(1, 0.5), (2, 0.3), (100, 0.104)] {
        let sd = stats::sd(&drawn(&sample, Statistic::Mean, behind(10, repeats))).unwrap();
        assert!((sd * sd / expected - 1.0).abs() < 0.25, "{repeats} runs: variance {}, expected {expected}", sd * sd);
    }
}

#[test]
fn methods_are_drawn_on_the_same_ensembles() {
    let values: Vec<f64> = (0..20).map(|n| f64::from(n) / 20.0).collect();
    let one = of_values(&values);
    let other = of_values(&values.iter().map(|value| value + 0.01).collect::<Vec<_>>());
    let size = Repeats::of(behind(7, 1));
    let (one, other) = (
        size.statistic(&one, Statistic::Mean, DrawKind::Paper),
        size.statistic(&other, Statistic::Mean, DrawKind::Paper),
    );
    assert!(one.iter().zip(&*other).all(|(one, other)| (other - one - 0.01).abs() < 1e-12));
}

#[test]
fn ensembles_under_masks_are_drawn_together() {
    let named = |mask: &str| {
        let mut sample = sample(&[("x", &[0.1]), ("y", &[0.5]), ("z", &[0.9])]);
        let renamed = |ensemble: &String| format!("{mask}{}", ensemble.chars().rev().collect::<String>());
        sample.unmasked = sample.runs.keys().map(|ensemble| (renamed(ensemble), ensemble.clone())).collect();
        sample.runs = sample.runs.iter().map(|(ensemble, runs)| (renamed(ensemble), runs.clone())).collect();
        sample
    };
    let size = Repeats::of(behind(4, 1));
    let [one, two] = ["a", "b"].map(|mask| size.statistic(&named(mask), Statistic::Mean, DrawKind::Paper));
    assert_eq!(one, two);
}

#[test]
fn of_one_ensemble_runs_are_drawn_and_the_best_of_them_is_selected() {
    let mut sample = sample(&[("a", &[0.1, 0.2, 0.9])]);
    sample.merits.insert("a".to_owned(), vec![1.0, 3.0, 2.0]);
    let selected = drawn(&sample, Statistic::Selected, behind(1, 2));
    let share = |value: f64| selected.iter().filter(|drawn| **drawn == value).count() as f64 / REPEATS as f64;
    // Of two runs the one with merit 3 is there in 5 of 9 cases, that with merit 2 is best in 3 of 9.
    assert!((share(0.2) - 5.0 / 9.0).abs() < 0.04 && (share(0.9) - 3.0 / 9.0).abs() < 0.04, "{}", share(0.2));
    let largest = drawn(&sample, Statistic::Max, behind(1, 3));
    let share = largest.iter().filter(|drawn| **drawn == 0.9).count() as f64 / REPEATS as f64;
    assert!((share - (1.0 - 8.0 / 27.0)).abs() < 0.04, "{share}");
}

#[test]
fn a_p_of_every_repeat_is_that_of_its_pairs() {
    let sample = of_values(&[0.02; 6]);
    let p = Repeats::of(behind(5, 1)).p_values(&sample, Alternative::Greater, DrawKind::Paper);
    assert!(p.iter().all(|p| *p == 0.0), "no spread at all");
    let sample = of_values(&[-0.1, 0.1, -0.2, 0.2, 0.05, -0.05]);
    let p = Repeats::of(behind(50, 1)).p_values(&sample, Alternative::TwoSided, DrawKind::Paper);
    let small = p.iter().filter(|p| **p < 0.05).count() as f64 / REPEATS as f64;
    assert!((small - 0.05).abs() < 0.02, "{small}");
}

#[test]
fn the_middle_leaves_out_a_fortieth_on_either_side() {
    let values: Vec<f64> = (0..200).map(f64::from).collect();
    assert_eq!(central(&values), [5.0, 194.0]);
    assert!(central(&[f64::NAN]).iter().all(|end| end.is_nan()));
}
