use std::collections::BTreeMap;

use proptest::prelude::{Strategy, prop_assert, prop_assert_eq, prop_oneof, proptest};
use rand::RngExt;

use super::*;
use crate::consensus::Watch;
use crate::consensus::nbce::prior::PriorForm;
use crate::consensus::test_ensembles::{Planted, check_threads, combine, from_rows, rotated};
use crate::ensemble::tests::ensembles;
use crate::ensemble::{Ensemble, Labels, Partition};
use crate::metric::{Contingency, accuracy};
use crate::seed::Id;

const BETA: f64 = 0.4;

fn forms() -> impl Strategy<Value = PriorForm> {
    prop_oneof![proptest::strategy::Just(PriorForm::Tsb), proptest::strategy::Just(PriorForm::Fsd)]
}

fn prior(form: PriorForm, truncation: usize) -> Prior {
    Prior { form, truncation, alpha0: 0.8 }
}

fn defaults(form: PriorForm) -> Gibbs {
    let gibbs = Gibbs::new(&Params::defaults(INFO.parameters));
    let prior = Prior { form, ..gibbs.model.prior };
    Gibbs { model: NbceModel { prior, ..gibbs.model }, ..gibbs }
}

fn started(ensemble: &Ensemble, prior: Prior, seed: u64) -> (NbceChain<'_>, Rng) {
    let mut rng = Id::of("test", &[&seed.to_le_bytes()]).rng("chain");
    let mut chain = NbceChain::new(ensemble, prior, BETA).unwrap();
    chain.start(&mut rng, &Watch::default()).unwrap();
    (chain, rng)
}

/// The distinct row of every object in the order of the chain.
fn rows(ensemble: &Ensemble) -> Vec<usize> {
    let rows = ensemble.weights().iter().enumerate();
    rows.flat_map(|(row, &weight)| std::iter::repeat_n(row, weight as usize)).collect()
}

/// ln p(Y, Z): p(Z) as Eq. 4 prints it, with TSB's constant, and labels drawn one after another from Pólya's urns.
fn slow_log_joint(ensemble: &Ensemble, prior: &Prior, z: &[u32]) -> f64 {
    let Prior { alpha0, truncation, .. } = *prior;
    let size = |belongs: &dyn Fn(usize) -> bool| z.iter().filter(|&&k| belongs(k as usize)).count() as f64;
    let ln_gamma = statrs::function::gamma::ln_gamma;
    let of_assignments: f64 = match prior.form {
        PriorForm::Tsb => (0..truncation - 1)
            .map(|k| {
                let (own, above) = (size(&|other| other == k), size(&|other| other > k));
                alpha0.ln() + ln_gamma(1.0 + own) + ln_gamma(alpha0 + above) - ln_gamma(1.0 + alpha0 + own + above)
            })
            .sum(),
        PriorForm::Fsd => {
            let each = alpha0 / truncation as f64;
            let clusters = (0..truncation).map(|k| ln_gamma(each + size(&|other| other == k)) - ln_gamma(each));
            ln_gamma(alpha0) - ln_gamma(alpha0 + z.len() as f64) + clusters.sum::<f64>()
        }
    };
    let mut seen: BTreeMap<(u32, usize, u32), f64> = BTreeMap::new();
    let mut of_labels = Vec::new();
    for (row, &k) in rows(ensemble).into_iter().zip(z) {
        for (column, &code) in ensemble.row(row).iter().enumerate().filter(|(_, code)| **code != Labels::MISSING) {
            let arity = ensemble.arity()[column];
            let counts = |code: usize| seen.get(&(k, column, code as u32)).copied().unwrap_or(0.0);
            let total: f64 = (0..arity).map(|code| BETA + counts(code)).sum();
            of_labels.push(f64::ln((BETA + counts(code as usize)) / total));
            *seen.entry((k, column, code)).or_default() += 1.0;
        }
    }
    of_assignments + compensated(&of_labels)
}

/// A sum whose rounding error does not grow with the number of terms (Neumaier).
fn compensated(terms: &[f64]) -> f64 {
    let (mut sum, mut lost) = (0.0f64, 0.0);
    for &term in terms {
        let next = sum + term;
        lost += if sum.abs() >= term.abs() { (sum - next) + term } else { (term - next) + sum };
        sum = next;
    }
    sum + lost
}

