//! Consensus clustering: many clusterings of the same objects in, one clustering out.
//!
//! The methods are those of the literature on cluster ensembles, checked against its printed numbers: mixture models by EM,
//! Bayesian and nonparametric Bayesian ensembles, evidence accumulation, voting, cuts of graphs and hypergraphs. Labels may
//! be any text, may be missing, and may stay with several owners. The same seed gives the same answer on every machine.
//!
//! # One clustering from many
//!
//! ```
//! use conclave_core::{Ensemble, Method};
//!
//! // One row per object, one column per base clustering; an empty text is a missing label.
//! let ensemble = Ensemble::from_rows([
//!     ["a", "1", "x"],
//!     ["a", "1", "x"],
//!     ["a", "1", ""],
//!     ["b", "2", "y"],
//!     ["b", "2", "x"],
//!     ["b", "2", "y"],
//! ])?;
//! let answer = Method::find("v-bce")?.clusters(2).seed(7).combine(&ensemble)?;
//!
//! assert_eq!(answer.partition().by_first_object().labels(), [0, 0, 0, 1, 1, 1]);
//! assert!(answer.confidence().object(0) > 0.5);
//! println!("{:?}", answer.objective());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Method::find`] takes the name of a method: [`consensus`] has a page for each, with its equations. Without
//! [`Method::clusters`] the number of clusters is found by the method or by a rule ([`Count`]). [`Method::set`] sets a
//! parameter.
//!
//! # Which method?
//!
//! [`compare`] runs every method that applies, says how far they agree with the base clusterings and with each other, and
//! recommends one:
//!
//! ```
//! # use conclave_core::Ensemble;
//! # let rows = [["a", "1", "x"], ["a", "1", "x"], ["a", "1", "y"], ["b", "2", "y"], ["b", "2", "x"], ["b", "2", "y"]];
//! # let ensemble = Ensemble::from_rows(rows)?;
//! use conclave_core::{Comparison, compare};
//!
//! let compared = compare(&ensemble, &Comparison::all())?;
//! println!("{}", compared.reason);
//! for ranked in &compared.ranked {
//!     println!("{:12} mean NMI {:.3}", ranked.answer.method.name, ranked.mean_nmi);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How good is it?
//!
//! [`metric`] has the indices of a clustering against known classes:
//!
//! ```
//! use conclave_core::Partition;
//! use conclave_core::metric::{Contingency, ari, nmi_sqrt};
//!
//! let found = Partition::from_codes(&[0, 0, 1, 1, 1]);
//! let truth = Partition::from_codes(&[0, 0, 0, 1, 1]);
//! let table = Contingency::new(&found, &truth);
//! assert!(ari(&table) < nmi_sqrt(&table));
//! ```
//!
//! # A method of your own
//!
//! A method is anything that is [`Consensus`](consensus::Consensus). This one gives two objects the same cluster when all
//! base clusterings do, which is what distinct rows are:
//!
//! ```
//! use conclave_core::Ensemble;
//! use conclave_core::consensus::{Consensus, Halt, Shape, Solution, Task, Watch};
//! use conclave_core::seed::Id;
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
//! let ensemble = Ensemble::from_rows([["0", "0"], ["0", "0"], ["1", "1"], ["1", "0"]])?;
//! let task = Task { ensemble: &ensemble, clusters: None, repeat: 0, id: Id::from_seed(7), watch: Watch::default() };
//! assert_eq!(Unanimous.combine(&task)?.partition.labels(), [0, 0, 2, 1]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The rest of the shelf
//!
//! [`generate`] makes ensembles from a [`data::Dataset`] with the base clusterers of [`cluster`]; [`stats`] has the tests
//! and intervals that compare methods; [`stability`] asks which number of clusters is stable under resampling; [`graph`] cuts graphs and hypergraphs. Random numbers come from [`seed`], by name.

#![warn(unreachable_pub)]

mod answer;
mod compare;
mod method;

pub mod allocation;
pub mod cluster;
pub mod consensus;
pub mod data;
pub mod ensemble;
pub mod generate;
pub mod graph;
pub mod metric;
pub mod normal;
pub mod params;
pub mod seed;
pub mod special;
pub mod stability;
pub mod stats;
pub mod suggest;
pub mod threads;
mod vectors;

pub use answer::{Answer, Anything, Count, Permit, Permits};
pub use compare::{Compared, Comparison, LeftOut, NoAnswer, Ranked, Unfit, compare};
pub use ensemble::{Ensemble, EnsembleError, Partition};
pub use method::{Method, MethodError};
