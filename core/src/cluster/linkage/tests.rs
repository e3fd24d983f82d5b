use proptest::prelude::*;

use super::super::test_data::{by_first_object, on_a_grid};
use super::*;

const ALL: [Linkage; 5] = [Linkage::Single, Linkage::Average, Linkage::Complete, Linkage::Ward, Linkage::Centroid];

/// The distance of two clusters by definition, from their members.
fn between(data: &Matrix, linkage: Linkage, a: &[usize], b: &[usize]) -> f64 {
    let distance = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| (x - y).powi(2)).sum::<f64>().sqrt();
    let pairs = || a.iter().flat_map(|&i| b.iter().map(move |&j| distance(data.row(i), data.row(j))));
    let mean = |members: &[usize]| -> Vec<f64> {
        let sum = |column: usize| members.iter().map(|&object| data.row(object)[column]).sum::<f64>();
        (0..data.columns()).map(|column| sum(column) / members.len() as f64).collect()
    };
    let (size_a, size_b) = (a.len() as f64, b.len() as f64);
    match linkage {
        Linkage::Single => pairs().fold(f64::INFINITY, f64::min),
        Linkage::Complete => pairs().fold(0.0, f64::max),
        Linkage::Average => pairs().sum::<f64>() / (size_a * size_b),
        Linkage::Centroid => distance(&mean(a), &mean(b)),
        Linkage::Ward => (2.0 * size_a * size_b / (size_a + size_b)).sqrt() * distance(&mean(a), &mean(b)),
    }
}

/// The heights and the partitions into N, N − 1, …, 1 clusters, in O(N³) distances of clusters.
fn primitive(data: &Matrix, linkage: Linkage) -> (Vec<f64>, Vec<Vec<u32>>) {
    let mut clusters: Vec<Vec<usize>> = (0..data.rows()).map(|object| vec![object]).collect();
    let partition = |clusters: &[Vec<usize>]| -> Vec<u32> {
        let of = |object: usize| clusters.iter().position(|members| members.contains(&object)).unwrap() as u32;
        by_first_object(&(0..data.rows()).map(of).collect::<Vec<_>>())
    };
    let mut partitions = vec![partition(&clusters)];
    let mut heights = vec![];
    while clusters.len() > 1 {
        let pairs = (0..clusters.len()).flat_map(|a| (a + 1..clusters.len()).map(move |b| (a, b)));
        let (height, a, b) = pairs
            .map(|(a, b)| (between(data, linkage, &clusters[a], &clusters[b]), a, b))
            .min_by(|x, y| x.0.total_cmp(&y.0))
            .unwrap();
        let absorbed = clusters.swap_remove(b);
        clusters[a].extend(absorbed);
        heights.push(height);
        partitions.push(partition(&clusters));
    }
    (heights, partitions)
}

fn heights(tree: &Dendrogram) -> Vec<f64> {
    tree.merges().iter().map(|merge| merge.height).collect()
}

fn close(found: &[f64], expected: &[f64]) -> bool {
    found.len() == expected.len() && found.iter().zip(expected).all(|(a, b)| (a - b).abs() <= 1e-9 * b.max(1.0))
}

proptest! {
    #[test]
    fn heights_and_cuts_are_those_of_the_definitions(
        values in proptest::collection::vec(-1.0..1.0f64, 2..60),
    ) {
        let data = Matrix::new(2, values[..values.len() / 2 * 2].to_vec()).unwrap();
        for method in ALL {
            let tree = linkage(&data, method);
            let (expected, partitions) = primitive(&data, method);
            prop_assert!(close(&heights(&tree), &expected), "{method:?}: {:?} for {expected:?}", heights(&tree));
            for (merged, partition) in partitions.iter().enumerate() {
                prop_assert_eq!(&tree.cut(data.rows() - merged), partition, "{:?}", method);
            }
        }
    }

    #[test]
    fn a_cut_has_exactly_as_many_clusters_as_asked_for_whatever_the_ties(data in on_a_grid(), clusters in 1..12usize) {
        for method in ALL {
            let labels = linkage(&data, method).cut(clusters);
            prop_assert_eq!(&labels, &by_first_object(&labels));
            prop_assert_eq!(*labels.iter().max().unwrap() as usize + 1, clusters.min(data.rows()));
        }
    }

    #[test]
    fn heights_never_fall_except_for_centroids(data in on_a_grid()) {
        for method in [Linkage::Single, Linkage::Average, Linkage::Complete, Linkage::Ward] {
            prop_assert!(linkage(&data, method).merges().is_sorted_by(|a, b| a.height <= b.height), "{:?}", method);
        }
        prop_assert!(linkage(&data, Linkage::Centroid).merges().iter().all(|merge| merge.height >= 0.0));
    }
}

