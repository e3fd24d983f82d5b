//! `[[picture]]`: what the report shows of the ensembles themselves.

use std::sync::Arc;

use super::dimension::{Dimension, Filter};
use super::experiment::PointValue;
use super::fields::{Fields, Problems};
use super::known_names::KnownNames;
use super::names;
use super::output::Output;
use super::outputs::OUTPUTS;
use super::problem::SpecProblem;
use super::requests::PictureRequest;
use super::tree::{Item, Node, TomlTable};
use crate::data::Dataset;
use crate::picture::{MOST_OBJECTS, MatrixOrder, PictureKind};

/// Reads `[[picture]]`s.
pub(super) fn pictures<'a>(
    top: &Fields<'a>,
    known: &KnownNames,
    datasets: &[Arc<Dataset>],
    problems: &'a Problems,
) -> Vec<PictureRequest> {
    let read = top.tables("picture").into_iter().map(|table| {
        let output = Output::read(table, "[[picture]]", known, problems);
        let kind = kind(&output.fields);
        let request = PictureRequest {
            id: output.id.clone(),
            title: output.title.clone(),
            caption: output.fields.text("caption").unwrap_or_default().to_owned(),
            kind: kind.unwrap_or(PictureKind::SplitFrequency),
            panel: output.dimension("panel"),
            filter: output.filter(),
        };
        let place = PictureTable { request: &request, known, table, problems };
        place.refuse_methods();
        place.refuse_several_ensembles();
        if kind.is_some() {
            place.refuse_unfit(datasets);
            place.refuse_other_table(top);
        }
        output.fields.finish(&[]);
        request
    });
    read.collect()
}

/// A spec that only shows its ensembles needs no methods and no metrics.
pub(super) fn are_all(tree: &TomlTable) -> bool {
    tree.get("picture").is_some() && ["method", "table", "figure", "test"].iter().all(|key| tree.get(key).is_none())
}

fn kind(fields: &Fields) -> Option<PictureKind> {
    /// A kind before its order is known.
    #[derive(Clone, Copy)]
    enum Named {
        SplitFrequency,
        CoAssociation,
        LinkWeights,
    }
    let kinds = [
        ("split-frequency", Named::SplitFrequency),
        ("co-association", Named::CoAssociation),
        ("link-weights", Named::LinkWeights),
    ];
    match fields.required("kind", "split-frequency, co-association or link-weights", fields.choice("kind", &kinds))? {
        Named::LinkWeights => Some(PictureKind::LinkWeights),
        Named::SplitFrequency => Some(PictureKind::SplitFrequency),
        Named::CoAssociation => {
            let order = fields.choice("order", &[("truth", MatrixOrder::Truth), ("vat", MatrixOrder::Vat)]);
            fields.required("order", "truth or vat", order).map(PictureKind::CoAssociation)
        }
    }
}

/// A picture where it stands in the spec.
struct PictureTable<'a> {
    request: &'a PictureRequest,
    known: &'a KnownNames<'a>,
    table: &'a TomlTable,
    problems: &'a Problems,
}

impl PictureTable<'_> {
    fn refuse(&self, at: Option<&Item>, message: String, expected: String) {
        let start = self.table.span.start;
        let span = at.map_or(start..start, |item| item.span.clone());
        self.problems.add(SpecProblem::new(span, message).expected(expected));
    }

    fn refuse_methods(&self) {
        let PictureRequest { panel, filter, .. } = self.request;
        let fixed = filter.iter().any(|(dimension, _)| *dimension == Dimension::Method);
        if *panel == Some(Dimension::Method) || fixed {
            let at = if fixed { "where" } else { "panel" };
            let message = "a picture shows ensembles, which are the same for every method".to_owned();
            self.refuse(self.table.get(at), message, "dataset, ensemble or a swept key".to_owned());
        }
    }

    /// A panel is one ensemble: whatever has several values is the panel, or fixed.
    fn refuse_several_ensembles(&self) {
        for (name, dimension) in self.known.dimension_names() {
            let free = dimension != Dimension::Method && self.request.panel != Some(dimension);
            let is_doubtful = self.known.doubtful.iter().any(|doubtful| doubtful == name);
            let values = admitted(&self.request.filter, dimension, self.known.labels(dimension));
            if free && !is_doubtful && values.len() > 1 {
                let id = &self.request.id;
                let message = format!("a panel of `{id}` shows one ensemble, and `{name}` has several values here");
                self.refuse(None, message, format!("`panel = \"{name}\"`, or `{name}` fixed by `where`"));
            }
        }
        let swept = |position: usize, value: &PointValue| {
            let on = Dimension::Sweep(position);
            self.request.filter.iter().all(|(dimension, values)| *dimension != on || values.contains(value))
        };
        let any = self.known.points.iter().any(|point| point.values.iter().enumerate().all(|(i, v)| swept(i, v)));
        if !any {
            let message = format!("no sweep point matches the `where` of `{}`", self.request.id);
            self.refuse(self.table.get("where"), message, "values that are swept together".to_owned());
        }
    }

    /// The table beside a picture has files of its own.
    fn refuse_other_table(&self, top: &Fields) {
        let id = self.request.table_id();
        let others = OUTPUTS.into_iter().flat_map(|key| top.tables(key)).filter_map(|table| table.get("id"));
        if matches!(self.request.kind, PictureKind::SplitFrequency | PictureKind::LinkWeights)
            && let Some(other) =
                others.into_iter().find(|item| matches!(&item.node, Node::Text(text) if names::is_same(text, &id)))
        {
            let message = format!("this is the id of the table beside picture `{}`", self.request.id);
            self.refuse(Some(other), message, "another id".to_owned());
        }
    }

    /// Classes to sort by, and no more pairs than can be held.
    fn refuse_unfit(&self, datasets: &[Arc<Dataset>]) {
        let labels = admitted(&self.request.filter, Dimension::Dataset, self.known.labels(Dimension::Dataset));
        let shown = |dataset: &&Arc<Dataset>| labels.contains(&PointValue::Text(dataset.label.clone()));
        for dataset in datasets.iter().filter(shown) {
            let (label, objects) = (&dataset.label, dataset.features.rows());
            match self.request.kind {
                PictureKind::CoAssociation(MatrixOrder::Truth) if dataset.truth.is_none() => {
                    let message = format!("dataset \"{label}\" has no classes to order its objects by");
                    self.refuse(self.table.get("order"), message, "order = \"vat\"".to_owned());
                }
                PictureKind::LinkWeights if dataset.truth.is_none() => {
                    let message = format!("dataset \"{label}\" has no classes to tell right links from wrong ones");
                    self.refuse(self.table.get("kind"), message, "a dataset with classes".to_owned());
                }
                PictureKind::SplitFrequency if objects > MOST_OBJECTS => {
                    let message = format!("dataset \"{label}\" has {objects} objects: too many pairs");
                    let expected = format!("a `sample` of at most {MOST_OBJECTS} objects");
                    self.refuse(self.table.get("kind"), message, expected);
                }
                _ => {}
            }
        }
    }
}

/// The values of a dimension that a filter lets through.
fn admitted(filter: &Filter, dimension: Dimension, mut values: Vec<PointValue>) -> Vec<PointValue> {
    for (_, admitted) in filter.iter().filter(|(on, _)| *on == dimension) {
        values.retain(|value| admitted.contains(value));
    }
    values
}
