//! What a paper printed that cannot be, whatever the program: read off definitions, data and its own other numbers.

mod best_few;
mod chance;
mod count;
mod difference;
mod formula;
mod grim;
mod integer;
mod mean_max;
pub(crate) mod number;
mod repeated;
mod same;
mod share;
mod spread;
pub(super) mod t_test;
mod triples;

use std::collections::HashSet;

use super::count::count as number_of;
use super::printed::{PrintedCell, Sheet, cells};
use super::{Evidence, Verdict};
use crate::spec::claims::{AuditRequest, AuditRule, SaidCount};
use crate::spec::{Experiment, TableRequest};

/// What an audit found.
pub(super) struct AuditFinding {
    /// The numbers that cannot be.
    pub(super) evidence: Vec<Evidence>,
    /// In a sentence.
    pub(super) finding: String,
}

/// Looks at printed numbers by a rule; an error says why it could not.
pub(super) fn look(request: &AuditRequest, experiment: &Experiment) -> Result<AuditFinding, String> {
    let table = || {
        let found = experiment.tables.iter().find(|table| table.id == request.output);
        found.ok_or_else(|| format!("there is no table {}", request.output))
    };
    let test = || {
        let found = experiment.tests.iter().find(|test| test.id == request.output);
        found.ok_or_else(|| format!("there is no test {}", request.output))
    };
    match &request.rule {
        AuditRule::Range => {
            let cells = cells(&Sheet::of_table(table()?), experiment);
            let evidence: Vec<Evidence> = cells
                .iter()
                .filter_map(|cell| {
                    let reason = cell.printed.out_of_bounds(&cell.place, experiment)?;
                    Some(impossible(cell.name.clone(), cell.printed.text, reason))
                })
                .collect();
            let finding = format!("{} of {} cannot be.", evidence.len(), number_of(cells.len(), "printed number"));
            Ok(AuditFinding { evidence, finding })
        }
        AuditRule::Integer => integer::look(table()?, experiment),
        AuditRule::Grim { tried } => grim::look(table()?, experiment, tried),
        AuditRule::Repeated { across, means } => repeated::look(table()?, experiment, *across, means),
        AuditRule::Same { filter, other } => same::look(table()?, experiment, filter, other),
        AuditRule::SameTriples { these, others } => same::look_at_triples(these, others),
        AuditRule::Triples(said) => triples::look(table()?, experiment, said),
        AuditRule::BestFew(said) => best_few::look(table()?, experiment, said),
        AuditRule::Formula(said) => formula::look(said),
        AuditRule::MeanMax { of } => mean_max::look(table()?, experiment, of),
        AuditRule::Spread { means } => spread::look(test()?, experiment, means),
        AuditRule::Count(said) => counted(table()?, experiment, said),
        AuditRule::TTest { pairs } => {
            let test = test()?;
            let refuted = t_test::refuted(&test.published, test.alternative, *pairs);
            let number = |row: usize| test.published[row].p.clone().unwrap_or_default();
            let evidence: Vec<Evidence> = refuted
                .reasons
                .iter()
                .map(|(row, reason)| impossible(test.published[*row].place(), &number(*row), reason.clone()))
                .collect();
            let which =
                if pairs.is_some() { "the number of pairs that is said" } else { "the number that most rows fit" };
            let finding = format!(
                "Printed p that do not follow from their differences and standard deviations with {} pairs, {which}: {} of {}.",
                refuted.pairs,
                evidence.len(),
                refuted.rows
            );
            Ok(AuditFinding { evidence, finding })
        }
        AuditRule::Difference { means } => {
            let (looked, evidence) = difference::refuted(test()?, means);
            let finding = format!(
                "Printed differences that are not those of the printed means, if both tables are of the same runs: {} of {looked}.",
                evidence.len()
            );
            Ok(AuditFinding { evidence, finding })
        }
    }
}

/// A text's count of best values beside the count over its table.
fn counted(table: &TableRequest, experiment: &Experiment, said: &SaidCount) -> Result<AuditFinding, String> {
    let counted = count::count(table, experiment, said)
        .filter(|counted| counted.places > 0)
        .ok_or_else(|| "nothing is printed to count".to_owned())?;
    if let Some(out_of) = said.places.out_of.filter(|out_of| counted.places < *out_of) {
        return Err(format!("this run has {} of the {out_of} places that are printed", counted.places));
    }
    let of = &said.of;
    let mut finding = format!(
        "The printed table has {of} best alone at {} and equal to the best at {} of {}; the text says {}.",
        counted.alone.len(),
        counted.tied.len(),
        number_of(counted.places, "place"),
        said.places.describe()
    );
    if counted.elsewhere > 0 {
        finding.push_str(&format!(" Not part of this run: {}.", counted.elsewhere));
    }
    let evidence = if counted.agrees(said.places) {
        Vec::new()
    } else {
        let lists = [("best alone", counted.alone), ("equal to the best", counted.tied), ("not best", counted.lost)];
        let lists = lists.into_iter().filter(|(_, places)| !places.is_empty());
        lists.map(|(what, places)| impossible(format!("{of}, {what}"), "", places.join("; "))).collect()
    };
    Ok(AuditFinding { evidence, finding })
}

/// The printed numbers of a sheet, each once: one that the file gives no sweep point for stands at all of them.
fn once<'a>(sheet: &Sheet<'a>, experiment: &Experiment) -> Vec<PrintedCell<'a>> {
    let mut seen = HashSet::new();
    // Every printed number has a text of its own in memory.
    cells(sheet, experiment).into_iter().filter(|cell| seen.insert(cell.printed.text.as_ptr())).collect()
}

fn impossible(place: String, printed: &str, reason: String) -> Evidence {
    let printed = (!printed.is_empty()).then(|| printed.to_owned());
    Evidence { printed, ..Evidence::at(place, Verdict::Impossible, reason) }
}
