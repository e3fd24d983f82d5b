//! Printed numbers of tables and figures.

use std::rc::Rc;

use super::number::{AllowedWidth, JudgedNumber, PrintedText, judge};
use crate::claim::audit::number::AuditedNumber;
use crate::claim::model::{Lack, NotRun};
use crate::claim::place::missing;
use crate::claim::repeats::Repeats;
use crate::claim::source::{ResultSource, ShownMetric, not_at_this_scale, not_counted};
use crate::claim::{Evidence, Verdict};
use crate::results::{At, combinations, known_place, spelled_out};
use crate::spec::{
    Absent, Dimension, Experiment, FigureRequest, Filter, PointValue, PrintedNumber, Published, Show, Statistic,
    TableRequest, is_no_number,
};

/// What tables and figures have in common.
pub(crate) struct Sheet<'a> {
    pub(crate) id: &'a str,
    pub(crate) dimensions: Vec<Dimension>,
    pub(crate) metrics: &'a [String],
    pub(crate) statistics: Vec<Statistic>,
    pub(crate) show: Show,
    pub(crate) filter: &'a Filter,
    pub(crate) published: &'a Published,
}

impl<'a> Sheet<'a> {
    pub(crate) fn of_table(table: &'a TableRequest) -> Self {
        Self {
            id: &table.id,
            dimensions: table.rows.iter().chain(&table.columns).copied().collect(),
            metrics: &table.metrics,
            statistics: table.statistics.clone(),
            show: table.show,
            filter: &table.filter,
            published: &table.published,
        }
    }

    pub(crate) fn of_figure(figure: &'a FigureRequest) -> Self {
        Self {
            id: &figure.id,
            dimensions: [Some(figure.x), Some(figure.series), figure.panel].into_iter().flatten().collect(),
            metrics: std::slice::from_ref(&figure.metric),
            statistics: vec![Statistic::Mean],
            show: figure.show,
            filter: &figure.filter,
            published: &figure.published,
        }
    }
}

/// A number of a sheet that the paper printed, too.
pub(crate) struct PrintedCell<'a> {
    /// What is known of where it stands.
    pub(crate) place: At,
    /// As it is shown.
    pub(crate) name: String,
    pub(crate) printed: AuditedNumber<'a>,
}

/// The printed numbers that stand in a sheet.
pub(crate) fn cells<'a>(sheet: &Sheet<'a>, experiment: &Experiment) -> Vec<PrintedCell<'a>> {
    let mut cells = Vec::new();
    for values in combinations(experiment, &sheet.dimensions, sheet.filter) {
        let asked: At = sheet.dimensions.iter().copied().zip(values).collect();
        let name: Vec<String> =
            asked.iter().map(|(dimension, value)| spelled_out(experiment, *dimension, value)).collect();
        let place = known_place(experiment, sheet.filter, asked);
        for metric in sheet.metrics {
            for &statistic in &sheet.statistics {
                let Some(text) = sheet.published.find(&place, statistic).filter(|text| !is_no_number(text)) else {
                    continue;
                };
                let mut name = name.clone();
                if sheet.metrics.len() > 1 {
                    name.push(metric.clone());
                }
                if sheet.statistics.len() > 1 {
                    name.push(statistic.name().to_owned());
                }
                let printed = AuditedNumber { text, metric, statistic, show: sheet.show, published: sheet.published };
                cells.push(PrintedCell { place: place.clone(), name: name.join(", "), printed });
            }
        }
    }
    cells
}

/// One line for every printed number: those that stand in the sheet, and those that this run has no place for.
pub(super) fn judged(sheet: &Sheet, source: &dyn ResultSource, repeats: &[Rc<Repeats>]) -> Vec<JudgedNumber> {
    let experiment = source.experiment();
    let cells = cells(sheet, experiment);
    let without = numbers_of(sheet, experiment).filter(|entry| {
        let shown = |cell: &PrintedCell| entry.is(cell.printed.statistic) && entry.is_at(&cell.place);
        !cells.iter().any(shown)
    });
    let without = without.map(|entry| {
        let place = entry.at.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>().join(", ");
        let place = if sheet.statistics.len() > 1 { format!("{place}, {}", entry.statistic()) } else { place };
        let dimension =
            |(dimension, text): &(Dimension, String)| (dimension.key(&experiment.sweep).to_owned(), text.clone());
        let at = entry.at.iter().map(dimension).chain([("statistic".to_owned(), entry.statistic().to_owned())]);
        let lack = match sheet.published.is_copy(&entry.at) {
            true => copied(),
            false => absent(entry, sheet).unwrap_or_else(|| why_without(entry, sheet, experiment)),
        };
        let evidence = Evidence { printed: Some(entry.text.clone()), ..missing(place, &lack) };
        JudgedNumber { evidence: evidence.standing_at(at.collect()), contradicted: Vec::new() }
    });
    cells.iter().map(|cell| one(cell, source, repeats)).chain(without).collect()
}

