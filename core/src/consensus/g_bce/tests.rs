use proptest::prelude::{prop_assert, prop_assert_eq, prop_assume, proptest};

use rand::RngExt;

use super::*;
use crate::consensus::Watch;
use crate::consensus::test_ensembles::{Planted, check_odd_inputs, check_threads, combine, from_rows, rotated};
use crate::ensemble::tests::ensembles;
use crate::ensemble::{Ensemble, Labels};
use crate::metric::{Contingency, accuracy};
use crate::seed::{Id, Rng};

const PRIOR: BcePrior = BcePrior { alpha: 0.4, omega: 0.7 };

fn started<'a>(ensemble: &'a Ensemble, clusters: usize, rng: &mut Rng) -> BceChain<'a> {
    let counts = BceCounts::new(ensemble.arity(), clusters, PRIOR);
    BceChain::start(ensemble, counts, rng, &Watch::default()).unwrap()
}

fn defaults() -> GBce {
    GBce::new(&Params::defaults(INFO.parameters))
}

/// The label positions of every object in the order of the chain.
fn objects(chain: &BceChain) -> Vec<Vec<usize>> {
    let rows = chain.ensemble.weights().iter().enumerate();
    rows.flat_map(|(row, &weight)| std::iter::repeat_n(row, weight as usize))
        .map(|row| chain.observed.row(row).iter().map(|&label| label as usize).collect())
        .collect()
}

/// ln p(y, z), the labels generated one after another by Pólya's urns: first all z of an object, then all labels.
fn slow_log_joint(chain: &BceChain, z: &[u32]) -> f64 {
    let clusters = chain.counts.clusters;
    let mut log_joint = 0.0;
    let mut labels = vec![0.0; chain.counts.of_label.len()];
    let mut columns = vec![0.0; chain.counts.of_column.len()];
    let mut z = z.iter();
    for object in objects(chain) {
        let mut own = vec![0.0; clusters];
        for (drawn, label) in object.into_iter().enumerate() {
            let h = *z.next().unwrap() as usize;
            let column = chain.counts.column_of[label] as usize;
            let arity = chain.ensemble.arity()[column] as f64;
            log_joint += f64::ln((PRIOR.alpha + own[h]) / (clusters as f64 * PRIOR.alpha + drawn as f64));
            let counts = (&mut labels[label * clusters + h], &mut columns[column * clusters + h]);
            log_joint += f64::ln((PRIOR.omega + *counts.0) / (arity * PRIOR.omega + *counts.1));
            own[h] += 1.0;
            *counts.0 += 1.0;
            *counts.1 += 1.0;
        }
    }
    log_joint
}

/// Counts how many labels of an object are in each cluster.
fn count_own(counts: &mut BceCounts, z: &[u32]) {
    counts.own.fill(0.0);
    z.iter().for_each(|&cluster| counts.own[cluster as usize] += 1.0);
}

/// Takes one label of an object after the other out of its cluster, draws a cluster for it from the conditional, and puts it there.
fn slow_redraw(counts: &mut BceCounts, labels: &[usize], z: &mut [u32], rng: &mut Rng) {
    count_own(counts, z);
    for (z, &label) in z.iter_mut().zip(labels) {
        counts.add(label, *z as usize, -1.0);
        let new = counts.draw(label, rng);
        counts.add(label, new, 1.0);
        *z = u32::try_from(new).unwrap();
    }
}

/// Draws from equal streams make the same states, all labels of an object at once or one after the other.
fn check_draws(ensemble: &Ensemble, clusters: usize, [rng, slow_rng]: &mut [Rng; 2]) {
    let mut chain = started(ensemble, clusters, rng);
    let mut slow = started(ensemble, clusters, slow_rng);
    for _ in 0..10 {
        chain.sweep(rng, &Watch::default()).unwrap();
        let labels = objects(&slow);
        let mut z = slow.z.as_mut_slice();
        for labels in labels {
            slow_redraw(&mut slow.counts, &labels, z.split_off_mut(..labels.len()).unwrap(), slow_rng);
        }
        assert_eq!(chain.z, slow.z);
        assert_eq!(chain.counts.of_label, slow.counts.of_label);
    }
}

