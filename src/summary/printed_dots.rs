//! Printed numbers of tables against ours, from what came of them.

use super::axis_titles::in_words;
use super::model::{DotJudgement, DotPanel, PrintedDot, PrintedDots};
use super::own::own_first;
use crate::claim::{Evidence, Judgement, Verdict};
use crate::facts::{bounds_of, title_of};
use crate::spec::{AxisScale, Experiment, PanelRange, TableRequest};

/// Fewer numbers than this are read off the table itself.
const FEWEST: usize = 2;

/// The dots of a table; none where fewer than two of its printed numbers are judged beside a number of ours.
pub(super) fn of_table(request: &TableRequest, experiment: &Experiment, claims: &[Judgement]) -> Option<PrintedDots> {
    dots_of(request, &|key| order_in_table(request, experiment, key), claims)
}

/// The values of a dimension in the order in which the table has them: own methods first.
fn order_in_table(request: &TableRequest, experiment: &Experiment, key: &str) -> Vec<String> {
    let dimensions = request.rows.iter().chain(&request.columns).copied();
    let dimension = dimensions.into_iter().find(|dimension| dimension.key(&experiment.sweep) == key);
    let values = dimension.map_or_else(Vec::new, |dimension| own_first(experiment, &[dimension], &request.filter));
    values.iter().flatten().map(ToString::to_string).collect()
}

fn dots_of(request: &TableRequest, order: &dyn Fn(&str) -> Vec<String>, claims: &[Judgement]) -> Option<PrintedDots> {
    let judgement = claims
        .iter()
        .find(|claim| claim.is_of_printed_numbers() && claim.shown_in.as_deref() == Some(request.id.as_str()))?;
    let placed: Vec<PlacedDot> =
        judgement.evidence.iter().filter_map(|evidence| PlacedDot::of(evidence, request)).collect();
    if placed.len() < FEWEST {
        return None;
    }
    let facet = facet(request, &placed);
    let in_order = |key: &str| {
        let (mut names, order) = (distinct_texts(placed.iter().map(|dot| dot.at(key))), order(key));
        names.sort_by_key(|name| order.iter().position(|known| known == name).unwrap_or(order.len()));
        names
    };
    let names = facet.as_deref().map_or_else(|| vec![String::new()], in_order);
    let panels: Vec<DotPanel> = names
        .into_iter()
        .map(|name| {
            let within = placed.iter().filter(|dot| facet.as_deref().is_none_or(|key| dot.at(key) == name));
            let dots: Vec<PrintedDot> = within.map(|dot| dot.dot.clone()).collect();
            DotPanel { name: heading(facet.as_deref(), &name), scale: AxisScale::Linear, dots }
        })
        .collect();
    let range = match facet.as_deref() {
        Some("metric" | "statistic") => PanelRange::Own,
        _ => PanelRange::Shared,
    };
    Some(PrintedDots {
        id: request.dots_id(),
        table: request.id.clone(),
        title: format!("Printed against ours: {}", request.title),
        caption: caption(judgement, &placed),
        quantity: quantity(request),
        range,
        panels: scaled(panels, range, request),
    })
}

/// A dot, and where it stands.
struct PlacedDot<'a> {
    dot: PrintedDot,
    at: &'a [(String, String)],
}

impl<'a> PlacedDot<'a> {
    fn of(evidence: &'a Evidence, request: &TableRequest) -> Option<Self> {
        let judged = match evidence.verdict {
            Verdict::Reproduced => DotJudgement::Consistent,
            Verdict::NotReproduced => DotJudgement::Contradicted,
            Verdict::Inconclusive { .. } => DotJudgement::Inconclusive,
            Verdict::Impossible => DotJudgement::Impossible,
            Verdict::NotRun(_) | Verdict::NothingFound => return None,
        };
        let printed: f64 = evidence.printed.as_deref()?.trim().parse().ok()?;
        let ours = evidence.ours?;
        let at = evidence.number.as_ref().map_or(&[][..], |number| &number.at);
        let mut placed =
            Self { dot: PrintedDot { place: evidence.place.clone(), printed, ours, interval: None, judged }, at };
        placed.dot.interval = evidence.interval.map(|ends| placed.possible(ends, request));
        (printed.is_finite() && ours.is_finite()).then_some(placed)
    }

    /// An interval without what its metric cannot be.
    fn possible(&self, [low, high]: [f64; 2], request: &TableRequest) -> [f64; 2] {
        let [least, most] = match self.at("statistic").as_str() {
            "sd" | "runs" => [0.0, f64::INFINITY],
            _ => request.show.bounds(bounds_of(&self.at("metric"))),
        };
        [low.max(least), high.min(most)]
    }

    /// Its value of a dimension, as text.
    fn at(&self, key: &str) -> String {
        self.at.iter().find(|(known, _)| known == key).map_or_else(String::new, |(_, value)| value.clone())
    }
}

