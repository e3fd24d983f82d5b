//! One function a check: which keys it has.

use super::Outputs;
use super::requests::{
    AuditRequest, AuditRule, Bounded, Check, End, Equality, Level, Measured, PictureBound, PictureClaim,
    PictureMeasure, Second, Side, Steps, Subjects, Test, Tolerance, Way,
};
use super::scope::{Judges, Reader, Takes};
use crate::spec::bounds;
use crate::spec::dimension::Dimension;
use crate::spec::experiment::PointValue;
use crate::spec::published;
use crate::spec::tree::{Item, Node};
use crate::stats::Alternative;

/// The second of a pair that is not named.
const RUNNER_UP: &str = "runner-up";

/// The name of a check.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Order,
    Wins,
    Rank,
    Paired,
    Flat,
    Trend(Way),
    ChangesLess,
    Equal,
    Bound,
    Value,
    Fails,
    Impossible,
    Picture,
    Undecided,
}

impl Kind {
    pub(super) const ALL: [(&'static str, Self); 15] = [
        ("value", Self::Value),
        ("order", Self::Order),
        ("wins", Self::Wins),
        ("paired-test", Self::Paired),
        ("rank-at-most", Self::Rank),
        ("flat-until", Self::Flat),
        ("decreases", Self::Trend(Way::Down)),
        ("increases", Self::Trend(Way::Up)),
        ("changes-less", Self::ChangesLess),
        ("equal", Self::Equal),
        ("bound", Self::Bound),
        ("fails", Self::Fails),
        ("impossible", Self::Impossible),
        ("picture", Self::Picture),
        ("undecided", Self::Undecided),
    ];

    pub(super) fn names() -> Vec<&'static str> {
        Self::ALL.iter().map(|(name, _)| *name).collect()
    }
}

/// Reads the keys of a check. Returns `None` after noting problems.
pub(super) fn check<'a>(kind: Kind, reader: &Reader<'a, '_>, outputs: &Outputs<'a>) -> Option<Check> {
    let measured = match kind {
        Kind::Undecided => {
            let fields = &reader.output.fields;
            let reason = fields.required("reason", "what the paper does not say", fields.text("reason"))?;
            return Some(Check::Undecided { reason: reason.to_owned() });
        }
        Kind::Impossible => return impossible(reader, outputs).map(Check::Impossible),
        Kind::Picture => return picture(reader, outputs).map(Check::Picture),
        Kind::Order => order(reader),
        Kind::Wins => wins(reader),
        Kind::Rank => rank(reader),
        Kind::Paired => paired(reader)?,
        Kind::Flat => flat(reader)?,
        Kind::Trend(way) => trend(reader, way)?,
        Kind::ChangesLess => changes_less(reader)?,
        Kind::Equal => equal(reader)?,
        Kind::Bound => bound(reader),
        Kind::Value => value(reader)?,
        Kind::Fails => fails(reader)?,
    };
    Some(Check::Measured(measured))
}

fn order(reader: &Reader) -> Measured {
    let scope = reader.scope(Judges::Values, Takes::Summaries, None);
    let test = Test::Order { chain: reader.chain(scope.compare), relation: reader.relation() };
    Measured { scope, places: reader.how_many(), test }
}

fn wins(reader: &Reader) -> Measured {
    let scope = reader.scope(Judges::Better, Takes::Summaries, None);
    let of = reader.subjects(scope.compare);
    let against = rivals(reader, scope.compare, &of);
    Measured { scope, places: reader.how_many(), test: Test::Wins { of, against, best: reader.best() } }
}

fn rank(reader: &Reader) -> Measured {
    let scope = reader.scope(Judges::Better, Takes::Summaries, None);
    let fields = &reader.output.fields;
    let of = reader.subjects(scope.compare);
    let against = rivals(reader, scope.compare, &of);
    let rank =
        fields.required("rank", "the lowest rank that will do", fields.count("rank", bounds::COUNTED)).unwrap_or(1);
    let from = fields.choice("from", &[("best", End::Best), ("worst", End::Worst)]).unwrap_or(End::Best);
    Measured { scope, places: reader.how_many(), test: Test::Rank { of, against, rank, from } }
}

fn rivals(reader: &Reader, compare: Dimension, of: &Subjects) -> Vec<PointValue> {
    let rivals = reader.rivals(compare, of);
    let fields = &reader.output.fields;
    if let (Some(item), true) = (fields.item("of"), rivals.is_empty() && !of.values.is_empty()) {
        fields.refuse(item, "there is nobody else to compare with", "fewer values, or each = true");
    }
    rivals
}

