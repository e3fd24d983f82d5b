//! The pictures of a plan and their panels.

use super::Job;
use crate::picture::PictureKind;
use crate::seed::Id;
use crate::spec::{EnsemblePlace, Experiment, PictureRequest, PointValue, ValueHere};

/// The panels of a picture, in the order of the spec.
#[derive(Debug)]
pub struct PlannedPicture {
    /// What is asked for.
    pub request: PictureRequest,
    /// One ensemble each.
    pub panels: Vec<PlannedPanel>,
}

/// One panel of a picture.
#[derive(Debug)]
pub struct PlannedPanel {
    /// Its identity: a hash of everything its marks depend on.
    pub id: Id,
    /// Its value of the dimension that the panels are.
    pub value: Option<PointValue>,
    /// Where in the experiment it is.
    pub place: EnsemblePlace,
    /// Position of its ensemble's job.
    pub job: usize,
    /// Position of its ensemble among the job's variants.
    pub variant: usize,
}

/// Plans every picture. `shown` are the ensembles of index 0 and the jobs and variants that they are.
pub(super) fn plan(
    experiment: &Experiment,
    shown: &[(EnsemblePlace, (usize, usize))],
    jobs: &[Job],
) -> Vec<PlannedPicture> {
    let picture = |request: &PictureRequest| {
        let mut panels: Vec<PlannedPanel> = Vec::new();
        for &(place, (job, variant)) in shown.iter().filter(|(place, _)| admits(request, *place, experiment)) {
            let value = request.panel.and_then(|dimension| place.value(experiment, dimension));
            let value = value.map(ValueHere::to_value);
            // A sweep may lead to the same place twice.
            if panels.iter().all(|panel| panel.value != value) {
                let id = panel_id(request.kind, &jobs[job], variant);
                panels.push(PlannedPanel { id, value, place, job, variant });
            }
        }
        PlannedPicture { request: request.clone(), panels }
    };
    experiment.pictures.iter().map(picture).collect()
}

/// The ensemble's identity holds the dataset, the generator and its parameters, the columns and what is deleted.
fn panel_id(kind: PictureKind, job: &Job, variant: usize) -> Id {
    Id::of("picture", &[job.variants[variant].ensemble.bytes(), kind.identity().as_bytes()])
}

fn admits(request: &PictureRequest, place: EnsemblePlace, experiment: &Experiment) -> bool {
    let here = |dimension| place.value(experiment, dimension);
    request.filter.iter().all(|(dimension, values)| here(*dimension).is_none_or(|value| value.is_among(values)))
}
