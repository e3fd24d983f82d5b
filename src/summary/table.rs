use super::model::{Column, ColumnQuantity, NumberForm, Row, Table, TableCell};
use super::own::own_first;
use super::quiet;
use super::significance::Marker;
use super::spread::{ShownSpread, ShownValues};
use super::verdicts::PrintedVerdicts;
use crate::claim::audit::number::AuditedNumber;
use crate::facts::direction_of;
use crate::metric::Direction;
use crate::results::ResultRow;
use crate::results::{RowSet, is_asked, known_place, name_of, spelled_out};
use crate::spec::{Dimension, Experiment, PointValue, Show, Statistic, TableRequest};
use crate::stats;

/// A value column before it is filled.
pub(super) struct Slot<'a> {
    values: Vec<PointValue>,
    pub(super) metric: &'a str,
    pub(super) statistic: Statistic,
}

/// What other parts of a page say of the cells of its tables.
#[derive(Clone, Copy)]
pub(super) struct CellKnowledge<'a> {
    /// What came of the printed numbers.
    pub(super) verdicts: &'a PrintedVerdicts,
    /// The page's paired tests.
    pub(super) marker: &'a Marker<'a>,
}

/// Fills a table.
pub(super) fn fill(request: &TableRequest, experiment: &Experiment, rows: &[ResultRow], known: CellKnowledge) -> Table {
    let CellKnowledge { verdicts, marker } = known;
    let slots = slots(request, experiment);
    let selection = RowSet::new(rows, &request.filter);
    let mut marks = Vec::new();
    let filled = own_first(experiment, &request.rows, &request.filter).into_iter().map(|keys| {
        let of_row = selection.at(&request.rows, &keys);
        let mut cells: Vec<TableCell> = slots.iter().map(|slot| cell(request, &of_row, slot)).collect();
        for (cell, slot) in cells.iter_mut().zip(&slots) {
            let rows = request.rows.iter().copied().zip(keys.iter().cloned());
            let asked = rows.chain(request.columns.iter().copied().zip(slot.values.iter().cloned()));
            let place = known_place(experiment, &request.filter, asked);
            if cell.value.is_none() && !is_asked(experiment, &place) {
                cell.note = Some("not run on this kind of ensemble".to_owned());
            }
            cell.printed = request.published.find(&place, slot.statistic).map(str::to_owned);
            let printed = cell.printed.as_deref().map(|text| AuditedNumber {
                text,
                metric: slot.metric,
                statistic: slot.statistic,
                show: request.show,
                published: &request.published,
            });
            cell.verdict = cell.printed.as_ref().and_then(|_| {
                let at = place.iter().map(|(on, value)| (on.key(&experiment.sweep).to_owned(), value.to_string()));
                verdicts.at(at.chain(slot.what()))
            });
            if let Some(reason) = printed.and_then(|printed| printed.impossible(&place, experiment)) {
                cell.note.get_or_insert(reason);
            }
            marks.push(marker.marks(slot.metric, slot.statistic, &place));
        }
        if request.columns.contains(&Dimension::Method) {
            mark_best(request, &slots, &mut cells);
        }
        Row { keys: keys.iter().map(PointValue::to_string).collect(), cells }
    });
    let mut filled: Vec<Row> = filled.collect();
    write_counts_whole(request, &slots, &mut filled);
    let (marks, references) = marker.describe(marks);
    filled.iter_mut().flat_map(|row| &mut row.cells).zip(marks).for_each(|(cell, marks)| cell.marks = marks);
    Table {
        id: request.id.clone(),
        title: request.title.clone(),
        caption: request.caption.clone(),
        keys: request.rows.iter().map(|dimension| name_of(experiment, *dimension)).collect(),
        columns: slots.iter().map(|slot| heading(request, experiment, slot)).collect(),
        digits: request.digits,
        references,
        across: across(request, experiment),
        quiet: quiet::columns(request, &slots, &filled),
        rows: filled,
    }
}