proptest! {
    #[test]
    fn a_conditional_is_the_ratio_of_joints(ensemble in ensembles(), clusters in 2..5usize, seed: u64) {
        let mut rng = Id::of("test", &[&seed.to_le_bytes()]).rng("chain");
        let mut chain = started(&ensemble, clusters, &mut rng);
        let labels: Vec<Vec<usize>> = objects(&chain);
        let object = rng.random_range(0..labels.len());
        prop_assume!(!labels[object].is_empty());
        let first: usize = labels[..object].iter().map(Vec::len).sum();
        let chosen = rng.random_range(0..labels[object].len());
        let joints: Vec<f64> = (0..clusters)
            .map(|h| {
                let mut z = chain.z.clone();
                z[first + chosen] = u32::try_from(h).unwrap();
                slow_log_joint(&chain, &z)
            })
            .collect();

        // The same label taken out of the chain's counts, and its conditional.
        let (label, old) = (labels[object][chosen], chain.z[first + chosen] as usize);
        let own = chain.z[first..first + labels[object].len()].to_vec();
        count_own(&mut chain.counts, &own);
        chain.counts.add(label, old, -1.0);
        let cumulative = chain.counts.weigh(label).to_vec();
        let weight = |h: usize| if h == 0 { cumulative[0] } else { cumulative[h] - cumulative[h - 1] };
        for h in 1..clusters {
            let ratio = (joints[h] - joints[0]).exp();
            prop_assert!((weight(h) / weight(0) / ratio - 1.0).abs() < 1e-11, "{} {ratio}", weight(h) / weight(0));
        }
    }

    #[test]
    fn counts_kept_up_to_date_are_the_counts_of_the_state(ensemble in ensembles(), clusters in 1..12usize, seed: u64) {
        let mut rng = Id::of("test", &[&seed.to_le_bytes()]).rng("chain");
        let mut chain = started(&ensemble, clusters, &mut rng);
        for _ in 0..20 {
            chain.sweep(&mut rng, &Watch::default()).unwrap();
        }
        let mut recount = BceCounts::new(ensemble.arity(), clusters, PRIOR);
        let labels = objects(&chain).concat();
        labels.iter().zip(&chain.z).for_each(|(&label, &z)| recount.add(label, z as usize, 1.0));
        prop_assert_eq!(&chain.counts.of_label, &recount.of_label);
        prop_assert_eq!(&chain.counts.of_column, &recount.of_column);
        let mut z = chain.z.as_slice();
        for (labels, own) in objects(&chain).iter().zip(chain.own.chunks_exact(clusters)) {
            count_own(&mut recount, z.split_off(..labels.len()).unwrap());
            prop_assert_eq!(own, &recount.own);
        }
    }

    #[test]
    fn all_labels_of_an_object_are_drawn_as_one_after_the_other(ensemble in ensembles(), clusters in 1..12usize, seed: u64) {
        let mut rngs = [(); 2].map(|()| Id::of("test", &[&seed.to_le_bytes()]).rng("chain"));
        check_draws(&ensemble, clusters, &mut rngs);
    }

    #[test]
    fn the_objective_equals_the_slow_oracle(ensemble in ensembles(), clusters in 1..5usize, seed: u64) {
        let mut rng = Id::of("test", &[&seed.to_le_bytes()]).rng("chain");
        let mut chain = started(&ensemble, clusters, &mut rng);
        let slow = slow_log_joint(&chain, &chain.z);
        let fast = chain.keep(&mut vec![0.0; ensemble.rows() * clusters]);
        prop_assert!((fast - slow).abs() < 1e-9 * slow.abs().max(1.0), "{fast} {slow}");
    }

    #[test]
    fn permuting_the_objects_permutes_the_answer(ensemble in ensembles(), by in 1..40usize, seed: u64) {
        let method = GBce { restarts: 2, sweeps: 5, burn_in: 2, ..defaults() };
        let mut labels = combine(&method, &ensemble, 3, seed).partition.labels().to_vec();
        labels.rotate_left(by % ensemble.objects());
        let of_rotated = combine(&method, &rotated(&ensemble, by), 3, seed).partition;
        prop_assert_eq!(of_rotated.labels(), labels);
    }
}

/// Three objects, five labels, two clusters: 32 states. The states of a long chain, some sweeps apart, must be as
/// frequent as their exact probabilities; χ² with 31 degrees of freedom exceeds 61.1 once in a thousand chains.
#[test]
fn long_run_frequencies_are_the_exact_posterior() {
    let ensemble = from_rows(&[[0, 0], [0, 1], [1, -1]]);
    let mut rng = Id::of("test", &[]).rng("chain");
    let mut chain = started(&ensemble, 2, &mut rng);
    let state = |code: u32| -> Vec<u32> { (0..5).map(|bit| code >> bit & 1).collect() };
    let joints: Vec<f64> = (0..32).map(|code| slow_log_joint(&chain, &state(code)).exp()).collect();
    let total: f64 = joints.iter().sum();
    let mut seen = [0.0; 32];
    let draws = 20_000;
    for _ in 0..draws {
        (0..5).for_each(|_| chain.sweep(&mut rng, &Watch::default()).unwrap());
        seen[(0..5).map(|bit| (chain.z[bit] as usize) << bit).sum::<usize>()] += 1.0;
    }
    let chi_square: f64 = (joints.iter().zip(seen))
        .map(|(joint, seen)| (seen - joint / total * f64::from(draws)).powi(2) / (joint / total * f64::from(draws)))
        .sum();
    assert!(chi_square < 61.1, "{chi_square}");
}

#[test]
fn labels_of_base_clusterings_with_many_more_clusters_are_drawn_in_the_same_way() {
    let (ensemble, _) = Planted { objects: 200, noise: 0.3, ..Planted::new(20, 1) }.make();
    for clusters in [2, 4, 5, 9] {
        let mut rngs = [(); 2].map(|()| Id::of("test", &[]).rng("chain"));
        check_draws(&ensemble, clusters, &mut rngs);
    }
}

