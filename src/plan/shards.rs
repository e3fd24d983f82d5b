//! A plan in shares, for several processes: which cell is in which follows from the plan alone.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

use super::{Cell, Job, Plan};
use crate::seed::Id;

/// One of several shares of the work, counted from 1: `2/4`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shard {
    of: NonZeroU32,
    index: u32,
}

impl Shard {
    /// The most shares there can be: more than any queue takes, and few enough to count.
    pub const MOST: u32 = 100_000;

    /// Share `index` of `of`; `None` when there is none of that number.
    #[must_use]
    pub fn new(index: u32, of: NonZeroU32) -> Option<Self> {
        (of.get() <= Self::MOST && (1..=of.get()).contains(&index)).then_some(Self { of, index })
    }

    /// Reads a number of shares; `None` where it is no whole number from 1 to [`Shard::MOST`].
    #[must_use]
    pub fn count(text: &str) -> Option<NonZeroU32> {
        text.parse::<NonZeroU32>().ok().filter(|count| count.get() <= Self::MOST)
    }

    /// All shares there are.
    pub fn all(of: NonZeroU32) -> impl Iterator<Item = Self> {
        (1..=of.get()).map(move |index| Self { of, index })
    }

    /// Which share, from 1.
    #[must_use]
    pub fn index(self) -> u32 {
        self.index
    }

    /// How many shares there are.
    #[must_use]
    pub fn of(self) -> NonZeroU32 {
        self.of
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        write!(out, "{}/{}", self.index, self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('/');
        let numbers = parts.and_then(|(index, of)| Some((index.parse().ok()?, of.parse().ok()?)));
        let shard = numbers.and_then(|(index, of)| Self::new(index, of));
        shard.ok_or_else(|| format!("expected I/N with I from 1 to N, such as 2/4, and N at most {}", Self::MOST))
    }
}

/// Jobs are cut until no piece is more than this part of a mean share.
const PIECES_A_SHARE: f64 = 4.0;

/// Which shard computes which cell.
///
/// # Invariants
/// Every wanted cell is in exactly one share, and in the same one whatever is finished, whoever asks, and in whatever
/// order the spec names things: it follows from identities and estimated costs.
#[derive(Debug)]
pub struct Shares {
    shard_of: HashMap<Id, u32>,
    estimated_seconds: Vec<f64>,
}

/// Cells of one ensemble that stay together.
struct JobPiece {
    cells: Vec<Id>,
    seconds: f64,
}

impl Shares {
    /// Divides the wanted cells: expensive pieces first, each to the share that has the least so far.
    #[must_use]
    pub fn of(plan: &Plan, count: NonZeroU32, wanted: impl Fn(&Cell) -> bool) -> Self {
        let mut jobs: Vec<Costs> = plan.jobs.iter().map(|job| Costs::of(job, &wanted)).collect();
        // Sums of rounded numbers depend on their order: it must not be the spec's.
        jobs.sort_by_key(|job| job.cells.first().map(|cell| (cell.ensemble, cell.id)));
        let total: f64 = jobs.iter().map(Costs::seconds).sum();
        let grain = total / (f64::from(count.get()) * PIECES_A_SHARE);
        let mut pieces: Vec<JobPiece> = jobs.iter().flat_map(|job| job.cut(grain)).collect();
        pieces.sort_by(|one, other| {
            other.seconds.total_cmp(&one.seconds).then_with(|| one.cells.first().cmp(&other.cells.first()))
        });
        let mut estimated_seconds = vec![0.0; count.get() as usize];
        let mut shard_of = HashMap::new();
        // Numbers that are not negative are ordered as their bits are.
        let mut least: BinaryHeap<Reverse<(u64, u32)>> = (0..count.get()).map(|share| Reverse((0, share))).collect();
        for piece in pieces {
            let Reverse((_, share)) = least.pop().expect("there is at least one share");
            let load = &mut estimated_seconds[share as usize];
            *load += piece.seconds;
            least.push(Reverse((load.to_bits(), share)));
            shard_of.extend(piece.cells.into_iter().map(|cell| (cell, share + 1)));
        }
        Self { shard_of, estimated_seconds }
    }

    /// The number of the shard that computes a cell; `None` for a cell that is not wanted.
    #[must_use]
    pub fn shard_of(&self, cell: &Cell) -> Option<u32> {
        self.shard_of.get(&cell.id).copied()
    }

    /// What each shard takes by the estimates that the division rests on, in seconds on one thread.
    #[must_use]
    pub fn estimated_seconds(&self) -> &[f64] {
        &self.estimated_seconds
    }
}

/// What the wanted cells of a job take, in seconds.
struct Costs {
    /// Making the ensemble.
    ensemble: f64,
    cells: Vec<CellCost>,
}

struct CellCost {
    ensemble: Id,
    id: Id,
    seconds: f64,
}

impl Costs {
    fn of(job: &Job, wanted: impl Fn(&Cell) -> bool) -> Self {
        let mut cells = Vec::new();
        let mut columns = 0;
        for variant in &job.variants {
            for cell in variant.cells.iter().filter(|cell| wanted(cell)) {
                columns = columns.max(variant.columns.len());
                let seconds = job.estimated_cell_seconds(variant, cell);
                cells.push(CellCost { ensemble: variant.ensemble, id: cell.id, seconds });
            }
        }
        // Within a variant by identity, which mixes the methods: estimates are better for a mixture than for each.
        cells.sort_by_key(|cell| (cell.ensemble, cell.id));
        Self { ensemble: job.estimated_ensemble_seconds(columns), cells }
    }

