//! Reads what runs at one point: the ensembles, the methods, what is deleted.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::bounds;
use super::experiment::{EnsembleSetting, MethodSetting, Setting};
use super::fields::{Fields, Problems};
use super::method::Method;
use super::problem::Problem;
use super::programs;
use super::tree::{Span, Table};
use crate::consensus::{self, Clusters, Missing};
use crate::data::Dataset;
use crate::generate::{self, Coupling, GeneratorInfo, Holdout, Mask, Pool, PoolDraw, Spread, Strata};
use crate::params::{ClusterCount, Expected, Kind, Parameter, Params, Value};
use crate::suggest::did_you_mean;

/// What ensembles and methods are checked against.
pub(super) struct Context<'a> {
    pub(super) datasets: &'a [Arc<Dataset>],
    /// Datasets that are optional and not there.
    pub(super) absent: &'a [(String, String)],
    /// Paths in the spec are relative to this folder.
    pub(super) folder: &'a Path,
    pub(super) methods: Methods,
    pub(super) problems: &'a Problems,
}

/// Whether a spec runs methods.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Methods {
    /// At least one.
    Required,
    /// It shows its ensembles, or lists things, and may do without.
    Optional,
}

/// What the top level says about every method.
struct Common {
    clusters: Option<(ClusterCount, Span)>,
    repeats: u32,
    deadline: Option<Duration>,
    mask: Mask,
    ensembles: Vec<EnsembleSetting>,
}

/// Whether the spec runs nothing: it has listings and no ensembles.
pub(super) fn only_lists(top: &Fields) -> bool {
    !top.tables("listing").is_empty() && top.item("ensemble").is_none()
}

/// Reads a setting from the spec's top level. Returns `None` after noting problems.
pub(super) fn read<'a>(top: &Fields<'a>, context: &Context<'a>) -> Option<Setting> {
    let couplings = [("nested", Coupling::Nested), ("independent", Coupling::Independent)];
    let spreads = [("ensemble", Spread::Ensemble), ("partition", Spread::Partition)];
    let mask = Mask {
        fraction: top.fraction("missing").unwrap_or(0.0),
        spread: top.choice("missing-per", &spreads).unwrap_or(Spread::Ensemble),
        coupling: top.choice("coupling", &couplings).unwrap_or(Coupling::Nested),
    };
    let strata = [("objects", Strata::Objects), ("classes", Strata::Classes)];
    let holdout = Holdout {
        fraction: top.fraction("holdout").unwrap_or(0.0),
        strata: top.choice("holdout-from", &strata).unwrap_or(Strata::Objects),
    };
    let ensembles = match only_lists(top) {
        true => Some(Vec::new()),
        false => all_read(top, "ensemble", |table| ensemble(table, context)),
    };
    let common = Common {
        clusters: cluster_rule(top, "k"),
        repeats: top.count("repeats", bounds::REPETITIONS).and_then(small).unwrap_or(1),
        deadline: top.seconds("deadline"),
        mask,
        ensembles: ensembles.clone().unwrap_or_default(),
    };
    let read_method = |table| method(table, &common, context);
    let methods = match context.methods {
        Methods::Optional if top.item("method").is_none() => Some(Vec::new()),
        _ => all_read(top, "method", read_method),
    };
    let ensembles = ensembles?;
    refuse_equal_ensembles(&top.tables("ensemble"), &ensembles, context.datasets, context.problems);
    refuse_equal_methods(&top.tables("method"), context.problems);
    Some(Setting { mask, holdout, ensembles, methods: methods? })
}

/// Why labels will be missing where a method is run, if they will.
fn reason_for_gaps(common: &Common, method: &MethodSetting) -> Option<String> {
    if common.mask.fraction > 0.0 {
        return Some(format!("`missing` = {}", common.mask.fraction));
    }
    let mut met = common.ensembles.iter().filter(|ensemble| method.is_run_on(&ensemble.label));
    let sampled = met.find(|ensemble| ensemble.generator.makes_missing(&ensemble.params));
    sampled.map(|ensemble| format!("`resample` of ensemble \"{}\"", ensemble.label))
}

