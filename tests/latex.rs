//! Tables for a paper: signs of significance, and one method tested against each other.

mod common;

use common::Workshop;

/// Four methods on weak partitions of two datasets, with the base clusterings themselves tested against each other method.
fn spec(more: &str) -> String {
    let head = "name = \"small\"\nseed = 7\ndatasets = [\"iris\", \"wine\"]\nmetrics = [\"accuracy\", \"ari\"]\nrepeats = 3\n\n\
                [ensemble]\ngenerator = \"projection\"\nsize = 6\ncount = 20\nk = 3\n";
    let methods = ["kmeans", "mm", "voting", "base"].map(|name| format!("[[method]]\nname = \"{name}\"\n"));
    let table = "[[table]]\nid = \"accuracy\"\nmetric = \"accuracy\"\nrows = [\"dataset\"]\n";
    let test = "[[test]]\nid = \"against-all\"\ntitle = \"Against all\"\nmetric = \"accuracy\"\nfirst = \"base\"\nsecond = \"all\"\n";
    [head, &methods.join("\n"), table, test].join("\n") + more
}

#[test]
fn the_first_method_is_tested_against_each_other_and_the_table_is_marked_by_that() {
    let workshop = Workshop::new();
    workshop.write("small.toml", &spec(""));
    workshop.run(&["run", "small.toml"]).ok();
    let read = |name: &str| String::from_utf8(workshop.read(&format!("reports/small/{name}"))).expect("text");
    let tests = read("against-all.csv");
    let rows: Vec<Vec<&str>> = tests.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows[0][..5], ["dataset", "against", "metric", "first", "second"]);
    let places: Vec<String> = rows[1..].iter().map(|row| row[..2].join("/")).collect();
    assert_eq!(places, ["iris/kmeans", "iris/mm", "iris/voting", "wine/kmeans", "wine/mm", "wine/voting"]);
    assert!(rows[1..].iter().all(|row| row[1] == row[4] && row[3] == "base"));

    // One family: no adjusted p is below six times the smallest.
    let column = |name: &str| rows[0].iter().position(|head| *head == name).expect("a column");
    let numbers =
        |name: &str| -> Vec<f64> { rows[1..].iter().map(|row| row[column(name)].parse().expect("a number")).collect() };
    let (raw, holm) = (numbers("p"), numbers("p_holm"));
    let least = raw.iter().copied().fold(1.0, f64::min);
    let least_holm = holm.iter().copied().fold(1.0, f64::min);
    assert!((least_holm - (6.0 * least).min(1.0)).abs() < 1e-12, "{raw:?} {holm:?}");

    // The table of p has a column for each other method, and marks what the CSV says is significant.
    let latex = read("against-all.tex");
    assert!(latex.contains("dataset & kmeans & mm & voting \\\\"), "{latex}");
    let differences = numbers("mean_difference");
    let signs = |sign: &str| {
        latex.lines().filter(|line| line.contains(" & ")).map(|line| line.matches(sign).count()).sum::<usize>()
    };
    let significant = |better: bool| {
        holm.iter().zip(&differences).filter(|(p, difference)| **p < 0.05 && (**difference > 0.0) == better).count()
    };
    assert_eq!([signs("$+$"), signs("$-$")], [significant(true), significant(false)], "{latex}");

    // So does the table of means, from the other method's side.
    let table = read("accuracy.tex");
    let marked = |sign: &str| {
        table.lines().filter(|line| line.contains(" & ")).map(|line| line.matches(sign).count()).sum::<usize>()
    };
    assert_eq!([marked("$\\dagger$"), marked("$\\ddagger$")], [significant(true), significant(false)], "{table}");
    assert!(significant(true) + significant(false) > 0, "the example has a significant difference: {holm:?}");
    assert!(table.contains("than base in accuracy: paired t-test by ensemble, two-sided"), "{table}");
    assert!(read("report.md").contains("base ≠ each other method in accuracy"));
    assert!(read("index.html").contains("against"));
}

#[test]
fn where_leaves_methods_out_and_a_test_of_two_is_narrow() {
    let workshop = Workshop::new();
    let two = "where = { method = [\"base\", \"mm\"] }\n\n[[test]]\nid = \"two\"\nmetric = \"accuracy\"\nfirst = \"kmeans\"\nsecond = \"mm\"\n";
    workshop.write("small.toml", &spec(two));
    workshop.run(&["run", "small.toml"]).ok();
    let read = |name: &str| String::from_utf8(workshop.read(&format!("reports/small/{name}"))).expect("text");
    assert_eq!(read("against-all.csv").lines().count(), 3);
    let narrow = read("two.tex");
    assert!(narrow.contains("dataset & n & difference & 95 \\% CI & p (Holm) \\\\"), "{narrow}");
    assert!(!narrow.contains("sidewaystable"), "{narrow}");
}
