//! From a checked experiment to results on disk and a report: what `conclave run`, `report` and `reproduce` have in common.
//!
//! ```no_run
//! use std::path::Path;
//!
//! use conclave::data::Catalog;
//! use conclave::pipeline::{self, CellWork, Destination};
//! use conclave::plan::Only;
//! use conclave::run::{Options, Outlook, StopRequest};
//! use conclave::spec::{PAPER_SCALE, Spec};
//! use conclave::store::Opening;
//!
//! let experiment = Spec::load(Path::new("experiments/quickstart.toml"))?.check(PAPER_SCALE, &Catalog::locate(None))?;
//! let (only, stop, outlook) = (Only::default(), StopRequest::default(), Outlook::default());
//! let options = Options { threads: 2, only, stop, outlook };
//! let results = Path::new("results");
//! let destination = Destination { results, opening: Opening::Resume, adopt: None, work: CellWork::Compute };
//! let computed = pipeline::compute(experiment, &destination, &options)?;
//! let page = pipeline::page(&computed.plan, computed.store.finished(), results, "conclave run …".to_owned())?;
//! println!("{}", pipeline::write_report(&page, Path::new("reports"))?.index.display());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod adoption;

pub use adoption::Adoption;

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use crate::plan::{self, Plan};
use crate::report::{self, Above, Neighbours, ReportError, Written};
use crate::run::{self, Options, PictureOutcome, RunError, RunOutcome};
use crate::spec::Experiment;
use crate::store::{self, Finished, Opening, Provenance, Store, StoreError};
use crate::summary::{self, Page};

/// Where results are stored, and what is done for them.
#[derive(Debug, Clone, Copy)]
pub struct Destination<'a> {
    /// The folder of all results; an experiment's own is in it.
    pub results: &'a Path,
    /// What of the stored results is used.
    pub opening: Opening,
    /// Results of somebody else to use: a folder, or its file of cells.
    pub adopt: Option<&'a Path>,
    /// What is done.
    pub work: CellWork,
}

/// Whether cells are computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellWork {
    /// Those that are missing are.
    Compute,
    /// None is: what shards computed is put together.
    Merge,
}

/// An experiment whose results are stored, as far as it came.
#[derive(Debug)]
pub struct Computed {
    /// What was to be done.
    pub plan: Arc<Plan>,
    /// What is stored now.
    pub store: Store,
    /// What was taken over from somebody else's results, where there are any to adopt.
    pub adopted: Option<Adoption>,
    /// What came of the experiments whose results the spec reuses, in words.
    pub notes: Vec<String>,
    /// What became of its cells.
    pub cells: RunOutcome,
    /// What became of its pictures; nothing when the cells were interrupted.
    pub pictures: PictureOutcome,
    /// How long it took.
    pub seconds: f64,
}

/// Computes what is missing of an experiment and stores it.
///
/// # Errors
/// When stored results cannot be read or written, or the system refuses the threads it takes; what was finished is kept.
pub fn compute(experiment: Experiment, destination: &Destination, options: &Options) -> Result<Computed, RunError> {
    let started = Instant::now();
    let plan = Arc::new(plan::expand(experiment));
    let mut store = Store::open(&destination.results.join(&plan.experiment.name), destination.opening)?;
    let adopted = destination.adopt.map(|path| adoption::adopt(&plan, &mut store, path)).transpose()?;
    let notes = match destination.opening {
        Opening::Fresh => Vec::new(),
        _ => reuse(&plan, &mut store, destination.results)?,
    };
    let cells = match destination.work {
        CellWork::Compute => run::execute(&plan, &mut store, options)?,
        CellWork::Merge => run::tally(&plan, store.finished(), |cell| options.only.admits(cell, &plan.experiment)),
    };
    let measured = options.outlook.take_measured();
    if cells.computed > 0 && !measured.is_empty() {
        // They only help to estimate: what matters is written, or fails, below.
        let _ = store.add_costs(&measured, &plan);
    }
    let mut pictures = PictureOutcome::default();
    if !cells.interrupted {
        store.compact(&plan, &Provenance::of(&plan.experiment))?;
        pictures = draw_pictures(&plan, &store, destination.opening, options)?;
    }
    Ok(Computed { plan, store, adopted, notes, cells, pictures, seconds: started.elapsed().as_secs_f64() })
}

/// Takes finished cells from the experiments that the spec names, where they are in the same folder of results. It only saves work:
/// results that cannot be read are left alone, with a note.
fn reuse(plan: &Plan, store: &mut Store, results: &Path) -> Result<Vec<String>, StoreError> {
    let mut notes = Vec::new();
    for name in &plan.experiment.reuse {
        let folder = results.join(name);
        let is_complete = plan.cells().all(|(_, _, cell)| run::is_finished(plan, store.finished(), cell));
        if !folder.is_dir() || is_complete {
            continue;
        }
        match store::load(&folder) {
            Ok(theirs) => match adoption::take(plan, store, &theirs)? {
                0 => {}
                1 => notes.push(format!("1 cell is that of {name}")),
                taken => notes.push(format!("{taken} cells are those of {name}")),
            },
            Err(_) => notes.push(format!(
                "the results of {name}, which the spec reuses, cannot be read; `conclave run` of that spec says why"
            )),
        }
    }
    Ok(notes)
}

/// Computes the pictures that are not stored, and writes them all.
fn draw_pictures(
    plan: &Arc<Plan>,
    store: &Store,
    opening: Opening,
    options: &Options,
) -> Result<PictureOutcome, RunError> {
    let mut pictures = store.pictures(opening)?;
    let outcome = run::draw(plan, &mut pictures, options)?;
    store.write_pictures(plan, &pictures, &Provenance::of(&plan.experiment))?;
    Ok(outcome)
}

/// What a report of a plan shows, from finished cells and the pictures stored under `results`. `command` is what makes it again.
///
/// # Errors
/// When stored pictures are damaged.
pub fn page(plan: &Plan, finished: &Finished, results: &Path, command: String) -> Result<Page, StoreError> {
    let pictures = store::load_pictures(&results.join(&plan.experiment.name))?;
    Ok(summary::page(plan, finished, &pictures, command))
}

/// Writes a report into its folder under `reports`; it links back to the scorecard where there is one.
///
/// # Errors
/// When a file cannot be written.
pub fn write_report(page: &Page, reports: &Path) -> Result<Written, ReportError> {
    let is_scored = reports.join(report::SCORECARD_PAGE).is_file();
    let above = if is_scored { Above::Scorecard(Neighbours::among(reports, page)) } else { Above::Nothing };
    report::write(page, &reports.join(&page.name), &above)
}
