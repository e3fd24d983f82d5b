//! What every output has: an id, a title, a metric, `where`.

use std::cell::RefCell;

use super::dimension::{Dimension, Filter};
use super::experiment::PointValue;
use super::fields::{Fields, Problems};
use super::known_names::{KnownNames, may_be_meant};
use super::names;
use super::problem::SpecProblem;
use super::published::{self, Published};
use super::requests::{Show, Statistic};
use super::sweep::point_value;
use super::tree::{Item, Node, TomlTable};
use crate::suggest::did_you_mean;

/// What every output has.
pub(super) struct Output<'a, 'k> {
    pub(super) fields: Fields<'a>,
    table: &'a TomlTable,
    pub(super) known: &'k KnownNames<'k>,
    pub(super) id: String,
    pub(super) title: String,
    /// Names of dimensions that there are not.
    misspelt: RefCell<Vec<String>>,
}

impl<'a, 'k> Output<'a, 'k> {
    pub(super) fn read(table: &'a TomlTable, what: &str, known: &'k KnownNames<'k>, problems: &'a Problems) -> Self {
        let mut output = Self::untitled(table, what, known, problems);
        if let Some(title) = output.fields.text("title") {
            title.clone_into(&mut output.title);
        }
        output
    }

    /// Something with an id and no title.
    pub(super) fn untitled(
        table: &'a TomlTable,
        what: &str,
        known: &'k KnownNames<'k>,
        problems: &'a Problems,
    ) -> Self {
        let fields = Fields::new(table, what, problems);
        // Whatever is wrong with the id, the rest is read as well.
        let id = names::output_id(&fields).unwrap_or_default();
        Self { fields, table, known, id: id.to_owned(), title: id.to_owned(), misspelt: RefCell::default() }
    }

    fn unknown(&self, item: &Item, what: &str, name: &str, names: &[&str]) {
        let hint = did_you_mean(name, names).unwrap_or_default();
        self.fields.refuse(
            item,
            &format!("no {what} is named \"{name}\"{hint}"),
            &format!("one of {}", names.join(", ")),
        );
    }

    pub(super) fn dimensions(&self, texts: &[(&str, &Item)]) -> Vec<Dimension> {
        texts.iter().filter_map(|(text, item)| self.find_dimension(text, item)).collect()
    }

    fn find_dimension(&self, name: &str, item: &Item) -> Option<Dimension> {
        let found = self.known.dimension(name, item, &self.fields);
        if found.is_none() {
            self.misspelt.borrow_mut().push(name.to_owned());
        }
        found
    }

    pub(super) fn published(&self) -> Published {
        let table = self.fields.table("published");
        table.and_then(|table| published::read(table, self.known, self.known.folder, &self.fields)).unwrap_or_default()
    }

    pub(super) fn dimension(&self, key: &'a str) -> Option<Dimension> {
        let text = self.fields.text(key)?;
        self.find_dimension(text, self.fields.item(key)?)
    }

    pub(super) fn metrics(&self) -> Vec<String> {
        let expected = format!("one or more of {}", self.known.metric_names().join(", "));
        let texts = self.fields.required("metric", &expected, self.fields.texts("metric")).unwrap_or_default();
        texts.into_iter().filter_map(|(name, item)| self.check_metric(name, item)).collect()
    }

    pub(super) fn metric(&self) -> String {
        let expected = format!("one of {}", self.known.metric_names().join(", "));
        let name = self.fields.required("metric", &expected, self.fields.text("metric"));
        name.and_then(|name| self.check_metric(name, self.fields.item("metric")?)).unwrap_or_default()
    }

    fn check_metric(&self, name: &str, item: &Item) -> Option<String> {
        let mut names = self.known.metric_names();
        let is_one = crate::metric::find(name).is_some();
        // A metric that there is may be what a misspelt one of `metrics` was to be; one that there is not is a mistake of its own.
        let is_noted = match is_one {
            true => may_be_meant(name, self.known.doubtful),
            false => self.known.doubtful.iter().any(|doubtful| doubtful == name),
        };
        if names.contains(&name) || is_noted {
            return Some(name.to_owned());
        }
        if is_one {
            self.fields.refuse(
                item,
                &format!("`{name}` is not among the spec's `metrics`"),
                "a metric that is measured",
            );
        } else {
            // Where one of the spec's is misspelt, nobody knows which it has.
            if !self.known.doubtful.is_empty() {
                names.extend(crate::metric::all().iter().map(|metric| metric.name));
            }
            self.unknown(item, "metric", name, &names);
        }
        None
    }