/// Counts have no decimals in columns where all of them are whole.
fn write_counts_whole(request: &TableRequest, slots: &[Slot], rows: &mut [Row]) {
    for (at, _) in slots.iter().enumerate().filter(|(_, slot)| request.show == Show::Value && is_count(slot.metric)) {
        let is_whole = |row: &Row| row.cells[at].value.is_none_or(|value| value.fract() == 0.0);
        let is_sure = |row: &Row| row.cells[at].half_width.is_none_or(|half| half == 0.0);
        if rows.iter().all(|row| is_whole(row) && is_sure(row)) {
            rows.iter_mut().for_each(|row| row.cells[at].form = NumberForm::Fixed(0));
        }
    }
}

/// Whether single runs have whole numbers of it.
fn is_count(metric: &str) -> bool {
    matches!(metric, "clusters" | "iterations" | "bytes" | "messages" | "rounds" | "microclusters" | "links")
}

fn slots<'a>(request: &'a TableRequest, experiment: &Experiment) -> Vec<Slot<'a>> {
    let mut slots = Vec::new();
    for values in own_first(experiment, &request.columns, &request.filter) {
        for metric in &request.metrics {
            for &statistic in &request.statistics {
                slots.push(Slot { values: values.clone(), metric, statistic });
            }
        }
    }
    slots
}

/// What the columns are, in as many levels as their headings have.
fn across(request: &TableRequest, experiment: &Experiment) -> Vec<String> {
    let names: Vec<String> = request.columns.iter().map(|dimension| name_of(experiment, *dimension)).collect();
    let what = match (request.metrics.len(), request.statistics.len()) {
        (1, 1) => None,
        (1, _) => Some("statistic"),
        (_, 1) => Some("metric"),
        _ => Some("metric and statistic"),
    };
    let names = (!names.is_empty()).then(|| names.join(", "));
    let all: Vec<String> = names.into_iter().chain(what.map(str::to_owned)).collect();
    if all.is_empty() { vec!["metric".to_owned()] } else { all }
}

fn heading(request: &TableRequest, experiment: &Experiment, slot: &Slot) -> Column {
    let values = request.columns.iter().zip(&slot.values);
    let values: Vec<String> = values.map(|(dimension, value)| spelled_out(experiment, *dimension, value)).collect();
    let mut parts = Vec::new();
    if request.metrics.len() > 1 {
        parts.push(request.show.describe(slot.metric));
    }
    if request.statistics.len() > 1 {
        parts.push(slot.statistic.name().to_owned());
    }
    let (group, name) = match (values.is_empty(), parts.is_empty()) {
        (false, true) => (None, values.join(", ")),
        (false, false) => (Some(values.join(", ")), parts.join(" ")),
        (true, true) => (None, request.show.describe(slot.metric)),
        (true, false) => (None, parts.join(" ")),
    };
    let quantity = ColumnQuantity { metric: request.show.describe(slot.metric), statistic: slot.statistic };
    Column { group, name, quantity: Some(quantity) }
}

fn cell(request: &TableRequest, of_row: &RowSet, slot: &Slot) -> TableCell {
    let runs = of_row.at(&request.columns, &slot.values);
    let values: Vec<f64> = runs.values(slot.metric).into_iter().map(|value| request.show.apply(value)).collect();
    if values.is_empty() {
        return TableCell { note: Some(runs.reason()), ..TableCell::default() };
    }
    let spread = (slot.statistic == Statistic::Mean)
        .then(|| ShownValues { metric: slot.metric, show: request.show }.of_mean(&runs));
    let (interval, half_width) = match spread {
        Some(ShownSpread::Interval { ends, half_width }) => (Some(ends), half_width),
        Some(ShownSpread::Values(_)) | None => (None, None),
    };
    let value = match slot.statistic {
        Statistic::Selected => runs.selected(slot.metric).map(|value| request.show.apply(value)),
        of_values => statistic(of_values, &values),
    };
    TableCell { value, half_width, interval, n: values.len(), ..TableCell::default() }
}

fn statistic(statistic: Statistic, values: &[f64]) -> Option<f64> {
    match statistic {
        Statistic::Mean => stats::mean(values),
        Statistic::Sd => stats::sd(values),
        Statistic::Min => stats::quantile(values, 0.0),
        Statistic::Median => stats::quantile(values, 0.5),
        Statistic::Max => stats::quantile(values, 1.0),
        Statistic::Runs => Some(values.len() as f64),
        Statistic::Selected => None,
    }
}

