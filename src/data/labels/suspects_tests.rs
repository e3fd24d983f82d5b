use std::fmt::Write as _;

use crate::data::labels::{AskedThrough, FirstRow, IdOrigin, LabelTable, Selection};

/// A table of so many rows, each column a name and what it has in every row.
fn table(rows: usize, columns: &[(&str, &dyn Fn(usize) -> String)]) -> String {
    let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
    let mut text = names.join(",") + "\n";
    for row in 0..rows {
        let fields: Vec<String> = columns.iter().map(|(_, of)| of(row)).collect();
        writeln!(text, "{}", fields.join(",")).unwrap();
    }
    text
}

fn read(text: &str, selection: &Selection) -> Result<LabelTable, String> {
    LabelTable::read_text(text.as_bytes(), "x", selection).map_err(|error| error.to_string())
}

#[track_caller]
fn refused(text: &str, selection: &Selection, words: &[&str]) {
    let problem = read(text, selection).unwrap_err();
    for word in words {
        assert!(problem.contains(word), "`{word}` is not in: {problem}");
    }
}

fn id_of(table: &LabelTable) -> Option<(&str, IdOrigin)> {
    table.reading.id.as_ref().map(|id| (id.name.as_str(), id.origin))
}

fn label(row: usize) -> String {
    (row % 3).to_string()
}

fn other(row: usize) -> String {
    (row % 4).to_string()
}

fn unique(row: usize) -> String {
    format!("p{row}")
}

fn number(row: usize) -> String {
    (row + 1).to_string()
}

fn number_of_26(row: usize) -> String {
    (row % 26).to_string()
}

fn measured(row: usize) -> String {
    format!("{}.{}", row % 40, row * 7 % 10)
}

#[test]
fn a_column_that_differs_in_every_row_has_the_objects_names() {
    let all = Selection::default();
    for (name, place) in [("Patient ID", 0), ("whatever", 0), ("objectid", 2), ("sampleName", 1)] {
        for of in [&unique as &dyn Fn(usize) -> String, &number] {
            let mut columns: Vec<(&str, &dyn Fn(usize) -> String)> = vec![("a", &label), ("b", &other)];
            columns.insert(place, (name, of));
            let table = read(&table(40, &columns), &all).unwrap();
            assert_eq!(
                (id_of(&table), &table.names[..]),
                (Some((name, IdOrigin::Found)), &["a".into(), "b".into()][..])
            );
            assert_eq!(table.ids.unwrap().iter().collect::<Vec<_>>(), (0..40).map(of).collect::<Vec<_>>());
            assert_eq!((table.ensemble.rows(), table.ensemble.arity()), (12, &[3, 4][..]));
        }
    }
}

#[test]
fn the_same_labels_are_read_with_the_names_found_named_or_left_out() {
    let text = table(50, &[("name", &unique), ("a", &label), ("b", &other)]);
    let found = read(&text, &Selection::default()).unwrap();
    let named = read(&text, &Selection { id: Some("name".into()), ..Selection::default() }).unwrap();
    let without = read(&text, &Selection { without: vec!["name".into()], ..Selection::default() }).unwrap();
    assert_eq!((&found.ensemble, &found.ensemble), (&named.ensemble, &without.ensemble));
    assert!(found.ids.unwrap().iter().eq(named.ids.unwrap().iter()));
    assert_eq!((named.reading.id.unwrap().origin, without.reading.id), (IdOrigin::Named, None));
}

