//! Every file operation of a run is struck once in every way: the process is killed before it or in the middle of it, the disk
//! is full, the disk answers with an error, the process is suspended while another one takes over. Afterwards every finished
//! cell is still in some file, and the next run ends with the bytes of an undisturbed one, computes no finished cell
//! again and leaves nothing lying about.
//!
//! The strikes are made by `tests/faults/shim.c`, between the program and the operating system.

mod common;

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use common::{Ran, Workshop};
use conclave::seed::Id;
use conclave::store;

/// Cells of a hundredth of a second. `quick` asks for a part of the paper's cells and `other` for cells and a picture of its
/// own, so that going to and fro moves them in both directions.
const TINY: &str = r#"
name = "tiny"
seed = 7
datasets = ["iris"]
metrics = ["accuracy"]

[ensemble]
generator = "kmeans"
k = 3
size = 4
count = 2

[[method]]
name = "kmeans"

[[method]]
name = "mm"

[[picture]]
id = "blocks"
kind = "co-association"
panel = "dataset"
order = "truth"

[scale.quick]
ensemble.count = 1

[scale.other]
ensemble.size = 3
"#;

const PAPER: &[&str] = &["run", "tiny.toml", "--no-report", "--threads", "1"];
const QUICK: &[&str] = &["run", "tiny.toml", "--no-report", "--threads", "1", "--scale", "quick"];
const OTHER: &[&str] = &["run", "tiny.toml", "--no-report", "--threads", "1", "--scale", "other"];
const FRESH: &[&str] = &["run", "tiny.toml", "--no-report", "--threads", "1", "--fresh"];
const FIRST: &[&str] = &["run", "tiny.toml", "--threads", "1", "--shard", "1/2"];
const SECOND: &[&str] = &["run", "tiny.toml", "--threads", "1", "--shard", "2/2"];
const MERGE: &[&str] = &["run", "tiny.toml", "--no-report", "--threads", "1", "--merge"];

/// The shim, or `None` where it cannot be built.
fn shim() -> Option<&'static Path> {
    static SHIM: OnceLock<Option<PathBuf>> = OnceLock::new();
    let build = || {
        let library = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("faults-{}.so", std::process::id()));
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults/shim.c");
        let built = Command::new("cc").args(["-shared", "-fPIC", "-O1", "-o"]).arg(&library).arg(source).status();
        let is_built = cfg!(target_os = "linux") && built.is_ok_and(|status| status.success());
        if !is_built {
            eprintln!("skipped: there is no C compiler for Linux here, so no fault can be injected");
        }
        is_built.then_some(library)
    };
    SHIM.get_or_init(build).as_deref()
}

/// What is done to a file operation.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Strike {
    Kill,
    Torn,
    Full,
    Io,
}

impl Strike {
    const ALL: [Self; 4] = [Self::Kill, Self::Torn, Self::Full, Self::Io];

    fn name(self) -> &'static str {
        match self {
            Self::Kill => "kill",
            Self::Torn => "torn",
            Self::Full => "full",
            Self::Io => "io",
        }
    }

    /// Whether it is another thing than a kill, or than nothing, for this operation.
    fn concerns(self, operation: &str) -> bool {
        match self {
            Self::Kill | Self::Io => true,
            Self::Torn => operation == "write",
            Self::Full => matches!(operation, "create" | "write" | "mkdir" | "sync"),
        }
    }
}

/// The program under the shim.
fn shimmed(workshop: &Workshop, arguments: &[&str]) -> Command {
    let mut command = workshop.command(arguments);
    command.env("LD_PRELOAD", shim().expect("it was built")).env("FAULT_ROOT", "results");
    command
}