proptest! {
    #[test]
    fn a_conditional_is_the_ratio_of_joints(
        ensemble in ensembles(), form in forms(), truncation in 1..9usize, sweeps in 0..3usize, seed: u64,
    ) {
        let (mut chain, mut rng) = started(&ensemble, prior(form, truncation), seed);
        (0..sweeps).for_each(|_| chain.sweep(&mut rng, &Watch::default()).unwrap());
        let object = rng.random_range(0..ensemble.objects());
        let own = chain.z[object] as usize;
        let mut z = chain.z.clone();
        let mut joint = |k: usize| {
            z[object] = u32::try_from(k).unwrap();
            slow_log_joint(&ensemble, &chain.prior, &z)
        };
        let here = joint(own);
        let expected: Vec<f64> = (0..truncation).map(|k| (joint(k) - here).exp()).collect();

        let weights = chain.weights_of(rows(&ensemble)[object], own);
        prop_assert!(weights.len() <= truncation + 1);
        for (k, weight) in weights.iter().enumerate() {
            let expected: f64 = if k + 1 == weights.len() { expected[k..].iter().sum() } else { expected[k] };
            let found = weight / weights[own];
            // A joint is a sum of some dozens of ln Γ of up to 10², each with an error of 10⁻¹⁵ of itself.
            prop_assert!((found - expected).abs() <= 1e-11 * expected, "{k}: {found} {expected}");
        }
    }

    #[test]
    fn what_is_kept_up_to_date_is_what_the_state_says(
        ensemble in ensembles(), form in forms(), truncation in 1..9usize, seed: u64,
    ) {
        let (mut chain, mut rng) = started(&ensemble, prior(form, truncation), seed);
        (0..10).for_each(|_| chain.sweep(&mut rng, &Watch::default()).unwrap());
        let mut recount = NbceChain::new(&ensemble, chain.prior, BETA).unwrap();
        for (row, &k) in rows(&ensemble).into_iter().zip(&chain.z) {
            recount.counts.add(recount.observed.row(row), k as usize);
            recount.sizes[k as usize] += 1.0;
            recount.end = recount.end.max(k as usize + 1);
        }
        prop_assert_eq!(&chain.counts, &recount.counts);
        prop_assert_eq!(&chain.sizes, &recount.sizes);
        prop_assert_eq!(chain.end, recount.end);
        let slow = slow_log_joint(&ensemble, &chain.prior, &chain.z);
        prop_assert!((chain.log_joint(None) - slow).abs() < 1e-9 * slow.abs().max(1.0), "{} {slow}", chain.log_joint(None));
    }

    /// What is kept of a chain is what the slow joint says of it, and at least as probable as the chain's own state; with
    /// α0 below 1 its clusters are in order of size, none of them empty.
    #[test]
    fn a_state_is_kept_with_its_clusters_in_the_most_probable_order(
        ensemble in ensembles(), form in forms(), truncation in 1..9usize, seed: u64,
    ) {
        let (mut chain, mut rng) = started(&ensemble, prior(form, truncation), seed);
        for _ in 0..5 {
            chain.sweep(&mut rng, &Watch::default()).unwrap();
            let mut kept = None;
            ChainState::keep(&mut kept, &chain, Concentration::Fixed);
            let kept = kept.unwrap();
            let slow = slow_log_joint(&ensemble, &chain.prior, &kept.z);
            prop_assert!((kept.log_joint - slow).abs() < 1e-9 * slow.abs().max(1.0), "{} {slow}", kept.log_joint);
            prop_assert!(kept.log_joint >= chain.log_joint(None));
            prop_assert_eq!(
                Partition::from_codes(&kept.z).by_first_object(), Partition::from_codes(&chain.z).by_first_object()
            );
            if form == PriorForm::Tsb {
                let clusters = kept.z.iter().max().map_or(0, |&last| last + 1);
                let sizes: Vec<usize> = (0..clusters).map(|k| kept.z.iter().filter(|&&z| z == k).count()).collect();
                prop_assert!(sizes.is_sorted_by(|one, next| one >= next) && *sizes.last().unwrap() > 0, "{sizes:?}");
            }
        }
    }

    #[test]
    fn permuting_the_objects_permutes_the_answer(ensemble in ensembles(), form in forms(), by in 1..40usize) {
        let method = Gibbs { sweeps: 5, burn_in: 2, ..defaults(form) };
        let mut labels = combine(&method, &ensemble, 3, 1).partition.labels().to_vec();
        labels.rotate_left(by % ensemble.objects());
        let of_rotated = combine(&method, &rotated(&ensemble, by), 3, 1).partition;
        prop_assert_eq!(of_rotated.labels(), labels);
    }

    #[test]
    fn perplexity_is_at_least_one(ensemble in ensembles(), form in forms(), seed: u64) {
        let method = Gibbs { sweeps: 5, burn_in: 2, ..defaults(form) };
        let evidence = combine(&method, &ensemble, 3, seed).predictive.unwrap().evidence(&ensemble);
        let observed = (ensemble.objects() * ensemble.columns() - ensemble.missing()) as f64;
        prop_assert!((-evidence.log_probability / observed).exp() >= 1.0, "{evidence:?}");
    }

    #[test]
    fn another_beta_is_the_beta_it_was_weighed_with(ensemble in ensembles(), beta in 0.01..5.0f64, seed: u64) {
        let (mut chain, _) = started(&ensemble, prior(PriorForm::Fsd, 8), seed);
        let expected = chain.counts.log_probability_at(beta, chain.end);
        chain.counts.set_beta(beta);
        let found = chain.counts.log_probability(chain.end);
        prop_assert!((found - expected).abs() < 1e-9 * expected.abs().max(1.0), "{found} {expected}");
    }
}

