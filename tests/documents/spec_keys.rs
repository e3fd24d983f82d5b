//! SPEC.md against the readers of specs: every example passes, and each section has the keys that its reader knows, no more and no fewer.
//!
//! The readers are asked themselves: an example with a key that nobody knows is refused with a list of those that are known.

use std::collections::{BTreeMap, BTreeSet};

use conclave::data::Catalog;
use conclave::spec::{PAPER_SCALE, Spec};
use conclave::{consensus, facts, generate};

use crate::markdown::{first_cells, grouped, project, read, section};

/// A key that no table has.
const STRANGER: &str = "zzz";

/// The examples, each a complete spec: parts come after the first one.
fn examples() -> Vec<String> {
    let page = read("docs/SPEC.md");
    let blocks = page.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next());
    let blocks: Vec<&str> = blocks.collect();
    let whole = |block: &&str| {
        if block.starts_with("name = ") { (*block).to_owned() } else { format!("{}\n{block}", blocks[0]) }
    };
    blocks.iter().map(whole).collect()
}

/// What is wrong with a spec in `experiments/`, in words; nothing if it can be planned.
fn refused(text: String) -> Option<String> {
    let path = project().join("experiments/example.toml");
    let spec = match Spec::parse(&path, text) {
        Ok(spec) => spec,
        Err(error) => return Some(error.to_string()),
    };
    spec.check(PAPER_SCALE, &Catalog::locate(None)).err().map(|error| error.to_string())
}

#[test]
fn every_example_can_be_planned() {
    let examples = examples();
    assert!(examples.len() > 20, "{}", examples.len());
    for example in examples {
        if let Some(problems) = refused(example.clone()) {
            panic!("{problems}\n{example}");
        }
    }
}

/// The keys that readers know, by what they call the table: "`published`", "a `wins` claim".
type Known = BTreeMap<String, BTreeSet<String>>;

/// Reads "X has no key `zzz`" and the "expected one of a, b" after it.
fn note_known(problems: &str, known: &mut Known) {
    let stranger = format!(" has no key `{STRANGER}`");
    let mut table = None;
    for line in problems.lines() {
        if let Some((before, _)) = line.split_once(&stranger) {
            table = before.rsplit(": ").next().map(str::to_owned);
        } else if let (Some((_, names)), Some(name)) = (line.split_once("expected one of "), table.as_ref()) {
            known.entry(name.clone()).or_default().extend(names.split(", ").map(str::to_owned));
            table = None;
        }
    }
}

/// An example with the stranger put at one place; `None` where there is no such place.
fn with_stranger(example: &str, line: usize) -> Vec<String> {
    let text = example.lines().nth(line).unwrap_or_default();
    let free = text.starts_with("[sweep") || text.starts_with("[[sweep") || text.starts_with("[scale");
    let mut changed = Vec::new();
    if text.starts_with('[') && !free {
        changed.push(format!("{text}\n{STRANGER} = 1"));
    }
    if line == 0 {
        changed.push(format!("{STRANGER} = 1\n{text}"));
    }
    for opening in ["published = {", "means = {", "triples = {", "{ name =", "{ path ="] {
        if let Some((before, after)) = text.split_once(opening) {
            let brace = opening.replace('{', &format!("{{ {STRANGER} = 1,"));
            changed.push(format!("{before}{brace}{after}"));
        }
    }
    let replaced = |new: String| {
        let lines = example.lines().enumerate();
        lines.map(|(at, old)| if at == line { new.as_str() } else { old }).collect::<Vec<_>>().join("\n")
    };
    changed.into_iter().map(replaced).collect()
}

/// Every table of every example, asked for its keys. Sections with the same name in messages are told apart by `of`.
fn known_keys(of: impl Fn(&str, &str) -> String) -> Known {
    let mut all = Known::new();
    for example in examples() {
        for line in 0..example.lines().count() {
            for changed in with_stranger(&example, line) {
                let mut known = Known::new();
                note_known(&refused(changed).expect("nobody knows the stranger"), &mut known);
                assert!(!known.is_empty(), "line {line} of\n{example}");
                let table = example.lines().skip(line).collect::<Vec<_>>().join("\n");
                for (name, keys) in known {
                    all.entry(of(&name, &table)).or_default().extend(keys);
                }
            }
        }
    }
    all
}

/// The heading of a table's section. `rest` is the example from the line that was changed.
fn heading(name: &str, rest: &str) -> String {
    let own = rest.split("\n[").next().unwrap_or_default();
    let program = own.lines().any(|line| line.starts_with("command ="));
    match name {
        "the spec" => "## Top level".to_owned(),
        "a dataset" => "## Datasets".to_owned(),
        "[[method]]" if program => "### Programs".to_owned(),
        "[[method]]" => "### Methods of the library".to_owned(),
        "`triples`" => "### Of a table of triples".to_owned(),
        "`published`" if own.contains("difference =") => "### Of a test".to_owned(),
        "`published`" if own.contains("values =") => "### Of a listing".to_owned(),
        "`published`" => "### Of a table or figure".to_owned(),
        claim if claim.starts_with("a `") => {
            format!("### {}", claim.trim_start_matches("a ").trim_end_matches(" claim"))
        }
        table => format!("## `{table}`"),
    }
}