fn paired(reader: &Reader) -> Option<Measured> {
    let fields = &reader.output.fields;
    let runner_up = matches!(fields.item("second"), Some(Item { node: Node::Text(text), .. }) if text == RUNNER_UP);
    let judges = if runner_up { Judges::Better } else { Judges::Values };
    let scope = reader.scope(judges, Takes::Metric, None);
    let first = reader.value("first", scope.compare);
    let second = match runner_up {
        true => Some(Second::RunnerUp),
        false => reader.value("second", scope.compare).map(Second::Named),
    };
    let alternatives = Alternative::ALL.map(|alternative| (alternative.name(), alternative));
    let alternative = fields.choice("alternative", &alternatives).unwrap_or(Alternative::TwoSided);
    let level = match (fields.fraction("p-below"), fields.fraction("p-above")) {
        (Some(level), None) => Some(Level::Below(level)),
        (None, Some(level)) => Some(Level::Above(level)),
        (Some(_), Some(_)) => {
            fields.refuse(fields.item("p-above")?, "p is below one level or above one", "p-below or p-above");
            None
        }
        (None, None) => fields.required("p-below", "a level, or `p-above`", None),
    };
    let places = reader.how_many();
    Some(Measured { scope, places, test: Test::Paired { first: first?, second: second?, alternative, p: level? } })
}

fn flat(reader: &Reader) -> Option<Measured> {
    let along = reader.along();
    let scope = reader.scope(Judges::Better, Takes::Summaries, along);
    let stretch = along.map(|along| reader.stretch(along, "until"));
    let fields = &reader.output.fields;
    let within = fields.required("within", "how far it may move, above 0", reader.amount("within"));
    let side = fields.choice("side", &[("both", Side::Both), ("worse", Side::Worse)]).unwrap_or(Side::Both);
    let of = reader.of_or_all(scope.compare);
    let places = reader.how_many();
    Some(Measured { scope, places, test: Test::Flat { of, stretch: stretch?, within: within?, side } })
}

fn trend(reader: &Reader, way: Way) -> Option<Measured> {
    let along = reader.along();
    let scope = reader.scope(Judges::Values, Takes::Summaries, along);
    let stretch = along.map(|along| reader.stretch(along, "to"));
    let by = reader.amount("by").unwrap_or(0.0);
    let steps = [("ends", Steps::Ends), ("every", Steps::Every)];
    let steps = reader.output.fields.choice("steps", &steps).unwrap_or(Steps::Ends);
    let of = reader.of_or_all(scope.compare);
    let places = reader.how_many();
    Some(Measured { scope, places, test: Test::Trend { of, stretch: stretch?, way, by, steps } })
}

fn changes_less(reader: &Reader) -> Option<Measured> {
    let along = reader.along();
    let scope = reader.scope(Judges::Better, Takes::Summaries, along);
    let stretch = along.map(|along| reader.stretch(along, "to"));
    let of = reader.value("of", scope.compare);
    let against = reader.value("against", scope.compare);
    let places = reader.how_many();
    Some(Measured { scope, places, test: Test::ChangesLess { stretch: stretch?, of: of?, against: against? } })
}

fn equal(reader: &Reader) -> Option<Measured> {
    let fields = &reader.output.fields;
    let scope = reader.scope(Judges::Values, Takes::Summaries, None);
    let of = reader.chain(scope.compare);
    let tolerance = match (reader.amount("tolerance"), reader.amount("relative-tolerance")) {
        (Some(absolute), None) => Some(Tolerance::Absolute(absolute)),
        (None, Some(relative)) => Some(Tolerance::Relative(relative)),
        (Some(_), Some(_)) => {
            let item = fields.item("relative-tolerance")?;
            fields.refuse(item, "there is a `tolerance` already", "one of them");
            None
        }
        (None, None) => fields.required("tolerance", "how far they may differ, or `relative-tolerance`", None),
    };
    let on = [("ensembles", Equality::Ensembles), ("mean", Equality::Mean)];
    let on = fields.choice("on", &on).unwrap_or(Equality::Ensembles);
    let places = reader.how_many();
    Some(Measured { scope, places, test: Test::Equal { of, tolerance: tolerance?, on } })
}

fn bound(reader: &Reader) -> Measured {
    let fields = &reader.output.fields;
    let scope = reader.scope(Judges::Values, Takes::Summaries, None);
    let of = reader.of_or_all(scope.compare);
    let relation = reader.relation();
    let bound = reader.required_number("bound", "a number in the units shown");
    /// Before the share is known.
    #[derive(Clone, Copy)]
    enum On {
        Statistic,
        Runs,
    }
    let on = match fields.choice("on", &[("mean", On::Statistic), ("runs", On::Runs)]).unwrap_or(On::Statistic) {
        On::Statistic => Bounded::Statistic,
        On::Runs => Bounded::Runs(reader.share().unwrap_or(1.0)),
    };
    Measured { scope, places: reader.how_many(), test: Test::Bound { of, relation, bound, on } }
}

