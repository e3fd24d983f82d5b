use proptest::prelude::*;

use super::super::test_ensembles::{Planted, check_odd_inputs, check_threads, combine, rotated};
use super::beta::SMOOTHING;
use super::*;
use crate::consensus::{Memberships, Watch};
use crate::ensemble::tests::ensembles;
use crate::ensemble::{Ensemble, Labels, Partition};
use crate::params::Value;
use crate::seed::Id;
use crate::special::{digamma, ln_gamma};
use crate::threads::Threads;

fn method(changes: &[(&Parameter, Value)]) -> Box<dyn Consensus> {
    let mut params = Params::defaults(INFO.parameters);
    changes.iter().for_each(|(parameter, value)| params.set(parameter, value.clone()));
    INFO.make(&params)
}

fn usual() -> Box<dyn Consensus> {
    method(&[])
}

fn paper() -> Box<dyn Consensus> {
    method(&[(&PRESET, Value::Text("paper")), (&RESTARTS, Value::Integer(1))])
}

fn rules(iterations: usize, inner: usize) -> Rules {
    Rules {
        iterations,
        stop: Stop::BetaChange(0.0),
        inner: Inner { iterations: inner, tolerance: 0.0 },
        steps: NewtonSteps::Uphill,
        draw: BetaDraw::Uniform,
    }
}

fn started(ensemble: &Ensemble, clusters: usize, seed: u64) -> BceParameters {
    let mut parameters = BceParameters::new(ensemble.arity(), clusters);
    parameters.randomise(BetaDraw::Uniform, &mut Id::of("test", &[&seed.to_le_bytes()]).rng("start"));
    parameters
}

/// An E-step that notes the bound and Σ ln β.
struct Traced {
    rows: BceRows,
    inner: Inner,
    seen: Vec<(f64, f64)>,
}

impl Expectation for Traced {
    type Error = Halt;

    fn expect(&mut self, parameters: &BceParameters, sums: &mut Sums) -> Result<(), Halt> {
        self.rows.expect(parameters, self.inner, &Watch::default(), sums)?;
        self.add_bound(parameters, sums);
        let logs = (0..parameters.beta.labels()).flat_map(|label| parameters.beta.label(label)).map(|beta| beta.ln());
        self.seen.push((parameters.lower_bound(sums), logs.sum()));
        Ok(())
    }

    fn add_bound(&mut self, parameters: &BceParameters, sums: &mut Sums) {
        sums.bound = self.rows.bound(parameters, &Threads::default());
    }
}

/// EM from these parameters; the trace of the bound and of Σ ln β, and γ of every object.
fn trace(
    ensemble: &Ensemble,
    mut parameters: BceParameters,
    rules: &Rules,
) -> (Vec<(f64, f64)>, Vec<f64>, BceParameters) {
    let mut rows = BceRows::of(ensemble, parameters.alpha.len());
    let mut sums = Sums::until(rules.stop, &parameters.beta);
    rows.restart(&parameters.alpha);
    let mut steps = Traced { rows, inner: rules.inner, seen: Vec::new() };
    fit::fit(&mut parameters, &mut sums, rules, &mut steps).unwrap();
    let Traced { rows, seen, .. } = steps;
    let gamma: Vec<&[f64]> = rows.gamma().collect();
    let of_objects = ensemble.row_of().iter().flat_map(|&row| gamma[row as usize].to_vec()).collect();
    (seen, of_objects, parameters)
}

/// Object by object, φ stored, every term of L(γ, φ; α, β) written out as in the paper.
struct Oracle {
    alpha: Vec<f64>,
    /// β by column, label, component.
    beta: Vec<Vec<Vec<f64>>>,
    gamma: Vec<Vec<f64>>,
    /// φ by object and column; `None` where the label is missing.
    phi: Vec<Vec<Option<Vec<f64>>>>,
    labels: Vec<Vec<Option<usize>>>,
}