fn all_read<'a, T>(top: &Fields<'a>, key: &'a str, mut read: impl FnMut(&'a Table) -> Option<T>) -> Option<Vec<T>> {
    let tables = top.tables(key);
    if tables.is_empty() && top.item(key).is_none() {
        top.missing(key, &format!("at least one [[{key}]]"));
        return None;
    }
    let read: Vec<Option<T>> = tables.into_iter().map(&mut read).collect();
    read.into_iter().collect()
}

fn small(value: usize) -> Option<u32> {
    u32::try_from(value).ok()
}

fn ensemble<'a>(table: &'a Table, context: &Context<'a>) -> Option<EnsembleSetting> {
    let problems = context.problems;
    let fields = Fields::new(table, "[ensemble]", problems);
    let generator = named(
        &fields,
        Choice { key: "generator", kind: "generator", known: generator_names(), or: "" },
        generate::find,
    );
    let label = fields.text("label");
    let size = fields.count("size", bounds::BASE_CLUSTERINGS);
    let size = fields.required("size", "how many base clusterings each ensemble has", size);
    let count = fields.count("count", bounds::REPETITIONS).and_then(small).unwrap_or(1);
    let pool = pool(&fields);
    let only = only_datasets(&fields, context);
    let generator = generator?;
    let params = parameters(fields, generator.parameters, context.folder)?;
    let at = |key: &str| table.get(key).map_or(table.span.start..table.span.start, |item| item.span.clone());
    if let Some(Err(reason)) = pool.zip(size).map(|(pool, size)| pool.suffices(count, size)) {
        problems
            .add(Problem::new(at("pool"), reason.to_string()).expected("a larger pool, or fewer or smaller ensembles"));
    }
    let made_of = |dataset: &&Arc<Dataset>| only.as_ref().is_none_or(|only| only.contains(&dataset.label));
    for dataset in context.datasets.iter().filter(made_of) {
        match generator.make(&params, dataset) {
            Err(reason) => {
                let problem = Problem::new(at("k"), format!("on {}, `{}` {reason}", dataset.label, generator.name));
                problems.add(problem.expected("parameters that this dataset allows"));
            }
            Ok(made) => {
                let needed = pool.map(|pool| pool.size).or(size).unwrap_or(0);
                if let Some(there) = made.columns().filter(|there| *there < needed) {
                    let message = format!("`{}` has {there} base clusterings, {needed} are asked for", generator.name);
                    problems.add(Problem::new(at("size"), message).expected(format!("at most {there}")));
                }
            }
        }
    }
    let label = label.unwrap_or(generator.name).to_owned();
    Some(EnsembleSetting { label, only, generator, params, size: size?, count, pool })
}

/// `datasets = ["iris"]` of an ensemble: it is made of these alone.
fn only_datasets(fields: &Fields, context: &Context) -> Option<Vec<String>> {
    let texts = fields.texts("datasets")?;
    let mut known: Vec<&str> = context.datasets.iter().map(|dataset| dataset.label.as_str()).collect();
    known.extend(context.absent.iter().map(|(label, _)| label.as_str()));
    for (name, item) in &texts {
        if !known.contains(name) {
            let hint = did_you_mean(name, &known).unwrap_or_default();
            let message = format!("no dataset of this spec is named \"{name}\"{hint}");
            fields.refuse(item, &message, &format!("one of {}", known.join(", ")));
        }
    }
    Some(texts.into_iter().map(|(name, _)| name.to_owned()).collect())
}

