//! Files as users have them: written by Excel, pandas and R, with names of objects among the labels. What was understood is said
//! first, and what cannot be labels is not taken for labels.

mod common;

use std::fmt::Write as _;

use common::{Ran, Workshop};

/// Labels as an analyst has them of 120 patients: three planted clusters, six base clusterings, some labels missing.
fn patients(delimiter: char, missing: &str) -> String {
    let mut text =
        format!("Patient ID{delimiter}c1{delimiter}c2{delimiter}c3{delimiter}c4{delimiter}c5{delimiter}c6\n");
    for object in 0..120 {
        write!(text, "P{:04}", 7 * object).expect("a string can be written to");
        for column in 0..6 {
            let label = if (object * 5 + column * 7) % 13 == 0 { object + 1 } else { object } % 3;
            let gap = (object + column * 11) % 40 == 0;
            let label = if gap { missing.to_owned() } else { ((label + column) % 3).to_string() };
            write!(text, "{delimiter}{label}").expect("a string can be written to");
        }
        text.push('\n');
    }
    text
}

const MM: [&str; 4] = ["-m", "mm", "-k", "3"];

fn consensus(workshop: &Workshop, file: &str, more: &[&str]) -> Ran {
    workshop.run(&[&["consensus", file], &MM[..], more].concat())
}

fn clusters(workshop: &Workshop, file: &str, more: &[&str]) -> serde_json::Value {
    consensus(workshop, file, &[more, &["--json"]].concat()).ok().json()["labels"].clone()
}

#[test]
fn a_column_of_names_is_no_base_clustering_and_the_first_line_says_so() {
    let workshop = Workshop::new();
    workshop.write("labels.csv", &patients(',', ""));
    let ran = consensus(&workshop, "labels.csv", &[]).ok();
    let first = ran.err.lines().next().unwrap_or_default();
    assert!(
        first.starts_with(
            "labels.csv: 120 objects, 6 base clusterings, 18 missing labels (18 empty), id = \"Patient ID\" (its values \
             differ in every row; --columns to change), "
        ),
        "{first}"
    );
    assert!(first.ends_with(" distinct rows"), "{first}");
    assert!(ran.out.starts_with("Patient ID,cluster,confidence\nP0000,"), "{}", ran.out);
    let named = consensus(&workshop, "labels.csv", &["--id", "Patient ID"]).ok();
    assert_eq!(ran.out, named.out);
    assert!(named.err.lines().next().is_some_and(|line| line.contains("id = \"Patient ID\", ")), "{}", named.err);
    // Whoever wants it as a base clustering names it.
    let columns = ["--columns", "Patient ID,c1,c2"];
    let asked = consensus(&workshop, "labels.csv", &columns).ok();
    assert!(asked.err.starts_with("labels.csv: 120 objects, 3 base clusterings, "), "{}", asked.err);
}

#[test]
fn every_spelling_and_delimiter_gives_the_same_clusters() {
    let workshop = Workshop::new();
    let plain = patients(',', "");
    workshop.write("plain.csv", &plain);
    let expected = clusters(&workshop, "plain.csv", &[]);
    let utf16 = |text: &str| -> Vec<u8> {
        "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
    };
    let quoted =
        |line: &str| line.split(',').map(|field| format!("\"{field}\"")).collect::<Vec<_>>().join(",") + "\r\n";
    let row_names = plain.lines().enumerate().map(|(row, line)| match row {
        0 => format!("\"\",{line}\n"),
        _ => format!("\"{row}\",{line}\n"),
    });
    let files: [(&str, Vec<u8>, &str); 10] = [
        ("excel.csv", patients(';', "#N/A").replace('\n', "\r\n").into(), "(18 #N/A), id = \"Patient ID\""),
        ("excel.txt", utf16(&patients('\t', "").replace('\n', "\r\n")), "separated by tabs, converted from UTF-16"),
        ("unmarked.csv", utf16(&patients(';', ""))[2..].into(), "separated by semicolons, converted from UTF-16"),
        ("pipes.csv", patients('|', "NULL").into(), "separated by pipes"),
        ("tabs.csv", patients('\t', "<NA>").into(), "separated by tabs"),
        ("quoted.csv", plain.lines().map(quoted).collect::<String>().into(), "(18 empty)"),
        (
            "r.csv",
            row_names.collect::<String>().into(),
            "note: the column without a name numbers the rows and was left out",
        ),
        (
            "pandas.csv",
            plain
                .lines()
                .enumerate()
                .map(|(row, line)| match row {
                    0 => format!(",{line}\n"),
                    _ => format!("{},{line}\n", row - 1),
                })
                .collect::<String>()
                .into(),
            "id = \"Patient ID\"",
        ),
        ("trailing.csv", plain.replace('\n', ",\n").into(), "note: a column without a name or a label was left out"),
        ("mark.csv", format!("\u{feff}{plain}").into(), "id = \"Patient ID\""),
    ];
    for (name, bytes, said) in files {
        std::fs::write(workshop.path().join(name), bytes).expect("the test's folder is writable");
        let ran = consensus(&workshop, name, &["--json"]).ok();
        assert!(ran.err.contains(said), "`{said}` is not in: {}", ran.err);
        assert_eq!(ran.json()["labels"], expected, "{name}");
    }
}

