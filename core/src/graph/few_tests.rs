use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::graph::GraphBuilder;
use crate::seed::{Id, Rng};

fn rng(seed: u64) -> Rng {
    Id::of("test", &[&seed.to_le_bytes()]).rng("few")
}

type Edges = Vec<(Vec<u32>, u64)>;

const CONCENTRATED: Equals = Equals { settle: Settle::Concentrated, ties: TieBreak::Seed };

fn few(weights: &[u64], edges: &Edges) -> FewVertices {
    FewVertices::new(weights.iter().copied(), edges.iter().cloned()).unwrap()
}

/// All labelings, also those that differ in the numbers of the parts only.
fn labelings(vertices: usize, parts: u32) -> Vec<Vec<u32>> {
    (0..vertices).fold(vec![Vec::new()], |shorter, _| {
        shorter.iter().flat_map(|labels| (0..parts).map(|part| [labels.as_slice(), &[part]].concat())).collect()
    })
}

/// Overload, empty parts and cut of a labeling, and its concentration, straight from their definitions.
fn slow_value(weights: &[u64], edges: &Edges, labels: &[u32], parts: u32, limit: u64) -> (Value, f64) {
    let load = |vertices: &mut dyn Iterator<Item = usize>| vertices.map(|vertex| weights[vertex]).sum::<u64>();
    let loads: Vec<u64> =
        (0..parts).map(|part| load(&mut (0..weights.len()).filter(|&vertex| labels[vertex] == part))).collect();
    let overload = loads.iter().map(|load| load.saturating_sub(limit)).sum();
    let empty = loads.iter().filter(|load| **load == 0).count();
    let is_cut = |pins: &[u32]| pins.iter().any(|&pin| labels[pin as usize] != labels[pins[0] as usize]);
    let cut = edges.iter().filter(|(pins, _)| is_cut(pins)).map(|(_, weight)| weight).sum();
    let of_edge = |(pins, weight): &(Vec<u32>, u64)| {
        let pins: BTreeSet<usize> = pins.iter().map(|&pin| pin as usize).collect();
        let shares = (0..parts).map(|part| load(&mut pins.iter().copied().filter(|&pin| labels[pin] == part)));
        let squares: u64 = shares.map(|share| share * share).sum();
        *weight as f64 * squares as f64 / load(&mut pins.iter().copied()).max(1) as f64
    };
    ((overload, empty, cut), edges.iter().map(of_edge).sum())
}

fn hypergraphs() -> impl Strategy<Value = (Vec<u64>, Edges)> {
    (2..=7_usize).prop_flat_map(|vertices| {
        let last = vertices as u32;
        let pins = proptest::collection::btree_set(0..last, 2..=vertices).prop_map(|pins| pins.into_iter().collect());
        (proptest::collection::vec(0..4_u64, vertices), proptest::collection::vec((pins, 1..5_u64), 0..10))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn nothing_is_better_than_what_the_search_finds(
        (weights, edges) in hypergraphs(), parts in 2..=3_u32, limit in 1..12_u64, seed: u64,
    ) {
        let found = few(&weights, &edges).divide(parts as usize, limit, CONCENTRATED, &mut rng(seed));
        let (value, concentration) = slow_value(&weights, &edges, &found, parts, limit);
        for labels in labelings(weights.len(), parts) {
            let (other, other_concentration) = slow_value(&weights, &edges, &labels, parts, limit);
            prop_assert!(value <= other, "{:?} {:?} {:?} {:?}", found, value, labels, other);
            if value == other {
                prop_assert!(concentration >= other_concentration * (1.0 - 1e-9), "{:?} {:?}", found, labels);
            }
        }
    }

    #[test]
    fn a_graph_is_divided_like_the_hypergraph_of_its_edges(
        pairs in proptest::collection::btree_map((0..6_u32, 0..6_u32), 1..9_u16, 1..12), seed: u64,
    ) {
        let edges: Edges = pairs.iter().filter(|((a, b), _)| a < b).map(|(&(a, b), &w)| (vec![a, b], w.into())).collect();
        let mut builder = GraphBuilder::default();
        for vertex in 0..6 {
            let of_vertex = edges.iter().filter(|(pins, _)| pins.contains(&vertex));
            builder.push(1, of_vertex.map(|(pins, weight)| (pins[0] + pins[1] - vertex, *weight as f32)).collect::<Vec<_>>());
        }
        let graph = FewVertices::of_graph(&builder.finish().unwrap()).unwrap();
        prop_assert_eq!(graph.divide(3, 3, CONCENTRATED, &mut rng(seed)), few(&[1; 6], &edges).divide(3, 3, CONCENTRATED, &mut rng(seed)));
    }
}

#[test]
fn chance_decides_between_equally_good_divisions_whatever_the_order_of_the_vertices() {
    // A square: two pairs of opposite sides can be cut.
    for order in [[0, 1, 2, 3], [2, 0, 3, 1]] {
        let edges: Edges = (0..4).map(|side| (vec![order[side], order[(side + 1) % 4]], 1)).collect();
        let square = few(&[1; 4], &edges);
        let mut times = [0; 2];
        for seed in 0..200 {
            let part_of = square.divide(2, 2, CONCENTRATED, &mut rng(seed));
            let with_first = (1..4).filter(|&corner| part_of[order[corner] as usize] == part_of[order[0] as usize]);
            match with_first.collect::<Vec<_>>()[..] {
                [1] => times[0] += 1,
                [3] => times[1] += 1,
                _ => panic!("{part_of:?}"),
            }
        }
        assert!(times.iter().all(|&times| times > 70), "{times:?}");
    }
}

#[test]
fn by_order_the_first_of_equally_good_divisions_is_taken_whatever_the_seed() {
    let edges: Edges = (0..4).map(|side| (vec![side, (side + 1) % 4], 1)).collect();
    let by_order = Equals { ties: TieBreak::Order, ..CONCENTRATED };
    for seed in 0..20 {
        assert_eq!(few(&[1; 4], &edges).divide(2, 2, by_order, &mut rng(seed)), [0, 0, 1, 1]);
    }
}

#[test]
fn nine_vertices_are_not_few() {
    assert!(FewVertices::new([1; 9].into_iter(), std::iter::empty::<([u32; 2], u64)>()).is_none());
}
