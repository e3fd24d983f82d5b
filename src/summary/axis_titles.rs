//! Titles of axes in words, with the unit in which their ticks count.

use crate::facts::{self, FactUnit, title_of};
use crate::spec::{Dimension, Experiment, FigureRequest, Show};

/// What stands beside an axis.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct AxisTitle {
    pub(super) text: String,
    /// What its ticks count: 10⁶ for "MB".
    pub(super) unit: f64,
}

/// Units, the largest first, with what they count.
const SECONDS: [(f64, &str); 3] = [(1.0, "s"), (1e-3, "ms"), (1e-6, "µs")];
const BYTES: [(f64, &str); 4] = [(1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1.0, "bytes")];

/// The title of the vertical axis; `most` is the largest value on it. A title of the spec's own stands as it is, and ticks
/// then count what is stored.
pub(super) fn upright(request: &FigureRequest, most: f64) -> AxisTitle {
    if let Some(own) = &request.y_label {
        return AxisTitle { text: own.clone(), unit: 1.0 };
    }
    let title = title_of(&request.metric);
    let units: &[(f64, &str)] = match facts::find(&request.metric).map(|fact| fact.unit) {
        Some(FactUnit::Seconds) if request.show == Show::Value => &SECONDS,
        Some(FactUnit::Bytes) if request.show == Show::Value => &BYTES,
        _ => return AxisTitle { text: in_words(request.show, title), unit: 1.0 },
    };
    let fits = units.iter().find(|(unit, _)| most >= *unit).or(units.last());
    let (unit, name) = fits.copied().unwrap_or((1.0, ""));
    AxisTitle { text: format!("{title} ({name})"), unit }
}

/// "accuracy" for "Accuracy", but "NMI" for "NMI".
fn beginning_small(title: &str) -> String {
    let mut letters = title.chars();
    match (letters.next(), letters.clone().next()) {
        (Some(first), Some(second)) if second.is_lowercase() => first.to_lowercase().chain(letters).collect(),
        _ => title.to_owned(),
    }
}

/// A metric as it is shown.
pub(super) fn in_words(show: Show, title: &str) -> String {
    let title = beginning_small(title);
    match show {
        Show::Value => title,
        Show::Percent => format!("{title} (%)"),
        Show::Error => format!("error: 1 − {title}"),
        Show::ErrorPercent => format!("error (%): 100 (1 − {title})"),
    }
}

/// The title of the horizontal axis.
pub(super) fn across(request: &FigureRequest, experiment: &Experiment) -> String {
    request.x_label.clone().unwrap_or_else(|| words_of(request.x, experiment))
}

/// A dimension in words.
fn words_of(dimension: Dimension, experiment: &Experiment) -> String {
    let key = dimension.key(&experiment.sweep);
    match key {
        "missing" => "share of labels missing".to_owned(),
        "holdout" => "share of objects held out".to_owned(),
        "k" => "number of clusters, k".to_owned(),
        "ensemble.size" => "base clusterings in the ensemble".to_owned(),
        "ensemble.k" => "clusters in each base clustering".to_owned(),
        "ensemble" => "kind of ensemble".to_owned(),
        "method.parties" => "parties".to_owned(),
        key => key.rsplit('.').next().unwrap_or(key).replace('-', " "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::{AxisScale, Band, FigureStyle, PanelRange};

    fn request(metric: &str, show: Show) -> FigureRequest {
        FigureRequest {
            id: String::new(),
            title: String::new(),
            caption: String::new(),
            style: FigureStyle::Line,
            metric: metric.to_owned(),
            x: Dimension::Dataset,
            series: Dimension::Method,
            panel: None,
            band: Band::Interval,
            show,
            x_label: None,
            y_label: None,
            x_scale: Some(AxisScale::Linear),
            y_range: PanelRange::Shared,
            filter: Vec::new(),
            published: crate::spec::Published::default(),
        }
    }

    fn title(metric: &str, show: Show, most: f64) -> (String, f64) {
        let AxisTitle { text, unit } = upright(&request(metric, show), most);
        (text, unit)
    }

    #[test]
    fn bytes_and_seconds_are_counted_in_units_that_fit() {
        assert_eq!(title("bytes", Show::Value, 1.5e7), ("data sent between parties (MB)".to_owned(), 1e6));
        assert_eq!(title("bytes", Show::Value, 900.0), ("data sent between parties (bytes)".to_owned(), 1.0));
        assert_eq!(title("seconds", Show::Value, 12.0), ("time of a run (s)".to_owned(), 1.0));
        assert_eq!(title("seconds", Show::Value, 0.026), ("time of a run (ms)".to_owned(), 1e-3));
        assert_eq!(title("seconds", Show::Value, 0.0), ("time of a run (µs)".to_owned(), 1e-6));
    }

    #[test]
    fn metrics_are_called_by_their_titles() {
        assert_eq!(title("mp-greedy", Show::Value, 1.0).0, "micro-precision (greedy one-to-one)");
        assert_eq!(title("nmi-max", Show::Value, 1.0).0, "NMI (maximum)");
        assert_eq!(title("accuracy", Show::ErrorPercent, 50.0).0, "error (%): 100 (1 − accuracy)");
    }

    #[test]
    fn a_title_of_the_specs_own_stands_beside_numbers_as_they_are_stored() {
        let own = FigureRequest { y_label: Some("bytes".to_owned()), ..request("bytes", Show::Value) };
        assert_eq!(upright(&own, 1e9), AxisTitle { text: "bytes".to_owned(), unit: 1.0 });
    }
}
