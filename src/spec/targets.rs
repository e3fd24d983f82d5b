//! Keys of a spec that sweeps and forks set, by their dotted names: `missing`, `ensemble.k`, `method.mm.restarts`.

use super::fields::Problems;
use super::problem::SpecProblem;
use super::programs;
use super::tree::{Item, KeyValue, Node, Span, TomlTable};
use crate::consensus;
use crate::generate;
use crate::suggest::did_you_mean;

/// A key, and the value it is set to.
#[derive(Debug, Clone)]
pub(super) struct KeyTarget {
    pub(super) path: Vec<String>,
    /// Where the key stands.
    pub(super) span: Span,
    pub(super) item: Item,
}

const TOP_LEVEL: [&str; 6] = ["missing", "missing-per", "coupling", "holdout", "holdout-from", "k"];

/// Refuses a key that nothing in the spec has, as a key of a sweep.
pub(super) fn check_swept(path: &[String], span: &Span, spec: &TomlTable, problems: &Problems) {
    refuse_unknown(&path.join("."), spec, settings(spec), "swept", (span, problems));
}

/// Refuses a key that nothing in the spec has, as a key of an option: metrics and datasets can be exchanged, too.
pub(super) fn check_forked(path: &[String], span: &Span, spec: &TomlTable, problems: &Problems) {
    let mut known = settings(spec);
    known.extend(shown_metrics(spec).into_iter().map(|metric| format!("metric.{metric}")));
    known.extend(datasets(spec).iter().filter_map(dataset_label).map(|label| format!("dataset.{label}")));
    refuse_unknown(&path.join("."), spec, known, "set", (span, problems));
}

/// Whether it may be a key of a method whose name is misspelt, so that nobody knows its keys: some method has it.
fn is_of_the_unknown(name: &str, spec: &TomlTable) -> bool {
    let methods = tables_of(spec, "method").into_iter().filter(|table| !programs::is_one(table));
    let is_misspelt = |name: &str| consensus::find(name).is_none();
    let Some(key) =
        name.strip_prefix("method.").filter(|_| methods.filter_map(|t| text_of(t, "name")).any(is_misspelt))
    else {
        return false;
    };
    // What stands before the last dot is a label, and may have dots of its own.
    let key = key.rsplit_once('.').map_or(key, |(_, key)| key);
    key == "k" || consensus::all().iter().flat_map(|info| info.parameters).any(|parameter| parameter.name == key)
}

/// Whether something in the spec has this key, so that it can be swept.
pub(super) fn can_be_swept(name: &str, spec: &TomlTable) -> bool {
    settings(spec).iter().any(|key| key == name) || is_of_the_unknown(name, spec)
}

fn refuse_unknown(
    name: &str,
    spec: &TomlTable,
    mut known: Vec<String>,
    done: &str,
    (span, problems): (&Span, &Problems),
) {
    if !known.iter().any(|key| key == name) && !is_of_the_unknown(name, spec) {
        known.sort();
        known.dedup();
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        let hint = did_you_mean(name, &known).unwrap_or_default();
        let message = format!("nothing in this spec is called `{name}`, so it cannot be {done}{hint}");
        problems.add(SpecProblem::new(span.clone(), message).expected(format!("one of {}", known.join(", "))));
    }
}

/// The keys of ensembles and methods, and those of the top level that are about them.
fn settings(spec: &TomlTable) -> Vec<String> {
    let mut known: Vec<String> = TOP_LEVEL.iter().map(|key| (*key).to_owned()).collect();
    for table in tables_of(spec, "ensemble") {
        known.extend(ensemble_keys(table).iter().map(|key| format!("ensemble.{key}")));
    }
    for table in tables_of(spec, "method") {
        for key in method_keys(table) {
            known.push(format!("method.{key}"));
            known.extend(label_of(table).map(|label| format!("method.{label}.{key}")));
        }
    }
    known
}

/// What `datasets` lists.
fn datasets(spec: &TomlTable) -> &[Item] {
    match spec.get("datasets").map(|item| &item.node) {
        Some(Node::List(items)) => items,
        _ => &[],
    }
}

