use super::model::{TestNumbers, TestRow, TestTable};
use crate::results::ResultRow;
use crate::results::{RowSet, combinations, name_of};
use crate::spec::{Dimension, Experiment, PointValue, TestRequest};
use crate::stats::{self, Alternative, Pairs};

/// Runs a paired test for every dataset, kind of ensemble and sweep point.
pub(super) fn fill(request: &TestRequest, experiment: &Experiment, rows: &[ResultRow]) -> TestTable {
    let swept = (0..experiment.sweep.len()).map(Dimension::Sweep);
    let dimensions: Vec<Dimension> = [Dimension::Dataset, Dimension::Ensemble]
        .into_iter()
        .chain(swept)
        .filter(|&dimension| {
            dimension == Dimension::Dataset || combinations(experiment, &[dimension], &request.filter).len() > 1
        })
        .collect();
    let selection = RowSet::new(rows, &request.filter);
    let mut filled: Vec<TestRow> = combinations(experiment, &dimensions, &request.filter)
        .into_iter()
        .map(|values| TestRow {
            keys: values.iter().map(PointValue::to_string).collect(),
            outcome: test(request, &selection.at(&dimensions, &values)),
        })
        .collect();
    adjust(&mut filled);
    let sign = match request.alternative {
        Alternative::Less => "<",
        Alternative::Greater => ">",
        Alternative::TwoSided => "≠",
    };
    let caption = format!(
        "Paired by ensemble, runs on one ensemble averaged; alternative: {} {sign} {} in {}.",
        request.first, request.second, request.metric
    );
    TestTable {
        id: request.id.clone(),
        title: request.title.clone(),
        caption,
        metric: request.metric.clone(),
        first: request.first.clone(),
        second: request.second.clone(),
        keys: dimensions.iter().map(|dimension| name_of(experiment, *dimension)).collect(),
        rows: filled,
    }
}

fn test(request: &TestRequest, runs: &RowSet) -> Result<TestNumbers, String> {
    let of = |method: &str| {
        runs.at(&[Dimension::Method], &[PointValue::Text(method.to_owned())]).by_ensemble(&request.metric)
    };
    let pairs = Pairs::by_id(&of(&request.first), &of(&request.second)).map_err(|error| error.to_string())?;
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
        p_wilcoxon: stats::wilcoxon(&pairs, request.alternative).p,
        effect: stats::effect_size(&pairs),
        above_equal_below: stats::wins(&pairs),
    })
}

/// Holm's adjustment over the rows that have a p.
fn adjust(rows: &mut [TestRow]) {
    let raw: Vec<f64> = rows.iter().filter_map(|row| row.outcome.as_ref().ok()).map(|numbers| numbers.p).collect();
    let adjusted = stats::holm_adjust(&raw);
    let tested = rows.iter_mut().filter_map(|row| row.outcome.as_mut().ok());
    tested.zip(adjusted).for_each(|(numbers, p)| numbers.p_holm = p);
}
