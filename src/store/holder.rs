//! Who holds a lock, and whether that process is still there.

pub(super) use crate::files::process::{Holder, Life};