impl Oracle {
    fn new(ensemble: &Ensemble, parameters: &BceParameters) -> Self {
        let clusters = parameters.alpha.len();
        let known = |code: &u32| (*code != Labels::MISSING).then_some(*code as usize);
        let objects = ensemble.row_of().iter().map(|&row| ensemble.row(row as usize).iter().map(known).collect());
        let labels: Vec<Vec<Option<usize>>> = objects.collect();
        let columns = parameters.beta.columns().iter().cloned();
        let gamma = labels.iter().map(|row| {
            let observed = row.iter().flatten().count() as f64;
            parameters.alpha.iter().map(|alpha| alpha + observed / clusters as f64).collect()
        });
        Self {
            alpha: parameters.alpha.clone(),
            beta: columns.map(|column| column.map(|label| parameters.beta.label(label).to_vec()).collect()).collect(),
            gamma: gamma.collect(),
            phi: labels.iter().map(|row| vec![None; row.len()]).collect(),
            labels,
        }
    }

    fn expect(&mut self, inner: usize) {
        for (object, row) in self.labels.iter().enumerate() {
            for _ in 0..inner {
                let mut gamma = self.alpha.clone();
                for (column, label) in row.iter().enumerate() {
                    let Some(label) = *label else { continue };
                    let beta = &self.beta[column][label];
                    let mut phi: Vec<f64> =
                        self.gamma[object].iter().zip(beta).map(|(g, b)| digamma(*g).exp() * b).collect();
                    let total: f64 = phi.iter().sum();
                    phi.iter_mut().for_each(|value| *value /= total);
                    gamma.iter_mut().zip(&phi).for_each(|(sum, value)| *sum += value);
                    self.phi[object][column] = Some(phi);
                }
                self.gamma[object] = gamma;
            }
        }
    }

    fn maximise(&mut self) {
        let clusters = self.alpha.len();
        for (column, beta) in self.beta.iter_mut().enumerate() {
            let mut counts = vec![vec![SMOOTHING; clusters]; beta.len()];
            for (row, phi) in self.labels.iter().zip(&self.phi) {
                if let (Some(label), Some(phi)) = (row[column], &phi[column]) {
                    counts[label].iter_mut().zip(phi).for_each(|(sum, value)| *sum += value);
                }
            }
            for h in 0..clusters {
                let total: f64 = counts.iter().map(|label| label[h]).sum();
                beta.iter_mut().zip(&counts).for_each(|(beta, count)| beta[h] = count[h] / total);
            }
        }
        let sums = |h: usize| self.gamma.iter().map(|gamma| digamma(gamma[h])).sum();
        let lambda: Vec<f64> = (0..clusters).map(sums).collect();
        let omega = self.gamma.iter().map(|gamma| digamma(gamma.iter().sum())).sum();
        let statistic = alpha::AlphaStatistic { objects: self.labels.len() as f64, lambda: &lambda, omega };
        statistic.maximise(&mut self.alpha, NewtonSteps::Uphill);
    }

    fn lower_bound(&self) -> f64 {
        let objects = self.gamma.iter().zip(&self.phi).zip(&self.labels);
        objects.map(|((gamma, phi), labels)| self.bound_of(gamma, phi, labels)).sum()
    }

    fn bound_of(&self, gamma: &[f64], phi: &[Option<Vec<f64>>], labels: &[Option<usize>]) -> f64 {
        let expected: Vec<f64> = gamma.iter().map(|g| digamma(*g) - digamma(gamma.iter().sum())).collect();
        let log_dirichlet = |parameter: &[f64]| {
            let powers: f64 = parameter.iter().zip(&expected).map(|(a, e)| (a - 1.0) * e).sum();
            ln_gamma(parameter.iter().sum()) - parameter.iter().map(|&a| ln_gamma(a)).sum::<f64>() + powers
        };
        let mut bound = log_dirichlet(&self.alpha) - log_dirichlet(gamma);
        for (column, label) in labels.iter().enumerate() {
            if let (Some(label), Some(phi)) = (label, &phi[column]) {
                for h in (0..gamma.len()).filter(|&h| phi[h] > 0.0) {
                    bound += phi[h] * (expected[h] + self.beta[column][*label][h].ln() - phi[h].ln());
                }
            }
        }
        bound
    }
}

