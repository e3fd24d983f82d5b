//! What a spec claims, checked.

use crate::metric::Direction;
use crate::spec::dimension::{Dimension, Filter};
use crate::spec::experiment::PointValue;
use crate::spec::published::Published;
use crate::spec::requests::{Show, Statistic};
use crate::stats::Alternative;

/// A claim of the paper.
#[derive(Debug, Clone, PartialEq)]
pub struct ClaimRequest {
    /// Unique among the spec's claims.
    pub id: String,
    /// Where the paper says it.
    pub source: String,
    /// What it says, in our words.
    pub says: String,
    /// The id of the output that shows it.
    pub shown_in: Option<String>,
    /// How it is decided.
    pub check: Check,
}

/// How a claim is decided.
#[derive(Debug, Clone, PartialEq)]
pub enum Check {
    /// By results.
    Measured(Measured),
    /// By what is printed alone.
    Impossible(AuditRequest),
    /// By what a picture shows.
    Picture(PictureClaim),
    /// Not at all: the paper gives too little.
    Undecided {
        /// What is missing.
        reason: String,
    },
}

impl Check {
    /// Its name in specs.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Impossible(_) => "impossible",
            Self::Picture(_) => "picture",
            Self::Undecided { .. } => "undecided",
            Self::Measured(measured) => match &measured.test {
                Test::Order { .. } => "order",
                Test::Wins { .. } => "wins",
                Test::Rank { .. } => "rank-at-most",
                Test::Paired { .. } => "paired-test",
                Test::Flat { .. } => "flat-until",
                Test::Trend { way: Way::Down, .. } => "decreases",
                Test::Trend { way: Way::Up, .. } => "increases",
                Test::ChangesLess { .. } => "changes-less",
                Test::Equal { .. } => "equal",
                Test::Bound { .. } => "bound",
                Test::Value { .. } => "value",
                Test::Fails { .. } => "fails",
            },
        }
    }
}

/// A claim about results.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// Which numbers it is about.
    pub scope: Scope,
    /// At how many places it must hold.
    pub places: HowMany,
    /// What must hold at a place.
    pub test: Test,
}

/// Which numbers a claim is about.
#[derive(Debug, Clone, PartialEq)]
pub struct Scope {
    /// Metric or fact; empty where none is needed.
    pub metric: String,
    /// What is taken of its runs.
    pub statistic: Statistic,
    /// How values are shown; all numbers of the claim are in these units.
    pub show: Show,
    /// Which way what is shown gets better.
    pub better: Direction,
    /// What the claim compares: methods, kinds of ensembles, values of a swept key.
    pub compare: Dimension,
    /// What the places are.
    pub over: Vec<Dimension>,
    /// What is averaged over, with equal weights.
    pub average: Vec<Dimension>,
    /// Which results are used. May have values that only the paper's scale has.
    pub filter: Filter,
}

/// At how many places something must hold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HowMany {
    /// How many.
    pub quantity: Quantity,
    /// How many places the paper looked at, where the spec says so.
    pub out_of: Option<usize>,
}

/// A number of places.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Quantity {
    /// Every one.
    All,
    /// So many or more.
    AtLeast(Count),
    /// So many or fewer.
    AtMost(Count),
    /// Just so many.
    Exactly(usize),
}

/// So many of some places.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Count {
    /// A number.
    Number(usize),
    /// A share.
    Share(f64),
    /// More than half.
    Most,
}

/// What must hold at a place.
#[derive(Debug, Clone, PartialEq)]
pub enum Test {
    /// Neighbours of a chain stand in a relation.
    Order {
        /// Values of the compared dimension.
        chain: Vec<PointValue>,
        /// Between each and the next.
        relation: Relation,
    },
    /// The best of all.
    Wins {
        /// Who should be best.
        of: Subjects,
        /// Among whom.
        against: Vec<PointValue>,
        /// Whether equals are.
        best: Best,
    },
    /// Among the first, or the last.
    Rank {
        /// Who.
        of: Subjects,
        /// Among whom.
        against: Vec<PointValue>,
        /// The lowest rank that will do.
        rank: usize,
        /// Where counting begins.
        from: End,
    },
    /// A paired test comes out.
    Paired {
        /// First of the pair.
        first: PointValue,
        /// Second of the pair.
        second: Second,
        /// Of first − second.
        alternative: Alternative,
        /// What p should be.
        p: Level,
    },
    /// A series stays near its start.
    Flat {
        /// Whose series.
        of: Vec<PointValue>,
        /// Which part of it.
        stretch: Stretch,
        /// How near.
        within: f64,
        /// In which direction.
        side: Side,
    },
    /// A series goes down or up.
    Trend {
        /// Whose series.
        of: Vec<PointValue>,
        /// Which part of it.
        stretch: Stretch,
        /// Where to.
        way: Way,
        /// At least so far.
        by: f64,
        /// Whether each step counts.
        steps: Steps,
    },
    /// One series gets less worse than another.
    ChangesLess {
        /// Which part of the series.
        stretch: Stretch,
        /// Whose changes less.
        of: PointValue,
        /// Than whose.
        against: PointValue,
    },
    /// The same numbers.
    Equal {
        /// Of these.
        of: Vec<PointValue>,
        /// To this.
        tolerance: Tolerance,
        /// On what.
        on: Equality,
    },
    /// Numbers on one side of a bound.
    Bound {
        /// Whose numbers.
        of: Vec<PointValue>,
        /// The side.
        relation: Relation,
        /// The bound.
        bound: f64,
        /// Which numbers.
        on: Bounded,
    },
    /// A printed number.
    Value {
        /// Whose.
        of: PointValue,
        /// As printed.
        printed: String,
        /// Half-width of our interval above which nothing is decided.
        tolerance: Option<f64>,
    },
    /// No run succeeds.
    Fails {
        /// Whose runs.
        of: Vec<PointValue>,
    },
}

