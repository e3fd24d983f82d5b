//! What became of single cells.

use std::collections::HashMap;

use crate::consensus::Predicts;
use crate::metric::MetricInfo;
use crate::seed::Id;

/// Finished cells, by their ids.
pub type Finished = HashMap<Id, CellResult>;

/// What became of a cell.
#[derive(Debug, Clone, PartialEq)]
pub struct CellResult {
    /// Which cell.
    pub id: Id,
    /// How it ended.
    pub status: Status,
    /// Why it has no numbers.
    pub reason: Option<String>,
    /// Metrics and facts by name, in the order of their names.
    pub values: Vec<(&'static str, f64)>,
    /// Wall-clock seconds of the method; `None` where they are not known.
    pub seconds: Option<f64>,
    /// [`crate::facts::PARALLEL_SECONDS`], where it differs from the wall clock's.
    pub parallel_seconds: Option<f64>,
    /// The most memory that the method had at once, where that was seen.
    pub peak_bytes: Option<u64>,
}

impl CellResult {
    /// A metric or fact, if it was recorded.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<f64> {
        let done = |seconds: Option<f64>| seconds.filter(|_| self.status == Status::Done);
        if name == crate::facts::SECONDS.name {
            return done(self.seconds);
        }
        if name == crate::facts::PARALLEL_SECONDS.name {
            return done(self.parallel_seconds.or(self.seconds));
        }
        if name == crate::facts::PEAK_BYTES.name {
            return done(self.peak_bytes.map(|bytes| bytes as f64));
        }
        self.values.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }

    /// Whether this result of a cell is kept when another one comes before it. Journals are not in the order of time:
    /// numbers go before a failure, and more metrics before fewer.
    pub(crate) fn supersedes(&self, earlier: &Self) -> bool {
        let worth = |result: &Self| (result.status == Status::Done, result.values.len());
        worth(self) >= worth(earlier)
    }

    /// Takes over the seconds and the memory of the same result read from another file, where this one has none.
    pub(crate) fn with_seconds_of(mut self, other: Option<&Self>) -> Self {
        if let Some(other) = other.filter(|_| self.seconds.is_none()) {
            self.seconds = other.seconds;
            self.parallel_seconds = other.parallel_seconds;
            self.peak_bytes = other.peak_bytes;
        }
        self
    }

    /// Whether everything that is asked for now was recorded then.
    #[must_use]
    pub fn covers(&self, metrics: &[&'static MetricInfo], method: Predicts) -> bool {
        let mut expected = metrics.iter().filter(|metric| method.always_gives(metric));
        self.status != Status::Done || expected.all(|metric| self.value(metric.name).is_some())
    }
}

/// How a cell ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// With numbers.
    Done,
    /// With an error or a panic.
    Failed,
    /// At its deadline.
    TimedOut,
    /// Before it began: the method cannot take this input.
    Unsupported,
}

impl Status {
    const ALL: [Self; 4] = [Self::Done, Self::Failed, Self::TimedOut, Self::Unsupported];

    /// Its name in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Failed => "failed",
            Self::TimedOut => "timed-out",
            Self::Unsupported => "unsupported",
        }
    }

    /// The status of that name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == name)
    }
}
