//! `[[table]]`, `[[figure]]` and `[[test]]`: what the report shows.

use super::bounds;
use super::dimension::Dimension;
use super::experiment::PointValue;
use super::fields::{Fields, Problems};
use super::known_names::KnownNames;
use super::names;
use super::output::Output;
use super::published;
use super::requests::{
    AxisScale, Band, FigureRequest, FigureStyle, PanelRange, TableRequest, TestRequest, TestedAgainst,
};
use crate::stats::Alternative;

/// The keys of everything that has an id.
pub(super) const OUTPUTS: [&str; 6] = ["table", "figure", "test", "listing", "picture", "ranking"];

/// Reads `[[table]]`s.
pub(super) fn tables<'a>(top: &Fields<'a>, known: &KnownNames, problems: &'a Problems) -> Vec<TableRequest> {
    let read = top.tables("table").into_iter().map(|table| {
        let output = Output::read(table, "[[table]]", known, problems);
        let fields = &output.fields;
        let rows = fields.texts("rows").map(|texts| output.dimensions(&texts));
        let columns = fields.texts("columns").map(|texts| output.dimensions(&texts));
        let metrics = output.metrics();
        let statistics = output.statistics();
        let digits = fields.between("digits", 0, bounds::DIGITS).unwrap_or(3);
        let show = output.show();
        let request = TableRequest {
            id: output.id.clone(),
            title: output.title.clone(),
            caption: fields.text("caption").unwrap_or_default().to_owned(),
            rows: rows.unwrap_or_else(|| vec![Dimension::Dataset]),
            columns: columns.unwrap_or_else(|| vec![Dimension::Method]),
            metrics,
            statistics,
            show,
            digits,
            filter: output.filter(),
            published: output.published(),
        };
        let used: Vec<Dimension> = request.rows.iter().chain(&request.columns).copied().collect();
        output.finish(&used, &request.filter);
        request
    });
    let read: Vec<TableRequest> = read.collect();
    names::refuse_equal_ids(top, problems);
    read
}

/// Reads `[[figure]]`s.
pub(super) fn figures<'a>(top: &Fields<'a>, known: &KnownNames, problems: &'a Problems) -> Vec<FigureRequest> {
    let read = top.tables("figure").into_iter().map(|table| {
        let output = Output::read(table, "[[figure]]", known, problems);
        let fields = &output.fields;
        let styles = [("line", FigureStyle::Line), ("bar", FigureStyle::Bar), ("box", FigureStyle::Box)];
        let style = fields.required("kind", "line, bar or box", fields.choice("kind", &styles));
        let x = fields.required("x", "what stands on the horizontal axis", output.dimension("x"));
        let ranges = [("shared", PanelRange::Shared), ("own", PanelRange::Own)];
        let bands = [("interval", Band::Interval), ("sd", Band::Deviation), ("none", Band::None)];
        let request = FigureRequest {
            id: output.id.clone(),
            title: output.title.clone(),
            caption: fields.text("caption").unwrap_or_default().to_owned(),
            style: style.unwrap_or(FigureStyle::Line),
            metric: output.metric(),
            x: x.unwrap_or(Dimension::Dataset),
            series: output.dimension("series").unwrap_or(Dimension::Method),
            panel: output.dimension("panel"),
            band: fields.choice("band", &bands).unwrap_or(Band::Interval),
            show: output.show(),
            x_label: fields.text("x-label").map(str::to_owned),
            y_label: fields.text("y-label").map(str::to_owned),
            x_scale: fields.choice("x-scale", &[("linear", AxisScale::Linear), ("log", AxisScale::Logarithmic)]),
            y_range: fields.choice("y-range", &ranges).unwrap_or(PanelRange::Shared),
            filter: output.filter(),
            published: output.published(),
        };
        refuse_log_axis(&output, &request);
        let used: Vec<Dimension> =
            [Some(request.x), Some(request.series), request.panel].into_iter().flatten().collect();
        output.finish(&used, &request.filter);
        request
    });
    read.collect()
}

/// A logarithmic axis has no place for names, or for numbers that are not above 0.
fn refuse_log_axis(output: &Output, request: &FigureRequest) {
    let Some(item) = output.fields.item("x-scale").filter(|_| request.x_scale == Some(AxisScale::Logarithmic)) else {
        return;
    };
    if request.style != FigureStyle::Line {
        let message = "bars and boxes stand side by side, on no scale of numbers";
        output.fields.refuse(item, message, "`x-scale` in a figure of kind \"line\"");
        return;
    }
    let values = output.known.labels(request.x).into_iter();
    let mut shown = values.filter(|value| {
        request.filter.iter().all(|(dimension, admitted)| *dimension != request.x || admitted.contains(value))
    });
    if let Some(value) = shown.find(|value| value.number().is_none_or(|number| number <= 0.0)) {
        let message = format!("a logarithmic axis has no place for {value}");
        output.fields.refuse(item, &message, "numbers above 0 on the horizontal axis, or `x-scale = \"linear\"`");
    }
}

/// Reads `[[test]]`s.
pub(super) fn tests<'a>(top: &Fields<'a>, known: &KnownNames, problems: &'a Problems) -> Vec<TestRequest> {
    let read = top.tables("test").into_iter().filter_map(|table| {
        let output = Output::read(table, "[[test]]", known, problems);
        let fields = &output.fields;
        let first = fields.required("first", "the label of a method", output.method("first"));
        let against = fields.required("second", "the label of a method, or \"all\"", tested_against(&output));
        let alternatives = Alternative::ALL.map(|alternative| (alternative.name(), alternative));
        let alternative = fields.choice("alternative", &alternatives).unwrap_or(Alternative::TwoSided);
        let metric = output.metric();
        let filter = output.filter();
        let published = fields.table("published");
        if let (Some(item), Some(TestedAgainst::EachOther)) = (fields.item("published"), &against) {
            fields.refuse(item, "printed tests are of two methods", "the label of a method as `second`");
        }
        let (published, runs) =
            published.and_then(|table| published::read_tests(table, known, fields)).unwrap_or_default();
        let id = output.id.clone();
        let title = output.title.clone();
        let all: Vec<Dimension> = known.dimension_names().into_iter().map(|(_, dimension)| dimension).collect();
        output.finish(&all, &filter);
        Some(TestRequest { id, title, metric, first: first?, against: against?, alternative, filter, published, runs })
    });
    read.collect()
}

/// `second`: a method, or `all` where no method is labelled so.
fn tested_against(output: &Output) -> Option<TestedAgainst> {
    const ALL: &str = "all";
    let text = output.fields.text("second")?;
    let labels = output.known.labels(Dimension::Method);
    if text != ALL || labels.contains(&PointValue::Text(ALL.to_owned())) {
        return output.method("second").map(TestedAgainst::One);
    }
    if labels.len() < 2 {
        output.fields.refuse(output.fields.item("second")?, "the spec has no other method", "a spec with several");
        return None;
    }
    Some(TestedAgainst::EachOther)
}