/// Parameters, which METHODS.md has.
fn is_parameter(key: &str) -> bool {
    let generators = generate::all().iter().flat_map(|info| info.parameters);
    let methods = consensus::all().iter().flat_map(|info| info.parameters);
    generators.chain(methods).any(|parameter| parameter.name == key)
}

#[test]
fn every_section_has_the_keys_of_its_table_no_more_and_no_fewer() {
    let page = read("docs/SPEC.md");
    let known = known_keys(heading);
    assert!(known.len() >= 29, "{:?}", known.keys());
    let common: BTreeSet<&str> = ["### Keys of every claim", "### Which numbers", "### At how many places"]
        .iter()
        .flat_map(|heading| first_cells(section(&page, heading)))
        .collect();
    let mut used = BTreeSet::new();
    for (heading, keys) in &known {
        let body = section(&page, heading);
        let claim = heading.starts_with("### `");
        let own: Vec<&str> = first_cells(body.split("```toml").next().unwrap_or_default());
        for key in keys {
            let elsewhere = claim && common.contains(key.as_str());
            let parameter = !claim
                && (heading == "## `[ensemble]`" || heading == "### Methods of the library")
                && is_parameter(key);
            assert!(own.contains(&key.as_str()) || elsewhere || parameter, "SPEC.md, {heading}: `{key}` is not there");
            used.extend(elsewhere.then_some(key.as_str()));
        }
        for key in own {
            assert!(keys.contains(key), "SPEC.md, {heading}: nobody reads `{key}`, only {keys:?}");
        }
    }
    assert_eq!(used, common, "keys that claims have in common");
}

#[test]
fn every_table_output_check_and_rule_has_an_example() {
    let names = |text: String, what: &str| -> Vec<String> {
        let problems = refused(text).expect("it is wrong");
        let list = problems
            .lines()
            .skip_while(|line| !line.contains(what))
            .find_map(|line| line.split_once("expected one of "));
        list.unwrap_or_else(|| panic!("{problems}")).1.split(", ").map(str::to_owned).collect()
    };
    let all = examples();
    let (example, page) = (&all[0], all.join("\n"));
    let claim = |check: &str| format!("{example}\n[[claim]]\nid = \"x\"\nsays = \"y\"\n{check}\n");
    for check in names(claim("check = \"zzz\""), "`check` cannot be") {
        assert!(page.contains(&format!("check = \"{check}\"")), "{check}");
    }
    for rule in names(claim("check = \"impossible\"\nrule = \"zzz\""), "`rule` cannot be") {
        assert!(page.contains(&format!("rule = \"{rule}\"")), "{rule}");
    }
    for key in names(format!("zzz = 1\n{example}"), "`zzz`") {
        let there = [format!("\n{key} = "), format!("[{key}]"), format!("[{key}.")];
        assert!(there.iter().any(|text| page.contains(text.as_str())), "{key}");
    }
}

#[test]
fn everything_that_is_recorded_of_a_run_is_named() {
    let page = read("docs/SPEC.md");
    let named = first_cells(section(&page, "## Dimensions and `where`"));
    let facts: Vec<&str> = facts::ALL.iter().map(|fact| fact.name).collect();
    assert_eq!(named, facts);
}

/// The bounds that readers name when they refuse far too much, each in a row of the page.
#[test]
fn the_bounds_are_those_that_the_readers_name() {
    const TOO_MUCH: &str = "9000000000000000000";
    let page = read("docs/SPEC.md");
    let rows: Vec<&str> = section(&page, "## Bounds").lines().filter(|line| line.starts_with("| ")).collect();
    let example = &examples()[0];
    let long: Vec<String> = (1..=10_001).map(|size| size.to_string()).collect();
    let asked = [
        ("`size`", "size = 20", format!("size = {TOO_MUCH}")),
        ("`pool`", "size = 20", format!("size = 20\npool = {TOO_MUCH}")),
        ("`count`", "count = 10", format!("count = {TOO_MUCH}")),
        ("`repeats`", "repeats = 5", format!("repeats = {TOO_MUCH}")),
        ("`deadline`", "deadline = 60", format!("deadline = {TOO_MUCH}")),
        ("`digits`", "show = ", format!("digits = {TOO_MUCH}\nshow = ")),
        ("`sample`", "standardize", format!("sample = {TOO_MUCH}, standardize")),
        ("points of a sweep", "missing = [0.0, 0.3, 0.6]", format!("ensemble.size = [{}]", long.join(", "))),
        ("cells of a spec", "repeats = 5", "repeats = 10000000".to_owned()),
    ];
    for (what, old, new) in asked {
        assert!(example.contains(old), "{old}");
        let problems = refused(example.replacen(old, &new, 1)).unwrap_or_else(|| panic!("{new} is not refused"));
        let named = problems.lines().filter_map(|line| line.split_once("expected ")).find_map(|(_, expected)| {
            let most = expected.split_once(" to ").or_else(|| expected.split_once("at most "))?.1;
            let digits: String = most.chars().filter(|c| *c != ',').take_while(char::is_ascii_digit).collect();
            digits.parse::<i64>().ok()
        });
        let bound = grouped(named.unwrap_or_else(|| panic!("{problems}")));
        let row = rows.iter().find(|row| row.contains(what)).unwrap_or_else(|| panic!("{what} has no row"));
        let said = row.split(" | ").nth(1).unwrap_or_default().split(' ').next().unwrap_or_default();
        assert_eq!(said, bound, "{what}: {row}");
    }
}