/// One or several subjects of a claim.
#[derive(Debug, Clone, PartialEq)]
pub struct Subjects {
    /// Who.
    pub values: Vec<PointValue>,
    /// Which of them.
    pub need: Need,
}

/// Which of several subjects must do it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// At every place one of them, whichever.
    Any,
    /// Each of them by itself.
    Each,
}

/// A relation between two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// <
    Below,
    /// ≤
    AtMost,
    /// >
    Above,
    /// ≥
    AtLeast,
}

impl Relation {
    pub(in crate::spec) const ALL: [(&'static str, Self); 4] =
        [("<", Self::Below), ("<=", Self::AtMost), (">", Self::Above), (">=", Self::AtLeast)];

    /// Its sign.
    #[must_use]
    pub fn sign(self) -> &'static str {
        match self {
            Self::Below => "<",
            Self::AtMost => "≤",
            Self::Above => ">",
            Self::AtLeast => "≥",
        }
    }
}

/// Whether equals share a first place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Best {
    /// Nobody may be equal.
    Alone,
    /// Best or equal to the best.
    Tied,
}

/// Where counting of ranks begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// 1 is the best.
    Best,
    /// 1 is the worst.
    Worst,
}

/// The second of a pair.
#[derive(Debug, Clone, PartialEq)]
pub enum Second {
    /// Always the same.
    Named(PointValue),
    /// The best of all others at a place.
    RunnerUp,
}

/// What a p should be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Level {
    /// Below this.
    Below(f64),
    /// At or above this.
    Above(f64),
}

/// A part of a series along a swept key.
#[derive(Debug, Clone, PartialEq)]
pub struct Stretch {
    /// The key.
    pub along: Dimension,
    /// Where it begins; the smallest value when it is not said.
    pub from: Option<f64>,
    /// Where it ends; the largest value when it is not said.
    pub to: Option<f64>,
}

/// Which departures from flatness count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// All.
    Both,
    /// Those for the worse.
    Worse,
}

/// Where a series goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// To smaller numbers.
    Down,
    /// To larger numbers.
    Up,
}

/// Which steps of a series count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Steps {
    /// The ends alone are compared.
    Ends,
    /// The ends are compared, and no step between neighbours goes the other way.
    Every,
}

/// How far equal numbers may differ.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Tolerance {
    /// By this.
    Absolute(f64),
    /// By this share of the larger.
    Relative(f64),
}

/// What must be equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Equality {
    /// The numbers on every single ensemble.
    Ensembles,
    /// The means.
    Mean,
}

/// What a bound is on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bounded {
    /// The statistic.
    Statistic,
    /// At least this share of single runs.
    Runs(f64),
}

/// A claim that what is printed refutes.
#[derive(Debug, Clone, PartialEq)]
pub struct AuditRequest {
    /// The id of the table or test whose printed numbers are looked at.
    pub output: String,
    /// How.
    pub rule: AuditRule,
}

/// How what is printed is looked at.
#[derive(Debug, Clone, PartialEq)]
pub enum AuditRule {
    /// Each number by itself and within its table.
    Range,
    /// A count of best values in a text against its table.
    Count {
        /// Whose.
        of: PointValue,
        /// Among whom.
        against: Vec<PointValue>,
        /// Which of the table's statistics.
        statistic: Statistic,
        /// The part of the table that the text is about.
        filter: Filter,
        /// What the text says.
        places: HowMany,
    },
    /// The p of tests against their differences and standard deviations.
    TTest {
        /// Number of pairs, where the paper says it.
        pairs: Option<usize>,
    },
    /// The differences of tests against means printed elsewhere.
    Difference {
        /// The means.
        means: Published,
    },
}

/// A claim about a picture.
#[derive(Debug, Clone, PartialEq)]
pub struct PictureClaim {
    /// The picture's id.
    pub picture: String,
    /// What is measured of every panel.
    pub measure: PictureMeasure,
    /// What must hold.
    pub relation: Relation,
    /// Against what.
    pub against: PictureBound,
}

/// What is measured of a panel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PictureMeasure {
    /// Root mean square distance of pairs from the law.
    Deviation,
    /// Mean share of pairs within classes that are together, less that of pairs between classes.
    Contrast,
}

/// What a panel's measure is compared with.
#[derive(Debug, Clone, PartialEq)]
pub enum PictureBound {
    /// A number, every panel.
    Number(f64),
    /// The next panel of a chain.
    Order(Vec<PointValue>),
}
