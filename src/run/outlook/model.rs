//! What work costs: measured where it was measured, and elsewhere what measurements of similar work say of the formula.
//!
//! The formula counts operations of as many distinct rows as are likely, and says nothing of how often a method iterates. So the
//! logarithm of measured over expected seconds is taken apart into what all work has in common (the machine), what its method has,
//! its dataset, its kind of ensembles, and its method on its dataset. Each part is shrunk towards nothing by how little speaks
//! for it.

use std::collections::HashMap;
use std::sync::Arc;

use super::usual;
use crate::plan::WorkKind;

/// What work of one kind has taken.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Taken {
    /// How often it was measured.
    pub(crate) count: f64,
    /// All together.
    pub(crate) seconds: f64,
}

impl Taken {
    fn mean(self) -> Option<f64> {
        // What is too quick to be measured is not for nothing.
        const LEAST: f64 = 1e-7;
        (self.count > 0.0).then(|| (self.seconds / self.count).max(LEAST))
    }
}

/// A part of what tells costs from the formula, by what the work has in common: see the head of this file.
const PARTS: usize = 5;

/// How little speaks for a part when it is taken at half its size: kinds of work that were measured.
const HALF: [f64; PARTS] = [0.2, 0.3, 0.9, 0.5, 0.25];

/// The spread of each part before anything is measured, as the standard deviation of a logarithm.
const SPREAD: [f64; PARTS] = [0.5, 0.5, 0.4, 0.4, 0.4];

/// The same of kinds of work that have all parts in common.
const SPREAD_OF_KINDS: f64 = 0.35;

/// Runs of earlier measurements that weigh as much as one of this run.
const EARLIER_COUNTS_AT_MOST: f64 = 2.0;

/// What the costs of kinds of work are.
#[derive(Debug, Default)]
pub(crate) struct CostModel {
    kinds: Vec<KnownKind>,
    position: HashMap<WorkKind, usize>,
    /// Positions of parts by what they are of.
    parts: [HashMap<Arc<str>, usize>; PARTS],
    found: [Vec<PartFound>; PARTS],
}

#[derive(Debug)]
struct KnownKind {
    kind: WorkKind,
    /// Logarithm of the seconds that are expected where nothing is measured.
    usual: f64,
    parts: [usize; PARTS],
    /// In earlier runs.
    before: Taken,
    /// In this run.
    now: Taken,
    /// Of that, what was told to whoever keeps it.
    told: Taken,
}

/// What is known of a part.
#[derive(Debug, Clone, Copy, Default)]
struct PartFound {
    value: f64,
    weight: f64,
}

/// What work of a kind is expected to take.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ExpectedCost {
    pub(crate) seconds: f64,
    /// Standard deviation of the logarithm.
    pub(crate) spread: f64,
}

impl CostModel {
    /// The position of a kind of work, new or known.
    pub(crate) fn position(&mut self, kind: &WorkKind) -> usize {
        if let Some(known) = self.position.get(kind) {
            return *known;
        }
        let of = |text: String| -> Arc<str> { text.into() };
        let method = of(format!("{} {}", kind.step.name(), kind.name));
        let names: [Arc<str>; PARTS] = [
            of(String::new()),
            Arc::clone(&method),
            Arc::clone(&kind.data),
            of(format!("{} {} {}", kind.data, kind.ensembles, kind.columns)),
            of(format!("{method} {}", kind.data)),
        ];
        let mut parts = [0; PARTS];
        for (part, name) in names.into_iter().enumerate() {
            let next = self.parts[part].len();
            parts[part] = *self.parts[part].entry(name).or_insert(next);
        }
        let usual = usual::seconds(kind).ln();
        let position = self.kinds.len();
        self.position.insert(kind.clone(), position);
        let [before, now, told] = [Taken::default(); 3];
        self.kinds.push(KnownKind { kind: kind.clone(), usual, parts, before, now, told });
        position
    }

    /// The kind of work at a position.
    #[cfg(test)]
    pub(crate) fn kind(&self, position: usize) -> &WorkKind {
        &self.kinds[position].kind
    }

    /// What this run measured.
    pub(crate) fn measure(&mut self, position: usize, seconds: f64) {
        let now = &mut self.kinds[position].now;
        now.count += 1.0;
        now.seconds += seconds;
    }