proptest! {
    #[test]
    fn the_lower_bound_falls_by_no_more_than_the_smoothing_explains(
        ensemble in ensembles(), clusters in 1..6usize, seed: u64, inner in 1..8usize,
    ) {
        let (seen, ..) = trace(&ensemble, started(&ensemble, clusters, seed), &rules(60, inner));
        for pair in seen.windows(2) {
            let [before, after] = [pair[0], pair[1]].map(|(bound, logs)| bound + SMOOTHING * logs);
            prop_assert!(after >= before - 1e-9 * before.abs().max(1.0), "{seen:?}");
        }
    }

    #[test]
    fn bound_and_gamma_equal_the_oracle_that_stores_phi(
        ensemble in ensembles(), clusters in 1..6usize, seed: u64, inner in 1..4usize,
    ) {
        let start = started(&ensemble, clusters, seed);
        let mut oracle = Oracle::new(&ensemble, &start);
        let (seen, gamma, parameters) = trace(&ensemble, start, &rules(12, inner));
        for (step, (bound, _)) in seen.iter().enumerate() {
            if step > 0 {
                oracle.maximise();
            }
            oracle.expect(inner);
            let slow = oracle.lower_bound();
            prop_assert!((slow - bound).abs() <= 1e-8 * slow.abs().max(1.0), "step {step}: {slow} {bound}");
        }
        for (fast, slow) in gamma.iter().zip(oracle.gamma.iter().flatten()) {
            prop_assert!((fast - slow).abs() <= 1e-7 * slow.max(1.0), "{fast} {slow}");
        }
        for (fast, slow) in parameters.alpha.iter().zip(&oracle.alpha) {
            prop_assert!((fast - slow).abs() <= 1e-6 * slow.max(1e-3), "{fast} {slow}");
        }
    }

    #[test]
    fn distinct_rows_and_expanded_rows_give_the_same_fit(ensemble in ensembles(), clusters in 1..6usize, seed: u64) {
        let expanded = ensemble.expanded();
        let [one, two] =
            [&ensemble, &expanded].map(|ensemble| trace(ensemble, started(ensemble, clusters, seed), &rules(20, 5)));
        for ((a, _), (b, _)) in one.0.iter().zip(&two.0) {
            prop_assert!((a - b).abs() <= 1e-9 * a.abs().max(1.0));
        }
        for (a, b) in one.1.iter().zip(&two.1) {
            prop_assert!((a - b).abs() <= 1e-7 * a.max(1.0), "{a} {b}");
        }
    }

    #[test]
    fn renaming_labels_and_components_and_permuting_objects_permutes_the_fit(
        ensemble in ensembles(), clusters in 1..5usize, seed: u64, by in 0..40usize,
    ) {
        // The last label of every column becomes the first, component h becomes h + 1, object i becomes i − by.
        let turned = |column: usize| {
            let arity = ensemble.arity()[column] as u32;
            let turn = |&code: &u32| if code == Labels::MISSING { code } else { (code + 1) % arity };
            Labels::from_codes(ensemble.column(column).codes().iter().map(turn).collect())
        };
        let renamed = Ensemble::from_columns(&(0..ensemble.columns()).map(turned).collect::<Vec<_>>()).unwrap();
        let renamed = rotated(&renamed, by);
        let start = started(&ensemble, clusters, seed);
        let mut permuted = start.clone();
        permuted.alpha.rotate_right(1);
        for column in start.beta.columns() {
            for label in column.clone() {
                let renamed_label = column.start + (label - column.start + 1) % column.len();
                permuted.beta.label_mut(renamed_label).copy_from_slice(start.beta.label(label));
                permuted.beta.label_mut(renamed_label).rotate_right(1);
            }
        }
        let (one, two) = (trace(&ensemble, start, &rules(15, 5)), trace(&renamed, permuted, &rules(15, 5)));
        for ((a, _), (b, _)) in one.0.iter().zip(&two.0) {
            prop_assert!((a - b).abs() <= 1e-9 * a.abs().max(1.0));
        }
        for object in 0..ensemble.objects() {
            let original = (object + by) % ensemble.objects();
            for h in 0..clusters {
                let a = one.1[original * clusters + h];
                let b = two.1[object * clusters + (h + 1) % clusters];
                prop_assert!((a - b).abs() <= 1e-7 * a.max(1.0), "{a} {b}");
            }
        }
    }
}

