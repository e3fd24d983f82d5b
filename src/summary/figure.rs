use super::model::{Axis, Figure, Panel, Point, Series};
use crate::metric::{self, MetricInfo};
use crate::results::ResultRow;
use crate::results::{RowSet, combinations, known_place, name_of, spelled_out};
use crate::spec::{Band, Dimension, Experiment, FigureRequest, FigureStyle, PointValue, Statistic};
use crate::stats;

/// Fills a figure.
pub(super) fn fill(request: &FigureRequest, experiment: &Experiment, rows: &[ResultRow]) -> Figure {
    let selection = RowSet::new(rows, &request.filter);
    let positions = positions(request, experiment);
    let names = combinations(experiment, &[request.series], &request.filter);
    let panels = match request.panel {
        None => vec![panel(&PanelRequest { request, experiment, panel: None }, &selection, &names, &positions)],
        Some(dimension) => combinations(experiment, &[dimension], &request.filter)
            .into_iter()
            .map(|values| {
                let drawn = PanelRequest { request, experiment, panel: Some((dimension, values[0].clone())) };
                panel(&drawn, &selection.at(&[dimension], &values), &names, &positions)
            })
            .collect(),
    };
    let band = match (request.style, request.band) {
        (FigureStyle::Box, _) => "Boxes: quartiles over all runs; whiskers: smallest and largest.",
        (_, Band::Interval) => "Bands and whiskers: 95 % confidence interval of the mean over ensembles.",
        (_, Band::Deviation) => "Bands and whiskers: one standard deviation over all runs.",
        (_, Band::None) => "",
    };
    Figure {
        id: request.id.clone(),
        title: request.title.clone(),
        caption: [request.caption.as_str(), band].join(" ").trim().to_owned(),
        kind: request.style.into(),
        x_label: request.x_label.clone().unwrap_or_else(|| name_of(experiment, request.x)),
        y_label: request.y_label.clone().unwrap_or_else(|| request.show.describe(&request.metric)),
        x: positions.axis,
        panels,
        series: names.iter().map(|name| spelled_out(experiment, request.series, &name[0])).collect(),
    }
}

/// The values on the horizontal axis and where each stands.
struct AxisPositions {
    axis: Axis,
    places: Vec<(PointValue, f64)>,
}

fn positions(request: &FigureRequest, experiment: &Experiment) -> AxisPositions {
    let values: Vec<PointValue> = match request.x {
        Dimension::Sweep(_) => experiment.values_of(request.x),
        _ => combinations(experiment, &[request.x], &request.filter).into_iter().flatten().collect(),
    };
    let numbers: Option<Vec<f64>> = values.iter().map(PointValue::number).collect();
    match (request.style, numbers) {
        (FigureStyle::Line, Some(numbers)) => {
            let mut places: Vec<(PointValue, f64)> = values.into_iter().zip(numbers).collect();
            places.sort_by(|one, other| one.1.total_cmp(&other.1));
            AxisPositions { axis: Axis::Numeric, places }
        }
        _ => AxisPositions {
            axis: Axis::Categories(values.iter().map(PointValue::to_string).collect()),
            places: values.into_iter().enumerate().map(|(place, value)| (value, place as f64)).collect(),
        },
    }
}

/// What one panel shows.
struct PanelRequest<'a> {
    request: &'a FigureRequest,
    experiment: &'a Experiment,
    panel: Option<(Dimension, PointValue)>,
}

impl PanelRequest<'_> {
    /// What the paper printed for a point of a series.
    fn printed(&self, series: &PointValue, x: &PointValue) -> Option<f64> {
        let asked = [(self.request.series, series.clone()), (self.request.x, x.clone())];
        let place = known_place(self.experiment, &self.request.filter, asked.into_iter().chain(self.panel.clone()));
        self.request.published.find(&place, Statistic::Mean)?.trim().parse().ok()
    }
}

fn panel(drawn: &PanelRequest, selection: &RowSet, series: &[Vec<PointValue>], positions: &AxisPositions) -> Panel {
    let request = drawn.request;
    let lines = series.iter().map(|values| {
        let line = selection.at(&[request.series], values);
        let points = positions.places.iter().filter_map(|(value, x)| {
            let point = point(request, &line.at(&[request.x], std::slice::from_ref(value)), *x)?;
            Some(Point { printed: drawn.printed(&values[0], value), ..point })
        });
        Series { name: spelled_out(drawn.experiment, request.series, &values[0]), points: points.collect() }
    });
    let name = drawn.panel.as_ref();
    let name = name.map_or_else(String::new, |(dimension, value)| spelled_out(drawn.experiment, *dimension, value));
    Panel { name, series: lines.filter(|line| !line.points.is_empty()).collect() }
}

fn point(request: &FigureRequest, runs: &RowSet, x: f64) -> Option<Point> {
    let values: Vec<f64> = runs.values(&request.metric).into_iter().map(|value| request.show.apply(value)).collect();
    let y = stats::mean(&values)?;
    let spread = match request.band {
        Band::Interval => {
            let means: Vec<f64> = runs.by_ensemble(&request.metric).into_values().collect();
            let means: Vec<f64> = means.into_iter().map(|value| request.show.apply(value)).collect();
            stats::mean_interval(&means, 0.95).map_or(0.0, |interval| interval.half_width)
        }
        Band::Deviation => stats::sd(&values).unwrap_or(0.0),
        Band::None => 0.0,
    };
    let quartiles = (request.style == FigureStyle::Box).then(|| stats::quartiles(&values)).flatten();
    // An interval from two or three values reaches where no share can be.
    let (least, most) = match metric::find(&request.metric).is_some_and(MetricInfo::is_share) {
        true => {
            (request.show.apply(0.0).min(request.show.apply(1.0)), request.show.apply(0.0).max(request.show.apply(1.0)))
        }
        false => (f64::NEG_INFINITY, f64::INFINITY),
    };
    let (low, high) = ((y - spread).max(least), (y + spread).min(most));
    Some(Point { x, y, low, high, n: values.len(), quartiles, printed: None })
}