fn value(reader: &Reader) -> Option<Measured> {
    let fields = &reader.output.fields;
    let scope = reader.scope(Judges::Values, Takes::Summaries, None);
    let of = reader.value("of", scope.compare);
    let printed = fields.required("printed", "the number as it is printed, in quotes", fields.text("printed"));
    if let (Some(text), Some(item)) = (printed, fields.item("printed"))
        && text.trim().parse::<f64>().is_err()
    {
        fields.refuse(item, &format!("`printed` is \"{text}\""), "a number in quotes");
    }
    let tolerance = reader.amount("tolerance");
    let places = reader.how_many();
    Some(Measured { scope, places, test: Test::Value { of: of?, printed: printed?.to_owned(), tolerance } })
}

fn fails(reader: &Reader) -> Option<Measured> {
    let fields = &reader.output.fields;
    let scope = reader.scope(Judges::Values, Takes::Nothing, None);
    let of = fields.required("of", "who cannot do it", reader.values("of", scope.compare));
    let places = reader.how_many();
    Some(Measured { scope, places, test: Test::Fails { of: of? } })
}

fn impossible<'a>(reader: &Reader<'a, '_>, outputs: &Outputs<'a>) -> Option<AuditRequest> {
    /// A rule before its keys are known.
    #[derive(Clone, Copy, PartialEq, Eq)]
    enum Rule {
        Range,
        Count,
        TTest,
        Difference,
    }
    let fields = &reader.output.fields;
    let rules =
        [("range", Rule::Range), ("count", Rule::Count), ("t-test", Rule::TTest), ("difference", Rule::Difference)];
    let rule = fields.required("rule", "range, count, t-test or difference", fields.choice("rule", &rules))?;
    let kind = if matches!(rule, Rule::Range | Rule::Count) { "table" } else { "test" };
    let output = fields.required("in", &format!("the id of a {kind} with `published`"), fields.text("in"));
    let table = output.and_then(|id| outputs.check(id, fields.item("in")?, fields, &[kind]));
    if let (Some(table), Some(item)) = (table, fields.item("in"))
        && table.get("published").is_none()
    {
        fields.refuse(item, &format!("nothing is printed in this {kind}"), "one with `published`");
    }
    let rule = match rule {
        Rule::Range => AuditRule::Range,
        Rule::TTest => {
            let pairs = fields.count("pairs", bounds::COUNTED);
            if let (Some(item), Some(1)) = (fields.item("pairs"), pairs) {
                fields.refuse(item, "one pair has no standard deviation", "2 or more, or no `pairs`");
            }
            AuditRule::TTest { pairs }
        }
        Rule::Difference => {
            let expected = "{ file = …, value = …, columns = { … } }, as in `published`";
            let means = fields.required("means", expected, fields.table("means"))?;
            let known = reader.output.known;
            AuditRule::Difference { means: published::read(means, known, known.folder, fields)? }
        }
        Rule::Count => {
            let of = reader.value("of", Dimension::Method);
            let rivals = || {
                let labels = reader.output.known.labels(Dimension::Method).into_iter();
                labels.filter(|label| Some(label) != of.as_ref()).collect()
            };
            let against = reader.values("against", Dimension::Method).unwrap_or_else(rivals);
            let filter = reader.filter(Dimension::Method);
            let (statistic, places) = (reader.statistic(), reader.how_many());
            AuditRule::Count { of: of?, against, statistic, filter, places }
        }
    };
    Some(AuditRequest { output: output?.to_owned(), rule })
}

fn picture<'a>(reader: &Reader<'a, '_>, outputs: &Outputs<'a>) -> Option<PictureClaim> {
    let fields = &reader.output.fields;
    let picture = fields.required("in", "the id of a picture", fields.text("in"));
    let table = picture.and_then(|id| outputs.check(id, fields.item("in")?, fields, &["picture"]));
    let measures = [("deviation", PictureMeasure::Deviation), ("contrast", PictureMeasure::Contrast)];
    let measure = fields.required("measure", "deviation or contrast", fields.choice("measure", &measures));
    let relation = reader.relation();
    let panel = table.and_then(|table| match &table.get("panel")?.node {
        Node::Text(name) => reader.output.known.dimension_names().into_iter().find(|(known, _)| known == name),
        _ => None,
    });
    let order = match (panel, fields.item("order")) {
        (Some((_, dimension)), Some(item)) => {
            let order = reader.values("order", dimension);
            if order.as_ref().is_some_and(|order| order.len() == 1) {
                fields.refuse(item, "one panel is compared with nothing", "two or more panels, or `bound`");
            }
            order
        }
        (None, Some(item)) => {
            fields.refuse(item, "this picture has one panel", "`bound`");
            None
        }
        (_, None) => None,
    };
    let against = match (order, fields.item("bound")) {
        (Some(order), None) => PictureBound::Order(order),
        (Some(_), Some(item)) => {
            fields.refuse(item, "panels are compared with each other or with a number", "`bound` or `order`");
            return None;
        }
        (None, _) => PictureBound::Number(reader.required_number("bound", "a number, or `order` for panels")),
    };
    Some(PictureClaim { picture: picture?.to_owned(), measure: measure?, relation, against })
}
