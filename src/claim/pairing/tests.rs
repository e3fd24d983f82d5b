use super::*;
use crate::claim::sample::sample;
use crate::seed::{Id, Rng};

/// Runs on ensembles that are named after what they were before labels were deleted, and a mask.
fn masked(mask: &str, ensembles: &[(&str, &[f64])]) -> RunSample {
    // The names are as good as hashes: their order is not that of the ensembles, and differs between masks.
    let named = |base: &str| Id::of("test", &[base.as_bytes(), mask.as_bytes()]).to_string();
    let runs = ensembles.iter().map(|(base, runs)| (named(base), runs.to_vec())).collect();
    let selected = ensembles.iter().map(|(base, runs)| (named(base), runs[0])).collect();
    let unmasked = ensembles.iter().map(|(base, _)| (named(base), (*base).to_owned())).collect();
    RunSample { runs, selected, unmasked, ..RunSample::default() }
}

fn welch(one: &RunSample, two: &RunSample, statistic: Statistic) -> Estimate {
    one.estimate(statistic).minus(&two.estimate(statistic))
}

#[test]
fn shared_ensembles_are_paired_and_others_are_not() {
    let one = sample(&[("a", &[1.0]), ("b", &[2.0]), ("c", &[3.0])]);
    let shifted = sample(&[("a", &[0.9]), ("b", &[1.9]), ("c", &[2.9])]);
    let elsewhere = sample(&[("d", &[0.9]), ("e", &[1.9]), ("f", &[2.9])]);
    let paired = one.minus(&shifted, Statistic::Mean).unwrap();
    assert!((paired.value - 0.1).abs() < 1e-12 && paired.half_width().unwrap() < 1e-12);
    let apart = one.minus(&elsewhere, Statistic::Mean).unwrap();
    assert!((apart.value - 0.1).abs() < 1e-12 && apart.half_width().unwrap() > 1.0);
    let half = sample(&[("a", &[0.9]), ("e", &[1.9]), ("f", &[2.9])]);
    assert!(one.minus(&half, Statistic::Mean).unwrap_err().contains("only 1 of 3 ensembles"));
}

#[test]
fn an_ensemble_is_paired_with_itself_under_another_mask() {
    let before = masked("0.1", &[("a", &[1.0]), ("b", &[2.0]), ("c", &[4.0]), ("d", &[7.0])]);
    let after = masked("0.5", &[("a", &[0.9]), ("b", &[1.7]), ("c", &[3.8]), ("d", &[6.8])]);
    for statistic in [Statistic::Mean, Statistic::Selected] {
        let change = after.minus(&before, statistic).unwrap();
        // Differences −0.1, −0.3, −0.2, −0.2: their mean ± 3.182446305 (t, 3 degrees of freedom) · sd / 2.
        let [low, high] = change.interval().unwrap();
        assert!((change.value + 0.2).abs() < 1e-12 && change.n == 4, "{change:?}");
        assert!((low + 0.329_922_826_362).abs() < 1e-9 && (high + 0.070_077_173_637).abs() < 1e-9, "{low} {high}");
        assert!(welch(&after, &before, statistic).half_width().unwrap() > 4.0);
    }
}

#[test]
fn spreads_and_medians_are_resampled_by_the_same_ensembles_under_both_masks() {
    let runs: Vec<[f64; 2]> = (0..9).map(|i| [f64::from(i), f64::from(i * i) / 4.0]).collect();
    let moved: Vec<[f64; 2]> = runs.iter().map(|[one, two]| [one + 0.5, two + 0.5]).collect();
    let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
    let of = |mask: &str, runs: &[[f64; 2]]| {
        let ensembles: Vec<(&str, &[f64])> = names.iter().zip(runs).map(|(name, runs)| (*name, &runs[..])).collect();
        masked(mask, &ensembles)
    };
    let (before, after) = (of("0.1", &runs), of("0.5", &moved));
    for (statistic, change) in [(Statistic::Sd, 0.0), (Statistic::Median, 0.5)] {
        let [low, high] = after.minus(&before, statistic).unwrap().interval().unwrap();
        assert!((low - change).abs() < 1e-9 && (high - change).abs() < 1e-9, "{statistic:?}: {low} to {high}");
    }
}

