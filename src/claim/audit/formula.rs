//! A printed column against the others that it is said to be computed from.
//!
//! Every printed number may be half a unit of its last digit off. Interval arithmetic says where the value of the formula then lies; that is
//! never too narrow. A printed value that lies outside by more than its own half unit cannot come from the formula; of one that is said to be
//! at most or at least what the formula gives, only that side counts. Rows where the
//! formula may be anything (a division by what may be 0) are not judged, and neither are those without all numbers.

use std::collections::BTreeMap;

use super::{AuditFinding, impossible};
use crate::claim::Evidence;
use crate::claim::count::count as number_of;
use crate::claim::printed::number::Rounded;
use crate::spec::FormulaSide;
use crate::spec::claims::SaidFormula;

/// Looks at every row of the file.
pub(super) fn look(said: &SaidFormula) -> Result<AuditFinding, String> {
    let mut looked = 0;
    let mut evidence: Vec<Evidence> = Vec::new();
    for row in &said.rows {
        let Some(printed) = Rounded::parse(&row.printed) else { continue };
        let Some([low, high]) = ends(said, &row.numbers) else { continue };
        looked += 1;
        let [below, above] = [printed.high() < low - 1e-12, printed.low() > high + 1e-12];
        let outside = match said.formula.side {
            FormulaSide::Equal => below || above,
            FormulaSide::AtMost => above,
            FormulaSide::AtLeast => below,
        };
        if outside {
            let digits = row.printed.trim().split_once('.').map_or(0, |(_, digits)| digits.len());
            let gives = if format!("{low:.digits$}") == format!("{high:.digits$}") {
                format!("{low:.digits$}")
            } else {
                format!("{low:.digits$} to {high:.digits$}")
            };
            let reason = match said.formula.side {
                FormulaSide::Equal => format!("{} gives {gives}", said.formula.text),
                FormulaSide::AtMost | FormulaSide::AtLeast => {
                    format!("{} does not hold: the right side is {gives}", said.formula.text)
                }
            };
            evidence.push(impossible(row.place.clone(), &row.printed, reason));
        }
    }
    if looked == 0 {
        return Err("no row of the file has all numbers of the formula, and a value that they bound".to_owned());
    }
    let refuted = match said.formula.side {
        FormulaSide::Equal => format!("that {} does not give from those printed beside them", said.formula.text),
        FormulaSide::AtMost | FormulaSide::AtLeast => format!("for which {} does not hold", said.formula.text),
    };
    let mut finding = format!("Printed numbers {refuted}: {} of {}.", evidence.len(), number_of(looked, "number"));
    if looked < said.rows.len() {
        finding.push_str(&format!(" {} of the file cannot be judged.", number_of(said.rows.len() - looked, "row")));
    }
    Ok(AuditFinding { evidence, finding })
}

/// Where the value of the formula lies; `None` where a number is missing or it may be anything.
fn ends(said: &SaidFormula, numbers: &[(String, String)]) -> Option<[f64; 2]> {
    let mut intervals: BTreeMap<&str, [f64; 2]> =
        said.constants.iter().map(|(name, value)| (name.as_str(), [*value; 2])).collect();
    for (name, text) in numbers {
        let number = Rounded::parse(text)?;
        intervals.insert(name, [number.low(), number.high()]);
    }
    said.formula.ends(&intervals)
}
