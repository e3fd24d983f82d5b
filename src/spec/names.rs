//! Names in a spec that become names of folders and files.

use super::fields::{Fields, Problems};
use super::outputs::OUTPUTS;
use super::problem::SpecProblem;
use super::requests::DOTS;
use super::tree::{Item, Node, TomlTable};

/// The longest name or id, in bytes: with what is put before and after it, it still fits into a file's name everywhere.
const LONGEST: usize = 100;

/// What the folder of reports has beside the experiments' folders.
pub const FILES_OF_ALL_REPORTS: [&str; 4] = ["index.html", "methodology.html", "scorecard.csv", "scorecard.md"];

/// The names, without their ends, of the files that every report has for itself.
pub const FILES_OF_A_REPORT: [&str; 4] = ["claims", "index", "report", "scorecard.part"];

/// What a name may be, for messages.
const PLAIN_NAME: &str =
    "letters, digits, -, _ and . (at most 100 of them, a letter or digit first): the name of one folder";

/// What an id may be, for messages.
const PLAIN_ID: &str = "letters, digits, - and _ (at most 100 of them, a letter or digit first): it names files";

/// Reads `name`, which becomes a folder of results and one of reports.
pub(super) fn experiment_name<'a>(top: &Fields<'a>) -> Option<&'a str> {
    let Some(item) = top.item("name") else {
        top.missing("name", "a name for its results folder");
        return None;
    };
    match &item.node {
        Node::Text(name) if !is_plain(name, "-_.") => {
            top.refuse(item, &format!("`name` becomes a folder name, and {name:?} cannot be one"), PLAIN_NAME);
            None
        }
        Node::Text(name) if is_one_of(name, &FILES_OF_ALL_REPORTS) => {
            top.refuse(item, &format!("the folder of reports has a file named `{name}`"), "another name");
            None
        }
        Node::Text(name) => Some(name),
        other => {
            top.refuse(item, &format!("`name` is {}", other.describe()), PLAIN_NAME);
            None
        }
    }
}

/// Reads `reuse`: names of other experiments.
pub(super) fn reused(top: &Fields, own: Option<&str>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (name, item) in top.texts("reuse").unwrap_or_default() {
        if !is_plain(name, "-_.") {
            top.refuse(item, &format!("no experiment can be named {name:?}"), PLAIN_NAME);
        } else if own.is_some_and(|own| is_same(own, name)) {
            top.refuse(item, &format!("\"{name}\" is this experiment itself"), "names of other experiments");
        } else if names.iter().any(|earlier| earlier == name) {
            top.refuse(item, &format!("\"{name}\" is listed twice"), "each experiment once");
        } else {
            names.push(name.to_owned());
        }
    }
    names
}

/// Reads `id`, which becomes the name of an output's files.
pub(super) fn output_id<'a>(fields: &Fields<'a>) -> Option<&'a str> {
    let Some(item) = fields.item("id") else {
        fields.missing("id", "a short name for its files");
        return None;
    };
    let Node::Text(id) = &item.node else {
        fields.refuse(item, &format!("`id` is {}", item.node.describe()), PLAIN_ID);
        return None;
    };
    if !is_plain(id, "-_") {
        fields.refuse(item, &format!("`id` becomes a file name, and {id:?} cannot be one"), PLAIN_ID);
    } else if is_one_of(id, &FILES_OF_A_REPORT) {
        fields.refuse(item, &format!("the report has files named `{id}` of its own"), "another id");
    }
    Some(id)
}

/// Refuses ids that are there twice: their files would be the same.
pub(super) fn refuse_equal_ids(top: &Fields, problems: &Problems) {
    let mut seen: Vec<&str> = Vec::new();
    let with_dots = top.tables("table").into_iter().filter(|table| table.get("published").is_some());
    let with_dots: Vec<&str> = with_dots.filter_map(id_of).collect();
    for table in OUTPUTS.into_iter().flat_map(|key| top.tables(key)) {
        let Some(Item { node: Node::Text(id), span }) = table.get("id") else { continue };
        if let Some(earlier) = seen.iter().find(|earlier| is_same(earlier, id)) {
            let message = if earlier == id {
                format!("two tables, figures, tests, listings, pictures or rankings have the id \"{id}\"")
            } else {
                format!("the ids \"{earlier}\" and \"{id}\" differ only by case, and so would the names of their files")
            };
            problems.add(SpecProblem::new(span.clone(), message).expected("an id of its own for each"));
        }
        let is_of_dots = |table: &&&str| is_same(&format!("{table}{DOTS}"), id);
        if let Some(table) = with_dots.iter().find(is_of_dots) {
            let message =
                format!("\"{id}\" is the id of the dot plot that the report has beside the table \"{table}\"");
            problems.add(SpecProblem::new(span.clone(), message).expected("another id"));
        }
        seen.push(id);
    }
}

fn id_of(table: &TomlTable) -> Option<&str> {
    match &table.get("id")?.node {
        Node::Text(id) => Some(id),
        _ => None,
    }
}

/// Whether two names are one on file systems that do not tell upper from lower case.
#[must_use]
pub fn is_same(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other)
}

/// Whether a name is one of some, on any file system.
#[must_use]
pub fn is_one_of(name: &str, names: &[&str]) -> bool {
    names.iter().any(|other| is_same(other, name))
}

fn is_plain(name: &str, signs: &str) -> bool {
    name.len() <= LONGEST
        && name.starts_with(|first: char| first.is_ascii_alphanumeric())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || signs.contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_plain_folder() {
        let longest = "x".repeat(LONGEST);
        for name in ["a", "9", "bce-table3", "v1.2_x", "a..b", &longest] {
            assert!(is_plain(name, "-_."), "{name}");
        }
        let longer = "x".repeat(LONGEST + 1);
        for name in ["", ".", "..", ".hidden", "-rf", "_x", "a/b", "/a", "a\\b", " a", "a ", "a\0", "a\n", "ü", &longer]
        {
            assert!(!is_plain(name, "-_."), "{name:?}");
        }
    }
}
