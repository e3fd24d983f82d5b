//! Columns that look like names of objects, or like measurements, by the rules that the program has for files of labels (LABELS.md).

use conclave_core::Ensemble;
use conclave_core::ensemble::Labels;

/// Fewer rows say little about a column.
const ENOUGH_ROWS: u64 = 24;

/// So many different numbers with fractions can still be the names of clusters and their parts.
const MOST_FRACTIONS: usize = 20;

/// Columns with more than nine different labels for every ten rows that have one, and how many rows have one.
pub(crate) fn differing(ensemble: &Ensemble) -> Vec<(usize, u64)> {
    let mut present = vec![0_u64; ensemble.columns()];
    for (row, &weight) in ensemble.weights().iter().enumerate() {
        for (count, &code) in present.iter_mut().zip(ensemble.row(row)) {
            *count += if code == Labels::MISSING { 0 } else { u64::from(weight) };
        }
    }
    let differs = |&(place, rows): &(usize, u64)| {
        let different = ensemble.arity()[place] as u64;
        rows >= ENOUGH_ROWS && 10 * different > 9 * rows
    };
    present.into_iter().enumerate().filter(differs).collect()
}

/// One of a column's labels with a fraction, where they are numbers and most have fractions.
pub(crate) fn measurement(labels: &[Box<str>]) -> Option<Box<str>> {
    if labels.len() <= MOST_FRACTIONS {
        return None;
    }
    let mut example = None;
    let mut fractions = 0;
    for label in labels {
        if number(label)?.fract() != 0.0 {
            fractions += 1;
            example = example.or(Some(label));
        }
    }
    example.filter(|_| 2 * fractions > labels.len()).cloned()
}

/// A text as a number, also with a comma before the fraction.
fn number(text: &str) -> Option<f64> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.,eE".contains(&byte));
    is_plain.then(|| text.replacen(',', ".", 1).parse().ok())?
}
