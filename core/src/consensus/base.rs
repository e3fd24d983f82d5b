//! The base clusterings themselves, so that tables can set a consensus beside what it was made of (the "base
//! clusterings" columns of bce Table 3 and nbce Table 2). Run r returns base clustering r unchanged.

use super::{Accepts, Clusters, Consensus, Direction, Halt, MethodInfo, Missing, Parties, Runs, Shape, Solution, Task};
use crate::ensemble::Partition;

pub(super) const INFO: MethodInfo = MethodInfo {
    name: "base",
    title: "Base clusterings",
    reference: "each base clustering as it is; one run per base clustering",
    accepts: Accepts { missing: Missing::Refused, clusters: Clusters::Found, parties: Parties::None },
    runs: Runs::Columns,
    objective: "none",
    optimises: Direction::Neither,
    maker: |_| Box::new(Base),
    ..MethodInfo::PLAIN
};

struct Base;

impl Consensus for Base {
    fn combine(&self, task: &Task) -> Result<Solution, Halt> {
        let labels = task.ensemble.column(task.repeat);
        Ok(Solution { iterations: 0, ..Solution::of(Partition::from_codes(labels.codes())) })
    }

    fn operations(&self, shape: &Shape) -> f64 {
        shape.objects
    }

    fn bytes(&self, shape: &Shape) -> f64 {
        16.0 * shape.objects
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::consensus::Watch;
    use crate::ensemble::{Ensemble, Labels};
    use crate::seed::Id;

    #[test]
    fn run_r_is_base_clustering_r() {
        let columns = [[0, 1, 0], [1, 1, 0]].map(|codes| Labels::from_codes(codes.to_vec()));
        let ensemble = Ensemble::from_columns(&columns).unwrap();
        for (repeat, column) in columns.iter().enumerate() {
            let id = Id::of("test", &[]);
            let task = Task { ensemble: &ensemble, clusters: None, repeat, id, watch: Watch::default() };
            assert_eq!(Base.combine(&task).unwrap().partition.labels(), column.codes());
        }
    }
}
