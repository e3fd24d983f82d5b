//! Weighted connected triples (N. Iam-On, T. Boongoen, S. Garrett & C. Price, A link-based approach to the cluster ensemble
//! problem, IEEE TPAMI 33(12), 2011; LinkCluE, J. Statistical Software 36(9), 2010, where the matrix is called CTS).
//!
//! w_ij = |C_i ∩ C_j| / |C_i ∪ C_j|, w_ii = 0. Two clusters of the same clustering are like each other by what both share with
//! third ones: WCT_ij = Σ_k min(w_ik, w_jk), divided by the largest of all clusterings. Similarity of two objects =
//! 1/M Σ_m [1 if they are in the same cluster of m, else dc · WCT of their clusters]. Single, average or complete link on
//! 1 − similarity, cut at K.
//!
//! Objects with equal labels have similarity 1 and stay together, as in [evidence accumulation](super::eac).
//!
//! Missing labels: clusters are compared on the objects that both clusterings label, and the similarity is the mean over the
//! clusterings that label both objects. Objects without any label join the largest cluster.

use super::base_clusters::BaseClusters;
use super::label_measure::{ColumnMeasure, LabelDistances, Likeness};
use super::linked::{LINKED, Linked, MeasureBytes, RowMeasure};
use super::row_links::{Link, RowDistances};
use super::ties::TIES;
use super::{Consensus, Halt, MethodInfo, Shape, Task, Watch};
use crate::params::{DefaultValue, Kind, Parameter, Params};

const DC: Parameter = Parameter {
    name: "dc",
    kind: Kind::Real { min: 0.0, max: 1.0 },
    default: DefaultValue::Real(0.8),
    help: "decay: how much clusters that are like each other count beside the same cluster",
};

pub(super) const AVERAGE: MethodInfo = info("wct-al", "WCT, average link", |params| triples(Link::Average, params));
pub(super) const COMPLETE: MethodInfo = info("wct-cl", "WCT, complete link", |params| triples(Link::Complete, params));
pub(super) const SINGLE: MethodInfo = info("wct-sl", "WCT, single link", |params| triples(Link::Single, params));

const fn info(name: &'static str, title: &'static str, maker: fn(&Params) -> Box<dyn Consensus>) -> MethodInfo {
    let reference = "Iam-On, Boongoen, Garrett & Price 2011: weighted connected triples";
    MethodInfo { name, title, reference, parameters: &[DC, TIES], maker, ..LINKED }
}

fn triples(link: Link, params: &Params) -> Box<dyn Consensus> {
    Linked::boxed(ConnectedTriples { dc: params.real(DC.name) }, link, params)
}

/// 1 − CTS.
struct ConnectedTriples {
    dc: f64,
}

impl RowMeasure for ConnectedTriples {
    fn distances(&self, task: &Task, rows: &[usize]) -> Result<Box<dyn RowDistances>, Halt> {
        let clusters = BaseClusters::of(task.ensemble, &task.watch)?;
        let mut tables = connected_triples(&clusters, &task.watch)?;
        for (table, &arity) in tables.iter_mut().zip(task.ensemble.arity()) {
            table.iter_mut().for_each(|value| *value *= self.dc);
            (0..arity).for_each(|i| table[i * arity + i] = 1.0);
        }
        let of_column = |table| ColumnMeasure { share: 1.0, likeness: Likeness::Others(table) };
        Ok(Box::new(LabelDistances::new(task, rows, tables.into_iter().map(of_column).collect())))
    }

    fn operations(&self, shape: &Shape) -> f64 {
        let overlaps = shape.rows * shape.columns * shape.columns;
        overlaps + shape.labels * shape.labels * shape.widest / 2.0 + shape.rows * shape.rows * shape.columns
    }

    fn memory(&self, shape: &Shape) -> MeasureBytes {
        let kept = 8.0 * shape.labels * (shape.widest + 1.0) + LabelDistances::bytes(shape);
        MeasureBytes { made: BaseClusters::bytes(shape) + 8.0 * shape.labels * shape.labels + kept, kept }
    }
}

