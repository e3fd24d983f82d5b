use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use proptest::prelude::*;

use super::channels::Links;
use super::drive;
use super::transport::{Exchange, Stopped, Transport};
use crate::consensus::{self, Halt, Solution, Task, Watch};
use crate::ensemble::tests::ensembles;
use crate::ensemble::{Ensemble, Labels, Partition};
use crate::params::{Params, Raw};
use crate::seed::Id;

fn run(method: &str, ensemble: &Ensemble, seed: u64, settings: &[(&str, Raw)]) -> Result<Solution, Halt> {
    run_watched(method, ensemble, seed, settings, Watch::default())
}

fn run_watched(
    method: &str,
    ensemble: &Ensemble,
    seed: u64,
    settings: &[(&str, Raw)],
    watch: Watch,
) -> Result<Solution, Halt> {
    let info = consensus::find(method).unwrap();
    let mut params = Params::defaults(info.parameters);
    for (name, raw) in settings {
        let parameter = info.parameters.iter().find(|parameter| parameter.name == *name).unwrap();
        params.set(parameter, parameter.check(raw).unwrap());
    }
    let id = Id::of("test", &[&seed.to_le_bytes()]);
    info.make(&params).combine(&Task { ensemble, clusters: Some(3), repeat: 0, id, watch })
}

/// In one place with the only starts that parties can make.
fn run_centrally(method: &str, ensemble: &Ensemble, seed: u64, settings: &[(&str, Raw)]) -> Solution {
    let mut settings = settings.to_vec();
    if method == "mm" {
        settings.push(("start", Raw::Text("uniform".into())));
    }
    run(method, ensemble, seed, &settings).unwrap()
}

/// One start: of two that end at the same optimum, rounding would choose.
fn few_iterations() -> Vec<(&'static str, Raw)> {
    vec![("restarts", Raw::Integer(1)), ("iterations", Raw::Integer(12)), ("tolerance", Raw::Real(1e-9))]
}

/// Same objective and same memberships, object by object.
fn assert_equal(central: &Solution, distributed: &Solution, objects: usize) -> Result<(), TestCaseError> {
    let [one, two] = [central, distributed].map(|solution| solution.objective.as_ref().unwrap().value);
    prop_assert!((one - two).abs() <= 1e-9 * one.abs().max(1.0), "{} {}", one, two);
    prop_assert_eq!(central.iterations, distributed.iterations);
    let [one, two] = [central, distributed].map(|solution| solution.memberships.as_ref().unwrap());
    for object in 0..objects {
        for (a, b) in one.object(object).iter().zip(two.object(object)) {
            prop_assert!((a - b).abs() <= 1e-9 + 1e-6 * a.min(1e-3), "{} {}", a, b);
        }
    }
    Ok(())
}

