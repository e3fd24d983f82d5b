//! `[[table]]`, `[[figure]]` and `[[test]]`: what the report shows.

use std::path::Path;

use super::bounds;
use super::dimension::{Dimension, Filter};
use super::experiment::{Point, PointValue, distinct};
use super::fields::{Fields, Problems};
use super::names;
use super::problem::Problem;
use super::published::{self, Published};
use super::requests::{Band, FigureRequest, FigureStyle, Show, Statistic, TableRequest, TestRequest};
use super::sweep::point_value;
use super::tree::{Item, Node, Table};
use crate::facts;
use crate::metric::MetricInfo;
use crate::stats::Alternative;
use crate::suggest::did_you_mean;

/// The keys of everything that has an id.
pub(super) const OUTPUTS: [&str; 6] = ["table", "figure", "test", "listing", "picture", "ranking"];

/// What outputs can refer to.
pub(super) struct Known<'a> {
    pub(super) datasets: Vec<String>,
    pub(super) metrics: &'a [&'static MetricInfo],
    pub(super) sweep: &'a [String],
    pub(super) points: &'a [Point],
    /// Paths in the spec are relative to this folder.
    pub(super) folder: &'a Path,
    /// Values that dimensions have at the paper's scale, where that is another one: a claim may name them.
    pub(super) elsewhere: &'a [(String, Vec<PointValue>)],
}

impl Known<'_> {
    /// The dimension of that name, or a problem at `item`.
    pub(super) fn dimension(&self, name: &str, item: &Item, output: &Fields) -> Option<Dimension> {
        let names = self.dimension_names();
        let found = names.iter().find(|(known, _)| *known == name).map(|(_, dimension)| *dimension);
        if found.is_none() {
            let names: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
            let hint = did_you_mean(name, &names).unwrap_or_default();
            let message = format!("no dimension is named \"{name}\"{hint}");
            output.refuse(item, &message, &format!("one of {}", names.join(", ")));
        }
        found
    }

    /// The values of a dimension, those of the paper's scale first.
    pub(super) fn labels(&self, dimension: Dimension) -> Vec<PointValue> {
        let elsewhere = self.elsewhere.iter().find(|(known, _)| known == dimension.key(self.sweep));
        let elsewhere = elsewhere.map_or_else(Vec::new, |(_, values)| values.clone());
        distinct(elsewhere.into_iter().chain(self.labels_here(dimension)))
    }

    /// The values of every dimension at this scale, by its name.
    pub(super) fn extent(&self) -> Vec<(String, Vec<PointValue>)> {
        let names = self.dimension_names().into_iter();
        names.map(|(name, dimension)| (name.to_owned(), self.labels_here(dimension))).collect()
    }

    fn labels_here(&self, dimension: Dimension) -> Vec<PointValue> {
        dimension.values(self.datasets.iter().cloned(), self.points)
    }

    pub(super) fn dimension_names(&self) -> Vec<(&str, Dimension)> {
        Dimension::all(self.sweep).into_iter().map(|dimension| (dimension.key(self.sweep), dimension)).collect()
    }

    fn metric_names(&self) -> Vec<&str> {
        self.metrics.iter().map(|metric| metric.name).chain(facts::ALL.iter().map(|fact| fact.name)).collect()
    }
}

/// Reads `[[table]]`s.
pub(super) fn tables<'a>(top: &Fields<'a>, known: &Known, problems: &'a Problems) -> Vec<TableRequest> {
    let read = top.tables("table").into_iter().filter_map(|table| {
        let output = Output::read(table, "[[table]]", known, problems)?;
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
        Some(request)
    });
    let read: Vec<TableRequest> = read.collect();
    names::refuse_equal_ids(top, problems);
    read
}

/// Reads `[[figure]]`s.
pub(super) fn figures<'a>(top: &Fields<'a>, known: &Known, problems: &'a Problems) -> Vec<FigureRequest> {
    let read = top.tables("figure").into_iter().filter_map(|table| {
        let output = Output::read(table, "[[figure]]", known, problems)?;
        let fields = &output.fields;
        let styles = [("line", FigureStyle::Line), ("bar", FigureStyle::Bar), ("box", FigureStyle::Box)];
        let style = fields.required("kind", "line, bar or box", fields.choice("kind", &styles));
        let x = fields.required("x", "what stands on the horizontal axis", output.dimension("x"));
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
            filter: output.filter(),
            published: output.published(),
        };
        let used: Vec<Dimension> =
            [Some(request.x), Some(request.series), request.panel].into_iter().flatten().collect();
        output.finish(&used, &request.filter);
        Some(request)
    });
    read.collect()
}

