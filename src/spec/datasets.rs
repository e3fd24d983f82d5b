//! `datasets`: what a spec clusters.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use super::fields::Fields;
use super::tree::{Item, Node};
use super::{Spec, bounds};
use crate::data::{Catalog, Dataset, DatasetChoice, DatasetError, FirstRow, Scaling, Source, UserFile};
use crate::suggest::did_you_mean;

/// The datasets of a spec.
#[derive(Default)]
pub(super) struct Datasets {
    pub(super) loaded: Vec<Arc<Dataset>>,
    /// Optional ones that are not there, and why.
    pub(super) absent: Vec<(String, String)>,
    /// How to get each of those.
    pub(super) to_get: Vec<String>,
    /// Names of those that are refused, as far as they have one.
    pub(super) refused: Vec<String>,
}

pub(super) fn read(top: &Fields, seed: u64, spec: &Spec, catalog: &Catalog) -> Datasets {
    let expected = "names of datasets (`conclave list datasets`)";
    let items = top.required("datasets", expected, top.list("datasets")).unwrap_or_default();
    let mut labels = BTreeSet::new();
    let mut found = Datasets::default();
    for item in items {
        let Some((choice, need)) = dataset_choice(top, item, spec) else {
            found.refused.push(item.node.text_or_name().unwrap_or_default().to_owned());
            continue;
        };
        if !labels.insert(choice.label.clone()) {
            top.refuse(
                item,
                &format!("two datasets are labelled \"{}\"", choice.label),
                "a `label` of its own for each",
            );
        }
        match catalog.shared(&choice, seed) {
            Ok(dataset) => {
                if let Some(sample) = choice.sample.filter(|sample| *sample > dataset.features.rows()) {
                    let rows = dataset.features.rows();
                    top.refuse(item, &format!("`sample` is {sample}, {} has {rows} objects", choice.label), "fewer");
                }
                found.loaded.push(dataset);
                continue;
            }
            Err(error @ DatasetError::Absent { .. }) if need == Need::Optional => {
                let (why, how) = error.of_absence().unwrap_or_else(|| (error.to_string(), String::new()));
                found.absent.push((choice.label, why));
                found.to_get.push(how);
                continue;
            }
            Err(DatasetError::Unknown { name }) => {
                let names = catalog.names();
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                let hint = did_you_mean(&name, &names).unwrap_or_default();
                top.refuse(
                    item,
                    &format!("no dataset is named \"{name}\"{hint}"),
                    &format!("one of {}", names.join(", ")),
                );
            }
            Err(error @ DatasetError::Absent { .. }) => {
                top.refuse(item, &error.to_string(), "the file, or `optional = true` to go on without it");
            }
            Err(error) => top.refuse(item, &error.to_string(), "a dataset that can be read"),
        }
        found.refused.push(choice.label);
    }
    found
}

/// Whether a spec can do without a dataset.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Need {
    Required,
    Optional,
}

fn dataset_choice(top: &Fields, item: &Item, spec: &Spec) -> Option<(DatasetChoice, Need)> {
    match &item.node {
        Node::Text(name) => Some((DatasetChoice::named(name), Need::Required)),
        Node::Table(table) => {
            let fields = Fields::new(table, "a dataset", top.problems());
            let source = dataset_source(&fields, spec);
            let scaling = match fields.flag("standardize") {
                Some(true) => Scaling::Standardized,
                _ => Scaling::Raw,
            };
            let need = match fields.flag("optional") {
                Some(true) => Need::Optional,
                _ => Need::Required,
            };
            let label = fields.text("label").map(str::to_owned);
            let sample = fields.count("sample", bounds::COUNTED);
            fields.finish(&[]);
            let source = source?;
            let label = label.or_else(|| match &source {
                Source::Catalog(name) => Some(name.clone()),
                Source::File(file) => file.path.file_stem().map(|stem| stem.to_string_lossy().into_owned()),
            });
            Some((DatasetChoice { source, label: label?, sample, scaling }, need))
        }
        other => {
            let expected = "a name, { name = …, sample = … } or { path = …, class = …, drop = … }";
            top.refuse(item, &format!("a dataset is {}", other.describe()), expected);
            None
        }
    }
}

/// `name`, or `path` with an optional `class`.
fn dataset_source(fields: &Fields, spec: &Spec) -> Option<Source> {
    let name = fields.text("name");
    let path = fields.text("path");
    let class = fields.text("class");
    let drop = fields.texts("drop");
    match (name, path) {
        (Some(name), None) => {
            if let Some(item) = fields.item("class") {
                fields.refuse(item, "a dataset of the catalog knows its class", "`class` with `path` only");
            }
            if let Some(item) = fields.item("drop") {
                let expected = "`drop` with `path`; for a dataset of the catalog, its manifest says it";
                fields.refuse(item, "a dataset of the catalog knows its features", expected);
            }
            Some(Source::Catalog(name.to_owned()))
        }
        (None, Some(path)) => {
            let folder = spec.path.parent().unwrap_or(Path::new(""));
            let drop = drop.unwrap_or_default().into_iter().map(|(name, _)| name.to_owned()).collect();
            let (path, class) = (folder.join(path), class.map(str::to_owned));
            Some(Source::File(UserFile { path, class, drop, header: FirstRow::Header }))
        }
        (Some(_), Some(_)) => {
            let item = fields.item("path").expect("it was just read");
            fields.refuse(item, "a dataset has a `name` or a `path`, not both", "one of them");
            None
        }
        (None, None) => {
            if fields.item("name").is_none() && fields.item("path").is_none() {
                fields.missing("name", "the name of a dataset, or `path` for a file of yours");
            }
            None
        }
    }
}
