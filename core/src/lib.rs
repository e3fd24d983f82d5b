//! Consensus clustering.

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
pub mod stats;
pub mod suggest;
