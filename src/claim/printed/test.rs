//! Printed numbers of paired tests.

use std::rc::Rc;

use super::number::{AllowedWidth, Rounded, judge};
use crate::claim::audit::t_test;
use crate::claim::checks::shown;
use crate::claim::place::missing;
use crate::claim::sample::RunSample;
use crate::claim::source::{ResultSource, ShownMetric, not_counted};
use crate::claim::{Evidence, Verdict};
use crate::results::{At, combinations, known_place};
use crate::spec::{Dimension, PointValue, PrintedTest, Show, Statistic, TestRequest};
use crate::stats::{self, Pairs};

/// The level that conclusions are drawn at.
const LEVEL: f64 = 0.05;

/// One line for every printed difference, standard deviation and p.
pub(super) fn evidence(test: &TestRequest, source: &dyn ResultSource) -> Vec<Evidence> {
    let refuted = t_test::refuted_alone(&test.published, test.alternative);
    let lines = test.published.iter().enumerate().flat_map(|(row, printed)| {
        let place = printed.place();
        let both = both(test, printed, source);
        let sd = |which: usize, text: &Option<String>, who: &str| {
            let text = text.as_ref()?;
            let name = format!("{place}, sd of {who}");
            Some(match &both {
                Ok(both) => {
                    let estimate = both[which].estimate(Statistic::Sd);
                    judge(name, &estimate, text, AllowedWidth::of_spread(&test.metric, Show::Value, text))
                }
                Err(reason) => without(name, text, reason),
            })
        };
        let difference = printed.difference.as_ref().map(|text| {
            let name = format!("{place}, {} − {}", test.first, test.second);
            let found = both.clone().and_then(|[first, second]| first.minus(&second, Statistic::Mean));
            match found {
                Ok(estimate) => judge(name, &estimate, text, AllowedWidth::of_spread(&test.metric, Show::Value, text)),
                Err(reason) => without(name, text, &reason),
            }
        });
        let p = printed.p.as_ref().map(|text| {
            let evidence = p_value(test, &both, &place, text);
            match refuted.iter().find(|(refuted, _)| *refuted == row) {
                Some((_, reason)) => Evidence { verdict: Verdict::Impossible, reason: reason.clone(), ..evidence },
                None => evidence,
            }
        });
        let sds = [sd(0, &printed.sd_first, &test.first), sd(1, &printed.sd_second, &test.second)];
        [difference].into_iter().chain(sds).chain([p]).flatten().collect::<Vec<_>>()
    });
    lines.collect()
}

/// The runs of both methods where a printed test stands.
fn both(test: &TestRequest, printed: &PrintedTest, source: &dyn ResultSource) -> Result<[Rc<RunSample>; 2], String> {
    let experiment = source.experiment();
    let dimensions: Vec<Dimension> = printed.at.iter().map(|(dimension, _)| *dimension).collect();
    let places = combinations(experiment, &dimensions, &test.filter).into_iter();
    let mut places = places.map(|values| dimensions.iter().copied().zip(values).collect::<At>());
    let Some(at) = places.find(|at| printed.is_at(at)) else {
        let dataset = printed.at.iter().find(|(dimension, _)| *dimension == Dimension::Dataset);
        let why = dataset.and_then(|(_, label)| not_counted(experiment, label));
        return Err(why.unwrap_or_else(|| format!("this is not part of scale {}", experiment.scale)));
    };
    let of = |method: &str| {
        let asked = at.iter().cloned().chain([(Dimension::Method, PointValue::Text(method.to_owned()))]);
        source.sample(
            &known_place(experiment, &test.filter, asked),
            ShownMetric { metric: &test.metric, show: Show::Value },
        )
    };
    Ok([of(&test.first)?, of(&test.second)?])
}

/// A p is found where it leads to the same conclusion at 5 %: the p of another sample is another number.
fn p_value(test: &TestRequest, both: &Result<[Rc<RunSample>; 2], String>, place: &str, text: &str) -> Evidence {
    let name = format!("{place}, p");
    let pairs = both.as_ref().map_err(Clone::clone).and_then(|[first, second]| {
        Pairs::by_id(&first.by_ensemble(), &second.by_ensemble()).map_err(|error| error.to_string())
    });
    let (pairs, printed) = match (pairs, Rounded::parse(text)) {
        (Ok(pairs), Some(printed)) => (pairs, printed),
        (Err(reason), _) => return without(name, text, &reason),
        (_, None) => return without(name, text, "this is not a number"),
    };
    let p = stats::t_test(&pairs, test.alternative).p;
    let same = (p < LEVEL) == (printed.value < LEVEL);
    let words = |p: f64| if p < LEVEL { "significant" } else { "not significant" };
    Evidence {
        place: name,
        verdict: if same { Verdict::Reproduced } else { Verdict::NotReproduced },
        ours: Some(p),
        interval: None,
        n: pairs.len(),
        printed: Some(text.to_owned()),
        reason: format!("at 5 % ours is {} (p = {}), the paper's {}", words(p), shown(p), words(printed.value)),
    }
}

fn without(name: String, text: &str, reason: &str) -> Evidence {
    Evidence { printed: Some(text.to_owned()), ..missing(name, reason.to_owned()) }
}
