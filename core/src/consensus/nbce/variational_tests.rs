use proptest::prelude::{Just, Strategy, prop_assert, prop_assert_eq, prop_oneof, proptest};
use rand::RngExt;

use super::*;
use crate::consensus::Watch;
use crate::consensus::nbce::Concentration;
use crate::consensus::nbce::prior::Prior;
use crate::consensus::test_ensembles::{Planted, check_threads, combine, from_rows, rotated};
use crate::ensemble::tests::ensembles;
use crate::ensemble::{Ensemble, Labels};
use crate::metric::{Contingency, accuracy};
use crate::seed::Id;
use crate::special::{digamma, ln_gamma};

const ENDLESS: Limits = Limits { iterations: 30, tolerance: 0.0 };

fn model(form: PriorForm, truncation: usize, concentration: Concentration) -> NbceModel {
    NbceModel { prior: Prior { form, truncation, alpha0: 0.8 }, beta: 0.4, concentration }
}

fn forms() -> impl Strategy<Value = PriorForm> {
    prop_oneof![Just(PriorForm::Tsb), Just(PriorForm::Fsd)]
}

fn concentrations() -> impl Strategy<Value = Concentration> {
    prop_oneof![Just(Concentration::Fixed), Just(Concentration::Estimated)]
}

/// Rules with a prior that each is for.
fn rules() -> impl Strategy<Value = (UpdateRule, PriorForm)> {
    prop_oneof![
        Just((UpdateRule::Derived, PriorForm::Fsd)),
        Just((UpdateRule::Paper, PriorForm::Fsd)),
        Just((UpdateRule::Collapsed, PriorForm::Fsd)),
        Just((UpdateRule::Collapsed, PriorForm::Tsb)),
    ]
}

/// Random responsibilities of four components.
fn random<'a>(ensemble: &'a Ensemble, model: NbceModel, seed: u64) -> Responsibilities<'a> {
    let mut rng = Id::of("test", &[&seed.to_le_bytes()]).rng("start");
    let mut gamma: Vec<f64> = (0..ensemble.rows() * 4).map(|_| 0.01 + rng.random::<f64>()).collect();
    for gamma in gamma.chunks_exact_mut(4) {
        let sum: f64 = gamma.iter().sum();
        gamma.iter_mut().for_each(|gamma| *gamma /= sum);
    }
    Responsibilities::new(ensemble, model, gamma)
}

/// γ and labels of every object.
fn objects<'a>(run: &'a Responsibilities, ensemble: &'a Ensemble) -> impl Iterator<Item = (&'a [f64], &'a [u32])> {
    ensemble.row_of().iter().map(|&row| {
        let gamma = &run.gamma[row as usize * run.components..][..run.components];
        (gamma, ensemble.row(row as usize))
    })
}

/// E[ln x] of the parts of a Dirichlet, and E[ln p − ln q] for a prior p and a posterior q of that family.
fn dirichlet(prior: &[f64], posterior: &[f64]) -> (Vec<f64>, f64) {
    let log_normaliser = |a: &[f64]| ln_gamma(a.iter().sum()) - a.iter().map(|&a| ln_gamma(a)).sum::<f64>();
    let total = digamma(posterior.iter().sum());
    let expected: Vec<f64> = posterior.iter().map(|&a| digamma(a) - total).collect();
    let difference: f64 = (prior.iter().zip(posterior).zip(&expected)).map(|((p, q), log)| (p - q) * log).sum();
    (expected, log_normaliser(prior) - log_normaliser(posterior) + difference)
}

/// Eq. 7 written out object by object, with q(π), or q(v) for TSB, and q(θ) in full.
fn slow_bound(run: &Responsibilities, ensemble: &Ensemble) -> f64 {
    let NbceModel { prior: Prior { form, truncation, alpha0 }, beta, .. } = run.model;
    let gamma = |gamma: &[f64], k: usize| gamma.get(k).copied().unwrap_or(0.0);
    let sizes: Vec<f64> = (0..truncation).map(|k| objects(run, ensemble).map(|(g, _)| gamma(g, k)).sum()).collect();
    let mut bound = 0.0;
    let log_pi: Vec<f64> = match form {
        PriorForm::Fsd => {
            let each = alpha0 / truncation as f64;
            let xi: Vec<f64> = sizes.iter().map(|size| each + size).collect();
            let (log_pi, difference) = dirichlet(&vec![each; truncation], &xi);
            bound += difference;
            log_pi
        }
        PriorForm::Tsb => {
            let mut before = 0.0;
            let mut log_pi = Vec::new();
            for k in 0..truncation - 1 {
                let (logs, difference) =
                    dirichlet(&[1.0, alpha0], &[1.0 + sizes[k], alpha0 + sizes[k + 1..].iter().sum::<f64>()]);
                bound += difference;
                log_pi.push(before + logs[0]);
                before += logs[1];
            }
            log_pi.push(before);
            log_pi
        }
    };
    for (g, _) in objects(run, ensemble) {
        let occurring = (0..truncation).filter(|&k| gamma(g, k) > 0.0);
        bound += occurring.map(|k| gamma(g, k) * (log_pi[k] - gamma(g, k).ln())).sum::<f64>();
    }
    for (column, &arity) in ensemble.arity().iter().enumerate() {
        for k in 0..truncation {
            let mut rho = vec![beta; arity];
            let labelled = || objects(run, ensemble).filter(|(_, row)| row[column] != Labels::MISSING);
            labelled().for_each(|(g, row)| rho[row[column] as usize] += gamma(g, k));
            let (log_theta, difference) = dirichlet(&vec![beta; arity], &rho);
            bound += difference;
            bound += labelled().map(|(g, row)| gamma(g, k) * log_theta[row[column] as usize]).sum::<f64>();
        }
    }
    bound
}