    /// What earlier runs measured.
    pub(crate) fn learn(&mut self, position: usize, taken: Taken) {
        let before = &mut self.kinds[position].before;
        before.count += taken.count;
        before.seconds += taken.seconds;
    }

    /// Whether earlier runs measured it.
    pub(crate) fn is_learnt(&self, position: usize) -> bool {
        self.kinds[position].before.count > 0.0
    }

    /// Whether it is a run of a program, of which no run was ever measured.
    pub(crate) fn is_never_seen(&self, position: usize) -> bool {
        let known = &self.kinds[position];
        let method = self.found[1].get(known.parts[1]).copied().unwrap_or_default();
        known.kind.is_of_a_program() && method.weight == 0.0
    }

    /// What was measured of every kind since this was asked last.
    pub(crate) fn take_measured(&mut self) -> Vec<(WorkKind, Taken)> {
        let new = self.kinds.iter_mut().filter(|known| known.now.count > known.told.count);
        let taken = new.map(|known| {
            let (count, seconds) = (known.now.count - known.told.count, known.now.seconds - known.told.seconds);
            known.told = known.now;
            (known.kind.clone(), Taken { count, seconds })
        });
        taken.collect()
    }

    /// Takes into account what was measured since.
    pub(crate) fn fit(&mut self) {
        /// Rounds after which the parts have settled.
        const ROUNDS: usize = 8;
        let told: Vec<(f64, f64, [usize; PARTS])> =
            self.kinds.iter().filter_map(|known| Some((known.log_ratio()?, known.weight(), known.parts))).collect();
        self.found = std::array::from_fn(|part| vec![PartFound::default(); self.parts[part].len()]);
        for _ in 0..ROUNDS {
            for part in 0..PARTS {
                let mut sums = vec![0.0; self.found[part].len()];
                let mut weights = vec![0.0; self.found[part].len()];
                for (ratio, weight, parts) in &told {
                    let others: f64 = (0..PARTS)
                        .filter(|other| *other != part)
                        .map(|other| self.found[other][parts[other]].value)
                        .sum();
                    sums[parts[part]] += weight * (ratio - others);
                    weights[parts[part]] += weight;
                }
                for (found, (sum, weight)) in self.found[part].iter_mut().zip(sums.into_iter().zip(weights)) {
                    *found = PartFound { value: sum / (weight + HALF[part]), weight };
                }
            }
        }
    }

    /// What work of a kind is expected to take, after [`Self::fit`].
    pub(crate) fn expected(&self, position: usize) -> ExpectedCost {
        /// Measurements that weigh as much as what similar work says.
        const SIMILAR: f64 = 0.33;
        let known = &self.kinds[position];
        let mut similar = known.usual;
        let mut variance = SPREAD_OF_KINDS.powi(2);
        for part in 0..PARTS {
            let found = self.found[part].get(known.parts[part]).copied().unwrap_or_default();
            similar += found.value;
            variance += SPREAD[part].powi(2) * HALF[part] / (found.weight + HALF[part]);
        }
        match known.taken().mean() {
            Some(mean) => {
                let count = known.taken().count;
                let blended = (count * mean.ln() + SIMILAR * similar) / (count + SIMILAR);
                ExpectedCost { seconds: blended.exp(), spread: SPREAD_OF_KINDS / (1.0 + count).sqrt() }
            }
            None => ExpectedCost { seconds: similar.exp(), spread: variance.sqrt() },
        }
    }
}

impl KnownKind {
    /// What was measured, the earlier runs for no more than a few.
    fn taken(&self) -> Taken {
        let earlier = self.before.count.min(EARLIER_COUNTS_AT_MOST);
        let seconds = self.before.mean().map_or(0.0, |mean| earlier * mean);
        Taken { count: self.now.count + earlier, seconds: self.now.seconds + seconds }
    }

    fn log_ratio(&self) -> Option<f64> {
        Some(self.taken().mean()?.ln() - self.usual)
    }

    fn weight(&self) -> f64 {
        /// Measurements after which a kind of work has half a say.
        const HALF_A_SAY: f64 = 0.3;
        let count = self.taken().count;
        count / (count + HALF_A_SAY)
    }
}
