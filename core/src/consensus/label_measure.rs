//! Similarities of distinct rows that are sums over base clusterings: what two clusters of a clustering have in common, over all
//! clusterings that label both rows, divided by what these clusterings count for.
//!
//! Without missing labels the divisor is the same for all pairs. Rows that no clustering labels both have similarity 0.

use super::row_links::RowDistances;
use super::seats::greater;
use super::shared_counts::{CodeTiles, Codes, LabelCode, TILE};
use super::{Shape, Task};
use crate::ensemble::Labels;
use crate::vectors::widest;

/// What the clusters of one base clustering have in common.
pub(super) struct ColumnMeasure {
    /// What the clustering counts for in the divisor.
    pub(super) share: f64,
    pub(super) likeness: Likeness,
}

/// How like each other the clusters of one base clustering are.
pub(super) enum Likeness {
    /// Each cluster is like itself by so much, and not like any other.
    Itself(Vec<f64>),
    /// J × J: each like any other. Symmetric.
    Others(Vec<f64>),
}

/// 1 − similarity of some rows.
pub(super) struct LabelDistances {
    codes: MeasuredCodes,
    columns: Vec<ColumnMeasure>,
    /// Σ of all shares.
    total: f64,
    /// Σ of the shares of the clusterings that label both, where labels are missing.
    shared: Option<Vec<f64>>,
}

/// The codes of the rows.
enum MeasuredCodes {
    /// Clusters are like themselves only. Codes are as wide as what is added where they are equal, so that both are done in one go.
    Itself(CodeTiles<f64>),
    /// Clusters are like others, as tables say.
    Others(Codes),
}

impl LabelDistances {
    /// Of these rows. There is a measure for every base clustering.
    pub(super) fn new(task: &Task, rows: &[usize], columns: Vec<ColumnMeasure>) -> Self {
        let codes = if columns.iter().all(|column| matches!(column.likeness, Likeness::Itself(_))) {
            MeasuredCodes::Itself(CodeTiles::of(task.ensemble, rows, f64::from(Labels::MISSING), f64::from))
        } else {
            MeasuredCodes::Others(Codes::of(task.ensemble, rows))
        };
        let total = columns.iter().map(|column| column.share).sum();
        let shared = (task.ensemble.missing() > 0).then(|| vec![0.0; rows.len()]);
        Self { codes, columns, total, shared }
    }

    /// Codes; the tables where clusters are like others are not counted.
    pub(super) fn bytes(shape: &Shape) -> f64 {
        8.0 * shape.rows * (shape.columns + 1.0)
    }
}

impl RowDistances for LabelDistances {
    fn write(&mut self, position: usize, distances: &mut [f64]) {
        match &self.codes {
            MeasuredCodes::Itself(tiles) => add_itself(tiles, position, &self.columns, distances),
            MeasuredCodes::Others(Codes::Bytes(tiles)) => add_others(tiles, position, &self.columns, distances),
            MeasuredCodes::Others(Codes::Words(tiles)) => add_others(tiles, position, &self.columns, distances),
        }
        let Some(shared) = &mut self.shared else {
            let total = self.total;
            widest(
                #[inline(always)]
                || {
                    for sum in distances {
                        *sum = greater(1.0 - *sum / total, 0.0);
                    }
                },
            );
            return;
        };
        match &self.codes {
            MeasuredCodes::Itself(tiles) => add_shares(tiles, position, &self.columns, shared),
            MeasuredCodes::Others(Codes::Bytes(tiles)) => add_shares(tiles, position, &self.columns, shared),
            MeasuredCodes::Others(Codes::Words(tiles)) => add_shares(tiles, position, &self.columns, shared),
        }
        widest(
            #[inline(always)]
            || {
                for (sum, &shared) in distances.iter_mut().zip(&*shared) {
                    *sum = if shared == 0.0 { 1.0 } else { greater(1.0 - *sum / shared, 0.0) };
                }
            },
        );
    }

    fn keep(&mut self, positions: &[usize]) {
        match &mut self.codes {
            MeasuredCodes::Itself(tiles) => tiles.keep(positions),
            MeasuredCodes::Others(codes) => codes.keep(positions),
        }
        self.shared.iter_mut().for_each(|shared| shared.truncate(positions.len()));
    }

    /// Without gaps, where clusters are like themselves only, no row is nearer to one than it is to itself: it has all terms of
    /// the other's sum, in the same order.
    fn least(&self, position: usize) -> Option<f64> {
        match (&self.codes, &self.shared) {
            (MeasuredCodes::Itself(tiles), None) => {
                let own: f64 = labelled(tiles, position, &self.columns).map(|own| own.with_itself()).sum();
                Some(greater(1.0 - own / self.total, 0.0))
            }
            _ => None,
        }
    }
}

/// Rows of a tile whose sums are made at once.
const LANES: usize = 16;

