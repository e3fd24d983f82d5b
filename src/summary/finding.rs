//! What a page opens with: its finding in a sentence.

use super::model::{Page, Table};
use crate::claim;

/// From claims and printed numbers, else from rankings, else from which column is best how often.
pub(super) fn of(page: &Page) -> Option<String> {
    let judged = claim::finding(page.claims.iter());
    let ranked = || page.rankings.iter().find_map(|ranking| ranking.findings.first()).cloned();
    judged.or_else(ranked).or_else(|| page.tables.iter().find_map(best))
}

/// "“Accuracy”: mm is best, or equal to the best, in 3 of 4 rows, base in 1."; `None` where no column is marked best.
fn best(table: &Table) -> Option<String> {
    // In the order of the table: of several that are best equally often the first is named first.
    let mut counts: Vec<(String, usize)> = Vec::new();
    let mut rows = 0;
    for row in &table.rows {
        let best = table.columns.iter().zip(&row.cells).filter(|(_, cell)| cell.best);
        let mut names: Vec<&String> = best.map(|(column, _)| column.group.as_ref().unwrap_or(&column.name)).collect();
        names.dedup();
        rows += usize::from(!names.is_empty());
        for name in names {
            match counts.iter_mut().find(|(known, _)| known == name) {
                Some((_, count)) => *count += 1,
                None => counts.push((name.clone(), 1)),
            }
        }
    }
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let mut named = counts.iter().take(3);
    let (first, count) = named.next()?;
    let others: String = named.map(|(name, count)| format!(", {name} in {count}")).collect();
    let title = &table.title;
    Some(format!("{title}: {first} is best, or as good as the best, in {count} of {rows} rows{others}."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::{Column, Row, TableCell};

    #[test]
    fn methods_are_counted_by_the_rows_in_which_they_are_best() {
        let column = |name: &str| Column { group: None, name: name.to_owned() };
        let cell = |best: bool| TableCell { value: Some(0.5), best, ..TableCell::default() };
        let row = |best: [bool; 2]| Row { keys: vec!["iris".to_owned()], cells: best.map(cell).to_vec() };
        let mut table = Table {
            id: "t".to_owned(),
            title: "Accuracy".to_owned(),
            caption: String::new(),
            keys: vec!["dataset".to_owned()],
            columns: vec![column("mm"), column("base")],
            rows: vec![row([false, true]), row([true, true]), row([true, false]), row([true, false])],
            digits: 2,
            references: Vec::new(),
            across: Vec::new(),
            quiet: Vec::new(),
        };
        assert_eq!(
            best(&table).as_deref(),
            Some("Accuracy: mm is best, or as good as the best, in 3 of 4 rows, base in 2.")
        );
        table.rows = vec![row([false, false])];
        assert_eq!(best(&table), None);
    }
}