/// WCT of the clusters of each clustering, J × J, divided by the largest of all.
fn connected_triples(clusters: &BaseClusters, watch: &Watch) -> Result<Vec<Vec<f64>>, Halt> {
    let jaccard = clusters.jaccard(0.0)?;
    let shares = |cluster: usize| &jaccard[cluster * clusters.len()..][..clusters.len()];
    let mut largest = 0.0_f64;
    let mut tables = Vec::with_capacity(clusters.ranges().len());
    for range in clusters.ranges() {
        let arity = range.len();
        let mut table = vec![0.0; arity * arity];
        for i in 0..arity {
            watch.check()?;
            for j in 0..i {
                let both = shares(range.start + i).iter().zip(shares(range.start + j));
                let triples: f64 = both.map(|(one, other)| one.min(*other)).sum();
                largest = largest.max(triples);
                table[i * arity + j] = triples;
                table[j * arity + i] = triples;
            }
        }
        tables.push(table);
    }
    if largest > 0.0 {
        tables.iter_mut().flatten().for_each(|value| *value /= largest);
    }
    Ok(tables)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::linked_oracle::{LINKS, assert_printed, clusters_of, similarities, slow_tree};
    use super::super::test_ensembles::{Planted, combine, t16};
    use super::*;
    use crate::ensemble::tests::ensembles;
    use crate::ensemble::{Ensemble, Labels};
    use crate::graph::TieBreak;

    #[test]
    fn the_published_example_has_its_values() {
        let clusters = BaseClusters::of(&t16(), &Watch::default()).unwrap();
        let tables = connected_triples(&clusters, &Watch::default()).unwrap();
        let pairs: Vec<f64> = tables.iter().flat_map(|table| [table[1], table[2], table[5]]).collect();
        let printed = [0.981818, 0.615385, 0.0, 0.777273, 0.327273, 0.672527, 0.911688, 0.0, 1.0];
        assert_printed(&pairs, &printed, 6);
        let found = similarities(&ConnectedTriples { dc: 0.8 }, &t16());
        let of_first = [2, 4, 5, 8, 11, 12].map(|object| found(0, object));
        assert_printed(&of_first, &[0.873939, 0.783723, 0.663723, 0.928485, 0.494492, 0.251375], 6);
        let three = combine(&*AVERAGE.make_default(), &t16(), 3, 1).partition;
        assert_eq!(clusters_of(&three), [vec![1, 2, 3, 4, 5, 9, 10, 11], vec![6, 7, 8], vec![12, 13, 14, 15, 16]]);
    }

    /// The similarity of all pairs of objects from base clusters written out.
    fn slow_similarities(ensemble: &Ensemble) -> Vec<Vec<f64>> {
        let columns: Vec<Vec<u32>> = (0..ensemble.columns()).map(|m| ensemble.column(m).codes().to_vec()).collect();
        let clusters: Vec<(usize, u32)> = ensemble
            .arity()
            .iter()
            .enumerate()
            .flat_map(|(m, &arity)| (0..arity as u32).map(move |label| (m, label)))
            .collect();
        let jaccard = |(m, a): (usize, u32), (n, b): (usize, u32)| {
            let both =
                columns[m].iter().zip(&columns[n]).filter(|(x, y)| **x != Labels::MISSING && **y != Labels::MISSING);
            let (mut and, mut or) = (0.0, 0.0);
            for (&x, &y) in both {
                and += f64::from(u8::from(x == a && y == b));
                or += f64::from(u8::from(x == a || y == b));
            }
            if m == n || or == 0.0 { 0.0 } else { and / or }
        };
        let triples = |one: (usize, u32), other: (usize, u32)| {
            clusters.iter().map(|&third| jaccard(one, third).min(jaccard(other, third))).sum::<f64>()
        };
        let all: Vec<Vec<f64>> = clusters
            .iter()
            .map(|&one| {
                clusters
                    .iter()
                    .map(|&other| if one.0 == other.0 && one != other { triples(one, other) } else { 0.0 })
                    .collect()
            })
            .collect();
        let largest = all.iter().flatten().copied().fold(0.0, f64::max);
        let place = |m: usize, label: u32| clusters.iter().position(|&cluster| cluster == (m, label)).unwrap();
        let similarity = |x: usize, y: usize| {
            let labels = columns
                .iter()
                .enumerate()
                .filter(|(_, codes)| codes[x] != Labels::MISSING && codes[y] != Labels::MISSING);
            let values: Vec<f64> = labels
                .map(|(m, codes)| {
                    if codes[x] == codes[y] {
                        1.0
                    } else if largest == 0.0 {
                        0.0
                    } else {
                        0.8 * all[place(m, codes[x])][place(m, codes[y])] / largest
                    }
                })
                .collect();
            if values.is_empty() { 0.0 } else { values.iter().sum::<f64>() / values.len() as f64 }
        };
        (0..ensemble.objects()).map(|x| (0..ensemble.objects()).map(|y| similarity(x, y)).collect()).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn similarities_are_those_of_the_definition(ensemble in ensembles()) {
            let slow = slow_similarities(&ensemble);
            let found = similarities(&ConnectedTriples { dc: 0.8 }, &ensemble);
            for (x, slow) in slow.iter().enumerate() {
                for (y, slow) in slow.iter().enumerate() {
                    prop_assert!((found(x, y) - slow).abs() < 1e-12);
                }
            }
        }
    }

    #[test]
    fn merges_are_those_of_all_objects() {
        for seed in 0..3 {
            let (ensemble, _) = Planted { objects: 50, copies: 20, noise: 0.06, ..Planted::new(4, seed) }.make();
            let slow = slow_similarities(&ensemble);
            for link in LINKS {
                let slow = slow_tree(&ensemble, link, |x, y| 1.0 - slow[x][y]);
                let method = Linked { measure: ConnectedTriples { dc: 0.8 }, link, ties: TieBreak::Seed };
                slow.assert_cuts(&method, &ensemble);
            }
        }
    }
}
