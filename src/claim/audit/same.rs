//! Two tables that must differ, and do not.
//!
//! Numbers of two different things agree now and then to the last digit. Where their differences have a typical size δ,
//! with the double exponential density exp(−|x|/δ)/(2δ), a difference is rounded away with a chance of about u/(2δ), u
//! the unit of the last digit. δ is the mean size of the differences that are printed. At least one in ten is allowed:
//! things so alike that only the last of their digits is left to chance. So many equal numbers or more then have a
//! binomial p.
//!
//! Triples (better, comparable, worse) are compared as wholes. Those that count all comparisons alike (30/0/0) say nothing, as
//! one method may be far behind in any table. Of the others two agree by chance as often as pairs of the same table do, and at
//! least one in ten.

use super::chance::{LEVEL, at_least};
use super::{AuditFinding, impossible, once};
use crate::claim::checks::shown;
use crate::claim::count::count as number_of;
use crate::claim::printed::Sheet;
use crate::claim::printed::number::Rounded;
use crate::spec::{Experiment, Filter, PrintedTriple, Published, TableRequest};

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

/// Compares triples with those printed elsewhere for the same two methods.
pub(super) fn look_at_triples(these: &[PrintedTriple], others: &[PrintedTriple]) -> Result<AuditFinding, String> {
    let pair = |this: &PrintedTriple| {
        let other = others.iter().find(|other| (&other.first, &other.second) == (&this.first, &this.second));
        other.map(|other| (this.clone(), other.clone()))
    };
    let both: Vec<(PrintedTriple, PrintedTriple)> = these.iter().filter_map(pair).collect();
    if both.is_empty() {
        return Err("no two methods have a triple in both tables".to_owned());
    }
    let tells = |(this, other): &&(PrintedTriple, PrintedTriple)| !(this.is_uniform() && other.is_uniform());
    let telling: Vec<&(PrintedTriple, PrintedTriple)> = both.iter().filter(tells).collect();
    let chance = tied(telling.iter().map(|(this, _)| this.counts)).max(LAST_DIGIT);
    let equal: Vec<&PrintedTriple> =
        telling.iter().filter(|(this, other)| this.counts == other.counts).map(|(this, _)| this).collect();
    let p = at_least(&vec![chance; telling.len()], equal.len());
    let finding = format!(
        "Triples that are the same in both tables: {} of {}; of {} that can tell {} are, {:.1} by chance (p = {}).",
        both.iter().filter(|(this, other)| this.counts == other.counts).count(),
        number_of(both.len(), "triple"),
        telling.len(),
        equal.len(),
        chance * telling.len() as f64,
        shown(p)
    );
    let evidence = equal.into_iter().map(|triple| {
        let text = triple.text();
        impossible(triple.pair(), &text, format!("the other table has {text} too"))
    });
    Ok(AuditFinding { evidence: if p < LEVEL { evidence.collect() } else { Vec::new() }, finding })
}

/// The part of all pairs of triples that are the same.
fn tied(triples: impl Iterator<Item = [usize; 3]>) -> f64 {
    let triples: Vec<[usize; 3]> = triples.collect();
    let pairs = triples.iter().enumerate().flat_map(|(at, one)| triples[..at].iter().map(move |other| one == other));
    let (same, all) = pairs.fold((0, 0), |(same, all), equal| (same + usize::from(equal), all + 1));
    same as f64 / f64::from(all.max(1))
}
