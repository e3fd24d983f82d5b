//! Consensus methods: a page for each, with its equations, and the table of all ([`all`]).
//!
//! | method | page |
//! |---|---|
//! | `aspect` | [aspect model of co-occurrences](aspect) |
//! | `base` | [the base clusterings themselves](base) |
//! | `be` | [pairwise probabilistic clustering](be) |
//! | `cspa` | [similarity graph](cspa) |
//! | `cumulative-voting` | [votes in proportion to overlap](cumulative_voting) |
//! | `eac-al`, `eac-cl`, `eac-sl` | [evidence accumulation](eac) |
//! | `ecpcs-hc` | [propagated similarities of base clusters](ecpcs) |
//! | `ecpcs-mc` | [meta-clusters by propagated similarities](ecpcs_mc) |
//! | `g-bce` | [Bayesian cluster ensemble by Gibbs sampling](g_bce) |
//! | `gp-mgla` | [graph partitioning with link analysis](gp_mgla) |
//! | `hbgf` | [bipartite graph](hbgf) |
//! | `hgpa` | [hypergraph](hgpa) |
//! | `kcc` | [k-means-based consensus, by utility](kcc) |
//! | `kmeans` | [k-means on labels](kmeans), [between owners of rows](distributed::kmeans_rows) (`kmeans-rows`) |
//! | `lwea` | [locally weighted evidence accumulation](lwea) |
//! | `lwgp` | [locally weighted graph partitioning](lwgp) |
//! | `mcla` | [meta-clustering](mcla) |
//! | `mm` | [mixture model](mm), between owners of [rows](distributed::mm_rows) (`mm-rows`) and of [columns](distributed::mm_columns) (`mm-columns`) |
//! | `nbce-cvb`, `nbce-gibbs`, `nbce-vb` | [nonparametric Bayesian ensembles](nbce): [sampling](nbce::gibbs), [variational](nbce::variational) |
//! | `nmf` | [non-negative matrix factorisation](nmf) |
//! | `peace` | [probabilistic evidence accumulation](peace) |
//! | `pta-al`, `pta-cl`, `pta-sl` | [probability trajectories](pta) |
//! | `ptgp` | [graph partitioning by probability trajectories](ptgp) |
//! | `qmi` | [quadratic mutual information](qmi) |
//! | `sec` | [spectral ensemble clustering by weighted k-means](sec) |
//! | `tcut` | [bipartite graph, cut spectrally](tcut) |
//! | `v-bce` | [Bayesian cluster ensemble by variational inference](v_bce), between owners of [rows](distributed::v_bce_rows) (`v-bce-rows`) and of [columns](distributed::v_bce_columns) (`v-bce-columns`) |
//! | `voting` | [relabelling and majority vote](voting) |
//! | `wct-al`, `wct-cl`, `wct-sl` | [weighted connected triples](wct) |
//! | `weac-al`, `weac-cl`, `weac-sl` | [weighted evidence accumulation](weac) |
//!
//! A method states what it accepts ([`Accepts`]), how often it is worth running ([`Runs`]) and its parameters; whoever
//! runs it does the rest. Adding one is a file here and a line in [`all`].

mod agreement;
pub mod aspect;
pub mod base;
mod base_clusters;
mod bce_predictive;
pub mod be;
mod cluster_count;
mod confidence;
mod count_kmeans;
pub mod cspa;
pub mod cumulative_voting;
mod dense_walk;
pub mod distributed;
pub mod eac;
pub mod ecpcs;
pub mod ecpcs_mc;
pub mod g_bce;
pub mod gp_mgla;
pub mod hbgf;
pub mod hgpa;
mod info;
pub mod kcc;
pub mod kmeans;
mod label_kmeans;
mod label_measure;
mod limits;
mod linked;
#[cfg(test)]
mod linked_oracle;
pub mod lwea;
pub mod lwgp;
pub mod mcla;
pub mod mm;
mod multiclass_cut;
pub mod nbce;
mod neighbour_chain;
pub mod nmf;
mod pairs;
mod partitioner;
pub mod peace;
mod pieces;
pub mod pta;
pub mod ptgp;
pub mod qmi;
#[cfg(test)]
mod registry_tests;
mod row_links;
mod row_lottery;
mod row_pairs;
mod row_sums;
mod row_tree;
mod screening;
mod seats;
pub mod sec;
mod shape;
mod shared_counts;
mod similarity;
mod spanning_tree;
mod spectral_rows;
mod squares;
mod task;
pub mod tcut;
#[cfg(test)]
mod test_ensembles;
mod ties;
mod trajectories;
mod transfer_cut;
pub mod v_bce;
pub mod voting;
pub mod wct;
pub mod weac;

pub use agreement::{Togetherness, column_nmi, mean_nmi, nmi_with_others, togetherness};
pub use cluster_count::{CountRule, FoundCount, RangeEnd, find_count};
pub use confidence::Confidence;
pub use info::{
    Abilities, Accepts, AllPairs, Answers, Clusters, CountBy, MethodInfo, Missing, Parties, Predicts, Runs,
};
pub use shape::Shape;
pub use similarity::Similarity;
pub(crate) use task::strongest;
pub use task::strongest_of;
pub use task::{Halt, Memberships, Objective, Predictive, RowGraph, Solution, Task, Traffic, Watch};

use crate::metric::Direction;
use distributed::Form;

