//! How often distinct rows agree, one row with all others at a time.
//!
//! Rows stand in tiles, and a tile column by column, so that a row is compared with all rows of a tile in straight runs and
//! the counts of a tile stay in the registers of the machine. Codes are bytes where clusters are few enough: a machine compares
//! four times as many of them at once.

use crate::ensemble::{Ensemble, Labels};
use crate::vectors::widest;

/// Rows that are compared at once.
pub(super) const TILE: usize = 128;

/// Columns whose number a byte can hold.
const FEW_COLUMNS: usize = u8::MAX as usize;

/// C_uv and N_uv of rows known by their positions in a list.
pub(super) struct SharedCounts {
    codes: Codes,
    gaps: Gaps,
    /// M.
    columns: usize,
    /// C_uv of the current row u.
    agreeing: Vec<u32>,
    /// N_uv of the current row u.
    shared: Vec<u32>,
}

/// Whether any label is missing; N_uv is M for all pairs if not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Gaps {
    None,
    Some,
}

/// The codes of some rows: bytes where base clusterings have few enough clusters.
pub(super) enum Codes {
    Bytes(CodeTiles<u8>),
    Words(CodeTiles<u32>),
}

impl Codes {
    /// Of these distinct rows, in this order.
    pub(super) fn of(ensemble: &Ensemble, rows: &[usize]) -> Self {
        if ensemble.arity().iter().all(|&clusters| clusters <= usize::from(u8::MAX)) {
            Self::Bytes(CodeTiles::of(ensemble, rows, u8::MAX, |code| u8::try_from(code).unwrap_or(u8::MAX)))
        } else {
            Self::Words(CodeTiles::of(ensemble, rows, Labels::MISSING, |code| code))
        }
    }

    /// From now on the list has only the rows at these positions, which are ascending.
    pub(super) fn keep(&mut self, positions: &[usize]) {
        match self {
            Self::Bytes(tiles) => tiles.keep(positions),
            Self::Words(tiles) => tiles.keep(positions),
        }
    }
}

/// A label of a base clustering.
pub(super) trait LabelCode: Copy + PartialEq {
    /// Which cluster of the clustering it is.
    fn place(self) -> usize;
}

impl LabelCode for u8 {
    #[inline(always)]
    fn place(self) -> usize {
        usize::from(self)
    }
}

impl LabelCode for u32 {
    #[inline(always)]
    fn place(self) -> usize {
        self as usize
    }
}

impl LabelCode for f64 {
    #[inline(always)]
    fn place(self) -> usize {
        self as usize
    }
}

impl SharedCounts {
    /// Of these distinct rows, in this order.
    pub(super) fn of(ensemble: &Ensemble, rows: &[usize]) -> Self {
        let columns = ensemble.columns();
        let all = u32::try_from(columns).expect("fewer columns than u32 values");
        let gaps = if ensemble.missing() > 0 { Gaps::Some } else { Gaps::None };
        let codes = Codes::of(ensemble, rows);
        Self { codes, gaps, columns, agreeing: vec![0; rows.len()], shared: vec![all; rows.len()] }
    }

    /// C_uv and N_uv of the row at this position with every row, itself included.
    pub(super) fn row(&mut self, position: usize) -> (&[u32], &[u32]) {
        let Self { codes, gaps, agreeing, shared, .. } = self;
        widest(
            #[inline(always)]
            || match codes {
                Codes::Bytes(tiles) => tiles.count(position, *gaps, agreeing, shared),
                Codes::Words(tiles) => tiles.count(position, *gaps, agreeing, shared),
            },
        );
        (agreeing, shared)
    }

    /// M, where N_uv is M for all pairs and a byte can hold it.
    pub(super) fn few_columns(&self) -> Option<u8> {
        u8::try_from(self.columns).ok().filter(|_| self.gaps == Gaps::None)
    }

    /// C_uv of the row at this position with the rows of one tile after the other, for [few columns](Self::few_columns) without
    /// gaps. The last tile may have more counts than rows.
    #[inline(always)]
    pub(super) fn for_each_tile(&mut self, position: usize, found: impl FnMut(&[u8; TILE])) {
        match &mut self.codes {
            Codes::Bytes(tiles) => tiles.for_each_tile(position, found),
            Codes::Words(tiles) => tiles.for_each_tile(position, found),
        }
    }

    /// From now on the list has only the rows at these positions, which are ascending.
    pub(super) fn keep(&mut self, positions: &[usize]) {
        self.codes.keep(positions);
        self.agreeing.truncate(positions.len());
        self.shared.truncate(positions.len());
    }
}

