use proptest::prelude::{ProptestConfig, prop_assert, prop_assert_eq, proptest};
use rand::RngExt;

use super::super::balanced::part_limit;
use super::*;
use crate::graph::{BalancedOptions, Cut, GraphBuilder, Partitioner, balanced_parts, k_way};
use crate::seed::{Id, Rng};

fn rng(seed: u64) -> Rng {
    Id::of("test", &[&seed.to_le_bytes()]).rng("refine")
}

/// Edges of random weights, each there with probability `density`.
fn random_graph(vertex_weights: &[u32], density: f64, seed: u64) -> WeightedGraph {
    let mut rng = rng(seed);
    let vertices = vertex_weights.len();
    let mut weights = vec![vec![0.0; vertices]; vertices];
    for (a, b) in (0..vertices).flat_map(|a| (0..a).map(move |b| (a, b))) {
        let weight = if rng.random_bool(density) { rng.random_range(1..20) as f32 } else { 0.0 };
        (weights[a][b], weights[b][a]) = (weight, weight);
    }
    let mut builder = GraphBuilder::default();
    for (&vertex_weight, weights) in vertex_weights.iter().zip(weights) {
        builder.push(vertex_weight, (0..).zip(weights));
    }
    builder.finish().unwrap()
}

fn loads_of(graph: &WeightedGraph, part_of: &[u32], parts: usize) -> Vec<u64> {
    let mut loads = vec![0; parts];
    for (vertex, &part) in part_of.iter().enumerate() {
        loads[part as usize] += u64::from(graph.vertex_weights[vertex].cast_unsigned());
    }
    loads
}

/// The least cut of all divisions into parts of 1 to `limit` vertices; every division is looked at.
fn least_cut(graph: &WeightedGraph, parts: usize, limit: u64) -> u64 {
    fn extend(graph: &WeightedGraph, parts: usize, limit: u64, part_of: &mut Vec<u32>) -> Option<u64> {
        if part_of.len() == graph.vertices() {
            let allowed = loads_of(graph, part_of, parts).iter().all(|load| (1..=limit).contains(load));
            return allowed.then(|| graph.cut(part_of));
        }
        let used = part_of.iter().max().map_or(0, |&part| part as usize + 1);
        let mut least: Option<u64> = None;
        for part in 0..parts.min(used + 1) {
            part_of.push(part as u32);
            least = [least, extend(graph, parts, limit, part_of)].into_iter().flatten().min();
            part_of.pop();
        }
        least
    }
    extend(graph, parts, limit, &mut Vec::new()).unwrap()
}

fn divided(graph: &WeightedGraph, parts: usize, imbalance: f64, seed: u64) -> Vec<u32> {
    let options = BalancedOptions { parts, imbalance, partitioner: Partitioner::Refined, ties: TieBreak::Seed };
    balanced_parts(graph, options, &mut rng(seed), || Ok::<(), GraphError>(())).unwrap()
}

/// A division by METIS, mended only.
fn mended(graph: &WeightedGraph, bounds: Bounds, imbalance: f64, seed: u64) -> Vec<u32> {
    let part_of = k_way(graph, Cut { parts: bounds.parts, imbalance, seed: rng(seed).random() }).unwrap();
    let division = GraphDivision::new(graph, part_of, bounds.parts, bounds.limit).unwrap();
    let order = (0..graph.vertices()).collect();
    let mut refiner = Refiner { division, order, check: || Ok::<(), GraphError>(()) };
    refiner.mend().unwrap();
    refiner.division.into_parts()
}

fn refined(graph: &WeightedGraph, part_of: Vec<u32>, bounds: Bounds, seed: u64) -> Vec<u32> {
    refine(graph, part_of, bounds, &mut rng(seed), || Ok::<(), GraphError>(())).unwrap()
}

/// Measured: METIS alone misses the least cut of 98 of 200 such graphs, by 3.9 % on average over all.
#[test]
fn small_graphs_get_their_least_cut() {
    let mut above = Vec::new();
    for seed in 0..48 {
        let vertices = 9 + seed as usize % 3;
        let parts = 2 + seed as usize / 3 % 3;
        let graph = random_graph(&vec![1; vertices], [1.0, 0.6, 0.35][seed as usize / 9 % 3], seed);
        let limit = part_limit(vertices as u64, parts, 0.05);
        let part_of = divided(&graph, parts, 0.05, seed);
        assert!(loads_of(&graph, &part_of, parts).iter().all(|load| (1..=limit).contains(load)));
        let least = least_cut(&graph, parts, limit);
        above.push(graph.cut(&part_of) as f64 / least as f64 - 1.0);
    }
    let missed: Vec<f64> = above.into_iter().filter(|above| *above > 0.0).collect();
    assert!(missed.is_empty(), "{missed:?}");
}

