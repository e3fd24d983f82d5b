//! A table before it is written, and the same table turned.

use crate::report::cells::{Span, spans};
use crate::report::escape::latex;
use crate::summary::Column;

/// Keys to the left, columns in one or two levels, and cells.
#[derive(Debug, Clone)]
pub(super) struct Grid {
    pub(super) keys: Vec<String>,
    pub(super) columns: Vec<GridColumn>,
    pub(super) rows: Vec<GridRow>,
}

/// The heading of a column, in two levels where neighbours share one.
pub(super) type GridColumn = Column;

#[derive(Debug, Clone)]
pub(super) struct GridRow {
    pub(super) keys: Vec<String>,
    pub(super) cells: Vec<GridCell>,
}

/// A cell in LaTeX, and how wide it is in digits of its font.
#[derive(Debug, Clone)]
pub(super) struct GridCell {
    latex: String,
    pub(super) width: f64,
}

/// How wide script is, beside the text around it.
const SCRIPT: f64 = 0.75;

impl GridCell {
    pub(super) fn plain(text: &str) -> Self {
        Self { latex: latex(text), width: width(text) }
    }

    pub(super) fn bold(self) -> Self {
        Self { latex: format!("\\textbf{{{}}}", self.latex), width: 1.15 * self.width }
    }

    /// With something in script after it.
    pub(super) fn small(self, text: &str) -> Self {
        let added = format!("{} {{\\scriptsize {}}}", self.latex, latex(text));
        Self { latex: added, width: self.width + 0.5 + SCRIPT * width(text) }
    }

    /// With a sign that is LaTeX already.
    pub(super) fn followed_by(self, sign: &str, width: f64) -> Self {
        Self { latex: self.latex + sign, width: self.width + width }
    }
}

/// How wide a text is, in digits. Points are half as wide, the signs of formulas wider.
pub(super) fn width(text: &str) -> f64 {
    let one = |letter: char| match letter {
        '.' | ',' | ' ' | 'i' | 'l' | ':' | '\'' | '[' | ']' | '(' | ')' => 0.6,
        '−' | '±' | '<' | '>' | '—' | 'm' | 'w' | 'M' | 'W' => 1.6,
        upper if upper.is_uppercase() => 1.4,
        _ => 1.0,
    };
    text.chars().map(one).sum()
}

impl Grid {
    /// How many columns there are with keys.
    pub(super) fn width(&self) -> usize {
        self.keys.len() + self.columns.len()
    }

    /// The widest text of each column, in digits.
    pub(super) fn widths(&self) -> Vec<f64> {
        let keys = self
            .keys
            .iter()
            .enumerate()
            .map(|(place, name)| self.rows.iter().map(|row| width(&row.keys[place])).fold(width(name), f64::max));
        let columns = self.columns.iter().enumerate().map(|(place, column)| {
            self.rows.iter().map(|row| row.cells[place].width).fold(width(&column.name), f64::max)
        });
        keys.chain(columns).collect()
    }

    /// Rows as columns and columns as rows.
    pub(super) fn turned(&self) -> Self {
        let has_groups = self.columns.iter().any(|column| column.group.is_some());
        let keys = if has_groups { vec![String::new(); 2] } else { vec![String::new()] };
        let columns = self.rows.iter().map(|row| GridColumn::named(row.keys.join(", ")));
        let mut before: Option<&str> = None;
        let rows = self.columns.iter().enumerate().map(|(place, column)| {
            let group = column.group.as_deref();
            let shown = if group == before { "" } else { group.unwrap_or_default() };
            before = group;
            let named = [shown.to_owned(), column.name.clone()];
            GridRow {
                keys: if has_groups { named.to_vec() } else { named[1..].to_vec() },
                cells: self.rows.iter().map(|row| row.cells[place].clone()).collect(),
            }
        });
        Self { keys, columns: columns.collect(), rows: rows.collect() }
    }

    /// As LaTeX.
    pub(super) fn tabular(&self) -> String {
        let alignment = format!("{}{}", "l".repeat(self.keys.len()), "r".repeat(self.columns.len()));
        let mut text = format!("\\begin{{tabular}}{{{alignment}}}\n\\toprule\n");
        text += &self.upper_headings(&spans(&self.columns));
        let names = self.keys.iter().chain(self.columns.iter().map(|column| &column.name));
        text += &line(names.map(|name| latex(name)));
        text += "\\midrule\n";
        for row in &self.rows {
            let keys = row.keys.iter().map(|key| latex(key));
            text += &line(keys.chain(row.cells.iter().map(|cell| cell.latex.clone())));
        }
        text + "\\bottomrule\n\\end{tabular}\n"
    }

    /// The upper row of headings, with a rule under each group.
    fn upper_headings(&self, spans: &[Span]) -> String {
        if spans.is_empty() {
            return String::new();
        }
        let mut cells = vec![String::new(); self.keys.len()];
        let mut rules = String::new();
        let mut column = self.keys.len() + 1;
        for span in spans {
            if let Some(group) = span.group {
                cells.push(format!("\\multicolumn{{{}}}{{c}}{{{}}}", span.width, latex(group)));
                rules += &format!("\\cmidrule(lr){{{column}-{}}}", column + span.width - 1);
            } else {
                cells.push(String::new());
            }
            column += span.width;
        }
        line(cells) + &rules + "\n"
    }
}

fn line(cells: impl IntoIterator<Item = String>) -> String {
    let cells: Vec<String> = cells.into_iter().collect();
    cells.join(" & ") + " \\\\\n"
}
