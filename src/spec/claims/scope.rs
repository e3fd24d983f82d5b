//! Which numbers a claim is about.

use super::reader::{Judges, Reader, Takes};
use crate::facts::direction_of;
use crate::metric::Direction;
use crate::spec::dimension::{Dimension, Filter};
use crate::spec::experiment::PointValue;
use crate::spec::requests::{Show, Statistic};

/// Which numbers a claim is about.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Scope {
    /// Metric or fact; empty where none is needed.
    pub(crate) metric: String,
    /// What is taken of its runs.
    pub(crate) statistic: Statistic,
    /// How values are shown; all numbers of the claim are in these units.
    pub(crate) show: Show,
    /// Which way what is shown gets better.
    pub(crate) better: Direction,
    /// What the claim compares: methods, kinds of ensembles, values of a swept key.
    pub(crate) compare: Dimension,
    /// What the places are.
    pub(crate) over: Vec<Dimension>,
    /// What is averaged over, with equal weights.
    pub(crate) average: Vec<Dimension>,
    /// Which results are used. May have values that only the paper's scale has.
    pub(crate) filter: Filter,
}

impl Reader<'_, '_> {
    /// Which numbers the claim is about. `series` is the key along which it looks at a series.
    pub(super) fn scope(&self, judges: Judges, takes: Takes, series: Option<Dimension>) -> Scope {
        let fields = &self.output.fields;
        let metric = if takes == Takes::Nothing { String::new() } else { self.output.metric() };
        let (statistic, show) = match takes {
            Takes::Summaries => (self.statistic(), self.output.show()),
            _ => (Statistic::Mean, Show::Value),
        };
        let better = match judges {
            Judges::Values => Direction::Neither,
            Judges::Better => self.better(&metric, show),
        };
        let compare = self.output.dimension("compare").unwrap_or(Dimension::Method);
        let filter = self.filter(compare);
        let point = |(on, values): &(Dimension, Vec<PointValue>)| Some(*on) == series && values.len() == 1;
        if let (Some(item), true) = (fields.item("where"), filter.iter().any(point)) {
            fields.refuse(item, "`where` leaves one point of the series", "`from` and the end of the stretch");
        }
        let average = match takes {
            Takes::Summaries => fields.texts("average").map(|texts| self.output.dimensions(&texts)),
            _ => None,
        };
        let average = average.unwrap_or_default();
        let over = fields.texts("over").map(|texts| self.output.dimensions(&texts));
        let over = over.unwrap_or_else(|| self.free(&filter, &[&average[..], &[compare], series.as_slice()].concat()));
        for taken in average.iter().chain(series.as_ref()).chain([&compare]) {
            if let (Some(item), true) = (fields.item("over"), over.contains(taken)) {
                fields.refuse(item, "`over` has a dimension with another part in this claim", "each dimension once");
            }
        }
        let used = [&over[..], &average[..], &[compare], series.as_slice()].concat();
        self.output.refuse_averages(&used, &filter);
        Scope { metric, statistic, show, better, compare, over, average, filter }
    }

    /// `better`, or which way the metric says itself.
    fn better(&self, metric: &str, show: Show) -> Direction {
        let fields = &self.output.fields;
        let directions = [("higher", Direction::HigherIsBetter), ("lower", Direction::LowerIsBetter)];
        let own = show.direction(direction_of(metric));
        let better = fields.choice("better", &directions).unwrap_or(own);
        if better == Direction::Neither && !metric.is_empty() && fields.item("better").is_none() {
            fields.missing("better", &format!("higher or lower, because `{metric}` does not say itself"));
        }
        better
    }

    /// Dimensions with several values that have no other part in the claim.
    fn free(&self, filter: &Filter, taken: &[Dimension]) -> Vec<Dimension> {
        let dimensions = self.output.known.dimension_names().into_iter().map(|(_, dimension)| dimension);
        let several = |dimension: &Dimension| {
            let fixed = filter.iter().any(|(on, values)| on == dimension && values.len() == 1);
            !taken.contains(dimension) && !fixed && self.output.known.labels(*dimension).len() > 1
        };
        dimensions.filter(several).collect()
    }
}
