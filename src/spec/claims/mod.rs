//! `[[claim]]`: what the paper says, and how that is decided.
//!
//! One file for each check: what it asks for, and how it is read from a spec. How it is judged is in `claim/checks/`.

mod best_few;
mod bound;
mod change;
mod computed;
mod equal;
mod fails;
mod flat;
mod impossible;
mod order;
mod outputs;
mod paired;
mod picture;
mod places;
mod rank;
mod reader;
mod relation;
mod scope;
mod series;
mod subjects;
mod trend;
mod value;
mod wins;

pub(crate) use best_few::{SaidBestFew, SaidOfBest};
pub(crate) use bound::{Bound, Bounded};
pub(crate) use change::ChangesLess;
pub(crate) use computed::SaidFormula;
pub(crate) use equal::{Equal, Equality, Tolerance};
pub(crate) use fails::Fails;
pub(crate) use flat::{Departures, FlatUntil};
pub(crate) use impossible::{AuditRequest, AuditRule, SaidCount, SaidTriples, TestOfTriples};
pub(crate) use order::InOrder;
pub(crate) use paired::{Opponent, PLevel, PairedTest};
pub(crate) use picture::{PictureBound, PictureClaim, PictureMeasure};
pub(crate) use places::{HowMany, PlaceCount, Quantity};
pub(crate) use rank::{CountedFrom, RankAtMost};
pub(crate) use relation::Relation;
pub(crate) use scope::Scope;
pub(crate) use series::Stretch;
pub(crate) use subjects::{Subjects, WhichSubjects};
pub(crate) use trend::{Trend, TrendSteps, Way};
pub(crate) use value::PrintedValue;
pub(crate) use wins::{Victory, Wins};

use std::collections::BTreeSet;

use super::fields::{Fields, Problems};
use super::known_names::KnownNames;
use super::output::Output;
use super::outputs::OUTPUTS;
use super::paper_runs::{self, PaperRuns};
use super::tree::{Node, TomlTable};
use outputs::Outputs;
use reader::Reader;

/// What the ids of automatic judgements end in.
pub(crate) const PRINTED: &str = "-printed";

/// A claim of the paper.
#[derive(Debug, Clone, PartialEq)]
pub struct ClaimRequest {
    /// Unique among the spec's claims.
    pub(crate) id: String,
    /// Where the paper says it.
    pub(crate) source: String,
    /// What it says, in our words.
    pub(crate) says: String,
    /// The id of the output that shows it.
    pub(crate) shown_in: Option<String>,
    /// How much stands behind it in the paper, where that is said of it.
    pub(crate) runs: Option<PaperRuns>,
    /// The name of its check.
    pub(crate) check_name: &'static str,
    /// How it is decided.
    pub(crate) check: Check,
}

/// How a claim is decided.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Check {
    /// By results.
    Measured(MeasuredClaim),
    /// By what is printed alone.
    Impossible(AuditRequest),
    /// By what a picture shows.
    Picture(PictureClaim),
    /// Not at all.
    Undecided {
        /// What is missing.
        reason: String,
        /// What kind of lack that is.
        because: UndecidedBecause,
    },
}

impl Check {
    /// Whether it is decided by results.
    pub(crate) fn is_measured(&self) -> bool {
        matches!(self, Self::Measured(_))
    }
}

/// Why a claim is not decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UndecidedBecause {
    /// The paper gives too little.
    NotTestable,
    /// It is about what goes in.
    OurInput,
    /// There is no data, or only what stands in for it.
    NoData,
}

impl UndecidedBecause {
    pub(super) const CHOICES: [(&'static str, Self); 3] =
        [("not testable", Self::NotTestable), ("our input", Self::OurInput), ("no data", Self::NoData)];
}

/// A claim about results.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct MeasuredClaim {
    /// Which numbers it is about.
    pub(crate) scope: Scope,
    /// At how many places it must hold.
    pub(crate) places: HowMany,
    /// What must hold at a place.
    pub(crate) test: Test,
}

/// What must hold at a place.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Test {
    Bound(Bound),
    ChangesLess(ChangesLess),
    Equal(Equal),
    Fails(Fails),
    Flat(FlatUntil),
    Order(InOrder),
    Paired(PairedTest),
    Rank(RankAtMost),
    Trend(Trend),
    Value(PrintedValue),
    Wins(Wins),
}