/// Share of objects in the right cluster under the best matching, tried out one by one.
fn accuracy(found: &Partition, truth: &Partition) -> f64 {
    fn best(table: &[Vec<usize>], cluster: usize, taken: &mut Vec<usize>) -> usize {
        let Some(row) = table.get(cluster) else { return 0 };
        let mut most = best(table, cluster + 1, taken);
        for (class, &shared) in row.iter().enumerate() {
            if !taken.contains(&class) {
                taken.push(class);
                most = most.max(shared + best(table, cluster + 1, taken));
                taken.pop();
            }
        }
        most
    }
    let mut table = vec![vec![0; truth.clusters()]; found.clusters()];
    found.labels().iter().zip(truth.labels()).for_each(|(&a, &b)| table[a as usize][b as usize] += 1);
    best(&table, 0, &mut Vec::new()) as f64 / truth.len() as f64
}

#[test]
fn noisy_copies_of_a_clustering_give_it_back() {
    for seed in 0..5 {
        let planted = Planted { objects: 400, noise: 0.2, ..Planted::new(4, seed) };
        let (ensemble, truth) = planted.make();
        for method in [usual(), method(&[(&PRESET, Value::Text("paper"))])] {
            let solution = combine(&*method, &ensemble, 4, seed);
            assert!(accuracy(&solution.partition, &truth) >= 0.99, "seed {seed}");
            assert!(solution.converged);
        }
    }
}

#[test]
fn four_hundred_partitions_do_not_underflow() {
    let planted = Planted { objects: 60, copies: 400, missing: 0.1, ..Planted::new(3, 1) };
    let (ensemble, truth) = planted.make();
    let solution = combine(&*usual(), &ensemble, 3, 1);
    assert!(solution.objective.unwrap().value.is_finite());
    assert_eq!(solution.partition.by_first_object(), truth);
}

#[test]
fn one_cluster_has_the_likelihood_of_independent_columns() {
    let (ensemble, _) = Planted::new(3, 2).make();
    let solution = combine(&*usual(), &ensemble, 1, 1);
    assert_eq!(solution.partition.clusters(), 1);
    let objects = ensemble.objects() as f64;
    let expected: f64 = (0..ensemble.columns())
        .map(|column| {
            let codes = ensemble.column(column);
            let count = |label: u32| codes.codes().iter().filter(|code| **code == label).count() as f64;
            (0..3).map(|label| count(label) * (count(label) / objects).ln()).sum::<f64>()
        })
        .sum();
    assert!((solution.objective.unwrap().value - expected).abs() < 1e-6 * expected.abs());
}

#[test]
fn objects_without_labels_belong_to_clusters_as_alpha_says() {
    let ensemble = super::super::test_ensembles::from_rows(&[[0, 0], [-1, -1], [1, 1], [0, 0], [-1, -1]]);
    let memberships: Memberships = combine(&*usual(), &ensemble, 2, 1).memberships.unwrap();
    assert_eq!(memberships.object(1), memberships.object(4));
    // Twice as many objects in one cluster as in the other.
    assert!(memberships.object(1).iter().all(|share| (0.2..0.8).contains(share)), "{:?}", memberships.object(1));
}

#[test]
fn odd_inputs_threads_and_more_clusters_than_rows_are_survived() {
    // α goes to 0 slowly on clean labels: a limit keeps forty components quick.
    for method in [method(&[(&ITERATIONS, Value::Integer(100)), (&RESTARTS, Value::Integer(4))]), paper()] {
        check_odd_inputs(&*method);
        check_threads(&*method);
    }
}

/// p(y) of one object: the sum over all assignments z of its labels, θ integrated out exactly.
fn exact_probability(parameters: &BceParameters, labels: &[usize]) -> f64 {
    let alpha = &parameters.alpha;
    let total: f64 = alpha.iter().sum();
    (0..alpha.len().pow(labels.len() as u32))
        .map(|mut assignment| {
            let mut taken = vec![0.0; alpha.len()];
            let mut product = 1.0;
            for (position, &label) in labels.iter().enumerate() {
                let h = assignment % alpha.len();
                assignment /= alpha.len();
                product *= parameters.beta.label(label)[h] * (alpha[h] + taken[h]) / (total + position as f64);
                taken[h] += 1.0;
            }
            product
        })
        .sum()
}

