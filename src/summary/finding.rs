//! What a page opens with: its finding in a sentence.

use super::model::{Column, ColumnQuantity, Page, Table, TableCell};
use crate::claim;
use crate::spec::Statistic;

/// From claims and printed numbers, else from rankings, else from which column is best how often.
pub(super) fn of(page: &Page) -> Option<String> {
    let judged = claim::finding(page.claims.iter());
    let ranked = || page.rankings.iter().find_map(|ranking| ranking.findings.first()).cloned();
    judged.or_else(ranked).or_else(|| page.tables.iter().find_map(best))
}

/// "Accuracy: mm is best, or as good as the best, in 3 of 4 rows, base in 1."; `None` where no column is marked best.
fn best(table: &Table) -> Option<String> {
    let counted = CountedColumns::of(table)?;
    // In the order of the table: of several that are best equally often the first is named first.
    let mut counts: Vec<(&str, usize)> = Vec::new();
    let (mut rows, mut equal) = (0, 0);
    for row in &table.rows {
        let cells: Vec<(&Column, &TableCell)> =
            counted.columns.iter().map(|&at| (&table.columns[at], &row.cells[at])).collect();
        let known = cells.iter().filter(|(_, cell)| cell.value.is_some()).count();
        let mut best: Vec<&str> =
            cells.iter().filter(|(_, cell)| cell.best).map(|(column, _)| column.upper()).collect();
        best.dedup();
        rows += usize::from(known > 1);
        equal += usize::from(known > 1 && best.is_empty());
        for name in best {
            match counts.iter_mut().find(|(counted, _)| *counted == name) {
                Some((_, count)) => *count += 1,
                None => counts.push((name, 1)),
            }
        }
    }
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let equal = if equal > 0 { format!("; in {equal} all are equal") } else { String::new() };
    let (title, by) = (&table.title, counted.by);
    Some(format!("{title}: {by}{}{equal}.", who_is_best(&counts, rows)?))
}

/// Who is best how often: three by name, and how many more. `None` where nobody is best anywhere.
fn who_is_best(counts: &[(&str, usize)], rows: usize) -> Option<String> {
    const NAMED: usize = 3;
    let (first, most) = counts.first()?;
    if *most == 1 && counts.len() > NAMED {
        let best = counts.len();
        return Some(format!(
            "no method is best in more than one of {rows} rows; {best} are best, or as good as the best, in one"
        ));
    }
    let (named, more) = counts.split_at(counts.len().min(NAMED));
    let others: String = named[1..].iter().map(|(name, count)| format!(", {name} in {count}")).collect();
    let more = match more {
        [] => String::new(),
        [(name, count)] => format!(", {name} in {count}"),
        [(_, most), ..] if more.iter().all(|(_, count)| count == most) => {
            format!(", {} others in {most} each", more.len())
        }
        [(_, most), ..] => format!(", {} others in at most {most} each", more.len()),
    };
    let of = if rows == 1 { "the only row".to_owned() } else { format!("{most} of {rows} rows") };
    Some(format!("{first} is best, or as good as the best, in {of}{others}{more}"))
}

/// The columns in which methods are counted: of one metric and one statistic, means where there are some. A maximum is that of a
/// single run, and the more runs a method has the higher it is.
struct CountedColumns {
    /// Their positions.
    columns: Vec<usize>,
    /// "by mean accuracy, ", where the table shows something else as well.
    by: String,
}

impl CountedColumns {
    fn of(table: &Table) -> Option<Self> {
        let is_marked = |at: usize| table.rows.iter().any(|row| row.cells[at].best);
        let marked: Vec<&ColumnQuantity> = (0..table.columns.len())
            .filter(|at| is_marked(*at))
            .filter_map(|at| table.columns[at].quantity.as_ref())
            .collect();
        let chosen = *marked.iter().find(|quantity| quantity.statistic == Statistic::Mean).or(marked.first())?;
        let is_chosen = |at: &usize| table.columns[*at].quantity.as_ref() == Some(chosen);
        let columns: Vec<usize> = (0..table.columns.len()).filter(is_chosen).collect();
        let only_means = columns.len() == table.columns.len() && chosen.statistic == Statistic::Mean;
        let by =
            if only_means { String::new() } else { format!("by {} {}, ", statistic(chosen.statistic), chosen.metric) };
        Some(Self { columns, by })
    }
}