/// By what dots are shared out among panels. Different metrics, and means beside deviations, have no axis in common; else
/// by method, by dataset, or by what else has a few values with some dots for each.
fn facet(request: &TableRequest, placed: &[PlacedDot]) -> Option<String> {
    const MOST_PANELS: usize = 9;
    const FEWEST_EACH: usize = 3;
    let values = |key: &str| distinct_texts(placed.iter().map(|dot| dot.at(key))).len();
    let must = ["metric", "statistic"].into_iter().find(|key| values(key) > 1 && !is_one_quantity(key, request));
    if let Some(key) = must {
        return Some(key.to_owned());
    }
    let keys = placed.first()?.at.iter().map(|(key, _)| key.as_str());
    let fits = |key: &&str| (2..=MOST_PANELS).contains(&values(key)) && placed.len() >= FEWEST_EACH * values(key);
    let others = keys.filter(|key| !["metric", "statistic", "method", "dataset"].contains(key));
    ["method", "dataset"].into_iter().chain(others).find(fits).map(str::to_owned)
}

/// The different ones, in the order in which they come first.
fn distinct_texts(texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for text in texts {
        if !found.contains(&text) {
            found.push(text);
        }
    }
    found
}

/// Whether what differs in a dimension is measured alike all the same: minima, means and maxima are, deviations are not.
fn is_one_quantity(key: &str, request: &TableRequest) -> bool {
    use crate::spec::Statistic::{Runs, Sd};
    key == "statistic" && !request.statistics.iter().any(|statistic| matches!(statistic, Sd | Runs))
}

/// "mm"; "k = 4" where a number alone says nothing.
fn heading(facet: Option<&str>, name: &str) -> String {
    match facet {
        Some(key) if name.parse::<f64>().is_ok() => format!("{} = {name}", key.rsplit('.').next().unwrap_or(key)),
        _ => name.to_owned(),
    }
}

/// Axes are logarithmic where all numbers are above 0, have no upper bound, and span a factor of more than 10^1.5.
fn scaled(mut panels: Vec<DotPanel>, range: PanelRange, request: &TableRequest) -> Vec<DotPanel> {
    let is_open = request.metrics.iter().all(|metric| request.show.bounds(bounds_of(metric))[1].is_infinite());
    let scale = |dots: &[&PrintedDot]| {
        let values = dots.iter().flat_map(|dot| [dot.printed, dot.ours]);
        let [least, most] = [values.clone().fold(f64::INFINITY, f64::min), values.fold(0.0, f64::max)];
        match is_open && least > 0.0 && (most / least).log10() > super::figure::DECADES {
            true => AxisScale::Logarithmic,
            false => AxisScale::Linear,
        }
    };
    let of_all = scale(&panels.iter().flat_map(|panel| &panel.dots).collect::<Vec<_>>());
    for panel in &mut panels {
        panel.scale = match range {
            PanelRange::Shared => of_all,
            PanelRange::Own => scale(&panel.dots.iter().collect::<Vec<_>>()),
        };
    }
    panels
}

fn quantity(request: &TableRequest) -> String {
    match &request.metrics[..] {
        [only] => in_words(request.show, title_of(only)),
        _ => "value".to_owned(),
    }
}

