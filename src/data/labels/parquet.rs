use std::fmt::Write as _;
use std::fs::File;
use std::sync::Arc;

use polars::prelude::{BooleanChunked, Column, DataType};

use super::collect::{Collector, LabelShare};
use super::read::ReadRequest;
use super::roles::FirstRow;
use super::suspects::NamesFrom;
use crate::data::grid::text_of;
use crate::data::parquet::{ParquetFile, RowRange, words};
use crate::ensemble::Labels;

/// Values that are decoded side by side: a few pieces of usual tables, one of a wide table.
const VALUES: usize = 1 << 25;

/// Values that are decoded at once of one piece, two megabytes of whole numbers, and the most times that its columns are divided into.
const CACHED: usize = 1 << 18;
const MOST_TIMES: usize = 32;

/// As much freed memory as the GNU allocator can be made to keep for what comes next, less what it adds to a block.
const KEPT: usize = (32 << 20) - (64 << 10);

/// Lets the allocator keep what one column has freed for the next one. The GNU allocator gives blocks of this size back to the
/// system, and has every page of the next one made again, until it has seen one freed that is as large as this; it is never
/// written to, so that it costs nothing. For other allocators it means nothing.
fn keep_freed_memory() {
    let mut block = Vec::<u8>::new();
    // Where there is not so much memory, all goes on as it was.
    block.try_reserve_exact(KEPT).ok();
    drop(std::hint::black_box(block));
}

/// Reads a file piece by piece, keeping distinct rows only. Where threads can be borrowed, pieces are decoded side by side and put
/// together in the order of the file.
pub(super) fn read(file: &File, asked: ReadRequest) -> Result<Collector, String> {
    keep_freed_memory();
    let parquet = ParquetFile::open(file)?;
    if asked.selection.header == FirstRow::Object {
        return Err("a Parquet file has names for its columns; leave out --no-header".to_owned());
    }
    let mut collector = Collector::with_names_from(NamesFrom::Schema, parquet.headers.clone(), asked)?;
    let parts = &collector.rules.roles;
    let mut wanted: Vec<usize> = parts.columns.iter().copied().chain(parts.id).chain(parts.truth).collect();
    wanted.sort_unstable();
    wanted.dedup();
    parquet.check_pages(&wanted)?;
    let pieces = parquet.pieces(wanted.len());
    let largest = pieces.iter().map(|piece| piece.rows).max().unwrap_or(0);
    let most = (VALUES / (largest * wanted.len()).max(1)).max(1);
    let mut batch = DecodedRows::default();
    let mut left = &pieces[..];
    while let [piece, ..] = left {
        let count = match asked.share {
            LabelShare::Rows { .. } => 1,
            LabelShare::All | LabelShare::Columns { .. } => asked.threads.at_work().min(most).min(left.len()),
        };
        if count == 1 {
            batch.push(&Piece::new(&parquet, *piece, asked.share), collector.objects(), &mut collector)?;
        } else {
            for part in side_by_side(&parquet, &left[..count], &collector, asked) {
                let before = collector.objects();
                collector.append(part?).map_err(|(row, problem)| at(before + row, &problem))?;
            }
        }
        left = &left[count..];
    }
    Ok(collector)
}

/// What each of several pieces has, apart from all others.
fn side_by_side(
    parquet: &ParquetFile,
    pieces: &[RowRange],
    before: &Collector,
    asked: ReadRequest,
) -> Vec<Result<Collector, String>> {
    asked.threads.map(pieces.to_vec(), |piece| {
        let mut part = before.for_part();
        DecodedRows::default().push(&Piece::new(parquet, piece, asked.share), piece.first, &mut part)?;
        Ok(part)
    })
}

/// Neighbouring rows, of which those in a share are decoded.
struct Piece<'a> {
    parquet: &'a ParquetFile<'a>,
    range: RowRange,
    /// Which rows are in the share; `None` for all.
    own: Option<BooleanChunked>,
}

impl<'a> Piece<'a> {
    fn new(parquet: &'a ParquetFile<'a>, range: RowRange, share: LabelShare) -> Self {
        let own = match share {
            LabelShare::Rows { .. } => {
                Some((range.first..range.first + range.rows).map(|row| share.has(row)).collect())
            }
            LabelShare::All | LabelShare::Columns { .. } => None,
        };
        Self { parquet, range, own }
    }

