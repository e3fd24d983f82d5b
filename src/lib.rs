//! conclave reproduces the cluster-ensemble literature from declarative specs, and finds a consensus for labels of your
//! own. This page is a tutorial of the library; the program and its specs are described in the README and in `docs/`.
//!
//! # Labels → ensemble → consensus → metrics
//!
//! An ensemble is a table of labels: a row for each object, a column for each base clustering. Labels are any text, and
//! may be missing. Three clusterings of six objects:
//!
//! ```
//! use conclave::ensemble::EnsembleBuilder;
//!
//! let mut builder = EnsembleBuilder::new(3);
//! builder.push([Some("a"), Some("1"), Some("x")])?;
//! builder.push([Some("a"), Some("1"), Some("x")])?;
//! builder.push([Some("a"), Some("1"), None])?;
//! builder.push([Some("b"), Some("2"), Some("y")])?;
//! builder.push([Some("b"), Some("2"), Some("x")])?;
//! builder.push([Some("b"), Some("2"), Some("y")])?;
//! let ensemble = builder.finish()?;
//! // Equal rows are stored once: methods work on four rows with multiplicities, not on six objects.
//! assert_eq!((ensemble.objects(), ensemble.rows(), ensemble.missing()), (6, 4, 1));
//! # Ok::<(), conclave::ensemble::EnsembleError>(())
//! ```
//!
//! A method is found by name, made from checked parameters, and given a task. Every random number of a run follows from
//! the task's id, so the same task gives the same answer on every machine:
//!
//! ```
//! # use conclave::ensemble::{Ensemble, Labels};
//! # let columns = [[0, 0, 0, 1, 1, 1], [0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 0, 1]].map(|codes| Labels::from_codes(codes.to_vec()));
//! # let ensemble = Ensemble::from_columns(&columns).unwrap();
//! use conclave::consensus::{self, Task, Watch};
//! use conclave::params::Params;
//! use conclave::seed::Id;
//!
//! let method = consensus::find("mm").expect("the mixture model is there");
//! let params = Params::defaults(method.parameters);
//! let id = Id::of("tutorial", &[&7u64.to_le_bytes()]);
//! let task = Task { ensemble: &ensemble, clusters: Some(2), repeat: 0, id, watch: Watch::default() };
//! let solution = method.make(&params).combine(&task)?;
//! assert_eq!(solution.partition.clusters(), 2);
//!
//! use conclave::ensemble::Partition;
//! use conclave::metric::{self, Contingency};
//!
//! let truth = Partition::from_codes(&[0, 0, 0, 1, 1, 1]);
//! let contingency = Contingency::new(&solution.partition, &truth);
//! let ari = metric::find("ari").expect("the adjusted Rand index is there");
//! assert_eq!(ari.evaluate(&solution.partition, Some(&contingency)), Some(1.0));
//! # Ok::<(), conclave::consensus::Halt>(())
//! ```
//!
//! # A method of your own
//!
//! A method is anything that is [`Consensus`](consensus::Consensus). This one gives two objects the same cluster when all
//! base clusterings do, which is what distinct rows are:
//!
//! ```
//! use conclave::consensus::{Consensus, Halt, Shape, Solution, Task, Watch};
//! use conclave::ensemble::{Ensemble, Labels};
//! use conclave::seed::Id;
//!
//! struct Unanimous;
//!
//! impl Consensus for Unanimous {
//!     fn combine(&self, task: &Task) -> Result<Solution, Halt> {
//!         let rows: Vec<u32> = (0..).take(task.ensemble.rows()).collect();
//!         Ok(Solution::of(task.ensemble.partition_of_rows(&rows)))
//!     }
//!
//!     fn operations(&self, shape: &Shape) -> f64 {
//!         shape.objects
//!     }
//!
//!     fn bytes(&self, shape: &Shape) -> f64 {
//!         8.0 * shape.objects
//!     }
//! }
//!
//! let columns = [[0, 0, 1, 1], [0, 0, 1, 0]].map(|codes| Labels::from_codes(codes.to_vec()));
//! let ensemble = Ensemble::from_columns(&columns).expect("two clusterings of four objects");
//! let id = Id::of("tutorial", &[]);
//! let task = Task { ensemble: &ensemble, clusters: None, repeat: 0, id, watch: Watch::default() };
//! assert_eq!(Unanimous.combine(&task)?.partition.labels(), [0, 0, 2, 1]);
//! # Ok::<(), Halt>(())
//! ```
//!
//! To have it in specs and on the command line, see CONTRIBUTING; a method in another language is [a program](external).
//!
//! # The way of an experiment
//!
//! [`spec`] checks a TOML file, [`plan`] expands it into jobs and cells, [`run`] executes them, [`store`] keeps the
//! results, [`summary`] computes what a report shows, [`report`] writes it. One direction, no step reaches back.

// Before all others: its macros hold from here on.
#[macro_use]
pub mod streams;

pub use conclave_core::{
    allocation, cluster, consensus, ensemble, graph, metric, params, seed, special, stats, suggest,
};

pub mod claim;
pub mod cli;
pub mod data;
pub mod external;
pub mod facts;
pub mod files;
pub mod generate;
pub mod memory;
#[cfg(feature = "mpi")]
mod party;
pub mod picture;
pub mod pipeline;
pub mod plan;
pub mod report;
pub mod results;
pub mod run;
pub mod spec;
pub mod store;
pub mod summary;
