//! Audits of copies: lines that repeat others, and tables that are the same.

use super::audit::{ACCURACY, PrintedPaper};
use crate::claim::{Judgement, Verdict};
use crate::spec::PAPER_SCALE;

/// Twelve numbers of each of three methods; those of v-bce are given.
fn table(v_bce: [&str; 12]) -> &'static [&'static str] {
    let mm =
        ["0.811", "0.822", "0.833", "0.844", "0.855", "0.866", "0.711", "0.722", "0.733", "0.744", "0.755", "0.766"];
    let mcla =
        ["0.611", "0.622", "0.633", "0.644", "0.655", "0.666", "0.511", "0.522", "0.533", "0.544", "0.555", "0.566"];
    let places = ["iris", "wine"].iter().flat_map(|dataset| {
        [5, 10].iter().flat_map(move |size| ["mean", "min", "max"].map(move |stat| (*dataset, *size, stat)))
    });
    let rows = places.enumerate().flat_map(|(row, (dataset, size, stat))| {
        let number = [("mm", mm[row]), ("v-bce", v_bce[row]), ("mcla", mcla[row])];
        number.map(|(method, number)| &*format!("{dataset},{method},{size},{stat},{number}").leak())
    });
    rows.collect::<Vec<&'static str>>().leak()
}

const OWN: [&str; 12] =
    ["0.812", "0.823", "0.834", "0.845", "0.856", "0.867", "0.712", "0.723", "0.734", "0.745", "0.756", "0.767"];
const COPY: [&str; 12] =
    ["0.811", "0.822", "0.833", "0.844", "0.855", "0.866", "0.711", "0.722", "0.733", "0.744", "0.755", "0.766"];

fn judged(table: &'static [&'static str], claim: &str) -> Judgement {
    PrintedPaper { table, ..ACCURACY }.judged(&format!("in = \"table\"\n{claim}"))
}

fn places(judgement: &Judgement) -> Vec<&str> {
    judgement.evidence.iter().map(|evidence| evidence.place.as_str()).collect()
}

#[test]
fn a_line_that_repeats_another_is_found_once() {
    let repeated = |v_bce: [&str; 12]| judged(table(v_bce), "rule = \"repeated\"\nacross = \"method\"");
    let sound = repeated(OWN);
    assert_eq!(sound.verdict, Verdict::NothingFound);
    assert!(
        sound.finding.starts_with("Rows and columns that repeat another method's digits: 0 of "),
        "{}",
        sound.finding
    );
    let copied = repeated(COPY);
    assert_eq!(copied.verdict, Verdict::Impossible);
    assert_eq!(places(&copied), ["v-bce"]);
    // Of three methods one pair of three is tied at each of twelve places: 3⁻¹² for each of the 24 lines.
    assert_eq!(
        copied.evidence[0].reason,
        "all 12 numbers are those of mm; among 24 lines compared chance repeats 4.52e-5 such lines, below 0.001"
    );
    // Only on wine: six numbers, 24 · 3⁻⁶ = 0.03.
    let mut on_wine = OWN;
    on_wine[6..].copy_from_slice(&COPY[6..]);
    let few = repeated(on_wine);
    assert_eq!(few.verdict, Verdict::NothingFound);
    assert!(few.finding.contains("digits: 1 of 24 lines compared, 0 of them"), "{}", few.finding);
}

#[test]
fn ties_and_ends_of_ranges_are_no_copies() {
    // All perfect; and all the same number.
    for same in ["1.000", "0.811"] {
        let found = judged(table([same; 12]), "rule = \"repeated\"\nacross = \"method\"");
        assert_eq!(found.verdict, Verdict::NothingFound, "{}", found.finding);
    }
    // With two datasets every tie is shared by all of them, so it says nothing.
    let rows: Vec<&'static str> = table(OWN).iter().filter(|row| row.starts_with("iris")).copied().collect();
    let twice = rows.iter().flat_map(|row| [*row, &*row.replace("iris", "wine").leak()]).collect::<Vec<_>>().leak();
    let found = judged(twice, "rule = \"repeated\"");
    assert_eq!(found.verdict, Verdict::NothingFound, "{}", found.finding);
    // A number that stands at all sweep points is one number, and no sweep point repeats another.
    let swept = |across: &str| {
        let published = "[[table]]\nid = \"more\"\nmetric = \"accuracy\"\nrows = [\"dataset\", \"ensemble.size\"]\npublished = { \
                         file = \"table.csv\", value = \"number\", statistic = \"stat\", columns = { dataset = \"dataset\", \
                         method = \"method\" }, where = { stat = \"mean\", size = \"5\" } }";
        let paper = PrintedPaper { table: table(COPY), ..ACCURACY };
        paper.judged_with(&format!("in = \"more\"\nrule = \"repeated\"\nacross = \"{across}\""), published).finding
    };
    assert_eq!(swept("ensemble.size"), "Not judged: the printed numbers are not told apart by H.");
    assert_eq!(swept("method"), "Not judged: no two values of method have 3 printed numbers to compare.");
    let nowhere = judged(&["iris,mm,5,mean,0.811"], "rule = \"repeated\"");
    assert_eq!(nowhere.finding, "Not judged: no two values of dataset have 3 printed numbers to compare.");
}

#[test]
fn tables_of_different_things_differ() {
    let means = "where = { method = \"mm\" }\nmeans = { file = \"table.csv\", value = \"number\", statistic = \"stat\", \
                 columns = { dataset = \"dataset\", ensemble.size = \"size\" }, where = { method = \"v-bce\" } }";
    let same = |v_bce: [&str; 12]| judged(table(v_bce), &format!("rule = \"same\"\n{means}"));
    let sound = same(["0.500"; 12]);
    assert_eq!(sound.verdict, Verdict::NothingFound);
    assert!(
        sound
            .finding
            .starts_with("Numbers that are the same in both tables: 0 of 12 numbers, 1.2 by chance (p = 1.0000)"),
        "{}",
        sound.finding
    );
    let copied = same(COPY);
    assert_eq!((copied.verdict, copied.evidence.len()), (Verdict::Impossible, 12));
    assert_eq!(copied.evidence[0].reason, "the other table has 0.811 too");
    assert!(copied.finding.contains("12 of 12 numbers, 1.2 by chance (p = 1.00e-12)"), "{}", copied.finding);
    // Where the others differ by the last digit only, rounding makes equals of half of them.
    let mut close = OWN;
    close[..6].copy_from_slice(&COPY[..6]);
    let close = same(close);
    assert_eq!(close.verdict, Verdict::NothingFound);
    assert!(close.finding.contains("6 of 12 numbers, 6.0 by chance"), "{}", close.finding);
}

#[test]
fn keys_of_rules_are_asked_for() {
    let refused = |claim: &str| ACCURACY.experiment(&format!("in = \"table\"\n{claim}"), PAPER_SCALE).unwrap_err();
    assert!(refused("rule = \"same\"").contains("has no `means`"));
    assert!(refused("rule = \"mean-max\"").contains("has no `of`"));
    assert!(refused("rule = \"repeated\"\nacross = \"methods\"").contains("methods"));
    assert!(refused("rule = \"grim\"\nruns = 0").contains("`runs` has"));
    assert!(refused("rule = \"grim\"\nruns = [1, 20]").contains("a mean of one run is that run"));
    assert!(refused("rule = \"spread\"").contains("no test has the id \"table\""));
    assert!(refused("rule = \"integer\"\nruns-said = \"stated\"").contains("without `runs`"));
}
