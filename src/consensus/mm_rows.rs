//! The mixture model between parties that own rows: the method of [`crate::distributed::mm_rows`].

use super::mm::{self, ITERATIONS, OBJECTIVE, RESTARTS, TOLERANCE};
use super::task::strongest;
use super::v_bce_rows::PARTIES;
use super::{Accepts, Consensus, Halt, MethodInfo, Objective, Parties, Predicts, Shape, Solution, Task};
use crate::distributed::channels::Links;
use crate::distributed::drive;
use crate::distributed::mm_rows::{Known, party};
use crate::distributed::rows::Split;

pub(super) const INFO: MethodInfo = MethodInfo {
    name: "mm-rows",
    title: "Mixture model (EM), row-distributed",
    reference: "Topchy, Jain & Punch, §3; Wang, Shan & Banerjee, Table 2",
    parameters: &[PARTIES, RESTARTS, ITERATIONS, TOLERANCE],
    make: |params| Box::new(MmRows { parties: params.integer(PARTIES.name), centralised: mm::Mm::new(params) }),
    accepts: Accepts { parties: Parties::Rows { of: "mm" }, ..mm::INFO.accepts },
    predicts: Predicts::Nothing,
    ..mm::INFO
};

struct MmRows {
    parties: usize,
    centralised: mm::Mm,
}

impl Consensus for MmRows {
    fn combine(&self, task: &Task) -> Result<Solution, Halt> {
        let clusters = task.given_clusters()?;
        let split = Split::of(task, self.parties);
        let known = Known {
            arity: task.ensemble.arity(),
            clusters,
            id: task.id,
            restarts: self.centralised.restarts,
            limits: self.centralised.limits,
            watch: &task.watch,
        };
        let outcome = drive::run(split.parts(task.ensemble), Links::Ring, &task.watch, |part, transport| {
            party(&part, &known, transport)
        })?;
        let fit = outcome.results[0].fit;
        let memberships: Vec<Vec<f64>> = outcome.results.into_iter().map(|own| own.memberships).collect();
        let values = split.gather(task.ensemble, &memberships, clusters);
        let (partition, memberships) = strongest(&task.ensemble.expanded(), &values, clusters);
        Ok(Solution {
            objective: Some(Objective { name: OBJECTIVE, value: fit.log_likelihood }),
            iterations: fit.iterations,
            converged: fit.converged,
            memberships: Some(memberships),
            traffic: Some(outcome.traffic),
            ..Solution::of(partition)
        })
    }

    fn operations(&self, shape: &Shape) -> f64 {
        self.centralised.operations(shape)
    }
}
