//! The mixture model between a server and clients that own columns: the method of [`crate::distributed::mm_columns`].

use super::mm::{self, ITERATIONS, OBJECTIVE, RESTARTS, TOLERANCE};
use super::v_bce_columns::CLIENTS;
use super::{Accepts, Consensus, Halt, MethodInfo, Parties, Predicts, Shape, Solution, Task};
use crate::distributed::columns::Part;
use crate::distributed::forms::{ColumnForm, ColumnsFound, Common, End, Form, combine_columns};
use crate::distributed::mm_columns::{Known, client, server};
use crate::distributed::transport::{Ended, Transport};

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

impl MmColumns {
    fn known<'a>(&self, common: &Common<'a>) -> Known<'a> {
        let Common { clusters, id, watch, columns, objects, .. } = *common;
        let mm::Mm { restarts, limits, .. } = self.centralised;
        Known { objects, clients: columns.len(), clusters, id, restarts, limits, watch }
    }
}

impl ColumnForm for MmColumns {
    fn client(&self, part: &Part, common: &Common, transport: &mut dyn Transport) -> Result<(), Ended> {
        client(part, &self.known(common), transport)
    }

    fn server(&self, common: &Common, transport: &mut dyn Transport) -> Result<ColumnsFound, Ended> {
        let found = server(&self.known(common), transport)?;
        Ok(ColumnsFound { end: End::of_mm(found.fit, found.spent), memberships: found.memberships })
    }
}

impl Consensus for MmColumns {
    fn combine(&self, task: &Task) -> Result<Solution, Halt> {
        combine_columns(self, self.clients, task, OBJECTIVE)
    }

    fn form(&self) -> Option<Form<'_>> {
        Some(Form::Columns(self))
    }

    fn operations(&self, shape: &Shape) -> f64 {
        self.centralised.operations(shape)
    }

    fn bytes(&self, shape: &Shape) -> f64 {
        let clients = if self.clients == 0 { shape.columns } else { shape.columns.min(self.clients as f64) };
        let table = 8.0 * shape.objects * shape.clusters;
        let expanded = Shape { rows: shape.objects, ..*shape };
        (4.0 + 3.0 * clients) * table
            + 2.0 * expanded.ensemble_bytes()
            + 4.0 * clients * shape.objects
            + shape.own_memberships_bytes(shape.clusters)
    }
}
