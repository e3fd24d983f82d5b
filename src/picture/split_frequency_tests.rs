use super::*;
use crate::data::{Catalog, Dataset, DatasetChoice, Matrix};
use crate::ensemble::{Ensemble, Labels};
use crate::generate;
use crate::params::{Params, Value};
use crate::seed::Id;

fn dataset(columns: usize, values: Vec<f64>) -> Dataset {
    let any = Catalog::locate(None).load(&DatasetChoice::named("iris"), 1).unwrap();
    Dataset { features: Matrix::new(columns, values).unwrap(), truth: None, ..any }
}

fn values(marks: &[Mark], part: MarkKind) -> Vec<(f64, f64)> {
    let of_part = marks.iter().filter(|mark| mark.part == part);
    of_part.map(|mark| (mark.x.unwrap_or_default(), mark.value.unwrap_or_default())).collect()
}

#[test]
fn shares_of_pairs_equal_a_count_over_columns_and_gaps_do_not_count() {
    const GAP: u32 = Labels::MISSING;
    let columns = [[0, 0, 1, 1, 0], [0, 1, 1, GAP, GAP], [0, 1, 0, 1, GAP], [GAP, 0, 0, 1, GAP]];
    let columns = columns.map(|codes| Labels::from_codes(codes.to_vec()));
    let ensemble = Ensemble::from_columns(&columns).unwrap();
    let dataset = dataset(2, vec![0.0, 0.0, 3.0, 4.0, 6.0, 8.0, 0.0, 1.0, 2.0, 0.0]);
    let subject = PanelSource { dataset: &dataset, ensemble: &ensemble, planes: None, id: Id::of("test", &[]) };
    let mut slow = Vec::new();
    for (one, other) in (0..5).flat_map(|i| (i + 1..5).map(move |j| (i, j))) {
        let both = columns.iter().map(|column| [column.codes()[one], column.codes()[other]]);
        let both: Vec<[u32; 2]> = both.filter(|codes| !codes.contains(&GAP)).collect();
        let split = both.iter().filter(|[a, b]| a != b).count() as f64 / both.len() as f64;
        let [a, b] = [one, other].map(|object| dataset.features.row(object));
        slow.push(((a[0] - b[0]).hypot(a[1] - b[1]), split));
    }
    slow.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.total_cmp(&other.1)));
    let marks = draw(&subject, &Watch::default()).unwrap();
    let drawn = values(&marks, MarkKind::Pair);
    assert_eq!(drawn.len(), 10);
    for (drawn, slow) in drawn.iter().zip(&slow) {
        assert!((drawn.0 - slow.0).abs() < 1e-12 && (drawn.1 - slow.1).abs() < 1e-12, "{drawn:?} {slow:?}");
    }
    // Every pair is in one bin, and the bins' means add up to the mean over pairs.
    let (counts, means) = (values(&marks, MarkKind::BinPairs), values(&marks, MarkKind::BinMean));
    assert_eq!(counts.iter().map(|(_, count)| count).sum::<f64>(), 10.0);
    let sum: f64 = counts.iter().zip(&means).map(|((_, count), (_, mean))| count * mean).sum();
    assert!((sum - slow.iter().map(|(_, split)| split).sum::<f64>()).abs() < 1e-12);
    assert!(values(&marks, MarkKind::Law).is_empty() && values(&marks, MarkKind::Length).is_empty());
}

#[test]
fn two_objects_never_labelled_together_are_no_pair() {
    let columns = [[0, Labels::MISSING], [Labels::MISSING, 0]].map(|codes| Labels::from_codes(codes.to_vec()));
    let ensemble = Ensemble::from_columns(&columns).unwrap();
    let dataset = dataset(1, vec![0.0, 1.0]);
    let subject = PanelSource { dataset: &dataset, ensemble: &ensemble, planes: None, id: Id::of("test", &[]) };
    assert!(matches!(draw(&subject, &Watch::default()), Err(Halt::Failed(_))));
}

/// The marks of `size` partitions of a dataset by r hyperplanes.
fn hyperplanes(dataset: &Dataset, planes: usize, size: usize) -> Vec<Mark> {
    let info = generate::find("hyperplanes").unwrap();
    let mut params = Params::defaults(info.parameters);
    params.set(&info.parameters[0], Value::Integer(i64::try_from(planes).unwrap()));
    let generator = info.make(&params, dataset).unwrap();
    let id = Id::of("test", &[&planes.to_le_bytes()]);
    let columns: Vec<Labels> = (0..size).map(|j| generate::column(generator.as_ref(), id, j).unwrap()).collect();
    let ensemble = Ensemble::from_columns(&columns).unwrap();
    draw(&PanelSource { dataset, ensemble: &ensemble, planes: Some(planes), id }, &Watch::default()).unwrap()
}

#[test]
fn in_one_dimension_binned_means_follow_equation_22() {
    const SIZE: usize = 2000;
    let dataset = dataset(1, (0..60_i32).map(|i| f64::from(i * i) / 10.0 - 7.0).collect());
    for planes in 1..=4 {
        let marks = hyperplanes(&dataset, planes, SIZE);
        assert_eq!(values(&marks, MarkKind::Length), [(0.0, 348.1)]);
        let (means, laws) = (values(&marks, MarkKind::BinMean), values(&marks, MarkKind::BinLaw));
        assert!(means.len() == laws.len() && means.len() > 15);
        for ((x, mean), (_, law)) in means.iter().zip(&laws) {
            // Pairs of a bin share their partitions: in the worst case they are all one draw.
            let error = (law * (1.0 - law) / SIZE as f64).sqrt();
            assert!((mean - law).abs() <= 4.0 * error, "r = {planes}, bin from {x}: {mean} against {law}");
        }
    }
}

#[test]
fn in_more_dimensions_no_other_length_has_smaller_squares() {
    let dataset = dataset(2, (0..80_i32).map(|i| f64::from((i * 37) % 80)).collect());
    for planes in [1, 3] {
        let marks = hyperplanes(&dataset, planes, 200);
        let pairs: Vec<ObjectPair> = values(&marks, MarkKind::Pair)
            .into_iter()
            .map(|(distance, split)| ObjectPair { distance, split })
            .collect();
        assert_eq!(pairs.len(), 780);
        let length = values(&marks, MarkKind::Length)[0].1;
        let squares = |length: f64| Law { length, planes }.squares(&pairs);
        let best = squares(length);
        assert!((1..4000).all(|step| squares(f64::from(step) * 0.25) >= best * (1.0 - 1e-9)), "r = {planes}: {length}");
        let deviation = values(&marks, MarkKind::Deviation)[0].1;
        assert!((deviation - (best / 780.0).sqrt()).abs() < 1e-12);
    }
}

#[test]
fn a_thousand_pairs_are_drawn_and_the_bins_have_all() {
    let dataset = dataset(2, (0..200_i32).map(|i| f64::from((i * 73) % 200)).collect());
    let marks = hyperplanes(&dataset, 2, 20);
    assert_eq!(values(&marks, MarkKind::Pair).len(), DOTS);
    assert_eq!(values(&marks, MarkKind::BinPairs).iter().map(|(_, count)| count).sum::<f64>(), 4950.0);
    assert_eq!(marks, hyperplanes(&dataset, 2, 20));
}
