//! Numbers in descriptions: `{ensemble.count}` is what that key has at the scale that is run, so that a page never states the numbers of
//! another scale.

use super::fields::Fields;
use super::tree::{Item, Node, TomlTable};
use crate::suggest::did_you_mean;

/// What stands for all `[[ensemble]]`s: "100 of iris and wine, 30 of letter".
const ENSEMBLES: &str = "ensembles";

/// More numbers than these are said by the first and the last.
const MOST_LISTED: usize = 4;

/// The description with its numbers filled in, after noting those that the spec does not have. Braces around anything that does not begin
/// with a key of the spec are text.
pub(super) fn description(top: &Fields, tree: &TomlTable) -> Option<String> {
    let text = top.text("description")?;
    let item = top.item("description")?;
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        filled += before;
        let name = after.split_once('}').map_or("", |(name, _)| name);
        if !is_path(name) || !is_known(tree, name) {
            filled.push('{');
            rest = after;
            continue;
        }
        match value(tree, name) {
            Ok(words) => filled += &words,
            Err(why) => {
                top.refuse(item, &format!("the description has `{{{name}}}`, {why}"), "the key of a number or text")
            }
        }
        rest = &after[name.len() + 1..];
    }
    Some(filled + rest)
}

fn is_path(name: &str) -> bool {
    let is_key = |key: &str| {
        key.starts_with(|c: char| c.is_ascii_lowercase())
            && key.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
    };
    name.split('.').all(is_key)
}

/// Whether it begins with a key of the spec, or with what may have been meant as one.
fn is_known(tree: &TomlTable, name: &str) -> bool {
    let first = name.split('.').next().unwrap_or_default();
    let keys: Vec<&str> = tree.entries.iter().map(|entry| entry.key.as_str()).chain([ENSEMBLES]).collect();
    keys.contains(&first) || did_you_mean(first, &keys).is_some()
}

fn value(tree: &TomlTable, name: &str) -> Result<String, String> {
    if name == ENSEMBLES {
        return ensembles(tree).ok_or_else(|| "and there is no number of ensembles".to_owned());
    }
    let mut table = tree;
    let mut keys = name.split('.').peekable();
    while let Some(key) = keys.next() {
        let known: Vec<&str> = table.entries.iter().map(|entry| entry.key.as_str()).collect();
        let absent = || format!("and the spec has no such key{}", did_you_mean(key, &known).unwrap_or_default());
        let found = table.get(key).ok_or_else(absent)?;
        match &found.node {
            Node::Table(inner) if keys.peek().is_some() => table = inner,
            Node::List(tables) if keys.peek().is_some() => {
                let rest: Vec<&str> = keys.collect();
                return of_each(tables, &rest).ok_or_else(|| format!("which not every `{key}` has"));
            }
            node if keys.peek().is_none() => {
                return words(node).ok_or_else(|| format!("which is {}", node.describe()));
            }
            node => return Err(format!("and `{key}` is {}", node.describe())),
        }
    }
    Err("which names no key".to_owned())
}

/// What a key has in each of several tables, once where that is the same in all: "20, 20 and 30".
fn of_each(tables: &[Item], keys: &[&str]) -> Option<String> {
    let path = keys.join(".");
    let one = |item: &Item| match &item.node {
        Node::Table(table) => value(table, &path).ok(),
        _ => None,
    };
    let found = tables.iter().map(one).collect::<Option<Vec<String>>>()?;
    let first = found.first()?;
    if found.iter().all(|words| words == first) { Some(first.clone()) } else { listed(found) }
}

/// A number, a text, or several: "2,000", "5, 10 and 20".
fn words(node: &Node) -> Option<String> {
    match node {
        Node::Text(text) => Some(text.clone()),
        Node::Integer(number) => Some(with_commas(*number)),
        Node::Real(number) => Some(number.to_string()),
        Node::Flag(_) | Node::Table(_) => None,
        Node::List(items) if items.len() > MOST_LISTED && is_ascending(items) => {
            Some(format!("{} to {}", words(&items.first()?.node)?, words(&items.last()?.node)?))
        }
        Node::List(items) => listed(items.iter().map(|item| words(&item.node)).collect::<Option<Vec<_>>>()?),
    }
}

fn is_ascending(items: &[Item]) -> bool {
    let number = |item: &Item| match item.node {
        Node::Integer(number) => Some(number as f64),
        Node::Real(number) => Some(number),
        _ => None,
    };
    items.windows(2).all(|pair| number(&pair[0]).zip(number(&pair[1])).is_some_and(|(one, next)| one < next))
}

