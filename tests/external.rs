//! Methods that are programs, through the built program: what works is a method like any other, and whatever goes wrong
//! is a row with its reason.

mod common;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use common::{Ran, Workshop};
use conclave::store::{TableLine, read_table};

/// Twelve cells of `mm` and, with one program, six of it.
const SPEC: &str = r#"
name = "mixed"
seed = 5
datasets = ["iris"]
metrics = ["accuracy", "clusters"]

[ensemble]
generator = "kmeans"
size = 4
count = 6

[[method]]
name = "mm"
repeats = 2
restarts = 2

[[table]]
id = "accuracy"
metric = "accuracy"
"#;

/// The first base clustering, as an awk script.
const FIRST: &str = "NR > 1 { print \"c\" $1 }\n";

/// A spec with a program beside `mm`; `keys` are further lines of its table.
fn spec_with(command: &str, keys: &str) -> String {
    format!("{SPEC}\n[[method]]\nname = \"mine\"\ncommand = {command}\nversion = \"1\"\n{keys}\n")
}

/// A spec whose program is `sh` running this script.
fn script(workshop: &Workshop, text: &str, keys: &str) -> Ran {
    workshop.write("mine.sh", text);
    workshop.write("mixed.toml", &spec_with(r#"["sh", "mine.sh"]"#, keys));
    workshop.run(&["run", "mixed.toml", "--no-report"])
}

fn lines(workshop: &Workshop) -> Vec<TableLine> {
    read_table(&workshop.path().join("results/mixed")).expect("the results can be read").lines
}

/// The reason that every run of the program failed for, after checking that nothing else did.
#[track_caller]
fn failure(workshop: &Workshop, ran: &Ran, status: &str) -> String {
    assert_eq!((ran.code, ran.last_line()), (Some(1), "18 cells: 12 done, 6 failed"), "{ran:?}");
    let lines = lines(workshop);
    let failed: Vec<&TableLine> = lines.iter().filter(|line| line.method == "mine").collect();
    assert!(failed.iter().all(|line| line.status == status && line.value.is_none()), "{failed:?}");
    failed[0].reason.clone().expect("a failure has its reason")
}

/// Values by cell and metric.
fn values(workshop: &Workshop, method: &str) -> BTreeMap<String, String> {
    let of_method = lines(workshop).into_iter().filter(|line| line.method == method);
    of_method.map(|line| (line.cell.clone(), format!("{line:?}"))).collect()
}

#[test]
fn a_program_is_in_the_table_beside_the_methods_of_the_library() {
    let workshop = Workshop::new();
    workshop.write("first.awk", FIRST);
    workshop.write("mixed.toml", &spec_with(r#"["awk", "-F,", "-f", "first.awk"]"#, "label = \"first column\""));
    let planned = workshop.run(&["plan", "mixed.toml"]).ok();
    assert!(planned.out.contains("first column  mine"), "{}", planned.out);
    let ran = workshop.run(&["run", "mixed.toml"]).ok();
    assert_eq!(ran.last_line(), "18 cells: 18 done, 0 failed");
    let report = String::from_utf8(workshop.read("reports/mixed/accuracy.csv")).expect("a table is text");
    assert!(report.contains("\niris,,mm,") && report.contains("\niris,,first column,"), "{report}");
    // The program returns a base clustering, so it is as good as one: `base` says how good they are.
    workshop.write(
        "base.toml",
        &SPEC.replace("\"mixed\"", "\"base\"").replace("\"mm\"\nrepeats = 2\nrestarts = 2", "\"base\""),
    );
    workshop.run(&["run", "base.toml", "--no-report"]).ok();
    let base = read_table(&workshop.path().join("results/base")).expect("the results can be read").lines;
    for line in lines(&workshop).iter().filter(|line| line.method == "first column") {
        let same = base.iter().any(|other| other.ensemble == line.ensemble && other.value == line.value);
        assert!(same, "{line:?}");
    }
}

#[test]
fn a_program_is_told_k_the_seed_and_its_parameters_and_gives_the_same_bytes_again() {
    let workshop = Workshop::new();
    workshop.write("mine.sh", "head -n 1 >> heard.txt\nhead -c 0\nseq 1 150 | sed 's/.*/one/'\n");
    workshop.write("mixed.toml", &spec_with(r#"["sh", "./mine.sh"]"#, "params = { alpha = 0.5, names = [\"a\"] }"));
    let run = ["run", "mixed.toml", "--no-report", "--only", "method=mine"];
    workshop.run(&run).ok();
    let heard = || {
        let text = String::from_utf8(workshop.read("heard.txt")).expect("headers are text");
        std::fs::remove_file(workshop.path().join("heard.txt")).expect("it is there");
        let mut headers: Vec<String> = text.lines().map(str::to_owned).collect();
        headers.sort();
        headers
    };
    let first = heard();
    assert_eq!(first.len(), 6);
    let header: serde_json::Value = serde_json::from_str(&first[0]).expect("a header is JSON");
    assert_eq!((&header["k"], &header["rows"], &header["columns"]), (&3.into(), &150.into(), &4.into()));
    assert_eq!(header["params"], serde_json::json!({ "alpha": 0.5, "names": ["a"] }));
    assert_eq!(header["arity"].as_array().map(Vec::len), Some(4));
    let seeds: std::collections::BTreeSet<u64> = first
        .iter()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok()?["seed"].as_u64())
        .collect();
    assert_eq!(seeds.len(), 6, "every cell has a seed of its own");
    let bytes = workshop.read("results/mixed/cells.parquet");
    workshop.run(&["run", "mixed.toml", "--no-report", "--only", "method=mine", "--fresh", "--threads", "1"]).ok();
    assert_eq!(heard(), first);
    assert!(workshop.read("results/mixed/cells.parquet") == bytes);
}

#[test]
fn another_version_computes_the_programs_cells_anew_and_no_others() {
    let workshop = Workshop::new();
    workshop.write("first.awk", FIRST);
    let spec = spec_with(r#"["awk", "-F,", "-f", "first.awk"]"#, "");
    workshop.write("mixed.toml", &spec);
    workshop.run(&["run", "mixed.toml", "--no-report"]).ok();
    let (others, own) = (values(&workshop, "mm"), values(&workshop, "mine"));
    // A changed file alone changes nothing: the version says when the answers change.
    workshop.write("first.awk", "NR > 1 { print \"same\" }\n");
    let ran = workshop.run(&["run", "mixed.toml", "--no-report"]).ok();
    assert!(ran.out.contains("nothing to compute, all 18 cells"), "{}", ran.out);
    workshop.write("mixed.toml", &spec.replace("version = \"1\"", "version = \"2\""));
    let ran = workshop.run(&["run", "mixed.toml", "--no-report"]).ok();
    assert!(ran.out.contains("computed 6 cells") && ran.out.contains("12 were already there"), "{}", ran.out);
    assert_eq!(values(&workshop, "mm"), others);
    assert!(values(&workshop, "mine").keys().all(|cell| !own.contains_key(cell)));
    // So does another parameter, or another argument; a deadline or a label does not.
    for (keys, computed) in [("params = { alpha = 1 }", true), ("deadline = 30\nmemory = \"1 GB\"", false)] {
        let changed = format!("{}{keys}\n", spec.replace("version = \"1\"", "version = 2"));
        workshop.write("mixed.toml", &changed);
        let ran = workshop.run(&["run", "mixed.toml", "--no-report"]).ok();
        assert_eq!(ran.out.contains("computed 6 cells"), computed, "{keys}: {}", ran.out);
    }
}

#[test]
fn a_programs_parameter_can_be_swept() {
    let workshop = Workshop::new();
    workshop.write("mine.sh", "read header\ncase $header in *'\"which\":2'*) f=2;; *) f=1;; esac\ncut -d, -f $f\n");
    let spec = spec_with(r#"["sh", "mine.sh"]"#, "params = { which = 1 }\n[sweep]\nmethod.mine.params.which = [1, 2]");
    let spec =
        spec.replace("id = \"accuracy\"", "id = \"accuracy\"\nrows = [\"dataset\", \"method.mine.params.which\"]");
    workshop.write("mixed.toml", &spec);
    let ran = workshop.run(&["run", "mixed.toml", "--no-report"]).ok();
    // Six ensembles: twelve cells of mm, whom the sweep does not touch, and six of each setting of the program.
    assert_eq!(ran.last_line(), "24 cells: 24 done, 0 failed");
    let swept = workshop.run(&["plan", "mixed.toml"]).ok();
    assert!(swept.out.contains("2 points over method.mine.params.which"), "{}", swept.out);
    workshop.write("mixed.toml", &spec.replace("params.which = [1, 2]", "params.wich = [1, 2]"));
    workshop
        .run(&["plan", "mixed.toml"])
        .refused(&["method.mine.params.wich", "did you mean `method.mine.params.which`?"]);
}

#[test]
fn nonsense_and_wrong_numbers_of_labels_are_rows_that_say_so() {
    let workshop = Workshop::new();
    let reason = |text: &str| {
        let ran = script(&workshop, text, "");
        let reason = failure(&workshop, &ran, "failed");
        std::fs::remove_dir_all(workshop.path().join("results")).expect("results can be removed");
        reason
    };
    assert_eq!(reason("echo hello world\n"), "the program printed 1 label for 150 objects");
    assert_eq!(reason("seq 1 151\n"), "the program printed 151 labels for 150 objects");
    assert_eq!(reason("seq 1 150\n"), "the program printed 150 different labels, k is 3");
    assert_eq!(reason(":\n"), "the program printed 0 labels for 150 objects");
    assert_eq!(reason("seq 1 150 | sed 's/^7$//; s/.*[0-9].*/a/'\n"), "the program printed no label in line 7");
    assert_eq!(reason("printf '\\377\\n'\n"), "the program printed line 1 in something other than UTF-8");
    assert_eq!(reason("exec ./not-here\n").lines().next().map(|line| line.contains("exit code 127")), Some(true));
}

#[test]
fn exit_codes_and_what_was_said_are_in_the_row_and_on_the_page() {
    let workshop = Workshop::new();
    workshop.write("mine.sh", "echo 'reading labels' >&2\necho 'singular matrix' >&2\nexit 3\n");
    workshop.write("mixed.toml", &spec_with(r#"["sh", "mine.sh"]"#, ""));
    let ran = workshop.run(&["run", "mixed.toml"]);
    let reason = failure(&workshop, &ran, "failed");
    let expected =
        "the program ended with exit code 3: singular matrix\nstandard error:\nreading labels\nsingular matrix";
    assert_eq!(reason, expected);
    let page = String::from_utf8(workshop.read("reports/mixed/report.md")).expect("a page is text");
    assert!(page.contains("6 cells failed: the program ended with exit code 3: singular matrix\n"), "{page}");
}

#[test]
fn a_program_that_finds_k_is_not_told_it_and_one_that_needs_every_label_is_refused_gaps() {
    let workshop = Workshop::new();
    let told = "read header\ncase $header in '{\"k\":null,'*) ;; *) exit 4;; esac\nseq 1 150\n";
    let ran = script(&workshop, told, "clusters = \"found\"").ok();
    assert_eq!(ran.last_line(), "18 cells: 18 done, 0 failed");
    let gaps =
        spec_with(r#"["sh", "mine.sh"]"#, "missing = \"refused\"").replace("seed = 5", "seed = 5\nmissing = 0.1");
    workshop.write("mixed.toml", &gaps);
    workshop
        .run(&["run", "mixed.toml"])
        .refused(&["`mine` cannot take missing labels, and `missing` = 0.1 makes them"]);
}

/// Whether a process that was started with this word among its arguments is still there.
fn is_running(word: &str) -> bool {
    let processes = std::fs::read_dir("/proc").expect("this system has /proc");
    processes.filter_map(Result::ok).any(|entry| {
        let arguments = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let ended = std::fs::read_to_string(entry.path().join("stat")).is_ok_and(|stat| stat.contains(") Z "));
        !ended && arguments.split(|&byte| byte == 0).any(|argument| argument == word.as_bytes())
    })
}

/// Waits until it is gone: being killed takes a moment.
#[track_caller]
fn assert_ends(word: &str) {
    let begun = Instant::now();
    while is_running(word) {
        assert!(begun.elapsed() < Duration::from_secs(30), "`{word}` is still running");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_program_that_hangs_is_killed_with_everything_it_started() {
    let workshop = Workshop::new();
    let ran = script(&workshop, "sleep 86411 &\necho 'waiting for Godot' >&2\nsleep 86411\n", "deadline = 2");
    let reason = failure(&workshop, &ran, "timed-out");
    assert_eq!(reason, "not finished after 2 s\nstandard error:\nwaiting for Godot");
    assert_ends("86411");
}

#[test]
fn a_child_that_outlives_its_program_neither_holds_the_run_up_nor_lives_on() {
    let workshop = Workshop::new();
    // The child inherits the pipes: until it ends, nobody sees their end.
    let ran = script(&workshop, "sleep 86412 &\nsleep 86412 &\nseq 1 150 | sed 's/.*/a/'\n", "").ok();
    assert_eq!(ran.last_line(), "18 cells: 18 done, 0 failed");
    assert_ends("86412");
}

#[test]
fn a_program_that_forks_without_end_is_killed_at_its_deadline() {
    let workshop = Workshop::new();
    // Each runs two more after a while: the number doubles every 50 ms, to some hundreds at the deadline.
    let fork = "sleep 0.05\nsh mine.sh 86413 &\nsh mine.sh 86413 &\nwait\n";
    let ran = script(&workshop, fork, "deadline = 0.4");
    assert_eq!(failure(&workshop, &ran, "timed-out").lines().next(), Some("not finished after 0.4 s"));
    assert_ends("86413");
}

/// A program with a child in a session of its own, one that was forked twice, and itself; all sleep this long.
fn escaping(sleep: &str) -> String {
    format!(
        "touch started\nsetsid sleep {sleep} &\n( setsid sh -c 'sleep {sleep} & sleep {sleep}' & )\nsleep {sleep}\n"
    )
}

#[test]
fn what_leaves_the_process_group_is_killed_at_the_deadline_all_the_same() {
    let workshop = Workshop::new();
    let ran = script(&workshop, &escaping("86415"), "deadline = 1");
    assert_eq!(failure(&workshop, &ran, "timed-out").lines().next(), Some("not finished after 1 s"));
    assert!(!is_running("86415"), "it was killed before its row was written");
}

#[test]
fn a_daemon_that_a_program_leaves_behind_neither_holds_the_run_up_nor_lives_on() {
    let workshop = Workshop::new();
    let daemon = "( setsid sleep 86416 & )\nseq 1 150 | sed 's/.*/a/'\n";
    assert_eq!(script(&workshop, daemon, "").ok().last_line(), "18 cells: 18 done, 0 failed");
    assert!(!is_running("86416"), "it was killed before its row was written");
}

/// Each process makes two more in sessions of their own, seven times over: while some are caught, others are born. Never
/// more than 255, so that nothing is left to grow should this fail.
#[test]
fn a_tree_that_grows_into_new_sessions_is_killed_while_it_grows() {
    let workshop = Workshop::new();
    workshop.write("grow.sh", "test $1 = 0 && exec sleep 86421\nsleep 0.05\nn=$(($1 - 1))\nsetsid sh grow.sh $n 86421 &\nsetsid sh grow.sh $n 86421 &\nwait\n");
    let ran = script(&workshop, "sh grow.sh 7 86421\n", "deadline = 0.25");
    assert_eq!(failure(&workshop, &ran, "timed-out").lines().next(), Some("not finished after 0.25 s"));
    assert_ends("86421");
}

/// A run whose program has started all its processes.
fn started(workshop: &Workshop, sleep: &str) -> std::process::Child {
    workshop.write("mine.sh", &escaping(sleep));
    workshop.write("mixed.toml", &spec_with(r#"["sh", "mine.sh"]"#, ""));
    let mut command = workshop.command(&["run", "mixed.toml", "--no-report"]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program can be started");
    while !workshop.path().join("started").exists() || !is_running(sleep) {
        assert!(child.try_wait().expect("it can be asked").is_none(), "it ended by itself");
        std::thread::sleep(Duration::from_millis(5));
    }
    child
}

#[test]
fn a_program_dies_with_conclave_however_that_dies() {
    for (signal, sleep) in [("-KILL", "86417"), ("-ABRT", "86418"), ("-INT", "86419")] {
        let workshop = Workshop::new();
        let mut child = started(&workshop, sleep);
        let kill = Command::new("kill").args([signal, &child.id().to_string()]).status().expect("kill can be started");
        assert!(kill.success());
        child.wait().expect("it ends");
        let begun = Instant::now();
        assert_ends(sleep);
        assert!(begun.elapsed() < Duration::from_secs(5), "{signal}: {:?}", begun.elapsed());
    }
}

#[test]
fn a_program_that_ends_its_own_group_or_stops_its_guard_is_a_row_and_nothing_is_left() {
    let workshop = Workshop::new();
    let reason = failure(&workshop, &script(&workshop, "sleep 86420 &\nkill 0\nsleep 86420\n", ""), "failed");
    assert_eq!(reason, "the program was ended by signal 15 (its `memory` is 4 GB)");
    std::fs::remove_dir_all(workshop.path().join("results")).expect("results can be removed");
    let ran = script(&workshop, "kill -STOP $PPID\nsleep 86420\n", "deadline = 0.5");
    assert_eq!(failure(&workshop, &ran, "timed-out"), "not finished after 0.5 s");
    assert_ends("86420");
}

#[test]
fn a_program_that_fills_memory_fails_at_its_ceiling() {
    let workshop = Workshop::new();
    let fill = "exec awk 'BEGIN { x = \"0123456789\"; while (1) x = x x }'\n";
    let ran = script(&workshop, fill, "memory = \"200 MB\"");
    let reason = failure(&workshop, &ran, "failed");
    assert!(reason.contains("(its `memory` is 200 MB)"), "{reason}");
}

#[test]
fn a_program_that_prints_without_end_is_stopped_and_memory_stays_bounded() {
    let workshop = Workshop::new();
    workshop.write("mine.sh", "exec yes 1\n");
    workshop.write("mixed.toml", &spec_with(r#"["sh", "mine.sh"]"#, ""));
    // Kept whole, what `yes` prints until its deadline of ten minutes would not fit.
    let inner = workshop.command(&["run", "mixed.toml", "--no-report", "--threads", "1"]);
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -v 4000000 && exec \"$@\"", "sh"]).arg(inner.get_program()).args(inner.get_args());
    command.current_dir(workshop.path()).stdin(Stdio::null());
    let ran = Ran::from(command.output().expect("sh can be started"));
    let reason = failure(&workshop, &ran, "failed");
    assert_eq!(reason, "the program printed more than 1086976 bytes");
    let noisy = "yes oops | head -c 50000000 >&2\nexit 1\n";
    std::fs::remove_dir_all(workshop.path().join("results")).expect("results can be removed");
    let reason = failure(&workshop, &script(&workshop, noisy, ""), "failed");
    assert!(reason.len() < 5000 && reason.contains("exit code 1: oops\nstandard error:\n…"), "{reason}");
}

#[test]
fn ctrl_c_stops_a_hanging_program_within_a_second() {
    let workshop = Workshop::new();
    workshop.write("mine.sh", "touch started\nexec sleep 86414\n");
    workshop.write("mixed.toml", &spec_with(r#"["sh", "mine.sh"]"#, ""));
    let mut command = workshop.command(&["run", "mixed.toml", "--no-report"]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program can be started");
    while !workshop.path().join("started").exists() || !is_running("86414") {
        assert!(child.try_wait().expect("it can be asked").is_none(), "it ended by itself");
        std::thread::sleep(Duration::from_millis(5));
    }
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill can be started");
    assert!(kill.success());
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    assert_ends("86414");
}

#[test]
fn what_cannot_run_is_refused_before_anything_does() {
    let workshop = Workshop::new();
    workshop.write("plain.py", "print(1)\n");
    let refused = |command: &str, words: &[&str]| {
        workshop.write("mixed.toml", &spec_with(command, ""));
        workshop.run(&["run", "mixed.toml"]).refused(words);
    };
    refused(
        r#"["awk", "-f", "mien.awk"]"#,
        &["mixed.toml:23:", "there is no file mien.awk", "relative to the spec's folder"],
    );
    refused(r#"["no-such-program", "x"]"#, &["no program `no-such-program` is on the PATH", "expected a program"]);
    refused(
        r#"["plain.py"]"#,
        &["no program `plain.py` is on the PATH", "\"./plain.py\" for the file beside this spec"],
    );
    refused(r#"["./plain.py"]"#, &["plain.py cannot be executed", "chmod +x"]);
    refused(r#"["./absent"]"#, &["there is no file ./absent"]);
    refused(r#""sh mine.sh""#, &["`command` is one text", "[\"sh\", \"mine.sh\"]"]);
    refused("[]", &["`command` is an empty list"]);
    refused("[1]", &["`command` has the number 1"]);
    let keys = |keys: &str, words: &[&str]| {
        workshop.write("mixed.toml", &spec_with(r#"["sh"]"#, keys));
        workshop.run(&["plan", "mixed.toml"]).refused(words);
    };
    keys("memory = \"lots\"", &["`memory` is the text \"lots\"", "\"2 GB\""]);
    keys("missing = \"maybe\"", &["`missing` cannot be \"maybe\"", "accepted, refused"]);
    keys("restarts = 3", &["[[method]] has no key `restarts`", "params"]);
    workshop.write("mixed.toml", &spec_with(r#"["sh"]"#, "").replace("version = \"1\"\n", ""));
    workshop.run(&["plan", "mixed.toml"]).refused(&["[[method]] has no `version`", "computed anew"]);
    workshop.write("mixed.toml", &spec_with(r#"["sh"]"#, "").replace("\"mine\"", "\"peace\""));
    workshop.run(&["plan", "mixed.toml"]).refused(&["`peace` is the name of a built-in method"]);
    assert!(!workshop.path().join("results").exists());
}

#[test]
fn a_spec_elsewhere_finds_its_program_beside_itself() {
    let workshop = Workshop::new();
    std::fs::create_dir(workshop.path().join("specs")).expect("a folder can be made");
    workshop.write("specs/first.awk", FIRST);
    workshop.write("specs/mixed.toml", &spec_with(r#"["awk", "-F,", "-f", "first.awk"]"#, ""));
    let ran = workshop.run(&["run", "specs/mixed.toml", "--no-report"]).ok();
    assert_eq!(ran.last_line(), "18 cells: 18 done, 0 failed");
    // From anywhere else they are the same cells.
    let absolute = workshop.path().join("specs/mixed.toml");
    let again = workshop.run(&["run", absolute.to_str().expect("the path is plain"), "--no-report"]).ok();
    assert!(again.out.contains("nothing to compute"), "{}", again.out);
    assert!(Path::new(&absolute).is_absolute());
}

/// The first base clustering of one task after another. What is put in for `EACH` is done before each answer.
const STREAMED: &str = r#"
echo started >> starts
while read -r header; do
    rows=${header#*\"rows\":}; rows=${rows%%,*}
    seed=${header#*\"seed\":}; seed=${seed%%,*}
    EACH
    while [ "$rows" -gt 0 ]; do
        read -r line
        echo "c${line%%,*}"
        rows=$((rows - 1))
    done
    echo "end $seed"
    AFTER
done
"#;

/// Runs a program that is handed one task after another.
fn streamed(workshop: &Workshop, each: &str, after: &str, keys: &str) -> Ran {
    let text = STREAMED.replace("EACH", each).replace("AFTER", after);
    script(workshop, &text, &format!("stream = true\n{keys}"))
}

fn starts(workshop: &Workshop) -> usize {
    String::from_utf8(workshop.read("starts")).expect("it is text").lines().count()
}

#[test]
fn a_streamed_program_is_started_once_per_worker_and_answers_as_if_it_were_started_for_each_task() {
    let (one, other) = (Workshop::new(), Workshop::new());
    let ran = streamed(&one, ":", ":", "").ok();
    assert_eq!(ran.last_line(), "18 cells: 18 done, 0 failed");
    assert!((1..=4).contains(&starts(&one)), "{}", starts(&one));
    script(&other, "read -r header\nwhile read -r line; do echo \"c${line%%,*}\"; done\n", "").ok();
    assert_eq!(values(&one, "mine"), values(&other, "mine"));
    // Whether it stays is no part of what it answers.
    one.write("mixed.toml", &spec_with(r#"["sh", "mine.sh"]"#, ""));
    let again = one.run(&["run", "mixed.toml", "--no-report"]).ok();
    assert!(again.out.contains("nothing to compute"), "{}", again.out);
}

#[test]
fn a_streamed_program_that_ends_hangs_or_talks_nonsense_costs_one_row() {
    let once = |then: &str| format!("if mkdir once 2>/dev/null; then {then}; fi");
    for (each, status, words) in [
        ("echo no luck >&2; exit 3", "failed", "the program ended with exit code 3: no luck"),
        ("exit 0", "failed", "the program ended before it had answered"),
        ("kill -KILL $$", "failed", "was ended by signal 9"),
        ("echo stuck >&2; sleep 30", "timeout", "stuck"),
        ("echo \"end $seed\"; sleep 1", "failed", "printed 0 labels for 150 objects"),
        ("echo a; echo b; echo \"end $seed\"; sleep 1", "failed", "printed 2 labels for 150 objects"),
        ("echo a; echo end 1", "failed", "the program printed `end 1`, and its task ends with `end "),
        ("echo; echo a", "failed", "printed no label in line 1"),
        ("sleep 30", "timeout", "nothing of an answer was heard; does it flush its output?"),
        ("echo a; sleep 30", "timeout", "1 lines were heard, and none of them is `end "),
        ("yes x", "failed", "printed more than"),
    ] {
        let workshop = Workshop::new();
        let ran = streamed(&workshop, &once(each), ":", "deadline = 2");
        assert_eq!((ran.code, ran.last_line()), (Some(1), "18 cells: 17 done, 1 failed"), "{each}: {ran:?}");
        let failed: Vec<TableLine> =
            lines(&workshop).into_iter().filter(|line| line.method == "mine" && line.value.is_none()).collect();
        let reason = failed[0].reason.clone().expect("a failure has its reason");
        assert!(failed[0].status.contains(&status[..4]) && reason.contains(words), "{each}: {:?} {reason}", failed[0]);
        assert!(starts(&workshop) >= 2, "{each}: a new one is started");
    }
}

#[test]
fn a_streamed_program_that_says_more_than_it_was_asked_is_replaced() {
    let workshop = Workshop::new();
    // In one write with the answer's end, so that it is there when that is.
    let text = "echo started >> starts\nwhile read -r header; do\n\
                rows=${header#*\\\"rows\\\":}; rows=${rows%%,*}\nseed=${header#*\\\"seed\\\":}; seed=${seed%%,*}\nanswer=''\n\
                while [ \"$rows\" -gt 0 ]; do read -r line; answer=\"$answer${line%%,*}\n\"; rows=$((rows - 1)); done\n\
                printf '%send %s\\nand more\\n' \"$answer\" \"$seed\"\ndone\n";
    let ran = script(&workshop, text, "stream = true").ok();
    assert_eq!(ran.last_line(), "18 cells: 18 done, 0 failed");
    assert_eq!(starts(&workshop), 6);
}

#[test]
fn a_streamed_program_that_ends_between_two_tasks_costs_none() {
    let workshop = Workshop::new();
    let ran = streamed(&workshop, ":", "exit 0", "").ok();
    assert_eq!(ran.last_line(), "18 cells: 18 done, 0 failed");
    assert_eq!(starts(&workshop), 6);
}

#[test]
fn an_answer_that_comes_again_is_never_taken_for_another_tasks() {
    let workshop = Workshop::new();
    // Each answer once more, a while later: by then the next task is there.
    let again = "(sleep 0.1; i=150; while [ $i -gt 0 ]; do echo c0; i=$((i - 1)); done; echo \"end $seed\") &";
    let ran = streamed(&workshop, ":", again, "");
    let plain = Workshop::new();
    script(&plain, "read -r header\nwhile read -r line; do echo \"c${line%%,*}\"; done\n", "").ok();
    let numbers = |workshop: &Workshop| -> BTreeMap<(String, String), f64> {
        let of_mine = lines(workshop).into_iter().filter(|line| line.method == "mine");
        of_mine.filter_map(|line| line.value.map(|(metric, value)| ((line.cell, metric), value))).collect()
    };
    let right = numbers(&plain);
    for (place, value) in numbers(&workshop) {
        assert_eq!(value, right[&place], "{place:?} {ran:?}");
    }
}

#[test]
fn points_of_a_sweep_share_their_processes() {
    let workshop = Workshop::new();
    workshop.write("mine.sh", &STREAMED.replace("EACH", ":").replace("AFTER", ":"));
    let keys = "stream = true\nparams = { a = 1 }\n[sweep]\nmethod.params.a = [1, 2, 3, 4, 5, 6, 7, 8]";
    workshop.write(
        "mixed.toml",
        &spec_with(r#"["sh", "mine.sh"]"#, keys).replace("[[table]]\nid = \"accuracy\"\nmetric = \"accuracy\"\n", ""),
    );
    workshop.run(&["run", "mixed.toml", "--no-report", "--threads", "2"]).ok();
    assert!(starts(&workshop) <= 2, "{}", starts(&workshop));
}

#[test]
fn the_streamed_example_in_python_answers_as_the_plain_one() {
    if Command::new("python3").arg("--version").stdout(Stdio::null()).status().is_err() {
        println!("skipped: there is no python3");
        return;
    }
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/methods");
    let answers = |file: &str, keys: &str| {
        let workshop = Workshop::new();
        std::fs::copy(examples.join(file), workshop.path().join("mine.py")).expect("the example is there");
        let keys = format!("params = {{ iterations = 5 }}\n{keys}");
        workshop.write("mixed.toml", &spec_with(r#"["python3", "mine.py"]"#, &keys));
        workshop.run(&["run", "mixed.toml", "--no-report"]).ok();
        values(&workshop, "mine")
    };
    assert_eq!(answers("k_modes.py", ""), answers("k_modes_stream.py", "stream = true"));
}

/// Answers with the first base clustering after a moment with a text of 64 MB.
const LARGE: &str = r#"NR > 1 { answer = answer "c" $1 "\n" }
END { text = "x"; while (length(text) < 64000000) text = text text; system("sleep 0.2"); printf "%s", answer }
"#;

#[test]
fn the_memory_of_a_program_is_beside_its_seconds_and_can_be_shown() {
    let workshop = Workshop::new();
    workshop.write("large.awk", LARGE);
    let table = "\n[[table]]\nid = \"cost\"\nmetric = [\"seconds\", \"peak-bytes\"]\n";
    let spec = spec_with(r#"["awk", "-F,", "-f", "large.awk"]"#, "") + table;
    workshop.write("mixed.toml", &spec);
    workshop.run(&["run", "mixed.toml"]).ok();
    let finished = conclave::store::load(&workshop.path().join("results/mixed")).expect("the results can be read");
    let peaks: Vec<u64> = finished.values().filter_map(|result| result.peak_bytes).collect();
    assert_eq!(peaks.len(), 6, "of the program, and of no method of the library: {peaks:?}");
    assert!(peaks.iter().all(|bytes| (60_000_000..600_000_000).contains(bytes)), "{peaks:?}");
    let cost = String::from_utf8(workshop.read("reports/mixed/cost.csv")).expect("a table is text");
    let shown = cost.lines().filter(|line| line.contains("peak-bytes") && line.contains(",mine,"));
    assert_eq!(shown.count(), 1, "{cost}");
    // A program that stays has what other tasks left.
    workshop.write("mixed.toml", &spec_with(r#"["python3", "stays.py"]"#, "stream = true"));
    let stays = "import json, sys\nfor line in sys.stdin:\n    header = json.loads(line)\n    rows = [sys.stdin.readline() for _ in range(header['rows'])]\n    print(*(row.split(',')[0].strip() for row in rows), 'end %d' % header['seed'], sep='\\n', flush=True)\n";
    workshop.write("stays.py", stays);
    workshop.run(&["run", "mixed.toml", "--no-report"]).ok();
    let finished = conclave::store::load(&workshop.path().join("results/mixed")).expect("the results can be read");
    assert_eq!(
        finished.values().filter(|result| result.peak_bytes.is_some()).count(),
        6,
        "those of before are archived"
    );
}

#[test]
fn failures_have_a_line_for_each_method_and_reason_and_say_how_to_try_again() {
    let workshop = Workshop::new();
    // It fails for two reasons, each with a number that differs from run to run.
    let text = "read header\nseed=${header#*\\\"seed\\\":}\nseed=${seed%%,*}\n\
                case $((seed % 2)) in 0) echo \"no luck with $seed\" >&2; exit 3;; *) echo \"row $seed is odd\" >&2; exit 4;; esac\n";
    let ran = script(&workshop, text, "");
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let shown: Vec<&str> = ran.out.lines().filter(|line| line.contains("× mine")).collect();
    let counted: usize = shown.iter().filter_map(|line| line.trim().split(' ').next()?.parse::<usize>().ok()).sum();
    assert!((1..=2).contains(&shown.len()) && counted == 6, "{}", ran.out);
    assert!(shown.iter().all(|line| line.contains("exit code")), "{}", ran.out);
    assert!(ran.out.contains("try them again with `conclave run mixed.toml --retry-failed`"), "{}", ran.out);
    let status = workshop.run(&["status", "mixed.toml"]).ok();
    assert!(status.out.contains("× mine"), "{}", status.out);
    let json = workshop.run(&["status", "mixed.toml", "--json"]).ok().json();
    let failures = json["failures"].as_array().expect("there is a list").clone();
    assert_eq!(failures.iter().filter_map(|failure| failure["cells"].as_u64()).sum::<u64>(), 6, "{json}");
    assert!(failures.iter().all(|failure| failure["method"] == "mine" && failure["status"] == "failed"), "{json}");
}

#[test]
fn how_long_a_program_takes_nobody_knows_until_it_has_run() {
    let workshop = Workshop::new();
    workshop.write("first.awk", FIRST);
    let spec = spec_with(r#"["awk", "-F,", "-f", "first.awk"]"#, "") + "\n[scale.large]\nensemble.count = 60\n";
    workshop.write("mixed.toml", &spec);
    let before = workshop.run(&["plan", "mixed.toml"]).ok();
    assert!(before.out.contains("nobody knows how long: programs that have not run yet"), "{}", before.out);
    workshop.run(&["run", "mixed.toml", "--no-report"]).ok();
    let after = workshop.run(&["plan", "mixed.toml", "--scale", "large", "--json"]).ok().json();
    assert_eq!(after["estimate_basis"], "measurements", "{after}");
    let [low, high] = [0, 1].map(|end| after["estimated_range"][end].as_f64().expect("it is a number"));
    let expected = after["estimated_seconds"].as_f64().expect("it is a number");
    assert!(0.0 < low && low < expected && expected < high, "{after}");
}
