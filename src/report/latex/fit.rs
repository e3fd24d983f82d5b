//! How small a table is set so that it fits a page, and whether it is turned: methods are rows then.

use super::grid::Grid;

/// A table, how it is set, and what to do where that is not enough.
pub(super) struct Fitted {
    pub(super) grid: Grid,
    pub(super) setting: TypeSize,
    pub(super) advice: Option<String>,
}

/// A size of letters and the space beside columns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct TypeSize {
    /// The command; empty for the size of the text.
    size: &'static str,
    /// How wide a digit is, in points.
    digit: f64,
    /// Points to either side of a column.
    space: f64,
}

/// From the largest to the smallest that can be read.
const SIZES: [TypeSize; 5] = [
    TypeSize { size: "", digit: 5.0, space: 6.0 },
    TypeSize { size: "\\small", digit: 4.6, space: 5.0 },
    TypeSize { size: "\\footnotesize", digit: 4.25, space: 4.0 },
    TypeSize { size: "\\footnotesize", digit: 4.25, space: 2.5 },
    TypeSize { size: "\\scriptsize", digit: 3.75, space: 2.0 },
];

/// Up to here a table is set smaller before it is turned.
const SMALL: usize = 2;

/// The width of the text of LaTeX's `article`, and its height: in points.
const PAGE: [f64; 2] = [345.0, 550.0];

impl TypeSize {
    fn width(self, grid: &Grid) -> f64 {
        grid.widths().iter().map(|digits| digits * self.digit).sum::<f64>() + 2.0 * self.space * grid.width() as f64
    }

    /// What stands before the table.
    pub(super) fn open(self) -> String {
        if self.size.is_empty() {
            return String::new();
        }
        format!("{{{}\\setlength{{\\tabcolsep}}{{{}pt}}%\n", self.size, self.space)
    }

    /// What stands after it.
    pub(super) fn close(self) -> &'static str {
        if self.size.is_empty() { "" } else { "}\n" }
    }
}

/// The largest setting in which a table is not wider than this.
fn largest(grid: &Grid, page: f64) -> Option<usize> {
    SIZES.iter().position(|setting| setting.width(grid) <= page)
}

/// As it is where it fits so; else turned, where that fits better; else as wide as the page is high.
pub(super) fn fit(grid: Grid) -> Fitted {
    let as_it_is = largest(&grid, PAGE[0]);
    if let Some(place) = as_it_is.filter(|place| *place <= SMALL) {
        return Fitted { grid, setting: SIZES[place], advice: None };
    }
    let turned = grid.turned();
    match (as_it_is, largest(&turned, PAGE[0])) {
        (Some(place), Some(better)) if better < place => Fitted { grid: turned, setting: SIZES[better], advice: None },
        (Some(place), _) => Fitted { grid, setting: SIZES[place], advice: None },
        (None, Some(place)) => Fitted { grid: turned, setting: SIZES[place], advice: None },
        (None, None) => sideways(grid, turned),
    }
}

fn sideways(grid: Grid, turned: Grid) -> Fitted {
    const LAST: usize = SIZES.len() - 1;
    let advice = "too wide for a page: put it into \\begin{sidewaystable} of \\usepackage{rotating}";
    let choices = [largest(&grid, PAGE[1]), largest(&turned, PAGE[1])];
    let (grid, place) = match choices {
        [Some(place), None] => (grid, Some(place)),
        [Some(place), Some(better)] if place <= better => (grid, Some(place)),
        [_, Some(place)] => (turned, Some(place)),
        [None, None] if SIZES[LAST].width(&turned) < SIZES[LAST].width(&grid) => (turned, None),
        [None, None] => (grid, None),
    };
    let advice = match place {
        Some(_) => advice.to_owned(),
        None => format!("{advice}; even so it is wider than a page of A4: show fewer columns with `where`"),
    };
    Fitted { grid, setting: SIZES[place.unwrap_or(LAST)], advice: Some(advice) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::latex::grid::{GridCell, GridColumn, GridRow};

    fn grid(rows: usize, columns: usize) -> Grid {
        let column = |place: usize| GridColumn::named(format!("method {place}"));
        let row = |place: usize| GridRow {
            keys: vec![format!("data {place}")],
            cells: vec![GridCell::plain("0.123 ± 0.010"); columns],
        };
        Grid {
            keys: vec!["dataset".to_owned()],
            columns: (0..columns).map(column).collect(),
            rows: (0..rows).map(row).collect(),
        }
    }

    #[test]
    fn what_fits_is_left_as_it_is_and_what_does_not_is_smaller_turned_or_sideways() {
        let fits = |rows, columns| {
            let Fitted { grid, setting, advice } = fit(grid(rows, columns));
            (grid.columns.len() == columns, setting.size, advice.is_some())
        };
        assert_eq!(fits(20, 3), (true, "", false));
        assert_eq!(fits(20, 5), (true, "\\footnotesize", false));
        assert_eq!(fits(3, 12), (false, "", false), "methods are rows");
        assert_eq!(fits(20, 8), (true, "\\footnotesize", true), "on its side");
        assert!(fits(60, 60).2);
    }
}