/// Six objects, three of them alike, in at most three clusters: 729 states, which a long chain must visit as often as
/// they are probable. The clusters of FSD have no names, so there partitions are counted.
#[test]
fn long_run_frequencies_are_the_exact_posterior() {
    let ensemble = from_rows(&[[0, 0, 1], [0, 0, 1], [0, 0, 1], [0, 1, -1], [1, 1, 0], [1, -1, 0]]);
    for form in [PriorForm::Tsb, PriorForm::Fsd] {
        let prior = prior(form, 3);
        let name = |z: &[u32]| match form {
            PriorForm::Tsb => z.to_vec(),
            PriorForm::Fsd => Partition::from_codes(z).by_first_object().labels().to_vec(),
        };
        let mut expected: BTreeMap<Vec<u32>, f64> = BTreeMap::new();
        for code in 0..729u32 {
            let z: Vec<u32> = (0..6).map(|n| code / 3u32.pow(n) % 3).collect();
            *expected.entry(name(&z)).or_default() += slow_log_joint(&ensemble, &prior, &z).exp();
        }
        let total: f64 = expected.values().sum();
        let (mut chain, mut rng) = started(&ensemble, prior, 3);
        let mut seen: BTreeMap<Vec<u32>, f64> = BTreeMap::new();
        let draws = 40_000;
        for _ in 0..draws {
            (0..10).for_each(|_| chain.sweep(&mut rng, &Watch::default()).unwrap());
            *seen.entry(name(&chain.z)).or_default() += 1.0;
        }
        // States expected fewer than ten times are counted together.
        let (mut chi_square, mut freedom, mut rare) = (0.0, 0.0f64, (0.0, 0.0));
        for (state, joint) in &expected {
            let (often, count) = (joint / total * f64::from(draws), seen.get(state).copied().unwrap_or(0.0));
            if often < 10.0 {
                rare = (rare.0 + often, rare.1 + count);
            } else {
                chi_square += (count - often).powi(2) / often;
                freedom += 1.0;
            }
        }
        chi_square += if rare.0 > 0.0 { (rare.1 - rare.0).powi(2) / rare.0 } else { 0.0 };
        // Wilson and Hilferty's quantile: exceeded once in a thousand chains.
        let limit = freedom * (1.0 - 2.0 / (9.0 * freedom) + 3.09 * (2.0 / (9.0 * freedom)).sqrt()).powi(3);
        assert!(freedom > 20.0 && chi_square < limit, "{form:?}: {chi_square} on {freedom}, limit {limit}");
    }
}

#[test]
fn four_noisy_clusters_are_found_untold() {
    for form in [PriorForm::Tsb, PriorForm::Fsd] {
        for (seed, concentration) in
            [(0, Concentration::Fixed), (1, Concentration::Fixed), (2, Concentration::Estimated)]
        {
            let (ensemble, truth) = Planted { objects: 400, ..Planted::new(4, seed) }.make();
            let gibbs = defaults(form);
            let gibbs = Gibbs { sweeps: 50, model: NbceModel { concentration, ..gibbs.model }, ..gibbs };
            let found = combine(&gibbs, &ensemble, 4, seed).partition;
            let sizes = (0..found.clusters()).map(|k| found.labels().iter().filter(|&&l| l as usize == k).count());
            let substantial = sizes.filter(|&size| size >= 20).count();
            let accuracy = accuracy(&Contingency::new(&found, &truth));
            assert!(substantial == 4 && accuracy >= 0.98, "{form:?} {seed}: {substantial} {accuracy}");
        }
    }
}