#[test]
fn what_may_or_may_not_be_names_is_refused_with_the_words_to_add() {
    let all = Selection::default();
    let nearly = |row: usize| (row - usize::from(row == 30)).to_string();
    let text = table(40, &[("a", &label), ("Visit No", &nearly), ("b", &other)]);
    refused(
        &text,
        &all,
        &[
            "column \"Visit No\" has another value in nearly every row (39 in 40)",
            "--drop \"Visit No\" to leave it out, or --columns a,b to name",
        ],
    );
    assert!(!read(&text, &all).unwrap_err().contains("--id"), "names must be unique");
    let text = table(40, &[("a", &label), ("x", &unique), ("b", &other)]);
    refused(
        &text,
        &all,
        &["\"x\" has another value in every row", "--id x if it names the objects, --drop x to leave it out"],
    );
    let text = table(40, &[("name", &unique), ("id", &number), ("a", &label), ("b", &other)]);
    refused(&text, &all, &["--id name --drop id if it names the objects", "--drop name --drop id to leave them out"]);
    let named = Selection { id: Some("name".into()), ..Selection::default() };
    refused(&text, &named, &["--drop id to leave it out"]);
    // Whoever names the base clusterings is believed.
    let believed = Selection { columns: Some(vec!["id".into(), "a".into()]), ..Selection::default() };
    assert_eq!(read(&text, &believed).unwrap().ensemble.arity(), [40, 3]);
}

#[test]
fn specs_and_ranks_are_told_and_take_nothing_by_themselves() {
    let text = table(40, &[("name", &unique), ("a", &label), ("b", &other)]);
    let spec = Selection { asked: AskedThrough::Spec, ..Selection::default() };
    refused(
        &text,
        &spec,
        &["column \"name\" has another value in every row", "; write without = \"name\" to leave it out"],
    );
    let rank = Selection { asked: AskedThrough::RankOptions, ..Selection::default() };
    refused(&text, &rank, &["add --id name if it names the objects, --drop name"]);
}

#[test]
fn in_short_tables_only_columns_called_like_names_are_names() {
    let all = Selection::default();
    let short = |name: &str| table(6, &[(name, &number), ("a", &label), ("b", &other)]);
    for name in ["id", "row.names", "", "Unnamed: 0"] {
        assert_eq!(id_of(&read(&short(name), &all).unwrap()), Some((name, IdOrigin::Found)), "{name}");
    }
    // A base clustering that leaves every object alone.
    for rows in [6, 12, 23] {
        let read = read(&table(rows, &[("pi1", &number), ("a", &label), ("b", &other)]), &all).unwrap();
        assert_eq!((read.ensemble.columns(), read.reading.id), (3, None));
    }
    assert_eq!(read("id,a\n1,x\n2,y\n", &all).unwrap().ensemble.columns(), 2);
}

#[test]
fn of_many_suspects_a_few_are_named() {
    let names: Vec<String> = (0..40).map(|column| format!("x{column}")).collect();
    let mut columns: Vec<(&str, &dyn Fn(usize) -> String)> = vec![("a", &label), ("b", &other)];
    columns.extend(names.iter().map(|name| (name.as_str(), &number as &dyn Fn(usize) -> String)));
    let text = table(30, &columns);
    let problem = read(&text, &Selection::default()).unwrap_err();
    assert!(problem.contains("\"x0\", \"x1\"") && problem.contains("and 20 more have another value"), "{problem}");
    assert!(problem.ends_with("; add --columns a,b to name the base clusterings"), "{problem}");
    let spec = Selection { asked: AskedThrough::Spec, ..Selection::default() };
    refused(&text, &spec, &["write without = [\"…\"] to leave them out"]);
}

#[test]
fn a_column_of_names_may_lack_one() {
    let all = Selection::default();
    let names = |row: usize| if row == 7 { String::new() } else { unique(row) };
    let text = table(40, &[("a", &label), ("id", &names), ("b", &other)]);
    refused(&text, &all, &["in every row but one, which has none", "--id id if it names the objects"]);
    assert!(read(&text, &Selection { id: Some("id".into()), ..Selection::default() }).is_ok());
    let names = |row: usize| if row < 2 { String::new() } else { unique(row) };
    let text = table(40, &[("a", &label), ("id", &names), ("b", &other)]);
    refused(&text, &all, &["in every row but 2, which have none", "; add --drop id to leave it out"]);
}

