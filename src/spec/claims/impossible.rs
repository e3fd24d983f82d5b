//! `impossible`: what is printed refutes itself.

use super::Outputs;
use super::best_few::SaidBestFew;
use super::computed::SaidFormula;
use super::places::HowMany;
use super::reader::Reader;
use crate::spec::bounds;
use crate::spec::dimension::{Dimension, Filter};
use crate::spec::experiment::PointValue;
use crate::spec::paper_runs::{self, RunsBehind};
use crate::spec::published::{self, Published};
use crate::spec::requests::Statistic;
use crate::spec::sweep::point_value;
use crate::spec::triples::{self, PrintedTriple};

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
    Repeated {
        across: Dimension,
        /// Where the numbers are; none where they are those of the table.
        means: Vec<Published>,
    },
    /// Numbers that must differ from those of another table.
    Same {
        /// The part of the table that is compared.
        filter: Filter,
        other: Published,
    },
    /// Means that are maxima, of methods that start at random.
    MeanMax { of: Vec<PointValue> },
    /// How often one method is significantly better than another against means and standard deviations.
    Triples(SaidTriples),
    /// A printed column against the others that it is computed from.
    Formula(SaidFormula),
    /// Marks of the best, or counts of them, against the numbers they are of.
    BestFew(SaidBestFew),
    /// Triples that must differ from those of another table.
    SameTriples { these: Vec<PrintedTriple>, others: Vec<PrintedTriple> },
}

/// What a paper prints of t-tests, and what they were made of.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SaidTriples {
    pub(crate) triples: Vec<PrintedTriple>,
    /// Where the means and standard deviations are; none where they are those of the table.
    pub(crate) means: Vec<Published>,
    /// Runs of each method, where the claim says it.
    pub(crate) runs: Option<usize>,
    /// The p of a significant difference.
    pub(crate) p_below: f64,
    /// Which tests are looked at.
    pub(crate) test: TestOfTriples,
    /// What the text says of each first method, where that is looked at in place of the printed counts.
    pub(crate) at_least: Option<usize>,
}

/// Which t-tests counts are held against.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum TestOfTriples {
    /// Any, paired or not.
    #[default]
    Any,
    /// The one of two samples.
    TwoSample,
}

/// What a text says of a table: how often somebody is best.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SaidCount {
    /// What is compared.
    pub(crate) compare: Dimension,
    pub(crate) of: PointValue,
    /// The rivals.
    pub(crate) against: Vec<PointValue>,
    /// Files whose numbers are counted, whatever of them this experiment has; none where they are those of the table.
    pub(crate) files: Vec<Published>,
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
const RULES: [(&str, (&str, ReadRule)); 14] = [
    ("range", ("table", |_| Some(AuditRule::Range))),
    ("integer", ("table", |_| Some(AuditRule::Integer))),
    ("grim", ("table", grim)),
    ("count", ("table", |reader| SaidCount::read(reader).map(AuditRule::Count))),
    ("t-test", ("test", t_test)),
    ("difference", ("test", |reader| means(reader).map(|means| AuditRule::Difference { means }))),
    ("spread", ("test", |reader| means(reader).map(|means| AuditRule::Spread { means }))),
    ("repeated", ("table", repeated)),
    ("same", ("table", same)),
    ("mean-max", ("table", mean_max)),
    ("triples", ("table", |reader| SaidTriples::read(reader).map(AuditRule::Triples))),
    ("bold", ("table", |reader| SaidBestFew::read_marks(reader).map(AuditRule::BestFew))),
    ("tally", ("table", |reader| SaidBestFew::read_tally(reader).map(AuditRule::BestFew))),
    (FORMULA, ("table", |reader| SaidFormula::read(reader).map(AuditRule::Formula))),
];

/// The one rule that has a file of its own and needs nothing printed in its table.
const FORMULA: &str = "formula";

impl AuditRequest {
    pub(super) fn read<'a>(reader: &Reader<'a, '_>, outputs: &Outputs<'a>) -> Option<Self> {
        let fields = &reader.output.fields;
        let rule = fields.choice("rule", &RULES);
        let (kind, read) = fields.required("rule", &RULES.map(|(name, _)| name).join(", "), rule)?;
        let output = fields.required("in", &format!("the id of a {kind} with `published`"), fields.text("in"));
        let table = output.and_then(|id| outputs.check(id, fields.item("in")?, fields, &[kind]));
        if let (Some(table), Some(item)) = (table, fields.item("in"))
            && table.get("published").is_none()
            && fields.text("rule") != Some(FORMULA)
        {
            fields.refuse(item, &format!("nothing is printed in this {kind}"), "one with `published`");
        }
        let rule = read(reader)?;
        Some(Self { output: output?.to_owned(), rule })
    }
}

