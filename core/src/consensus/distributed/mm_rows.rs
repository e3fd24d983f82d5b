//! The mixture model between parties that own rows: as [`super::v_bce_rows`], exact. The sums of the M-step, the number of
//! objects and the log-likelihood go around the ring; bytes per iteration: 2 (P − 1) · 8 (K ΣJ + K + 2), and with smoothing one number
//! more, the penalty, which parties without rows could not tell. Starts are uniform, as the paper has them: votes and rows far apart, from
//! which `mm` starts in one place, could not be found without the labels of others.

use super::RowPart;
use super::forms::{Assigned, Common, Form, PARTIES, RowForm, RowsFound, RunEnd, combine_rows};
use super::ring;
use super::transport::{Stopped, Transport};
use crate::consensus::mm::{self, ITERATIONS, MixtureFit, MixtureModel, Mm, OBJECTIVE, RESTARTS, SMOOTHING, TOLERANCE};
use crate::consensus::{Accepts, Consensus, Halt, MethodInfo, Parties, Predicts, Shape, Solution, Task, Watch};

pub(crate) const INFO: MethodInfo = MethodInfo {
    name: "mm-rows",
    title: "Mixture model (EM), row-distributed",
    reference: "Topchy, Jain & Punch, §3; Wang, Shan & Banerjee, Table 2",
    // Its starts are uniform as ever, whatever those of `mm` are.
    version: 3,
    parameters: &[PARTIES, RESTARTS, ITERATIONS, TOLERANCE, SMOOTHING],
    maker: |params| Box::new(MmRows { parties: params.integer(PARTIES.name), centralised: Mm::uniform(params) }),
    accepts: Accepts { parties: Parties::Rows { of: "mm" }, ..mm::INFO.accepts },
    predicts: Predicts::Nothing,
    ..mm::INFO
};

struct MmRows {
    parties: usize,
    centralised: Mm,
}

impl RowForm for MmRows {
    fn party(&self, part: &RowPart, common: &Common, transport: &mut dyn Transport) -> Result<RowsFound, Stopped> {
        let Mm { restarts, smoothing, .. } = self.centralised;
        let mut model = part.as_ref().map(|ensemble| MixtureModel::new(ensemble, common.clusters).smoothed(smoothing));
        let mut best: Option<(f64, RowsFound)> = None;
        let mut spent = 0;
        for restart in 0..restarts {
            if let Some(model) = &mut model {
                model.randomise(&mut common.id.rng(&format!("restart {restart}")));
            }
            let fit = fit(part, model.as_mut(), (common, &self.centralised), transport)?;
            spent += fit.iterations;
            if best.as_ref().is_none_or(|(kept, _)| fit.penalised > *kept) {
                let memberships =
                    model.as_mut().map_or_else(Vec::new, |model| model.responsibilities(&Watch::default()));
                let assigned = Assigned::Memberships(memberships);
                best = Some((fit.penalised, RowsFound { end: RunEnd::of_mm(fit), assigned, predictive: None }));
            }
        }
        let (_, mut best) = best.expect("restarts is declared to be at least 1");
        best.end.spent = spent;
        Ok(best)
    }
}

impl Consensus for MmRows {
    fn combine(&self, task: &Task) -> Result<Solution, Halt> {
        combine_rows(self, self.parties, task, OBJECTIVE)
    }

    fn form(&self) -> Option<Form<'_>> {
        Some(Form::Rows(self))
    }

    fn operations(&self, shape: &Shape) -> f64 {
        self.centralised.operations(shape)
    }

    fn bytes(&self, shape: &Shape) -> f64 {
        let parts = shape.in_rows(self.parties as f64);
        let tables = 40.0 * self.parties as f64 * shape.labels * shape.clusters;
        let found = 8.0 * parts.rows * shape.clusters + Shape { rows: shape.objects, ..*shape }.ensemble_bytes();
        2.0 * parts.ensemble_bytes()
            + mm::model_bytes(&parts)
            + tables
            + found
            + 8.0 * shape.objects * shape.clusters
            + shape.own_memberships_bytes(shape.clusters)
    }
}

/// One start.
fn fit(
    part: &RowPart,
    mut model: Option<&mut MixtureModel>,
    (common, method): (&Common, &Mm),
    transport: &mut dyn Transport,
) -> Result<MixtureFit, Stopped> {
    let own_objects = part.as_ref().map_or(0.0, |ensemble| ensemble.objects() as f64);
    let mut fit = MixtureFit::new();
    loop {
        common.watch.check()?;
        let width = common.clusters * (1 + common.arity.iter().sum::<usize>());
        // The penalty comes last, where there is one: everybody's own, weighted by what everybody owns.
        let mut sums = vec![0.0; 2 + width + usize::from(method.smoothing > 0.0)];
        if let Some(model) = model.as_deref_mut() {
            sums[0] = model.expect();
            sums[1] = own_objects;
            let own = model.sums();
            sums[2..2 + width].chunks_exact_mut(common.clusters).zip(own).for_each(|(to, own)| to.copy_from_slice(own));
            sums[2 + width..].fill(own_objects * model.penalty());
        }
        ring::total(transport, &mut sums)?;
        let penalty = sums.get(2 + width).map_or(0.0, |weighted| weighted / sums[1]);
        fit.reached(sums[0], penalty, method.limits);
        if !fit.goes_on(method.limits) {
            return Ok(fit);
        }
        if let Some(model) = model.as_deref_mut() {
            let totals = sums[2..2 + width].chunks_exact(common.clusters);
            model.sums_mut().zip(totals).for_each(|(own, total)| own.copy_from_slice(total));
            model.maximise(sums[1]);
        }
    }
}