#[test]
fn noisy_copies_of_a_truth_are_seen_through() {
    for seed in 0..5 {
        let (ensemble, truth) = Planted { objects: 400, noise: 0.2, ..Planted::new(4, seed) }.make();
        let found = combine(&defaults(), &ensemble, 4, seed).partition;
        let accuracy = accuracy(&Contingency::new(&found, &truth));
        assert!(accuracy >= 0.99, "seed {seed}: {accuracy}");
    }
}

#[test]
fn missing_labels_do_no_harm() {
    let (ensemble, truth) = Planted { missing: 0.4, copies: 20, ..Planted::new(3, 1) }.make();
    let found = combine(&defaults(), &ensemble, 3, 1).partition;
    assert!(accuracy(&Contingency::new(&found, &truth)) >= 0.99);
}

/// Names of labels decide in what order the chain goes, so states differ; the model and a clear answer do not.
#[test]
fn renaming_the_labels_changes_no_clear_answer() {
    let (ensemble, _) = Planted::new(3, 2).make();
    let renamed: Vec<Labels> = (0..ensemble.columns())
        .map(|column| {
            let codes = ensemble.column(column).codes().iter().map(|code| (5 - code) % 3).collect();
            Labels::from_codes(codes)
        })
        .collect();
    let renamed = Ensemble::from_columns(&renamed).unwrap();
    let [a, b] = [&ensemble, &renamed].map(|ensemble| combine(&defaults(), ensemble, 3, 4).partition.by_first_object());
    assert_eq!(a, b);
}

#[test]
fn memberships_and_the_predictive_model_are_those_of_the_sums_and_the_best_state() {
    let (ensemble, _) = Planted { noise: 0.2, ..Planted::new(3, 7) }.make();
    let solution = combine(&defaults(), &ensemble, 3, 7);
    let memberships = solution.memberships.unwrap();
    for (object, &label) in solution.partition.labels().iter().enumerate() {
        let largest = memberships.object(object).iter().copied().fold(0.0, f64::max);
        assert_eq!(memberships.object(object)[label as usize], largest);
    }
    let evidence = solution.predictive.unwrap().evidence(&ensemble);
    let uniform = -((ensemble.objects() * ensemble.columns()) as f64) * 3f64.ln();
    assert!(evidence.log_probability > uniform && evidence.log_probability < 0.0, "{evidence:?} {uniform}");
    assert!(evidence.standard_error > 0.0 && evidence.standard_error < 0.05 * evidence.log_probability.abs());
}

/// `restarts = 1` is the published method: one chain from the stream that it always had.
#[test]
fn of_several_chains_the_one_with_the_most_probable_state_is_kept() {
    let (ensemble, _) = Planted { objects: 80, noise: 0.5, ..Planted::new(5, 3) }.make();
    let method = |restarts| GBce { restarts, sweeps: 20, burn_in: 10, ..defaults() };
    let id = Id::of("test", &[&3_u64.to_le_bytes()]);
    let task = Task { ensemble: &ensemble, clusters: Some(5), repeat: 0, id, watch: Watch::default() };
    let counts = || BceCounts::new(ensemble.arity(), 5, defaults().prior);
    let chains: Vec<KeptState> = ["chain", "chain 1", "chain 2", "chain 3"]
        .map(|stream| method(1).run(&task, stream, counts()).unwrap())
        .into_iter()
        .collect();
    let joints: Vec<f64> = chains.iter().map(|kept| kept.log_joint).collect();
    for restarts in 1..=4 {
        let best = joints[..restarts].iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let found = combine(&method(restarts), &ensemble, 5, 3);
        assert_eq!(found.objective.unwrap().value.to_bits(), best.to_bits());
        let chosen = joints.iter().position(|joint| *joint == best).unwrap();
        let totals = KeptState {
            totals: chains[chosen].totals.clone(),
            log_joint: best,
            of_label: chains[chosen].of_label.clone(),
        };
        assert_eq!(found.partition, method(1).solution(&task, totals, &counts()).partition);
    }
    assert!(joints.iter().any(|joint| *joint > joints[0]), "a later chain must win for this test to mean anything");
}

#[test]
fn a_run_of_many_chains_stops_when_told_to() {
    let (ensemble, _) = Planted::new(3, 1).make();
    let watch = Watch::new(Some(std::time::Duration::from_millis(20)), Arc::default());
    let task = Task { ensemble: &ensemble, clusters: Some(3), repeat: 0, id: Id::of("test", &[]), watch };
    let begin = std::time::Instant::now();
    assert!(matches!(GBce { restarts: 1_000_000, ..defaults() }.combine(&task), Err(Halt::TimedOut)));
    assert!(begin.elapsed() < std::time::Duration::from_secs(5));
}

#[test]
fn odd_inputs_and_many_threads() {
    check_odd_inputs(&GBce { restarts: 2, sweeps: 20, burn_in: 5, ..defaults() });
    check_threads(&GBce { restarts: 2, sweeps: 10, burn_in: 5, ..defaults() });
}
