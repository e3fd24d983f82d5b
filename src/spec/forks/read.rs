//! `[[fork]]` and `[universe]`.

use std::collections::BTreeSet;

use super::{Design, Fork, ForkOption};
use crate::spec::fields::{Fields, Problems};
use crate::spec::problem::SpecProblem;
use crate::spec::targets::{self, KeyTarget};
use crate::spec::tree::{Item, Node, Span, TomlTable};
use crate::spec::{bounds, dotted, names};
use crate::suggest::did_you_mean;

/// The forks of a spec, and how large their universes are.
#[derive(Debug, Default)]
pub(in crate::spec) struct Forks {
    pub(in crate::spec) forks: Vec<Fork>,
    /// Where each fork stands.
    pub(in crate::spec) spans: Vec<Span>,
    pub(in crate::spec) limits: UniverseLimits,
}

/// `[universe]`: how much every universe runs that is not as stated.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::spec) struct UniverseLimits {
    /// At most so many ensembles of each kind.
    pub(in crate::spec) count: Option<usize>,
    /// At most so many runs on each.
    pub(in crate::spec) repeats: Option<usize>,
}

/// Options of one fork.
const MOST_OPTIONS: usize = 50;

/// Characters of an option's name: it stands in tables, sentences and pictures.
const LONGEST_LABEL: usize = 100;

/// Whether a name can stand in a line: nothing that moves, hides or turns what is beside it.
fn is_plain_label(label: &str) -> bool {
    let turns = |c: char| matches!(c, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    label.chars().count() <= LONGEST_LABEL && !label.chars().any(|c| c.is_control() || turns(c))
}

const DESIGNS: [(&str, Design); 2] = [("full", Design::Full), ("one-at-a-time", Design::OneAtATime)];

/// Reads the forks of a spec. `sweep` are the keys that are swept.
pub(in crate::spec) fn read(top: &Fields, spec: &TomlTable, sweep: &[String]) -> Forks {
    let problems = top.problems();
    let (limits, design) = limits(top);
    let mut found = Forks { limits, ..Forks::default() };
    for table in top.tables("fork") {
        let fields = Fields::new(table, "[[fork]]", problems);
        let context = ForkContext { spec, sweep, design };
        if let Some(fork) = fork(&fields, &context) {
            if found.forks.iter().any(|other| other.id == fork.id) {
                let message = format!("two [[fork]]s have the id \"{}\"", fork.id);
                problems.add(SpecProblem::new(table.span.clone(), message).expected("an `id` of its own for each"));
            }
            found.forks.push(fork);
            found.spans.push(table.span.start..table.span.start);
        }
        fields.finish(&[]);
    }
    if found.forks.is_empty()
        && let Some(item) = top.item("universe")
        && top.item("fork").is_none()
    {
        top.refuse(item, "[universe] is about what [[fork]]s make, and there is none", "a [[fork]]");
    }
    check_when(&found, top);
    refuse_shared_keys(&found, top.problems());
    found
}

/// Refuses two forks that set the same key: the later one would always win.
fn refuse_shared_keys(found: &Forks, problems: &Problems) {
    let keys = |fork: &Fork| -> BTreeSet<String> {
        let targets = fork.options.iter().flat_map(|option| &option.targets);
        targets.map(|target| target.path.join(".")).collect()
    };
    for (position, (fork, span)) in found.forks.iter().zip(&found.spans).enumerate() {
        let own = keys(fork);
        for other in &found.forks[..position] {
            if let Some(key) = own.intersection(&keys(other)).next() {
                let message = format!("the forks \"{}\" and \"{}\" both set `{key}`", other.id, fork.id);
                let expected = "one fork with an option for each combination";
                problems.add(SpecProblem::new(span.clone(), message).expected(expected));
            }
        }
    }
}

fn limits(top: &Fields) -> (UniverseLimits, Design) {
    let Some(table) = top.table("universe") else { return (UniverseLimits::default(), Design::Full) };
    let fields = Fields::new(table, "[universe]", top.problems());
    let limits = UniverseLimits {
        count: fields.count("count", bounds::REPETITIONS),
        repeats: fields.count("repeats", bounds::REPETITIONS),
    };
    let design = fields.choice("design", &DESIGNS).unwrap_or(Design::Full);
    fields.finish(&[]);
    (limits, design)
}

/// What a fork is read against.
struct ForkContext<'a> {
    spec: &'a TomlTable,
    sweep: &'a [String],
    /// Where the fork does not say.
    design: Design,
}