    /// How many rows of it are in the share.
    fn rows(&self) -> usize {
        self.own.as_ref().map_or(self.range.rows, |own| own.iter().filter(|own| *own == Some(true)).count())
    }

    /// How many columns are decoded at a time: few enough that what is decoded stays in a cache and its memory is used again
    /// for the next ones, and not many times fewer than there are, as each time takes a look at the whole footer.
    fn columns_at_a_time(&self, columns: usize) -> usize {
        (CACHED / self.range.rows.max(1)).max(columns / MOST_TIMES).max(1)
    }

    /// Hands over columns of the file one after the other, in the order asked for.
    fn each_column(
        &self,
        columns: &[usize],
        mut take: impl FnMut(usize, &Column) -> Result<(), String>,
    ) -> Result<(), String> {
        let mut place = 0;
        for some in columns.chunks(self.columns_at_a_time(columns.len())) {
            // The decoder hands over columns in the order of the file.
            let mut ascending = some.to_vec();
            ascending.sort_unstable();
            let mut frame = self.parquet.decode(self.range, &ascending)?;
            if let Some(own) = &self.own {
                frame = words(frame.filter(own))?;
            }
            for column in some {
                let found = ascending.binary_search(column).expect("what is asked for is decoded");
                take(place, &frame.columns()[found])?;
                place += 1;
            }
        }
        Ok(())
    }
}

/// Takes decoded rows over; buffers are kept from one piece to the next.
#[derive(Default)]
struct DecodedRows {
    /// Codes of every base clustering, column after column.
    codes: Vec<u32>,
    row: Vec<u32>,
    /// For every base clustering, the codes of small whole numbers, [`UNKNOWN`] where there is none yet.
    of_number: Vec<Vec<u32>>,
}

/// [`Labels::MISSING`] less one: no code of a label, as there are fewer labels than that.
const UNKNOWN: u32 = Labels::MISSING - 1;

/// Whole numbers below this find their codes in a table.
const SMALL_NUMBERS: i64 = 4096;

impl DecodedRows {
    /// Adds the rows of a piece that have so many `before` them.
    fn push(&mut self, piece: &Piece, before: usize, collector: &mut Collector) -> Result<(), String> {
        let height = piece.rows();
        let rules = Arc::clone(&collector.rules);
        let parts = &rules.roles;
        self.codes.clear();
        self.of_number.resize(parts.columns.len(), Vec::new());
        piece.each_column(&parts.columns, |place, column| self.code(place, (column, before), collector))?;
        for object in 0..height {
            self.row.clear();
            self.row.extend(self.codes.iter().skip(object).step_by(height));
            collector.push_codes(&self.row);
        }
        if let Some(column) = parts.truth {
            let mut push = |text: &[u8]| collector.push_class(text);
            piece.each_column(&[column], |_, column| each_text(column, before, &mut push))?;
        }
        if let Some(column) = parts.id {
            let mut push = |text: &[u8]| collector.push_name(text);
            piece.each_column(&[column], |_, column| each_text(column, before, &mut push))?;
        }
        Ok(())
    }

    /// Adds the codes of one base clustering, for rows that have so many before them.
    fn code(
        &mut self,
        place: usize,
        (column, before): (&Column, usize),
        collector: &mut Collector,
    ) -> Result<(), String> {
        if !column.dtype().is_integer() || *column.dtype() == DataType::UInt64 {
            let codes = &mut self.codes;
            return each_text(column, before, |text| {
                codes.push(collector.code(place, text)?);
                Ok(())
            });
        }
        let numbers = words(column.cast(&DataType::Int64))?;
        let numbers = words(numbers.i64())?;
        let known = &mut self.of_number[place];
        let mut text = String::new();
        for number in numbers.iter() {
            let Some(number) = number else {
                self.codes.push(collector.code(place, b"")?);
                continue;
            };
            let slot = usize::try_from(number).ok().filter(|_| number < SMALL_NUMBERS);
            if let Some(&code) = slot.and_then(|slot| known.get(slot)).filter(|code| **code != UNKNOWN) {
                self.codes.push(code);
                continue;
            }
            text.clear();
            write!(text, "{number}").expect("a string can always be written to");
            let code = collector.code(place, text.as_bytes())?;
            // A number that stands for a missing label is counted each time.
            if let Some(slot) = slot.filter(|_| code != Labels::MISSING) {
                if known.len() <= slot {
                    known.resize(slot + 1, UNKNOWN);
                }
                known[slot] = code;
            }
            self.codes.push(code);
        }
        Ok(())
    }
}

