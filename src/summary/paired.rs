use super::model::{TestNumbers, TestRow, TestSign, TestTable};
use crate::facts::direction_of;
use crate::metric::Direction;
use crate::results::{At, ResultRow, RowSet, combinations, is_asked, known_place, name_of};
use crate::spec::{Dimension, Experiment, PointValue, TestRequest, TestedAgainst};
use crate::stats::{self, Alternative, Pairs};

/// A test is significant below it.
const LEVEL: f64 = 0.05;

/// A table of tests, and where each of them stands.
pub(super) struct PlacedTests<'a> {
    pub(super) request: &'a TestRequest,
    pub(super) table: TestTable,
    /// One for each row of the table: every dimension but the method.
    pub(super) places: Vec<At>,
}

/// Runs a paired test for every dataset, kind of ensemble and sweep point.
pub(super) fn fill<'a>(request: &'a TestRequest, experiment: &Experiment, rows: &[ResultRow]) -> PlacedTests<'a> {
    let swept = (0..experiment.sweep.len()).map(Dimension::Sweep);
    let dimensions: Vec<Dimension> = [Dimension::Dataset, Dimension::Ensemble]
        .into_iter()
        .chain(swept)
        .filter(|&dimension| {
            dimension == Dimension::Dataset || combinations(experiment, &[dimension], &request.filter).len() > 1
        })
        .collect();
    let selection = RowSet::new(rows, &request.filter);
    let mut tested = Vec::new();
    let mut places = Vec::new();
    for values in combinations(experiment, &dimensions, &request.filter) {
        let here = selection.at(&dimensions, &values);
        let at: At = dimensions.iter().copied().zip(values.iter().cloned()).collect();
        for second in seconds(request, experiment, &at) {
            let other = matches!(request.against, TestedAgainst::EachOther).then(|| second.clone());
            tested.push(TestRow {
                keys: values.iter().map(PointValue::to_string).chain(other).collect(),
                outcome: test(request, &second, &here),
                second,
            });
            let mut place = known_place(experiment, &request.filter, at.clone());
            place.retain(|(dimension, _)| *dimension != Dimension::Method);
            places.push(place);
        }
    }
    adjust(&mut tested, direction_of(&request.metric));
    let sign = match request.alternative {
        Alternative::Less => "<",
        Alternative::Greater => ">",
        Alternative::TwoSided => "≠",
    };
    let caption = format!(
        "Paired by ensemble, runs on one ensemble averaged; alternative: {} {sign} {} in {}.",
        request.first,
        request.second(),
        request.metric
    );
    let other = matches!(request.against, TestedAgainst::EachOther).then(|| "against".to_owned());
    let table = TestTable {
        id: request.id.clone(),
        title: request.title.clone(),
        caption,
        metric: request.metric.clone(),
        first: request.first.clone(),
        against: request.against.clone(),
        keys: dimensions.iter().map(|dimension| name_of(experiment, *dimension)).chain(other).collect(),
        rows: tested,
    };
    PlacedTests { request, table, places }
}

/// Whom the first method is tested against at a place: the one that is named, or all others that are run there.
fn seconds(request: &TestRequest, experiment: &Experiment, at: &At) -> Vec<String> {
    if let TestedAgainst::One(label) = &request.against {
        return vec![label.clone()];
    }
    let labels = combinations(experiment, &[Dimension::Method], &request.filter).into_iter().flatten();
    let others = labels.filter(|label| label.to_string() != request.first).filter(|label| {
        let asked = at.iter().cloned().chain([(Dimension::Method, label.clone())]);
        is_asked(experiment, &known_place(experiment, &request.filter, asked))
    });
    others.map(|label| label.to_string()).collect()
}

fn test(request: &TestRequest, second: &str, runs: &RowSet) -> Result<TestNumbers, String> {
    let of = |method: &str| {
        runs.at(&[Dimension::Method], &[PointValue::Text(method.to_owned())]).by_ensemble(&request.metric)
    };
    let pairs = Pairs::by_id(&of(&request.first), &of(second)).map_err(|error| error.to_string())?;
    let t_test = stats::t_test(&pairs, request.alternative);
    let bootstrap = stats::bootstrap_interval(&pairs.differences(), stats::INTERVAL_LEVEL);
    Ok(TestNumbers {
        n: t_test.n,
        mean_difference: t_test.mean_difference,
        interval: t_test.interval,
        bootstrap: bootstrap.expect("a test has at least two pairs"),
        sd_first: t_test.sd_first,
        sd_second: t_test.sd_second,
        t: t_test.t,
        p: t_test.p,
        p_holm: t_test.p,
        sign: TestSign::Open,
        p_wilcoxon: stats::wilcoxon(&pairs, request.alternative).p,
        effect: stats::effect_size(&pairs),
        above_equal_below: stats::wins(&pairs),
    })
}

/// Holm's adjustment over the rows that have a p, and what it says of the first method.
fn adjust(rows: &mut [TestRow], direction: Direction) {
    let raw: Vec<f64> = rows.iter().filter_map(|row| row.outcome.as_ref().ok()).map(|numbers| numbers.p).collect();
    let adjusted = stats::holm_adjust(&raw);
    let tested = rows.iter_mut().filter_map(|row| row.outcome.as_mut().ok());
    for (numbers, p) in tested.zip(adjusted) {
        numbers.p_holm = p;
        numbers.sign = match (p < LEVEL, direction) {
            (false, _) => TestSign::Open,
            (true, Direction::Neither) => TestSign::Different,
            (true, direction) if (numbers.mean_difference > 0.0) == (direction == Direction::HigherIsBetter) => {
                TestSign::Better
            }
            (true, _) => TestSign::Worse,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(p: f64, mean_difference: f64) -> TestRow {
        let numbers = TestNumbers {
            n: 9,
            mean_difference,
            interval: [0.0; 2],
            bootstrap: [0.0; 2],
            sd_first: 0.0,
            sd_second: 0.0,
            t: None,
            p,
            p_holm: p,
            sign: TestSign::Open,
            p_wilcoxon: p,
            effect: None,
            above_equal_below: [0; 3],
        };
        TestRow { keys: Vec::new(), second: "other".to_owned(), outcome: Ok(numbers) }
    }

    fn signs(direction: Direction) -> Vec<TestSign> {
        // Holm: 0.001 · 4, 0.001 · 3, 0.03 · 2; a p of 0.03 alone would be significant.
        let mut rows = vec![row(0.03, 0.3), row(0.001, 0.3), row(0.001, -0.3), row(0.9, 0.1)];
        adjust(&mut rows, direction);
        rows.into_iter().filter_map(|row| row.outcome.ok()).map(|numbers| numbers.sign).collect()
    }

    #[test]
    fn a_sign_is_that_of_the_adjusted_p_and_of_what_is_better() {
        use TestSign::{Better, Different, Open, Worse};
        assert_eq!(signs(Direction::HigherIsBetter), [Open, Better, Worse, Open]);
        assert_eq!(signs(Direction::LowerIsBetter), [Open, Worse, Better, Open]);
        assert_eq!(signs(Direction::Neither), [Open, Different, Different, Open]);
    }
}
