//! What is recorded of every run besides the spec's metrics.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::metric::{self, Direction};

/// Something recorded of every run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fact {
    /// Its name, beside the metrics' names.
    pub name: &'static str,
    /// What it is called on axes.
    pub title: &'static str,
    /// What it is.
    pub definition: &'static str,
    /// Which way it improves.
    pub direction: Direction,
    /// What it is counted in.
    pub unit: FactUnit,
    /// The least and the largest value that it can have; infinite where there is none.
    pub bounds: [f64; 2],
}

/// What a fact is counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FactUnit {
    /// A number without a unit.
    None,
    /// Seconds.
    Seconds,
    /// Bytes.
    Bytes,
}

const ANY: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];
const NOT_NEGATIVE: [f64; 2] = [0.0, f64::INFINITY];
const SHARE: [f64; 2] = [0.0, 1.0];

/// The value of the method's objective.
pub const OBJECTIVE: Fact = Fact {
    name: "objective",
    title: "value of the objective",
    definition: "value of what the method optimises",
    direction: Direction::Neither,
    unit: FactUnit::None,
    bounds: ANY,
};
/// Iterations of the run that was kept.
pub const ITERATIONS: Fact = Fact {
    name: "iterations",
    title: "iterations",
    definition: "iterations of the start that was kept",
    direction: Direction::Neither,
    unit: FactUnit::None,
    bounds: NOT_NEGATIVE,
};
/// 1 when the method stopped by itself, 0 when it reached its limit of iterations.
pub const CONVERGED: Fact = Fact {
    name: "converged",
    title: "share of runs that converged",
    definition: "1 if it stopped by itself, 0 if at its limit",
    direction: Direction::Neither,
    unit: FactUnit::None,
    bounds: SHARE,
};
/// Wall-clock seconds; kept apart from the results, as it depends on the machine.
pub const SECONDS: Fact = Fact {
    name: "seconds",
    title: "time of a run",
    definition: "wall-clock time of the run",
    direction: Direction::LowerIsBetter,
    unit: FactUnit::Seconds,
    bounds: NOT_NEGATIVE,
};

/// The most memory that a method had at once; only of programs that are started for each task. Kept apart from the results like
/// [`SECONDS`].
pub const PEAK_BYTES: Fact = Fact {
    name: "peak-bytes",
    title: "most memory of a program",
    definition: "the most memory that a program had at once, as far as it was seen; of programs that are started for each task",
    direction: Direction::LowerIsBetter,
    unit: FactUnit::Bytes,
    bounds: NOT_NEGATIVE,
};

/// Bytes that parties exchanged; only of methods that run between parties.
pub const BYTES: Fact = Fact {
    name: "bytes",
    title: "data sent between parties",
    definition: "bytes of all messages between parties",
    direction: Direction::LowerIsBetter,
    unit: FactUnit::Bytes,
    bounds: NOT_NEGATIVE,
};
/// Messages that parties exchanged; only of methods that run between parties.
pub const MESSAGES: Fact = Fact {
    name: "messages",
    title: "messages between parties",
    definition: "number of messages between parties",
    direction: Direction::LowerIsBetter,
    unit: FactUnit::None,
    bounds: NOT_NEGATIVE,
};
/// Rounds of messages; only of methods that run between parties.
pub const ROUNDS: Fact = Fact {
    name: "rounds",
    title: "rounds of messages",
    definition: "how often parties had to wait for a message",
    direction: Direction::LowerIsBetter,
    unit: FactUnit::None,
    bounds: NOT_NEGATIVE,
};
/// Time on as many machines as there are parties; kept apart from the results like [`SECONDS`].
pub const PARALLEL_SECONDS: Fact = Fact {
    name: "parallel-seconds",
    title: "time with one machine per party",
    definition: "processor time of the slowest party plus the server's; wall-clock time where there are no parties",
    direction: Direction::LowerIsBetter,
    unit: FactUnit::Seconds,
    bounds: NOT_NEGATIVE,
};

/// Distinct rows of the graph that a method walks on; only of methods that do.
pub const MICROCLUSTERS: Fact = Fact {
    name: "microclusters",
    title: "distinct rows of labels",
    definition: "distinct rows of labels; of methods that walk between them",
    direction: Direction::Neither,
    unit: FactUnit::None,
    bounds: NOT_NEGATIVE,
};
/// Links of that graph.
pub const LINKS: Fact = Fact {
    name: "links",
    title: "links between distinct rows",
    definition: "pairs of distinct rows that share a label; of methods that walk between them",
    direction: Direction::Neither,
    unit: FactUnit::None,
    bounds: NOT_NEGATIVE,
};
/// The share of these links that the method keeps.
pub const LINKS_KEPT: Fact = Fact {
    name: "links-kept",
    title: "share of links kept",
    definition: "the share of these pairs that the method keeps, 0 to 1",
    direction: Direction::Neither,
    unit: FactUnit::None,
    bounds: SHARE,
};

/// All facts.
pub const ALL: [Fact; 12] = [
    OBJECTIVE,
    ITERATIONS,
    CONVERGED,
    SECONDS,
    PEAK_BYTES,
    BYTES,
    MESSAGES,
    ROUNDS,
    PARALLEL_SECONDS,
    MICROCLUSTERS,
    LINKS,
    LINKS_KEPT,
];

/// The one spelling of a metric's or fact's name that lives as long as the program; `None` for an unknown name.
#[must_use]
pub fn intern(name: &str) -> Option<&'static str> {
    let facts = ALL.iter().map(|fact| fact.name);
    let metrics = metric::all().iter().map(|metric| metric.name);
    facts.chain(metrics).find(|known| *known == name)
}

/// Which way a metric or fact improves.
pub(crate) fn direction_of(name: &str) -> Direction {
    let fact = find(name).map(|fact| fact.direction);
    fact.or_else(|| metric::find(name).map(|metric| metric.direction)).unwrap_or(Direction::Neither)
}

/// The least and the largest value that a metric or fact can have; infinite where there is none.
pub(crate) fn bounds_of(name: &str) -> [f64; 2] {
    let fact = find(name).map(|fact| fact.bounds);
    fact.or_else(|| metric::find(name).map(metric::MetricInfo::bounds)).unwrap_or(ANY)
}

/// What a metric or fact is called on axes.
pub(crate) fn title_of(name: &str) -> &str {
    let fact = find(name).map(|fact| fact.title);
    fact.or_else(|| metric::find(name).map(|metric| metric.title)).unwrap_or(name)
}

/// The fact of that name.
pub(crate) fn find(name: &str) -> Option<&'static Fact> {
    ALL.iter().find(|fact| fact.name == name)
}

/// The versions of metrics that values were computed by: only those beyond the first, so that it is empty while no metric
/// was ever corrected.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct MetricVersions(BTreeMap<String, u32>);

impl MetricVersions {
    /// Those of this program.
    pub(crate) fn now() -> Self {
        let corrected = metric::all().iter().filter(|metric| metric.version > 1);
        Self(corrected.map(|metric| (metric.name.to_owned(), metric.version)).collect())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// As [`intern`], but `None` also for a metric that this program computes otherwise: values of two versions must not
    /// be mixed.
    pub(crate) fn intern(&self, name: &str) -> Option<&'static str> {
        let now = metric::find(name).map_or(1, |metric| metric.version);
        let then = self.0.get(name).copied().unwrap_or(1);
        (then == now).then(|| intern(name)).flatten()
    }
}
