//! What the methods of a variant see: base clusterings made, deleted from, and split.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::super::footprint::reserve_for;
use super::super::isolate::{Broken, Workbench};
use super::{NO_THREAD, WorkOrder};
use crate::consensus::{Halt, Solution, Watch};
use crate::ensemble::{Ensemble, Labels, Partition};
use crate::generate::{GenerateError, Split};
use crate::metric::{JudgedOn, ModelFit};
use crate::plan::Variant;

/// Columns by their number.
pub(in crate::run) type Columns = BTreeMap<usize, Arc<Labels>>;

pub(in crate::run) fn columns(
    given: &WorkOrder,
    needed: BTreeSet<usize>,
    bench: &mut Workbench,
) -> Result<Columns, Halt> {
    let watch = Watch::new(None, Arc::clone(given.cancelled));
    let (base, info) = (given.job.base, given.job.generator);
    let (params, dataset) = (given.job.params.clone(), Arc::clone(&given.job.dataset));
    let cache = Arc::clone(given.cache);
    let cancelled = Arc::clone(given.cancelled);
    let failed = |error: GenerateError| Halt::Failed(error.to_string());
    let made = bench.run(None, move || {
        let generator = info.make(&params, &dataset).map_err(failed)?;
        let labels = 8.0 * needed.len() as f64 * dataset.features.rows() as f64;
        let _reserved = reserve_for(info, generator.bytes() + labels, || cancelled.load(Ordering::Relaxed))?;
        let columns = needed.into_iter().map(|column| {
            watch.check()?;
            Ok((column, cache.column(generator.as_ref(), base, column).map_err(failed)?))
        });
        columns.collect()
    });
    match made {
        Ok(columns) => columns,
        Err(Broken::Panicked(message)) => Err(Halt::Failed(message)),
        Err(Broken::LeftBehind) => Err(Halt::TimedOut),
        Err(Broken::NoThread) => Err(Halt::Failed(NO_THREAD.to_owned())),
    }
}

/// What the methods of a variant see, and what they are judged by.
pub(super) struct View {
    /// The labels a method combines.
    pub(super) fitted: Ensemble,
    /// The labels of held-out objects.
    pub(super) held_out: Option<Ensemble>,
    /// The classes of the fitted objects.
    pub(super) truth: Option<Partition>,
}

/// The labels of all objects, after deletions.
pub(in crate::run) fn ensemble(variant: &Variant, columns: &Columns) -> Result<Ensemble, String> {
    let chosen: Vec<Labels> = variant.columns.iter().map(|column| Labels::clone(&columns[column])).collect();
    let masked = variant.mask.apply(&chosen, variant.unmasked);
    Ensemble::from_columns(&masked).map_err(|error| format!("the ensemble could not be made: {error}"))
}

pub(super) fn view(given: &WorkOrder, variant: &Variant, columns: &Columns) -> Result<View, String> {
    let all = ensemble(variant, columns)?;
    let truth = given.job.dataset.truth.as_ref();
    Ok(match variant.holdout.split(all.objects(), truth, variant.unmasked) {
        None => View { fitted: all, held_out: None, truth: truth.cloned() },
        Some(Split { fitted, held_out }) => {
            let of_fitted = |truth: &Partition| {
                let codes: Vec<u32> = fitted.iter().map(|&object| truth.labels()[object]).collect();
                Partition::from_codes(&codes)
            };
            View {
                truth: truth.map(of_fitted),
                fitted: all.of_objects(&fitted),
                held_out: Some(all.of_objects(&held_out)),
            }
        }
    })
}

impl View {
    /// How well a model fits the objects of one kind; `None` where there are none, or there is no model.
    pub(super) fn fit(&self, solution: &Solution, sample: JudgedOn) -> Option<ModelFit> {
        let ensemble = match sample {
            JudgedOn::Fitted => &self.fitted,
            JudgedOn::HeldOut => self.held_out.as_ref()?,
        };
        Some(ModelFit::new(solution.predictive.as_ref()?.evidence(ensemble), ensemble))
    }
}
