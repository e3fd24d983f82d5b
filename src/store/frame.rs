//! Results as data frames.

use std::cmp::Ordering;

use polars::prelude::{Column, DataFrame, NamedFrom, PolarsResult, Series};

use super::{CellResult, Finished};
use crate::plan::{Cell, Job, Place, Plan, Variant};
use crate::spec::{Experiment, PointValue};

/// A result where it is used: one for every place of every finished cell of the plan.
#[derive(Clone, Copy)]
pub struct ResultRow<'a> {
    /// The experiment.
    pub experiment: &'a Experiment,
    /// The ensemble before anything was deleted.
    pub job: &'a Job,
    /// The ensemble.
    pub variant: &'a Variant,
    /// The run.
    pub cell: &'a Cell,
    /// Where it is used.
    pub place: Place,
    /// What came of it.
    pub result: &'a CellResult,
}

impl<'a> ResultRow<'a> {
    /// All rows in their total order.
    #[must_use]
    pub fn all(plan: &'a Plan, finished: &'a Finished) -> Vec<Self> {
        let mut rows: Vec<Self> = plan
            .cells()
            .filter_map(|(job, variant, cell)| Some((job, variant, cell, finished.get(&cell.id)?)))
            .flat_map(|(job, variant, cell, result)| {
                let row = move |place| Self { experiment: &plan.experiment, job, variant, cell, place, result };
                cell.places.iter().copied().map(row)
            })
            .collect();
        rows.sort_by(Self::order);
        rows
    }

    /// Label of the dataset.
    #[must_use]
    pub fn dataset(&self) -> &'a str {
        &self.experiment.datasets[self.place.dataset].label
    }

    /// Label of the kind of ensemble.
    #[must_use]
    pub fn kind(&self) -> &'a str {
        &self.experiment.points[self.place.point].setting.ensembles[self.place.ensemble].label
    }

    /// Label of the method.
    #[must_use]
    pub fn method(&self) -> &'a str {
        &self.experiment.points[self.place.point].setting.methods[self.place.method].label
    }

    /// Values of the swept keys.
    #[must_use]
    pub fn point(&self) -> &'a [PointValue] {
        &self.experiment.points[self.place.point].values
    }

    /// A total order that depends on labels and values only, so that a method or dataset more moves no other row
    /// relative to the rest.
    fn order(&self, other: &Self) -> Ordering {
        self.dataset()
            .cmp(other.dataset())
            .then_with(|| self.kind().cmp(other.kind()))
            .then_with(|| order_of_points(self.point(), other.point()))
            .then_with(|| self.job.index.cmp(&other.job.index))
            .then_with(|| self.method().cmp(other.method()))
            .then_with(|| self.cell.repeat.cmp(&other.cell.repeat))
    }
}

fn order_of_points(one: &[PointValue], other: &[PointValue]) -> Ordering {
    let order = |pair: (&PointValue, &PointValue)| match pair {
        (PointValue::Number(a), PointValue::Number(b)) => a.total_cmp(b),
        (PointValue::Text(a), PointValue::Text(b)) => a.cmp(b),
        (PointValue::Number(_), PointValue::Text(_)) => Ordering::Less,
        (PointValue::Text(_), PointValue::Number(_)) => Ordering::Greater,
    };
    one.iter().zip(other).map(order).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

/// One line of `cells.parquet`: a metric of a row, or a row without numbers.
type Line<'r, 'a> = (&'r ResultRow<'a>, Option<(&'static str, f64)>);

/// `cells.parquet`: one line per row and metric; a row without numbers is one line with its reason.
pub(super) fn cells(rows: &[ResultRow], experiment: &Experiment) -> PolarsResult<DataFrame> {
    let lines: Vec<Line> = rows
        .iter()
        .flat_map(|row| {
            let values = row.result.values.iter().map(move |value| (row, Some(*value)));
            let bare = row.result.values.is_empty().then_some((row, None));
            values.chain(bare)
        })
        .collect();
    let sweep = (0..experiment.sweep.len()).map(|position| sweep_column(&lines, experiment, position)).collect();
    frame_of(&lines, sweep)
}

fn frame_of(lines: &[Line], sweep: Vec<Column>) -> PolarsResult<DataFrame> {
    let texts = |name: &str, text: &dyn Fn(&ResultRow) -> String| -> Column {
        Series::new(name.into(), lines.iter().map(|(row, _)| text(row)).collect::<Vec<_>>()).into()
    };
    let mut columns = vec![
        texts("dataset", &|row| row.dataset().to_owned()),
        Series::new(
            "stand_in".into(),
            lines.iter().map(|(row, _)| row.experiment.datasets[row.place.dataset].stand_in).collect::<Vec<_>>(),
        )
        .into(),
        texts("ensemble_kind", &|row| row.kind().to_owned()),
    ];
    columns.extend(sweep);
    let numbers = |name: &str, number: &dyn Fn(&ResultRow) -> Option<u32>| -> Column {
        Series::new(name.into(), lines.iter().map(|(row, _)| number(row)).collect::<Vec<_>>()).into()
    };
    let small = |value: usize| u32::try_from(value).ok();
    columns.extend([
        numbers("ensemble_index", &|row| Some(row.job.index)),
        numbers("size", &|row| small(row.variant.columns.len())),
        Series::new("missing".into(), lines.iter().map(|(row, _)| row.variant.mask.fraction).collect::<Vec<_>>())
            .into(),
        texts("method", &|row| row.method().to_owned()),
        texts("method_name", &|row| row.cell.run.method.name().to_owned()),
        numbers("k", &|row| row.cell.clusters.and_then(small)),
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

/// A swept key: as numbers where every value of the sweep is one.
fn sweep_column(lines: &[Line], experiment: &Experiment, position: usize) -> Column {
    let name = format!("sweep.{}", experiment.sweep[position]);
    let number = |value: &PointValue| match value {
        PointValue::Number(number) => Some(*number),
        PointValue::Text(_) => None,
    };
    let values = lines.iter().map(|(row, _)| &row.point()[position]);
    if experiment.points.iter().all(|point| number(&point.values[position]).is_some()) {
        Series::new(name.into(), values.map(number).collect::<Vec<_>>()).into()
    } else {
        Series::new(name.into(), values.map(PointValue::to_string).collect::<Vec<_>>()).into()
    }
}

/// `timings.parquet`: what depends on the machine, one line per cell.
pub(super) fn timings(rows: &[ResultRow]) -> PolarsResult<DataFrame> {
    let texts = |name: &str, text: &dyn Fn(&ResultRow) -> String| -> Column {
        Series::new(name.into(), rows.iter().map(text).collect::<Vec<_>>()).into()
    };
    let columns = vec![
        texts("cell", &|row| row.cell.id.to_string()),
        texts("dataset", &|row| row.dataset().to_owned()),
        texts("method", &|row| row.method().to_owned()),
        Series::new("seconds".into(), rows.iter().map(|row| row.result.seconds).collect::<Vec<_>>()).into(),
        Series::new("parallel_seconds".into(), rows.iter().map(|row| row.result.parallel_seconds).collect::<Vec<_>>())
            .into(),
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
    ];
    DataFrame::new(lines.len(), columns)
}
