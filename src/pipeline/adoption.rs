//! Somebody else's results: which of their cells are ours, and why the others are not.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::plan::{Cell, Plan};
use crate::run::{self, method_label};
use crate::spec::MethodSource;
use crate::store::{self, CellResult, Finished, Ledger, Provenance, SharedResults, Status, Store, StoreError};

/// What was taken from somebody else's results, and what was not.
#[derive(Debug)]
pub struct Adoption {
    /// Where they are.
    pub path: PathBuf,
    /// Cells that were taken.
    pub taken: usize,
    /// What there is to say of it, a sentence each.
    pub remarks: Vec<String>,
}

/// What becomes of the cells of a plan.
#[derive(Debug, Default)]
struct Fates {
    taken: Vec<CellResult>,
    /// Runs of programs, by their labels.
    programs: BTreeMap<String, usize>,
    /// Cells that failed there.
    failed: usize,
    /// Cells that lack a metric that is asked for, or have one of another version.
    lacking: usize,
    /// Cells that are not among theirs, by methods.
    absent: BTreeMap<String, usize>,
    /// Cells that are finished here already.
    here: usize,
}

/// Takes finished cells of a plan from somebody else's results. What failed there may do better here, and a program of the same name
/// and version may be another one: neither is taken.
pub(super) fn adopt(plan: &Plan, store: &mut Store, path: &Path) -> Result<Adoption, StoreError> {
    let theirs = store::load_shared(path)?;
    let fates = Fates::of(plan, store.finished(), &theirs.finished);
    let taken = fates.taken.len();
    let remarks = fates.remarks(plan, &theirs);
    if taken > 0 {
        store.append(fates.taken)?;
    }
    Ok(Adoption { path: path.to_owned(), taken, remarks })
}

/// Takes finished cells from another experiment of the same folder; says how many.
pub(super) fn take(plan: &Plan, store: &mut Store, theirs: &Finished) -> Result<usize, StoreError> {
    let Fates { taken, .. } = Fates::of(plan, store.finished(), theirs);
    let count = taken.len();
    if count > 0 {
        store.append(taken)?;
    }
    Ok(count)
}

impl Fates {
    fn of(plan: &Plan, ours: &Finished, theirs: &Finished) -> Self {
        let mut fates = Self::default();
        for (_, _, cell) in plan.cells() {
            fates.add(plan, cell, ours, theirs);
        }
        fates
    }

    fn add(&mut self, plan: &Plan, cell: &Cell, ours: &Finished, theirs: &Finished) {
        if run::is_finished(plan, ours, cell) {
            self.here += 1;
            return;
        }
        if matches!(cell.run.method, MethodSource::Program(_)) {
            *self.programs.entry(method_label(plan, cell)).or_default() += 1;
            return;
        }
        match theirs.get(&cell.id) {
            None => *self.absent.entry(method_label(plan, cell)).or_default() += 1,
            Some(result) if result.status != Status::Done => self.failed += 1,
            Some(_) if !run::is_finished(plan, theirs, cell) => self.lacking += 1,
            Some(result) => self.taken.push(result.clone()),
        }
    }

    fn remarks(&self, plan: &Plan, theirs: &SharedResults) -> Vec<String> {
        let mut remarks = Vec::new();
        let cells = |count: usize| if count == 1 { "1 cell".to_owned() } else { format!("{count} cells") };
        let listed = |counts: &BTreeMap<String, usize>| {
            counts.iter().map(|(method, count)| format!("{method} {count}")).collect::<Vec<_>>().join(", ")
        };
        if self.here > 0 {
            remarks.push(format!("{} of this spec were here already", cells(self.here)));
        }
        if !self.programs.is_empty() {
            let programs = listed(&self.programs);
            remarks.push(format!(
                "runs of programs are computed here, as one of the same name may be another: {programs}"
            ));
        }
        if self.failed > 0 {
            remarks.push(format!("{} failed there and may do better here", cells(self.failed)));
        }
        if self.lacking > 0 {
            let words = "lack a metric that this spec asks for, or have it as an earlier version computed it";
            remarks.push(format!("{} {words}", cells(self.lacking)));
        }
        let absent: usize = self.absent.values().sum();
        if absent > 0 {
            let because = differences(plan, theirs.provenance.as_ref(), self.taken.is_empty());
            let because = if because.is_empty() { String::new() } else { format!(" ({because})") };
            remarks.push(format!("{} are not among theirs: {}{because}", cells(absent), listed(&self.absent)));
        }
        let timed = self.taken.iter().filter(|result| result.seconds.is_some()).count();
        match (self.taken.len(), timed) {
            (0, _) => {}
            (_, 0) => remarks
                .push("how long they took is not known: that is in timings.parquet, in the same folder".to_owned()),
            (taken, timed) if timed == taken => {
                remarks.push("their seconds are those of the machine they were computed on".to_owned())
            }
            (taken, timed) => remarks.push(format!("the seconds are known of {timed} of {taken}")),
        }
        remarks
    }
}

/// What of their provenance differs, as far as it explains that cells are not among theirs.
fn differences(plan: &Plan, theirs: Option<&Provenance>, is_nothing_common: bool) -> String {
    let Some(theirs) = theirs else { return String::new() };
    let ours = Provenance::of(&plan.experiment);
    let mut found = Vec::new();
    let differs = |key: &str| !theirs.get(key).is_empty() && theirs.get(key) != ours.get(key);
    if differs("seed") {
        found.push(format!("their seed is {}, this spec's is {}", theirs.get("seed"), ours.get("seed")));
    }
    let [of_theirs, of_ours] = [theirs, &ours].map(|provenance| -> BTreeMap<String, String> {
        serde_json::from_str(provenance.get("datasets")).unwrap_or_default()
    });
    let changed: Vec<&str> = of_ours
        .iter()
        .filter(|(name, id)| of_theirs.get(*name).is_some_and(|their| their != *id))
        .map(|(name, _)| &**name)
        .collect();
    let lacking: Vec<&str> = of_ours.keys().filter(|name| !of_theirs.contains_key(*name)).map(String::as_str).collect();
    if !changed.is_empty() {
        found.push(format!("what is called {} there is other data", changed.join(", ")));
    }
    if !lacking.is_empty() {
        found.push(format!("they have no {}", lacking.join(", ")));
    }
    if differs("scale") {
        found.push(format!("theirs are at {} scale, this run at {}", theirs.get("scale"), ours.get("scale")));
    }
    if differs("version") || (is_nothing_common && differs("revision")) {
        let by = |provenance: &Provenance| format!("{} {}", provenance.get("version"), provenance.revision());
        found.push(format!(
            "they are by conclave {}, this is {}; a method that was corrected is computed again",
            by(theirs),
            by(&ours)
        ));
    }
    if found.is_empty() && is_nothing_common {
        found.push(format!("theirs are of the spec `{}`; the ensembles or settings differ", theirs.get("name")));
    }
    found.join("; ")
}
