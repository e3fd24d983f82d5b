//! The mixture model between parties that own rows: the method of [`crate::distributed::mm_rows`].

use super::mm::{self, ITERATIONS, OBJECTIVE, RESTARTS, TOLERANCE};
use super::v_bce_rows::PARTIES;
use super::{Accepts, Consensus, Halt, MethodInfo, Parties, Predicts, Shape, Solution, Task};
use crate::distributed::forms::{Assigned, Common, End, Form, RowForm, RowsFound, combine_rows};
use crate::distributed::mm_rows::{Known, party};
use crate::distributed::rows::Part;
use crate::distributed::transport::{Ended, Transport};

pub(super) const INFO: MethodInfo = MethodInfo {
    name: "mm-rows",
    title: "Mixture model (EM), row-distributed",
    reference: "Topchy, Jain & Punch, §3; Wang, Shan & Banerjee, Table 2",
    // Once since rows are dealt by what they say.
    version: mm::INFO.version + 1,
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

impl RowForm for MmRows {
    fn party(&self, part: &Part, common: &Common, transport: &mut dyn Transport) -> Result<RowsFound, Ended> {
        let Common { clusters, id, watch, arity, .. } = *common;
        let mm::Mm { restarts, limits, .. } = self.centralised;
        let own = party(part, &Known { arity, clusters, id, restarts, limits, watch }, transport)?;
        let assigned = Assigned::Memberships(own.memberships);
        Ok(RowsFound { end: End::of_mm(own.fit, own.spent), assigned, predictive: None })
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
