//! k-means on one-hot rows between parties that own rows: the method of [`crate::distributed::kmeans_rows`].

use super::kmeans::{self, ITERATIONS};
use super::v_bce_rows::PARTIES;
use super::{Accepts, Consensus, Halt, MethodInfo, Parties, Predicts, Shape, Solution, Task};
use crate::distributed::forms::{Assigned, Common, End, Form, RowForm, RowsFound, combine_rows};
use crate::distributed::kmeans_rows::{Known, party};
use crate::distributed::rows::Part;
use crate::distributed::transport::{Ended, Transport};

pub(super) const INFO: MethodInfo = MethodInfo {
    name: "kmeans-rows",
    title: "k-means on labels, row-distributed",
    reference: "Jagannathan & Wright, KDD 2005; Wang, Shan & Banerjee, Figure 4",
    // Once since rows are dealt by what they say.
    version: kmeans::INFO.version + 1,
    parameters: &[PARTIES, ITERATIONS],
    make: |params| {
        let (parties, iterations) = (params.integer(PARTIES.name), params.integer(ITERATIONS.name));
        Box::new(KMeansRows { parties, iterations })
    },
    accepts: Accepts { parties: Parties::Rows { of: "kmeans" }, ..kmeans::INFO.accepts },
    predicts: Predicts::Nothing,
    ..kmeans::INFO
};

struct KMeansRows {
    parties: usize,
    iterations: usize,
}

impl RowForm for KMeansRows {
    fn party(&self, part: &Part, common: &Common, transport: &mut dyn Transport) -> Result<RowsFound, Ended> {
        let Common { clusters, id, watch, arity, .. } = *common;
        let known = Known { labels: arity.iter().sum(), clusters, id, iterations: self.iterations, watch };
        let own = party(part, &known, transport)?;
        let (iterations, converged) = (own.iterations, own.converged);
        let end = End { objective: own.sum_of_squares, iterations, converged, spent: iterations };
        Ok(RowsFound { end, assigned: Assigned::Clusters(own.labels), predictive: None })
    }
}

impl Consensus for KMeansRows {
    fn combine(&self, task: &Task) -> Result<Solution, Halt> {
        combine_rows(self, self.parties, task, INFO.objective)
    }

    fn form(&self) -> Option<Form<'_>> {
        Some(Form::Rows(self))
    }

    fn operations(&self, shape: &Shape) -> f64 {
        5.0 * shape.objects * shape.columns * shape.clusters
    }

    fn bytes(&self, shape: &Shape) -> f64 {
        let (parties, parts) = (self.parties as f64, shape.in_rows(self.parties as f64));
        let table = 8.0 * (1.0 + shape.labels) * (1.0 + shape.clusters);
        2.0 * parts.ensemble_bytes() + 4.0 * parties * table + 16.0 * shape.objects + shape.partition_bytes()
    }
}
