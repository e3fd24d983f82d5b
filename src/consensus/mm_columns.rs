//! The mixture model between a server and clients that own columns: the method of [`crate::distributed::mm_columns`].

use super::mm::{self, ITERATIONS, OBJECTIVE, RESTARTS, TOLERANCE};
use super::task::strongest;
use super::v_bce_columns::CLIENTS;
use super::{Accepts, Consensus, Halt, MethodInfo, Objective, Parties, Predicts, Shape, Solution, Task};
use crate::distributed::columns;
use crate::distributed::mm_columns::{Found, Known, client, server};

pub(super) const INFO: MethodInfo = MethodInfo {
    name: "mm-columns",
    title: "Mixture model (EM), column-distributed",
    reference: "Topchy, Jain & Punch, §3; Wang, Shan & Banerjee, Table 2",
    parameters: &[CLIENTS, RESTARTS, ITERATIONS, TOLERANCE],
    make: |params| Box::new(MmColumns { clients: params.integer(CLIENTS.name), centralised: mm::Mm::new(params) }),
    accepts: Accepts { parties: Parties::Columns { of: "mm" }, ..mm::INFO.accepts },
    predicts: Predicts::Nothing,
    ..mm::INFO
};

struct MmColumns {
    clients: usize,
    centralised: mm::Mm,
}

impl Consensus for MmColumns {
    fn combine(&self, task: &Task) -> Result<Solution, Halt> {
        let clusters = task.given_clusters()?;
        let split = columns::split(task.ensemble, self.clients);
        let known = Known {
            objects: task.ensemble.objects(),
            clients: split.len(),
            clusters,
            id: task.id,
            restarts: self.centralised.restarts,
            limits: self.centralised.limits,
            watch: &task.watch,
        };
        let parts = columns::parts(task.ensemble, &split);
        let (Found { fit, memberships }, traffic) = columns::serve(
            parts,
            &task.watch,
            |transport| server(&known, transport),
            |part, transport| client(part, &known, transport),
        )?;
        let (partition, memberships) = strongest(&task.ensemble.expanded(), &memberships, clusters);
        Ok(Solution {
            objective: Some(Objective { name: OBJECTIVE, value: fit.log_likelihood }),
            iterations: fit.iterations,
            converged: fit.converged,
            memberships: Some(memberships),
            traffic: Some(traffic),
            ..Solution::of(partition)
        })
    }

    fn operations(&self, shape: &Shape) -> f64 {
        self.centralised.operations(shape)
    }
}