#[test]
fn words_for_missing_labels_are_counted_apart() {
    let workshop = Workshop::new();
    let words =
        ["", "NA", "NaN", "N/A", "n/a", "#N/A", "null", "NULL", "None", "<NA>", "nan", "?", "-1", "-1", "unknown"];
    let rows: String = (0..60).map(|row| format!("{},{}\n", row % 3, words.get(row).map_or(row % 3, |_| 9))).collect();
    let rows = words.iter().fold(rows, |rows, word| rows.replacen(",9\n", &format!(",{word}\n"), 1));
    workshop.write("labels.csv", &format!("a,b\n{rows}"));
    let ran = consensus(&workshop, "labels.csv", &["--missing", "-1", "--missing", "unknown"]).ok();
    assert!(ran.err.contains("15 missing labels (2 -1, 1 empty, 1 ?, 1 NA, "), "{}", ran.err);
    assert!(ran.err.contains("1 unknown)"), "{}", ran.err);
    let ran = consensus(&workshop, "labels.csv", &[]).ok();
    assert!(ran.err.contains("12 missing labels"), "{}", ran.err);
}

#[test]
fn a_file_without_a_header_is_told_from_one_with_a_header() {
    let workshop = Workshop::new();
    let with = patients(',', "NA");
    let without = with.split_once('\n').expect("there is a header").1;
    workshop.write("with.csv", &with);
    workshop.write("without.csv", without);
    // Two labels of the first object are equal, as names of columns they are one name twice.
    let ran = consensus(&workshop, "without.csv", &[])
        .refused(&["are both named `1`", "is the header missing? use --no-header"]);
    assert!(ran.err.starts_with("error: without.csv: "), "{}", ran.err);
    let told = clusters(&workshop, "without.csv", &["--no-header"]);
    assert_eq!(told, clusters(&workshop, "with.csv", &[]));
    let out = consensus(&workshop, "without.csv", &["--no-header"]).ok().out;
    assert!(out.starts_with("c1,cluster,confidence\nP0000,"), "{out}");
    // Quotes and byte order marks before the first row.
    let quoted = without.replacen("P0000", "\"P0000\"", 1);
    workshop.write("quoted.csv", &format!("\u{feff}{quoted}"));
    assert_eq!(clusters(&workshop, "quoted.csv", &["--no-header", "--id", "c1"]), told);
    // All labels of the first object differ.
    let rows: String = (0..60).map(|row| format!("a{},b{},c{}\n", row % 3, row / 20, row % 2)).collect();
    workshop.write("differing.csv", &rows);
    let words = ["the first line looks like an object, not like a header", "is the header missing? use --no-header"];
    consensus(&workshop, "differing.csv", &[]).refused(&words);
}

#[test]
fn other_files_of_users_are_refused_in_words() {
    let workshop = Workshop::new();
    let cases: [(&[u8], &[&str]); 8] = [
        (
            b"name,cluster\nM\xfcller,1\nMayer,2\nHuber,1\n",
            &["line 2: column `name` is not UTF-8 text", "iconv -f WINDOWS-1252 -t UTF-8"],
        ),
        (b"one\n1\n2\n1\n", &["`one` is the only base clustering"]),
        (b"a;b\n", &["there is a header but no row"]),
        (b"a,b,a\n1,2,3\n", &["columns 1 and 3 are both named `a`", "use --no-header"]),
        // UTF-16 without a mark, in Chinese.
        (
            b"\x0d\x54\x0d\x54\x0d\x54,\0\x0d\x54\n\0",
            &["zero byte", "not a text file in UTF-8", "iconv -f UTF-16LE -t UTF-8"],
        ),
        (b"x,y\n1.5,2\n", &["every base clustering has a single cluster"]),
        (b"a,b\n1,\n2,null\n", &["column `b` has no labels"]),
        (b"a,b\n1;2\n", &["line 2 has 1 field, but the header has 2"]),
    ];
    for (bytes, words) in cases {
        std::fs::write(workshop.path().join("labels.csv"), bytes).expect("the test's folder is writable");
        consensus(&workshop, "labels.csv", &[]).refused(words);
    }
    workshop.write("labels.csv", &patients(',', ""));
    consensus(&workshop, "labels.csv", &["--drop", "c9"]).refused(&["no column is named `c9`"]);
    consensus(&workshop, "labels.csv", &["-o", "o.parquet", "--drop", "Patient ID"]).ok();
    consensus(&workshop, "o.parquet", &["--no-header"]).refused(&["a Parquet file has names for its columns"]);
}

