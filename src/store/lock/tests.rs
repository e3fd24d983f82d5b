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
