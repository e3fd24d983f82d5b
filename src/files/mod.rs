//! Files that appear whole or not at all.

pub(crate) mod atomic;
