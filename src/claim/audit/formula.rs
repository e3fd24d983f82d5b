//! A printed column against the others that it is said to be computed from.
//!
//! Every printed number may be half a unit of its last digit off. A formula takes its smallest and largest values where each of its
//! numbers is at one end, or in the middle, as long as it rises or falls in each of them between these ends. A printed value
//! that lies outside by more than its own half unit cannot come from the formula.

use std::collections::BTreeMap;

use super::{AuditFinding, impossible};
use crate::claim::Evidence;
use crate::claim::count::count as number_of;
use crate::claim::printed::number::Rounded;
use crate::spec::claims::SaidFormula;

/// Looks at every row of the file.
pub(super) fn look(said: &SaidFormula) -> Result<AuditFinding, String> {
    let mut looked = 0;
    let mut evidence: Vec<Evidence> = Vec::new();
    for row in &said.rows {
        let Some(printed) = Rounded::parse(&row.printed) else { continue };
        let Some([low, high]) = ends(said, &row.numbers) else { continue };
        looked += 1;
        if printed.high() < low - 1e-12 || printed.low() > high + 1e-12 {
            let digits = row.printed.trim().split_once('.').map_or(0, |(_, digits)| digits.len());
            let gives = if format!("{low:.digits$}") == format!("{high:.digits$}") {
                format!("{low:.digits$}")
            } else {
                format!("{low:.digits$} to {high:.digits$}")
            };
            let reason = format!("{} gives {gives}", said.formula.text);
            evidence.push(impossible(row.place.clone(), &row.printed, reason));
        }
    }
    if looked == 0 {
        return Err("no row of the file has all numbers of the formula".to_owned());
    }
    let finding = format!(
        "Printed numbers that {} does not give from those printed beside them: {} of {}.",
        said.formula.text,
        evidence.len(),
        number_of(looked, "number")
    );
    Ok(AuditFinding { evidence, finding })
}

/// The smallest and the largest value of the formula; `None` where a number is missing.
fn ends(said: &SaidFormula, numbers: &[(String, String)]) -> Option<[f64; 2]> {
    let rounded: Vec<(&str, Rounded)> =
        numbers.iter().map(|(name, text)| Some((name.as_str(), Rounded::parse(text)?))).collect::<Option<_>>()?;
    let constants = said.constants.iter().map(|(name, value)| (name.as_str(), *value));
    let mut at: BTreeMap<&str, f64> = constants.collect();
    let mut found: Option<[f64; 2]> = None;
    for corner in 0..3_usize.pow(u32::try_from(rounded.len()).ok()?) {
        let mut rest = corner;
        for (name, number) in &rounded {
            at.insert(name, [number.low(), number.value, number.high()][rest % 3]);
            rest /= 3;
        }
        if let Some(value) = said.formula.value(&at) {
            let [low, high] = found.unwrap_or([value; 2]);
            found = Some([low.min(value), high.max(value)]);
        }
    }
    found
}
