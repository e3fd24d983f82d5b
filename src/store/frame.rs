//! Results as data frames.

use polars::prelude::{Column, DataFrame, NamedFrom, PolarsResult, Series};

use crate::results::{CellResult, ResultRow};
use crate::spec::{Dimension, Experiment, ValueHere};

/// The column of the memory that programs had; files of earlier versions have none.
pub(super) const PEAK_BYTES: &str = "peak_bytes";

/// One line of `cells.parquet`: a metric of a row, or a row without numbers.
type Line<'r, 'a> = (&'r ResultRow<'a>, Option<(&'static str, f64)>);

/// `cells.parquet`: one line per row and metric, the rows of every universe by themselves; a row without numbers is one line with its reason.
pub(super) fn cells(rows: &[ResultRow], experiment: &Experiment) -> PolarsResult<DataFrame> {
    let lines: Vec<Line> = rows
        .iter()
        .flat_map(|row| {
            let values = row.result.values.iter().map(move |value| (row, Some(*value)));
            let bare = row.result.values.is_empty().then_some((row, None));
            values.chain(bare)
        })
        .collect();
    let forks = (0..experiment.forks.len()).map(|position| fork_column(&lines, experiment, position));
    let sweep = (0..experiment.sweep.len()).map(|position| sweep_column(&lines, experiment, position));
    let columns = forks.chain(sweep).collect();
    frame_of(&lines, columns)
}

fn frame_of(lines: &[Line], open: Vec<Column>) -> PolarsResult<DataFrame> {
    let texts = |name: &str, text: &dyn Fn(&ResultRow) -> String| -> Column {
        Series::new(name.into(), lines.iter().map(|(row, _)| text(row)).collect::<Vec<_>>()).into()
    };
    let mut columns = vec![
        texts("dataset", &|row| row.value_of(Dimension::Dataset).to_string()),
        Series::new(
            "stand_in".into(),
            lines.iter().map(|(row, _)| row.experiment.datasets[row.place.dataset].stand_in).collect::<Vec<_>>(),
        )
        .into(),
        texts("ensemble_kind", &|row| row.value_of(Dimension::Ensemble).to_string()),
    ];
    columns.extend(open);
    let numbers = |name: &str, number: &dyn Fn(&ResultRow) -> Option<u32>| -> Column {
        Series::new(name.into(), lines.iter().map(|(row, _)| number(row)).collect::<Vec<_>>()).into()
    };
    let small = |value: usize| u32::try_from(value).ok();
    columns.extend([
        numbers("ensemble_index", &|row| Some(row.job.index)),
        numbers("size", &|row| small(row.variant.columns.len())),
        Series::new("missing".into(), lines.iter().map(|(row, _)| row.variant.mask.fraction).collect::<Vec<_>>())
            .into(),
        texts("method", &|row| row.value_of(Dimension::Method).to_string()),
        texts("method_name", &|row| row.cell.run.method.name().to_owned()),
        numbers("k", &|row| row.cell.clusters.filter(|_| row.cell.best_over.is_none()).and_then(small)),
        numbers("repeat", &|row| Some(row.cell.repeat)),
        texts("status", &|row| row.result.status.name().to_owned()),
        Series::new("reason".into(), lines.iter().map(|(row, _)| row.result.reason.clone()).collect::<Vec<_>>()).into(),
        Series::new("metric".into(), lines.iter().map(|(_, value)| value.map(|(name, _)| name)).collect::<Vec<_>>())
            .into(),
        Series::new("value".into(), lines.iter().map(|(_, value)| value.map(|(_, value)| value)).collect::<Vec<_>>())
            .into(),
        texts("ensemble", &|row| row.variant.ensemble.to_string()),
        texts("cell", &|row| row.cell.id.to_string()),
    ]);
    DataFrame::new(lines.len(), columns)
}

/// `cells.parquet` of an experiment without results.
pub(super) fn no_cells() -> PolarsResult<DataFrame> {
    frame_of(&[], Vec::new())
}

/// Which option of a fork is active.
fn fork_column(lines: &[Line], experiment: &Experiment, position: usize) -> Column {
    let fork = &experiment.forks[position];
    let universes = 0..experiment.universe_count();
    let labels: Vec<&str> =
        universes.map(|index| fork.options[experiment.universe_options(index)[position]].label.as_str()).collect();
    let values: Vec<&str> = lines.iter().map(|(row, _)| labels[row.place.universe]).collect();
    Series::new(format!("fork.{}", fork.id).into(), values).into()
}

/// A swept key: as numbers where every value of the sweep is one.
fn sweep_column(lines: &[Line], experiment: &Experiment, position: usize) -> Column {
    let name = format!("sweep.{}", experiment.sweep[position]);
    let swept = Dimension::Sweep(position);
    let values = lines.iter().map(|(row, _)| row.value_of(swept));
    if experiment.values_of(swept).iter().all(|value| value.number().is_some()) {
        Series::new(name.into(), values.map(ValueHere::number).collect::<Vec<_>>()).into()
    } else {
        Series::new(name.into(), values.map(|value| value.to_string()).collect::<Vec<_>>()).into()
    }
}

/// `timings.parquet`: what depends on the machine, one line per cell.
pub(super) fn timings(rows: &[ResultRow]) -> PolarsResult<DataFrame> {
    let texts = |name: &str, text: &dyn Fn(&ResultRow) -> String| -> Column {
        Series::new(name.into(), rows.iter().map(text).collect::<Vec<_>>()).into()
    };
    let columns = vec![
        texts("cell", &|row| row.cell.id.to_string()),
        texts("dataset", &|row| row.value_of(Dimension::Dataset).to_string()),
        texts("method", &|row| row.value_of(Dimension::Method).to_string()),
        Series::new("seconds".into(), rows.iter().map(|row| row.result.seconds).collect::<Vec<_>>()).into(),
        Series::new("parallel_seconds".into(), rows.iter().map(|row| row.result.parallel_seconds).collect::<Vec<_>>())
            .into(),
        Series::new(PEAK_BYTES.into(), rows.iter().map(|row| row.result.peak_bytes).collect::<Vec<_>>()).into(),
    ];
    DataFrame::new(rows.len(), columns)
}

/// `archive.parquet`: finished cells of other plans, one line per cell and metric.
pub(super) fn archive(results: &[&CellResult]) -> PolarsResult<DataFrame> {
    let lines: Vec<(&CellResult, Option<(&'static str, f64)>)> = results
        .iter()
        .flat_map(|result| {
            let values = result.values.iter().map(move |value| (*result, Some(*value)));
            values.chain(result.values.is_empty().then_some((*result, None)))
        })
        .collect();
    let columns = vec![
        Series::new("cell".into(), lines.iter().map(|(result, _)| result.id.to_string()).collect::<Vec<_>>()).into(),
        Series::new("status".into(), lines.iter().map(|(result, _)| result.status.name()).collect::<Vec<_>>()).into(),
        Series::new("reason".into(), lines.iter().map(|(result, _)| result.reason.clone()).collect::<Vec<_>>()).into(),
        Series::new("metric".into(), lines.iter().map(|(_, value)| value.map(|(name, _)| name)).collect::<Vec<_>>())
            .into(),
        Series::new("value".into(), lines.iter().map(|(_, value)| value.map(|(_, value)| value)).collect::<Vec<_>>())
            .into(),
        Series::new("seconds".into(), lines.iter().map(|(result, _)| result.seconds).collect::<Vec<_>>()).into(),
        Series::new(
            "parallel_seconds".into(),
            lines.iter().map(|(result, _)| result.parallel_seconds).collect::<Vec<_>>(),
        )
        .into(),
        Series::new(PEAK_BYTES.into(), lines.iter().map(|(result, _)| result.peak_bytes).collect::<Vec<_>>()).into(),
    ];
    DataFrame::new(lines.len(), columns)
}
