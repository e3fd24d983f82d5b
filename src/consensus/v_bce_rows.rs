//! V-BCE between parties that own rows: the method of [`crate::distributed::v_bce_rows`].

use std::sync::Arc;

use super::task::strongest;
use super::v_bce::predictive::Fitted;
use super::v_bce::{ITERATIONS, OBJECTIVE, PRESET, RESTARTS, Settings, TOLERANCE};
use super::{
    Accepts, Clusters, Consensus, Direction, Halt, MethodInfo, Missing, Objective, Parties, Predicts, Runs, Shape,
    Solution, Task,
};
use crate::distributed::channels::Links;
use crate::distributed::drive;
use crate::distributed::rows::Split;
use crate::distributed::v_bce_rows::{Known, Variant, party};
use crate::params::{Default, Kind, Parameter};

pub(super) const INFO: MethodInfo = MethodInfo {
    name: "v-bce-rows",
    title: "Bayesian cluster ensemble, row-distributed",
    reference: "Wang, Shan & Banerjee, §5.2.1",
    version: 1,
    accepts: Accepts { missing: Missing::Accepted, clusters: Clusters::Given, parties: Parties::Rows { of: "v-bce" } },
    runs: Runs::Repeats,
    predicts: Predicts::Labels,
    objective: OBJECTIVE,
    optimises: Direction::HigherIsBetter,
    parameters: &[PARTIES, VARIANT, PRESET, RESTARTS, ITERATIONS, TOLERANCE],
    make: |params| {
        let variant = if params.choice(VARIANT.name) == "exact" { Variant::Exact } else { Variant::Heuristic };
        Box::new(VBceRows { parties: params.integer(PARTIES.name), variant, settings: Settings::of(params) })
    },
};

/// How many parties own rows.
pub(super) const PARTIES: Parameter = Parameter {
    name: "parties",
    kind: Kind::Integer { min: 1 },
    default: Default::Integer(2),
    help: "owners of rows, which are split among them evenly and at random",
};

const VARIANT: Parameter = Parameter {
    name: "variant",
    kind: Kind::Choice(&["exact", "heuristic"]),
    default: Default::Text("exact"),
    help: "exact: sums go around, as good as all rows in one place; heuristic: parameters go around (the paper's Figure 4)",
};

struct VBceRows {
    parties: usize,
    variant: Variant,
    settings: Settings,
}

impl Consensus for VBceRows {
    fn combine(&self, task: &Task) -> Result<Solution, Halt> {
        let clusters = task.given_clusters()?;
        let split = Split::of(task, self.parties);
        let known = Known {
            arity: task.ensemble.arity(),
            clusters,
            id: task.id,
            settings: self.settings,
            variant: self.variant,
            watch: &task.watch,
        };
        let outcome = drive::run(split.parts(task.ensemble), Links::Ring, &task.watch, |part, transport| {
            party(&part, &known, transport)
        })?;
        let mut own = outcome.results;
        let memberships: Vec<Vec<f64>> = own.iter_mut().map(|own| std::mem::take(&mut own.memberships)).collect();
        let values = split.gather(task.ensemble, &memberships, clusters);
        let (partition, memberships) = strongest(&task.ensemble.expanded(), &values, clusters);
        // The last party's parameters: all have the same, but for the heuristic, where it has the latest.
        let last = own.pop().expect("there is at least one party");
        Ok(Solution {
            objective: Some(Objective { name: OBJECTIVE, value: last.fit.lower_bound }),
            iterations: last.fit.iterations,
            converged: last.fit.converged,
            memberships: Some(memberships),
            predictive: Some(Arc::new(Fitted::new(last.parameters, task.id))),
            traffic: Some(outcome.traffic),
            ..Solution::of(partition)
        })
    }

    fn operations(&self, shape: &Shape) -> f64 {
        60.0 * self.settings.restarts as f64 * shape.objects * shape.columns * shape.clusters
    }
}
