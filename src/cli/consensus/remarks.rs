//! What a user should know of his base clusterings, though they can be used: constant ones, copies, and known classes among them.

use std::collections::HashMap;

use super::text::counted;
use crate::data::{LabelTable, is_called_like_classes};
use crate::ensemble::{Ensemble, Labels, Partition};
use crate::metric::{Contingency, ari};
use crate::stats;

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
    remarks.extend(doubt(&table.ensemble));
    remarks
}

/// What to say of objects without a label, of which so many are the last of the file: spreadsheets write empty rows there.
pub(super) fn unlabelled(objects: usize, at_the_end: usize) -> String {
    let (have, clusters) = match objects {
        1 => ("has", "the cluster that it is put in means nothing"),
        _ => ("have", "the clusters that they are put in mean nothing"),
    };
    let end = match at_the_end {
        0 => String::new(),
        1 => "; the last line of the file has empty fields alone: is it an object?".to_owned(),
        many => format!("; the last {many} lines of the file have empty fields alone: are they objects?"),
    };
    format!("{} {have} no labels at all; {clusters}{end}", counted(objects, "object"))
}

fn listed<T>(all: &[T], name: impl Fn(&T) -> String) -> String {
    let first = all.iter().take(SHOWN).map(name).collect::<Vec<_>>().join(", ");
    if all.len() > SHOWN { format!("{first} and {} more", all.len() - SHOWN) } else { first }
}

/// What to think of where the labels look like whole measurements: many in each column, rows that differ, and no agreement.
fn doubt(ensemble: &Ensemble) -> Option<String> {
    /// Clusters of a base clustering are rarely more.
    const MANY: usize = 10;
    /// Fewer rows say little.
    const ENOUGH: usize = 24;
    /// Pairs of neighbouring columns that are compared.
    const COMPARED: usize = 20;
    /// Base clusterings with much noise agree so far.
    const HARDLY: f64 = 0.1;
    let (rows, objects, columns) = (ensemble.rows(), ensemble.objects(), ensemble.columns());
    // Clusters of one object each agree with nothing by chance.
    let many = ensemble.arity().iter().filter(|&&labels| labels > MANY && 2 * labels <= objects).count();
    if objects < ENOUGH || 10 * rows <= 9 * objects || 2 * many < columns {
        return None;
    }
    let clusters = |column: usize| Partition::from_codes(ensemble.column(column).codes());
    let agreements =
        (1..columns.min(COMPARED + 1)).map(|column| ari(&Contingency::new(&clusters(column - 1), &clusters(column))));
    let agreement = stats::mean(&agreements.collect::<Vec<f64>>()).filter(|&mean| mean < HARDLY)?;
    Some(format!(
        "nearly every row differs from all others ({rows} of {objects}), and columns beside each other hardly agree (mean ARI \
         {agreement:.2}); if these are measurements, not labels, make base clusterings of them first: conclave ensemble FILE \
         --generator kmeans --size 20 --param k=3 --output labels.csv"
    ))
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
    fn whole_numbers_that_agree_on_nothing_may_be_measurements() {
        let row = |object: usize| format!("{},{},{}\n", object % 13, object / 13, object * 5 / 7 % 11);
        let said = remarks_on(&format!("a,b,c\n{}", (0..169).map(row).collect::<String>()));
        assert!(
            matches!(&said[..], [one] if one.contains("(169 of 169)") && one.contains("conclave ensemble FILE")),
            "{said:?}"
        );
        // Few labels in each column.
        let few = |object: usize| format!("{},{}\n", object % 9, object / 9 % 9);
        assert!(remarks_on(&format!("a,b\n{}", (0..81).map(few).collect::<String>())).is_empty());
    }

    #[test]
    fn objects_without_labels_are_counted_and_those_of_the_last_lines_apart() {
        assert_eq!(unlabelled(1, 0), "1 object has no labels at all; the cluster that it is put in means nothing");
        assert!(
            unlabelled(5, 3).ends_with("; the last 3 lines of the file have empty fields alone: are they objects?")
        );
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