/// The operations of a command, in their order: what and where, without the parts of names that never come again.
fn operations(workshop: &Workshop, arguments: &[&str]) -> Vec<(String, String)> {
    let log = workshop.path().join("operations.log");
    let output = shimmed(workshop, arguments).env("FAULT_LOG", &log).output().expect("the program can be started");
    Ran::from(output).ok();
    let lines = fs::read_to_string(&log).expect("the shim writes its log");
    let operation = |line: &str| {
        let mut words = line.split(' ').skip(1);
        let (what, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let name = path.rsplit('/').next().unwrap_or_default();
        let token = name.split(['.', '-']).find(|part| part.len() == 8 && part.chars().any(|c| c.is_ascii_uppercase()));
        (what.to_owned(), name.replace(token.unwrap_or("\n"), "TOKEN"))
    };
    lines.lines().map(operation).collect()
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder can be made");
    for entry in fs::read_dir(from).expect("the folder is there") {
        let entry = entry.expect("it can be read");
        if entry.path().is_dir() {
            copy(&entry.path(), &to.join(entry.file_name()));
        } else {
            fs::copy(entry.path(), to.join(entry.file_name())).expect("a file can be copied");
        }
    }
}

/// Cells in whole lines of journals, found without the program's help.
fn journaled(results: &Path) -> BTreeSet<String> {
    let mut cells = BTreeSet::new();
    for entry in fs::read_dir(results.join("running")).into_iter().flatten() {
        let path = entry.expect("it can be read").path();
        if path.extension().is_some_and(|ending| ending == "jsonl") {
            let bytes = fs::read(&path).expect("a journal can be read");
            let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
            let text = String::from_utf8_lossy(&bytes[..whole]).into_owned();
            cells.extend(text.split("\"cell\":\"").skip(1).map(|rest| rest.split('"').next().unwrap_or("").to_owned()));
        }
    }
    cells
}

/// The finished cells that a next run would find; each must have its seconds.
#[track_caller]
fn found(results: &Path, context: &str) -> BTreeSet<String> {
    let finished = store::load(results).unwrap_or_else(|error| panic!("{context}: {error}"));
    assert!(finished.values().all(|result| result.seconds.is_some()), "{context}: seconds are lost");
    finished.keys().map(Id::to_string).collect()
}

/// Files of a results folder by their names.
fn files(results: &Path) -> BTreeSet<String> {
    let names = |folder: &Path, prefix: &str| -> Vec<String> {
        let entries = fs::read_dir(folder).into_iter().flatten().map(|entry| entry.expect("it can be read"));
        let files = entries.filter(|entry| entry.path().is_file());
        files.map(|entry| format!("{prefix}{}", entry.file_name().to_string_lossy())).collect()
    };
    names(results, "").into_iter().chain(names(&results.join("running"), "running/")).collect()
}

/// Something that is done to a results folder.
struct Scenario {
    /// What was done before.
    before: &'static [&'static [&'static str]],
    /// What is struck.
    command: &'static [&'static str],
    /// Whether what was there before is to be kept.
    keeps: bool,
    /// What there must be afterwards, besides `cells.parquet` and `timings.parquet`.
    files: &'static [&'static str],
}

impl Scenario {
    fn prepared(&self) -> Workshop {
        let workshop = Workshop::in_memory();
        workshop.write("tiny.toml", TINY);
        for arguments in self.before {
            workshop.run(arguments).ok();
        }
        fs::create_dir_all(workshop.path().join("results")).expect("a folder can be made");
        workshop
    }

    fn strike_everything(&self) {
        if shim().is_none() {
            return;
        }
        let prepared = self.prepared();
        let undisturbed = Workshop::in_memory();
        undisturbed.write("tiny.toml", TINY);
        copy(&prepared.path().join("results"), &undisturbed.path().join("results"));
        let operations = operations(&undisturbed, self.command);
        let expected = undisturbed.read("results/tiny/cells.parquet");
        let everything = found(&undisturbed.path().join("results/tiny"), "undisturbed");
        let mut seen = BTreeSet::new();
        let mut struck = 0;
        for (number, operation) in (1..).zip(&operations) {
            for strike in Strike::ALL.into_iter().filter(|strike| strike.concerns(&operation.0)) {
                if seen.insert((operation.clone(), strike.name())) {
                    let context = format!("{} at {number}, {} {}", strike.name(), operation.0, operation.1);
                    self.strike_one(&prepared, (number, strike), &context, &expected, &everything);
                    struck += 1;
                }
            }
        }
        assert!(struck > 30, "only {struck} strikes");
    }

