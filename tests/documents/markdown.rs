//! Documents as text: sections, tables, links; and what holds of all of them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

pub fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

pub fn read(name: &str) -> String {
    let path = project().join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Every document of the project, relative to it.
fn documents() -> Vec<PathBuf> {
    let folders = ["", "docs", "datasets", "results", "reports", ".github/ISSUE_TEMPLATE"];
    let mut found = Vec::new();
    for folder in folders {
        let entries = std::fs::read_dir(project().join(folder)).unwrap_or_else(|error| panic!("{folder}: {error}"));
        let names = entries.map(|entry| entry.expect("it can be read").file_name());
        found.extend(names.map(|name| Path::new(folder).join(name)));
    }
    found.retain(|path| path.extension().is_some_and(|end| end == "md"));
    found.sort();
    assert!(found.len() >= 15, "{found:?}");
    found
}

/// The text under a heading, down to the next heading of the same or a higher level.
#[track_caller]
pub fn section<'a>(text: &'a str, heading: &str) -> &'a str {
    let level = heading.split(' ').next().expect("splitting gives a first part").len();
    let start = text.find(&format!("\n{heading}\n")).unwrap_or_else(|| panic!("there is no `{heading}`")) + 1;
    let body = &text[start + heading.len()..];
    let mut in_code = false;
    let mut end = 0;
    for line in body.split_inclusive('\n') {
        in_code ^= line.starts_with("```");
        let marks = line.chars().take_while(|c| *c == '#').count();
        if !in_code && (1..=level).contains(&marks) {
            break;
        }
        end += line.len();
    }
    &body[..end]
}

/// The words in backticks in the first cell of every table row of a text.
pub fn first_cells(text: &str) -> Vec<&str> {
    let rows = text.lines().filter(|line| line.starts_with("| `"));
    rows.flat_map(|row| row[2..].split(" | ").next().unwrap_or_default().split('`').skip(1).step_by(2)).collect()
}

/// A whole number with its digits in groups.
pub fn grouped(value: i64) -> String {
    let digits = value.to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy);
    groups.collect::<Vec<_>>().join(",")
}

/// The text without fenced and indented code.
fn prose(text: &str) -> String {
    let mut in_code = false;
    let mut kept = String::new();
    for line in text.lines() {
        if line.starts_with("```") {
            in_code = !in_code;
        } else if !in_code && !line.starts_with("    ") {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

/// What a link's `#anchor` is for a heading, as GitHub makes it; the second of the same name ends in `-1`.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for heading in prose(text).lines().filter(|line| line.starts_with('#')) {
        let words = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = words.chars().filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | ' '));
        let name: String = kept.map(|c| if c == ' ' { '-' } else { c }).collect();
        let numbered = (1..).map(|number| format!("{name}-{number}"));
        let free = std::iter::once(name.clone()).chain(numbered).find(|name| !found.contains(name));
        found.extend(free);
    }
    found
}

/// The targets of links and pictures.
fn links(text: &str) -> Vec<String> {
    let prose = prose(text);
    let rest = prose.split("](").skip(1);
    rest.filter_map(|rest| rest.split(')').next()).map(str::to_owned).collect()
}

#[test]
fn every_link_leads_to_a_file_and_a_heading_that_exist() {
    let mut seen = 0;
    for document in documents() {
        let text = read(&document.to_string_lossy());
        for link in links(&text).into_iter().filter(|link| !link.contains("://")) {
            seen += 1;
            let (path, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = project().join(&document).parent().expect("a file is in a folder").join(path);
            let target = if path.is_empty() { project().join(&document) } else { target };
            assert!(target.exists(), "{}: {link}", document.display());
            if !anchor.is_empty() {
                let text = std::fs::read_to_string(&target).expect("a document is text");
                if target.extension().is_some_and(|ending| ending == "html") {
                    assert!(text.contains(&format!("id=\"{anchor}\"")), "{}: {link}", document.display());
                    continue;
                }
                let there = anchors(&text);
                assert!(there.contains(anchor), "{}: {link} is none of {there:?}", document.display());
            }
        }
    }
    assert!(seen > 100, "only {seen} links were found");
}

#[test]
fn every_document_can_be_reached_from_the_readme() {
    let mut reached = BTreeSet::new();
    let mut next = vec![PathBuf::from("README.md")];
    while let Some(document) = next.pop() {
        if !reached.insert(document.clone()) {
            continue;
        }
        for link in links(&read(&document.to_string_lossy())) {
            let path = link.split('#').next().unwrap_or_default();
            let target = document.parent().unwrap_or(Path::new("")).join(path);
            if path.ends_with(".md") && !path.contains("://") {
                next.push(without_dots(&target));
            }
        }
    }
    let docs = documents().into_iter().filter(|path| path.starts_with("docs"));
    let lost: Vec<PathBuf> = docs.filter(|path| !reached.contains(path)).collect();
    assert!(lost.is_empty(), "{lost:?}");
}

fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::ParentDir => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}

/// Where "a line an object", "24 a client" or "bytes an iteration" stands for "one line per object" and the like.
fn tics(text: &str) -> Vec<String> {
    const UNITS: [&str; 21] = [
        "cell",
        "row",
        "line",
        "method",
        "shard",
        "dataset",
        "experiment",
        "object",
        "iteration",
        "client",
        "party",
        "panel",
        "verb",
        "task",
        "message",
        "start",
        "step",
        "column",
        "rank",
        "run",
        "mark",
    ];
    const AMOUNTS: [&str; 5] = ["once", "bytes", "rounds", "messages", "seconds"];
    const LINKING: [&str; 6] = ["is", "of", "in", "to", "as", "for"];
    let is_number = |word: &str| word.chars().all(|c| c.is_ascii_digit());
    let is_one = |word: &str| ["one", "a", "an"].contains(&word);
    let is_noun = |word: &str| word.chars().all(char::is_alphanumeric) && !LINKING.contains(&word);
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower.split_whitespace().collect();
    let found = words.windows(4).filter(|words| {
        let [one, noun, article, unit] = words else { return false };
        let unit = unit.trim_end_matches(|c: char| !c.is_alphanumeric());
        let counted = is_one(one) && is_noun(noun) || AMOUNTS.contains(noun) || is_number(noun);
        counted && ["a", "an"].contains(article) && UNITS.contains(&unit)
    });
    found.map(|words| words.join(" ")).collect()
}

#[test]
fn documents_say_one_row_per_cell() {
    assert_eq!(tics("It holds one row a cell and metric."), ["one row a cell"]);
    assert_eq!(tics("Then the labels, a line an object; 24 bytes an iteration and 8 a client.").len(), 3);
    assert!(tics("A method is a file. A cell is one run of a method. What is a row?").is_empty());
    for document in documents().iter().filter(|path| !path.ends_with("SCORECARD.md")) {
        let text = read(&document.to_string_lossy()).replace("never \"one row a cell\"", "");
        let found = tics(&prose(&text));
        assert!(found.is_empty(), "{}: {found:?}", document.display());
    }
}
