//! `[[ranking]]`: which method is best over many datasets, each of which counts once.

use super::dimension::{Dimension, Filter};
use super::experiment::PointValue;
use super::fields::{Fields, Problems};
use super::known_names::KnownNames;
use super::names;
use super::output::Output;
use super::outputs::OUTPUTS;
use super::requests::Show;
use super::tree::Node;
use crate::facts::{self, Fact, direction_of};
use crate::metric::Direction;

/// Methods ranked over blocks: a dataset, or a dataset and kind of ensemble, has one value of each method.
#[derive(Debug, Clone, PartialEq)]
pub struct RankingRequest {
    /// Names its files and its place on the page.
    pub id: String,
    /// Its heading on the page.
    pub title: String,
    /// A sentence under it.
    pub caption: String,
    /// The metric ranked by.
    pub metric: String,
    /// Labels of the methods, in the order of the spec.
    pub methods: Vec<String>,
    /// What the blocks are: the dataset, and perhaps the kind of ensemble.
    pub blocks: Vec<Dimension>,
    /// How values are shown.
    pub show: Show,
    /// At which p methods differ.
    pub level: f64,
    /// What a run costs (`seconds`), where the page is to say which method to use.
    pub cost: Option<Fact>,
    /// Which results are used.
    pub filter: Filter,
}

impl RankingRequest {
    /// The ids of everything it writes: the diagram, the figure of quality against cost, and its tables.
    #[must_use]
    pub fn ids(&self) -> Vec<String> {
        let parts = ["", "-cost", "-ranks", "-wilcoxon", "-wins", "-effects"];
        parts.iter().map(|part| format!("{}{part}", self.id)).collect()
    }
}

/// Reads `[[ranking]]`s.
pub(super) fn read<'a>(top: &Fields<'a>, known: &KnownNames, problems: &'a Problems) -> Vec<RankingRequest> {
    let read = top.tables("ranking").into_iter().map(|table| {
        let output = Output::read(table, "[[ranking]]", known, problems);
        let filter = output.filter();
        let request = RankingRequest {
            id: output.id.clone(),
            title: output.title.clone(),
            caption: output.fields.text("caption").unwrap_or_default().to_owned(),
            metric: judging_metric(&output),
            methods: methods(&output, known, &filter),
            blocks: blocks(&output),
            show: output.show(),
            level: level(&output.fields),
            cost: cost(&output),
            filter,
        };
        refuse_taken_ids(&request, top);
        let used: Vec<Dimension> = request.blocks.iter().copied().chain([Dimension::Method]).collect();
        output.finish(&used, &request.filter);
        request
    });
    read.collect()
}

/// Refuses an id of another output under which this one writes a table.
fn refuse_taken_ids(request: &RankingRequest, top: &Fields) {
    let own = &request.ids()[1..];
    for item in OUTPUTS.into_iter().flat_map(|key| top.tables(key)).filter_map(|table| table.get("id")) {
        if matches!(&item.node, Node::Text(id) if own.iter().any(|own| names::is_same(own, id))) {
            let message = format!("ranking `{}` writes a table or figure under this id", request.id);
            top.refuse(item, &message, "another id");
        }
    }
}

/// A metric of which more or less is better.
fn judging_metric(output: &Output) -> String {
    let metric = output.metric();
    if let Some(item) = output.fields.item("metric").filter(|_| !metric.is_empty())
        && direction_of(&metric) == Direction::Neither
    {
        let message = format!("neither more nor less of `{metric}` is better, so that nothing can be ranked by it");
        output.fields.refuse(item, &message, "a metric that judges (accuracy, ari, seconds, …)");
    }
    metric
}

/// `methods`, or all that `where` admits.
fn methods(output: &Output, known: &KnownNames, filter: &Filter) -> Vec<String> {
    let admitted = |label: &PointValue| {
        filter.iter().all(|(dimension, values)| *dimension != Dimension::Method || values.contains(label))
    };
    let all = known.labels(Dimension::Method).into_iter().filter(admitted).map(|label| label.to_string());
    let named = output.fields.texts("methods");
    let item = output.fields.item("methods");
    let methods: Vec<String> = match named {
        None => all.collect(),
        Some(texts) => {
            let checked = texts.into_iter().filter(|(name, item)| {
                output.check_value(Dimension::Method, &PointValue::Text((*name).to_owned()), item)
            });
            let chosen: Vec<&str> = checked.map(|(name, _)| name).collect();
            all.filter(|label| chosen.contains(&label.as_str())).collect()
        }
    };
    if methods.len() < 2 {
        let message = "a ranking needs two methods";
        match item {
            Some(item) => output.fields.refuse(item, message, "at least two"),
            None => output.fields.missing("methods", "two or more of the spec's methods"),
        }
    }
    methods
}

/// `blocks = ["dataset", "ensemble"]`; points of a sweep are no blocks, as they measure the same data again and again.
fn blocks(output: &Output) -> Vec<Dimension> {
    let Some(texts) = output.fields.texts("blocks") else { return vec![Dimension::Dataset] };
    let mut blocks = Vec::new();
    for (name, item) in texts {
        match name {
            "dataset" => blocks.push(Dimension::Dataset),
            "ensemble" => blocks.push(Dimension::Ensemble),
            _ => output.fields.refuse(item, &format!("`{name}` cannot tell blocks apart"), "dataset or ensemble"),
        }
    }
    if let Some(item) = output.fields.item("blocks").filter(|_| !blocks.contains(&Dimension::Dataset)) {
        output.fields.refuse(item, "a ranking is over datasets", "`dataset` among `blocks`");
    }
    blocks
}

fn level(fields: &Fields) -> f64 {
    const USUAL: f64 = 0.05;
    let level = fields.fraction("level");
    if let (Some(0.0 | 1.0), Some(item)) = (level, fields.item("level")) {
        fields.refuse(item, "`level` decides nothing at 0 and at 1", "a number between, such as 0.05");
        return USUAL;
    }
    level.unwrap_or(USUAL)
}

/// What a run costs: less is better, and there is none of it at no cost.
fn cost(output: &Output) -> Option<Fact> {
    const COSTS: [Fact; 4] = [facts::SECONDS, facts::PARALLEL_SECONDS, facts::PEAK_BYTES, facts::BYTES];
    output.fields.choice("cost", &COSTS.map(|cost| (cost.name, cost)))
}