#[test]
fn the_evidence_agrees_with_exact_integration_and_is_above_its_bound() {
    let (ensemble, _) = Planted { objects: 120, copies: 4, noise: 0.3, missing: 0.2, ..Planted::new(3, 4) }.make();
    let half: Vec<usize> = (0..ensemble.objects()).step_by(2).collect();
    let parts = [ensemble.of_objects(&half), ensemble.clone()];
    for clusters in [1, 2, 3] {
        let start = started(&parts[0], clusters, 3);
        let (.., parameters) = trace(&parts[0], start, &rules(40, 3));
        let fitted = FittedBce::new(parameters.clone(), Id::of("test", &[]));
        for part in &parts {
            let observed = crate::ensemble::Observed::of(part);
            let rows = part.weights().iter().enumerate();
            let exact: f64 = rows
                .map(|(row, &weight)| {
                    let labels: Vec<usize> = observed.row(row).iter().map(|&label| label as usize).collect();
                    f64::from(weight) * exact_probability(&parameters, &labels).ln()
                })
                .sum();
            let evidence = crate::consensus::Predictive::evidence(&fitted, part);
            let error = (evidence.log_probability - exact).abs();
            assert!(error <= 4.0 * evidence.standard_error + 1e-9 * exact.abs(), "{evidence:?} {exact}");
            assert!(evidence.standard_error < 0.02 * exact.abs(), "{evidence:?}");
            let bound = evidence.bound.unwrap();
            assert!(bound <= exact + 1e-9 * exact.abs() && bound > 1.2 * exact, "{evidence:?} {exact}");
        }
    }
}

#[test]
fn iterations_and_tolerance_refine_either_preset() {
    let settings = |changes: &[(&Parameter, Value)]| {
        let mut params = Params::defaults(INFO.parameters);
        changes.iter().for_each(|(parameter, value)| params.set(parameter, value.clone()));
        Settings::of(&params).rules
    };
    assert_eq!(settings(&[]).stop, Stop::Still(1e-5));
    let refined = [(&PRESET, Value::Text("paper")), (&ITERATIONS, Value::Integer(7)), (&TOLERANCE, Value::Real(0.5))];
    let rules = settings(&refined);
    assert_eq!((rules.iterations, rules.stop, rules.inner.tolerance), (7, Stop::BetaChange(0.5), 0.5));
    assert_eq!(settings(&refined[..1]).iterations, 500);
}

#[test]
fn a_cancelled_watch_stops_it() {
    let (ensemble, _) = Planted::new(3, 2).make();
    let watch = Watch::new(Some(std::time::Duration::ZERO), std::sync::Arc::default());
    let task = Task { ensemble: &ensemble, clusters: Some(3), repeat: 0, id: Id::of("test", &[]), watch };
    assert_eq!(usual().combine(&task).unwrap_err(), Halt::TimedOut);
}

#[test]
fn starts_tried_on_a_sample_come_near_the_bound_of_starts_on_all_rows() {
    let mut rng = Id::of("test", &[]).rng("labels");
    let rows: Vec<Vec<u32>> = (0..1500_u32)
        .map(|object| {
            let noisy = |_| if rng.random_bool(0.25) { rng.random_range(0..3) } else { object % 3 };
            (0..12).map(noisy).collect()
        })
        .collect();
    let columns: Vec<Labels> =
        (0..12).map(|column| Labels::from_codes(rows.iter().map(|row| row[column]).collect())).collect();
    let ensemble = Ensemble::from_columns(&columns).unwrap();
    assert!(ensemble.rows() > 400);
    let settings = Settings::of(&Params::defaults(INFO.parameters));
    let bounds = [Screening::USUAL, Screening { rows: 400, sample: 300 }].map(|screening| {
        let task = Task {
            ensemble: &ensemble,
            clusters: Some(3),
            repeat: 0,
            id: Id::of("test", &[]),
            watch: Watch::default(),
        };
        VBce { settings, screening }.combine(&task).unwrap().objective.unwrap().value
    });
    assert!((bounds[0] - bounds[1]).abs() < 1e-3 * bounds[0].abs(), "{bounds:?}");
}

