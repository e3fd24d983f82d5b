//! Keys that checks have in common.

use super::requests::{Best, Count, HowMany, Need, Quantity, Relation, Scope, Stretch, Subjects};
use crate::facts::direction_of;
use crate::metric::Direction;
use crate::spec::bounds;
use crate::spec::dimension::{Dimension, Filter};
use crate::spec::experiment::PointValue;
use crate::spec::fields::number;
use crate::spec::outputs::Output;
use crate::spec::requests::{Show, Statistic};
use crate::spec::sweep::point_value;
use crate::spec::tree::{Item, Node};

/// Whether a check needs to know which way is better.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Judges {
    Better,
    Values,
}

/// Whether a check takes `statistic`, `show` and `average`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Takes {
    Summaries,
    Metric,
    Nothing,
}

/// Reads a claim's keys.
pub(super) struct Reader<'a, 'k> {
    pub(super) output: Output<'a, 'k>,
}

impl<'a> Reader<'a, '_> {
    /// Which numbers the claim is about. `series` is the key along which it looks at a series.
    pub(super) fn scope(&self, judges: Judges, takes: Takes, series: Option<Dimension>) -> Scope {
        let fields = &self.output.fields;
        let metric = if takes == Takes::Nothing { String::new() } else { self.output.metric() };
        let (statistic, show) = match takes {
            Takes::Summaries => (self.statistic(), self.output.show()),
            _ => (Statistic::Mean, Show::Value),
        };
        let directions = [("higher", Direction::HigherIsBetter), ("lower", Direction::LowerIsBetter)];
        let better = match judges {
            Judges::Values => Direction::Neither,
            Judges::Better => {
                let own = show.direction(direction_of(&metric));
                let better = fields.choice("better", &directions).unwrap_or(own);
                if better == Direction::Neither && !metric.is_empty() && fields.item("better").is_none() {
                    fields.missing("better", &format!("higher or lower, because `{metric}` does not say itself"));
                }
                better
            }
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

    /// `where`, which must leave what is compared alone.
    pub(super) fn filter(&self, compare: Dimension) -> Filter {
        let fields = &self.output.fields;
        let filter = self.output.filter();
        if let (Some(item), true) = (fields.item("where"), filter.iter().any(|(on, _)| *on == compare)) {
            fields.refuse(item, "`where` restricts what is compared", "the values to compare in `of` and `against`");
        }
        filter
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

    pub(super) fn statistic(&self) -> Statistic {
        let choices = Statistic::ALL.map(|(name, statistic)| (name, statistic));
        let choices: Vec<_> = choices.into_iter().filter(|(_, statistic)| *statistic != Statistic::Runs).collect();
        self.output.fields.choice("statistic", &choices).unwrap_or(Statistic::Mean)
    }

    /// The values of a dimension under a key, or a problem.
    pub(super) fn values(&self, key: &'a str, dimension: Dimension) -> Option<Vec<PointValue>> {
        let items = self.output.fields.list(key)?;
        let values = items.into_iter().map(|item| (point_value(&item.node), item));
        let known = values.filter(|(value, item)| self.output.check_value(dimension, value, item));
        Some(known.map(|(value, _)| value).collect())
    }

    pub(super) fn value(&self, key: &'a str, dimension: Dimension) -> Option<PointValue> {
        let fields = &self.output.fields;
        let mut values = fields.required(key, "a value of what is compared", self.values(key, dimension))?;
        if let (Some(item), true) = (fields.item(key), values.len() > 1) {
            fields.refuse(item, &format!("`{key}` has several values"), "one");
        }
        values.pop()
    }

    pub(super) fn chain(&self, dimension: Dimension) -> Vec<PointValue> {
        let fields = &self.output.fields;
        let given = fields.required("of", "two or more values of what is compared", self.values("of", dimension));
        let given = given.unwrap_or_default();
        if let (Some(item), 1) = (fields.item("of"), given.len()) {
            fields.refuse(item, "one value is compared with nothing", "two or more values");
        }
        given
    }

    /// Values under `of`, or all there are.
    pub(super) fn of_or_all(&self, dimension: Dimension) -> Vec<PointValue> {
        self.values("of", dimension).unwrap_or_else(|| self.output.known.labels(dimension))
    }

    pub(super) fn subjects(&self, dimension: Dimension) -> Subjects {
        let fields = &self.output.fields;
        let values = fields.required("of", "whom the claim is about", self.values("of", dimension)).unwrap_or_default();
        let need = match fields.flag("each") {
            Some(true) => Need::Each,
            _ => Need::Any,
        };
        Subjects { values, need }
    }

    /// Values under `against`, or all that are not subjects. A subject that must do it by itself has the others as
    /// rivals.
    pub(super) fn rivals(&self, dimension: Dimension, of: &Subjects) -> Vec<PointValue> {
        let all = || {
            let labels = self.output.known.labels(dimension).into_iter();
            labels.filter(|label| of.need == Need::Each || !of.values.contains(label)).collect()
        };
        self.values("against", dimension).unwrap_or_else(all)
    }

    pub(super) fn relation(&self) -> Relation {
        let fields = &self.output.fields;
        let relation = fields.choice("relation", &Relation::ALL);
        fields.required("relation", "<, <=, > or >=", relation).unwrap_or(Relation::Below)
    }

    pub(super) fn best(&self) -> Best {
        self.output.fields.choice("best", &[("alone", Best::Alone), ("tied", Best::Tied)]).unwrap_or(Best::Tied)
    }

    pub(super) fn along(&self) -> Option<Dimension> {
        let fields = &self.output.fields;
        let along = fields.required("along", "a swept key", self.output.dimension("along"))?;
        let numbers = |dimension| {
            let labels = self.output.known.labels(dimension);
            labels.iter().all(|label| matches!(label, PointValue::Number(_)))
        };
        match along {
            Dimension::Sweep(_) if numbers(along) => Some(along),
            _ => {
                fields.refuse(fields.item("along")?, "there is no series along this", "a swept key with numbers");
                None
            }
        }
    }

    /// `from` and `to` (or `until`, which need not be a value of the key).
    pub(super) fn stretch(&self, along: Dimension, end: &'a str) -> Stretch {
        let swept = |key: &'a str| {
            let item = self.output.fields.item(key)?;
            let value = point_value(&item.node);
            match value {
                PointValue::Number(number) if self.output.check_value(along, &value, item) => Some(number),
                _ => None,
            }
        };
        let to = if end == "until" { self.number(end) } else { swept(end) };
        Stretch { along, from: swept("from"), to }
    }

    pub(super) fn number(&self, key: &'a str) -> Option<f64> {
        let fields = &self.output.fields;
        let item = fields.item(key)?;
        let value = number(&item.node);
        if value.is_none() {
            fields.refuse(item, &format!("`{key}` is {}", item.node.describe()), "a number");
        }
        value
    }

    /// A number above 0.
    pub(super) fn amount(&self, key: &'a str) -> Option<f64> {
        let value = self.number(key)?;
        if let (Some(item), false) = (self.output.fields.item(key), value > 0.0) {
            self.output.fields.refuse(item, &format!("`{key}` is {value}"), "a number above 0");
        }
        Some(value)
    }

    pub(super) fn required_number(&self, key: &'a str, expected: &str) -> f64 {
        self.output.fields.required(key, expected, self.number(key)).unwrap_or_default()
    }

    /// `at-least`, `at-most` or `exactly`, and `out-of`.
    pub(super) fn how_many(&self) -> HowMany {
        let fields = &self.output.fields;
        let keys = ["at-least", "at-most", "exactly"];
        let given: Vec<&Item> = keys.iter().filter_map(|key| fields.item(key)).collect();
        if let [_, second, ..] = given[..] {
            fields.refuse(second, "a claim has one number of places", "one of at-least, at-most, exactly");
        }
        let quantity = if let Some(item) = fields.item("at-least") {
            self.count(item).map(Quantity::AtLeast)
        } else if let Some(item) = fields.item("at-most") {
            let count = self.count(item).filter(|count| *count != Count::Most);
            if count.is_none() {
                fields.refuse(item, "at most how many?", "a whole number or a share like \"90%\"");
            }
            count.map(Quantity::AtMost)
        } else {
            fields.whole("exactly").and_then(|n| usize::try_from(n).ok()).map(Quantity::Exactly)
        };
        HowMany { quantity: quantity.unwrap_or(Quantity::All), out_of: fields.count("out-of", bounds::COUNTED) }
    }

    fn count(&self, item: &Item) -> Option<Count> {
        let read = match &item.node {
            Node::Integer(number) => usize::try_from(*number).ok().map(Count::Number),
            Node::Text(text) if text == "most" => Some(Count::Most),
            Node::Text(text) => share(text).map(Count::Share),
            _ => None,
        };
        if read.is_none() {
            let expected = "a whole number, a share like \"90%\" or \"most\"";
            self.output.fields.refuse(item, &format!("a number of places is {}", item.node.describe()), expected);
        }
        read
    }

    /// `share = "90%"`.
    pub(super) fn share(&self) -> Option<f64> {
        let fields = &self.output.fields;
        let text = fields.text("share")?;
        let read = share(text);
        if let (Some(item), None) = (fields.item("share"), read) {
            fields.refuse(item, &format!("`share` is \"{text}\""), "a share like \"90%\"");
        }
        read
    }
}

/// Reads "90%".
fn share(text: &str) -> Option<f64> {
    let percent: f64 = text.strip_suffix('%')?.trim().parse().ok()?;
    (0.0..=100.0).contains(&percent).then_some(percent / 100.0)
}
