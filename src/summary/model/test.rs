//! Paired tests.

use crate::spec::TestedAgainst;

/// Paired tests of two methods, one row per dataset (and sweep point), or of one against each other.
#[derive(Debug, Clone, PartialEq)]
pub struct TestTable {
    /// Names its files and its place on the page.
    pub id: String,
    /// Its heading on the page.
    pub title: String,
    /// What was tested, in one sentence ("H1: mm < v-bce, paired by ensemble").
    pub caption: String,
    /// The metric compared.
    pub metric: String,
    /// Label of the first method; differences are first − second.
    pub first: String,
    /// What it is tested against.
    pub against: TestedAgainst,
    /// What the rows are; where the first method is tested against each other, the last is that other.
    pub keys: Vec<String>,
    /// One per dataset and sweep point, and method it is tested against.
    pub rows: Vec<TestRow>,
}

/// One paired test.
#[derive(Debug, Clone, PartialEq)]
pub struct TestRow {
    /// As many as `TestTable::keys`.
    pub keys: Vec<String>,
    /// Label of the second method.
    pub second: String,
    /// The numbers, or why there are none.
    pub outcome: Result<TestNumbers, String>,
}

/// The numbers of a paired test.
#[derive(Debug, Clone, PartialEq)]
pub struct TestNumbers {
    /// Number of pairs (ensembles).
    pub n: usize,
    /// Mean of first − second.
    pub mean_difference: f64,
    /// 95 % confidence interval of the mean difference (two-sided, t).
    pub interval: [f64; 2],
    /// 95 % bootstrap interval of the mean difference (BCa).
    pub bootstrap: [f64; 2],
    /// Standard deviation of the first method's values.
    pub sd_first: f64,
    /// Standard deviation of the second method's values.
    pub sd_second: f64,
    /// t statistic; `None` when every difference is the same and t is not defined.
    pub t: Option<f64>,
    /// p of the t-test.
    pub p: f64,
    /// p of the t-test, Holm-adjusted over the rows of this table.
    pub p_holm: f64,
    /// What that says of the first method, at 5 %.
    pub sign: TestSign,
    /// p of the Wilcoxon signed-rank test.
    pub p_wilcoxon: f64,
    /// Cohen's d of the differences (mean / sd); `None` when their sd is 0.
    pub effect: Option<f64>,
    /// Pairs won, tied, lost by the first method (by value, not by whether more is better).
    pub above_equal_below: [usize; 3],
}

/// What a test says of the first of two methods.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TestSign {
    /// It is better.
    Better,
    /// It is worse.
    Worse,
    /// It is different, in a metric that has no better and worse.
    Different,
    /// Nothing.
    Open,
}

impl TestSign {
    /// What it says of the second method.
    #[must_use]
    pub fn of_the_second(self) -> Self {
        match self {
            Self::Better => Self::Worse,
            Self::Worse => Self::Better,
            other => other,
        }
    }
}