/// Refuses two kinds of ensembles of the same dataset under one label.
fn refuse_equal_ensembles(
    tables: &[&Table],
    ensembles: &[EnsembleSetting],
    datasets: &[Arc<Dataset>],
    problems: &Problems,
) {
    for (position, ensemble) in ensembles.iter().enumerate() {
        let clash = |other: &&EnsembleSetting| {
            let both = |dataset: &Arc<Dataset>| ensemble.is_made_of(dataset) && other.is_made_of(dataset);
            other.label == ensemble.label && datasets.iter().any(both)
        };
        if ensembles[..position].iter().find(clash).is_some() {
            let item = tables[position].get("label").or_else(|| tables[position].get("generator"));
            let span = item.map_or(0..0, |item| item.span.clone());
            let problem = Problem::new(span, format!("two [[ensemble]] tables are labelled \"{}\"", ensemble.label));
            problems.add(problem.expected("a `label` of its own for each, or different `datasets`"));
        }
    }
}

fn pool(fields: &Fields) -> Option<Pool> {
    let draw = fields.choice("draw", &[("disjoint", PoolDraw::Disjoint), ("random", PoolDraw::Random)]);
    let size = fields.count("pool", bounds::BASE_CLUSTERINGS);
    if let (Some(item), None) = (fields.item("draw"), fields.item("pool")) {
        fields.refuse(item, "`draw` says how ensembles are drawn from a `pool`, and there is none", "a `pool`, too");
    }
    Some(Pool { size: size?, draw: draw.unwrap_or(PoolDraw::Disjoint) })
}

fn method<'a>(table: &'a Table, common: &Common, context: &Context<'a>) -> Option<MethodSetting> {
    let problems = context.problems;
    let fields = Fields::new(table, "[[method]]", problems);
    let label = fields.text("label");
    let repeats = fields.count("repeats", bounds::REPETITIONS).and_then(small).unwrap_or(common.repeats);
    let deadline = fields.seconds("deadline").or(common.deadline);
    let own_clusters = cluster_rule(&fields, "k");
    let ensembles = only_ensembles(&fields, common);
    let (method, memory) = match programs::is_one(table) {
        true => (Method::Program(Arc::new(programs::read(fields, context.folder)?)), None),
        false => {
            let memory = programs::memory(&fields);
            (listed(fields, context.folder)?, memory)
        }
    };
    let clusters = match method.accepts().clusters {
        Clusters::Found => None,
        Clusters::Given => {
            let (rule, span) = own_clusters
                .or_else(|| common.clusters.clone())
                .unwrap_or_else(|| (ClusterCount::classes(), table.span.start..table.span.start));
            refuse_impossible_clusters(&rule, span, method.name(), context.datasets, problems);
            Some(rule)
        }
    };
    let label = label.unwrap_or(method.name()).to_owned();
    let deadline = deadline.or(method.usual_deadline());
    let setting = MethodSetting { label, method, clusters, repeats, deadline, memory, ensembles };
    if let (Some(reason), Missing::Refused) = (reason_for_gaps(common, &setting), setting.method.accepts().missing) {
        let span = table.get("name").map_or(0..0, |item| item.span.clone());
        let message = format!("`{}` cannot take missing labels, and {reason} makes them", setting.method.name());
        let expected = "a method that accepts them (`conclave list methods`), or `ensembles` without them";
        problems.add(Problem::new(span, message).expected(expected));
    }
    Some(setting)
}

/// A method of the library with its parameters.
fn listed(fields: Fields, folder: &Path) -> Option<Method> {
    let info = named(
        &fields,
        Choice { key: "name", kind: "method", known: method_names(), or: ", or a `command` to run" },
        consensus::find,
    )?;
    let params = parameters(fields, info.parameters, folder)?;
    Some(Method::Listed { info, params })
}

/// `ensembles = ["k-means"]` of a method: it is run on these alone.
fn only_ensembles(fields: &Fields, common: &Common) -> Option<Vec<String>> {
    let texts = fields.texts("ensembles")?;
    let known: Vec<&str> = common.ensembles.iter().map(|ensemble| ensemble.label.as_str()).collect();
    for (name, item) in &texts {
        if !known.is_empty() && !known.contains(name) {
            let hint = did_you_mean(name, &known).unwrap_or_default();
            let message = format!("no kind of ensemble is labelled \"{name}\"{hint}");
            fields.refuse(item, &message, &format!("one of {}", known.join(", ")));
        }
    }
    Some(texts.into_iter().map(|(name, _)| name.to_owned()).collect())
}