/// Reads the keys of a check. Returns `None` after noting problems.
type ReadCheck = for<'a, 'k> fn(&Reader<'a, 'k>, &Outputs<'a>) -> Option<Check>;

/// The check that looks at what is printed alone.
pub(crate) const AUDIT: &str = "impossible";

/// Every check: its name, and what reads its keys.
const CHECKS: [(&str, ReadCheck); 15] = [
    ("value", |reader, _| measured(reader, PrintedValue::read, Test::Value)),
    ("order", |reader, _| measured(reader, InOrder::read, Test::Order)),
    ("wins", |reader, _| measured(reader, Wins::read, Test::Wins)),
    ("paired-test", |reader, _| measured(reader, PairedTest::read, Test::Paired)),
    ("rank-at-most", |reader, _| measured(reader, RankAtMost::read, Test::Rank)),
    ("flat-until", |reader, _| measured(reader, FlatUntil::read, Test::Flat)),
    ("decreases", |reader, _| measured(reader, Trend::read_down, Test::Trend)),
    ("increases", |reader, _| measured(reader, Trend::read_up, Test::Trend)),
    ("changes-less", |reader, _| measured(reader, ChangesLess::read, Test::ChangesLess)),
    ("equal", |reader, _| measured(reader, Equal::read, Test::Equal)),
    ("bound", |reader, _| measured(reader, Bound::read, Test::Bound)),
    ("fails", |reader, _| measured(reader, Fails::read, Test::Fails)),
    (AUDIT, |reader, outputs| AuditRequest::read(reader, outputs).map(Check::Impossible)),
    ("picture", |reader, outputs| PictureClaim::read(reader, outputs).map(Check::Picture)),
    ("undecided", |reader, _| undecided(reader)),
];

/// Every key that some check has, and those that all claims have.
const KEYS: [&str; 63] = [
    "across",
    "against",
    "along",
    "alternative",
    "at-least",
    "at-most",
    "average",
    "because",
    "best",
    "better",
    "bound",
    "by",
    "check",
    "compare",
    "counts",
    "each",
    "exactly",
    "file",
    "first",
    "formula",
    "from",
    "id",
    "in",
    "less",
    "marks",
    "means",
    "measure",
    "metric",
    "of",
    "on",
    "order",
    "out-of",
    "over",
    "p-above",
    "p-below",
    "pairs",
    "places",
    "printed",
    "rank",
    "reason",
    "relation",
    "relative-tolerance",
    "repeats",
    "rule",
    "runs",
    "runs-said",
    "says",
    "second",
    "share",
    "show",
    "shown-in",
    "side",
    "source",
    "statistic",
    "steps",
    "test",
    "to",
    "tolerance",
    "triples",
    "until",
    "where",
    "with",
    "within",
];

fn measured<T>(
    reader: &Reader,
    read: impl Fn(&Reader) -> Option<(Scope, T)>,
    test: impl Fn(T) -> Test,
) -> Option<Check> {
    let read = read(reader);
    let places = reader.how_many();
    let (scope, check) = read?;
    Some(Check::Measured(MeasuredClaim { scope, places, test: test(check) }))
}

fn undecided(reader: &Reader) -> Option<Check> {
    let fields = &reader.output.fields;
    let reason = fields.required("reason", "what the paper does not say", fields.text("reason"))?;
    let because = fields.choice("because", &UndecidedBecause::CHOICES).unwrap_or(UndecidedBecause::NotTestable);
    Some(Check::Undecided { reason: reason.to_owned(), because })
}

/// Reads `[[claim]]`s. `known` knows the values of the paper's scale, too.
pub(super) fn read<'a>(top: &Fields<'a>, known: &KnownNames, problems: &'a Problems) -> Vec<ClaimRequest> {
    let mut seen = BTreeSet::new();
    let reproduces = top.text("reproduces").unwrap_or_default();
    let outputs = Outputs::of(top);
    let read = top.tables("claim").into_iter().filter_map(|table| {
        let output = Output::untitled(table, &what(table), known, problems);
        refuse_id(&output, &mut seen);
        let fields = &output.fields;
        let source = fields.text("source").unwrap_or(reproduces).to_owned();
        if source.is_empty() {
            fields.missing("source", "where the paper says it");
        }
        let says = fields.required("says", "the claim, in words of our own", fields.text("says"));
        let shown_in = fields.text("shown-in");
        if let (Some(id), Some(item)) = (shown_in, fields.item("shown-in")) {
            outputs.check(id, item, fields, &OUTPUTS);
        }
        let names = CHECKS.map(|(name, _)| name);
        let named = CHECKS.map(|(name, read)| (name, (name, read)));
        let (check_name, check) = fields.required("check", &names.join(", "), fields.choice("check", &named)).unzip();
        let runs = paper_runs::read(fields);
        let id = output.id.clone();
        let reader = Reader { output };
        let check = check.map(|read| read(&reader, &outputs));
        // Without a check nobody knows which of the checks' keys are meant, but what none of them has is wrong all the same.
        reader.output.fields.finish(if check_name.is_some() { &[] } else { &KEYS });
        let shown_in = shown_in.map(str::to_owned);
        Some(ClaimRequest {
            id,
            source,
            says: says?.to_owned(),
            shown_in,
            runs,
            check_name: check_name?,
            check: check??,
        })
    });
    read.collect()
}

/// What a claim is called in messages.
fn what(table: &TomlTable) -> String {
    match table.get("check").map(|item| &item.node) {
        Some(Node::Text(check)) => format!("a `{check}` claim"),
        _ => "[[claim]]".to_owned(),
    }
}

fn refuse_id(output: &Output, seen: &mut BTreeSet<String>) {
    let Some(item) = output.fields.item("id") else { return };
    if !seen.insert(output.id.clone()) {
        output.fields.refuse(item, &format!("two claims have the id \"{}\"", output.id), "an id of its own for each");
    }
    if output.id.ends_with(PRINTED) {
        let message = format!("ids that end in `{PRINTED}` belong to the judgements of printed numbers");
        output.fields.refuse(item, &message, "another id");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_keys_of_all_checks_are_those_of_the_documents() {
        let page = include_str!("../../../docs/SPEC.md");
        let (_, section) = page.split_once("\n## `[[claim]]`").expect("it has a section");
        let (section, _) = section.split_once("\n## ").expect("others follow");
        let key = |line: &'static str| line.strip_prefix("| `")?.split_once("` |").map(|(key, _)| key);
        assert_eq!(BTreeSet::from(KEYS), section.lines().filter_map(key).collect());
    }
}
