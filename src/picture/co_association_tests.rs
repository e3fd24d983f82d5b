use proptest::prelude::*;

use super::*;
use crate::data::{Catalog, DatasetChoice};
use crate::ensemble::Labels;
use crate::seed::Id;

/// C_ij of two objects, by the letter.
fn slow_co_association(ensemble: &Ensemble, one: usize, other: usize) -> f64 {
    let [one, other] = [one, other].map(|object| ensemble.row(ensemble.row_of()[object] as usize));
    let both = one.iter().zip(other).filter(|(a, b)| **a != Labels::MISSING && **b != Labels::MISSING);
    let (shared, agreeing) = both.fold((0, 0), |(n, c), (a, b)| (n + 1, c + i32::from(a == b)));
    if shared == 0 { 0.0 } else { f64::from(agreeing) / f64::from(shared) }
}

/// Up to six base clusterings of up to forty objects, a fifth of the labels missing.
fn ensembles() -> impl Strategy<Value = Ensemble> {
    (1..7_usize, 1..40_usize).prop_flat_map(|(columns, objects)| {
        let column = proptest::collection::vec(proptest::option::weighted(0.8, 0..4_u32), objects);
        proptest::collection::vec(column, columns).prop_map(|mut columns| {
            // A column without any label is none.
            columns.iter_mut().for_each(|column| column[0] = column[0].or(Some(0)));
            let columns: Vec<Labels> = columns.into_iter().map(Labels::from_options).collect();
            Ensemble::from_columns(&columns).unwrap()
        })
    })
}

proptest! {
    #[test]
    fn block_means_equal_means_over_pairs_of_objects(
        ensemble in ensembles(),
        most in 1..9_usize,
        by in 1..97_usize,
    ) {
        let n = ensemble.objects();
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by_key(|object| (object * by) % 97);
        let blocks = Blocks::of(&ensemble, &order, most);
        let means = blocks.means(&ensemble, &Watch::default()).unwrap();
        prop_assert_eq!(means.len(), n.min(most).pow(2));
        let objects_of = |block: usize| -> Vec<usize> {
            (0..n).filter(|position| position * blocks.count / n == block).map(|position| order[position]).collect()
        };
        for row in 0..blocks.count {
            for column in 0..blocks.count {
                let pairs: Vec<f64> = objects_of(row)
                    .iter()
                    .flat_map(|&i| objects_of(column).into_iter().map(move |j| (i, j)))
                    .map(|(i, j)| slow_co_association(&ensemble, i, j))
                    .collect();
                let mean = pairs.iter().sum::<f64>() / pairs.len() as f64;
                prop_assert!((means[row * blocks.count + column] - mean).abs() < 1e-12);
            }
        }
    }
}

#[test]
fn objects_stand_by_class_or_by_vat() {
    let iris = Catalog::locate(None).load(&DatasetChoice::named("iris"), 1).unwrap();
    // Classes dealt in turn, and one base clustering that knows them.
    let codes: Vec<u32> = (0..150).map(|i| i % 3).collect();
    let dataset = crate::data::Dataset { truth: Some(Partition::from_codes(&codes)), ..iris };
    let ensemble = Ensemble::from_columns(&[Labels::from_codes(codes)]).unwrap();
    let subject = PanelSource { dataset: &dataset, ensemble: &ensemble, planes: None, id: Id::of("test", &[]) };
    for order in [MatrixOrder::Truth, MatrixOrder::Vat] {
        let marks = draw(&subject, order, &Watch::default()).unwrap();
        let cells: Vec<&Mark> = marks.iter().filter(|mark| mark.part == MarkKind::Cell).collect();
        assert_eq!(cells.len(), 150 * 151 / 2);
        for cell in cells {
            let [x, y] = [cell.x, cell.y].map(|place| place.unwrap() as usize);
            assert_eq!(cell.value, Some(f64::from(u8::from(x / 50 == y / 50))), "{order:?} {x} {y}");
        }
        let classes: Vec<(f64, f64)> = marks
            .iter()
            .filter(|mark| mark.part == MarkKind::Class)
            .map(|mark| (mark.x.unwrap(), mark.y.unwrap()))
            .collect();
        let expected: &[(f64, f64)] =
            if order == MatrixOrder::Truth { &[(0.0, 50.0), (50.0, 100.0), (100.0, 150.0)] } else { &[] };
        assert_eq!(classes, expected);
    }
}

#[test]
fn a_matrix_by_cluster_has_the_clusters_side_by_side_and_stays_small() {
    let codes: Vec<u32> = (0..5000).map(|i| u32::from(i % 5 == 0)).collect();
    let ensemble = Ensemble::from_columns(&[Labels::from_codes(codes.clone())]).unwrap();
    let shown = by_cluster(&ensemble, &Partition::from_codes(&codes), &Watch::default()).unwrap();
    assert_eq!((shown.side, shown.cells.len(), shown.shown.len()), (200, 40_000, 2000));
    assert_eq!(shown.ends, [(0, 4000), (4000, 5000)]);
    for (cell, share) in shown.cells.iter().enumerate() {
        let together = (cell / 200 < 160) == (cell % 200 < 160);
        assert_eq!(*share, f64::from(u8::from(together)), "{cell}");
    }
}