proptest! {
    #[test]
    fn the_bound_equals_the_slow_oracle(ensemble in ensembles(), form in forms(), truncation in 4..7usize, seed: u64) {
        let run = random(&ensemble, model(form, truncation, Concentration::Fixed), seed);
        let slow = slow_bound(&run, &ensemble);
        prop_assert!((run.bound() - slow).abs() < 1e-9 * slow.abs().max(1.0), "{} {slow}", run.bound());
    }

    #[test]
    fn the_bound_never_falls(ensemble in ensembles(), concentration in concentrations(), seed: u64) {
        let mut run = random(&ensemble, model(PriorForm::Fsd, 6, concentration), seed);
        let mut trace = vec![run.bound()];
        run.fit(UpdateRule::Derived, ENDLESS, &Watch::default(), |run| trace.push(run.bound())).unwrap();
        for pair in trace.windows(2) {
            prop_assert!(pair[1] >= pair[0] - 1e-9 * pair[0].abs().max(1.0), "{trace:?}");
        }
    }

    #[test]
    fn distinct_rows_and_expanded_rows_give_the_same_fit(
        ensemble in ensembles(), (rule, form) in rules(), concentration in concentrations(), seed: u64,
    ) {
        let model = model(form, 6, concentration);
        let mut compressed = random(&ensemble, model, seed);
        let expanded = ensemble.expanded();
        let gamma = objects(&compressed, &ensemble).flat_map(|(gamma, _)| gamma.to_vec()).collect();
        let mut expanded = Responsibilities::new(&expanded, model, gamma);
        let limits = Limits { iterations: 8, ..ENDLESS };
        compressed.fit(rule, limits, &Watch::default(), |_| ()).unwrap();
        expanded.fit(rule, limits, &Watch::default(), |_| ()).unwrap();
        let (a, b) = (compressed.bound(), expanded.bound());
        prop_assert!((a - b).abs() < 1e-7 * a.abs().max(1.0), "{a} {b}");
    }

    /// Eq. 10–11 for every object by itself, counts taken from scratch and with plain products.
    #[test]
    fn a_collapsed_update_is_the_conditional_at_expected_counts(ensemble in ensembles(), form in forms(), seed: u64) {
        let model = model(form, 6, Concentration::Fixed);
        let mut run = random(&ensemble, model, seed);
        let before = run.clone();
        run.fit(UpdateRule::Collapsed, Limits { iterations: 1, ..ENDLESS }, &Watch::default(), |_| ()).unwrap();
        let all: Vec<(&[f64], &[u32])> = objects(&before, &ensemble).collect();
        for (n, (updated, row)) in objects(&run, &ensemble).enumerate() {
            let others = || all.iter().enumerate().filter(|(other, _)| *other != n).map(|(_, object)| object);
            let sizes: Vec<f64> = (0..4).map(|k| others().map(|(gamma, _)| gamma[k]).sum()).collect();
            let mut weights = vec![0.0; 4];
            model.prior.conditional(&sizes, &mut weights);
            for (k, weight) in weights.iter_mut().enumerate() {
                for (m, &code) in row.iter().enumerate().filter(|(_, code)| **code != Labels::MISSING) {
                    let labelled = || others().filter(|(_, row)| row[m] != Labels::MISSING);
                    let of_column: f64 = labelled().map(|(gamma, _)| gamma[k]).sum();
                    let of_label: f64 = labelled().filter(|(_, row)| row[m] == code).map(|(gamma, _)| gamma[k]).sum();
                    *weight *= (model.beta + of_label) / (ensemble.arity()[m] as f64 * model.beta + of_column);
                }
            }
            let sum: f64 = weights.iter().sum();
            for (weight, gamma) in weights.iter().zip(updated) {
                prop_assert!((weight / sum - gamma).abs() < 1e-10, "{} {gamma}", weight / sum);
            }
        }
    }

    #[test]
    fn permuting_the_objects_permutes_the_answer_and_perplexity_is_at_least_one(
        ensemble in ensembles(), (rule, form) in rules(), by in 1..40usize,
    ) {
        let method = Variational { rule, merging: Merging::Greedy, restarts: 2, limits: ENDLESS, model: model(form, 20, Concentration::Fixed) };
        let solution = combine(&method, &ensemble, 3, 1);
        let mut labels = solution.partition.labels().to_vec();
        labels.rotate_left(by % ensemble.objects());
        let of_rotated = combine(&method, &rotated(&ensemble, by), 3, 1).partition;
        prop_assert_eq!(of_rotated.labels(), labels);
        prop_assert!(solution.predictive.unwrap().evidence(&ensemble).log_probability <= 0.0);
    }
}

