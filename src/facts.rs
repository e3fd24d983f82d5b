//! What is recorded of every run besides the spec's metrics.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::metric::{self, Direction};

/// Something recorded of every run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fact {
    /// Its name, beside the metrics' names.
    pub name: &'static str,
    /// What it is.
    pub definition: &'static str,
    /// Which way it improves.
    pub direction: Direction,
    /// What it is counted in.
    pub unit: FactUnit,
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

/// The value of the method's objective.
pub const OBJECTIVE: Fact = Fact {
    name: "objective",
    definition: "value of what the method optimises",
    direction: Direction::Neither,
    unit: FactUnit::None,
};
/// Iterations of the run that was kept.
pub const ITERATIONS: Fact = Fact {
    name: "iterations",
    definition: "iterations of the start that was kept",
    direction: Direction::Neither,
    unit: FactUnit::None,
};
/// 1 when the method stopped by itself, 0 when it reached its limit of iterations.
pub const CONVERGED: Fact = Fact {
    name: "converged",
    definition: "1 if it stopped by itself, 0 if at its limit",
    direction: Direction::Neither,
    unit: FactUnit::None,
};
/// Wall-clock seconds; kept apart from the results, as it depends on the machine.
pub const SECONDS: Fact = Fact {
    name: "seconds",
    definition: "wall-clock time of the run",
    direction: Direction::LowerIsBetter,
    unit: FactUnit::Seconds,
};

/// Bytes that parties exchanged; only of methods that run between parties.
pub const BYTES: Fact = Fact {
    name: "bytes",
    definition: "bytes of all messages between parties",
    direction: Direction::LowerIsBetter,
    unit: FactUnit::Bytes,
};
/// Messages that parties exchanged; only of methods that run between parties.
pub const MESSAGES: Fact = Fact {
    name: "messages",
    definition: "number of messages between parties",
    direction: Direction::LowerIsBetter,
    unit: FactUnit::None,
};
/// Rounds of messages; only of methods that run between parties.
pub const ROUNDS: Fact = Fact {
    name: "rounds",
    definition: "how often parties had to wait for a message",
    direction: Direction::LowerIsBetter,
    unit: FactUnit::None,
};
/// Time on as many machines as there are parties; kept apart from the results like [`SECONDS`].
pub const PARALLEL_SECONDS: Fact = Fact {
    name: "parallel-seconds",
    definition: "processor time of the slowest party plus the server's; wall-clock time where there are no parties",
    direction: Direction::LowerIsBetter,
    unit: FactUnit::Seconds,
};

/// Distinct rows of the graph that a method walks on; only of methods that do.
pub const MICROCLUSTERS: Fact = Fact {
    name: "microclusters",
    definition: "distinct rows of labels; of methods that walk between them",
    direction: Direction::Neither,
    unit: FactUnit::None,
};
/// Links of that graph.
pub const LINKS: Fact = Fact {
    name: "links",
    definition: "pairs of distinct rows that share a label; of methods that walk between them",
    direction: Direction::Neither,
    unit: FactUnit::None,
};
/// The share of these links that the method keeps.
pub const LINKS_KEPT: Fact = Fact {
    name: "links-kept",
    definition: "the share of these pairs that the method keeps, 0 to 1",
    direction: Direction::Neither,
    unit: FactUnit::None,
};

/// All facts.
pub const ALL: [Fact; 11] = [
    OBJECTIVE,
    ITERATIONS,
    CONVERGED,
    SECONDS,
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
    let fact = ALL.iter().find(|fact| fact.name == name).map(|fact| fact.direction);
    fact.or_else(|| metric::find(name).map(|metric| metric.direction)).unwrap_or(Direction::Neither)
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
