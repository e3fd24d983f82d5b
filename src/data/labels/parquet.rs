use std::fmt::Write as _;
use std::fs::File;

use polars::prelude::{BooleanChunked, Column, DataFrame, DataType};

use super::collect::{Collector, LabelShare};
use super::read::ReadRequest;
use crate::data::grid::text_of;
use crate::data::parquet::{ParquetFile, words};
use crate::ensemble::Labels;

/// Reads a file piece by piece, keeping distinct rows only.
pub(super) fn read(file: &File, asked: ReadRequest) -> Result<Collector, String> {
    let parquet = ParquetFile::open(file)?;
    let mut collector = Collector::new(parquet.headers.clone(), asked)?;
    let parts = &collector.parts;
    let mut wanted: Vec<usize> = parts.columns.iter().copied().chain(parts.id).chain(parts.truth).collect();
    wanted.sort_unstable();
    wanted.dedup();
    parquet.check_pages(&wanted)?;
    let mut batch = DecodedRows::new(wanted);
    for piece in parquet.pieces(batch.wanted.len()) {
        let mut frame = parquet.decode(piece, &batch.wanted)?;
        if let LabelShare::Rows { .. } = asked.share {
            let rows = piece.first..piece.first + frame.height();
            let own: BooleanChunked = rows.map(|row| asked.share.has(row)).collect();
            frame = words(frame.filter(&own))?;
        }
        batch.push(&frame, &mut collector)?;
    }
    Ok(collector)
}

/// Takes decoded rows over; buffers are kept from one batch to the next.
struct DecodedRows {
    /// Columns of the file that are decoded, in ascending order.
    wanted: Vec<usize>,
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
    fn new(wanted: Vec<usize>) -> Self {
        Self { wanted, codes: Vec::new(), row: Vec::new(), of_number: Vec::new() }
    }

    fn push(&mut self, frame: &DataFrame, collector: &mut Collector) -> Result<(), String> {
        let height = frame.height();
        let before = collector.objects();
        let parts = collector.parts.clone();
        self.codes.clear();
        self.of_number.resize(parts.columns.len(), Vec::new());
        for (place, &column) in parts.columns.iter().enumerate() {
            self.code(place, self.column(frame, column), collector)?;
        }
        for object in 0..height {
            self.row.clear();
            self.row.extend(self.codes.iter().skip(object).step_by(height));
            collector.push_codes(&self.row);
        }
        if let Some(column) = parts.truth {
            each_text(self.column(frame, column), before, |text| collector.push_class(text))?;
        }
        if let Some(column) = parts.id {
            each_text(self.column(frame, column), before, |text| collector.push_name(text))?;
        }
        Ok(())
    }

    fn column<'a>(&self, frame: &'a DataFrame, column: usize) -> &'a Column {
        let place = self.wanted.binary_search(&column).expect("every column that plays a part is decoded");
        &frame.columns()[place]
    }

    /// Adds the codes of one base clustering.
    fn code(&mut self, place: usize, column: &Column, collector: &mut Collector) -> Result<(), String> {
        let before = collector.objects();
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
                self.codes.push(Labels::MISSING);
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
            if let Some(slot) = slot {
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

/// Hands over every value as the text a CSV would have; messages get the row's number in the file.
fn each_text(column: &Column, before: usize, mut take: impl FnMut(&[u8]) -> Result<(), String>) -> Result<(), String> {
    let place = |row: usize, problem: String| format!("row {}: {problem}", before + row + 1);
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
