//! conclave reproduces the cluster-ensemble literature from declarative specs, and finds a consensus for labels of your
//! own. The program and its specs are described in the README and in `docs/`; the mathematics is a crate of its own,
//! [`conclave_core`], whose modules stand here as well.
//!
//! # The way of an experiment
//!
//! [`spec`] checks a TOML file, [`plan`] expands it into jobs and cells, [`run`] executes them, [`store`] keeps the
//! results, `results` groups them, `claim` judges what the papers say, [`summary`] computes what a report shows,
//! [`report`] writes it; [`pipeline`] does all of it. One direction: no step reaches back.
//!
//! # Labels of your own
//!
//! ```
//! use conclave::data::{LabelTable, Selection};
//! use conclave::{Comparison, compare};
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("labels.csv");
//! # std::fs::write(&path, "who,a,b,c\nann,1,x,2\nbob,1,x,2\ncid,1,x,1\ndan,2,y,1\neve,2,y,1\nfay,2,y,2\n")?;
//! # let path = path.to_str().expect("a path in UTF-8");
//! let selection = Selection { id: Some("who".to_owned()), ..Selection::default() };
//! let table = LabelTable::read(path, &selection)?;
//! let compared = compare(&table.ensemble, &Comparison::all().clusters(2))?;
//! assert_eq!(compared.recommended().partition().by_first_object().labels(), [0, 0, 0, 1, 1, 1]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![warn(unreachable_pub)]

// Before all others: its macros hold from here on.
#[macro_use]
pub mod streams;

pub use conclave_core::{
    Answer, Compared, Comparison, Ensemble, Method, MethodError, Partition, allocation, cluster, compare, consensus,
    ensemble, graph, metric, params, seed, special, stability, stats, suggest, threads,
};

mod bundle;
mod claim;
pub mod cli;
pub mod data;
pub mod external;
pub mod facts;
pub mod files;
pub mod generate;
mod memory;
#[cfg(feature = "mpi")]
mod party;
mod picture;
pub mod pipeline;
pub mod plan;
pub mod report;
mod results;
pub mod run;
pub mod spec;
pub mod store;
pub mod summary;