/// Marks the best method in a row, and what equals it to the digits shown: among columns that differ in the method only. Where all
/// are equal none is marked.
fn mark_best(request: &TableRequest, slots: &[Slot], cells: &mut [TableCell]) {
    let scale = 10f64.powi(i32::try_from(request.digits).unwrap_or(3));
    let shown = |value: f64| (value * scale).round();
    for slot in slots {
        let rivals: Vec<usize> = (0..slots.len())
            .filter(|&other| cells[other].value.is_some() && slot.rivals(&slots[other], &request.columns))
            .collect();
        let values = rivals.iter().filter_map(|&rival| cells[rival].value).map(shown);
        let best = match best_direction(request.show, slot.metric, slot.statistic) {
            Direction::HigherIsBetter => values.reduce(f64::max),
            Direction::LowerIsBetter => values.reduce(f64::min),
            Direction::Neither => None,
        };
        let is_best = |rival: &usize| cells[*rival].value.map(shown) == best;
        let marked: Vec<usize> = rivals.iter().copied().filter(is_best).collect();
        if marked.len() < rivals.len() {
            marked.into_iter().for_each(|rival| cells[rival].best = true);
        }
    }
}

impl Slot<'_> {
    /// What a cell in it is of, as printed numbers say it.
    fn what(&self) -> [(String, String); 2] {
        [("metric", self.metric), ("statistic", self.statistic.name())]
            .map(|(key, name)| (key.to_owned(), name.to_owned()))
    }

    /// Whether two columns show the same thing of different methods.
    fn rivals(&self, other: &Self, columns: &[Dimension]) -> bool {
        let same = |(dimension, (one, two)): (&Dimension, (&PointValue, &PointValue))| {
            *dimension == Dimension::Method || one == two
        };
        self.metric == other.metric
            && self.statistic == other.statistic
            && columns.iter().zip(self.values.iter().zip(&other.values)).all(same)
    }
}

fn best_direction(show: Show, metric: &str, statistic: Statistic) -> Direction {
    match statistic {
        Statistic::Sd | Statistic::Runs => Direction::Neither,
        _ => show.direction(direction_of(metric)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slot(dataset: &str, method: &str) -> Slot<'static> {
        let text = |text: &str| PointValue::Text(text.to_owned());
        Slot { values: vec![text(dataset), text(method)], metric: "accuracy", statistic: Statistic::Mean }
    }

    fn request(show: Show) -> TableRequest {
        TableRequest {
            id: String::new(),
            title: String::new(),
            caption: String::new(),
            rows: vec![],
            columns: vec![Dimension::Dataset, Dimension::Method],
            metrics: vec!["accuracy".to_owned()],
            statistics: vec![Statistic::Mean],
            show,
            digits: 2,
            filter: vec![],
            published: crate::spec::Published::default(),
        }
    }

    fn best(show: Show, values: [f64; 5]) -> [bool; 5] {
        let slots = [("iris", "mm"), ("iris", "base"), ("iris", "kmeans"), ("wine", "mm"), ("wine", "base")]
            .map(|(dataset, method)| slot(dataset, method));
        let mut cells = values.map(|value| TableCell { value: Some(value), ..TableCell::default() });
        mark_best(&request(show), &slots, &mut cells);
        cells.map(|cell| cell.best)
    }

    #[test]
    fn the_best_method_is_marked_within_each_dataset_and_ties_to_the_digits_shown_share_it() {
        assert_eq!(best(Show::Value, [0.901, 0.85, 0.899, 0.7, 0.6]), [true, false, true, true, false]);
        assert_eq!(best(Show::Error, [0.901, 0.85, 0.899, 0.7, 0.6]), [false, true, false, false, true]);
    }

    #[test]
    fn where_all_methods_are_equal_none_is_marked() {
        assert_eq!(best(Show::Value, [0.85, 0.851, 0.852, 0.7, 0.6]), [false, false, false, true, false]);
    }
}
