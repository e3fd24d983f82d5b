use proptest::prelude::*;

use super::super::linked_oracle::assert_printed;
use super::super::test_ensembles::{Planted, combine, t16};
use super::*;
use crate::cluster::kmeans_weighted;
use crate::ensemble::Partition;
use crate::ensemble::tests::ensembles;
use crate::metric::{Contingency, accuracy};
use crate::seed::Id;

/// The cut by k-means that starts from a given row.
pub(in crate::consensus) fn cut_from(
    ensemble: &Ensemble,
    edges: &impl ClusterEdges,
    graph: ClusterGraph,
    clusters: usize,
    first: usize,
) -> Partition {
    let watch = Watch::default();
    let basis = graph.basis(clusters, &watch).unwrap();
    let (rows, places) = basis.embed(edges, clusters, &watch).unwrap();
    let task = Task { ensemble, clusters: None, repeat: 0, id: Id::of("test", &[]), watch: watch.clone() };
    let start = places.farthest_first(first, clusters, &mut task.rng("test"), &task).unwrap();
    let found = kmeans_weighted(&places.data, &places.weights, &start, || watch.check()).unwrap();
    ensemble.partition_of_rows(&with_unlabelled(ensemble, &rows, &found.labels)).by_first_object()
}

/// A partition of T16, from the cluster of every distinct row.
pub(in crate::consensus) fn of_t16(labels: [u32; 7]) -> Partition {
    t16().partition_of_rows(&labels).by_first_object()
}

fn one_for_each(ensemble: &Ensemble) -> LabelEdges<'_> {
    LabelEdges::new(ensemble, vec![1.0; ensemble.arity().iter().sum()])
}

fn graph_of(edges: &LabelEdges) -> ClusterGraph {
    ClusterGraph::of(edges, edges.strengths.len(), &Watch::default()).unwrap()
}

#[test]
fn the_published_example_has_its_spectrum_and_its_cut() {
    let ensemble = t16();
    let edges = one_for_each(&ensemble);
    let basis = graph_of(&edges).basis(9, &Watch::default()).unwrap();
    let printed = [1.0, 0.884771, 0.599226, 0.309443, 0.138067, 0.042335, 0.026157, 0.0, 0.0];
    assert_printed(&basis.eigenvalues, &printed, 6);
    // {1, 2, 9–11} {3–8} {12–16}; rows 111 121 122 132 211 332 333.
    assert_eq!(cut_from(&ensemble, &edges, graph_of(&edges), 3, 0), of_t16([0, 1, 1, 1, 0, 2, 2]));
}

/// G, all of it: one row for each object.
fn written_out(edges: &LabelEdges) -> Vec<Vec<f64>> {
    let row = |&row: &u32| {
        let mut of_row = Vec::new();
        edges.write(row as usize, &mut of_row);
        let mut strengths = vec![0.0; edges.strengths.len()];
        of_row.iter().for_each(|&(cluster, strength)| strengths[cluster as usize] = strength);
        strengths
    };
    edges.ensemble.row_of().iter().map(row).collect()
}

/// W by the letter.
fn slow_graph(g: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let degree = |row: &[f64]| row.iter().sum::<f64>().max(1e-10);
    let clusters = g[0].len();
    let entry = |i: usize, j: usize| g.iter().map(|row| row[i] * row[j] / degree(row)).sum::<f64>();
    (0..clusters).map(|i| (0..clusters).map(|j| entry(i, j)).collect()).collect()
}