/// Eight points and what `scipy.cluster.hierarchy.linkage` (SciPy 1.17.1) makes of them.
#[test]
fn heights_are_scipys() {
    let points = vec![0.0, 0.0, 1.0, 0.2, 0.3, 1.1, 5.0, 5.0, 6.1, 5.3, 5.2, 6.4, 9.0, 0.5, 2.5, 2.4];
    let data = Matrix::new(2, points).unwrap();
    let scipy = [
        (Linkage::Single, SCIPY_SINGLE),
        (Linkage::Average, SCIPY_AVERAGE),
        (Linkage::Complete, SCIPY_COMPLETE),
        (Linkage::Ward, SCIPY_WARD),
        (Linkage::Centroid, SCIPY_CENTROID),
    ];
    for (method, expected) in scipy {
        let tree = linkage(&data, method);
        assert!(close(&heights(&tree), &expected), "{method:?}: {:?}", heights(&tree));
        // fcluster(…, 3, "maxclust"), renumbered.
        assert_eq!(tree.cut(3), [0, 0, 0, 1, 1, 1, 2, 0], "{method:?}");
    }
}

const SCIPY_SINGLE: [f64; 7] = [
    1.019803902718557,
    1.1401754250991376,
    1.140175425099138,
    1.4142135623730956,
    2.5553864678361276,
    3.606937759374287,
    5.608029957123981,
];
const SCIPY_AVERAGE: [f64; 7] = [
    1.019803902718557,
    1.1401754250991376,
    1.140175425099138,
    1.4177403013641425,
    2.8945455164025624,
    6.215553890109742,
    6.900107818042709,
];
const SCIPY_COMPLETE: [f64; 7] = [
    1.019803902718557,
    1.1401754250991376,
    1.140175425099138,
    1.4212670403551895,
    3.4655446902326914,
    7.0178344238090995,
    9.013878188659973,
];
const SCIPY_WARD: [f64; 7] = [
    1.019803902718557,
    1.1401754250991376,
    1.1775681155103797,
    1.4988884770611413,
    3.494042548872771,
    7.588697736326921,
    12.693502274786104,
];
const SCIPY_CENTROID: [f64; 7] = [
    1.019803902718557,
    1.019803902718557,
    1.1401754250991376,
    1.2980754985747174,
    2.852873794770615,
    6.196145755404904,
    6.346751137393053,
];

#[test]
fn centroid_heights_that_fall_are_kept_in_the_order_of_the_merges() {
    let data = Matrix::new(2, vec![0.0, 0.0, 1.0, 0.0, 0.5, 0.9]).unwrap();
    let tree = linkage(&data, Linkage::Centroid);
    assert!(close(&heights(&tree), &[1.0, 0.9]));
    assert_eq!(tree.cut(2), [0, 0, 1]);
}

#[test]
fn one_object_is_one_cluster_and_no_object_none() {
    let one = Matrix::new(2, vec![1.0, 2.0]).unwrap();
    let none = Matrix::new(2, vec![]).unwrap();
    for method in ALL {
        assert_eq!(linkage(&one, method).cut(3), [0]);
        assert_eq!(linkage(&none, method).cut(3), [0u32; 0]);
    }
}
