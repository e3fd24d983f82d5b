//! V-BCE between parties that own rows: the method of [`crate::distributed::v_bce_rows`].

use std::sync::Arc;

use super::v_bce::predictive::Fitted;
use super::v_bce::{ITERATIONS, OBJECTIVE, PRESET, RESTARTS, Settings, TOLERANCE, rows_bytes};
use super::{
    Accepts, Answers, Clusters, Consensus, Direction, Halt, MethodInfo, Missing, Pairs, Parties, Predicts, Runs, Shape,
    Solution, Task,
};
use crate::distributed::forms::{Assigned, Common, End, Form, RowForm, RowsFound, combine_rows};
use crate::distributed::rows::Part;
use crate::distributed::transport::{Ended, Transport};
use crate::distributed::v_bce_rows::{Known, Variant, party};
use crate::params::{Default, Kind, Parameter};

pub(super) const INFO: MethodInfo = MethodInfo {
    name: "v-bce-rows",
    title: "Bayesian cluster ensemble, row-distributed",
    reference: "Wang, Shan & Banerjee, §5.2.1",
    version: 2,
    accepts: Accepts { missing: Missing::Accepted, clusters: Clusters::Given, parties: Parties::Rows { of: "v-bce" } },
    runs: Runs::Repeats,
    predicts: Predicts::Labels,
    answers: Answers::Memberships,
    pairs: Pairs::None,
    objective: OBJECTIVE,
    optimises: Direction::HigherIsBetter,
    parameters: &[PARTIES, VARIANT, PRESET, RESTARTS, ITERATIONS, TOLERANCE],
    make: |params| {
        let variant = if params.choice(VARIANT.name) == "exact" { Variant::Exact } else { Variant::Heuristic };
        Box::new(VBceRows { parties: params.integer(PARTIES.name), variant, settings: Settings::of(params) })
    },
};

/// How many parties own rows.
/// Every owner is a thread with a stack of its own.
pub(super) const MOST_PARTIES: i64 = 4096;

pub(super) const PARTIES: Parameter = Parameter {
    name: "parties",
    kind: Kind::Integer { min: 1, max: MOST_PARTIES },
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

impl RowForm for VBceRows {
    fn party(&self, part: &Part, common: &Common, transport: &mut dyn Transport) -> Result<RowsFound, Ended> {
        let Common { clusters, id, watch, arity, .. } = *common;
        let known = Known { arity, clusters, id, settings: self.settings, variant: self.variant, watch };
        let own = party(part, &known, transport)?;
        Ok(RowsFound {
            end: End::of_v_bce(own.fit, own.spent),
            assigned: Assigned::Memberships(own.memberships),
            predictive: Some(Arc::new(Fitted::new(own.parameters, id))),
        })
    }
}

impl Consensus for VBceRows {
    fn combine(&self, task: &Task) -> Result<Solution, Halt> {
        combine_rows(self, self.parties, task, OBJECTIVE)
    }

    fn form(&self) -> Option<Form<'_>> {
        Some(Form::Rows(self))
    }

    fn operations(&self, shape: &Shape) -> f64 {
        60.0 * self.settings.restarts as f64 * shape.objects * shape.columns * shape.clusters
    }

    fn bytes(&self, shape: &Shape) -> f64 {
        let parts = shape.in_rows(self.parties as f64);
        let tables = 64.0 * self.parties as f64 * shape.labels * shape.clusters;
        let found = 8.0 * parts.rows * shape.clusters + Shape { rows: shape.objects, ..*shape }.ensemble_bytes();
        2.0 * parts.ensemble_bytes()
            + rows_bytes(&parts)
            + tables
            + found
            + 8.0 * shape.objects * shape.clusters
            + shape.own_memberships_bytes(shape.clusters)
    }
}
