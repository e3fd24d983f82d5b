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

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::{Duration, Instant, SystemTime};

use super::folder::TEMPORARY;
use super::{At, StoreError};
use crate::files::atomic::remove_if_there;
use crate::files::leftovers::{self, Leftover};
use crate::files::process::{Holder, Life};
use crate::plan::Shard;

/// What a process does in a results folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// It computes one share and writes that share's journal.
    Shard(Shard),
    /// It writes everything: nobody else may write meanwhile.
    Everything,
    /// It hands shards to a scheduler.
    Submission,
}

impl Purpose {
    fn excludes(self, other: Self) -> bool {
        match (self, other) {
            (Self::Shard(one), Self::Shard(other)) => one == other,
            (Self::Shard(_), Self::Submission) | (Self::Submission, Self::Shard(_)) => false,
            _ => true,
        }
    }

    /// The shard that it computes; `None` for any other purpose.
    #[must_use]
    pub fn shard(self) -> Option<Shard> {
        match self {
            Self::Shard(shard) => Some(shard),
            _ => None,
        }
    }

    /// How its files are called.
    pub(super) fn stem(self) -> String {
        match self {
            Self::Shard(shard) => format!("{}-of-{}", shard.index(), shard.of()),
            Self::Everything => "everything".to_owned(),
            Self::Submission => "submission".to_owned(),
        }
    }

    pub(super) fn parse(stem: &str) -> Option<Self> {
        match stem {
            "everything" => Some(Self::Everything),
            "submission" => Some(Self::Submission),
            shard => {
                let (index, of) = shard.split_once("-of-")?;
                let of: NonZeroU32 = of.parse().ok()?;
                Some(Self::Shard(Shard::new(index.parse().ok()?, of)?))
            }
        }
    }
}

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

/// A lock on a results folder, as any process sees it.
#[derive(Debug)]
pub struct HeldLock {
    /// What for.
    pub purpose: Purpose,
    path: PathBuf,
    /// `None` while it is being written.
    holder: Option<Holder>,
    touched: SystemTime,
}

impl HeldLock {
    fn life(&self) -> Life {
        self.holder.as_ref().map_or(Life::Elsewhere, Holder::life)
    }

    /// Whether its process is at work, as far as can be told without waiting.
    #[must_use]
    pub fn seems_alive(&self) -> bool {
        match self.life() {
            Life::Alive => true,
            Life::Dead => false,
            Life::Elsewhere => self.touched.elapsed().map_or(true, |silence| silence < RHYTHM.silence),
        }
    }

    /// "shard 2/4, process 12 on node3".
    #[must_use]
    pub fn describe(&self) -> String {
        let what = match self.purpose {
            Purpose::Shard(shard) => format!("shard {shard}, "),
            Purpose::Everything => String::new(),
            Purpose::Submission => "a submission, ".to_owned(),
        };
        what + &self.process()
    }

    /// "process 12 on node3".
    #[must_use]
    pub fn process(&self) -> String {
        self.holder.as_ref().map_or_else(|| "a process that is just starting".to_owned(), Holder::describe)
    }

    fn in_the_way_of(&self, folder: &Path, purpose: Purpose) -> StoreError {
        let advice = match purpose {
            Purpose::Shard(_) => "",
            _ => ", or name another folder with --results",
        };
        StoreError::Locked { folder: folder.to_owned(), holder: self.describe(), advice }
    }
}