    pub(super) fn statistics(&self) -> Vec<Statistic> {
        let Some(texts) = self.fields.texts("statistics") else { return vec![Statistic::Mean] };
        let names: Vec<&str> = Statistic::ALL.iter().map(|(name, _)| *name).collect();
        let found = texts.into_iter().filter_map(|(text, item)| {
            let found = Statistic::ALL.iter().find(|(name, _)| *name == text).map(|(_, statistic)| *statistic);
            if found.is_none() {
                self.unknown(item, "statistic", text, &names);
            }
            found
        });
        found.collect()
    }

    pub(super) fn show(&self) -> Show {
        let choices = [
            ("value", Show::Value),
            ("percent", Show::Percent),
            ("error", Show::Error),
            ("error-percent", Show::ErrorPercent),
        ];
        self.fields.choice("show", &choices).unwrap_or(Show::Value)
    }

    pub(super) fn method(&self, key: &'a str) -> Option<String> {
        let name = self.fields.text(key)?;
        let item = self.fields.item(key)?;
        self.check_value(Dimension::Method, &PointValue::Text(name.to_owned()), item).then(|| name.to_owned())
    }

    pub(super) fn check_value(&self, dimension: Dimension, value: &PointValue, item: &Item) -> bool {
        let labels = self.known.labels(dimension);
        let known = labels.contains(value) || may_be_meant(&value.to_string(), self.known.doubtful);
        if !known {
            let labels: Vec<String> = labels.iter().map(PointValue::to_string).collect();
            let names: Vec<&str> = labels.iter().map(String::as_str).collect();
            self.unknown(item, "value of this spec", &value.to_string(), &names);
        }
        known
    }

    /// `where = { dataset = ["iris"], ensemble.size = 5 }`.
    pub(super) fn filter(&self) -> Filter {
        let mut filter = Filter::new();
        if let Some(table) = self.fields.table("where") {
            self.filter_leaves(table, "", &mut filter);
        }
        filter
    }

    fn filter_leaves(&self, table: &TomlTable, prefix: &str, filter: &mut Filter) {
        for entry in &table.entries {
            let key = format!("{prefix}{}", entry.key);
            let items: Vec<&Item> = match &entry.item.node {
                Node::Table(inner) => {
                    self.filter_leaves(inner, &format!("{key}."), filter);
                    continue;
                }
                Node::List(items) => items.iter().collect(),
                _ => vec![&entry.item],
            };
            let at_key = Item { node: Node::Text(key.clone()), span: entry.key_span.clone() };
            let Some(dimension) = self.find_dimension(&key, &at_key) else { continue };
            let values: Vec<PointValue> = items
                .into_iter()
                .map(|item| (point_value(&item.node), item))
                .filter(|(value, item)| self.check_value(dimension, value, item))
                .map(|(value, _)| value)
                .collect();
            filter.push((dimension, values));
        }
    }

    /// Refuses unknown keys, and to average over what the output does not show: a mean over datasets or sweep points
    /// that nobody asked for is a mistake.
    pub(super) fn finish(self, used: &[Dimension], filter: &Filter) {
        self.refuse_averages(used, filter);
        self.fields.finish(&[]);
    }

    pub(super) fn refuse_averages(&self, used: &[Dimension], filter: &Filter) {
        let misspelt = self.misspelt.borrow();
        for (name, dimension) in self.known.dimension_names() {
            let fixed = filter.iter().any(|(filtered, values)| *filtered == dimension && values.len() == 1);
            let is_doubtful =
                self.known.doubtful.iter().any(|doubtful| doubtful == name) || may_be_meant(name, &misspelt);
            if !used.contains(&dimension) && !fixed && !is_doubtful && self.known.labels(dimension).len() > 1 {
                let message = format!("`{}` would average over `{name}`, which has several values here", self.id);
                let start = self.table.span.start;
                let problem = SpecProblem::new(start..start, message);
                self.fields.problems().add(problem.expected(format!("`{name}` as a part of it, or fixed by `where`")));
            }
        }
    }
}
