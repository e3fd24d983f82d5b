//! Where samples come from.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::count::count;
use super::model::{Lack, NotRun};
use super::sample::{RunSample, Within};
use crate::plan::{Plan, PlannedPicture};
use crate::results::RowSet;
use crate::results::{ResultRow, Status};
use crate::spec::{CellPlace, Dimension, Experiment, PointValue, Show};
use crate::store::Pictures;

/// What is looked up of runs.
#[derive(Debug, Clone, Copy)]
pub(super) struct ShownMetric<'a> {
    pub(super) metric: &'a str,
    pub(super) show: Show,
}

/// Results, as claims see them.
pub(super) trait ResultSource {
    /// The experiment they are of.
    fn experiment(&self) -> &Experiment;

    /// Whether anything was to be run there.
    fn is_planned(&self, at: &[(Dimension, PointValue)]) -> bool;

    /// The runs there, or why there are none that count.
    fn sample(&self, at: &[(Dimension, PointValue)], wanted: ShownMetric) -> Result<Rc<RunSample>, Lack>;

    /// How the runs there ended.
    fn ends(&self, at: &[(Dimension, PointValue)]) -> Ends;

    /// The pictures of the experiment.
    fn gallery(&self) -> Gallery<'_>;
}

/// The pictures of an experiment, and what is stored of them.
#[derive(Clone, Copy)]
pub(super) struct Gallery<'a> {
    pub(super) planned: &'a [PlannedPicture],
    pub(super) stored: &'a Pictures,
}

/// How runs ended.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Ends {
    pub(super) planned: usize,
    pub(super) done: usize,
    pub(super) failed: usize,
    /// The first reason of a failure.
    pub(super) reason: Option<String>,
    /// Why nothing there counts, whatever came of it.
    pub(super) void: Option<Lack>,
}

/// Stored results of a plan, by place.
pub(super) struct Results<'r, 'a> {
    experiment: &'a Experiment,
    gallery: Gallery<'r>,
    places: BTreeMap<CellPlace, PlaceRuns<'r, 'a>>,
    /// What was looked up before: claims ask for the same runs again and again.
    known: RefCell<BTreeMap<String, Result<Rc<RunSample>, Lack>>>,
}

/// The runs at a place.
#[derive(Default)]
struct PlaceRuns<'r, 'a> {
    planned: usize,
    rows: Vec<&'r ResultRow<'a>>,
}