/// Objects with the labels of three noisy groups; nothing missing.
fn grouped(objects: usize, columns: usize) -> (Ensemble, Partition) {
    let mut rng = Id::of("grouped", &[]).rng("labels");
    let truth: Vec<u32> = (0..objects).map(|object| (object * 3 / objects) as u32).collect();
    let mut noisy = |label: &u32| {
        let other = rand::RngExt::random_bool(&mut rng, 0.1);
        if other { (label + 1) % 3 } else { *label }
    };
    let columns: Vec<Labels> =
        (0..columns).map(|_| Labels::from_codes(truth.iter().map(&mut noisy).collect())).collect();
    (Ensemble::from_columns(&columns).unwrap(), Partition::from_codes(&truth))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn row_parties_find_what_one_place_finds(ensemble in ensembles(), seed: u64, parties in 1..11i64) {
        let smoothed = vec![("smoothing", Raw::Real(0.5))];
        for (central, rows, more) in
            [("v-bce", "v-bce-rows", vec![]), ("mm", "mm-rows", vec![]), ("mm", "mm-rows", smoothed)]
        {
            let mut settings = few_iterations();
            settings.extend(more);
            let one = run_centrally(central, &ensemble, seed, &settings);
            settings.push(("parties", Raw::Integer(parties)));
            assert_equal(&one, &run(rows, &ensemble, seed, &settings).unwrap(), ensemble.objects())?;
        }
    }

    #[test]
    fn column_clients_find_what_one_place_finds(ensemble in ensembles(), seed: u64, clients in 0..7i64) {
        let smoothed = vec![("smoothing", Raw::Real(0.5))];
        for (central, columns, more) in
            [("v-bce", "v-bce-columns", vec![]), ("mm", "mm-columns", vec![]), ("mm", "mm-columns", smoothed)]
        {
            let mut settings = few_iterations();
            settings.extend(more);
            let one = run_centrally(central, &ensemble, seed, &settings);
            settings.push(("clients", Raw::Integer(clients)));
            assert_equal(&one, &run(columns, &ensemble, seed, &settings).unwrap(), ensemble.objects())?;
        }
    }

    #[test]
    fn the_authors_stopping_rule_stops_everybody_at_the_same_iteration(ensemble in ensembles(), seed: u64) {
        let settings = [("preset", Raw::Text("paper".into())), ("restarts", Raw::Integer(1))];
        let one = run("v-bce", &ensemble, seed, &settings).unwrap();
        assert_equal(&one, &run("v-bce-rows", &ensemble, seed, &settings).unwrap(), ensemble.objects())?;
        assert_equal(&one, &run("v-bce-columns", &ensemble, seed, &settings).unwrap(), ensemble.objects())?;
    }
}

#[test]
fn converged_runs_agree_for_one_to_ten_parties_and_one_client_to_all() {
    let (ensemble, truth) = grouped(90, 8);
    let restarts = [("restarts", Raw::Integer(2))];
    let one = run("v-bce", &ensemble, 4, &restarts).unwrap();
    assert!(one.converged);
    assert_eq!(one.partition.by_first_object(), truth);
    for count in 1..=10 {
        let settings = [("restarts", Raw::Integer(2)), ("parties", Raw::Integer(count))];
        assert_equal(&one, &run("v-bce-rows", &ensemble, 4, &settings).unwrap(), 90).unwrap();
        let settings = [("restarts", Raw::Integer(2)), ("clients", Raw::Integer(count.min(8)))];
        assert_equal(&one, &run("v-bce-columns", &ensemble, 4, &settings).unwrap(), 90).unwrap();
    }
}

#[test]
fn one_party_heuristic_is_the_centralised_run_and_more_find_the_groups() {
    let (ensemble, truth) = grouped(90, 12);
    let settings = |parties: i64| {
        vec![
            ("preset", Raw::Text("paper".into())),
            ("variant", Raw::Text("heuristic".into())),
            ("parties", Raw::Integer(parties)),
        ]
    };
    for parties in [1, 2, 3, 7] {
        let solution = run("v-bce-rows", &ensemble, 2, &settings(parties)).unwrap();
        assert_eq!(solution.partition.by_first_object(), truth, "{parties}");
        assert!(solution.converged, "{parties}");
    }
    let one = run("v-bce-rows", &ensemble, 2, &settings(1)).unwrap();
    let central = run("v-bce", &ensemble, 2, &[("preset", Raw::Text("paper".into()))]).unwrap();
    let [one, central] = [one, central].map(|solution| solution.objective.unwrap().value);
    assert!((one - central).abs() <= 1e-9 * central.abs());
}

