//! Reads the whole spec, at every scale.

mod multiverse;

use std::path::Path;
use std::sync::Arc;

use super::datasets::{self, Datasets};
use super::experiment::{Experiment, PointValue, SweepPoint};
use super::fields::{Fields, Problems};
use super::known_names::KnownNames;
use super::outputs;
use super::paper_runs::{self, PaperRuns};
use super::papers::{self, Paper};
use super::problem::SpecProblem;
use super::settings::Methods;
use super::tree::{Node, TomlTable};
use super::{
    FULL_SCALE, PAPER_SCALE, Spec, bounds, claims, dotted, listings, names, pictures, prose, rankings, settings, sweep,
    targets,
};
use crate::consensus;
use crate::data::{Catalog, Dataset};
use crate::generate;
use crate::metric::{self, Direction, JudgedOn, MetricInfo};
use crate::params::CountTrial;
use crate::suggest::did_you_mean;

pub(super) fn check(spec: &Spec, scale: &str, catalog: &Catalog) -> Result<Experiment, Vec<SpecProblem>> {
    let problems = Problems::default();
    let base = spec.tree.without(&["scale"]);
    let base = dotted::with_plain_sweeps(&base, &base, &problems);
    let mut scales = vec![(PAPER_SCALE.to_owned(), base.clone())];
    for (name, overrides) in scale_tables(&spec.tree, &problems) {
        let mut labelled = base.clone();
        labelled.overlay(overrides);
        let mut scaled = base.clone();
        scaled.overlay(&dotted::with_plain_sweeps(overrides, &labelled, &problems));
        scales.push((name, scaled));
    }
    let is_there = |wanted: &str| scales.iter().any(|(name, _)| name == wanted);
    let scale = if scale == FULL_SCALE && !is_there(FULL_SCALE) { PAPER_SCALE } else { scale };
    if !is_there(scale) {
        let top = if base.get("paper").is_some() { PAPER_SCALE } else { FULL_SCALE };
        let others = scales.iter().skip(1).map(|(name, _)| name.as_str());
        let known: Vec<&str> = std::iter::once(top).chain(others).collect();
        let problem = SpecProblem::new(0..0, format!("this spec has no [scale.{scale}]"));
        problems.add(problem.expected(format!("--scale {}", known.join(" or "))));
    }
    let mut chosen = None;
    let mut paper_scale = None;
    // The paper's scale comes first: claims of the others may name what only it has.
    for (name, tree) in &scales {
        let at = ScaledSpec { name, tree, paper_scale: paper_scale.as_ref() };
        let mut experiment = check_scale(spec, &at, catalog, &problems);
        if name == PAPER_SCALE {
            let known = |experiment: &Experiment| {
                (experiment.paper_extent.clone(), experiment.paper_runs.clone(), experiment.paper_objects.clone())
            };
            paper_scale = experiment.as_ref().map(known);
        }
        // What the spec says must hold before its universes are looked at.
        if let Some(stated) = experiment.as_mut().filter(|_| problems.len() == 0) {
            let at = ScaledSpec { name, tree, paper_scale: paper_scale.as_ref() };
            multiverse::fill(stated, spec, &at, catalog, &problems);
        } else if name == PAPER_SCALE {
            multiverse::check_forks(tree, &problems);
        }
        if name == scale {
            chosen = experiment;
        }
    }
    match chosen {
        Some(experiment) if problems.len() == 0 => Ok(experiment),
        _ => Err(problems.into_inner()),
    }
}

fn scale_tables<'a>(tree: &'a TomlTable, problems: &Problems) -> Vec<(String, &'a TomlTable)> {
    let Some(item) = tree.get("scale") else { return Vec::new() };
    let Node::Table(scales) = &item.node else {
        problems
            .add(SpecProblem::new(item.span.clone(), "`scale` is not a table".to_owned()).expected("[scale.quick]"));
        return Vec::new();
    };
    let mut tables = Vec::new();
    for entry in &scales.entries {
        match &entry.item.node {
            Node::Table(_) if entry.key == PAPER_SCALE => {
                let message = "the top level is the paper's scale; there is nothing to override".to_owned();
                problems.add(SpecProblem::new(entry.key_span.clone(), message).expected("another name"));
            }
            Node::Table(table) => tables.push((entry.key.clone(), table)),
            _ => {
                let message = format!("`scale.{}` is {}", entry.key, entry.item.node.describe());
                problems.add(SpecProblem::new(entry.item.span.clone(), message).expected("a table of overrides"));
            }
        }
    }
    tables
}

/// Names of methods, generators and metrics that there are not.
fn misspelt(tree: &TomlTable) -> Vec<String> {
    let named = |table: &str, key: &'static str| {
        let tables = targets::tables_of(tree, table).into_iter().filter(|table| table.get("command").is_none());
        tables.filter_map(|table| targets::text_of(table, key)).map(str::to_owned).collect::<Vec<_>>()
    };
    let metrics = match tree.get("metrics").map(|item| &item.node) {
        Some(Node::List(items)) => {
            items.iter().filter_map(|item| item.node.text_or_name()).map(str::to_owned).collect()
        }
        _ => Vec::new(),
    };
    let methods = named("method", "name").into_iter().filter(|name| consensus::find(name).is_none());
    let generators = named("ensemble", "generator").into_iter().filter(|name| generate::find(name).is_none());
    let metrics = metrics.into_iter().filter(|name: &String| metric::find(name).is_none());
    methods.chain(generators).chain(metrics).collect()
}