impl SaidCount {
    fn read(reader: &Reader) -> Option<Self> {
        let files = several_means(reader)?;
        if !files.is_empty() {
            return Self::of_files(reader, files);
        }
        let of = reader.value("of", Dimension::Method);
        let rivals = || {
            let labels = reader.output.known.labels(Dimension::Method).into_iter();
            labels.filter(|label| Some(label) != of.as_ref()).collect()
        };
        let against = reader.values("against", Dimension::Method).unwrap_or_else(rivals);
        let filter = reader.filter(Dimension::Method);
        let (statistic, places) = (reader.statistic(), reader.how_many());
        Some(Self { compare: Dimension::Method, of: of?, against, files, statistic, filter, places })
    }

    /// Of numbers that are printed, where this experiment may have none.
    fn of_files(reader: &Reader, files: Vec<Published>) -> Option<Self> {
        let fields = &reader.output.fields;
        let compare = reader.output.dimension("compare").unwrap_or(Dimension::Method);
        let printed = |value: &PointValue| {
            files.iter().flat_map(Published::entries).any(|entry| {
                let at = entry.at.iter().any(|(on, _)| *on == compare);
                at && entry.has(compare, value)
            })
        };
        let read = |key: &'static str| {
            let items = fields.list(key).unwrap_or_default();
            let values = items.into_iter().map(|item| (point_value(&item.node), item)).filter(|(value, item)| {
                let known = printed(value);
                if !known {
                    fields.refuse(item, &format!("`{value}` is not in the files of `means`"), "what is printed there");
                }
                known
            });
            values.map(|(value, _)| value).collect::<Vec<_>>()
        };
        let (of, against) = (read("of"), read("against"));
        if let (Some(item), true) = (fields.item("of"), of.len() > 1) {
            fields.refuse(item, "`of` has several values", "one");
        }
        let of = fields.required("of", "what is said to be best", of.into_iter().next());
        let filter = reader.filter(compare);
        let (statistic, places) = (reader.statistic(), reader.how_many());
        Some(Self { compare, of: of?, against, files, statistic, filter, places })
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

/// `triples`: one or more files of them.
fn triples(reader: &Reader) -> Option<Vec<Vec<PrintedTriple>>> {
    let fields = &reader.output.fields;
    let tables = fields.tables("triples");
    tables.into_iter().map(|table| triples::read(table, reader.output.known, fields)).collect()
}

impl SaidTriples {
    fn read(reader: &Reader) -> Option<Self> {
        let fields = &reader.output.fields;
        if fields.item("triples").is_none() {
            fields.missing("triples", "{ file = …, first = …, second = …, better = …, comparable = …, worse = … }");
        }
        let means = several_means(reader);
        let runs =
            paper_runs::read(fields).map(|runs| runs.each.into_iter().map(RunsBehind::total).collect::<Vec<_>>());
        if let (Some(item), Some(runs)) = (fields.item("runs"), &runs)
            && (runs.len() > 1 || runs.contains(&1))
        {
            fields.refuse(item, "a t-test has one number of runs, and not one run", "2 or more");
        }
        let p_below = fields.fraction("p-below").unwrap_or(0.05);
        if let (Some(item), true) = (fields.item("p-below"), p_below <= 0.0 || p_below >= 1.0) {
            fields.refuse(item, &format!("no p is always or never below {p_below}"), "a number between 0 and 1");
        }
        let tests = [("any", TestOfTriples::Any), ("two-sample", TestOfTriples::TwoSample)];
        let test = fields.choice("test", &tests).unwrap_or_default();
        let at_least = fields.count("at-least", bounds::COUNTED);
        let triples = triples(reader)?.into_iter().flatten().collect();
        let runs = runs.and_then(|runs| runs.first().copied());
        Some(Self { triples, means: means?, runs, p_below, test, at_least })
    }
}

fn repeated(reader: &Reader) -> Option<AuditRule> {
    let across = reader.output.dimension("across").unwrap_or(Dimension::Dataset);
    Some(AuditRule::Repeated { across, means: several_means(reader)? })
}

/// `means`: one or more files with numbers; none where the table's own are meant.
pub(super) fn several_means(reader: &Reader) -> Option<Vec<Published>> {
    let (fields, known) = (&reader.output.fields, reader.output.known);
    let tables = fields.tables("means").into_iter();
    tables.map(|table| published::read(table, known, known.folder, fields)).collect()
}

/// With `triples` these are compared, two tables of them, and not the numbers of the table.
fn same(reader: &Reader) -> Option<AuditRule> {
    let filter = reader.output.filter();
    let fields = &reader.output.fields;
    if let Some(item) = fields.item("triples") {
        let tables = triples(reader)?;
        let Ok([these, others]) = <[_; 2]>::try_from(tables) else {
            fields.refuse(item, "`triples` is not two tables", "[{ file = … }, { file = … }]");
            return None;
        };
        return Some(AuditRule::SameTriples { these, others });
    }
    Some(AuditRule::Same { filter, other: means(reader)? })
}

fn mean_max(reader: &Reader) -> Option<AuditRule> {
    let fields = &reader.output.fields;
    let of = reader.values("of", Dimension::Method);
    Some(AuditRule::MeanMax { of: fields.required("of", "the methods that start at random", of)? })
}