/// Five objects in at most three clusters: ln p(Y) is a sum over 243 assignments, which no bound may exceed.
#[test]
fn the_bound_is_a_bound() {
    let ensemble = from_rows(&[[0, 0], [0, 0], [0, 1], [1, 1], [1, -1]]);
    for (rule, form) in [
        (UpdateRule::Derived, PriorForm::Fsd),
        (UpdateRule::Paper, PriorForm::Fsd),
        (UpdateRule::Collapsed, PriorForm::Tsb),
    ] {
        let model = model(form, 3, Concentration::Fixed);
        let joint = |code: usize| {
            let mut gamma = vec![0.0; 15];
            (0..5).for_each(|n| gamma[n * 3 + code / 3usize.pow(u32::try_from(n).unwrap()) % 3] = 1.0);
            // At certain assignments the bound is ln p(Y, Z).
            Responsibilities::new(&ensemble.expanded(), model, gamma).bound().exp()
        };
        let evidence = (0..243).map(joint).sum::<f64>().ln();
        for seed in 0..5 {
            let mut rng = Id::of("test", &[&u64::to_le_bytes(seed)]).rng("start");
            let mut run = Responsibilities::start(&ensemble, model, &mut rng, &Watch::default()).unwrap();
            run.fit(rule, ENDLESS, &Watch::default(), |_| ()).unwrap();
            assert!(run.bound() < evidence && run.bound() > evidence - 5.0, "{rule:?}: {} {evidence}", run.bound());
        }
    }
}

#[test]
fn four_noisy_clusters_are_found_untold() {
    for info in [&VB, &CVB] {
        for seed in 0..3 {
            let (ensemble, truth) = Planted { objects: 400, ..Planted::new(4, seed) }.make();
            let method = info.make_default();
            let solution = combine(method.as_ref(), &ensemble, 4, seed);
            let found = solution.partition;
            let sizes = (0..found.clusters()).map(|k| found.labels().iter().filter(|&&l| l as usize == k).count());
            let substantial = sizes.filter(|&size| size >= 20).count();
            let accuracy = accuracy(&Contingency::new(&found, &truth));
            assert!(substantial == 4 && accuracy >= 0.98, "{} {seed}: {substantial} {accuracy}", info.name);
            assert!(solution.converged);
        }
    }
}

#[test]
fn the_predictive_probabilities_of_all_label_rows_sum_to_one() {
    let all = from_rows(&[[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]]);
    for info in [&VB, &CVB] {
        let method = info.make_default();
        let predictive = combine(method.as_ref(), &all, 2, 1).predictive.unwrap();
        let probability = |object| predictive.evidence(&all.of_objects(&[object])).log_probability.exp();
        let sum: f64 = (0..6).map(probability).sum();
        assert!((sum - 1.0).abs() < 1e-12, "{}: {sum}", info.name);
    }
}

#[test]
fn odd_inputs_and_many_threads() {
    let identical = from_rows(&[[0, 0]; 12]);
    let single = from_rows(&[[0], [1], [2], [1], [0]]);
    let unlabelled = from_rows(&[[0, 0], [-1, -1], [1, 1], [-1, -1], [0, -1], [-1, 1]]);
    let lone = from_rows(&[[0, 0, 0]]);
    for (rule, form) in [
        (UpdateRule::Derived, PriorForm::Fsd),
        (UpdateRule::Paper, PriorForm::Fsd),
        (UpdateRule::Collapsed, PriorForm::Tsb),
    ] {
        for truncation in [1, 2, 40] {
            let model = model(form, truncation, Concentration::Estimated);
            let method = Variational { rule, merging: Merging::Greedy, restarts: 3, limits: ENDLESS, model };
            for ensemble in [&identical, &single, &unlabelled, &lone] {
                let solution = combine(&method, ensemble, 1, 1);
                assert!((1..=truncation).contains(&solution.partition.clusters()));
                assert!(solution.objective.unwrap().value.is_finite());
                let memberships = solution.memberships.unwrap();
                for object in 0..ensemble.objects() {
                    assert!((memberships.object(object).iter().sum::<f64>() - 1.0).abs() < 1e-12);
                }
            }
        }
        let model = model(form, 20, Concentration::Fixed);
        check_threads(&Variational { rule, merging: Merging::Greedy, restarts: 1, limits: ENDLESS, model });
    }
}