/// The values of every dimension, by its name.
type Extent = Vec<(String, Vec<PointValue>)>;

/// The number of objects of every dataset, by its label.
type ObjectCounts = Vec<(String, usize)>;

/// A scale to check.
#[derive(Clone, Copy)]
struct ScaledSpec<'a> {
    name: &'a str,
    tree: &'a TomlTable,
    /// What the paper's scale has, how much it runs, and on how many objects, where this is another.
    paper_scale: Option<&'a (Extent, PaperRuns, ObjectCounts)>,
}

fn check_scale(spec: &Spec, scale: &ScaledSpec, catalog: &Catalog, problems: &Problems) -> Option<Experiment> {
    let tree = scale.tree;
    let top = Fields::new(tree, "the spec", problems);
    let name = names::experiment_name(&top);
    let seed = top.required("seed", "a whole number that all random numbers follow from", top.whole("seed"));
    let title = top.text("title");
    let description = prose::description(&top, tree);
    let reproduces = top.text("reproduces");
    let paper = paper(&top, spec);
    let reuse = names::reused(&top, name);
    let Datasets { loaded: datasets, absent, to_get, refused } = datasets::read(&top, seed.unwrap_or(0), spec, catalog);
    let doubtful: Vec<String> = refused.iter().cloned().chain(misspelt(tree)).collect();
    let methods =
        if settings::only_lists(&top) || pictures::are_all(tree) { Methods::Optional } else { Methods::Required };
    let metrics = match (methods, top.item("metrics")) {
        (Methods::Optional, None) => Vec::new(),
        _ => metrics(&top, &datasets),
    };
    let (sweep_keys, assignments) = sweep::read(&top.tables("sweep"), tree, problems);
    let (mut points, mut can_be_run) = (Vec::new(), true);
    for assignment in assignments {
        let mut at_point = tree.clone();
        assignment.apply(&mut at_point);
        let fields = Fields::new(&at_point, "the spec", problems);
        let folder = spec.path.parent().unwrap_or(Path::new(""));
        let context =
            settings::Context { datasets: &datasets, absent: &absent, doubtful: &doubtful, folder, methods, problems };
        let setting = settings::read(&fields, &context);
        can_be_run &= setting.is_some();
        // What is wrong with it is noted: what uses its names is checked all the same.
        let setting = setting.unwrap_or_else(|| settings::sketch(&fields, &context));
        points.push(SweepPoint { values: assignment.values, setting });
    }
    if can_be_run {
        bounds::refuse_too_much(tree, &points, &datasets, problems);
    }
    refuse_test_without_holdout(&top, &metrics, &points);
    refuse_best_of_unjudged(&top, &metrics, &points);
    // A dimension may be meant for a key of the sweep that nothing has.
    let unswept = sweep_keys.iter().filter(|key| !targets::can_be_swept(key, tree));
    let doubtful: Vec<String> = doubtful.iter().chain(unswept).cloned().collect();
    // The setting's keys were read from the points; they are known all the same.
    let labels =
        datasets.iter().map(|dataset| &dataset.label).chain(absent.iter().map(|(label, _)| label)).chain(&refused);
    let known = KnownNames {
        datasets: labels.cloned().collect(),
        metrics: &metrics,
        sweep: &sweep_keys,
        points: &points,
        folder: spec.path.parent().unwrap_or(Path::new("")),
        doubtful: &doubtful,
        elsewhere: &[],
    };
    let objects = |dataset: &Arc<Dataset>| (dataset.label.clone(), dataset.population().objects);
    let (paper_extent, paper_runs, paper_objects) = scale
        .paper_scale
        .cloned()
        .unwrap_or_else(|| (known.extent(), PaperRuns::as_run(&points), datasets.iter().map(objects).collect()));
    let outputs_can_be_checked = !points.is_empty() && !known.datasets.is_empty();
    let (listings, tables, figures, tests) = if outputs_can_be_checked {
        (
            listings::read(&top, &known, problems),
            // Printed numbers are those of the paper's scale, whatever scale is run.
            outputs::tables(&top, &KnownNames { elsewhere: &paper_extent, ..known.clone() }, problems),
            outputs::figures(&top, &known, problems),
            outputs::tests(&top, &known, problems),
        )
    } else {
        Default::default()
    };
    let pictures =
        if outputs_can_be_checked { pictures::pictures(&top, &known, &datasets, problems) } else { Vec::new() };
    let rankings = if outputs_can_be_checked { rankings::read(&top, &known, problems) } else { Vec::new() };
    let said = top.table("printed").and_then(|table| {
        let fields = Fields::new(table, "[printed]", problems);
        let runs =
            fields.required("runs", "how many ensembles stand behind a printed number", paper_runs::read(&fields));
        fields.finish(&[]);
        runs
    });
    let paper_runs = said.unwrap_or(paper_runs);
    let claims = match outputs_can_be_checked {
        true => claims::read(&top, &KnownNames { elsewhere: &paper_extent, ..known }, problems),
        false => Vec::new(),
    };
    let also = [
        "ensemble",
        "method",
        "missing",
        "missing-per",
        "coupling",
        "holdout",
        "holdout-from",
        "k",
        "repeats",
        "deadline",
        "table",
        "figure",
        "test",
        "listing",
        "picture",
        "ranking",
        "claim",
        "scale",
        "fork",
        "universe",
    ];
    top.finish(&also);
    Some(Experiment {
        name: name?.to_owned(),
        title: title.or(name)?.to_owned(),
        description: description.unwrap_or_default().trim().to_owned(),
        paper,
        reproduces: reproduces.map(str::to_owned),
        seed: seed?,
        reuse,
        scale: scale.name.to_owned(),
        spec_path: spec.path.display().to_string(),
        spec_text: spec.text.clone(),
        datasets,
        absent,
        to_get,
        metrics,
        sweep: sweep_keys,
        points,
        listings,
        tables,
        figures,
        tests,
        pictures,
        rankings,
        claims,
        paper_runs,
        paper_extent,
        paper_objects,
        forks: Vec::new(),
        universes: Vec::new(),
    })
}

