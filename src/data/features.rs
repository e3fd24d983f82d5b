use std::collections::BTreeSet;

use super::Matrix;
use super::grid::TextGrid;
use crate::ensemble::Partition;

/// Classes of objects, and what they are called.
#[derive(Debug, Clone)]
pub(super) struct Classes {
    pub(super) truth: Partition,
    pub(super) names: Vec<String>,
}

/// The classes in a column.
pub(super) fn classes(grid: &TextGrid, position: usize) -> Classes {
    let names: BTreeSet<&str> = grid.column(position).collect();
    let names: Vec<&str> = names.into_iter().collect();
    let code = |class: &str| {
        let position = names.binary_search(&class).expect("names holds every class");
        u32::try_from(position).expect("fewer classes than u32 values")
    };
    let codes: Vec<u32> = grid.column(position).map(code).collect();
    Classes { truth: Partition::from_codes(&codes), names: names.into_iter().map(str::to_owned).collect() }
}

/// All columns but those in `without` as numbers. A column with just two different texts, neither of them a number, becomes
/// 0 and 1 in the order of the texts (n and y).
///
/// # Errors
/// In words, with row and column: what was found and what was expected.
pub(super) fn numbers(grid: &TextGrid, without: &[usize]) -> Result<Matrix, String> {
    let used: Vec<usize> = (0..grid.headers.len()).filter(|column| !without.contains(column)).collect();
    let columns = used.iter().map(|&column| numeric_column(grid, column)).collect::<Result<Vec<Vec<f64>>, _>>()?;
    if grid.rows.is_empty() {
        return Err("there are no rows; expected a header and one row per object".to_owned());
    }
    let values = (0..grid.rows.len()).flat_map(|row| columns.iter().map(move |column| column[row]));
    Matrix::new(used.len(), values.collect()).map_err(|error| error.to_string())
}

fn numeric_column(grid: &TextGrid, column: usize) -> Result<Vec<f64>, String> {
    let parsed: Vec<Option<f64>> = grid.column(column).map(|text| text.trim().parse().ok()).collect();
    if parsed.iter().all(Option::is_none) {
        let different: BTreeSet<&str> = grid.column(column).collect();
        if let [zero, _] = Vec::from_iter(different)[..] {
            return Ok(grid.column(column).map(|text| f64::from(u8::from(text != zero))).collect());
        }
    }
    let refuse = |row: usize| {
        let (name, found) = (&grid.headers[column], &grid.rows[row][column]);
        format!("row {}, column `{name}`: expected a number, found `{found}`", row + 1)
    };
    parsed.into_iter().enumerate().map(|(row, value)| value.ok_or_else(|| refuse(row))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(rows: &[[&str; 3]]) -> TextGrid {
        let rows = rows.iter().map(|row| row.map(str::to_owned).to_vec()).collect();
        TextGrid { headers: ["a", "b", "class"].map(str::to_owned).to_vec(), rows }
    }

    #[test]
    fn numbers_are_read_and_two_words_become_zero_and_one() {
        let grid = grid(&[["1.5", "y", "u"], ["-2", "n", "v"], ["3e2", "y", "u"]]);
        assert_eq!(numbers(&grid, &[2]).unwrap().values(), [1.5, 1.0, -2.0, 0.0, 300.0, 1.0]);
        let classes = classes(&grid, 2);
        assert_eq!((classes.truth.labels(), classes.names), (&[0, 1, 0][..], vec!["u".to_owned(), "v".to_owned()]));
    }

    #[test]
    fn what_is_not_a_number_is_named_with_its_place() {
        let mixed = grid(&[["1.5", "2", "u"], ["x", "3", "v"]]);
        assert_eq!(numbers(&mixed, &[2]).unwrap_err(), "row 2, column `a`: expected a number, found `x`");
        let three_words = grid(&[["p", "2", "u"], ["q", "3", "v"], ["r", "3", "v"]]);
        assert!(numbers(&three_words, &[2]).unwrap_err().contains("expected a number, found `p`"));
        let empty_field = grid(&[["", "2", "u"], ["1", "3", "v"]]);
        assert!(numbers(&empty_field, &[2]).unwrap_err().contains("row 1, column `a`"));
    }
}