#[test]
fn ensembles_with_other_base_clusterings_are_never_paired() {
    let one = masked("0.1", &[("a", &[1.0]), ("b", &[2.0]), ("c", &[3.0])]);
    let others = [
        ("all others", masked("0.5", &[("d", &[0.9]), ("e", &[1.9]), ("f", &[2.9])])),
        ("one other", masked("0.5", &[("a", &[0.9]), ("b", &[1.9]), ("f", &[2.9])])),
        ("one more", masked("0.5", &[("a", &[0.9]), ("b", &[1.9]), ("c", &[2.9]), ("d", &[0.4])])),
        ("one less", masked("0.5", &[("a", &[0.9]), ("b", &[1.9])])),
        ("not known", RunSample { unmasked: BTreeMap::new(), ..masked("0.5", &[("a", &[0.9]), ("b", &[1.9])]) }),
    ];
    for (which, other) in &others {
        assert_eq!(one.minus(other, Statistic::Mean).unwrap(), welch(&one, other, Statistic::Mean), "{which}");
        assert_eq!(other.minus(&one, Statistic::Median).unwrap(), welch(other, &one, Statistic::Median), "{which}");
    }
}

#[test]
fn an_ensemble_that_is_there_under_two_masks_is_not_one_pair() {
    let mut twice = masked("0.1", &[("a", &[1.0]), ("b", &[2.0])]);
    let again = masked("0.2", &[("a", &[1.5])]);
    twice.runs.extend(again.runs);
    twice.unmasked.extend(again.unmasked);
    let other = masked("0.5", &[("a", &[0.9]), ("b", &[1.9])]);
    assert_eq!(twice.minus(&other, Statistic::Mean).unwrap(), welch(&twice, &other, Statistic::Mean));
}

#[test]
fn runs_on_one_ensemble_under_two_masks_start_anew_and_are_not_paired() {
    let before = masked("0.1", &[("a", &[1.0, 2.0, 3.0])]);
    let after = masked("0.5", &[("a", &[0.9, 1.9, 2.9])]);
    let change = after.minus(&before, Statistic::Mean).unwrap();
    assert_eq!(change, welch(&after, &before, Statistic::Mean));
    assert!(change.half_width().unwrap() > 1.0);
}

/// Two methods before and after a change, on ensembles of their own or shared.
fn methods(before: [&RunSample; 2], after: [&RunSample; 2]) -> Estimate {
    let [mine, theirs] = [0, 1].map(|method| SampleChange { minuend: before[method], subtrahend: after[method] });
    mine.excess_over(&theirs, Statistic::Mean).unwrap()
}

#[test]
fn losses_are_compared_on_each_ensemble_where_all_have_seen_the_same_ones() {
    let before = [
        masked("0.1", &[("a", &[10.0]), ("b", &[20.0]), ("c", &[40.0])]),
        masked("0.1", &[("a", &[12.0]), ("b", &[25.0]), ("c", &[41.0])]),
    ];
    // Labels are worth 1, 5 and 9 on these ensembles, to the second method 0.5, 0.6 and 0.7 more.
    let after = [
        masked("0.5", &[("a", &[9.0]), ("b", &[15.0]), ("c", &[31.0])]),
        masked("0.5", &[("a", &[10.5]), ("b", &[19.4]), ("c", &[31.3])]),
    ];
    let excess = methods(before.each_ref(), after.each_ref());
    let expected = Estimate::mean(&[-0.5, -0.6, -0.7]);
    assert!((excess.value - expected.value).abs() < 1e-9 && excess.n == 3, "{excess:?}");
    assert!((excess.half_width().unwrap() - expected.half_width().unwrap()).abs() < 1e-9, "{excess:?}");
    let [mine, theirs] = [0, 1].map(|method| before[method].minus(&after[method], Statistic::Mean).unwrap());
    assert!(mine.minus(&theirs).half_width().unwrap() > 20.0 * excess.half_width().unwrap());
}

#[test]
fn losses_on_different_ensembles_are_independent_and_each_is_paired() {
    let before = [
        masked("0.1", &[("a", &[10.0]), ("b", &[20.0])]),
        masked("0.1", &[("longer a", &[12.0]), ("longer b", &[25.0])]),
    ];
    let after = [
        masked("0.5", &[("a", &[9.0]), ("b", &[18.9])]),
        masked("0.5", &[("longer a", &[11.6]), ("longer b", &[24.5])]),
    ];
    let losses = [Estimate::mean(&[1.0, 1.1]), Estimate::mean(&[0.4, 0.5])];
    let (excess, expected) = (methods(before.each_ref(), after.each_ref()), losses[0].minus(&losses[1]));
    assert!((excess.value - expected.value).abs() < 1e-9, "{excess:?}");
    assert!((excess.half_width().unwrap() - expected.half_width().unwrap()).abs() < 1e-9, "{excess:?}");
}