impl<'r, 'a> Results<'r, 'a> {
    /// Those of a universe; `rows` are its own.
    pub(super) fn new(plan: &'a Plan, universe: usize, rows: &'r [ResultRow<'a>], pictures: &'r Pictures) -> Self {
        let mut places: BTreeMap<CellPlace, PlaceRuns> = BTreeMap::new();
        let planned = plan.cells().flat_map(|(_, _, cell)| &cell.places);
        for place in planned.filter(|place| place.universe == universe) {
            places.entry(*place).or_default().planned += 1;
        }
        for row in rows {
            places.entry(row.place).or_default().rows.push(row);
        }
        let gallery = Gallery { planned: &plan.pictures, stored: pictures };
        Self { experiment: plan.experiment.universe(universe), gallery, places, known: RefCell::default() }
    }

    fn runs(&self, at: &[(Dimension, PointValue)]) -> PlaceRuns<'r, 'a> {
        let mut found = PlaceRuns::default();
        let here = self.places.iter().filter(|(place, _)| self.has(**place, at));
        for (_, runs) in here {
            found.planned += runs.planned;
            found.rows.extend(&runs.rows);
        }
        found
    }

    /// Whether a place has all these values.
    fn has(&self, place: CellPlace, at: &[(Dimension, PointValue)]) -> bool {
        at.iter().all(|(dimension, value)| place.value(self.experiment, *dimension) == *value)
    }

    fn read(&self, at: &[(Dimension, PointValue)], wanted: ShownMetric) -> Result<RunSample, Lack> {
        if let Some(why) = self.void(at) {
            return Err(why);
        }
        let PlaceRuns { planned, rows } = self.runs(at);
        if planned == 0 {
            return Err(not_at_this_scale(self.experiment));
        }
        if rows.len() < planned {
            let words = format!("not computed yet: {} of {}", planned - rows.len(), count(planned, "run"));
            return Err(Lack::new(NotRun::NotYet, words));
        }
        let failed = rows.iter().filter(|row| row.result.status != Status::Done).count();
        let identities = |row: &&ResultRow| (row.variant.ensemble.to_string(), row.variant.unmasked.to_string());
        let unmasked = rows.iter().map(identities).collect();
        let selection = RowSet::of(rows);
        if failed > 0 {
            let words = format!("no number from {failed} of {}: {}", count(planned, "run"), selection.reason());
            return Err(Lack::of_failed_runs(words));
        }
        let shown = |value: &f64| wanted.show.apply(*value);
        let runs = selection.runs_by_ensemble(wanted.metric).into_iter();
        let runs: BTreeMap<String, Vec<f64>> =
            runs.map(|(ensemble, runs)| (ensemble, runs.iter().map(shown).collect())).collect();
        if runs.is_empty() {
            return Err(format!("the method has no {}", wanted.metric).into());
        }
        let selected = selection.selected_by_ensemble(wanted.metric).into_iter();
        let selected = selected.map(|(ensemble, value)| (ensemble, shown(&value))).collect();
        let merits = selection.merits_by_ensemble(wanted.metric);
        let within = if selection.are_members() { Within::Members } else { Within::Runs };
        Ok(RunSample { runs, selected, unmasked, merits, within })
    }

    /// Why nothing there counts: a stand-in is no reproduction.
    fn void(&self, at: &[(Dimension, PointValue)]) -> Option<Lack> {
        let label = match at.iter().find(|(dimension, _)| *dimension == Dimension::Dataset) {
            Some((_, value)) => value.to_string(),
            None => match &self.experiment.datasets[..] {
                [only] => only.label.clone(),
                _ => return None,
            },
        };
        not_counted(self.experiment, &label)
    }
}

/// Why a dataset earns no verdict: it is not there, or it stands in for what is not.
pub(super) fn not_counted(experiment: &Experiment, label: &str) -> Option<Lack> {
    let no_data = |words: String| Lack::new(NotRun::NoData, words);
    if let Some((_, why)) = experiment.absent.iter().find(|(absent, _)| absent == label) {
        return Some(no_data(format!("{label} was not run: {why}")));
    }
    let dataset = experiment.datasets.iter().find(|dataset| dataset.label == label)?;
    dataset.stand_in.then(|| no_data(format!("{label} is a stand-in for data we could not obtain")))
}

/// Why what only other scales have has no number.
pub(super) fn not_at_this_scale(experiment: &Experiment) -> Lack {
    Lack::new(NotRun::NotAtThisScale, format!("this is not part of scale {}", experiment.scale))
}

impl ResultSource for Results<'_, '_> {
    fn experiment(&self) -> &Experiment {
        self.experiment
    }

    fn is_planned(&self, at: &[(Dimension, PointValue)]) -> bool {
        self.places.keys().any(|place| self.has(*place, at))
    }

    fn sample(&self, at: &[(Dimension, PointValue)], wanted: ShownMetric) -> Result<Rc<RunSample>, Lack> {
        let key = format!("{at:?} {wanted:?}");
        if let Some(known) = self.known.borrow().get(&key) {
            return known.clone();
        }
        let sample = self.read(at, wanted).map(Rc::new);
        self.known.borrow_mut().insert(key, sample.clone());
        sample
    }

    fn ends(&self, at: &[(Dimension, PointValue)]) -> Ends {
        let PlaceRuns { planned, rows } = self.runs(at);
        let done = rows.iter().filter(|row| row.result.status == Status::Done).count();
        let reason = rows.iter().find_map(|row| row.result.reason.clone());
        Ends { planned, done, failed: rows.len() - done, reason, void: self.void(at) }
    }

    fn gallery(&self) -> Gallery<'_> {
        self.gallery
    }
}