/// The locks on a results folder, in the order of their names; none when there is no folder.
///
/// # Errors
/// When the folder cannot be read.
pub fn held(folder: &Path) -> Result<Vec<HeldLock>, StoreError> {
    let mut found = Vec::new();
    for path in super::files_of(&locks_folder(folder))? {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let stem = name.strip_suffix(SUFFIX).and_then(|name| name.split_once('.')).map(|(stem, _)| stem);
        let Some(purpose) = stem.and_then(Purpose::parse) else { continue };
        let read = || -> io::Result<(String, SystemTime)> {
            let file = File::open(&path)?;
            Ok((io::read_to_string(&file)?, file.metadata()?.modified()?))
        };
        match read() {
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            other => {
                let (text, touched) = other.at(&path)?;
                found.push(HeldLock { purpose, holder: serde_json::from_str(&text).ok(), touched, path });
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    const QUICK: Rhythm = Rhythm { beat: Duration::from_millis(5), silence: Duration::from_millis(500) };

    fn shard(text: &str) -> Purpose {
        Purpose::Shard(text.parse().unwrap())
    }

    /// A lock that a process on another machine made.
    fn foreign(folder: &Path, purpose: Purpose) -> PathBuf {
        let path = locks_folder(folder).join(format!("{}.0000.lock", purpose.stem()));
        fs::create_dir_all(locks_folder(folder)).unwrap();
        let here = serde_json::to_string(&Holder::this_process()).unwrap();
        let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap();
        fs::write(&path, here.replace(boot.trim(), "another boot")).unwrap();
        path
    }

    #[test]
    fn a_purpose_is_read_from_its_stem() {
        for purpose in [shard("2/4"), Purpose::Everything, Purpose::Submission] {
            assert_eq!(Purpose::parse(&purpose.stem()), Some(purpose));
        }
        assert_eq!(Purpose::parse("5-of-4"), None);
    }

    #[test]
    fn shards_are_at_work_side_by_side_but_each_once_and_never_beside_everything() {
        let folder = tempfile::tempdir().unwrap();
        let lock = |purpose| Lock::make(folder.path(), purpose);
        let first = lock(shard("1/3")).unwrap();
        let others = [lock(shard("2/3")).unwrap(), lock(shard("1/2")).unwrap(), lock(Purpose::Submission).unwrap()];
        let refused = lock(shard("1/3")).unwrap_err().to_string();
        assert!(refused.contains(&format!("shard 1/3, process {} on ", std::process::id())), "{refused}");
        lock(Purpose::Everything).unwrap_err();
        lock(Purpose::Submission).unwrap_err();
        drop((first, others));
        let everything = lock(Purpose::Everything).unwrap();
        for purpose in [shard("1/3"), Purpose::Everything, Purpose::Submission] {
            lock(purpose).unwrap_err();
        }
        drop(everything);
        assert!(held(folder.path()).unwrap().is_empty());
    }

    #[test]
    fn of_many_that_start_at_once_at_most_one_gets_it() {
        let folder = tempfile::tempdir().unwrap();
        let locks: Vec<_> = std::thread::scope(|scope| {
            let starts = (0..8).map(|_| scope.spawn(|| Lock::make(folder.path(), Purpose::Everything).ok()));
            let starts: Vec<_> = starts.collect();
            starts.into_iter().map(|start| start.join().unwrap()).collect()
        });
        assert!(locks.iter().flatten().count() <= 1);
    }

    #[test]
    fn a_silent_lock_from_another_machine_is_taken_over_and_its_process_notices() {
        let folder = tempfile::tempdir().unwrap();
        let left_behind = foreign(folder.path(), Purpose::Everything);
        assert!(held(folder.path()).unwrap()[0].seems_alive(), "it was touched just now");
        let lock = Lock::make_in(folder.path(), Purpose::Everything, QUICK).unwrap();
        assert!(!left_behind.exists());
        lock.check().unwrap();
        fs::remove_file(&lock.file.path).unwrap();
        let lost = lock.check().unwrap_err().to_string();
        assert!(lost.contains("assumed that this process had died"), "{lost}");
    }

    #[test]
    fn a_lock_from_another_machine_that_is_touched_is_respected() {
        let folder = tempfile::tempdir().unwrap();
        let path = foreign(folder.path(), Purpose::Everything);
        let is_over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let file = File::options().write(true).open(&path).unwrap();
                while !is_over.load(Ordering::Relaxed) {
                    file.set_modified(SystemTime::now()).unwrap();
                    std::thread::sleep(Duration::from_millis(1));
                }
            });
            let patient = Rhythm { silence: Duration::from_secs(600), ..QUICK };
            let refused = Lock::make_in(folder.path(), shard("1/2"), patient);
            is_over.store(true, Ordering::Relaxed);
            assert!(matches!(refused, Err(StoreError::Locked { .. })));
        });
        assert!(path.exists());
    }

    #[test]
    fn what_a_dead_process_of_this_machine_left_is_no_obstacle() {
        let folder = tempfile::tempdir().unwrap();
        let path = foreign(folder.path(), Purpose::Everything);
        let mut dead = Holder::this_process();
        dead.process = u32::MAX;
        fs::write(&path, serde_json::to_string(&dead).unwrap()).unwrap();
        Lock::make(folder.path(), shard("1/2")).unwrap();
        assert!(!path.exists());
    }
}