/// The first objects of such clusters look alike to a large β; once they share a cluster, no sweep takes it apart.
#[test]
fn many_clear_clusters_are_not_merged_by_the_start() {
    for form in [PriorForm::Tsb, PriorForm::Fsd] {
        for seed in 0..4 {
            let (ensemble, truth) = Planted { objects: 800, noise: 0.02, ..Planted::new(8, seed) }.make();
            let found = combine(&Gibbs { sweeps: 5, burn_in: 10, restarts: 1, ..defaults(form) }, &ensemble, 8, seed);
            assert_eq!(found.partition.by_first_object(), truth, "{form:?} {seed}");
        }
    }
}

/// Names of labels decide in what order the chain goes, so states differ; a clear answer does not.
#[test]
fn renaming_the_labels_changes_no_clear_answer() {
    let (ensemble, _) = Planted { noise: 0.05, ..Planted::new(3, 2) }.make();
    let renamed: Vec<Labels> = (0..ensemble.columns())
        .map(|column| Labels::from_codes(ensemble.column(column).codes().iter().map(|code| (5 - code) % 3).collect()))
        .collect();
    let renamed = Ensemble::from_columns(&renamed).unwrap();
    for info in [&super::super::GIBBS, &super::super::VB, &super::super::CVB] {
        let method = info.make_default();
        let [a, b] = [&ensemble, &renamed].map(|ensemble| combine(method.as_ref(), ensemble, 3, 4));
        assert_eq!(a.partition.by_first_object(), b.partition.by_first_object(), "{}", info.name);
    }
}

/// Two base clusterings of two and three labels: the probabilities of their six rows, and of those with gaps, add up.
#[test]
fn the_predictive_probabilities_of_all_label_rows_sum_to_one() {
    let all = from_rows(&[[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2], [0, -1], [1, -1]]);
    for form in [PriorForm::Tsb, PriorForm::Fsd] {
        let predictive = combine(&defaults(form), &all, 2, 1).predictive.unwrap();
        let probability = |object| predictive.evidence(&all.of_objects(&[object])).log_probability.exp();
        let probabilities: Vec<f64> = (0..8).map(probability).collect();
        assert!((probabilities[..6].iter().sum::<f64>() - 1.0).abs() < 1e-12, "{probabilities:?}");
        assert!((probabilities[..3].iter().sum::<f64>() - probabilities[6]).abs() < 1e-12);
        assert!((probabilities[3..6].iter().sum::<f64>() - probabilities[7]).abs() < 1e-12);
    }
}

#[test]
fn odd_inputs_and_many_threads() {
    let identical = from_rows(&[[0, 0]; 12]);
    let single = from_rows(&[[0], [1], [2], [1], [0]]);
    let unlabelled = from_rows(&[[0, 0], [-1, -1], [1, 1], [-1, -1], [0, -1], [-1, 1]]);
    let lone = from_rows(&[[0, 0, 0]]);
    for form in [PriorForm::Tsb, PriorForm::Fsd] {
        let gibbs = Gibbs { sweeps: 20, burn_in: 5, ..defaults(form) };
        for ensemble in [&identical, &single, &unlabelled, &lone] {
            for truncation in [1, 2, 40] {
                let prior = Prior { truncation, ..gibbs.model.prior };
                let concentration = Concentration::Estimated;
                let solution = combine(
                    &Gibbs { model: NbceModel { prior, concentration, ..gibbs.model }, ..gibbs },
                    ensemble,
                    1,
                    1,
                );
                assert!((1..=truncation).contains(&solution.partition.clusters()));
                assert!(solution.objective.unwrap().value.is_finite());
                let memberships = solution.memberships.unwrap();
                for (object, &label) in solution.partition.labels().iter().enumerate() {
                    let of_object = memberships.object(object);
                    assert!((of_object.iter().sum::<f64>() - 1.0).abs() < 1e-12);
                    assert!(of_object.iter().all(|&share| share <= of_object[label as usize]));
                }
            }
        }
        check_threads(&gibbs);
    }
}
