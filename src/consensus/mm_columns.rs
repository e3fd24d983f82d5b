//! The mixture model between a server and clients that own columns: the method of [`crate::distributed::mm_columns`].

use super::mm::{self, OBJECTIVE};
use super::task::strongest;
use super::v_bce_columns::CLIENTS;
use super::{Accepts, Consensus, Halt, MethodInfo, Objective, Parties, Predicts, Shape, Solution, Task};
use crate::distributed::channels::Links;
use crate::distributed::mm_columns::{Found, Known, client, server};
use crate::distributed::{columns, drive};

pub(super) const INFO: MethodInfo = MethodInfo {
    name: "mm-columns",
    title: "Mixture model (EM), column-distributed",
    reference: "Topchy, Jain & Punch, §3; Wang, Shan & Banerjee, Table 2",
    parameters: &[CLIENTS, mm::INFO.parameters[0], mm::INFO.parameters[1], mm::INFO.parameters[2]],
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
        // Party 0 is the server, which owns no labels.
        let clients = columns::parts(task.ensemble, &split).into_iter().map(Some);
        let parts: Vec<Option<columns::Part>> = std::iter::once(None).chain(clients).collect();
        let outcome = drive::run(parts, Links::Star, &task.watch, |part, transport| match part {
            None => server(&known, transport).map(Some),
            Some(part) => client(&part, &known, transport).map(|()| None),
        })?;
        let Found { fit, memberships } =
            outcome.results.into_iter().flatten().next().expect("the server finished like everybody else");
        let (partition, memberships) = strongest(&task.ensemble.expanded(), &memberships, clusters);
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
