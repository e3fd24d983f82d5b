//! Locks on a results folder: who may write there, on one machine or on many that share a file system.
//!
//! A lock is a file in `running/` that only its process writes. A process first makes its own lock, then looks at all
//! others and gives way when one that excludes it is held: of two that start at once at least one sees the other. That
//! needs nothing of the file system but that a new file is seen by whoever makes a file in the same folder afterwards;
//! NFS grants that, while its own locks are often switched off.
//!
//! A process that was killed leaves its lock behind. On the same machine it is known to be dead at once. A lock from
//! another machine counts as left behind when it was not touched for [`Rhythm::silence`], during which the newcomer
//! watches it; no clocks are compared.
//!
//! A process that was only suspended may go on after its lock was taken away. It must then change nothing more, and a look at
//! the lock is not enough: it may be suspended between the look and the change. The lock's [token](Lock::token), a
//! name that never comes again, is the fence: see [`super::folder`].

mod held;
mod purpose;

pub use held::{HeldLock, held};
pub use purpose::Purpose;

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::{Duration, Instant, SystemTime};

use super::folder::TEMPORARY;
use super::{At, StoreError};
use crate::files::atomic::remove_if_there;
use crate::files::leftovers::{self, Leftover};
use crate::files::process::{Holder, Life};

/// How often a lock is touched, and how long it may go without before its process counts as dead.
#[derive(Debug, Clone, Copy)]
struct Rhythm {
    beat: Duration,
    silence: Duration,
}

const RHYTHM: Rhythm = Rhythm { beat: Duration::from_secs(10), silence: Duration::from_secs(45) };

/// Of two processes that start at once, one waits this long for the other to give way.
const COURTESY: Duration = Duration::from_secs(1);

/// Between two looks at the locks of others.
const PAUSE: Duration = Duration::from_millis(50);

const SUFFIX: &str = ".lock";

/// A lock this process holds; it ends with the value, or with the process.
#[derive(Debug)]
pub(super) struct Lock {
    folder: PathBuf,
    purpose: Purpose,
    file: LockFile,
    /// Ends the touching when it is dropped.
    _beating: Sender<()>,
}

/// The file of a lock; it goes with the value, or when a signal ends the process.
#[derive(Debug)]
struct LockFile {
    path: PathBuf,
    _leftover: Leftover,
}

impl LockFile {
    /// Makes the file. It appears with its contents: one that nobody can read would have to be watched for as long as
    /// one from another machine.
    fn make(locks: &Path, purpose: Purpose) -> io::Result<(File, Self)> {
        let holder = serde_json::to_string(&Holder::this_process()).expect("texts and numbers are JSON");
        loop {
            let mut unfinished = tempfile::Builder::new()
                .prefix(&format!("{TEMPORARY}-{}.", purpose.stem()))
                .rand_bytes(8)
                .permissions(readable_by_all())
                .tempfile_in(locks)?;
            unfinished.write_all(holder.as_bytes())?;
            let name = unfinished.path().file_name().and_then(OsStr::to_str).unwrap_or_default();
            let path = locks.join(format!("{}{SUFFIX}", name.trim_start_matches(TEMPORARY).trim_start_matches('-')));
            let made = Self { _leftover: leftovers::register(&path), path };
            match fs::rename(unfinished.path(), &made.path) {
                // Whoever has the folder alone has just removed what is unfinished in it; its lock is there to be seen.
                Err(error) if error.kind() == ErrorKind::NotFound && locks.is_dir() => {}
                other => {
                    other?;
                    return Ok((unfinished.into_file(), made));
                }
            }
        }
    }
}

impl Drop for LockFile {
    fn drop(&mut self) {
        // What cannot be removed is known to be dead when this process has ended.
        let _ = remove_if_there(&self.path);
    }
}

impl Lock {
    /// Locks a folder for a purpose.
    pub(super) fn make(folder: &Path, purpose: Purpose) -> Result<Self, StoreError> {
        Self::make_in(folder, purpose, RHYTHM)
    }

