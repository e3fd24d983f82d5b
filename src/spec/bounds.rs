//! The largest numbers that a spec may ask for: what is beyond them is a slip of the pen, and must be an error with its place
//! before anything is counted up to it.

use super::experiment::{EnsembleSetting, MethodSetting, SweepPoint};
use super::fields::Problems;
use super::problem::SpecProblem;
use super::tree::{Node, Span, TomlTable};
use crate::bundle;
use crate::consensus::Runs;
use crate::data::Dataset;
use crate::generate::PoolDraw;

/// Base clusterings in an ensemble, or in a pool.
pub(crate) const BASE_CLUSTERINGS: usize = 1_000_000;

/// Ensembles of a kind, and runs of a method on each.
pub(super) const REPETITIONS: usize = 10_000_000;

/// Ensembles behind a printed number, and runs on each: they are drawn anew two thousand times.
pub(super) const PAPER_RUNS: usize = 10_000;

/// Points of a sweep: each is a copy of the spec that is checked.
pub(super) const POINTS: usize = 10_000;

/// Cells and jobs of a plan: each is a few hundred bytes before anything runs.
pub(super) const CELLS: f64 = 10e6;

/// Base clusterings of all ensembles of a plan, each time one is used.
const COLUMNS: f64 = 50e6;

/// A number of seconds that still is one: some thirty years.
pub(crate) const SECONDS: f64 = 1e9;

/// Digits after the point: a number has no more.
pub(super) const DIGITS: usize = 17;

/// Objects, places, pairs: whatever is only compared.
pub(super) const COUNTED: usize = 1_000_000_000_000;

/// Bytes of a spec, or of a file of published numbers.
pub(super) const FILE: u64 = 16 << 20;

/// Reads a text file that people write, which is not larger than those are; where none is on disk, the program's.
///
/// # Errors
/// In words.
pub(super) fn read_text(path: &std::path::Path) -> Result<String, String> {
    use std::io::Read as _;
    if let Some(file) = bundle::instead_of(path) {
        return Ok(file.text());
    }
    let file = std::fs::File::open(path).map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    file.take(FILE + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.len() as u64 > FILE {
        return Err(format!("the file is larger than {} MB; expected a text that somebody wrote", FILE >> 20));
    }
    String::from_utf8(bytes).map_err(|_| "the file is not text in UTF-8".to_owned())
}

/// How much a plan has, before it is made. What places of a sweep share counts for each.
#[derive(Debug, Clone, Copy, Default)]
struct Extent {
    jobs: f64,
    cells: f64,
    columns: f64,
}

impl Extent {
    fn of(points: &[SweepPoint], datasets: &[std::sync::Arc<Dataset>]) -> Self {
        let mut extent = Self::default();
        for setting in points.iter().map(|point| &point.setting) {
            for ensemble in &setting.ensembles {
                let made_of = datasets.iter().filter(|dataset| ensemble.is_made_of(dataset)).count() as f64;
                let jobs = made_of * f64::from(ensemble.count);
                let methods = setting.methods.iter().filter(|method| method.is_run_on(&ensemble.label));
                extent.jobs += jobs;
                extent.cells += jobs * methods.map(|method| runs(method, ensemble)).sum::<f64>();
                extent.columns += jobs * looked_at(ensemble);
            }
        }
        extent
    }
}

/// How often a method is run on one ensemble.
fn runs(method: &MethodSetting, ensemble: &EnsembleSetting) -> f64 {
    match method.method.runs() {
        Runs::Repeats => f64::from(method.repeats),
        Runs::Columns => ensemble.size as f64,
    }
}

/// How many base clusterings are looked at for one ensemble.
fn looked_at(ensemble: &EnsembleSetting) -> f64 {
    match ensemble.pool {
        Some(pool) if pool.draw == PoolDraw::Random => pool.size as f64,
        _ => ensemble.size as f64,
    }
}

/// Refuses a spec whose plan would not fit in a memory; points at the largest of the numbers that make it so large.
pub(super) fn refuse_too_much(
    tree: &TomlTable,
    points: &[SweepPoint],
    datasets: &[std::sync::Arc<Dataset>],
    problems: &Problems,
) {
    let Extent { jobs, cells, columns } = Extent::of(points, datasets);
    let (count, what, most) = match () {
        () if cells > CELLS => (cells, "cells", CELLS),
        () if jobs > CELLS => (jobs, "ensembles", CELLS),
        () if columns > COLUMNS => (columns, "base clusterings", COLUMNS),
        () => return,
    };
    let message = format!(
        "the spec asks for {} {what} (datasets × points of the sweep × ensembles × methods × runs)",
        grouped(count)
    );
    let expected =
        format!("at most {} in a spec: fewer repeats, a smaller count or sweep, or several specs", grouped(most));
    problems.add(SpecProblem::new(largest_number(tree), message).expected(expected));
}

/// Where the largest of the numbers stands that a plan is multiplied by; the spec's beginning where there is none.
fn largest_number(tree: &TomlTable) -> Span {
    let mut largest: (i64, Span) = (1, 0..0);
    let mut look = |table: &TomlTable, keys: &[&str]| {
        for item in keys.iter().filter_map(|key| table.get(key)) {
            if let Node::Integer(value) = item.node
                && value > largest.0
            {
                largest = (value, item.span.clone());
            }
        }
    };
    look(tree, &["repeats"]);
    for (key, keys) in [("ensemble", &["size", "count", "pool"][..]), ("method", &["repeats"])] {
        match tree.get(key).map(|item| &item.node) {
            Some(Node::Table(table)) => look(table, keys),
            Some(Node::List(items)) => items.iter().for_each(|item| {
                if let Node::Table(table) = &item.node {
                    look(table, keys);
                }
            }),
            _ => {}
        }
    }
    largest.1
}

/// A whole number with its digits in groups.
pub(crate) fn grouped(count: f64) -> String {
    let digits = format!("{count:.0}");
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_can_be_read() {
        assert_eq!(grouped(0.0), "0");
        assert_eq!(grouped(999.0), "999");
        assert_eq!(grouped(50e6), "50,000,000");
        assert_eq!(grouped(4_294_967_295.0), "4,294,967,295");
    }
}