    fn strike_one(
        &self,
        prepared: &Workshop,
        (number, strike): (usize, Strike),
        context: &str,
        expected: &[u8],
        everything: &BTreeSet<String>,
    ) {
        let workshop = Workshop::in_memory();
        workshop.write("tiny.toml", TINY);
        copy(&prepared.path().join("results"), &workshop.path().join("results"));
        let results = workshop.path().join("results/tiny");
        let before = if self.keeps { found(&results, context) } else { BTreeSet::new() };
        let mut command = shimmed(&workshop, self.command);
        command.env("FAULT_AT", number.to_string()).env("FAULT_HOW", strike.name());
        check_end(strike, &command.output().expect("the program can be started"), context);
        let journaled = journaled(&results);
        let left = found(&results, context);
        assert!(left.is_superset(&before), "{context}: finished cells are lost");
        assert!(left.is_superset(&journaled), "{context}: cells of the journal are not found");
        let again = workshop.run(self.command);
        assert_eq!(again.code, Some(0), "{context}: {again:?}");
        let anew = everything.difference(&left).count();
        let computed = if anew == 0 { "nothing to compute".to_owned() } else { format!("computed {anew} cell") };
        assert!(!self.keeps || again.out.contains(&computed), "{context}: {computed} expected: {again:?}");
        assert!(workshop.read("results/tiny/cells.parquet") == expected, "{context}: other bytes");
        assert_eq!(&found(&results, context), everything, "{context}");
        let wanted: BTreeSet<String> =
            ["cells.parquet", "timings.parquet"].iter().chain(self.files).map(|&name| name.to_owned()).collect();
        // What estimates rest on is there or not, and nothing waits for it.
        let there: BTreeSet<String> = files(&results).into_iter().filter(|name| name != "costs.parquet").collect();
        assert_eq!(there, wanted, "{context}: {again:?}");
    }
}

/// A killed process is killed; any other ends with an error that names a file, or with nothing wrong.
#[track_caller]
fn check_end(strike: Strike, output: &Output, context: &str) {
    let said = String::from_utf8_lossy(&output.stderr);
    match (strike, output.status.code()) {
        (Strike::Kill | Strike::Torn, _) => assert_eq!(output.status.signal(), Some(9), "{context}: {output:?}"),
        (_, Some(0)) => {}
        (_, Some(2)) => {
            let reason = if strike == Strike::Full { "space" } else { "Input/output error" };
            assert!(said.contains("results") && said.contains(reason), "{context}: {said}");
        }
        _ => panic!("{context}: {output:?}"),
    }
    assert!(!said.contains("panicked") && !said.contains("thrift"), "{context}: {said}");
}

#[test]
fn a_first_run() {
    Scenario { before: &[], command: PAPER, keeps: true, files: &["pictures.parquet"] }.strike_everything();
}

#[test]
fn from_the_papers_scale_to_a_part_of_it() {
    let files = &["archive.parquet", "pictures.parquet"];
    Scenario { before: &[PAPER], command: QUICK, keeps: true, files }.strike_everything();
}

#[test]
fn and_back_again() {
    let files = &["archive.parquet", "pictures.parquet"];
    Scenario { before: &[PAPER, QUICK], command: PAPER, keeps: true, files }.strike_everything();
}

#[test]
fn to_a_scale_with_other_cells_and_another_picture() {
    let files = &["archive.parquet", "pictures.parquet", "pictures-archive.parquet"];
    Scenario { before: &[PAPER], command: OTHER, keeps: true, files }.strike_everything();
}

#[test]
fn between_two_scales_where_everything_changes_places() {
    let files = &["archive.parquet", "pictures.parquet", "pictures-archive.parquet"];
    Scenario { before: &[PAPER, OTHER], command: PAPER, keeps: true, files }.strike_everything();
}

#[test]
fn from_shards_to_one_file() {
    Scenario { before: &[FIRST, SECOND], command: MERGE, keeps: true, files: &["pictures.parquet"] }
        .strike_everything();
}

#[test]
fn results_that_are_discarded() {
    Scenario { before: &[PAPER], command: FRESH, keeps: false, files: &["pictures.parquet"] }.strike_everything();
}

