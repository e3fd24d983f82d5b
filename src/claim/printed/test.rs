//! Printed numbers of paired tests.

use std::rc::Rc;

use super::forecast::{Forecast, Simulated, stretch};
use super::number::{AllowedWidth, JudgedNumber, PrintedText, Summary, judge, judge_by};
use crate::claim::audit::t_test;
use crate::claim::model::Lack;
use crate::claim::place::missing;
use crate::claim::repeats::{DrawKind, Repeats};
use crate::claim::sample::RunSample;
use crate::claim::source::{ResultSource, ShownMetric, not_at_this_scale, not_counted};
use crate::claim::{Evidence, Verdict};
use crate::results::{At, combinations, known_place};
use crate::spec::{Dimension, PointValue, PrintedTest, Show, Statistic, TestRequest};
use crate::stats::{self, Pairs};

/// A p is found where the middle 95 % of those of repeats is no wider than this, to either side.
const P_WIDTH: AllowedWidth = AllowedWidth(0.05);

/// One line for every printed difference, standard deviation and p.
pub(super) fn judged(test: &TestRequest, source: &dyn ResultSource, repeats: &[Rc<Repeats>]) -> Vec<JudgedNumber> {
    let refuted = t_test::refuted_alone(&test.published, test.alternative);
    let sweep = &source.experiment().sweep;
    let lines = test.published.iter().enumerate().flat_map(|(row, printed)| {
        let rows = PrintedTestRow { test, place: printed.place(), both: both(test, printed, source), repeats };
        let difference = printed.difference.as_ref().map(|text| rows.difference(text));
        let sds = [(0, &printed.sd_first, test.first.as_str()), (1, &printed.sd_second, test.second())];
        let sds = sds.map(|(which, text, who)| text.as_ref().map(|text| rows.sd(which, text, who)));
        let p = printed.p.as_ref().map(|text| {
            let mut judged = rows.p(text);
            if let Some((_, reason)) = refuted.iter().find(|(refuted, _)| *refuted == row) {
                judged.evidence.verdict = Verdict::Impossible;
                judged.evidence.reason.clone_from(reason);
                judged.contradicted.clear();
            }
            judged
        });
        let named = [(difference, "difference"), (p, "p")].into_iter();
        let [first, second] = sds;
        let all = named.chain([(first, "sd-first"), (second, "sd-second")]);
        all.filter_map(|(judged, what)| {
            let mut judged = judged?;
            let dimension = |(dimension, text): &(Dimension, String)| (dimension.key(sweep).to_owned(), text.clone());
            let at = printed.at.iter().map(dimension).chain([("statistic".to_owned(), what.to_owned())]).collect();
            judged.evidence = judged.evidence.standing_at(at);
            Some(judged)
        })
        .collect::<Vec<_>>()
    });
    lines.collect()
}

/// The runs of both methods.
type Both = Result<[Rc<RunSample>; 2], Lack>;

/// A printed test, and ours.
struct PrintedTestRow<'a> {
    test: &'a TestRequest,
    place: String,
    both: Both,
    repeats: &'a [Rc<Repeats>],
}

impl PrintedTestRow<'_> {
    fn printed<'t>(&'t self, text: &'t str) -> PrintedText<'t> {
        let allowed = AllowedWidth::of_spread(&self.test.metric, Show::Value, text);
        PrintedText { text, allowed, metric: &self.test.metric, show: Show::Value }
    }

    fn differences(&self) -> Result<RunSample, Lack> {
        let [first, second] = self.both.as_ref().map_err(Clone::clone)?;
        Ok(first.differences(second)?)
    }

    fn difference(&self, text: &str) -> JudgedNumber {
        let name = format!("{}, {} − {}", self.place, self.test.first, self.test.second());
        match self.differences() {
            // A difference of shares lies between −1 and 1, but no tie says how far: no range.
            Ok(differences) => judge(
                name,
                &differences,
                Statistic::Mean,
                &PrintedText { metric: "", ..self.printed(text) },
                self.repeats,
            ),
            Err(lack) => without(name, text, &lack),
        }
    }

    fn sd(&self, which: usize, text: &str, who: &str) -> JudgedNumber {
        let name = format!("{}, sd of {who}", self.place);
        match &self.both {
            Ok(both) => judge(name, &both[which], Statistic::Sd, &self.printed(text), self.repeats),
            Err(lack) => without(name, text, lack),
        }
    }

    /// A p is beside those of simulated repeats: the p of another sample is another number.
    fn p(&self, text: &str) -> JudgedNumber {
        let name = format!("{}, p", self.place);
        let pairs = self.both.as_ref().map_err(Clone::clone).and_then(|[first, second]| {
            let pairs = Pairs::by_id(&first.by_ensemble(), &second.by_ensemble());
            Ok(pairs.map_err(|error| error.to_string())?)
        });
        let (pairs, differences) = match (pairs, self.differences()) {
            (Ok(pairs), Ok(differences)) => (pairs, differences),
            (Err(lack), _) | (_, Err(lack)) => return without(name, text, &lack),
        };
        let alternative = self.test.alternative;
        let ours = stats::t_test(&pairs, alternative).p;
        let forecast = |repeats: &Repeats| {
            let drawn = repeats.p_values(&differences, alternative, DrawKind::Paper);
            let unknown = repeats.p_values(&differences, alternative, DrawKind::PaperOfOurs);
            let anew = repeats.p_values(&differences, alternative, DrawKind::Ours);
            let known = drawn.iter().any(|p| p.is_finite());
            known.then(|| {
                Forecast::simulated(
                    drawn,
                    &unknown,
                    Simulated { anew, beyond: None, ours, stretch: stretch(pairs.len()) },
                )
            })
        };
        let forecasts = self.repeats.iter().map(|repeats| (repeats.behind, forecast(repeats)));
        let printed = PrintedText { allowed: P_WIDTH, metric: "", ..self.printed(text) };
        judge_by(name, &printed, Summary { ours, n: pairs.len() }, forecasts)
    }
}

/// The runs of both methods where a printed test stands.
fn both(test: &TestRequest, printed: &PrintedTest, source: &dyn ResultSource) -> Both {
    let experiment = source.experiment();
    let dimensions: Vec<Dimension> = printed.at.iter().map(|(dimension, _)| *dimension).collect();
    let places = combinations(experiment, &dimensions, &test.filter).into_iter();
    let mut places = places.map(|values| dimensions.iter().copied().zip(values).collect::<At>());
    let Some(at) = places.find(|at| printed.is_at(at)) else {
        let dataset = printed.at.iter().find(|(dimension, _)| *dimension == Dimension::Dataset);
        let why = dataset.and_then(|(_, label)| not_counted(experiment, label));
        return Err(why.unwrap_or_else(|| not_at_this_scale(experiment)));
    };
    let of = |method: &str| {
        let asked = at.iter().cloned().chain([(Dimension::Method, PointValue::Text(method.to_owned()))]);
        source.sample(
            &known_place(experiment, &test.filter, asked),
            ShownMetric { metric: &test.metric, show: Show::Value },
        )
    };
    Ok([of(&test.first)?, of(test.second())?])
}

fn without(name: String, text: &str, lack: &Lack) -> JudgedNumber {
    let evidence = Evidence { printed: Some(text.to_owned()), ..missing(name, lack) };
    JudgedNumber { evidence, contradicted: Vec::new() }
}