#[test]
fn measurements_are_sent_to_the_verb_that_makes_base_clusterings() {
    let workshop = Workshop::new();
    let rows: String = (0..90).map(|row| format!("{row},{}.{},{}.5\n", row % 31, row % 10, row % 29)).collect();
    workshop.write("iris.csv", &format!("id,length,width\n{rows}"));
    consensus(&workshop, "iris.csv", &[])
        .refused(&["this looks like measurements, not labels", "conclave ensemble FILE --generator"]);
    let ensemble = ["ensemble", "iris.csv", "-g", "kmeans", "--size", "5", "--param", "k=3", "-o", "labels.csv"];
    workshop.run(&ensemble).refused(&[
        "column `id` numbers the rows, so it is no feature; add --drop \"id\", or drop = [\"id\"] in a spec",
    ]);
    let ran = workshop.run(&[&ensemble[..], &["--drop", "id"]].concat()).ok();
    assert!(ran.err.contains("iris.csv: 90 objects, 2 features, left out: id"), "{}", ran.err);
    consensus(&workshop, "labels.csv", &[]).ok();
}

#[test]
fn score_says_what_it_compares_and_knows_missing_words() {
    let workshop = Workshop::new();
    let rows: String = (0..40).map(|row| format!("p{row};{};{}\n", row % 2, row % 4)).collect();
    workshop.write("labels.csv", &format!("id;class;c1\n{rows}"));
    let score = |more: &[&str]| workshop.run(&[&["score", "labels.csv", "--truth", "class"], more].concat());
    let ran = score(&["--predicted", "c1", "--json"]).ok();
    assert_eq!(
        ran.err.trim(),
        "labels.csv: 40 objects, truth = \"class\" (2 classes), predicted = \"c1\" (4 clusters), separated by semicolons"
    );
    assert!(ran.json()["ari"].is_f64());
    let ran = score(&["--predicted", "id"]).ok();
    assert!(
        ran.err.contains("column \"id\" has another value in nearly every row; is it the right one?"),
        "{}",
        ran.err
    );
    score(&["--predicted", "c1", "--missing", "3"]).refused(&["10 labels are missing in column `c1`"]);
}

#[test]
fn a_spec_leaves_columns_of_a_users_file_out_and_takes_no_names_for_labels() {
    let workshop = Workshop::new();
    let spec = |dataset: &str, ensemble: &str| {
        format!(
            "name = \"drop\"\nseed = 3\ndatasets = [{dataset}]\nmetrics = [\"accuracy\"]\n\n[ensemble]\n{ensemble}\n\n\
             [[method]]\nname = \"mm\"\nk = 3\nrestarts = 1\n\n[[table]]\nid = \"t\"\nmetric = \"accuracy\"\n"
        )
    };
    let rows: String =
        (0..60).map(|row| format!("{},{}.5,{},{}\n", 1000 + 7 * row, row % 3 * 10, row % 4, row % 3)).collect();
    workshop.write("mine.csv", &format!("id,x,y,kind\n{rows}"));
    let kmeans = "generator = \"kmeans\"\nk = 3\nsize = 4";
    workshop.write("drop.toml", &spec("{ path = \"mine.csv\", class = \"kind\" }", kmeans));
    workshop
        .run(&["run", "drop.toml"])
        .refused(&["column `id` has another value in every row", "drop = [\"id\"] in a spec"]);
    workshop.write("drop.toml", &spec("{ path = \"mine.csv\", class = \"kind\", drop = [\"id\"] }", kmeans));
    workshop.run(&["run", "drop.toml"]).ok();
    workshop.write("drop.toml", &spec("{ path = \"mine.csv\", class = \"kind\", drop = [\"ids\"] }", kmeans));
    workshop.run(&["run", "drop.toml"]).refused(&["no column is named `ids`"]);
    workshop.write("drop.toml", &spec("{ name = \"iris\", drop = [\"id\"] }", kmeans));
    workshop.run(&["run", "drop.toml"]).refused(&["a dataset of the catalog knows its features"]);
    let labels: String = (0..60).map(|row| format!("p{row},{},{}\n", row % 5, row % 4)).collect();
    workshop.write("labels.csv", &format!("patient,a,b\n{labels}"));
    let dataset = "{ path = \"mine.csv\", class = \"kind\", drop = [\"id\"] }";
    let of_file = "generator = \"labels\"\npath = \"labels.csv\"";
    workshop.write("drop.toml", &spec(dataset, &format!("{of_file}\nsize = 2")));
    workshop
        .run(&["run", "drop.toml"])
        .refused(&["column \"patient\" has another value in every row", "write without = \"patient\""]);
    workshop.write("drop.toml", &spec(dataset, &format!("{of_file}\nwithout = \"patient\"\nsize = 2")));
    workshop.run(&["run", "drop.toml"]).ok();
}
