//! What a paper calls a value that the spec writes otherwise.

use super::{MadeResults, SPEC, check, near};
use crate::claim::judge::judge_by;
use crate::spec::PAPER_SCALE;

const FILES: [(&str, &str); 1] =
    [("table.csv", "dataset,method,missing,accuracy\niris,mm,0,0.500\niris,mm,MOST,0.500\niris,mm,0.5,0.500\n")];

/// A table whose file calls 0.9 "MOST".
fn spec(aliases: &str) -> String {
    format!(
        "{SPEC}check = \"undecided\"\nreason = \"It is about the table.\"\n\n[[table]]\nid = \"table\"\nmetric = \"accuracy\"\n\
         rows = [\"dataset\", \"missing\"]\npublished = {{ file = \"table.csv\", value = \"accuracy\", columns = {{ dataset = \"dataset\", \
         method = \"method\", missing = \"missing\" }}{aliases}, runs = 20 }}\n"
    )
}

/// How many printed numbers stand beside ours.
fn beside_ours(aliases: &str) -> usize {
    let experiment = check(&spec(aliases), &FILES, PAPER_SCALE).unwrap_or_else(|error| panic!("{error}"));
    let judgements = judge_by(&MadeResults::new(experiment, |_, _| near(0.5)));
    let table = judgements.iter().find(|judgement| judgement.id == "table-printed").expect("it is judged");
    table.evidence.iter().filter(|evidence| evidence.printed.is_some() && evidence.ours.is_some()).count()
}

#[test]
fn a_number_of_all_stands_beside_that_of_the_value_it_means() {
    assert_eq!(beside_ours(""), 2);
    assert_eq!(beside_ours(", aliases = [{ missing = 0.9, printed = \"MOST\" }]"), 3);
}

#[test]
fn an_alias_is_of_a_value_and_of_a_text_that_are_there() {
    let refused = |aliases: &str| {
        check(&spec(&format!(", aliases = [{aliases}]")), &FILES, PAPER_SCALE).expect_err("it is wrong")
    };
    assert!(refused("{ missing = 0.9, printed = \"ALL\" }").contains("the file does not say `ALL` there"));
    assert!(refused("{ missing = 0.8, printed = \"MOST\" }").contains("`missing` has no value 0.8"));
    assert!(refused("{ missing = 0.9 }").contains("has no `printed`"));
    assert!(refused("{ printed = \"MOST\" }").contains("does not name one value"));
    assert!(refused("{ absent = 0.9, printed = \"MOST\" }").contains("no dimension is named \"absent\""));
}