fn dataset_label(item: &Item) -> Option<String> {
    match &item.node {
        Node::Table(table) => label_of(table).map(str::to_owned),
        node => node.text_or_name().map(str::to_owned),
    }
}

/// Puts a dataset in the place of another, under the label of that.
fn exchange_dataset(spec: &mut TomlTable, label: &str, KeyTarget { span, item, .. }: &KeyTarget) {
    let Some(Node::List(items)) =
        spec.entries.iter_mut().find(|entry| entry.key == "datasets").map(|entry| &mut entry.item.node)
    else {
        return;
    };
    for listed in items.iter_mut().filter(|listed| dataset_label(listed).as_deref() == Some(label)) {
        let entry = |key: &str, item: Item| KeyValue { key: key.to_owned(), key_span: span.clone(), item };
        let mut table = match &listed.node {
            Node::Table(table) => table.clone(),
            _ => TomlTable { entries: Vec::new(), span: listed.span.clone() },
        };
        table.set(entry("label", Item { node: Node::Text(label.to_owned()), span: span.clone() }));
        table.set(entry("name", item.clone()));
        listed.node = Node::Table(table);
    }
}

/// What shows or judges metrics.
const USERS_OF_METRICS: [&str; 5] = ["table", "figure", "test", "claim", "ranking"];

/// The metrics that outputs and claims use.
fn shown_metrics(spec: &TomlTable) -> Vec<String> {
    let users = USERS_OF_METRICS.iter().flat_map(|key| tables_of(spec, key));
    let named = users.filter_map(|table| table.get("metric")).flat_map(|item| match &item.node {
        Node::List(items) => items.iter().collect(),
        _ => vec![item],
    });
    named.filter_map(|item| item.node.text_or_name()).map(str::to_owned).collect()
}

/// Puts metrics in the place of others, wherever one is shown or judged.
pub(super) fn exchange_metrics(spec: &mut TomlTable, exchanges: &[&KeyTarget]) {
    let exchange = |item: &mut Item| {
        let Node::Text(name) = &item.node else { return };
        if let Some(target) = exchanges.iter().find(|target| target.metric() == Some(name)) {
            *item = target.item.clone();
        }
    };
    for table in USERS_OF_METRICS {
        for user in tables_of_mut(spec, table) {
            let metric = user.entries.iter_mut().find(|entry| entry.key == "metric").map(|entry| &mut entry.item);
            match metric {
                Some(Item { node: Node::List(items), .. }) => items.iter_mut().for_each(exchange),
                Some(item) => exchange(item),
                None => {}
            }
        }
    }
}

/// The path of a dotted name: what stands after `metric.`, `dataset.` and `params.`, and labels of methods, may have dots of their own.
pub(super) fn path_of(name: &str, spec: &TomlTable) -> Vec<String> {
    let owned = |parts: &[&str]| parts.iter().map(|part| (*part).to_owned()).collect::<Vec<_>>();
    match name.split_once('.') {
        Some((whole @ ("metric" | "dataset"), rest)) => owned(&[whole, rest]),
        Some(("method", rest)) => {
            let labels = tables_of(spec, "method").into_iter().filter_map(label_of);
            let of_label = labels.filter_map(|label| Some((label, rest.strip_prefix(label)?.strip_prefix('.')?)));
            let (label, key) = of_label.max_by_key(|(label, _)| label.len()).unzip();
            let key = key.unwrap_or(rest);
            let key = match key.split_once('.') {
                Some(("params", parameter)) => owned(&["params", parameter]),
                _ => owned(&key.split('.').collect::<Vec<_>>()),
            };
            ["method"].into_iter().chain(label).map(str::to_owned).chain(key).collect()
        }
        _ => name.split('.').map(str::to_owned).collect(),
    }
}

impl KeyTarget {
    /// The metric that is exchanged, if one is.
    pub(super) fn metric(&self) -> Option<&str> {
        match &self.path[..] {
            [what, name] if what == "metric" => Some(name),
            _ => None,
        }
    }

