//! `costs.parquet`: what kinds of work took on this machine, a line for each. Estimates rest on it, and no number of a report does: a
//! file that cannot be read is as good as none.

use std::collections::BTreeMap;
use std::path::Path;

use polars::prelude::{DataFrame, NamedFrom, PolarsResult, Series};

use super::folder::HeldFolder;
use super::{COSTS, Provenance, StoreError, compact, parquet};
use crate::plan::{LikelyWork, WorkKind, WorkStep};

/// What work of one kind took.
#[derive(Debug, Clone)]
pub struct WorkCost {
    /// Which work.
    pub kind: WorkKind,
    /// How often it was done.
    pub count: f64,
    /// What it took in the mean, waiting for nothing but itself.
    pub seconds: f64,
}

/// The costs of every experiment under a folder of results; nothing of those that cannot be read.
#[must_use]
pub fn load(results: &Path) -> Vec<WorkCost> {
    let Ok(entries) = std::fs::read_dir(results) else { return Vec::new() };
    let mut folders: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    folders.sort();
    folders.iter().flat_map(|folder| read(&folder.join(COSTS))).collect()
}

fn read(path: &Path) -> Vec<WorkCost> {
    let Ok(Some(stored)) = parquet::open(path) else { return Vec::new() };
    lines(&stored.frame).unwrap_or_default()
}

fn lines(frame: &DataFrame) -> PolarsResult<Vec<WorkCost>> {
    let [step, name, data, ensembles] = ["step", "name", "data", "ensembles"].map(|name| frame.column(name));
    let (step, name, data, ensembles) = (step?.str()?, name?.str()?, data?.str()?, ensembles?.str()?);
    let [columns, clusters] = ["columns", "clusters"].map(|name| frame.column(name));
    let (columns, clusters) = (columns?.u32()?, clusters?.u32()?);
    let [operations, likely, scored] = ["operations", "likely_operations", "scored"].map(|name| frame.column(name));
    let (operations, likely, scored) = (operations?.f64()?, likely?.f64()?, scored?.f64()?);
    let [count, seconds] = ["count", "seconds"].map(|name| frame.column(name));
    let (count, seconds) = (count?.f64()?, seconds?.f64()?);
    let line = |line: usize| {
        let kind = WorkKind {
            step: WorkStep::parse(step.get(line)?)?,
            name: name.get(line)?.into(),
            data: data.get(line)?.into(),
            ensembles: ensembles.get(line)?.into(),
            columns: columns.get(line)? as usize,
            clusters: clusters.get(line)? as usize,
            operations: operations.get(line)?,
            likely: LikelyWork { operations: likely.get(line)?, scored: scored.get(line)? },
        };
        let cost = WorkCost { kind, count: count.get(line)?, seconds: seconds.get(line)? };
        (cost.count >= 1.0 && cost.seconds >= 0.0 && cost.seconds.is_finite()).then_some(cost)
    };
    Ok((0..frame.height()).filter_map(line).collect())
}

/// Adds what was measured now to what the folder has; a kind that was measured again has its new cost.
pub(super) fn add(held: &HeldFolder, measured: &[WorkCost], provenance: &Provenance) -> Result<(), StoreError> {
    let known = read(&held.path().join(COSTS));
    let all = known.iter().chain(measured);
    let lines: BTreeMap<String, &WorkCost> = all.map(|cost| (name_of(&cost.kind), cost)).collect();
    let costs: Vec<&WorkCost> = lines.into_values().collect();
    compact::replace(held, COSTS, provenance, std::iter::once(frame(&costs)))
}

/// What tells a kind of work from all others.
fn name_of(kind: &WorkKind) -> String {
    let WorkKind { step, name, data, ensembles, columns, clusters, operations, likely: _ } = kind;
    format!("{}\n{name}\n{data}\n{ensembles}\n{columns}\n{clusters}\n{operations}", step.name())
}

/// The file of an experiment of which nothing was measured.
pub(super) fn none() -> PolarsResult<DataFrame> {
    frame(&[])
}

fn frame(costs: &[&WorkCost]) -> PolarsResult<DataFrame> {
    let texts = |name: &str, text: &dyn Fn(&WorkKind) -> String| {
        Series::new(name.into(), costs.iter().map(|cost| text(&cost.kind)).collect::<Vec<_>>()).into()
    };
    let counts = |name: &str, count: &dyn Fn(&WorkKind) -> usize| {
        let counts = costs.iter().map(|cost| u32::try_from(count(&cost.kind)).unwrap_or(u32::MAX));
        Series::new(name.into(), counts.collect::<Vec<_>>()).into()
    };
    let numbers = |name: &str, number: &dyn Fn(&WorkCost) -> f64| {
        Series::new(name.into(), costs.iter().map(|cost| number(cost)).collect::<Vec<_>>()).into()
    };
    let columns = vec![
        texts("step", &|kind| kind.step.name().to_owned()),
        texts("name", &|kind| kind.name.to_string()),
        texts("data", &|kind| kind.data.to_string()),
        texts("ensembles", &|kind| kind.ensembles.to_string()),
        counts("columns", &|kind| kind.columns),
        counts("clusters", &|kind| kind.clusters),
        numbers("operations", &|cost| cost.kind.operations),
        numbers("likely_operations", &|cost| cost.kind.likely.operations),
        numbers("scored", &|cost| cost.kind.likely.scored),
        numbers("count", &|cost| cost.count),
        numbers("seconds", &|cost| cost.seconds),
    ];
    DataFrame::new(costs.len(), columns)
}