    fn make_in(folder: &Path, purpose: Purpose, rhythm: Rhythm) -> Result<Self, StoreError> {
        let locks = locks_folder(folder);
        fs::create_dir_all(&locks).at(&locks)?;
        let (file, path) = LockFile::make(&locks, purpose).at(&locks)?;
        let beating = beat(file, rhythm).at(&locks)?;
        let lock = Self { folder: folder.to_owned(), purpose, file: path, _beating: beating };
        lock.outlast(rhythm)?;
        Ok(lock)
    }

    /// Waits until no lock of another process is in the way; gives up when one is held.
    fn outlast(&self, rhythm: Rhythm) -> Result<(), StoreError> {
        let (begun, folder, purpose) = (Instant::now(), &self.folder, self.purpose);
        let mut first_seen: HashMap<PathBuf, SystemTime> = HashMap::new();
        let mut has_spoken = false;
        loop {
            let others = held(folder)?.into_iter().filter(|other| other.path.file_name() != self.name());
            let mut silent = Vec::new();
            let mut is_waiting = false;
            for other in others.filter(|other| purpose.excludes(other.purpose)) {
                match other.life() {
                    Life::Dead => remove_if_there(&other.path).at(&other.path)?,
                    Life::Alive if self.name() < other.path.file_name() && begun.elapsed() < COURTESY => {
                        is_waiting = true
                    }
                    Life::Alive => return Err(other.in_the_way_of(folder, purpose)),
                    Life::Elsewhere => {
                        if *first_seen.entry(other.path.clone()).or_insert(other.touched) != other.touched {
                            return Err(other.in_the_way_of(folder, purpose));
                        }
                        silent.push(other);
                    }
                }
            }
            if silent.is_empty() && !is_waiting {
                return Ok(());
            }
            if begun.elapsed() >= COURTESY && !has_spoken {
                has_spoken = true;
                let who: Vec<String> = silent.iter().map(HeldLock::describe).collect();
                eprintln!("waiting to see whether these are still at work: {}", who.join("; "));
            }
            if begun.elapsed() >= rhythm.silence {
                silent.iter().try_for_each(|lock| remove_if_there(&lock.path).at(&lock.path))?;
            }
            std::thread::sleep(PAUSE);
        }
    }

    fn name(&self) -> Option<&OsStr> {
        self.file.path.file_name()
    }

    /// What names this lock and never names another one: "2-of-20.x7Kq2mPa".
    pub(super) fn token(&self) -> &str {
        let name = self.name().and_then(OsStr::to_str).expect("the name was made from ASCII");
        name.strip_suffix(SUFFIX).expect("the name was made with this ending")
    }

    /// Whether this process may still write.
    ///
    /// # Errors
    /// When another process assumed that this one had died, or the folder was deleted.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        // Opening, not asking for metadata: on NFS that asks the server.
        match File::open(&self.file.path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Err(self.lost()),
            other => other.map(|_| ()).at(&self.file.path),
        }
    }

    /// Why this process may not write any more.
    pub(super) fn lost(&self) -> StoreError {
        let folder = self.folder.clone();
        if locks_folder(&folder).is_dir() { StoreError::LostLock { folder } } else { StoreError::FolderGone { folder } }
    }
}

fn readable_by_all() -> fs::Permissions {
    use std::os::unix::fs::PermissionsExt;
    fs::Permissions::from_mode(0o644)
}

/// Touches the file now and then until the sender is dropped.
fn beat(file: File, rhythm: Rhythm) -> io::Result<Sender<()>> {
    let (sender, receiver) = mpsc::channel();
    std::thread::Builder::new().name("lock".to_owned()).spawn(move || {
        while receiver.recv_timeout(rhythm.beat) == Err(RecvTimeoutError::Timeout) {
            // Should it fail, others will sooner or later assume that this process died, and `check` will say so.
            let _ = file.set_modified(SystemTime::now());
        }
    })?;
    Ok(sender)
}

/// Where locks and journals are.
pub(super) fn locks_folder(folder: &Path) -> PathBuf {
    folder.join("running")
}

#[cfg(test)]
mod tests;