fn paper(top: &Fields, spec: &Spec) -> Option<Paper> {
    let key = top.text("paper")?;
    let item = top.item("paper")?;
    match papers::papers_of(&spec.path) {
        Err(reason) => {
            top.refuse(item, &format!("`paper` cannot be looked up: {reason}"), "a papers.toml that has it");
            None
        }
        Ok(mut papers) => {
            let found = papers.remove(key);
            if found.is_none() {
                let keys: Vec<&str> = papers.keys().map(String::as_str).collect();
                let hint = did_you_mean(key, &keys).unwrap_or_default();
                top.refuse(item, &format!("no paper is named \"{key}\"{hint}"), &format!("one of {}", keys.join(", ")));
            }
            found
        }
    }
}

/// Refuses the best over numbers of clusters where a metric has no better and worse, or judges a model and not a clustering.
fn refuse_best_of_unjudged(top: &Fields, metrics: &[&'static MetricInfo], points: &[SweepPoint]) {
    let wanted = points.iter().flat_map(|point| &point.setting.methods).filter_map(|method| method.clusters.as_ref());
    let Some(tried) = wanted.into_iter().find(|wanted| wanted.trial == CountTrial::BestOver) else { return };
    let unjudged = metrics.iter().find(|metric| metric.direction == Direction::Neither || metric.model().is_some());
    if let (Some(metric), Some(item)) = (unjudged, top.item("metrics")) {
        let message = format!("k = \"{tried}\" keeps the best value of each metric, and `{}` has none", metric.name);
        top.refuse(item, &message, "metrics of a clustering of which more or less is better");
    }
}

/// Refuses metrics of held-out objects where none are held out.
fn refuse_test_without_holdout(top: &Fields, metrics: &[&'static MetricInfo], points: &[SweepPoint]) {
    let on_held_out = metrics.iter().find(|metric| metric.sample() == Some(JudgedOn::HeldOut));
    let none_held_out = points.iter().any(|point| point.setting.holdout.fraction == 0.0);
    if let (Some(metric), true, Some(item)) = (on_held_out, none_held_out, top.item("metrics")) {
        let message = format!("`{}` is measured on held-out objects, and none are held out", metric.name);
        top.refuse(item, &message, "`holdout = 0.25` or another share, too");
    }
}

fn metrics(top: &Fields, datasets: &[Arc<Dataset>]) -> Vec<&'static MetricInfo> {
    let unclassed = datasets.iter().find(|dataset| dataset.truth.is_none());
    let names: Vec<&str> = metric::all().iter().map(|metric| metric.name).collect();
    let expected = format!("one or more of {}", names.join(", "));
    let texts = top.required("metrics", &expected, top.texts("metrics")).unwrap_or_default();
    let mut found: Vec<&'static MetricInfo> = Vec::new();
    for (name, item) in texts {
        match metric::find(name) {
            Some(metric) if found.iter().any(|earlier| earlier.name == name) => {
                top.refuse(item, &format!("`{}` is listed twice", metric.name), "every metric once");
            }
            Some(metric) => {
                if let (Some(dataset), true) = (unclassed, metric.needs_truth) {
                    let message = format!("`{name}` compares with classes, and dataset \"{}\" has none", dataset.label);
                    top.refuse(item, &message, "a metric that needs no classes (clusters, singletons)");
                }
                found.push(metric);
            }
            None => {
                let hint = did_you_mean(name, &names).unwrap_or_default();
                top.refuse(item, &format!("no metric is named \"{name}\"{hint}"), &expected);
            }
        }
    }
    found
}
