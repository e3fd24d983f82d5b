//! Files that make no sense without the process that made them: temporary files, locks. A signal that ends the process
//! takes them along.
//!
//! What ends by itself removes its own files; this is for the way out on which no destructor runs. A process that is
//! killed (`kill -9`) leaves them behind.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Files by the number of their registration: two guards may stand for the same file.
static REGISTERED: Mutex<Registered> = Mutex::new(Registered { next: 0, paths: BTreeMap::new() });

struct Registered {
    next: u64,
    paths: BTreeMap<u64, PathBuf>,
}

/// As long as it lives, its file is removed when a signal ends the process. Dropping it leaves the file alone.
#[derive(Debug)]
#[must_use = "a file is registered only as long as this lives"]
pub struct Leftover {
    number: u64,
}

/// Registers a file, which need not be there yet: register it before it is made.
pub fn register(path: impl Into<PathBuf>) -> Leftover {
    let mut registered = lock();
    let number = registered.next;
    registered.next += 1;
    registered.paths.insert(number, path.into());
    Leftover { number }
}

impl Drop for Leftover {
    fn drop(&mut self) {
        lock().paths.remove(&self.number);
    }
}

/// Removes every registered file. To be called by a process that ends: whoever registers another file, or is done with
/// one, waits for the end from now on, so that no new file appears and nobody complains about one that is gone.
pub fn remove_all() {
    let registered = lock();
    for path in registered.paths.values() {
        // It may not have been made yet, or may be gone by now.
        let _ = fs::remove_file(path);
    }
    std::mem::forget(registered);
}

fn lock() -> MutexGuard<'static, Registered> {
    // A panic elsewhere leaves a whole map.
    REGISTERED.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `remove_all` closes the registry for good, so it is tested through the built program (tests/stopping.rs).
    #[test]
    fn a_file_is_registered_as_long_as_its_guard_lives_also_when_two_stand_for_it() {
        let path = PathBuf::from("twice registered");
        let is_registered = || lock().paths.values().any(|registered| *registered == path);
        let one = register(&path);
        let other = register(&path);
        drop(one);
        assert!(is_registered());
        drop(other);
        assert!(!is_registered());
    }
}
