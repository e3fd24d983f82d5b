use std::collections::BTreeMap;

use super::axis_titles;
use super::model::{Axis, BandMarks, Figure, FigureScales, Panel, Point, Series};
use super::spread::{ShownSpread, ShownValues};
use crate::facts::bounds_of;
use crate::results::ResultRow;
use crate::results::{RowSet, combinations, known_place, spelled_out};
use crate::spec::{AxisScale, Band, Dimension, Experiment, FigureRequest, FigureStyle, PointValue, Statistic};
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
    let bands = bands(request.style, &panels);
    let title = axis_titles::upright(request, most(&panels));
    Figure {
        id: request.id.clone(),
        title: request.title.clone(),
        caption: caption(request, &panels, bands),
        kind: request.style.into(),
        x_label: axis_titles::across(request, experiment),
        y_label: title.text,
        scales: FigureScales {
            x: positions.scale,
            y: request.y_range,
            tick_unit: title.unit,
            bands,
            bounds: request.show.bounds(bounds_of(&request.metric)),
        },
        x: positions.axis,
        panels,
        series: names.iter().map(|name| spelled_out(experiment, request.series, &name[0])).collect(),
    }
}

fn points(panels: &[Panel]) -> impl Iterator<Item = &Point> {
    panels.iter().flat_map(|panel| &panel.series).flat_map(|series| &series.points)
}

/// The largest value that is shown.
fn most(panels: &[Panel]) -> f64 {
    let values = points(panels).flat_map(|point| point.each.iter().copied().chain([point.y, point.high]));
    values.filter(|value| value.is_finite()).fold(0.0, f64::max)
}

/// Areas hide lines where more than four lie on one another.
fn bands(style: FigureStyle, panels: &[Panel]) -> BandMarks {
    const MOST_AREAS: usize = 4;
    let crowded = |panel: &Panel| {
        let mut at: BTreeMap<u64, Vec<&Point>> = BTreeMap::new();
        for point in panel.series.iter().flat_map(|series| &series.points).filter(|point| point.low < point.high) {
            at.entry(point.x.to_bits()).or_default().push(point);
        }
        // Where most overlap, one of them begins.
        at.values().any(|points| {
            let over = |low: f64| points.iter().filter(|other| other.low <= low && low <= other.high).count();
            points.iter().any(|point| over(point.low) > MOST_AREAS)
        })
    };
    match style == FigureStyle::Line && panels.iter().any(crowded) {
        true => BandMarks::Whiskers,
        false => BandMarks::Areas,
    }
}

/// The spec's caption, and what bands, whiskers and small dots are where there are some.
fn caption(request: &FigureRequest, panels: &[Panel], bands: BandMarks) -> String {
    let marks = match (request.style, bands) {
        (FigureStyle::Line, BandMarks::Areas) => "Bands",
        _ => "Whiskers",
    };
    let has_intervals = points(panels).any(|point| point.low < point.high);
    let intervals = match (request.style, request.band) {
        (FigureStyle::Box, _) => "Boxes: quartiles over all runs; whiskers: smallest and largest.".to_owned(),
        (_, Band::Interval) if has_intervals => {
            format!("{marks}: 95 % confidence interval of the mean over ensembles.")
        }
        (_, Band::Deviation) if has_intervals => format!("{marks}: one standard deviation over all runs."),
        _ => String::new(),
    };
    let few = match (points(panels).any(|point| !point.each.is_empty()), request.band) {
        (true, Band::Interval) => "Small dots: single ensembles, where there are two or three.",
        (true, _) => "Small dots: single runs, where there are two or three.",
        (false, _) => "",
    };
    let all = [request.caption.as_str(), &intervals, few];
    all.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The values on the horizontal axis and where each stands.
struct AxisPositions {
    axis: Axis,
    scale: AxisScale,
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
            let scale = request.x_scale.unwrap_or_else(|| scale_of(&places));
            AxisPositions { axis: Axis::Numeric, scale, places }
        }
        _ => AxisPositions {
            axis: Axis::Categories(values.iter().map(PointValue::to_string).collect()),
            scale: AxisScale::Linear,
            places: values.into_iter().enumerate().map(|(place, value)| (value, place as f64)).collect(),
        },
    }
}

/// More powers of ten than this are on a logarithmic axis.
pub(super) const DECADES: f64 = 1.5;

/// Numbers above 0 that span a factor of more than 10^1.5, about 32, crowd at the left of a linear axis.
fn scale_of(places: &[(PointValue, f64)]) -> AxisScale {
    match (places.first(), places.last()) {
        (Some((_, least)), Some((_, most))) if *least > 0.0 && (most / least).log10() > DECADES => {
            AxisScale::Logarithmic
        }
        _ => AxisScale::Linear,
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
    let shown = ShownValues { metric: &request.metric, show: request.show };
    let quartiles = (request.style == FigureStyle::Box).then(|| stats::quartiles(&values)).flatten();
    let spread = match (request.style, request.band) {
        (FigureStyle::Box, _) | (_, Band::None) => None,
        (_, Band::Interval) => Some(shown.of_mean(runs)),
        (_, Band::Deviation) => Some(shown.of_runs(&values)),
    };
    let ([low, high], each) = match spread {
        Some(ShownSpread::Interval { ends, .. }) => (ends, Vec::new()),
        // One value is its own mean.
        Some(ShownSpread::Values(values)) if values.len() > 1 => ([y; 2], values),
        Some(ShownSpread::Values(_)) | None => ([y; 2], Vec::new()),
    };
    Some(Point { x, y, low, high, each, n: values.len(), quartiles, printed: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scale(values: &[f64]) -> AxisScale {
        let places: Vec<(PointValue, f64)> = values.iter().map(|value| (PointValue::Number(*value), *value)).collect();
        scale_of(&places)
    }

    fn panel(intervals: &[[f64; 2]]) -> Panel {
        let point = |[low, high]: &[f64; 2]| Point {
            x: 1.0,
            y: (low + high) / 2.0,
            low: *low,
            high: *high,
            each: Vec::new(),
            n: 9,
            quartiles: None,
            printed: None,
        };
        let series = intervals.iter().map(|ends| Series { name: String::new(), points: vec![point(ends)] });
        Panel { name: String::new(), series: series.collect() }
    }

    #[test]
    fn bands_are_thinned_where_more_than_four_lie_on_one_another() {
        let [above, below] = [[0.5, 0.9], [0.1, 0.4]];
        assert_eq!(bands(FigureStyle::Line, &[panel(&[above; 4])]), BandMarks::Areas);
        assert_eq!(
            bands(FigureStyle::Line, &[panel(&[above, below, above, below, above, below, above, below])]),
            BandMarks::Areas
        );
        assert_eq!(bands(FigureStyle::Line, &[panel(&[below]), panel(&[above; 5])]), BandMarks::Whiskers);
        assert_eq!(bands(FigureStyle::Line, &[panel(&[[0.5, 0.5]; 9])]), BandMarks::Areas);
        assert_eq!(bands(FigureStyle::Bar, &[panel(&[above; 5])]), BandMarks::Areas);
    }

    #[test]
    fn sizes_from_5_to_500_are_on_a_logarithmic_axis() {
        assert_eq!(scale(&[5.0, 10.0, 50.0, 500.0]), AxisScale::Logarithmic);
        assert_eq!(scale(&[2.0, 3.0, 4.0, 50.0]), AxisScale::Linear);
        assert_eq!(scale(&[0.0, 0.1, 0.5]), AxisScale::Linear);
        assert_eq!(scale(&[]), AxisScale::Linear);
    }
}