/// A problem of a row, counted from 0.
fn at(row: usize, problem: &str) -> String {
    format!("row {}: {problem}", row + 1)
}

/// Hands over every value as the text a CSV would have; messages get the row's number in the file.
fn each_text(column: &Column, before: usize, mut take: impl FnMut(&[u8]) -> Result<(), String>) -> Result<(), String> {
    let place = |row: usize, problem: String| at(before + row, &problem);
    if let Ok(texts) = column.str() {
        for (row, text) in texts.iter().enumerate() {
            take(text.unwrap_or_default().as_bytes()).map_err(|problem| place(row, problem))?;
        }
        return Ok(());
    }
    for row in 0..column.len() {
        let text = text_of(words(column.get(row))?);
        take(text.as_bytes()).map_err(|problem| place(row, problem))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use polars::prelude::{DataFrame, NamedFrom, Series};
    use polars_io::parquet::write::ParquetWriter;

    use super::*;
    use crate::data::labels::Selection;
    use crate::threads::Threads;

    /// A file with row groups of ten rows: numbers with gaps, texts, classes, and names.
    fn file(change: impl Fn(&mut Vec<String>, &mut Vec<Option<String>>)) -> File {
        let rows = 95;
        let mut names: Vec<String> = (0..rows).map(|row| format!("o{row}")).collect();
        let mut classes: Vec<Option<String>> = (0..rows).map(|row| Some(format!("k{}", row % 3))).collect();
        change(&mut names, &mut classes);
        let numbers: Vec<Option<i32>> = (0..rows).map(|row| (row % 9 > 0).then_some(row * row % 5000)).collect();
        let texts: Vec<String> =
            (0..rows).map(|row| ["a", "NA", " b ", "c"][row as usize * 7 % 4].to_owned()).collect();
        let columns = [
            Series::new("n".into(), numbers),
            Series::new("t".into(), texts),
            Series::new("class".into(), classes),
            Series::new("who".into(), names),
        ];
        let mut frame = DataFrame::new(rows as usize, columns.map(Column::from).into()).unwrap();
        let file = tempfile::tempfile().unwrap();
        ParquetWriter::new(&file).with_row_group_size(Some(10)).finish(&mut frame).unwrap();
        file
    }

    fn read_by(file: &File, threads: usize) -> Result<String, String> {
        let columns = Some(vec!["n".into(), "t".into()]);
        let selection =
            Selection { columns, id: Some("who".into()), truth: Some("class".into()), ..Selection::default() };
        let threads = &Threads::new(NonZeroUsize::new(threads).unwrap());
        let table = read(file, ReadRequest { selection: &selection, share: LabelShare::All, threads })?.finish()?;
        let names: Vec<&str> = table.ids.as_ref().unwrap().iter().collect();
        Ok(format!("{:?} {:?} {names:?}", table.ensemble, table.truth))
    }

    #[test]
    fn pieces_side_by_side_are_the_rows_in_order() {
        let good = file(|_, _| ());
        let expected = read_by(&good, 1).unwrap();
        for threads in [2, 3, 20] {
            assert_eq!(read_by(&good, threads).as_ref(), Ok(&expected), "{threads} threads");
        }
    }

    #[test]
    fn the_first_problem_of_a_file_is_told_whatever_the_number_of_threads() {
        let twice = file(|names, classes| {
            names[33] = "o7".into();
            classes[61] = None;
        });
        let unknown = file(|names, classes| {
            names[93] = "o7".into();
            classes[61] = None;
        });
        for threads in [1, 2, 3, 20] {
            let twice = read_by(&twice, threads).unwrap_err();
            assert_eq!(twice, "row 34: column `who`: `o7` is already the name of object 8; names must be unique");
            let unknown = read_by(&unknown, threads).unwrap_err();
            assert_eq!(unknown, "row 62: column `class` has no class here; every object needs one");
        }
    }
}