fn caption(judgement: &Judgement, placed: &[PlacedDot]) -> String {
    let count = |judged: DotJudgement| placed.iter().filter(|dot| dot.dot.judged == judged).count();
    let counts = DotJudgement::ALL.into_iter().map(|judged| (count(judged), judged.name()));
    let parts: Vec<String> =
        counts.filter(|(count, _)| *count > 0).map(|(count, name)| format!("{count} {name}")).collect();
    let left_out = judgement.evidence.len() - placed.len();
    let without = match left_out {
        0 => String::new(),
        1 => " Another one has no number of ours to stand beside, or is not judged.".to_owned(),
        more => format!(" Another {more} have no number of ours to stand beside, or are not judged."),
    };
    format!(
        "One mark per printed number: the paper's across, ours upwards, with the interval in which 95 % of repeats of the paper's \
         size would land. On the diagonal both are equal. {}.{without}",
        parts.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claim::{ClaimKind, Repeat};
    use crate::spec::{Dimension, Published, Show, Statistic};

    fn request(metrics: &[&str], statistics: &[Statistic]) -> TableRequest {
        TableRequest {
            id: "t".to_owned(),
            title: "Accuracy".to_owned(),
            caption: String::new(),
            rows: vec![Dimension::Dataset],
            columns: vec![Dimension::Method],
            metrics: metrics.iter().map(|metric| (*metric).to_owned()).collect(),
            statistics: statistics.to_vec(),
            show: Show::Value,
            digits: 3,
            filter: Vec::new(),
            published: Published::default(),
        }
    }

    /// A printed number of 0.8 beside ours, which is 0.9.
    fn number(verdict: Verdict, at: &[(&str, &str)]) -> Evidence {
        let at = at.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        let evidence = Evidence {
            ours: Some(0.9),
            interval: Some([0.7, 1.2]),
            printed: Some(".8".to_owned()),
            ..Evidence::at("place".to_owned(), verdict, String::new())
        };
        evidence.standing_at(at)
    }

    fn dots(request: &TableRequest, evidence: Vec<Evidence>) -> Option<PrintedDots> {
        let judgement = Judgement {
            id: "t-printed".to_owned(),
            source: String::new(),
            statement: String::new(),
            about: ClaimKind::PrintedNumbers,
            check: "value".into(),
            verdict: Verdict::Reproduced,
            finding: String::new(),
            repeat: Repeat::None(String::new()),
            evidence,
            shown_in: Some("t".to_owned()),
            quantity: None,
            universes: None,
        };
        dots_of(request, &|_| ["m2", "m0"].map(str::to_owned).to_vec(), &[judgement])
    }

    /// One number for each method and dataset.
    fn grid(methods: usize, datasets: usize) -> Vec<Evidence> {
        let places = (0..methods).flat_map(|method| (0..datasets).map(move |dataset| (method, dataset)));
        places
            .map(|(method, dataset)| {
                let (method, dataset) = (format!("m{method}"), format!("d{dataset}"));
                let at =
                    [("dataset", dataset.as_str()), ("method", &method), ("metric", "accuracy"), ("statistic", "mean")];
                number(Verdict::Reproduced, &at)
            })
            .collect()
    }

    fn names(dots: &PrintedDots) -> Vec<&str> {
        dots.panels.iter().map(|panel| panel.name.as_str()).collect()
    }

    #[test]
    fn panels_are_methods_or_datasets_or_there_is_one() {
        let request = request(&["accuracy"], &[Statistic::Mean]);
        assert_eq!(names(&dots(&request, grid(3, 5)).unwrap()), ["m2", "m0", "m1"], "in the order of the table");
        assert_eq!(names(&dots(&request, grid(20, 2)).unwrap()), ["d0", "d1"]);
        assert_eq!(names(&dots(&request, grid(2, 2)).unwrap()), [""]);
        let all = dots(&request, grid(20, 20)).unwrap();
        assert_eq!((names(&all), all.dots().count()), (vec![""], 400));
        assert_eq!(all.range, PanelRange::Shared);
    }

    #[test]
    fn what_has_no_axis_in_common_has_panels_with_axes_of_their_own() {
        let of =
            |key: &'static str, value: &'static str| number(Verdict::Reproduced, &[("method", "mm"), (key, value)]);
        let metrics = vec![of("metric", "accuracy"), of("metric", "seconds"), of("metric", "seconds")];
        let both = dots(&request(&["accuracy", "seconds"], &[Statistic::Mean]), metrics).unwrap();
        assert_eq!((names(&both), both.range), (vec!["accuracy", "seconds"], PanelRange::Own));
        let statistics = || vec![of("statistic", "mean"), of("statistic", "sd")];
        let spread = dots(&request(&["accuracy"], &[Statistic::Mean, Statistic::Sd]), statistics()).unwrap();
        assert_eq!(names(&spread), ["mean", "sd"]);
        let alike = vec![of("statistic", "mean"), of("statistic", "max")];
        assert_eq!(names(&dots(&request(&["accuracy"], &[Statistic::Mean, Statistic::Max]), alike).unwrap()), [""]);
    }

    #[test]
    fn what_is_not_judged_or_has_no_number_of_ours_is_counted_and_not_drawn() {
        let at = [("metric", "accuracy"), ("statistic", "mean")];
        let not_run = number(Verdict::NotRun(crate::claim::NotRun::NoData), &at);
        let without = Evidence { ours: None, ..number(Verdict::Impossible, &at) };
        let judged =
            [Verdict::Reproduced, Verdict::NotReproduced, Verdict::Inconclusive { needed: None }, Verdict::Impossible];
        let evidence = judged.map(|verdict| number(verdict, &at)).into_iter().chain([not_run, without]).collect();
        let dots = dots(&request(&["accuracy"], &[Statistic::Mean]), evidence).unwrap();
        assert_eq!(dots.dots().count(), 4);
        assert!(
            dots.caption.contains("1 consistent, 1 inconclusive, 1 contradicted, 1 impossible as published."),
            "{}",
            dots.caption
        );
        assert!(dots.caption.contains("Another 2 have no number of ours"), "{}", dots.caption);
    }

    #[test]
    fn no_interval_of_a_share_exceeds_one() {
        let dots = dots(&request(&["accuracy"], &[Statistic::Mean]), grid(1, 3)).unwrap();
        assert!(dots.dots().all(|dot| dot.interval == Some([0.7, 1.0])));
    }

    #[test]
    fn one_number_has_no_plot() {
        assert_eq!(dots(&request(&["accuracy"], &[Statistic::Mean]), grid(1, 1)), None);
    }

    #[test]
    fn perplexities_over_several_powers_of_ten_are_on_logarithmic_axes() {
        let request = request(&["perplexity-train"], &[Statistic::Mean]);
        let of = |printed: &str| Evidence {
            printed: Some(printed.to_owned()),
            ..number(Verdict::Reproduced, &[("metric", "perplexity-train")])
        };
        let scale = |texts: [&str; 2]| dots(&request, texts.map(of).to_vec()).unwrap().panels[0].scale;
        assert_eq!(scale(["1.2", "2.0"]), AxisScale::Linear);
        assert_eq!(scale(["1.2", "200"]), AxisScale::Logarithmic);
    }
}