/// Skewed clusters of sizes as 1 : 1/2 : 1/3 …, many gaps: components of a random start are nearly alike for a long time.
fn plateau(seed: u64) -> Ensemble {
    let mut rng = Id::of("plateau", &[&seed.to_le_bytes()]).rng("labels");
    let sizes = [61, 31, 20, 15, 12, 11];
    let truth: Vec<u32> = (0..).zip(sizes).flat_map(|(cluster, size)| std::iter::repeat_n(cluster, size)).collect();
    let columns: Vec<Labels> = (0..20)
        .map(|_| {
            Labels::from_options(truth.iter().map(|&label| {
                let seen = if rng.random_bool(0.3) { rng.random_range(0..6) } else { label };
                (!rng.random_bool(0.4)).then_some(seen)
            }))
        })
        .collect();
    Ensemble::from_columns(&columns).unwrap()
}

/// Followed for as long again, and pushed in other ways, a start that says it has converged is where it was.
#[test]
fn converged_is_true_only_where_beta_and_gamma_stand_still() {
    let mut converged = 0;
    for seed in 0..6 {
        let ensemble = plateau(seed);
        let id = Id::of("test", &[&seed.to_le_bytes()]);
        let task = Task { ensemble: &ensemble, clusters: Some(6), repeat: 0, id, watch: Watch::default() };
        let settings = Settings { restarts: 1, ..Settings::of(&Params::defaults(INFO.parameters)) };
        let mut runs = SideBySide::new(&task, 6, &settings);
        let best = runs.best(&task, &settings).unwrap();
        let run = &mut runs.all[0];
        if !best.fit.converged {
            continue;
        }
        converged += 1;
        let l1 = |one: &[f64], other: &[f64]| -> f64 {
            let difference: f64 = one.iter().zip(other).map(|(a, b)| (a - b).abs()).sum();
            difference / one.iter().sum::<f64>()
        };
        for nudge in Nudge::ALL {
            let rules = run.nudge(nudge, &best, &task, &settings.rules, 1000).unwrap();
            let after = run.go_on(BceFit::NEW, &task, &rules).unwrap();
            let gained = after.lower_bound - best.fit.lower_bound;
            assert!(gained < 0.01, "seed {seed}, {nudge:?}: {gained} nats");
            if nudge == Nudge::Wait {
                let (before, after) = (&best.parameters.beta, &run.parameters.beta);
                let moved = l1(before.values().as_flattened(), after.values().as_flattened());
                assert!(moved < 1e-3, "seed {seed}: β moved by {moved}");
                let moved = l1(&best.memberships, &memberships(&run.rows));
                assert!(moved < 1e-3, "seed {seed}: γ moved by {moved}");
            }
        }
    }
    assert!(converged >= 4, "{converged} of 6");
}

#[test]
fn starts_that_are_compared_early_are_found_again_in_any_order_of_the_objects() {
    let ensemble = plateau(1);
    let rotated = rotated(&ensemble, 57);
    let [one, other] = [&ensemble, &rotated].map(|ensemble| combine(&*usual(), ensemble, 6, 3));
    assert_eq!(one.objective, other.objective);
    let moved = (0..150).map(|object| other.partition.labels()[(object + 150 - 57) % 150]);
    assert_eq!(one.partition.labels(), moved.collect::<Vec<u32>>());
    assert!(one.iterations > SHORT && one.iterations <= 2000);
}

#[test]
fn the_best_after_a_few_iterations_go_on_and_a_limit_below_that_leaves_nothing_to_compare() {
    let settings = |changes: &[(&Parameter, Value)]| {
        let mut params = Params::defaults(INFO.parameters);
        changes.iter().for_each(|(parameter, value)| params.set(parameter, value.clone()));
        Settings::of(&params)
    };
    assert_eq!((settings(&[]).restarts, settings(&[]).is_screened()), (DEFAULT_RESTARTS, true));
    let paper = settings(&[(&PRESET, Value::Text("paper"))]);
    assert_eq!((paper.restarts, paper.is_screened()), (10, false));
    assert!(!settings(&[(&ITERATIONS, Value::Integer(SHORT as i64))]).is_screened());
    assert!(!settings(&[(&RESTARTS, Value::Integer(FOLLOWED as i64))]).is_screened());
    let ensemble = plateau(2);
    for limit in [1, SHORT, SHORT + 1, SHORT + 2] {
        let limited = method(&[(&ITERATIONS, Value::Integer(limit as i64)), (&RESTARTS, Value::Integer(5))]);
        let solution = combine(&*limited, &ensemble, 6, 1);
        assert_eq!((solution.iterations, solution.converged), (limit, false));
    }
}