    /// Lays the value over the spec.
    pub(super) fn apply(&self, spec: &mut TomlTable) {
        let Self { path, span, item } = self;
        let entry = |key: &str| KeyValue { key: key.to_owned(), key_span: span.clone(), item: item.clone() };
        match path.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
            [key] => spec.set(entry(key)),
            ["dataset", label] => exchange_dataset(spec, label, self),
            ["ensemble", key] => {
                for table in tables_of_mut(spec, "ensemble") {
                    if ensemble_keys(table).contains(key) {
                        table.set(entry(key));
                    }
                }
            }
            ["method", "params", key] => {
                let tables = tables_of_mut(spec, "method").into_iter();
                for params in tables.filter_map(params_of_mut).filter(|params| params.get(key).is_some()) {
                    params.set(entry(key));
                }
            }
            ["method", label, "params", key] => {
                let tables = tables_of_mut(spec, "method").into_iter();
                for params in tables.filter(|table| label_of(table) == Some(label)).filter_map(params_of_mut) {
                    params.set(entry(key));
                }
            }
            ["method", key] => {
                for table in tables_of_mut(spec, "method") {
                    if method_keys(table).iter().any(|known| known == key) {
                        table.set(entry(key));
                    }
                }
            }
            ["method", label, key] => {
                for table in tables_of_mut(spec, "method") {
                    if label_of(table) == Some(label) {
                        table.set(entry(key));
                    }
                }
            }
            _ => {}
        }
    }
}

pub(super) fn tables_of<'a>(spec: &'a TomlTable, key: &str) -> Vec<&'a TomlTable> {
    match spec.get(key).map(|item| &item.node) {
        Some(Node::Table(table)) => vec![table],
        Some(Node::List(items)) => items
            .iter()
            .filter_map(|item| match &item.node {
                Node::Table(table) => Some(table),
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    }
}

pub(super) fn tables_of_mut<'a>(spec: &'a mut TomlTable, key: &str) -> Vec<&'a mut TomlTable> {
    let entry = spec.entries.iter_mut().find(|entry| entry.key == key);
    match entry.map(|entry| &mut entry.item.node) {
        Some(Node::Table(table)) => vec![table],
        Some(Node::List(items)) => items
            .iter_mut()
            .filter_map(|item| match &mut item.node {
                Node::Table(table) => Some(table),
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    }
}

pub(super) fn text_of<'a>(table: &'a TomlTable, key: &str) -> Option<&'a str> {
    match table.get(key).map(|item| &item.node) {
        Some(Node::Text(text)) => Some(text),
        _ => None,
    }
}

fn label_of(table: &TomlTable) -> Option<&str> {
    text_of(table, "label").or_else(|| text_of(table, "name"))
}

/// `size` and the parameters; where the generator is misspelt, those of all.
fn ensemble_keys(table: &TomlTable) -> Vec<&'static str> {
    let generator = text_of(table, "generator").and_then(generate::find);
    let generators = generator.map_or_else(|| generate::all().to_vec(), |info| vec![info]);
    let parameters = generators.into_iter().flat_map(|info| info.parameters);
    parameters.map(|parameter| parameter.name).chain(["size"]).collect()
}

/// `k` and the parameters; those of a program are in its table of `params`.
fn method_keys(table: &TomlTable) -> Vec<String> {
    let mut keys = vec!["k".to_owned()];
    if programs::is_one(table) {
        if let Some(Node::Table(params)) = table.get("params").map(|item| &item.node) {
            keys.extend(params.entries.iter().map(|entry| format!("params.{}", entry.key)));
        }
    } else {
        let method = text_of(table, "name").and_then(consensus::find);
        let parameters = method.map(|info| info.parameters).unwrap_or_default();
        keys.extend(parameters.iter().map(|parameter| parameter.name.to_owned()));
    }
    keys
}

fn params_of_mut(table: &mut TomlTable) -> Option<&mut TomlTable> {
    match table.entries.iter_mut().find(|entry| entry.key == "params").map(|entry| &mut entry.item.node) {
        Some(Node::Table(params)) => Some(params),
        _ => None,
    }
}
