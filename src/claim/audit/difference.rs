//! Printed differences that contradict the means printed elsewhere, as far as both are of the same runs.

use crate::claim::checks::shown;
use crate::claim::printed::number::Rounded;
use crate::claim::{Evidence, Verdict};
use crate::spec::{Dimension, PointValue, PrintedTest, Published, Statistic, TestRequest};

/// The tests whose difference is not that of the means, to the rounding of all three; and how many were looked at.
pub(super) fn refuted(test: &TestRequest, means: &Published) -> (usize, Vec<Evidence>) {
    let looked: Vec<Option<Evidence>> = test.published.iter().filter_map(|printed| one(test, printed, means)).collect();
    (looked.len(), looked.into_iter().flatten().collect())
}

/// What is printed elsewhere of a method where a test stands.
pub(super) fn elsewhere(
    means: &Published,
    printed: &PrintedTest,
    method: &str,
    statistic: Statistic,
) -> Option<Rounded> {
    let at = |(dimension, text): &(Dimension, String)| {
        let number = text.trim().parse().map(PointValue::Number);
        (*dimension, number.unwrap_or_else(|_| PointValue::Text(text.clone())))
    };
    let method = (Dimension::Method, PointValue::Text(method.to_owned()));
    let place: Vec<(Dimension, PointValue)> = printed.at.iter().map(at).chain([method]).collect();
    Rounded::parse(means.find(&place, statistic)?)
}

fn one(test: &TestRequest, printed: &PrintedTest, means: &Published) -> Option<Option<Evidence>> {
    let text = printed.difference.as_deref()?;
    let difference = Rounded::parse(text)?;
    let mean = |method: &str| elsewhere(means, printed, method, Statistic::Mean);
    let (first, second) = (mean(&test.first)?, mean(test.second())?);
    let expected = first.value - second.value;
    let slack = first.half + second.half + difference.half;
    if (difference.value - expected).abs() <= slack * (1.0 + 1e-9) {
        return Some(None);
    }
    let reason = format!(
        "if both tables are of the same runs, the printed means {} and {} have a difference of {}, not {}",
        first.value,
        second.value,
        shown(expected),
        difference.value
    );
    let place = format!("{}, {} − {}", printed.place(), test.first, test.second());
    Some(Some(Evidence { printed: Some(text.to_owned()), ..Evidence::at(place, Verdict::Impossible, reason) }))
}
