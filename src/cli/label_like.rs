//! Base clusterings that were given for features: the numbers of clusters are no coordinates.

use std::collections::BTreeSet;

use crate::data::Matrix;

/// Refuses a file in which every column has a few whole numbers without gaps, as clusters are counted: its clusters are not those of
/// the objects.
///
/// # Errors
/// What to add, whatever they are.
pub(super) fn refuse(input: &str, features: &Matrix) -> Result<(), String> {
    let columns = features.columns();
    let different: Option<Vec<usize>> = (0..columns).map(|column| counted_from_the_start(features, column)).collect();
    let Some(different) = different.filter(|_| columns > 1) else { return Ok(()) };
    let (fewest, most) = (different.iter().min().unwrap_or(&0), different.iter().max().unwrap_or(&0));
    let range = if fewest == most { fewest.to_string() } else { format!("{fewest} to {most}") };
    Err(format!(
        "{input}: this looks like labels, not features: each of its {columns} columns has {range} whole numbers without gaps; if \
         these are base clusterings, add --method voting; if they are features, add --generator kmeans"
    ))
}

/// How many different numbers a column has, if these are few and whole, and hardly any is left out from the first on, which is -1, 0 or 1.
fn counted_from_the_start(features: &Matrix, column: usize) -> Option<usize> {
    /// Objects of a cluster, at least, on average.
    const OBJECTS: usize = 2;
    let mut different = BTreeSet::new();
    for object in 0..features.rows() {
        let value = features.row(object)[column];
        if value.fract() != 0.0 || !(-1.0..1e6).contains(&value) {
            return None;
        }
        different.insert(value as i64);
    }
    let (first, last) = (*different.first()?, *different.last()?);
    let count = different.len();
    let has_gaps = 3 * (last - first + 1) > 4 * i64::try_from(count).ok()?;
    (first <= 1 && !has_gaps && OBJECTS * count <= features.rows()).then_some(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_refused(row: impl Fn(u32) -> [f64; 2]) -> bool {
        let values = (0..60).flat_map(row).collect();
        refuse("x.csv", &Matrix::new(2, values).unwrap()).is_err()
    }

    #[test]
    fn numbers_of_clusters_are_told_from_measurements() {
        let of = f64::from;
        assert!(is_refused(|row| [of(row % 3), of(row % 7) + 1.0]));
        assert!(is_refused(|row| [of(row % 3) - 1.0, of(row % 2)]), "noise is -1 in many programs");
        assert!(!is_refused(|row| [of(row % 3), of(row % 7) / 2.0]), "fractions");
        assert!(!is_refused(|row| [of(row % 3), of(row % 7) * 10.0]), "gaps");
        assert!(!is_refused(|row| [of(row % 3), of(row % 7) + 1980.0]), "years");
        assert!(!is_refused(|row| [of(row % 3), of(row)]), "another value in every row");
    }
}