fn fork(fields: &Fields, context: &ForkContext) -> Option<Fork> {
    let id = names::output_id(fields);
    let paper = fields.text("paper").map(str::to_owned);
    let why = fields.text("why").map(str::to_owned);
    let design = fields.choice("design", &DESIGNS).unwrap_or(context.design);
    let when = when(fields);
    let sets = fields.text("sets").and_then(|name| Some((name, fields.item("sets")?)));
    let expected = "at least two, what the spec has first";
    let options = fields.required("options", expected, fields.list("options"))?;
    if !(2..=MOST_OPTIONS).contains(&options.len())
        && let Some(item) = fields.item("options")
    {
        let message = format!("a fork with {} options", options.len());
        fields.refuse(item, &message, &format!("from 2 to {MOST_OPTIONS}, what the spec has first"));
    }
    let read = |item: &&Item| match sets {
        Some((name, key)) => setting_one(fields, item, name, key, context),
        None => setting_several(fields, item, context),
    };
    let options: Vec<ForkOption> = options.iter().filter_map(read).collect();
    let mut labels = BTreeSet::new();
    if let Some(twice) = options.iter().find(|option| !labels.insert(&option.label))
        && let Some(item) = fields.item("options")
    {
        fields.refuse(item, &format!("two options are called \"{}\"", twice.label), "every option once");
    }
    if let Some(odd) = options.iter().find(|option| !is_plain_label(&option.label))
        && let Some(item) = fields.item("options")
    {
        let message = format!("an option is called {:?}", odd.label);
        fields.refuse(
            item,
            &message,
            &format!("at most {LONGEST_LABEL} characters that are seen; a `label` can say it shorter"),
        );
    }
    let id = id?.to_owned();
    // Columns of results and of curves.
    let reserved = ["universe", "dataset", "ensemble", "method", "value", "low", "high", "standing", "as_stated"];
    if (reserved.contains(&id.as_str()) || context.sweep.contains(&id))
        && let Some(item) = fields.item("id")
    {
        fields.refuse(item, &format!("results have something else called \"{id}\""), "another id");
    }
    Some(Fork { id, paper, why, options, design, when })
}

/// An option that is a value of the key in `sets`.
fn setting_one(fields: &Fields, item: &Item, name: &str, key: &Item, context: &ForkContext) -> Option<ForkOption> {
    let Some(raw) = item.node.raw() else {
        let message = format!("an option is {}, and `sets` names the one key that is set", item.node.describe());
        fields.refuse(item, &message, "a value of that key, or options with a `label` and no `sets`");
        return None;
    };
    let path = targets::path_of(name, context.spec);
    let target = KeyTarget { path, span: key.span.clone(), item: item.clone() };
    check_target(&target, context, fields.problems());
    Some(ForkOption { label: raw.to_string(), why: None, targets: vec![target] })
}

/// An option that sets several keys: a table with a label.
fn setting_several(fields: &Fields, item: &Item, context: &ForkContext) -> Option<ForkOption> {
    let Node::Table(table) = &item.node else {
        let message = format!("an option is {}, and nothing says which key it is a value of", item.node.describe());
        fields.refuse(item, &message, "`sets = \"KEY\"`, or an option like { label = \"…\", method.mm.restarts = 10 }");
        return None;
    };
    let option = Fields::new(table, "an option", fields.problems());
    let label = option.required("label", "what it is, in a few words", option.text("label"));
    let why = option.text("why").map(str::to_owned);
    let targets = dotted::leaves(&table.without(&["label", "why"]), context.spec, fields.problems());
    targets.iter().for_each(|target| check_target(target, context, fields.problems()));
    Some(ForkOption { label: label?.to_owned(), why, targets })
}

/// Refuses what nothing has, and what the sweep sets already.
fn check_target(target: &KeyTarget, context: &ForkContext, problems: &Problems) {
    let name = target.path.join(".");
    if context.sweep.contains(&name) {
        let message = format!("`{name}` is swept, so an option cannot set it");
        problems.add(SpecProblem::new(target.span.clone(), message).expected("a key that [sweep] does not have"));
    } else {
        targets::check_forked(&target.path, &target.span, context.spec, problems);
    }
}

/// `when = { base-k = "2..7" }`.
fn when(fields: &Fields) -> Vec<(String, Vec<String>)> {
    let Some(table) = fields.table("when") else { return Vec::new() };
    let spelled = |item: &Item| item.node.raw().map(|raw| raw.to_string());
    let of = |item: &Item| match &item.node {
        Node::List(items) => items.iter().filter_map(spelled).collect(),
        _ => spelled(item).into_iter().collect(),
    };
    table.entries.iter().map(|entry| (entry.key.clone(), of(&entry.item))).collect()
}

/// Refuses conditions on forks and options that there are not.
fn check_when(found: &Forks, top: &Fields) {
    let ids: Vec<&str> = found.forks.iter().map(|fork| fork.id.as_str()).collect();
    for (fork, span) in found.forks.iter().zip(&found.spans) {
        for (id, options) in &fork.when {
            let refuse = |message: String, expected: String| {
                top.problems().add(SpecProblem::new(span.clone(), message).expected(expected));
            };
            let Some(other) = found.forks.iter().find(|other| other.id == *id && other.id != fork.id) else {
                let hint = did_you_mean(id, &ids).unwrap_or_default();
                refuse(
                    format!("`when` of the fork \"{}\" asks for \"{id}\", which is no other fork{hint}", fork.id),
                    ids.join(", "),
                );
                continue;
            };
            let labels: Vec<&str> = other.options.iter().map(|option| option.label.as_str()).collect();
            if let Some(unknown) = options.iter().find(|option| !labels.contains(&option.as_str())) {
                let hint = did_you_mean(unknown, &labels).unwrap_or_default();
                refuse(format!("the fork \"{id}\" has no option \"{unknown}\"{hint}"), labels.join(", "));
            }
        }
    }
}
