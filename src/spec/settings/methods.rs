//! `[[method]]`s.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use super::chosen::{Choice, cluster_rule, method_names, named, parameters, parameters_of_the_unknown};
use super::{Context, SharedSettings, small};
use crate::consensus::{self, Clusters, Missing};
use crate::data::Dataset;
use crate::params::{CountTrial, Params, WantedCount};
use crate::spec::experiment::MethodSetting;
use crate::spec::fields::{Fields, Problems};
use crate::spec::method::MethodSource;
use crate::spec::problem::SpecProblem;
use crate::spec::targets::text_of;
use crate::spec::tree::{Node, Span, TomlTable};
use crate::spec::{bounds, programs};
use crate::suggest::did_you_mean;

pub(super) fn read<'a>(table: &'a TomlTable, common: &SharedSettings, context: &Context<'a>) -> Option<MethodSetting> {
    let problems = context.problems;
    let fields = Fields::new(table, "[[method]]", problems);
    let label = fields.text("label");
    let repeats = fields.count("repeats", bounds::REPETITIONS).and_then(small).unwrap_or(common.repeats);
    let deadline = fields.seconds("deadline").or(common.deadline);
    let own_clusters = cluster_rule(&fields, "k");
    let ensembles = only_ensembles(&fields, common);
    let (method, memory) = match programs::is_one(table) {
        true => (programs::read(fields, context.folder).map(|program| MethodSource::Program(Arc::new(program))), None),
        false => {
            let memory = programs::memory(&fields);
            (listed(fields, context.folder), memory)
        }
    };
    // How many clusters it is to find can be wrong whatever else is.
    let name = text_of(table, "name").unwrap_or("the method");
    let found = method.as_ref().map_or_else(|| finds_clusters(table), |method| method.accepts().clusters);
    let clusters = match found {
        Clusters::Found => None,
        Clusters::Given => {
            let (rule, span) = own_clusters
                .or_else(|| common.clusters.clone())
                .unwrap_or_else(|| (WantedCount::classes(), table.span.start..table.span.start));
            refuse_impossible_clusters(&rule, &span, name, context.datasets, problems);
            Some(rule)
        }
    };
    let method = method?;
    let label = label.unwrap_or(method.name()).to_owned();
    let deadline = deadline.or(method.usual_deadline());
    let setting = MethodSetting { label, method, clusters, repeats, deadline, memory, ensembles };
    if let (Some(reason), Missing::Refused) = (reason_for_gaps(common, &setting), setting.method.accepts().missing) {
        let span = table.get("name").map_or(0..0, |item| item.span.clone());
        let message = format!("`{}` cannot take missing labels, and {reason} makes them", setting.method.name());
        let expected = "a method that accepts them (`conclave list methods`), or `ensembles` without them";
        problems.add(SpecProblem::new(span, message).expected(expected));
    }
    Some(setting)
}

/// Whether a method that could not be read finds the number of clusters, as far as that can be told: what nobody knows is asked for
/// nothing.
fn finds_clusters(table: &TomlTable) -> Clusters {
    match text_of(table, "name").and_then(consensus::find) {
        Some(info) if !programs::is_one(table) => info.accepts.clusters,
        _ => Clusters::Found,
    }
}

/// Its label, and any method of the library; see [`super::sketch`].
pub(super) fn sketch(table: &TomlTable) -> MethodSetting {
    let info = consensus::all()[0];
    let label = text_of(table, "label").or_else(|| text_of(table, "name")).unwrap_or_default().to_owned();
    let method = MethodSource::Listed { info, params: Params::defaults(info.parameters) };
    MethodSetting { label, method, clusters: None, repeats: 1, deadline: None, memory: None, ensembles: None }
}

/// A method of the library with its parameters.
fn listed(fields: Fields, folder: &Path) -> Option<MethodSource> {
    let info = named(
        &fields,
        Choice { key: "name", kind: "method", known: method_names(), or: ", or a `command` to run" },
        consensus::find,
    );
    let Some(info) = info else {
        let all: Vec<_> = consensus::all().iter().map(|info| info.parameters).collect();
        parameters_of_the_unknown(fields, &all);
        return None;
    };
    let params = parameters(fields, info.parameters, folder)?;
    Some(MethodSource::Listed { info, params })
}

/// `ensembles = ["k-means"]` of a method: it is run on these alone.
fn only_ensembles(fields: &Fields, common: &SharedSettings) -> Option<Vec<String>> {
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
    wanted: &WantedCount,
    span: &Span,
    method: &str,
    datasets: &[Arc<Dataset>],
    problems: &Problems,
) {
    for dataset in datasets {
        let resolved = wanted.rule.resolve(dataset.population());
        let reason = match resolved {
            Ok(resolved) if wanted.trial == CountTrial::BestOver || resolved.only().is_some() => continue,
            Ok(_) => "needs one number of clusters, not a choice of them (or `best-over` before it)".to_owned(),
            Err(reason) => reason.to_string(),
        };
        let problem = SpecProblem::new(span.clone(), format!("on {}, `{method}` {reason}", dataset.label));
        problems.add(problem.expected(format!("a number from 1 to {}", dataset.features.rows())));
    }
}

/// Why labels will be missing where a method is run, if they will.
fn reason_for_gaps(common: &SharedSettings, method: &MethodSetting) -> Option<String> {
    if common.mask.fraction > 0.0 {
        return Some(format!("`missing` = {}", common.mask.fraction));
    }
    let mut met = common.ensembles.iter().filter(|ensemble| method.is_run_on(&ensemble.label));
    let sampled = met.find(|ensemble| ensemble.generator.makes_missing(&ensemble.params));
    sampled.map(|ensemble| format!("`resample` of ensemble \"{}\"", ensemble.label))
}

pub(super) fn refuse_equal(tables: &[&TomlTable], problems: &Problems) {
    let mut seen = BTreeSet::new();
    for table in tables {
        let item = table.get("label").or_else(|| table.get("name"));
        if let Some(item) = item
            && let Node::Text(text) = &item.node
            && !seen.insert(text.clone())
        {
            let problem = SpecProblem::new(item.span.clone(), format!("two [[method]] tables are labelled \"{text}\""));
            problems.add(problem.expected("a `label` of its own for each"));
        }
    }
}