/// A run is suspended before one of its file operations. Another process, which believes itself on another machine, waits, assumes
/// that the first one died, takes over and finishes. Then the first one goes on.
fn suspend(before: &'static [&'static [&'static str]], command: &'static [&'static str]) {
    if shim().is_none() {
        return;
    }
    let scenario = Scenario { before, command, keeps: true, files: &[] };
    let prepared = scenario.prepared();
    let undisturbed = Workshop::in_memory();
    undisturbed.write("tiny.toml", TINY);
    copy(&prepared.path().join("results"), &undisturbed.path().join("results"));
    let operations = operations(&undisturbed, command);
    let mut never_reached = 0;
    // Up to the removal of its lock: from then on nothing is left to do.
    for number in 1..operations.len() {
        let (what, name) = &operations[number - 1];
        let context = format!("suspended at {number}, {what} {name}");
        let workshop = Workshop::in_memory();
        workshop.write("tiny.toml", TINY);
        workshop.write("boot", "another boot of another machine\n");
        copy(&prepared.path().join("results"), &workshop.path().join("results"));
        let results = workshop.path().join("results/tiny");
        let mut first = shimmed(&workshop, command);
        first.env("FAULT_AT", number.to_string()).env("FAULT_HOW", "stop");
        let first = first.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it can be started");
        if !stops(first.id(), &context) {
            // Jobs that end together are flushed together: on a busy machine a run may have an operation less than another.
            let ended = Ran::from(first.wait_with_output().expect("it has ended"));
            assert_eq!(ended.code, Some(0), "{context}: {ended:?}");
            never_reached += 1;
            continue;
        }
        // With more to do than the first: what it wrote must not be replaced by less.
        let mut second = shimmed(&workshop, if command == PAPER { OTHER } else { PAPER });
        second.env("FAULT_BOOT", "boot").env("FAULT_HASTE", "200");
        let second = Ran::from(second.output().expect("it can be started"));
        assert_eq!(second.code, Some(0), "{context}: {second:?}");
        let (cells, known) = (workshop.read("results/tiny/cells.parquet"), found(&results, &context));
        signal(first.id(), "-CONT");
        let ended = first.wait_with_output().expect("it ends");
        let said = String::from_utf8_lossy(&ended.stderr);
        match ended.status.code() {
            // It may find that it never had the folder, or that it lost it.
            Some(2) => assert!(
                said.contains("assumed that this process had died") || said.contains("is being written"),
                "{context}: {said}"
            ),
            // It had not begun: it may do its work after the other one, as any process may.
            Some(0) if !second.err.contains("waiting to see") => {
                assert!(found(&results, &context).is_superset(&known), "{context}: cells are lost");
                continue;
            }
            // Everything was written before it was suspended.
            Some(0) => {}
            _ => panic!("{context}: {ended:?}"),
        }
        assert!(workshop.read("results/tiny/cells.parquet") == cells, "{context}: newer results were replaced: {said}");
        assert!(found(&results, &context).is_superset(&known), "{context}: cells are lost");
        let again = workshop.run(if command == PAPER { OTHER } else { PAPER }).ok();
        assert!(again.out.contains("nothing to compute"), "{context}: {again:?}");
        assert!(files(&results).iter().all(|name| !name.contains("tmp") && !name.starts_with("running/")), "{context}");
    }
    let tried = operations.len();
    assert!(never_reached * 10 <= tried, "{never_reached} of {tried} operations were never reached");
}

/// Waits until the process is suspended (true) or has ended without that (false).
fn stops(process: u32, context: &str) -> bool {
    let begun = Instant::now();
    loop {
        let state = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        match state.rsplit_once(')').and_then(|(_, rest)| rest.trim_start().chars().next()) {
            Some('T') => return true,
            Some('Z') | None => return false,
            Some(_) => {}
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "{context}: it never came there");
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn signal(process: u32, signal: &str) {
    let sent = Command::new("kill").args([signal, &process.to_string()]).status();
    assert!(sent.expect("kill can be started").success());
}

#[test]
fn a_first_run_that_was_suspended_while_another_process_finished() {
    suspend(&[], PAPER);
}

#[test]
fn a_move_between_scales_that_was_suspended_while_another_process_finished() {
    suspend(&[PAPER, OTHER], QUICK);
}

#[test]
fn a_shard_that_was_suspended_while_another_process_finished() {
    suspend(&[FIRST], SECOND);
}