fn refuse_impossible_clusters(
    rule: &ClusterCount,
    span: Span,
    method: &str,
    datasets: &[Arc<Dataset>],
    problems: &Problems,
) {
    for dataset in datasets {
        let resolved = rule.resolve(dataset.population());
        let reason = match resolved {
            Ok(resolved) if resolved.only().is_some() => continue,
            Ok(_) => "needs one number of clusters, not a choice of them".to_owned(),
            Err(reason) => reason.to_string(),
        };
        let problem = Problem::new(span.clone(), format!("on {}, `{method}` {reason}", dataset.label));
        problems.add(problem.expected(format!("a number from 1 to {}", dataset.features.rows())));
    }
}

/// Something that is chosen by name.
struct Choice<'a> {
    /// The key it is under.
    key: &'a str,
    /// What it is.
    kind: &'a str,
    known: Vec<&'static str>,
    /// What else there may be.
    or: &'a str,
}

/// A known name, or a problem that lists the known ones.
fn named<'a, T>(
    fields: &Fields<'a>,
    Choice { key, kind, known, or }: Choice<'a>,
    find: impl Fn(&str) -> Option<&'static T>,
) -> Option<&'static T> {
    let name = fields.required(key, &format!("one of {}", known.join(", ")), fields.text(key))?;
    let found = find(name);
    if found.is_none() {
        let item = fields.item(key).expect("its text was just read");
        let hint = did_you_mean(name, &known).unwrap_or_default();
        let expected = format!("one of {}{or}", known.join(", "));
        fields.refuse(item, &format!("no {kind} is named \"{name}\"{hint}"), &expected);
    }
    found
}

fn generator_names() -> Vec<&'static str> {
    generate::all().iter().map(|info: &&GeneratorInfo| info.name).collect()
}

fn method_names() -> Vec<&'static str> {
    consensus::all().iter().map(|info| info.name).collect()
}

fn cluster_rule<'a>(fields: &Fields<'a>, key: &'a str) -> Option<(ClusterCount, Span)> {
    let item = fields.item(key)?;
    let parsed = item.node.raw().ok_or_else(|| Expected(ClusterCount::EXPECTATION.to_owned()));
    match parsed.and_then(|raw| ClusterCount::parse(&raw)) {
        Ok(rule) => Some((rule, item.span.clone())),
        Err(Expected(expected)) => {
            fields.refuse(item, &format!("`{key}` is {}", item.node.describe()), &expected);
            None
        }
    }
}

/// Reads the declared parameters from the keys nobody has asked for yet.
fn parameters(fields: Fields, declared: &'static [Parameter], folder: &Path) -> Option<Params> {
    let mut params = Params::defaults(declared);
    let problems = fields.problems();
    let before = problems.len();
    for parameter in declared {
        let Some(item) = fields.item(parameter.name) else { continue };
        let checked =
            item.node.raw().ok_or_else(|| Expected(parameter.expectation())).and_then(|raw| parameter.check(&raw));
        match checked {
            Ok(Value::Path(path)) if parameter.kind == Kind::Path => {
                params.set(parameter, Value::Path(folder.join(path)));
            }
            Ok(value) => params.set(parameter, value),
            Err(Expected(expected)) => {
                fields.refuse(item, &format!("`{}` is {}", parameter.name, item.node.describe()), &expected);
            }
        }
    }
    fields.finish(&[]);
    (problems.len() == before).then_some(params)
}

fn refuse_equal_methods(tables: &[&Table], problems: &Problems) {
    let mut seen = BTreeSet::new();
    for table in tables {
        let item = table.get("label").or_else(|| table.get("name"));
        if let Some(item) = item
            && let super::tree::Node::Text(text) = &item.node
            && !seen.insert(text.clone())
        {
            let problem = Problem::new(item.span.clone(), format!("two [[method]] tables are labelled \"{text}\""));
            problems.add(problem.expected("a `label` of its own for each"));
        }
    }
}
