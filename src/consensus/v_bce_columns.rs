//! V-BCE between a server and clients that own columns: the method of [`crate::distributed::v_bce_columns`].

use super::v_bce::{ITERATIONS, OBJECTIVE, PRESET, RESTARTS, Settings, TOLERANCE};
use super::v_bce_rows::MOST_PARTIES;
use super::{
    Accepts, Answers, Clusters, Consensus, Direction, Halt, MethodInfo, Missing, Pairs, Parties, Predicts, Runs, Shape,
    Solution, Task,
};
use crate::distributed::columns::Part;
use crate::distributed::forms::{ColumnForm, ColumnsFound, Common, End, Form, combine_columns};
use crate::distributed::transport::{Ended, Transport};
use crate::distributed::v_bce_columns::{Known, client, server};
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
    answers: Answers::Memberships,
    pairs: Pairs::None,
    objective: OBJECTIVE,
    optimises: Direction::HigherIsBetter,
    parameters: &[CLIENTS, PRESET, RESTARTS, ITERATIONS, TOLERANCE],
    make: |params| Box::new(VBceColumns { clients: params.integer(CLIENTS.name), settings: Settings::of(params) }),
};

/// How many clients own columns.
pub(super) const CLIENTS: Parameter = Parameter {
    name: "clients",
    kind: Kind::Integer { min: 0, max: MOST_PARTIES },
    default: Default::Integer(0),
    help: "owners of neighbouring base clusterings; 0: one for each",
};

struct VBceColumns {
    clients: usize,
    settings: Settings,
}

impl VBceColumns {
    fn known<'a>(&self, common: &Common<'a>) -> Known<'a> {
        let Common { clusters, id, watch, columns, objects, .. } = *common;
        Known { objects, columns, clusters, id, settings: self.settings, watch }
    }
}

impl ColumnForm for VBceColumns {
    fn client(&self, part: &Part, common: &Common, transport: &mut dyn Transport) -> Result<(), Ended> {
        client(part, &self.known(common), transport)
    }

    fn server(&self, common: &Common, transport: &mut dyn Transport) -> Result<ColumnsFound, Ended> {
        let found = server(&self.known(common), transport)?;
        Ok(ColumnsFound { end: End::of_v_bce(found.fit, found.spent), memberships: found.memberships })
    }
}

impl Consensus for VBceColumns {
    fn combine(&self, task: &Task) -> Result<Solution, Halt> {
        combine_columns(self, self.clients, task, OBJECTIVE)
    }

    fn form(&self) -> Option<Form<'_>> {
        Some(Form::Columns(self))
    }

    fn operations(&self, shape: &Shape) -> f64 {
        60.0 * self.settings.restarts as f64 * shape.objects * shape.columns * shape.clusters
    }

    fn bytes(&self, shape: &Shape) -> f64 {
        let expanded = Shape { rows: shape.objects, ..*shape };
        let described = 8.0 * shape.objects * shape.columns * shape.clusters;
        4.0 * described
            + 2.0 * expanded.ensemble_bytes()
            + 8.0 * shape.objects * shape.clusters
            + shape.own_memberships_bytes(shape.clusters)
    }
}