/// As it stands before the name of a metric.
fn statistic(statistic: Statistic) -> &'static str {
    match statistic {
        Statistic::Max => "maximal",
        Statistic::Min => "minimal",
        other => other.name(),
    }
}

impl Column {
    /// Its heading, or the one that it shares with others.
    fn upper(&self) -> &str {
        self.group.as_ref().unwrap_or(&self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::Row;

    /// A table of some columns, with a row for each list of which cells are best.
    fn table(columns: Vec<Column>, rows: &[&[bool]]) -> Table {
        let cell = |best: &bool| TableCell { value: Some(0.5), best: *best, ..TableCell::default() };
        let row = |best: &&[bool]| Row { keys: vec!["iris".to_owned()], cells: best.iter().map(cell).collect() };
        Table {
            id: "t".to_owned(),
            title: "Accuracy".to_owned(),
            caption: String::new(),
            keys: vec!["dataset".to_owned()],
            columns,
            rows: rows.iter().map(row).collect(),
            digits: 2,
            references: Vec::new(),
            across: Vec::new(),
            quiet: Vec::new(),
        }
    }

    fn column(name: &str, statistic: Statistic) -> Column {
        let quantity = Some(ColumnQuantity { metric: "accuracy".to_owned(), statistic });
        Column { quantity, ..Column::named(name) }
    }

    #[test]
    fn everybody_who_is_best_as_often_is_counted() {
        let said = |counts: &[(&str, usize)]| who_is_best(counts, 4).unwrap();
        assert_eq!(
            said(&[("hgpa", 1), ("eac-al", 1), ("mm", 1), ("v-bce", 1)]),
            "no method is best in more than one of 4 rows; 4 are best, or as good as the best, in one"
        );
        assert_eq!(
            said(&[("mm", 3), ("be", 1), ("eac-al", 1), ("v-bce", 1), ("hgpa", 1)]),
            "mm is best, or as good as the best, in 3 of 4 rows, be in 1, eac-al in 1, 2 others in 1 each"
        );
        assert_eq!(said(&[("mm", 2), ("be", 2)]), "mm is best, or as good as the best, in 2 of 4 rows, be in 2");
        assert_eq!(who_is_best(&[], 4), None);
    }

    #[test]
    fn methods_are_counted_by_the_rows_in_which_they_are_best() {
        let columns = || ["mm", "base"].map(|name| column(name, Statistic::Mean)).to_vec();
        let said = |rows: &[&[bool]]| best(&table(columns(), rows));
        assert_eq!(
            said(&[&[false, true], &[true, true], &[true, false], &[true, false]]).as_deref(),
            Some("Accuracy: mm is best, or as good as the best, in 3 of 4 rows, base in 2.")
        );
        assert_eq!(
            said(&[&[false, false], &[true, false]]).as_deref(),
            Some("Accuracy: mm is best, or as good as the best, in 1 of 2 rows; in 1 all are equal.")
        );
        assert_eq!(said(&[&[false, false]]), None);
    }

    #[test]
    fn where_there_are_means_nothing_else_counts() {
        let of = |method: &str, statistic: Statistic| column(statistic.name(), statistic).under(method);
        let columns = ["base", "mm"]
            .into_iter()
            .flat_map(|method| [Statistic::Max, Statistic::Mean].map(|of_values| of(method, of_values)));
        let columns: Vec<Column> = columns.collect();
        // The base clusterings have the best maximum everywhere, and the best mean once.
        let rows: [&[bool]; 3] =
            [&[true, false, false, true], &[true, false, false, true], &[true, true, false, false]];
        assert_eq!(
            best(&table(columns, &rows)).as_deref(),
            Some("Accuracy: by mean accuracy, mm is best, or as good as the best, in 2 of 3 rows, base in 1.")
        );
    }

    #[test]
    fn a_table_of_maxima_says_so() {
        let columns = ["mm", "base"].map(|name| column(name, Statistic::Max)).to_vec();
        assert_eq!(
            best(&table(columns, &[&[true, false]])).as_deref(),
            Some("Accuracy: by maximal accuracy, mm is best, or as good as the best, in the only row.")
        );
    }
}
