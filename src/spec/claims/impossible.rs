//! `impossible`: what is printed refutes itself.

use super::Outputs;
use super::places::HowMany;
use super::reader::Reader;
use crate::spec::bounds;
use crate::spec::dimension::{Dimension, Filter};
use crate::spec::experiment::PointValue;
use crate::spec::paper_runs::{self, RunsBehind};
use crate::spec::published::{self, Published};
use crate::spec::requests::Statistic;

/// A claim that what is printed refutes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct AuditRequest {
    /// The id of the table or test whose printed numbers are looked at.
    pub(crate) output: String,
    pub(crate) rule: AuditRule,
}

/// How what is printed is looked at.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum AuditRule {
    /// Each number by itself and within its table.
    Range,
    /// Largest, smallest and single shares of objects against whole numbers of objects.
    Integer,
    /// Means of shares of objects against whole numbers of objects and runs.
    Grim {
        /// Numbers of runs that are tried beside the stated one.
        tried: Vec<usize>,
    },
    /// A count of best values in a text against its table.
    Count(SaidCount),
    /// The p of tests against their differences and standard deviations.
    TTest {
        /// Number of pairs, where the paper says it.
        pairs: Option<usize>,
    },
    /// The differences of tests against means printed elsewhere.
    Difference { means: Published },
    /// The standard deviations of tests against means and maxima printed elsewhere.
    Spread { means: Published },
    /// Rows and columns that repeat those of another value of a dimension.
    Repeated { across: Dimension },
    /// Numbers that must differ from those of another table.
    Same {
        /// The part of the table that is compared.
        filter: Filter,
        other: Published,
    },
    /// Means that are maxima, of methods that start at random.
    MeanMax { of: Vec<PointValue> },
}

/// What a text says of a table: how often somebody is best.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SaidCount {
    pub(crate) of: PointValue,
    pub(crate) against: Vec<PointValue>,
    /// Which of the table's statistics.
    pub(crate) statistic: Statistic,
    /// The part of the table that the text is about.
    pub(crate) filter: Filter,
    pub(crate) places: HowMany,
}

/// The numbers of runs that papers usually have.
const USUAL_RUNS: [usize; 4] = [10, 20, 50, 100];

/// Reads the keys of a rule.
type ReadRule = for<'a, 'k> fn(&Reader<'a, 'k>) -> Option<AuditRule>;

/// Every rule: its name, the output it looks at, and what reads its keys.
const RULES: [(&str, (&str, ReadRule)); 10] = [
    ("range", ("table", |_| Some(AuditRule::Range))),
    ("integer", ("table", |_| Some(AuditRule::Integer))),
    ("grim", ("table", grim)),
    ("count", ("table", |reader| SaidCount::read(reader).map(AuditRule::Count))),
    ("t-test", ("test", t_test)),
    ("difference", ("test", |reader| means(reader).map(|means| AuditRule::Difference { means }))),
    ("spread", ("test", |reader| means(reader).map(|means| AuditRule::Spread { means }))),
    ("repeated", ("table", |reader| Some(repeated(reader)))),
    ("same", ("table", same)),
    ("mean-max", ("table", mean_max)),
];

impl AuditRequest {
    pub(super) fn read<'a>(reader: &Reader<'a, '_>, outputs: &Outputs<'a>) -> Option<Self> {
        let fields = &reader.output.fields;
        let rule = fields.choice("rule", &RULES);
        let (kind, read) = fields.required("rule", &RULES.map(|(name, _)| name).join(", "), rule)?;
        let output = fields.required("in", &format!("the id of a {kind} with `published`"), fields.text("in"));
        let table = output.and_then(|id| outputs.check(id, fields.item("in")?, fields, &[kind]));
        if let (Some(table), Some(item)) = (table, fields.item("in"))
            && table.get("published").is_none()
        {
            fields.refuse(item, &format!("nothing is printed in this {kind}"), "one with `published`");
        }
        let rule = read(reader)?;
        Some(Self { output: output?.to_owned(), rule })
    }
}

impl SaidCount {
    fn read(reader: &Reader) -> Option<Self> {
        let of = reader.value("of", Dimension::Method);
        let rivals = || {
            let labels = reader.output.known.labels(Dimension::Method).into_iter();
            labels.filter(|label| Some(label) != of.as_ref()).collect()
        };
        let against = reader.values("against", Dimension::Method).unwrap_or_else(rivals);
        let filter = reader.filter(Dimension::Method);
        let (statistic, places) = (reader.statistic(), reader.how_many());
        Some(Self { of: of?, against, statistic, filter, places })
    }
}

/// `runs` and `repeats` of the claim itself: what is tried, not what the paper states.
fn grim(reader: &Reader) -> Option<AuditRule> {
    let fields = &reader.output.fields;
    let given = paper_runs::read(fields);
    if let (Some(item), Some(runs)) = (fields.item("runs"), &given)
        && runs.each.iter().any(|runs| runs.total() == 1)
    {
        fields.refuse(item, "a mean of one run is that run", "2 or more; rule \"integer\" looks at single runs");
    }
    let given = given.map(|runs| runs.each.into_iter().map(RunsBehind::total).collect());
    Some(AuditRule::Grim { tried: given.unwrap_or_else(|| USUAL_RUNS.to_vec()) })
}

fn t_test(reader: &Reader) -> Option<AuditRule> {
    let fields = &reader.output.fields;
    let pairs = fields.count("pairs", bounds::COUNTED);
    if let (Some(item), Some(1)) = (fields.item("pairs"), pairs) {
        fields.refuse(item, "one pair has no standard deviation", "2 or more, or no `pairs`");
    }
    Some(AuditRule::TTest { pairs })
}

/// `means`: what is printed elsewhere.
fn means(reader: &Reader) -> Option<Published> {
    let fields = &reader.output.fields;
    let expected = "{ file = …, value = …, columns = { … } }, as in `published`";
    let means = fields.required("means", expected, fields.table("means"))?;
    let known = reader.output.known;
    published::read(means, known, known.folder, fields)
}

fn repeated(reader: &Reader) -> AuditRule {
    AuditRule::Repeated { across: reader.output.dimension("across").unwrap_or(Dimension::Dataset) }
}

fn same(reader: &Reader) -> Option<AuditRule> {
    let filter = reader.output.filter();
    Some(AuditRule::Same { filter, other: means(reader)? })
}

fn mean_max(reader: &Reader) -> Option<AuditRule> {
    let fields = &reader.output.fields;
    let of = reader.values("of", Dimension::Method);
    Some(AuditRule::MeanMax { of: fields.required("of", "the methods that start at random", of)? })
}