#[test]
fn where_ensembles_are_new_at_each_end_methods_are_paired_at_each() {
    let before = [sample(&[("a", &[10.0]), ("b", &[20.0])]), sample(&[("a", &[11.0]), ("b", &[21.2])])];
    let after = [sample(&[("c", &[30.0]), ("d", &[50.0])]), sample(&[("c", &[30.5]), ("d", &[50.6])])];
    let excess = methods(before.each_ref(), after.each_ref());
    let expected = Estimate::mean(&[-1.0, -1.2]).minus(&Estimate::mean(&[-0.5, -0.6]));
    assert!((excess.value - expected.value).abs() < 1e-9, "{excess:?}");
    assert!((excess.half_width().unwrap() - expected.half_width().unwrap()).abs() < 1e-9, "{excess:?}");
}

#[test]
fn extremes_of_losses_are_compared_as_they_are() {
    let [one, two] = ["0.1", "0.5"].map(|mask| masked(mask, &[("a", &[1.0, 3.0]), ("b", &[2.0, 2.0])]));
    let change = SampleChange { minuend: &one, subtrahend: &two };
    let excess = change.excess_over(&change, Statistic::Max).unwrap();
    assert_eq!((excess.value, excess.shown_interval()), (0.0, None));
}

/// Ten ensembles under two masks: ensembles differ with standard deviation 1, what a mask does to one of them with 0.3.
/// The larger mask costs 0.2 on average.
fn simulated(rng: &mut Rng) -> [RunSample; 2] {
    let mut normal = || conclave_core::normal::standard_normal(rng);
    let values: Vec<[f64; 2]> = (0..10)
        .map(|_| {
            let ensemble = normal();
            [ensemble + 0.3 * normal(), ensemble - 0.2 + 0.3 * normal()]
        })
        .collect();
    let names: Vec<String> = (0..10).map(|index| format!("ensemble {index}")).collect();
    [0, 1].map(|mask| {
        let ensembles: Vec<(&str, &[f64])> =
            names.iter().zip(&values).map(|(name, values)| (name.as_str(), &values[mask..=mask])).collect();
        masked(&mask.to_string(), &ensembles)
    })
}

#[test]
fn paired_intervals_cover_the_truth_as_often_as_they_say_and_are_narrower() {
    let mut rng = Id::of("test", &[b"coverage"]).rng("samples");
    let rounds = 2000;
    let (mut covered, mut covered_unpaired, mut narrower) = (0, 0, 0);
    for _ in 0..rounds {
        let [before, after] = simulated(&mut rng);
        let (paired, unpaired) =
            (after.minus(&before, Statistic::Mean).unwrap(), welch(&after, &before, Statistic::Mean));
        let covers = |estimate: &Estimate| estimate.interval().is_some_and(|[low, high]| low <= -0.2 && -0.2 <= high);
        covered += usize::from(covers(&paired));
        covered_unpaired += usize::from(covers(&unpaired));
        narrower += usize::from(paired.half_width() < unpaired.half_width());
    }
    let share = |count: usize| count as f64 / f64::from(rounds);
    // Four standard errors of a share of 95 % in 2000 are 0.02.
    assert!((share(covered) - 0.95).abs() < 0.02, "{}", share(covered));
    assert!(share(covered_unpaired) > 0.99, "Welch's covers too often: {}", share(covered_unpaired));
    assert!(share(narrower) > 0.99, "{}", share(narrower));
}

#[test]
fn where_masks_are_all_there_is_to_chance_pairing_still_covers_the_truth() {
    // The other end: ensembles do not differ at all, and pairs share nothing. Pairing then costs degrees of freedom only.
    let mut rng = Id::of("test", &[b"no ensemble effect"]).rng("samples");
    let mut normal = || conclave_core::normal::standard_normal(&mut rng);
    let names: Vec<String> = (0..10).map(|index| format!("ensemble {index}")).collect();
    let rounds = 2000;
    let covered = (0..rounds).filter(|_| {
        let [one, two] = ["0.1", "0.5"].map(|mask| {
            let values: Vec<[f64; 1]> = names.iter().map(|_| [normal()]).collect();
            let ensembles: Vec<(&str, &[f64])> =
                names.iter().zip(&values).map(|(name, value)| (name.as_str(), &value[..])).collect();
            masked(mask, &ensembles)
        });
        one.minus(&two, Statistic::Mean).unwrap().interval().is_some_and(|[low, high]| low <= 0.0 && 0.0 <= high)
    });
    let share = covered.count() as f64 / f64::from(rounds);
    assert!((share - 0.95).abs() < 0.02, "{share}");
}
