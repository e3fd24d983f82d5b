//! Keys that checks have in common. Each key is read where its type is: `scope.rs`, `places.rs`, `subjects.rs`,
//! `series.rs`, `relation.rs`; what is left is here.

use crate::spec::dimension::{Dimension, Filter};
use crate::spec::experiment::PointValue;
use crate::spec::fields::number;
use crate::spec::output::Output;
use crate::spec::requests::Statistic;
use crate::spec::sweep::point_value;

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
    /// `where`, which must leave what is compared alone.
    pub(super) fn filter(&self, compare: Dimension) -> Filter {
        let fields = &self.output.fields;
        let filter = self.output.filter();
        if let (Some(item), true) = (fields.item("where"), filter.iter().any(|(on, _)| *on == compare)) {
            fields.refuse(item, "`where` restricts what is compared", "the values to compare in `of` and `against`");
        }
        filter
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
}
