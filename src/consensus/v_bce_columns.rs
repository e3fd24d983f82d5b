//! V-BCE between a server and clients that own columns: the method of [`crate::distributed::v_bce_columns`].

use super::task::strongest;
use super::v_bce::{ITERATIONS, OBJECTIVE, PRESET, RESTARTS, Settings, TOLERANCE};
use super::{
    Accepts, Clusters, Consensus, Direction, Halt, MethodInfo, Missing, Objective, Parties, Predicts, Runs, Shape,
    Solution, Task,
};
use crate::distributed::columns;
use crate::distributed::v_bce_columns::{Found, Known, client, server};
use crate::params::{Default, Kind, Parameter};

pub(super) const INFO: MethodInfo = MethodInfo {
    name: "v-bce-columns",
    title: "Bayesian cluster ensemble, column-distributed",
    reference: "Wang, Shan & Banerjee, §5.2.2",
    version: 1,
    accepts: Accepts {
        missing: Missing::Accepted,
        clusters: Clusters::Given,
        parties: Parties::Columns { of: "v-bce" },
    },
    runs: Runs::Repeats,
    predicts: Predicts::Nothing,
    objective: OBJECTIVE,
    optimises: Direction::HigherIsBetter,
    parameters: &[CLIENTS, PRESET, RESTARTS, ITERATIONS, TOLERANCE],
    make: |params| Box::new(VBceColumns { clients: params.integer(CLIENTS.name), settings: Settings::of(params) }),
};

/// How many clients own columns.
pub(super) const CLIENTS: Parameter = Parameter {
    name: "clients",
    kind: Kind::Integer { min: 0 },
    default: Default::Integer(0),
    help: "owners of neighbouring base clusterings; 0: one for each",
};

struct VBceColumns {
    clients: usize,
    settings: Settings,
}

impl Consensus for VBceColumns {
    fn combine(&self, task: &Task) -> Result<Solution, Halt> {
        let clusters = task.given_clusters()?;
        let split = columns::split(task.ensemble, self.clients);
        let known = Known {
            objects: task.ensemble.objects(),
            columns: &split,
            clusters,
            id: task.id,
            settings: self.settings,
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
            objective: Some(Objective { name: OBJECTIVE, value: fit.lower_bound }),
            iterations: fit.iterations,
            converged: fit.converged,
            memberships: Some(memberships),
            traffic: Some(traffic),
            ..Solution::of(partition)
        })
    }

    fn operations(&self, shape: &Shape) -> f64 {
        60.0 * self.settings.restarts as f64 * shape.objects * shape.columns * shape.clusters
    }
}
