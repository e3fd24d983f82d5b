//! The mixture model between parties that own rows: as [`super::v_bce_rows`], exact. The sums of the M-step, the number of
//! objects and the log-likelihood go around the ring; bytes an iteration: 2 (P − 1) · 8 (K ΣJ + K + 2).

use super::ring;
use super::transport::{Ended, Transport};
use crate::consensus::Watch;
use crate::consensus::mm::{Fit, Limits, Model};
use crate::ensemble::Ensemble;
use crate::seed::Id;

/// What everybody knows.
pub(crate) struct Known<'a> {
    pub(crate) arity: &'a [usize],
    pub(crate) clusters: usize,
    pub(crate) id: Id,
    pub(crate) restarts: usize,
    pub(crate) limits: Limits,
    pub(crate) watch: &'a Watch,
}

/// A party's own result.
pub(crate) struct Own {
    pub(crate) fit: Fit,
    /// Iterations of all starts.
    pub(crate) spent: usize,
    /// Own distinct row × component.
    pub(crate) memberships: Vec<f64>,
}

/// A party's program.
pub(crate) fn party(part: &Option<Ensemble>, known: &Known, transport: &mut dyn Transport) -> Result<Own, Ended> {
    let mut model = part.as_ref().map(|ensemble| Model::new(ensemble, known.clusters));
    let mut best: Option<Own> = None;
    let mut spent = 0;
    for restart in 0..known.restarts {
        if let Some(model) = &mut model {
            model.randomise(&mut known.id.rng(&format!("restart {restart}")));
        }
        let fit = fit(part, model.as_mut(), known, transport)?;
        spent += fit.iterations;
        if best.as_ref().is_none_or(|kept| fit.log_likelihood > kept.fit.log_likelihood) {
            let memberships = model.as_mut().map_or_else(Vec::new, Model::responsibilities);
            best = Some(Own { fit, spent, memberships });
        }
    }
    let best = best.expect("restarts is declared to be at least 1");
    Ok(Own { spent, ..best })
}

fn fit(
    part: &Option<Ensemble>,
    mut model: Option<&mut Model>,
    known: &Known,
    transport: &mut dyn Transport,
) -> Result<Fit, Ended> {
    let own_objects = part.as_ref().map_or(0.0, |ensemble| ensemble.objects() as f64);
    let mut fit = Fit::new();
    loop {
        known.watch.check()?;
        let mut sums = vec![0.0; 2 + known.clusters * (1 + known.arity.iter().sum::<usize>())];
        if let Some(model) = model.as_deref_mut() {
            sums[0] = model.expect();
            sums[1] = own_objects;
            sums[2..].chunks_exact_mut(known.clusters).zip(model.sums()).for_each(|(to, own)| to.copy_from_slice(own));
        }
        ring::total(transport, &mut sums)?;
        fit.reached(sums[0], known.limits);
        if !fit.goes_on(known.limits) {
            return Ok(fit);
        }
        if let Some(model) = model.as_deref_mut() {
            let totals = sums[2..].chunks_exact(known.clusters);
            model.sums_mut().zip(totals).for_each(|(own, total)| own.copy_from_slice(total));
            model.maximise(sums[1]);
        }
    }
}
