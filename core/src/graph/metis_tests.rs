use proptest::prelude::*;
use rand::RngExt;

use super::*;
use crate::graph::GraphBuilder;
use crate::seed::Id;

/// A graph from a list of edges.
fn graph(vertex_weights: &[u32], edges: &[(u32, u32, f32)]) -> WeightedGraph {
    let mut builder = GraphBuilder::default();
    for (vertex, &weight) in (0..).zip(vertex_weights) {
        let ends = edges.iter().filter_map(|&(a, b, weight)| match vertex {
            _ if a == vertex => Some((b, weight)),
            _ if b == vertex => Some((a, weight)),
            _ => None,
        });
        builder.push(weight, ends.collect::<Vec<_>>());
    }
    builder.finish().unwrap()
}

/// `groups` cliques of `size` vertices, and a light edge between any two vertices with probability 0.1.
fn cliques(groups: u32, size: u32, seed: u64) -> WeightedGraph {
    let mut rng = Id::of("test", &[&seed.to_le_bytes()]).rng("graph");
    let mut edges = Vec::new();
    for a in 0..groups * size {
        for b in 0..a {
            if a / size == b / size {
                edges.push((b, a, 1.0));
            } else if rng.random_bool(0.1) {
                edges.push((b, a, 0.2));
            }
        }
    }
    graph(&vec![1; (groups * size) as usize], &edges)
}

fn cut(parts: usize, seed: u32) -> Cut {
    Cut { parts, imbalance: 0.05, seed }
}

fn is_grouped(labels: &[u32], size: usize) -> bool {
    let groups: Vec<&[u32]> = labels.chunks(size).collect();
    let mut firsts: Vec<u32> = groups.iter().map(|group| group[0]).collect();
    firsts.sort_unstable();
    firsts.dedup();
    firsts.len() == groups.len() && groups.iter().all(|group| group.iter().all(|label| *label == group[0]))
}

#[test]
fn cliques_are_found_by_bisection_and_by_the_k_way_scheme() {
    for seed in 0..5 {
        for (groups, size) in [(2, 30), (3, 20), (5, 20), (8, 20), (12, 25)] {
            let labels = k_way(&cliques(groups, size, 1), cut(groups as usize, seed)).unwrap();
            assert!(is_grouped(&labels, size as usize), "{groups} cliques, seed {seed}: {labels:?}");
        }
    }
}

#[test]
fn two_hundred_calls_from_four_threads_equal_the_sequential_ones() {
    // Without structure nearly every seed gives another cut, so that a disturbed random state shows.
    let mut rng = Id::of("test", &[]).rng("graph");
    let pairs = (0..120).flat_map(|a| (0..a).map(move |b| (b, a)));
    let edges: Vec<(u32, u32, f32)> = pairs.filter(|_| rng.random_bool(0.2)).map(|(a, b)| (a, b, 1.0)).collect();
    let graph = graph(&[1; 120], &edges);
    let calls: Vec<Cut> = (0..200).map(|seed| cut(2 + seed as usize % 4, seed)).collect();
    let run = |calls: &[Cut]| calls.iter().map(|&cut| k_way(&graph, cut).unwrap()).collect::<Vec<_>>();
    let sequential = run(&calls);
    let parallel: Vec<Vec<u32>> = std::thread::scope(|scope| {
        let run = &run;
        let threads: Vec<_> = calls.chunks(50).map(|calls| scope.spawn(move || run(calls))).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(parallel, sequential);
    let distinct: std::collections::BTreeSet<&Vec<u32>> = sequential.iter().collect();
    assert!(distinct.len() > 100, "the seed must matter for this test to mean anything: {}", distinct.len());
}

/// Which signals of this process have handlers: bit n − 1 for signal n.
#[cfg(target_os = "linux")]
fn caught_signals() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
    u64::from_str_radix(caught.trim(), 16).unwrap()
}

#[test]
#[cfg(target_os = "linux")]
fn signals_stay_with_the_program_while_graphs_are_cut() {
    let graph = cliques(20, 30, 1);
    let before = caught_signals();
    std::thread::scope(|scope| {
        let cuts = scope.spawn(|| (0..20).for_each(|seed| drop(k_way(&graph, cut(20, seed)).unwrap())));
        while !cuts.is_finished() {
            assert_eq!(caught_signals(), before);
        }
    });
}

#[test]
fn small_and_odd_graphs_are_cut_without_complaint() {
    let lone = graph(&[5], &[]);
    assert_eq!(k_way(&lone, cut(1, 1)).unwrap(), [0]);
    assert_eq!(k_way(&lone, cut(3, 1)).unwrap(), [0]);
    assert!(k_way(&lone, cut(0, 1)).is_err());
    assert_eq!(k_way(&graph(&[], &[]), cut(2, 1)).unwrap(), [0; 0]);
    assert_eq!(k_way(&graph(&[1, 1, 1], &[(0, 1, 1.0)]), cut(3, 1)).unwrap(), [0, 1, 2]);
}

#[test]
fn vertices_without_edges_are_shared_out_evenly() {
    let labels = k_way(&graph(&[1; 40], &[]), cut(4, 3)).unwrap();
    for part in 0..4 {
        assert_eq!(labels.iter().filter(|&&label| label == part).count(), 10, "{labels:?}");
    }
}

#[test]
fn vertices_of_no_weight_follow_their_edges() {
    let edges: Vec<(u32, u32, f32)> =
        (0..10).flat_map(|a| (0..a).filter(move |b| a / 5 == b / 5).map(move |b| (b, a, 1.0))).collect();
    let mut weights = [1; 10];
    weights[0] = 0;
    let labels = k_way(&graph(&weights, &edges), cut(2, 1)).unwrap();
    assert!(is_grouped(&labels, 5), "{labels:?}");
}

proptest! {
    #[test]
    fn every_vertex_gets_a_part_whatever_the_graph(
        (weights, edges) in (1..30_u32).prop_flat_map(|vertices| {
            let edges = proptest::collection::btree_map((0..vertices, 0..vertices), 0.0..2.0_f32, 0..60);
            (proptest::collection::vec(0..50_u32, vertices as usize), edges)
        }),
        parts in 1..12_usize,
        seed: u32,
    ) {
        let edges: Vec<(u32, u32, f32)> = edges.into_iter().filter(|((a, b), _)| a < b).map(|((a, b), w)| (a, b, w)).collect();
        let labels = k_way(&graph(&weights, &edges), cut(parts, seed)).unwrap();
        prop_assert_eq!(labels.len(), weights.len());
        prop_assert!(labels.iter().all(|&label| (label as usize) < parts));
    }
}
