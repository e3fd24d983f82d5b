//! What the tests of the built program share: a folder to run in, specs to run, results to compare.
#![allow(dead_code, reason = "each test program uses its own part")]

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use tempfile::TempDir;

/// A folder of its own for one test; the program has the bundled datasets in itself.
pub struct Workshop {
    folder: TempDir,
}

impl Workshop {
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a temporary folder can be made") }
    }

    /// As [`Workshop::new`], in memory where the machine has a place for that: for tests that flush to disk thousands of times.
    pub fn in_memory() -> Self {
        let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir());
        Self { folder: folder.expect("a temporary folder can be made") }
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path().join(name);
        std::fs::write(&path, text).expect("the test's folder is writable");
        path
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// The program, set to run in this folder.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("conclave"));
        command.current_dir(self.path()).args(arguments).stdin(Stdio::null()).env_remove("CONCLAVE_DATA");
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Ran {
        Ran::from(self.command(arguments).output().expect("the program can be started"))
    }

    /// A line of sh in this folder; `conclave` is the program.
    pub fn shell(&self, line: &str) -> Ran {
        let program = assert_cmd::cargo::cargo_bin!("conclave");
        let script = format!("conclave() {{ '{}' \"$@\"; }}\n{line}", program.display());
        let mut command = Command::new("sh");
        command.args(["-c", &script]).current_dir(self.path()).stdin(Stdio::null()).env_remove("CONCLAVE_DATA");
        Ran::from(command.output().expect("sh can be started"))
    }

    /// As [`Workshop::shell`], with files that cannot grow beyond some blocks of 512 bytes, as on a full disk.
    pub fn on_a_small_disk(&self, blocks: usize, line: &str) -> Ran {
        // With the signal ignored, writing beyond the limit is an error.
        self.shell(&format!("trap '' XFSZ; ulimit -f {blocks}; {line}"))
    }

    /// The journal of a run of everything (`everything`) or of a shard (`2-of-4`); the newest, where several were left.
    pub fn journal(&self, experiment: &str, stem: &str) -> Option<PathBuf> {
        let entries = std::fs::read_dir(self.path().join("results").join(experiment).join("running")).ok()?;
        let ours = entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            name.starts_with(&format!("{stem}.")) && name.ends_with(".jsonl")
        });
        ours.max_by_key(|path| std::fs::metadata(path).and_then(|data| data.modified()).ok())
    }

    /// Starts the program on the experiment `slow` and waits until it has finished some cells. Returns its journal, too.
    pub fn start(&self, arguments: &[&str], stem: &str) -> (Child, PathBuf) {
        let mut command = self.command(arguments);
        let mut child =
            command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the program can be started");
        let lines =
            |path: &Path| std::fs::read(path).map_or(0, |bytes| bytes.iter().filter(|&&byte| byte == b'\n').count());
        loop {
            if let Some(journal) = self.journal("slow", stem).filter(|journal| lines(journal) >= 2) {
                return (child, journal);
            }
            assert!(child.try_wait().expect("it can be asked").is_none(), "the experiment is too quick for this test");
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

pub fn kill(mut child: Child) {
    child.kill().expect("a running program can be killed");
    child.wait().expect("it ends");
}

/// How a run of the program ended.
#[derive(Debug)]
pub struct Ran {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).expect("the program writes UTF-8"),
            err: String::from_utf8(output.stderr).expect("the program writes UTF-8"),
        }
    }
}

impl Ran {
    #[track_caller]
    pub fn ok(self) -> Self {
        assert_eq!(self.code, Some(0), "out: {}\nerr: {}", self.out, self.err);
        self
    }

    #[track_caller]
    pub fn refused(self, words: &[&str]) -> Self {
        assert_eq!(self.code, Some(2), "out: {}\nerr: {}", self.out, self.err);
        for word in words {
            assert!(self.err.contains(word), "`{word}` is not in:\n{}", self.err);
        }
        self
    }

    pub fn last_line(&self) -> &str {
        self.out.lines().last().unwrap_or_default()
    }

    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}", self.out))
    }
}

/// A small experiment: a few hundred cells, a fraction of a second.
pub const SMALL: &str = r#"
name = "small"
seed = 7
datasets = ["iris", "wine"]
metrics = ["accuracy", "ari"]
repeats = 3

[ensemble]
generator = "kmeans"
size = 6
count = 6

[sweep]
ensemble.k = [2, "classes"]

[[method]]
name = "kmeans"

[[method]]
name = "mm"
restarts = 2

[[table]]
id = "accuracy"
metric = "accuracy"
rows = ["dataset", "ensemble.k"]
"#;

/// An experiment of the same shape that takes some seconds even on a fast machine, in many small cells.
pub fn slow() -> String {
    slowed("restarts = 200", 20)
}

/// As [`slow`], but `mm` never ends before its deadline.
pub fn hopeless() -> String {
    slowed("restarts = 1000000\ndeadline = 0.02", 1)
}

fn slowed(restarts: &str, repeats: usize) -> String {
    SMALL
        .replace("name = \"small\"", "name = \"slow\"")
        .replace("restarts = 2", &format!("{restarts}\ntolerance = 0.0\niterations = 300"))
        .replace("size = 6", "size = 25")
        .replace("repeats = 3", &format!("repeats = {repeats}"))
}
