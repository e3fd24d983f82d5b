//! One value of each method in each block.

use std::collections::{BTreeMap, BTreeSet};

use crate::facts::PEAK_BYTES;
use crate::results::ResultRow;
use crate::results::{RowSet, combinations};
use crate::spec::{Dimension, Experiment, PointValue, RankingRequest};
use crate::stats;

/// What can be ranked, and what cannot.
pub(super) struct Measured {
    /// Labels of the methods that are run on these blocks.
    pub(super) methods: Vec<String>,
    /// Blocks in which every method has a number.
    pub(super) blocks: Vec<Block>,
    /// The other blocks, and why.
    pub(super) left_out: Vec<(String, String)>,
    /// Methods that the spec does not run on some of these blocks' ensembles.
    pub(super) not_run: Vec<String>,
}

/// One block.
pub(super) struct Block {
    pub(super) name: String,
    /// What is ranked, as it is shown: as many as there are methods.
    pub(super) values: Vec<f64>,
    /// What a run cost, likewise.
    pub(super) costs: Vec<Option<f64>>,
    /// The most memory that a run had, likewise; of programs only.
    pub(super) peaks: Vec<Option<f64>>,
}

impl Measured {
    pub(super) fn gather(request: &RankingRequest, experiment: &Experiment, rows: &[ResultRow]) -> Self {
        let (methods, not_run): (Vec<String>, Vec<String>) =
            request.methods.iter().cloned().partition(|method| is_run_everywhere(request, experiment, method));
        let selection = RowSet::new(rows, &request.filter);
        let mut measured = Self { methods, blocks: Vec::new(), left_out: Vec::new(), not_run };
        for values in combinations(experiment, &request.blocks, &request.filter) {
            if kinds(request, experiment, &values).is_empty() {
                continue;
            }
            let name = values.iter().map(PointValue::to_string).collect::<Vec<_>>().join(", ");
            let runs = selection.at(&request.blocks, &values);
            match block(request, &measured.methods, &runs) {
                Ok(BlockNumbers { values, costs, peaks }) => measured.blocks.push(Block { name, values, costs, peaks }),
                Err(reason) => measured.left_out.push((name, reason)),
            }
        }
        measured
    }
}

/// Labels of the kinds of ensembles that a block has.
fn kinds<'a>(request: &RankingRequest, experiment: &'a Experiment, values: &[PointValue]) -> Vec<&'a str> {
    let at = |asked: Dimension| request.blocks.iter().zip(values).find(|(block, _)| **block == asked).map(|(_, v)| v);
    let is = |label: &str, value: &PointValue| value.to_string() == label;
    let dataset =
        experiment.datasets.iter().find(|data| at(Dimension::Dataset).is_some_and(|value| is(&data.label, value)));
    let admitted = |label: &str| {
        let admits = |(dimension, values): &(Dimension, Vec<PointValue>)| {
            *dimension != Dimension::Ensemble || values.iter().any(|value| is(label, value))
        };
        request.filter.iter().all(admits) && at(Dimension::Ensemble).is_none_or(|value| is(label, value))
    };
    let ensembles = experiment.points[0].setting.ensembles.iter();
    let made = ensembles.filter(|kind| admitted(&kind.label) && dataset.is_some_and(|data| kind.is_made_of(data)));
    made.map(|kind| kind.label.as_str()).collect()
}

fn is_run_everywhere(request: &RankingRequest, experiment: &Experiment, method: &str) -> bool {
    let setting = experiment.points[0].setting.methods.iter().find(|setting| setting.label == method);
    let blocks = combinations(experiment, &request.blocks, &request.filter);
    let mut met = blocks.iter().flat_map(|values| kinds(request, experiment, values));
    setting.is_some_and(|setting| met.all(|kind| setting.is_run_on(kind)))
}

/// Values and costs of every method in a block.
#[derive(Default)]
struct BlockNumbers {
    values: Vec<f64>,
    costs: Vec<Option<f64>>,
    peaks: Vec<Option<f64>>,
}

/// The numbers of a block, or why a method has none.
fn block(request: &RankingRequest, methods: &[String], runs: &RowSet) -> Result<BlockNumbers, String> {
    let of_method = |method: &String| runs.at(&[Dimension::Method], &[PointValue::Text(method.clone())]);
    let by_ensemble: Vec<BTreeMap<String, f64>> =
        methods.iter().map(|method| of_method(method).by_ensemble(&request.metric)).collect();
    let ensembles: BTreeSet<&String> = by_ensemble.iter().flat_map(BTreeMap::keys).collect();
    let mut numbers = BlockNumbers::default();
    for (method, means) in methods.iter().zip(&by_ensemble) {
        let own = of_method(method);
        // A mean over the runs that happened to end would be of other ensembles than the rivals'.
        let missing = own.without(&request.metric);
        if means.is_empty() || means.len() < ensembles.len() || missing > 0 {
            let of_how_many =
                if means.is_empty() { String::new() } else { format!("{missing} runs without a number, ") };
            return Err(format!("{method}: {of_how_many}{}", own.reason()));
        }
        let mean = |metric: &str| stats::mean(&own.by_ensemble(metric).into_values().collect::<Vec<_>>());
        let value = mean(&request.metric).map(|value| request.show.apply(value)).filter(|value| value.is_finite());
        numbers.values.push(value.ok_or_else(|| format!("{method}: its number is not finite"))?);
        numbers.costs.push(request.cost.and_then(|cost| mean(cost.name)));
        numbers.peaks.push(own.values(PEAK_BYTES.name).into_iter().reduce(f64::max));
    }
    Ok(numbers)
}
