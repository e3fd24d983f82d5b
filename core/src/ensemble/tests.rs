use proptest::prelude::*;

use super::*;

/// Label matrices as lists of rows; a column may turn out empty, which `ensemble` then repairs.
pub(crate) fn ensembles() -> impl Strategy<Value = Ensemble> {
    (1..7usize, 1..40usize).prop_flat_map(|(columns, objects)| {
        proptest::collection::vec(proptest::collection::vec(proptest::option::weighted(0.8, 0..4u32), objects), columns)
            .prop_map(|mut columns| {
                for column in &mut columns {
                    column[0] = column[0].or(Some(0));
                }
                let columns: Vec<Labels> = columns.into_iter().map(Labels::from_options).collect();
                Ensemble::from_columns(&columns).expect("every column has a label")
            })
    })
}

fn column(codes: &[i32]) -> Labels {
    Labels::from_options(codes.iter().map(|&code| u32::try_from(code).ok()))
}

#[test]
fn equal_rows_are_stored_once_with_their_multiplicity() {
    let ensemble = Ensemble::from_columns(&[column(&[0, 1, 0, 1, 0]), column(&[1, -1, 1, 0, 0])]).unwrap();
    assert_eq!(ensemble.objects(), 5);
    assert_eq!(ensemble.rows(), 4);
    assert_eq!(ensemble.weights(), [1, 2, 1, 1]);
    assert_eq!(ensemble.row_of(), [1, 3, 1, 2, 0]);
    assert_eq!(ensemble.missing(), 1);
}

#[test]
fn text_labels_and_codes_make_the_same_ensemble() {
    let mut builder = EnsembleBuilder::new(2);
    for row in [[Some("β"), Some("x")], [Some("α"), None], [Some("β"), Some("y")]] {
        builder.push(row).unwrap();
    }
    let from_text = builder.finish().unwrap();
    let from_codes = Ensemble::from_columns(&[column(&[1, 0, 1]), column(&[0, -1, 1])]).unwrap();
    assert_eq!(from_text, from_codes);
}

#[test]
fn what_cannot_be_an_ensemble_is_refused_with_the_reason() {
    assert_eq!(Ensemble::from_columns(&[]), Err(EnsembleError::NoColumns));
    assert_eq!(Ensemble::from_columns(&[column(&[])]), Err(EnsembleError::NoObjects));
    assert_eq!(
        Ensemble::from_columns(&[column(&[0, 1]), column(&[-1, -1])]),
        Err(EnsembleError::EmptyColumn { column: 2 })
    );
    let ragged = Ensemble::from_columns(&[column(&[0, 1]), column(&[0])]).unwrap_err();
    assert_eq!(ragged.to_string(), "base clustering 2 has 1 labels where 2 were expected");
    let mut builder = EnsembleBuilder::new(2);
    assert_eq!(builder.push([Some("a")]).unwrap_err().to_string(), "row 1 has 1 labels where 2 were expected");
}

proptest! {
    #[test]
    fn a_part_has_the_labels_of_the_whole(ensemble in ensembles(), start in 0..6usize) {
        let objects: Vec<usize> = (0..ensemble.objects()).rev().step_by(2).collect();
        let part = ensemble.of_objects(&objects);
        prop_assert_eq!(part.arity(), ensemble.arity());
        prop_assert_eq!(part.weights().iter().sum::<u32>() as usize, objects.len());
        let whole = ensemble.expanded();
        for (position, &object) in objects.iter().enumerate() {
            prop_assert_eq!(part.row(part.row_of()[position] as usize), whole.row(object));
        }
        let columns = start.min(ensemble.columns() - 1)..ensemble.columns();
        let part = ensemble.of_columns(columns.clone());
        prop_assert!((1..part.rows()).all(|row| part.row(row - 1) < part.row(row)));
        for object in 0..ensemble.objects() {
            prop_assert_eq!(part.row(part.row_of()[object] as usize), &whole.row(object)[columns.clone()]);
        }
    }

    #[test]
    fn columns_survive_the_round_trip(ensemble in ensembles()) {
        let columns: Vec<Labels> = (0..ensemble.columns()).map(|j| ensemble.column(j)).collect();
        prop_assert_eq!(Ensemble::from_columns(&columns).unwrap(), ensemble);
    }

    #[test]
    fn permuting_the_objects_permutes_only_the_object_map(ensemble in ensembles(), rotation in 0..40usize) {
        let rotated: Vec<Labels> = (0..ensemble.columns())
            .map(|j| {
                let mut codes = ensemble.column(j).codes().to_vec();
                codes.rotate_left(rotation % ensemble.objects());
                Labels::from_codes(codes)
            })
            .collect();
        let rotated = Ensemble::from_columns(&rotated).unwrap();
        let mut row_of = ensemble.row_of().to_vec();
        row_of.rotate_left(rotation % ensemble.objects());
        prop_assert_eq!(rotated.row_of(), &row_of[..]);
        prop_assert_eq!(&rotated.cells, &ensemble.cells);
    }

    #[test]
    fn multiplicities_sum_to_the_objects(ensemble in ensembles()) {
        let total: u32 = ensemble.weights().iter().sum();
        prop_assert_eq!(total as usize, ensemble.objects());
        prop_assert!(ensemble.weights().iter().all(|&weight| weight > 0));
        prop_assert_eq!(ensemble.expanded().missing(), ensemble.missing());
    }
}
