//! Largest, smallest and single values that are no whole number of objects.

use super::share::{self, ObjectShare};
use super::{AuditFinding, impossible, once};
use crate::claim::count::count as number_of;
use crate::claim::printed::Sheet;
use crate::claim::printed::number::Rounded;
use crate::spec::{Experiment, TableRequest};

/// Looks at every printed number of one run.
pub(super) fn look(table: &TableRequest, experiment: &Experiment) -> Result<AuditFinding, String> {
    let cells = once(&Sheet::of_table(table), experiment);
    let (mut looked, mut told, mut evidence) = (0, 0, Vec::new());
    for cell in &cells {
        let share = ObjectShare::of(&cell.printed, &cell.place, experiment);
        let of_one_run = share::averaged(&cell.printed, &cell.place, experiment) == Some(1);
        let (Some(share), Some(printed), true) = (share, Rounded::parse(cell.printed.text), of_one_run) else {
            continue;
        };
        looked += 1;
        told += usize::from(share.can_tell(printed, 1));
        let reason = share::refuted(&cell.printed, &cell.place, experiment);
        evidence.extend(reason.map(|reason| impossible(cell.name.clone(), cell.printed.text, reason)));
    }
    if looked == 0 {
        return Err("no largest, smallest or single share of objects is printed".to_owned());
    }
    let finding = format!(
        "Printed values of one run that are no whole number of objects: {} of {}, {told} of them with digits enough to tell.",
        evidence.len(),
        number_of(looked, "value"),
    );
    Ok(AuditFinding { evidence, finding })
}