fn listed(mut parts: Vec<String>) -> Option<String> {
    let last = parts.pop()?;
    Some(if parts.is_empty() { last } else { format!("{} and {last}", parts.join(", ")) })
}

/// "2,000".
fn with_commas(number: i64) -> String {
    let digits = number.unsigned_abs().to_string();
    let mut text = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if number < 0 { format!("-{text}") } else { text }
}

/// How many ensembles there are of which datasets.
fn ensembles(tree: &TomlTable) -> Option<String> {
    let one = |table: &TomlTable| {
        let count = words(&table.get("count")?.node)?;
        let of = match table.get("datasets") {
            Some(datasets) => words(&datasets.node)?,
            None => "each dataset".to_owned(),
        };
        Some(format!("{count} of {of}"))
    };
    let table = |item: &Item| match &item.node {
        Node::Table(table) => one(table),
        _ => None,
    };
    match &tree.get("ensemble")?.node {
        Node::Table(table) => one(table),
        Node::List(items) => Some(items.iter().map(table).collect::<Option<Vec<_>>>()?.join(", ")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::data::Catalog;
    use crate::spec::Spec;

    const SPEC: &str = "name = \"small\"\nseed = 1\ndatasets = [\"iris\"]\nmetrics = [\"ari\"]\nrepeats = 2\n\
                        [ensemble]\ngenerator = \"kmeans\"\nk = 3\nsize = 5\ncount = 2000\n[sweep]\nensemble.size = [5, 10, 20]\n\
                        [[method]]\nname = \"mm\"\n[scale.quick]\nensemble.count = 3\nsweep.ensemble.size = [5, 10]\n";

    fn described(description: &str, scale: &str) -> Result<String, String> {
        let text = format!("description = \"\"\"{description}\"\"\"\n{SPEC}");
        let spec = Spec::parse(Path::new("small.toml"), text).map_err(|error| error.to_string())?;
        spec.check(scale, &Catalog::locate(None)).map(|found| found.description).map_err(|error| error.to_string())
    }

    #[test]
    fn numbers_are_those_of_the_scale() {
        let text = "{ensemble.count} ensembles of {sweep.ensemble.size}, {repeats} runs; {ensembles}.";
        assert_eq!(
            described(text, "paper").unwrap(),
            "2,000 ensembles of 5, 10 and 20, 2 runs; 2,000 of each dataset."
        );
        assert_eq!(described(text, "quick").unwrap(), "3 ensembles of 5 and 10, 2 runs; 3 of each dataset.");
    }

    #[test]
    fn a_key_of_several_tables_has_what_each_has() {
        let described = |spec: &str, scale: &str| {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments").join(spec);
            Spec::load(&path).unwrap().check(scale, &Catalog::locate(None)).unwrap().description
        };
        let suite = |scale: &str| described("benchmark/suite.toml", scale);
        assert!(suite("paper").contains("ensembles, of 20 clusterings: "), "{}", suite("paper"));
        assert!(suite("quick").contains("ensembles, of 10 clusterings: "), "{}", suite("quick"));
        let synthesis = described("synthesis.toml", "quick");
        assert!(synthesis.contains("ensembles, of 8, 8 and 12 clusterings: "), "{synthesis}");
        assert!(super::of_each(&[], &["size"]).is_none());
    }

    #[test]
    fn many_numbers_are_said_by_their_ends() {
        let many = |sizes: &str| {
            let spec = SPEC.replace("sweep.ensemble.size = [5, 10]", &format!("sweep.ensemble.size = {sizes}"));
            let spec =
                Spec::parse(Path::new("small.toml"), format!("description = \"{{sweep.ensemble.size}}\"\n{spec}"));
            spec.unwrap().check("quick", &Catalog::locate(None)).unwrap().description
        };
        assert_eq!(many("[5, 6, 7, 8, 9]"), "5 to 9");
        assert_eq!(many("[5, 6, 7, 9, 8]"), "5, 6, 7, 9 and 8");
    }

    #[test]
    fn a_key_that_is_not_there_is_a_problem_and_other_braces_are_text() {
        let problem = described("{ensemble.cuont} and {repaets}", "paper").unwrap_err();
        assert!(problem.contains("`{ensemble.cuont}`") && problem.contains("did you mean `count`?"), "{problem}");
        assert!(problem.contains("did you mean `repeats`?"), "{problem}");
        assert!(described("{ensemble}", "paper").unwrap_err().contains("which is a table"));
        for text in ["{1, 2}", "x_{ij} and {X}", "open {", "{}", "{quux}"] {
            assert_eq!(described(text, "paper").unwrap(), text);
        }
    }
}
