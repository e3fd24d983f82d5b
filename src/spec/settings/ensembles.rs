//! `[[ensemble]]`s.

use std::sync::Arc;

use super::chosen::{Choice, generator_names, named, parameters, parameters_of_the_unknown};
use super::{Context, small};
use crate::data::Dataset;
use crate::generate::{self, Pool, PoolDraw};
use crate::params::Params;
use crate::spec::bounds;
use crate::spec::experiment::EnsembleSetting;
use crate::spec::fields::{Fields, Problems};
use crate::spec::known_names::may_be_meant;
use crate::spec::problem::SpecProblem;
use crate::spec::targets::text_of;
use crate::spec::tree::TomlTable;
use crate::suggest::did_you_mean;

pub(super) fn read<'a>(table: &'a TomlTable, context: &Context<'a>) -> Option<EnsembleSetting> {
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
    let at = |key: &str| table.get(key).map_or(table.span.start..table.span.start, |item| item.span.clone());
    if let Some(Err(reason)) = pool.zip(size).map(|(pool, size)| pool.suffices(count, size)) {
        problems.add(
            SpecProblem::new(at("pool"), reason.to_string()).expected("a larger pool, or fewer or smaller ensembles"),
        );
    }
    let Some(generator) = generator else {
        let all: Vec<_> = generate::all().iter().map(|info| info.parameters).collect();
        parameters_of_the_unknown(fields, &all);
        return None;
    };
    let params = parameters(fields, generator.parameters, context.folder)?;
    let made_of = |dataset: &&Arc<Dataset>| only.as_ref().is_none_or(|only| only.contains(&dataset.label));
    for dataset in context.datasets.iter().filter(made_of) {
        match generator.make(&params, dataset) {
            Err(reason) => {
                let keys = ["k", "without", "path"].into_iter().find(|key| table.get(key).is_some());
                let place = at(keys.unwrap_or("generator"));
                let problem = SpecProblem::new(place, format!("on {}, `{}` {reason}", dataset.label, generator.name));
                problems.add(problem.expected("parameters that this dataset allows"));
            }
            Ok(made) => {
                let needed = pool.map(|pool| pool.size).or(size).unwrap_or(0);
                if let Some(there) = made.columns().filter(|there| *there < needed) {
                    let message = format!("`{}` has {there} base clusterings, {needed} are asked for", generator.name);
                    problems.add(SpecProblem::new(at("size"), message).expected(format!("at most {there}")));
                }
            }
        }
    }
    let label = label.unwrap_or(generator.name).to_owned();
    Some(EnsembleSetting { label, only, generator, params, size: size?, count, pool })
}

/// Its label, and of the rest what can be read; see [`super::sketch`].
pub(super) fn sketch(table: &TomlTable) -> EnsembleSetting {
    let generator = text_of(table, "generator").and_then(generate::find).unwrap_or(generate::all()[0]);
    let label = text_of(table, "label").or_else(|| text_of(table, "generator")).unwrap_or_default().to_owned();
    EnsembleSetting {
        label,
        only: None,
        generator,
        params: Params::defaults(generator.parameters),
        size: 1,
        count: 1,
        pool: None,
    }
}

/// `datasets = ["iris"]` of an ensemble: it is made of these alone.
fn only_datasets(fields: &Fields, context: &Context) -> Option<Vec<String>> {
    let texts = fields.texts("datasets")?;
    let mut known: Vec<&str> = context.datasets.iter().map(|dataset| dataset.label.as_str()).collect();
    known.extend(context.absent.iter().map(|(label, _)| label.as_str()));
    for (name, item) in &texts {
        if !known.contains(name) && !may_be_meant(name, context.doubtful) {
            let hint = did_you_mean(name, &known).unwrap_or_default();
            let message = format!("no dataset of this spec is named \"{name}\"{hint}");
            fields.refuse(item, &message, &format!("one of {}", known.join(", ")));
        }
    }
    Some(texts.into_iter().map(|(name, _)| name.to_owned()).collect())
}

/// Refuses two kinds of ensembles of the same dataset under one label.
pub(super) fn refuse_equal(
    tables: &[&TomlTable],
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
            let problem =
                SpecProblem::new(span, format!("two [[ensemble]] tables are labelled \"{}\"", ensemble.label));
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