/// Ensembles with edges of any strength.
fn with_strengths() -> impl Strategy<Value = (Ensemble, Vec<f64>)> {
    ensembles().prop_flat_map(|ensemble| {
        let clusters: usize = ensemble.arity().iter().sum();
        (Just(ensemble), proptest::collection::vec(0.05..1.0f64, clusters))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn the_graph_and_its_eigenvectors_are_those_of_the_definition((ensemble, strengths) in with_strengths()) {
        let edges = LabelEdges::new(&ensemble, strengths);
        let w = slow_graph(&written_out(&edges));
        let found = graph_of(&edges);
        for (i, row) in w.iter().enumerate() {
            prop_assert!(found.weights.row(i).iter().zip(row).all(|(a, b)| (a - b).abs() < 1e-11));
        }
        let d: Vec<f64> = w.iter().map(|row| row.iter().sum()).collect();
        let basis = found.basis(w.len(), &Watch::default()).unwrap();
        for (column, value) in basis.eigenvalues.iter().enumerate() {
            let v: Vec<f64> = (0..w.len()).map(|i| basis.entries[i * w.len() + column] * d[i].sqrt()).collect();
            for i in 0..w.len() {
                let image: f64 = (0..w.len()).map(|j| w[i][j] / (d[i] * d[j]).sqrt() * v[j]).sum();
                prop_assert!((image - value * v[i]).abs() < 1e-10);
            }
        }
        // Every row of A is a share of 1 in this sense: its largest eigenvalue is 1.
        prop_assert!((basis.eigenvalues[0] - 1.0).abs() < 1e-12);
    }

    /// With all eigenvectors V Vᵀ = I, and products of rows of Y need no eigenvector.
    #[test]
    fn rows_of_the_embedding_are_those_of_the_definition((ensemble, strengths) in with_strengths()) {
        let edges = LabelEdges::new(&ensemble, strengths);
        let g = written_out(&edges);
        let d: Vec<f64> = slow_graph(&g).iter().map(|row| row.iter().sum()).collect();
        let product = |x: &[f64], y: &[f64]| (0..d.len()).map(|i| x[i] * y[i] / d[i]).sum::<f64>();
        let basis = graph_of(&edges).basis(d.len(), &Watch::default()).unwrap();
        let (rows, places) = basis.embed(&edges, d.len(), &Watch::default()).unwrap();
        let object_of = |row: u32| ensemble.row_of().iter().position(|&r| r == row).unwrap();
        for (a, &row_a) in rows.iter().enumerate() {
            for (b, &row_b) in rows.iter().enumerate() {
                let (x, y) = (&g[object_of(row_a)], &g[object_of(row_b)]);
                let expected = product(x, y) / (product(x, x) * product(y, y)).sqrt();
                let found: f64 = places.data.row(a).iter().zip(places.data.row(b)).map(|(x, y)| x * y).sum();
                prop_assert!((found - expected).abs() < 1e-7, "{found} {expected}");
            }
        }
        let labelled = (0..g.len()).filter(|&object| g[object].iter().any(|&strength| strength > 0.0)).count();
        prop_assert_eq!(places.weights.iter().sum::<u32>() as usize, labelled);
    }

    #[test]
    fn equal_objects_count_one_by_one((ensemble, strengths) in with_strengths()) {
        let expanded = ensemble.expanded();
        let spectrum = |ensemble: &Ensemble| {
            let edges = LabelEdges::new(ensemble, strengths.clone());
            graph_of(&edges).basis(strengths.len(), &Watch::default()).unwrap().eigenvalues
        };
        let (one, other) = (spectrum(&ensemble), spectrum(&expanded));
        prop_assert!(one.iter().zip(other).all(|(a, b)| (a - b).abs() < 1e-11));
    }
}

#[test]
fn distinct_rows_are_cut_like_single_objects() {
    for seed in 0..5 {
        let planted = Planted { objects: 200, copies: 6, noise: 0.15, missing: 0.05, ..Planted::new(4, seed) };
        let (ensemble, _) = planted.make();
        let expanded = ensemble.expanded();
        let first = ensemble.row_of()[17];
        let [one, other] = [(&ensemble, first as usize), (&expanded, 17)].map(|(ensemble, first)| {
            let edges = one_for_each(ensemble);
            // Rows without a label stand last and are in no place: numbers of rows before them stay.
            cut_from(ensemble, &edges, graph_of(&edges), 4, first)
        });
        assert_eq!(one, other, "seed {seed}");
    }
}

#[test]
fn objects_without_labels_join_the_largest_cluster_and_are_in_no_other_place() {
    let rows: Vec<[i32; 2]> = [vec![[0, 0]; 5], vec![[-1, -1]; 2], vec![[1, 1]; 3]].concat();
    let ensemble = super::super::test_ensembles::from_rows(&rows);
    let labels = combine(&*super::super::tcut::INFO.make_default(), &ensemble, 2, 1).partition.by_first_object();
    assert_eq!(labels.labels(), [0, 0, 0, 0, 0, 0, 0, 1, 1, 1]);
    let one = combine(&*super::super::tcut::INFO.make_default(), &ensemble, 40, 1).partition;
    assert_eq!(one.clusters(), 2, "there are two places");
}

#[test]
fn a_planted_partition_is_recovered_by_every_spectral_method() {
    for name in ["ecpcs-mc", "gp-mgla", "lwgp", "ptgp", "tcut"] {
        let method = super::super::find(name).unwrap().make_default();
        for (clusters, seed) in [(3, 1), (3, 2), (4, 3), (5, 4)] {
            let (ensemble, truth) = Planted { missing: 0.1, ..Planted::new(clusters, seed) }.make();
            let found = combine(&*method, &ensemble, clusters, seed).partition;
            assert!(accuracy(&Contingency::new(&found, &truth)) >= 0.97, "{name}, {clusters}");
        }
    }
}