#[test]
fn what_may_be_misread_is_noted() {
    let notes = |text: &str| read(text, &Selection::default()).unwrap().reading.notes;
    let zeros = |row: usize| if row == 3 { "01".to_owned() } else { label(row) };
    let floats = |row: usize| if row == 4 { "1.0".to_owned() } else { label(row) };
    let expected = "column \"a\" has `01` and `1`, which are different labels, and so in 1 more column; write them alike if they \
                    are the same";
    assert_eq!(notes(&table(30, &[("a", &zeros), ("b", &floats), ("c", &label)])), [expected]);
    let rising = table(30, &[("0", &label), ("1", &label), ("2", &label), ("3", &other)]);
    assert_eq!(
        notes(&rising),
        ["the first line, 0,1,2,3, was taken for the header; if it is an object, add --no-header"]
    );
    let pandas = table(30, &[("0", &label), ("1", &label), ("2", &label), ("3", &label)]);
    assert!(notes(&pandas).is_empty(), "3 is no label below it");
}

#[test]
fn measurements_are_no_labels() {
    let all = Selection::default();
    let text = table(60, &[("x", &measured), ("y", &measured)]);
    refused(
        &text,
        &all,
        &[
            "this looks like measurements, not labels",
            "the columns have 40 different numbers, such as 1.7",
            "conclave ensemble FILE",
        ],
    );
    let comma = |row: usize| format!("\"{}\"", measured(row).replace('.', ","));
    refused(&table(60, &[("id", &number), ("x", &comma), ("y", &comma)]), &all, &["looks like measurements"]);
    let whole = |row: usize| (row * 17 % 1009).to_string();
    refused(&table(60, &[("id", &number), ("x", &whole), ("y", &whole)]), &all, &["looks like measurements"]);
    refused(
        &table(60, &[("a", &label), ("x", &measured)]),
        &all,
        &["column \"x\" has measurements, such as 1.7", "--drop x to leave it out"],
    );
    // Whole numbers beside fractions, and classes, are those of a table of features.
    let gaps = |row: usize| (3 * (row % 25)).to_string();
    let columns: [(&str, &dyn Fn(usize) -> String); 4] =
        [("x", &measured), ("y", &gaps), ("z", &gaps), ("class", &label)];
    refused(
        &table(60, &columns),
        &all,
        &["looks like measurements", "conclave ensemble FILE --class class --generator"],
    );
    // Without fractions rows must differ.
    let (fives, threes) = (|row: usize| (5 * (row % 26) + 60).to_string(), |row: usize| (3 * (row % 29)).to_string());
    refused(&table(300, &[("x", &fives), ("y", &threes)]), &all, &["the columns have 26 to 29 different numbers"]);
    assert!(read(&table(300, &[("x", &fives), ("y", &fives)]), &all).is_ok());
    let counted = |row: usize| (row % 29).to_string();
    assert!(
        read(&table(300, &[("x", &number_of_26), ("y", &counted)]), &all).is_ok(),
        "clusters are counted without gaps"
    );
    // Parts of clusters, and whole numbers as pandas writes them beside missing ones.
    let parts = |row: usize| format!("{}.{}", row % 4, row % 5);
    let float = |row: usize| format!("{}.0", row % 30);
    assert_eq!(read(&table(60, &[("a", &parts), ("b", &float)]), &all).unwrap().ensemble.arity(), [20, 30]);
}

#[test]
fn row_numbers_are_names_or_give_way_to_them() {
    let all = Selection::default();
    let alone = read(&table(30, &[("", &number), ("a", &label), ("b", &other)]), &all).unwrap();
    assert_eq!(id_of(&alone), Some(("", IdOrigin::Found)));
    for name in ["Patient ID", "whatever"] {
        let text = table(30, &[("", &number), (name, &unique), ("a", &label), ("b", &other)]);
        let both = read(&text, &all).unwrap();
        assert_eq!((id_of(&both), both.names.len()), (Some((name, IdOrigin::Found)), 2));
        assert_eq!(both.reading.notes, ["the column without a name numbers the rows and was left out"]);
        let named = read(&text, &Selection { id: Some(name.into()), ..Selection::default() }).unwrap();
        assert_eq!((id_of(&named), named.names.len()), (Some((name, IdOrigin::Named)), 2));
    }
}

