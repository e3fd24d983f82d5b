//! Two tables that must differ, and do not.
//!
//! Numbers of two different things agree now and then to the last digit. Where their differences have a typical size δ,
//! with the double exponential density exp(−|x|/δ)/(2δ), a difference is rounded away with a chance of about u/(2δ), u
//! the unit of the last digit. δ is the mean size of the differences that are printed. At least one in ten is allowed:
//! things so alike that only the last of their digits is left to chance. So many equal numbers or more then have a
//! binomial p.

use super::chance::{LEVEL, at_least};
use super::{AuditFinding, impossible, once};
use crate::claim::checks::shown;
use crate::claim::count::count as number_of;
use crate::claim::printed::Sheet;
use crate::claim::printed::number::Rounded;
use crate::spec::{Experiment, Filter, Published, TableRequest};

/// The last digit alone.
const LAST_DIGIT: f64 = 0.1;

/// Compares the numbers of a table with those printed elsewhere for the same places.
pub(super) fn look(
    table: &TableRequest,
    experiment: &Experiment,
    filter: &Filter,
    other: &Published,
) -> Result<AuditFinding, String> {
    let filter: Filter = table.filter.iter().chain(filter).cloned().collect();
    let sheet = Sheet { filter: &filter, ..Sheet::of_table(table) };
    let (mut equal, mut apart, mut units) = (Vec::new(), Vec::new(), Vec::new());
    for cell in once(&sheet, experiment) {
        let theirs = other.find(&cell.place, cell.printed.statistic).and_then(Rounded::parse);
        let (Some(theirs), Some(ours)) = (theirs, Rounded::parse(cell.printed.text)) else { continue };
        let (distance, half) = ((ours.value - theirs.value).abs(), ours.half.max(theirs.half));
        units.push(2.0 * half);
        if distance < half {
            let reason = format!("the other table has {} too", theirs.value);
            equal.push(impossible(cell.name, cell.printed.text, reason));
        } else {
            apart.push(distance);
        }
    }
    if units.is_empty() {
        return Err("no number is printed in both tables".to_owned());
    }
    let typical = apart.iter().sum::<f64>() / apart.len() as f64;
    let chance =
        |unit: &f64| if apart.is_empty() { LAST_DIGIT } else { (unit / (2.0 * typical)).clamp(LAST_DIGIT, 1.0) };
    let chances: Vec<f64> = units.iter().map(chance).collect();
    let p = at_least(&chances, equal.len());
    let finding = format!(
        "Numbers that are the same in both tables: {} of {}, {:.1} by chance (p = {}).",
        equal.len(),
        number_of(units.len(), "number"),
        chances.iter().sum::<f64>(),
        shown(p)
    );
    let evidence = if p < LEVEL { equal } else { Vec::new() };
    Ok(AuditFinding { evidence, finding })
}