/// The sizes that METIS alone made 24, 30, 26 and 16, 22, 18 of.
#[test]
fn parts_stay_within_their_bound_whatever_the_number_of_vertices() {
    for vertices in 9..90_usize {
        for parts in [2, 3, 5, 8, 9] {
            let graph = random_graph(&vec![1; vertices], 0.5, vertices as u64);
            for imbalance in [0.0, 0.05] {
                let part_of = divided(&graph, parts, imbalance, 1);
                let limit = part_limit(vertices as u64, parts, imbalance);
                let loads = loads_of(&graph, &part_of, parts);
                let filled = parts.min(vertices);
                assert!(loads.iter().all(|load| *load <= limit), "{vertices} in {loads:?}, at most {limit}");
                assert_eq!(loads.iter().filter(|load| **load > 0).count(), filled, "{vertices} in {loads:?}");
            }
        }
    }
}

#[test]
fn graphs_without_edges_and_with_equal_ones_are_balanced_too() {
    for vertices in [9, 40, 101] {
        let none = random_graph(&vec![1; vertices], 0.0, 1);
        let mut builder = GraphBuilder::default();
        (0..vertices).for_each(|vertex| {
            builder.push(1, (0..vertices as u32).filter(|&other| other as usize != vertex).map(|other| (other, 1.0)));
        });
        for graph in [none, builder.finish().unwrap()] {
            for parts in [1, 2, 7, vertices - 1, vertices, vertices + 1] {
                let loads = loads_of(&graph, &divided(&graph, parts, 0.05, 3), parts);
                let limit = part_limit(vertices as u64, parts, 0.05);
                assert!(loads.iter().all(|load| *load <= limit), "{vertices} in {loads:?}");
            }
        }
    }
}

#[test]
fn refining_stops_when_told_to() {
    let graph = random_graph(&[1; 300], 1.0, 1);
    let looks = std::cell::Cell::new(0);
    let check = || {
        looks.set(looks.get() + 1);
        if looks.get() > 3 { Err(GraphError::TooLarge) } else { Ok(()) }
    };
    let part_of: Vec<u32> = (0..300).map(|vertex| vertex % 5).collect();
    let stopped = refine(&graph, part_of, Bounds { parts: 5, limit: 63, ties: TieBreak::Seed }, &mut rng(1), check);
    assert_eq!((stopped, looks.get()), (Err(GraphError::TooLarge), 4));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    /// Also where vertices have weights, none among them, up to what the imbalance leaves room for.
    #[test]
    fn refining_keeps_the_bound_and_leaves_no_move_and_no_swap_that_lowers_the_cut(
        light in proptest::collection::vec(0..4_u32, 12..60), parts in 2..6usize, density in 0.1..1.0_f64, seed: u64,
    ) {
        let graph = random_graph(&light, density, seed);
        let total = graph.total_weight();
        let imbalance = 3.0 * parts as f64 / total as f64;
        let bounds = Bounds { parts, limit: part_limit(total, parts, imbalance), ties: TieBreak::Seed };
        let before = mended(&graph, bounds, imbalance, seed);
        prop_assert!(loads_of(&graph, &before, parts).iter().all(|load| *load <= bounds.limit));
        let after = refined(&graph, before.clone(), bounds, seed);
        prop_assert!(graph.cut(&after) <= graph.cut(&before));
        prop_assert_eq!(&after, &refined(&graph, before, bounds, seed), "the same random numbers");
        let loads = loads_of(&graph, &after, parts);
        prop_assert!(loads.iter().all(|load| (1..=bounds.limit).contains(load)), "{:?}", loads);
        let allowed = |changed: &[u32]| {
            loads_of(&graph, changed, parts).iter().all(|load| (1..=bounds.limit).contains(load))
        };
        let least = graph.cut(&after);
        let mut changed = after.clone();
        for one in 0..after.len() {
            for to in 0..parts as u32 {
                changed[one] = to;
                prop_assert!(!allowed(&changed) || graph.cut(&changed) >= least, "{} to {}", one, to);
            }
            changed[one] = after[one];
            for other in 0..one {
                changed.swap(one, other);
                prop_assert!(!allowed(&changed) || graph.cut(&changed) >= least, "{} and {}", one, other);
                changed.swap(one, other);
            }
        }
    }
}