/// Reads `[[test]]`s.
pub(super) fn tests<'a>(top: &Fields<'a>, known: &Known, problems: &'a Problems) -> Vec<TestRequest> {
    let read = top.tables("test").into_iter().filter_map(|table| {
        let output = Output::read(table, "[[test]]", known, problems)?;
        let fields = &output.fields;
        let first = fields.required("first", "the label of a method", output.method("first"));
        let second = fields.required("second", "the label of a method", output.method("second"));
        let alternatives = Alternative::ALL.map(|alternative| (alternative.name(), alternative));
        let alternative = fields.choice("alternative", &alternatives).unwrap_or(Alternative::TwoSided);
        let metric = output.metric();
        let filter = output.filter();
        let published = fields.table("published");
        let published = published.and_then(|table| published::read_tests(table, known, fields)).unwrap_or_default();
        let id = output.id.clone();
        let title = output.title.clone();
        let all: Vec<Dimension> = known.dimension_names().into_iter().map(|(_, dimension)| dimension).collect();
        output.finish(&all, &filter);
        Some(TestRequest { id, title, metric, first: first?, second: second?, alternative, filter, published })
    });
    read.collect()
}

/// What every output has.
pub(super) struct Output<'a, 'k> {
    pub(super) fields: Fields<'a>,
    table: &'a Table,
    pub(super) known: &'k Known<'k>,
    pub(super) id: String,
    pub(super) title: String,
}

impl<'a, 'k> Output<'a, 'k> {
    pub(super) fn read(table: &'a Table, what: &str, known: &'k Known<'k>, problems: &'a Problems) -> Option<Self> {
        let mut output = Self::untitled(table, what, known, problems)?;
        if let Some(title) = output.fields.text("title") {
            title.clone_into(&mut output.title);
        }
        Some(output)
    }

    /// Something with an id and no title.
    pub(super) fn untitled(table: &'a Table, what: &str, known: &'k Known<'k>, problems: &'a Problems) -> Option<Self> {
        let fields = Fields::new(table, what, problems);
        let id = names::output_id(&fields)?;
        Some(Self { fields, table, known, id: id.to_owned(), title: id.to_owned() })
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
        self.known.dimension(name, item, &self.fields)
    }

    fn published(&self) -> Published {
        let table = self.fields.table("published");
        table.and_then(|table| published::read(table, self.known, self.known.folder, &self.fields)).unwrap_or_default()
    }

    pub(super) fn dimension(&self, key: &'a str) -> Option<Dimension> {
        let text = self.fields.text(key)?;
        self.find_dimension(text, self.fields.item(key)?)
    }

    fn metrics(&self) -> Vec<String> {
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
        let names = self.known.metric_names();
        if names.contains(&name) {
            return Some(name.to_owned());
        }
        if crate::metric::find(name).is_some() {
            self.fields.refuse(
                item,
                &format!("`{name}` is not among the spec's `metrics`"),
                "a metric that is measured",
            );
        } else {
            self.unknown(item, "metric", name, &names);
        }
        None
    }

    fn statistics(&self) -> Vec<Statistic> {
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

    fn method(&self, key: &'a str) -> Option<String> {
        let name = self.fields.text(key)?;
        let item = self.fields.item(key)?;
        self.check_value(Dimension::Method, &PointValue::Text(name.to_owned()), item).then(|| name.to_owned())
    }

    pub(super) fn check_value(&self, dimension: Dimension, value: &PointValue, item: &Item) -> bool {
        let labels = self.known.labels(dimension);
        let known = labels.contains(value);
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

    fn filter_leaves(&self, table: &Table, prefix: &str, filter: &mut Filter) {
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
        for (name, dimension) in self.known.dimension_names() {
            let fixed = filter.iter().any(|(filtered, values)| *filtered == dimension && values.len() == 1);
            if !used.contains(&dimension) && !fixed && self.known.labels(dimension).len() > 1 {
                let message = format!("`{}` would average over `{name}`, which has several values here", self.id);
                let start = self.table.span.start;
                let problem = Problem::new(start..start, message);
                self.fields.problems().add(problem.expected(format!("`{name}` as a part of it, or fixed by `where`")));
            }
        }
    }
}