#[test]
fn a_first_line_like_those_below_is_no_header() {
    let all = Selection::default();
    for text in ["1,2,1\n1,2,2\n2,1,1\n", "A,x\nA,y\nB,x\n", "7,8,9\n1,2,3\n1,3,4\n", "p1,1,2\np2,1,2\np3,2,1\n"] {
        refused(text, &all, &["is the header missing? use --no-header"]);
        let rows = text.lines().count();
        let read = read(text, &Selection { header: FirstRow::Object, ..Selection::default() }).unwrap();
        assert_eq!((read.ensemble.objects(), read.names[0].as_str()), (rows, "c1"), "{text}");
    }
    let columns = Selection { columns: Some(vec!["A".into(), "x".into()]), ..Selection::default() };
    assert_eq!(read("A,x\nA,y\nB,x\n", &columns).unwrap().ensemble.objects(), 2);
    // Headers of pandas, and of a user who calls columns by their number of clusters.
    for header in ["0,1,2,3", "1,2,3,4", "2,3,5,10"] {
        assert_eq!(read(&format!("{header}\n0,1,2,3\n1,1,2,3\n"), &all).unwrap().names.len(), 4);
    }
    assert_eq!(read("a,b\na,1\nb,2\n", &all).unwrap().ensemble.objects(), 2);
}

#[test]
fn a_header_formed_as_the_names_below_it_is_an_object() {
    let all = Selection::default();
    let numbered = |row: usize| format!("S{}", row + 2);
    let second = |row: usize| (row + 2).to_string();
    let barcode = |row: usize| format!("TCGA-{:02X}-A{row:03}", row * 7 % 256);
    // The last is too short a table for names to be told from labels.
    type Naming<'a> = &'a dyn Fn(usize) -> String;
    let cases: [(usize, &str, Naming); 4] =
        [(200, "S1", &numbered), (200, "1", &second), (30, "TCGA-A1-A0SB", &barcode), (12, "S1", &numbered)];
    for (rows, name, of) in cases {
        let text = table(rows, &[(name, of), ("x", &label), ("y", &other), ("w", &label)]);
        let otherwise = format!("or --id {name} if it is the header");
        refused(&text, &all, &["looks like an object", "is the header missing? use --no-header", &otherwise]);
        let header = Selection { id: Some(name.into()), ..Selection::default() };
        assert_eq!(read(&text, &header).unwrap().ensemble.objects(), rows, "{name}");
        let object = Selection { header: FirstRow::Object, ..Selection::default() };
        assert_eq!(read(&text, &object).unwrap().ensemble.objects(), rows + 1, "{name}");
    }
    // Headers: other letters, a name that is there again, numbers that rise.
    let objects =
        |columns: &[(&str, &dyn Fn(usize) -> String)]| read(&table(40, columns), &all).unwrap().ensemble.objects();
    assert_eq!(objects(&[("V1", &unique), ("x", &label), ("y", &other)]), 40);
    assert_eq!(objects(&[("p7", &unique), ("x", &label), ("y", &other)]), 40);
    let high = |row: usize| (row + 1000).to_string();
    assert_eq!(objects(&[("0", &high), ("1", &label), ("2", &other), ("3", &label), ("4", &other)]), 40);
}

#[test]
fn columns_of_one_name_are_refused_and_blank_ones_left_out() {
    let all = Selection::default();
    refused("a,b,a\n1,2,3\n2,2,3\n", &all, &["columns 1 and 3 are both named `a`", "use --no-header"]);
    refused("a,,\n1,2,3\n2,2,3\n", &all, &["2 columns have no name", "use --no-header"]);
    let blank = read("a,b,,\n1,2,,\n2,2,,\n", &all).unwrap();
    assert_eq!((blank.names.len(), blank.reading.missing.len()), (2, 0));
    assert_eq!(blank.reading.notes, ["2 columns without a name or a label were left out (lines end with delimiters)"]);
    refused("a,\n1,NA\n2,NA\n", &all, &["column `` has no labels"]);
}