/// A way to combine base clusterings into one.
pub trait Consensus: Send + Sync {
    /// Finds the consensus.
    ///
    /// # Errors
    /// [`Halt`] when time is up, the run was cancelled, or the method cannot go on.
    fn combine(&self, task: &Task) -> Result<Solution, Halt>;

    /// Finds the consensus for each of these numbers of clusters, in this order, and hands each to `found`. The answers are
    /// those of [`Consensus::combine`], which a method may reach with less work: one tree, cut more than once.
    ///
    /// # Errors
    /// [`Halt`] as for [`Consensus::combine`], or what `found` answers.
    fn combine_each(
        &self,
        task: &Task,
        counts: &[usize],
        found: &mut dyn FnMut(Solution) -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        counts.iter().try_for_each(|&clusters| found(self.combine(&task.with_clusters(clusters))?))
    }

    /// The number of clusters by a rule that belongs to the method, where it has one; see [`find_count`].
    ///
    /// # Errors
    /// [`Halt`] as for [`Consensus::combine`].
    fn own_cluster_count(&self, _task: &Task) -> Result<Option<FoundCount>, Halt> {
        Ok(None)
    }

    /// A rough number of elementary operations, for estimates of a plan's time and for balancing shares of it.
    fn operations(&self, shape: &Shape) -> f64;

    /// Roughly how many bytes of memory a run takes at its peak, beside the ensemble: what needs more than there is, is not
    /// begun.
    fn bytes(&self, shape: &Shape) -> f64;

    /// The programs of its parties, where the labels may stay with several owners.
    fn form(&self) -> Option<Form<'_>> {
        None
    }
}

/// Every method, by name.
#[must_use]
pub fn all() -> &'static [&'static MethodInfo] {
    &[
        &aspect::INFO,
        &base::INFO,
        &be::INFO,
        &cspa::INFO,
        &cumulative_voting::INFO,
        &eac::AVERAGE,
        &eac::COMPLETE,
        &eac::SINGLE,
        &ecpcs::HIERARCHICAL,
        &ecpcs_mc::INFO,
        &g_bce::INFO,
        &gp_mgla::INFO,
        &hbgf::INFO,
        &hgpa::INFO,
        &kcc::INFO,
        &kmeans::INFO,
        &distributed::kmeans_rows::INFO,
        &lwea::INFO,
        &lwgp::INFO,
        &mcla::INFO,
        &mm::INFO,
        &distributed::mm_columns::INFO,
        &distributed::mm_rows::INFO,
        &nbce::CVB,
        &nbce::GIBBS,
        &nbce::VB,
        &nmf::INFO,
        &peace::INFO,
        &pta::AVERAGE,
        &pta::COMPLETE,
        &pta::SINGLE,
        &ptgp::INFO,
        &qmi::INFO,
        &sec::INFO,
        &tcut::INFO,
        &v_bce::INFO,
        &distributed::v_bce_columns::INFO,
        &distributed::v_bce_rows::INFO,
        &voting::INFO,
        &wct::AVERAGE,
        &wct::COMPLETE,
        &wct::SINGLE,
        &weac::AVERAGE,
        &weac::COMPLETE,
        &weac::SINGLE,
    ]
}

/// The method of that name.
#[must_use]
pub fn find(name: &str) -> Option<&'static MethodInfo> {
    all().iter().copied().find(|info| info.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solutions_have_memberships_where_methods_declare_them() {
        let (ensemble, _) = test_ensembles::Planted::new(2, 1).make();
        for info in all() {
            let method = info.make_default();
            let solution = test_ensembles::combine(&*method, &ensemble, 2, 1);
            assert_eq!(solution.memberships.is_some(), info.answers == Answers::Memberships, "{}", info.name);
        }
    }

    #[test]
    fn every_method_has_a_page() {
        let source = include_str!("mod.rs");
        let table: Vec<&str> = source.lines().filter(|line| line.starts_with("//! | `")).collect();
        for info in all() {
            let name = format!("`{}`", info.name);
            assert_eq!(table.iter().filter(|row| row.contains(&name)).count(), 1, "{name}");
        }
    }

    #[test]
    fn a_method_states_what_it_is() {
        for info in all() {
            let stated = [info.name, info.title, info.reference];
            assert!(stated.iter().all(|text| !text.is_empty()), "{stated:?}");
        }
    }

    #[test]
    fn a_distributed_form_names_the_method_it_is_a_form_of() {
        for info in all() {
            match info.accepts.parties {
                Parties::Rows { of } | Parties::Columns { of } => assert!(find(of).is_some(), "{}", info.name),
                Parties::None => {
                    assert!(!info.name.ends_with("-rows") && !info.name.ends_with("-columns"), "{}", info.name);
                }
            }
        }
        let abilities = find("mm").unwrap().abilities();
        assert!(abilities.rows_distributed && abilities.columns_distributed && abilities.missing);
    }

    #[test]
    fn a_distributed_form_optimises_what_its_method_does() {
        for info in all() {
            let family = find(info.family()).unwrap();
            assert_eq!((info.objective, info.optimises), (family.objective, family.optimises), "{}", info.name);
        }
    }

    #[test]
    fn names_are_sorted_and_unique_and_defaults_pass_their_own_check() {
        let names: Vec<&str> = all().iter().map(|info| info.name).collect();
        assert!(names.is_sorted_by(|a, b| a < b), "{names:?}");
        for info in all() {
            let _ = info.make_default();
        }
    }
}