/// How many printed numbers are of this sheet.
pub(super) fn numbers(sheet: &Sheet, experiment: &Experiment) -> usize {
    numbers_of(sheet, experiment).count()
}

fn numbers_of<'a>(sheet: &'a Sheet<'a>, experiment: &Experiment) -> impl Iterator<Item = &'a PrintedNumber> {
    let entries = sheet.published.entries().iter();
    entries.filter(|entry| !is_no_number(&entry.text) && belongs(entry, sheet, experiment))
}

fn one(cell: &PrintedCell, source: &dyn ResultSource, repeats: &[Rc<Repeats>]) -> JudgedNumber {
    let AuditedNumber { text, metric, statistic, show, .. } = cell.printed;
    let allowed = match statistic {
        Statistic::Sd => AllowedWidth::of_spread(metric, show, text),
        _ => AllowedWidth::of(metric, show, text),
    };
    let printed = PrintedText { text, allowed, metric, show };
    let sample = match cell.printed.published.is_copy(&written(&cell.place)) {
        true => Err(copied()),
        false => source.sample(&cell.place, ShownMetric { metric, show }),
    };
    let mut found = match sample {
        Ok(sample) => judge(cell.name.clone(), &sample, statistic, &printed, repeats),
        Err(lack) => {
            let evidence = Evidence { printed: Some(text.to_owned()), ..missing(cell.name.clone(), &lack) };
            JudgedNumber { evidence, contradicted: Vec::new() }
        }
    };
    let sweep = &source.experiment().sweep;
    let at = cell.place.iter().map(|(dimension, value)| (dimension.key(sweep).to_owned(), value.to_string()));
    let what =
        [("metric", metric), ("statistic", statistic.name())].map(|(key, name)| (key.to_owned(), name.to_owned()));
    found.evidence = found.evidence.standing_at(at.chain(what).collect());
    if let Some(reason) = cell.printed.impossible(&cell.place, source.experiment()) {
        found.evidence.verdict = Verdict::Impossible;
        found.evidence.reason = reason;
        found.contradicted.clear();
    }
    found
}

/// A place as a file would say it.
fn written(place: &At) -> Vec<(Dimension, String)> {
    place.iter().map(|(dimension, value)| (*dimension, value.to_string())).collect()
}

/// Why a number of what the spec does not have is not judged.
fn absent(entry: &PrintedNumber, sheet: &Sheet) -> Option<Lack> {
    let Absent { values, because } = sheet.published.absent(entry)?;
    Some(Lack::new(because.into(), format!("the spec does not have {}", values.join(" and "))))
}

/// Why a copy is not judged: it says nothing of the place where it stands.
fn copied() -> Lack {
    Lack::new(NotRun::NotTestable, "the spec calls it a copy of a number of another place".to_owned())
}

/// Whether a printed number is of this experiment at the paper's scale, or of what the spec says that it does not have; files hold
/// those of other tables, too.
pub(crate) fn belongs(entry: &PrintedNumber, sheet: &Sheet, experiment: &Experiment) -> bool {
    let mut present = entry.at.iter().filter(|(dimension, _)| !sheet.published.is_absent_on(entry, *dimension));
    present.all(|(dimension, _)| {
        let is = |value: &PointValue| entry.has(*dimension, value);
        let admitted = sheet.filter.iter().filter(|(on, _)| on == dimension).all(|(_, values)| values.iter().any(is));
        admitted && extent(experiment, *dimension).iter().any(is)
    })
}

/// The values that a dimension has at the paper's scale.
fn extent(experiment: &Experiment, dimension: Dimension) -> &[PointValue] {
    let key = dimension.key(&experiment.sweep);
    experiment.paper_extent.iter().find(|(known, _)| known == key).map_or(&[], |(_, values)| values)
}

fn why_without(entry: &PrintedNumber, sheet: &Sheet, experiment: &Experiment) -> Lack {
    if !sheet.statistics.iter().any(|statistic| entry.is(*statistic)) {
        return Lack::new(NotRun::NotTestable, format!("the {} is not shown", entry.statistic()));
    }
    let dataset = entry.at.iter().find(|(dimension, _)| *dimension == Dimension::Dataset);
    let not_counted = dataset.and_then(|(_, label)| not_counted(experiment, label));
    not_counted.unwrap_or_else(|| not_at_this_scale(experiment))
}