#[test]
fn traffic_is_what_the_formulas_say() {
    let (ensemble, _) = grouped(30, 4);
    let (n, m, k, labels) = (30, 4, 3, ensemble.arity().iter().sum::<usize>() as u64);
    let settings = |more: &[(&'static str, Raw)]| {
        let mut settings = vec![("restarts", Raw::Integer(1)), ("iterations", Raw::Integer(5))];
        settings.extend_from_slice(more);
        settings
    };
    let tight = ("tolerance", Raw::Real(1e-15));
    let parties = ("parties", Raw::Integer(4));
    let traffic = |method: &str, more: &[(&'static str, Raw)]| {
        let solution = run(method, &ensemble, 1, &settings(more)).unwrap();
        assert_eq!(solution.iterations, 5, "{method}");
        let traffic = solution.traffic.unwrap();
        (traffic.bytes, traffic.messages, traffic.rounds)
    };
    // Five totals of P = 4: 2 (P − 1) messages each, P of them one after the other, and P − 2 for the last to arrive.
    let exact = traffic("v-bce-rows", &[tight.clone(), parties.clone()]);
    assert_eq!(exact, (5 * 6 * 8 * (k * labels + k + 4), 30, 22));
    // The authors' rule does not ask how far γ moved.
    let paper = traffic("v-bce-rows", &[tight.clone(), parties.clone(), ("preset", Raw::Text("paper".into()))]);
    assert_eq!(paper, (5 * 6 * 8 * (k * labels + k + 3), 30, 22));
    let mm = traffic("mm-rows", &[tight.clone(), parties.clone()]);
    assert_eq!(mm, (5 * 6 * 8 * (k * labels + k + 2), 30, 22));
    let smoothing = ("smoothing", Raw::Real(0.5));
    let mm = traffic("mm-rows", &[tight.clone(), parties.clone(), smoothing.clone()]);
    assert_eq!(mm, (5 * 6 * 8 * (k * labels + k + 3), 30, 22));
    // Five rounds of P messages, and P − 2 for the last word.
    let heuristic = ("variant", Raw::Text("heuristic".into()));
    let passed = traffic("v-bce-rows", &[tight.clone(), parties.clone(), heuristic]);
    assert_eq!(passed, (22 * 8 * (k * labels + k + 2), 22, 22));
    // Five descriptions, four φ and a last word, for each of four clients.
    let columns = traffic("v-bce-columns", std::slice::from_ref(&tight));
    assert_eq!(columns, (8 * (5 * (n * m * k + 2 * m) + 4 * (n * m * k + m) + m), 40, 10));
    let mm = traffic("mm-columns", std::slice::from_ref(&tight));
    assert_eq!(mm, (8 * m * (5 * n * k + 4 * (n * k + 1) + 1), 40, 10));
    let mm = traffic("mm-columns", &[tight, smoothing]);
    assert_eq!(mm, (8 * m * (5 * (n * k + 1) + 4 * (n * k + 1) + 1), 40, 10));
}

#[test]
fn smoothed_starts_are_compared_by_the_same_number_everywhere() {
    let (ensemble, _) = grouped(60, 6);
    let settings = [("smoothing", Raw::Real(0.3)), ("restarts", Raw::Integer(4))];
    for seed in 0..5 {
        let one = run_centrally("mm", &ensemble, seed, &settings);
        for (method, owners) in [("mm-rows", "parties"), ("mm-columns", "clients")] {
            let more = [settings.to_vec(), vec![(owners, Raw::Integer(3))]].concat();
            let several = run(method, &ensemble, seed, &more).unwrap();
            let [one, several] = [&one, &several].map(|solution| solution.objective.as_ref().unwrap().value);
            assert!((one - several).abs() <= 1e-6 * one.abs(), "{method}, seed {seed}: {one} {several}");
        }
    }
}

#[test]
fn parties_without_rows_take_part() {
    let (ensemble, _) = grouped(5, 3);
    for method in ["v-bce-rows", "mm-rows", "kmeans-rows"] {
        let solution = run(method, &ensemble, 1, &[("parties", Raw::Integer(9))]).unwrap();
        assert_eq!(solution.partition.len(), 5);
        assert!(solution.objective.unwrap().value.is_finite());
    }
    // They cannot tell the penalty, and stop when the others do.
    let smoothed = [("parties", Raw::Integer(9)), ("smoothing", Raw::Real(0.5))];
    let several = run("mm-rows", &ensemble, 1, &smoothed).unwrap();
    assert_equal(&run_centrally("mm", &ensemble, 1, &smoothed[1..]), &several, 5).unwrap();
}

#[test]
fn distributed_kmeans_finds_groups_and_its_sum_of_squares_is_that_of_its_partition() {
    let (ensemble, truth) = grouped(120, 12);
    let mut found = 0;
    for parties in 1..=10 {
        for seed in 0..3 {
            let solution = run("kmeans-rows", &ensemble, seed, &[("parties", Raw::Integer(parties))]).unwrap();
            assert!(solution.converged);
            found += usize::from(solution.partition.by_first_object() == truth);
            let within = slow_sum_of_squares(&ensemble, &solution.partition);
            assert!((solution.objective.unwrap().value - within).abs() < 1e-9 * within);
        }
    }
    assert!(found >= 15, "{found} of 30");
}

/// From written-out one-hot rows and means.
fn slow_sum_of_squares(ensemble: &Ensemble, partition: &Partition) -> f64 {
    let width = ensemble.arity().iter().sum();
    let vectors: Vec<Vec<f64>> = (0..ensemble.objects())
        .map(|object| {
            let mut vector = vec![0.0; width];
            let mut offset = 0;
            for (&code, arity) in ensemble.row(ensemble.row_of()[object] as usize).iter().zip(ensemble.arity()) {
                vector[offset + code as usize] = 1.0;
                offset += arity;
            }
            vector
        })
        .collect();
    let mut sum = 0.0;
    for cluster in 0..partition.clusters() {
        let members: Vec<&Vec<f64>> = vectors
            .iter()
            .zip(partition.labels())
            .filter(|(_, label)| **label as usize == cluster)
            .map(|(v, _)| v)
            .collect();
        for entry in 0..width {
            let mean = members.iter().map(|v| v[entry]).sum::<f64>() / members.len() as f64;
            sum += members.iter().map(|v| (v[entry] - mean).powi(2)).sum::<f64>();
        }
    }
    sum
}

#[test]
fn a_party_that_panics_ends_everybody_with_an_error_that_names_it() {
    for links in [Links::Ring, Links::Star] {
        let error = drive::run(vec![0usize, 1, 2, 3], links, &Watch::default(), |part, transport| {
            let mut numbers = vec![1.0];
            match (links, part) {
                (_, 2) => panic!("no more"),
                (Links::Ring, _) => loop {
                    super::ring::total(transport, &mut numbers)?;
                },
                (Links::Star, 0) => (1..4).try_for_each(|from| transport.receive(from, &mut numbers)),
                (Links::Star, _) => transport.receive(0, &mut numbers),
            }
        });
        assert_eq!(error.err(), Some(Halt::Failed("party 2 broke down: no more".to_owned())));
    }
}

#[test]
fn a_party_that_fails_is_named_and_a_frame_of_the_wrong_length_is_refused() {
    let error = drive::run(vec![0usize, 1], Links::Ring, &Watch::default(), |part, transport| match part {
        0 => transport.send(1, &vec![0.0; 3]).and_then(|()| transport.receive(1, &mut vec![0.0])),
        _ => transport.receive(0, &mut vec![0.0; 2]),
    });
    assert_eq!(error.err(), Some(Halt::Failed("party 1: party 0 sent 3 numbers, which is no message".to_owned())));
}

#[test]
fn a_cancelled_watch_ends_parties_that_wait_for_each_other() {
    let cancelled = Arc::new(AtomicBool::new(false));
    let watch = Watch::new(None, Arc::clone(&cancelled));
    let error = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(50));
            cancelled.store(true, Ordering::Relaxed);
        });
        drive::run(vec![(), (), ()], Links::Ring, &watch, |(), transport| -> Result<(), Stopped> {
            let from = (transport.party() + 2) % 3;
            transport.receive(from, &mut vec![0.0])
        })
    });
    assert_eq!(error.err(), Some(Halt::Cancelled));
    let (ensemble, _) = grouped(30, 4);
    for method in ["v-bce-rows", "v-bce-columns", "mm-rows", "mm-columns", "kmeans-rows"] {
        let watch = Watch::new(Some(Duration::ZERO), Arc::default());
        assert_eq!(run_watched(method, &ensemble, 1, &[], watch).err(), Some(Halt::TimedOut), "{method}");
    }
}