/// As many clusters as a short table has room for, with a place for missing labels behind them.
const SHORT: usize = 15;

/// A row's label in one base clustering.
#[derive(Clone, Copy)]
struct OwnLabel<'a, T> {
    /// The base clustering.
    column: usize,
    measure: &'a ColumnMeasure,
    code: T,
}

/// The labels of the row at this position.
fn labelled<'a, T: LabelCode>(
    tiles: &'a CodeTiles<T>,
    position: usize,
    columns: &'a [ColumnMeasure],
) -> impl Iterator<Item = OwnLabel<'a, T>> {
    let labels = columns.iter().zip(tiles.row(position)).enumerate();
    let labels = labels.map(|(column, (measure, code))| OwnLabel { column, measure, code });
    labels.filter(|label| label.code != tiles.missing)
}

impl<T: LabelCode> OwnLabel<'_, T> {
    /// What the cluster has in common with itself.
    fn with_itself(&self) -> f64 {
        let cluster = self.code.place();
        match &self.measure.likeness {
            Likeness::Itself(values) => values[cluster],
            Likeness::Others(values) => values[cluster * values.len().isqrt() + cluster],
        }
    }

    /// What it has in common with each cluster of its clustering.
    fn with_all(&self) -> Vec<f64> {
        let cluster = self.code.place();
        match &self.measure.likeness {
            Likeness::Itself(values) => {
                (0..values.len()).map(|other| if other == cluster { values[other] } else { 0.0 }).collect()
            }
            Likeness::Others(values) => {
                let clusters = values.len().isqrt();
                values[cluster * clusters..][..clusters].to_vec()
            }
        }
    }
}

/// Writes what the row at this position has in common with every row, where clusters are like themselves only.
fn add_itself(tiles: &CodeTiles<f64>, position: usize, columns: &[ColumnMeasure], sums: &mut [f64]) {
    let own: Vec<(usize, (f64, f64))> =
        labelled(tiles, position, columns).map(|own| (own.column, (own.code, own.with_itself()))).collect();
    add(
        tiles,
        &own,
        sums,
        #[inline(always)]
        |&(own, common), code| if code == own { common } else { 0.0 },
    );
}

/// Writes what the row at this position has in common with every row, by tables.
fn add_others<T: LabelCode>(tiles: &CodeTiles<T>, position: usize, columns: &[ColumnMeasure], sums: &mut [f64]) {
    let own: Vec<(usize, Vec<f64>)> =
        labelled(tiles, position, columns).map(|own| (own.column, own.with_all())).collect();
    if own.iter().any(|(_, common)| common.len() > SHORT) {
        return add(
            tiles,
            &own,
            sums,
            #[inline(always)]
            |common, code| common.get(code.place()).copied().unwrap_or(0.0),
        );
    }
    let short = own.iter().map(|(column, common)| {
        // A missing label, whose bits are all set, finds the 0 at the end.
        let mut table = [0.0; SHORT + 1];
        table[..common.len()].copy_from_slice(common);
        (*column, table)
    });
    add(
        tiles,
        &short.collect::<Vec<_>>(),
        sums,
        #[inline(always)]
        |common, code| common[code.place() & SHORT],
    );
}

/// Writes what the clusterings that label the row at this position and each row count for.
fn add_shares<T: LabelCode>(tiles: &CodeTiles<T>, position: usize, columns: &[ColumnMeasure], sums: &mut [f64]) {
    let own: Vec<(usize, f64)> =
        labelled(tiles, position, columns).map(|own| (own.column, own.measure.share)).collect();
    add(
        tiles,
        &own,
        sums,
        #[inline(always)]
        |&share, code| if code == tiles.missing { 0.0 } else { share },
    );
}

/// Sums over some columns for every row, in the order of the columns.
fn add<T: LabelCode, C>(tiles: &CodeTiles<T>, own: &[(usize, C)], sums: &mut [f64], common: impl Fn(&C, T) -> f64) {
    widest(
        #[inline(always)]
        || add_tile_by_tile(tiles, own, sums, common),
    );
}

#[inline(always)]
fn add_tile_by_tile<T: LabelCode, C>(
    tiles: &CodeTiles<T>,
    own: &[(usize, C)],
    sums: &mut [f64],
    common: impl Fn(&C, T) -> f64,
) {
    for (tile, sums) in tiles.tiles().zip(sums.chunks_mut(TILE)) {
        for (start, sums) in (0..TILE).step_by(LANES).zip(sums.chunks_mut(LANES)) {
            let mut of_lanes = [0.0; LANES];
            for (column, own) in own {
                let codes = tile[*column][start..].first_chunk::<LANES>().expect("lanes divide a tile");
                for (sum, &code) in of_lanes.iter_mut().zip(codes) {
                    *sum += common(own, code);
                }
            }
            sums.copy_from_slice(&of_lanes[..sums.len()]);
        }
    }
}
