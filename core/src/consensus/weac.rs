//! Weighted evidence accumulation (D. Huang, J.-H. Lai & C.-D. Wang, Combining multiple clusterings via crowd agreement estimation
//! and multi-granularity link analysis, Neurocomputing 170, 2015).
//!
//! CAI_m = mean NMI (by the larger entropy) of clustering m with the others, NCAI_m = CAI_m / max CAI, I_m = NCAI_m^β: how much
//! clustering m counts. Similarity of two objects = Σ_m I_m [same cluster in m] / Σ_m I_m. Single, average or complete link
//! on 1 − similarity, cut at K.
//!
//! Objects with equal labels have similarity 1 and stay together, as in [evidence accumulation](super::eac). All clusterings
//! count the same where none agrees with any other.
//!
//! Missing labels: clusterings are compared on the objects that both label, and both sums of a similarity are over the
//! clusterings that label both objects. Objects without any label join the largest cluster.

use super::base_clusters::BaseClusters;
use super::label_measure::{ColumnMeasure, LabelDistances, Likeness};
use super::linked::{LINKED, Linked, MeasureBytes, RowMeasure};
use super::row_links::{Link, RowDistances};
use super::ties::TIES;
use super::{Consensus, Halt, MethodInfo, Shape, Task};
use crate::params::{DefaultValue, Kind, Parameter, Params};

/// How much agreement with other clusterings counts.
pub(super) const BETA: Parameter = Parameter {
    name: "beta",
    kind: Kind::Real { min: 0.0, max: 1000.0 },
    default: DefaultValue::Real(2.0),
    help: "β: the higher, the less a base clustering counts that agrees little with the others",
};

pub(super) const AVERAGE: MethodInfo = info("weac-al", "WEAC, average link", |params| weighted(Link::Average, params));
pub(super) const COMPLETE: MethodInfo =
    info("weac-cl", "WEAC, complete link", |params| weighted(Link::Complete, params));
pub(super) const SINGLE: MethodInfo = info("weac-sl", "WEAC, single link", |params| weighted(Link::Single, params));

const fn info(name: &'static str, title: &'static str, maker: fn(&Params) -> Box<dyn Consensus>) -> MethodInfo {
    let reference = "Huang, Lai & Wang 2015: weighted evidence accumulation";
    MethodInfo { name, title, reference, parameters: &[BETA, TIES], maker, ..LINKED }
}

fn weighted(link: Link, params: &Params) -> Box<dyn Consensus> {
    Linked::boxed(CrowdAgreement { beta: params.real(BETA.name) }, link, params)
}

/// 1 − Σ I_m [same cluster] / Σ I_m.
struct CrowdAgreement {
    beta: f64,
}

impl RowMeasure for CrowdAgreement {
    fn distances(&self, task: &Task, rows: &[usize]) -> Result<Box<dyn RowDistances>, Halt> {
        let clusters = BaseClusters::of(task.ensemble, &task.watch)?;
        let importances = clusters.importances(self.beta);
        let of_column = |(&importance, &arity): (&f64, &usize)| ColumnMeasure {
            share: importance,
            likeness: Likeness::Itself(vec![importance; arity]),
        };
        let measures = importances.iter().zip(task.ensemble.arity()).map(of_column).collect();
        Ok(Box::new(LabelDistances::new(task, rows, measures)))
    }

    fn operations(&self, shape: &Shape) -> f64 {
        shape.rows * shape.columns * (shape.rows + shape.columns) + 10.0 * shape.labels * shape.labels
    }

    fn memory(&self, shape: &Shape) -> MeasureBytes {
        let kept = LabelDistances::bytes(shape);
        MeasureBytes { made: BaseClusters::bytes(shape) + kept, kept }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::linked_oracle::{LINKS, assert_printed, similarities, slow_tree};
    use super::super::test_ensembles::{Planted, t16};
    use super::*;
    use crate::ensemble::tests::ensembles;
    use crate::ensemble::{Ensemble, Labels, Partition};
    use crate::graph::TieBreak;
    use crate::metric::{Contingency, nmi_max};

    #[test]
    fn the_published_example_has_its_values() {
        let found = similarities(&CrowdAgreement { beta: 2.0 }, &t16());
        let of_first = [1, 2, 4, 5, 8, 11].map(|object| found(0, object));
        assert_printed(&of_first, &[1.0, 0.672330, 0.306195, 0.306195, 0.693805, 0.0], 6);
    }

    /// What every clustering counts for, from clusterings written out.
    fn slow_importances(ensemble: &Ensemble) -> Vec<f64> {
        let columns: Vec<Vec<u32>> = (0..ensemble.columns()).map(|m| ensemble.column(m).codes().to_vec()).collect();
        let agreement = |first: usize, second: usize| {
            let both = columns[first].iter().zip(&columns[second]);
            let both = both.filter(|(a, b)| **a != Labels::MISSING && **b != Labels::MISSING);
            let (a, b): (Vec<u32>, Vec<u32>) = both.unzip();
            let table = Contingency::new(&Partition::from_codes(&a), &Partition::from_codes(&b));
            if a.is_empty() { 0.0 } else { nmi_max(&table) }
        };
        let others = |m: usize| (0..columns.len()).filter(move |&other| other != m);
        let mean =
            |m: usize| others(m).map(|other| agreement(m, other)).sum::<f64>() / (columns.len() - 1).max(1) as f64;
        let means: Vec<f64> = (0..columns.len()).map(mean).collect();
        let most = means.iter().copied().fold(0.0, f64::max);
        means.into_iter().map(|mean| if most == 0.0 { 1.0 } else { (mean / most).powi(2) }).collect()
    }

    fn slow_similarity(ensemble: &Ensemble, importances: &[f64], x: usize, y: usize) -> f64 {
        let [x, y] = [x, y].map(|object| ensemble.row(ensemble.row_of()[object] as usize));
        let (mut same, mut shared) = (0.0, 0.0);
        for ((a, b), importance) in x.iter().zip(y).zip(importances) {
            if *a != Labels::MISSING && *b != Labels::MISSING {
                shared += importance;
                same += if a == b { *importance } else { 0.0 };
            }
        }
        if shared == 0.0 { 0.0 } else { same / shared }
    }

    proptest! {
        #[test]
        fn similarities_are_those_of_the_definition(ensemble in ensembles()) {
            let importances = slow_importances(&ensemble);
            let found = similarities(&CrowdAgreement { beta: 2.0 }, &ensemble);
            for x in 0..ensemble.objects().min(8) {
                for y in 0..ensemble.objects() {
                    prop_assert!((found(x, y) - slow_similarity(&ensemble, &importances, x, y)).abs() < 1e-9);
                }
            }
        }
    }

    #[test]
    fn merges_are_those_of_all_objects() {
        for seed in 0..4 {
            let (ensemble, _) = Planted { objects: 50, copies: 20, noise: 0.06, ..Planted::new(4, seed) }.make();
            let importances = slow_importances(&ensemble);
            for link in LINKS {
                let slow = slow_tree(&ensemble, link, |x, y| 1.0 - slow_similarity(&ensemble, &importances, x, y));
                let method = Linked { measure: CrowdAgreement { beta: 2.0 }, link, ties: TieBreak::Seed };
                slow.assert_cuts(&method, &ensemble);
            }
        }
    }
}
