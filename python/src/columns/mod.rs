//! Columns of labels as Python holds them, none of them copied: each tells the codes of some of its rows.

mod arrow;
mod numpy;
pub(crate) mod objects;

use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use conclave_core::EnsembleError;
use conclave_core::ensemble::{EnsembleBuilder, Labels};

use crate::code::{Coder, GapTexts};

pub(crate) use self::arrow::{from_stream, read_stream};
pub(crate) use self::numpy::{BorrowedArray, borrowed};
pub(crate) use self::objects::Coded;

/// One base clustering.
pub(crate) trait LabelColumn: Sync {
    /// How many objects it labels.
    fn rows(&self) -> usize;

    /// The codes of some of the rows; `put` is given each.
    fn codes(&self, rows: Range<usize>, coder: &mut Coder, builder: &mut EnsembleBuilder, put: &mut Put);
}

/// Where codes go: one column of a block of rows.
pub(crate) struct Put<'a> {
    block: &'a mut [u32],
    next: usize,
    columns: usize,
}

impl Put<'_> {
    #[inline]
    pub(crate) fn code(&mut self, code: u32) {
        self.block[self.next] = code;
        self.next += self.columns;
    }
}

/// Rows whose codes are made at a time: their codes and labels stay in the processor's cache.
const BLOCK: usize = 1024;

/// Fewer rows than this are not worth a thread.
const WORTH_A_THREAD: usize = 1 << 16;

/// Puts columns of equal length side by side: parts of them, which [`joined`] makes one.
///
/// # Errors
/// When there is no column, or they have different lengths.
///
/// # Panics
/// When one of the threads does.
pub(crate) fn parts(
    columns: &[Box<dyn LabelColumn + '_>],
    gaps: &GapTexts,
    threads: NonZeroUsize,
    stop: &AtomicBool,
) -> Result<Vec<EnsembleBuilder>, EnsembleError> {
    let rows = columns.first().ok_or(EnsembleError::NoColumns)?.rows();
    if let Some((place, column)) = columns.iter().enumerate().find(|(_, column)| column.rows() != rows) {
        let what = format!("column {} (counted from 1)", place + 1);
        return Err(EnsembleError::Ragged { what, found: column.rows(), expected: rows });
    }
    let parts = threads.get().min(rows / WORTH_A_THREAD).max(1);
    let part = |number: usize| number * rows / parts..(number + 1) * rows / parts;
    thread::scope(|scope| {
        let others: Vec<_> =
            (1..parts).map(|number| scope.spawn(move || read(columns, part(number), gaps, stop))).collect();
        let mut all = vec![read(columns, part(0), gaps, stop)];
        all.extend(
            others.into_iter().map(|other| other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))),
        );
        Ok(all)
    })
}

/// Parts one after the other. It looks at nothing that Python holds, so that nobody has to wait for it.
pub(crate) fn joined(parts: Vec<EnsembleBuilder>, stop: &AtomicBool) -> EnsembleBuilder {
    let mut parts = parts.into_iter();
    let mut all = parts.next().unwrap_or_else(|| EnsembleBuilder::new(0));
    for part in parts {
        // Whoever stops it drops what there is.
        if stop.load(Ordering::Relaxed) {
            break;
        }
        all.append(part);
    }
    all
}

fn read(
    columns: &[Box<dyn LabelColumn + '_>],
    rows: Range<usize>,
    gaps: &GapTexts,
    stop: &AtomicBool,
) -> EnsembleBuilder {
    let mut builder = EnsembleBuilder::new(columns.len());
    let mut coders: Vec<Coder> = (0..columns.len()).map(|column| Coder::new(column, gaps)).collect();
    let mut block = vec![Labels::MISSING; BLOCK.min(rows.len()) * columns.len()];
    let mut start = rows.start;
    // Whoever stops it drops what there is.
    while start < rows.end && !stop.load(Ordering::Relaxed) {
        let end = rows.end.min(start + BLOCK);
        for (place, (column, coder)) in columns.iter().zip(&mut coders).enumerate() {
            let mut put = Put { block: &mut block, next: place, columns: columns.len() };
            column.codes(start..end, coder, &mut builder, &mut put);
        }
        let labelled = block[..(end - start) * columns.len()].chunks_exact(columns.len());
        labelled.for_each(|codes| builder.push_codes(codes));
        start = end;
    }
    builder
}
