//! What a user should know of his base clusterings, though they can be used: constant ones, copies, and known classes among them.

use std::collections::HashMap;

use crate::data::LabelTable;
use crate::ensemble::{Ensemble, Labels};

/// Columns that a remark names; there may be thousands.
const SHOWN: usize = 5;

/// One sentence for each.
pub(super) fn remarks(table: &LabelTable) -> Vec<String> {
    let name = |column: usize| format!("\"{}\"", table.names[column]);
    let arity = table.ensemble.arity();
    let constant: Vec<usize> = (0..arity.len()).filter(|&column| arity[column] == 1).collect();
    let mut remarks = Vec::new();
    match constant[..] {
        [] => {}
        [one] => remarks.push(format!("column {} has a single cluster, so it says nothing", name(one))),
        _ => {
            let several = listed(&constant, |&column| name(column));
            remarks.push(format!("columns {several} have a single cluster each, so they say nothing"));
        }
    }
    let copies = copies(&table.ensemble);
    if !copies.is_empty() {
        let copies = listed(&copies, |&(copy, of)| format!("{} as {}", name(copy), name(of)));
        remarks.push(format!("divided in the same way, whatever the labels are called: {copies}; every column counts"));
    }
    // A table of which nothing but the labels is used may well have its classes in it.
    if table.truth.is_none() {
        let classes = table.names.iter().filter(|name| is_called_like_classes(name));
        remarks.extend(classes.map(|name| {
            format!(
                "column \"{name}\" is used as a base clustering; if it has the known classes, add --truth \"{name}\""
            )
        }));
    }
    remarks
}

fn listed<T>(all: &[T], name: impl Fn(&T) -> String) -> String {
    let first = all.iter().take(SHOWN).map(name).collect::<Vec<_>>().join(", ");
    if all.len() > SHOWN { format!("{first} and {} more", all.len() - SHOWN) } else { first }
}

fn is_called_like_classes(name: &str) -> bool {
    ["class", "truth", "true_label", "ground_truth", "target"].contains(&name.to_ascii_lowercase().as_str())
}

/// Columns that divide the objects as an earlier one does, with that one. Constant ones are not among them.
fn copies(ensemble: &Ensemble) -> Vec<(usize, usize)> {
    /// Rows by which columns are told apart before all rows are looked at.
    const HEAD: usize = 256;
    let mut earlier: HashMap<Vec<u32>, Vec<usize>> = HashMap::new();
    let mut copies = Vec::new();
    for column in (0..ensemble.columns()).filter(|&column| ensemble.arity()[column] > 1) {
        let head = numbered(ensemble, column, HEAD).collect();
        let like = earlier.entry(head).or_default();
        let same = |other: &&usize| {
            numbered(ensemble, column, ensemble.rows()).eq(numbered(ensemble, **other, ensemble.rows()))
        };
        match like.iter().find(same) {
            Some(&of) => copies.push((column, of)),
            None => like.push(column),
        }
    }
    copies
}

/// The labels of a column in the first distinct rows, numbered by their first appearance.
fn numbered(ensemble: &Ensemble, column: usize, rows: usize) -> impl Iterator<Item = u32> {
    let mut numbers = vec![Labels::MISSING; ensemble.arity()[column]];
    let mut next = 0;
    (0..rows.min(ensemble.rows())).map(move |row| match ensemble.row(row)[column] {
        Labels::MISSING => Labels::MISSING,
        label => {
            let number = &mut numbers[label as usize];
            if *number == Labels::MISSING {
                *number = next;
                next += 1;
            }
            *number
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Selection;

    fn remarks_on(text: &str) -> Vec<String> {
        let columns = text.lines().next().unwrap().split(',').map(str::to_owned).collect();
        let selection = Selection { columns: Some(columns), ..Selection::default() };
        remarks(&LabelTable::read_text(text.as_bytes(), "x", &selection).unwrap())
    }

    #[test]
    fn constant_columns_copies_and_classes_are_named() {
        let said = remarks_on("a,b,c,d,e,class\n1,x,1,q,2,u\n2,x,2,p,1,v\n3,x,3,r,1,v\n3,x,3,r,,u\n");
        let expected = [
            "column \"b\" has a single cluster, so it says nothing",
            "divided in the same way, whatever the labels are called: \"c\" as \"a\", \"d\" as \"a\"; every column counts",
            "column \"class\" is used as a base clustering; if it has the known classes, add --truth \"class\"",
        ];
        assert_eq!(said, expected);
    }

    #[test]
    fn columns_that_part_late_or_lack_a_label_are_no_copies() {
        let rows = |last: &str| (0..600).map(|row| format!("{row},{row}\n")).collect::<String>() + last;
        assert!(remarks_on(&format!("a,b\n{}", rows("1,2\n"))).is_empty());
        assert!(remarks_on(&format!("a,b\n{}", rows("1,\n"))).is_empty());
        assert_eq!(remarks_on(&format!("a,b\n{}", rows("1,1\n"))).len(), 1);
    }

    #[test]
    fn of_many_columns_a_few_are_named() {
        let header: Vec<String> = (0..40).map(|column| format!("c{column}")).collect();
        let row = |label: &str| vec![label; 40].join(",");
        let said = remarks_on(&format!("{}\n{}\n{}\n", header.join(","), row("1"), row("1")));
        assert_eq!(
            said,
            [
                "columns \"c0\", \"c1\", \"c2\", \"c3\", \"c4\" and 35 more have a single cluster each, so they say nothing"
            ]
        );
    }
}