/// The codes of all rows.
pub(super) struct CodeTiles<T> {
    columns: usize,
    pub(super) missing: T,
    /// For each tile: its rows' codes of the first column, then of the next. The last tile is filled with missing ones.
    codes: Vec<[T; TILE]>,
    /// Of the current row.
    own: Vec<T>,
}

impl<T: Copy + PartialEq> CodeTiles<T> {
    /// Of these distinct rows, in this order.
    pub(super) fn of(ensemble: &Ensemble, rows: &[usize], missing: T, narrowed: impl Fn(u32) -> T) -> Self {
        let columns = ensemble.columns();
        let mut codes = vec![[missing; TILE]; rows.len().div_ceil(TILE) * columns];
        for (position, &row) in rows.iter().enumerate() {
            let tile = &mut codes[position / TILE * columns..][..columns];
            let of_row = tile.iter_mut().zip(ensemble.row(row));
            of_row.for_each(|(column, &code)| column[position % TILE] = narrowed(code));
        }
        Self { columns, missing, codes, own: vec![missing; columns] }
    }

    /// From now on the list has only the rows at these positions, which are ascending.
    pub(super) fn keep(&mut self, positions: &[usize]) {
        for (place, &position) in positions.iter().enumerate() {
            let (to, from) = (place / TILE * self.columns, position / TILE * self.columns);
            for column in 0..self.columns {
                self.codes[to + column][place % TILE] = self.codes[from + column][position % TILE];
            }
        }
        self.codes.truncate(positions.len().div_ceil(TILE) * self.columns);
        self.codes.shrink_to_fit();
    }

    fn set_own(&mut self, position: usize) {
        let Self { columns, codes, own, .. } = self;
        let tile = &codes[position / TILE * *columns..][..*columns];
        own.iter_mut().zip(tile).for_each(|(own, column)| *own = column[position % TILE]);
    }

    /// The codes of the row at this position.
    pub(super) fn row(&self, position: usize) -> impl Iterator<Item = T> + '_ {
        self.codes[position / TILE * self.columns..][..self.columns].iter().map(move |column| column[position % TILE])
    }

    /// The tiles, each a list of its columns.
    pub(super) fn tiles(&self) -> std::slice::ChunksExact<'_, [T; TILE]> {
        self.codes.chunks_exact(self.columns)
    }

    #[inline(always)]
    fn for_each_tile(&mut self, position: usize, mut found: impl FnMut(&[u8; TILE])) {
        self.set_own(position);
        for tile in self.codes.chunks_exact(self.columns) {
            let mut counts = [0; TILE];
            for (column, &own) in tile.iter().zip(&self.own) {
                for (count, &code) in counts.iter_mut().zip(column) {
                    *count += u8::from(code == own);
                }
            }
            found(&counts);
        }
    }

    /// Writes C_uv of the row at this position with every row and, where there are gaps, N_uv.
    #[inline(always)]
    fn count(&mut self, position: usize, gaps: Gaps, agreeing: &mut [u32], shared: &mut [u32]) {
        self.set_own(position);
        let Self { columns, missing, codes, own } = self;
        for (tile, counts) in codes.chunks_exact(*columns).zip(agreeing.chunks_mut(TILE)) {
            tally(
                (tile, own),
                *missing,
                counts,
                #[inline(always)]
                |code, own| code == own,
            );
        }
        if gaps == Gaps::Some {
            for (tile, counts) in codes.chunks_exact(*columns).zip(shared.chunks_mut(TILE)) {
                tally(
                    (tile, own),
                    *missing,
                    counts,
                    #[inline(always)]
                    |code, _| code != *missing,
                );
            }
        }
    }
}

/// How many of the columns in which a row has a label say yes of each row of a tile. As many as a byte can hold are counted in
/// bytes.
#[inline(always)]
fn tally<T: Copy + PartialEq>(
    (tile, own): (&[[T; TILE]], &[T]),
    missing: T,
    counts: &mut [u32],
    yes: impl Fn(T, T) -> bool,
) {
    counts.fill(0);
    for (columns, own) in tile.chunks(FEW_COLUMNS).zip(own.chunks(FEW_COLUMNS)) {
        let mut few = [0; TILE];
        for (column, &own) in columns.iter().zip(own).filter(|(_, own)| **own != missing) {
            for (count, &code) in few.iter_mut().zip(column) {
                *count += u8::from(yes(code, own));
            }
        }
        for (count, few) in counts.iter_mut().zip(few) {
            *count += u32::from(few);
        }
    }
}