    fn seconds(&self) -> f64 {
        self.ensemble + self.cells.iter().map(|cell| cell.seconds).sum::<f64>()
    }

    /// Pieces of about `grain` seconds. Every piece makes the ensemble again, so none takes less for its cells than for
    /// that.
    fn cut(&self, grain: f64) -> Vec<JobPiece> {
        let room = self.ensemble + grain.max(self.ensemble);
        let mut pieces: Vec<JobPiece> = Vec::new();
        for cell in &self.cells {
            match pieces.last_mut().filter(|piece| piece.seconds + cell.seconds <= room) {
                Some(piece) => {
                    piece.cells.push(cell.id);
                    piece.seconds += cell.seconds;
                }
                None => pieces.push(JobPiece { cells: vec![cell.id], seconds: self.ensemble + cell.seconds }),
            }
        }
        pieces
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Catalog;
    use crate::plan;
    use crate::spec::Spec;

    const SPEC: &str = r#"
name = "shares"
seed = 3
datasets = ["iris", "wine"]
metrics = ["accuracy"]
repeats = 7

[ensemble]
generator = "kmeans"
size = 5
count = 4

[[method]]
name = "mm"

[[method]]
name = "kmeans"
"#;

    fn plan_of(text: &str) -> Plan {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("spec.toml");
        std::fs::write(&path, text).unwrap();
        let experiment = Spec::load(&path).unwrap().check("paper", &Catalog::locate(None)).unwrap();
        plan::expand(experiment)
    }

    fn count(of: u32) -> NonZeroU32 {
        NonZeroU32::new(of).unwrap()
    }

    #[test]
    fn a_shard_is_read_as_it_is_written_and_nothing_else_is() {
        for text in ["1/1", "2/4", "4/4"] {
            assert_eq!(text.parse::<Shard>().unwrap().to_string(), text);
        }
        for text in ["", "1", "1/100001", "1/4294967295", "0/4", "5/4", "1/0", "-1/4", "1/4/2", "a/b"] {
            assert!(text.parse::<Shard>().unwrap_err().contains("such as 2/4"), "{text}");
        }
    }

    #[test]
    fn every_cell_is_in_exactly_one_share() {
        let plan = plan_of(SPEC);
        for of in [1, 2, 3, 8, 1000] {
            let shares = Shares::of(&plan, count(of), |_| true);
            assert!(
                plan.cells().all(|(_, _, cell)| shares.shard_of(cell).is_some_and(|shard| (1..=of).contains(&shard))),
                "{of}"
            );
        }
    }

    #[test]
    fn the_share_of_a_cell_does_not_depend_on_the_order_of_the_spec() {
        let plan = plan_of(SPEC);
        let turned = SPEC.replace("\"iris\", \"wine\"", "\"wine\", \"iris\"");
        let turned =
            turned.replace("\"mm\"", "\"x\"").replace("\"kmeans\"\n", "\"mm\"\n").replace("\"x\"", "\"kmeans\"");
        let turned = turned.replace("generator = \"mm\"", "generator = \"kmeans\"");
        let other = plan_of(&turned);
        let of_plan = |plan: &Plan| -> HashMap<Id, Option<u32>> {
            let shares = Shares::of(plan, count(3), |_| true);
            plan.cells().map(|(_, _, cell)| (cell.id, shares.shard_of(cell))).collect()
        };
        assert_eq!(of_plan(&plan), of_plan(&other));
    }

    #[test]
    fn shares_are_even_even_when_one_job_is_most_of_the_work() {
        let skewed = SPEC.replace("repeats = 7", "repeats = 400").replace("\"iris\", \"wine\"", "\"wdbc\"");
        let plan = plan_of(&skewed.replace("count = 4", "count = 1"));
        for of in [2, 3, 8] {
            let shares = Shares::of(&plan, count(of), |_| true);
            let loads = shares.estimated_seconds();
            let mean = loads.iter().sum::<f64>() / f64::from(of);
            let most = loads.iter().copied().fold(0.0, f64::max);
            assert!(most <= 1.3 * mean, "{of}: {loads:?}");
        }
    }

    #[test]
    fn only_wanted_cells_are_shared_out_and_evenly() {
        let plan = plan_of(SPEC);
        let wanted = |cell: &Cell| cell.run.method.name() == "mm";
        let shares = Shares::of(&plan, count(4), wanted);
        assert!(plan.cells().all(|(_, _, cell)| shares.shard_of(cell).is_some() == wanted(cell)));
        let least = shares.estimated_seconds().iter().copied().fold(f64::INFINITY, f64::min);
        assert!(least > 0.0);
    }
}
