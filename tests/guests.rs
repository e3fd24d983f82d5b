//! A new method beside all others: a program given on the command line, and results that somebody else computed.

mod common;

use common::{SMALL, Workshop};
use conclave::store::read_table;

/// The first base clustering.
const FIRST: &str = "read header\ncut -d, -f 1\n";

/// A workshop with the experiment `small` and a program.
fn workshop() -> Workshop {
    let workshop = Workshop::new();
    workshop.write("small.toml", SMALL);
    workshop.write("first.sh", FIRST);
    workshop
}

fn methods(workshop: &Workshop) -> Vec<String> {
    let table = read_table(&workshop.path().join("results/small/cells.parquet")).expect("the results can be read");
    let mut methods: Vec<String> = table.lines.into_iter().map(|line| line.method).collect();
    methods.sort();
    methods.dedup();
    methods
}

#[test]
fn a_program_of_the_command_line_is_a_method_and_is_computed_again_when_it_changes() {
    let workshop = workshop();
    workshop.run(&["run", "small.toml"]).ok();
    let own = methods(&workshop);
    let with = ["run", "small.toml", "--with", "sh first.sh"];
    let first = workshop.run(&with).ok();
    assert!(methods(&workshop).contains(&"first".to_owned()), "{}", first.out);
    assert!(!first.out.contains(", 0 were already there"), "{}", first.out);
    let page = String::from_utf8(workshop.read("reports/small/index.html")).unwrap();
    assert!(page.contains("--with"), "the page names the command that makes it again");
    assert!(workshop.run(&with).ok().out.contains("nothing to compute"));
    workshop.write("first.sh", "read header\ncut -d, -f 2\n");
    let changed = workshop.run(&with).ok();
    assert!(changed.out.contains("computed"), "{}", changed.out);
    // From another folder, the same program under another name.
    std::fs::create_dir(workshop.path().join("elsewhere")).unwrap();
    let line =
        "cd elsewhere && conclave run ../small.toml --results ../results --no-report --with 'mine=sh ../first.sh'";
    workshop.shell(line).ok();
    assert!(methods(&workshop).contains(&"mine".to_owned()));
    workshop.run(&["run", "small.toml"]).ok();
    assert_eq!(methods(&workshop), own);
}

#[test]
fn a_program_that_cannot_take_part_is_refused_before_anything_runs() {
    let workshop = workshop();
    workshop.run(&["run", "small.toml", "--with", ""]).refused(&["there is no command", "python3 mine.py"]);
    workshop
        .run(&["run", "small.toml", "--with", "no-such-program-here"])
        .refused(&["no program `no-such-program-here`"]);
    workshop
        .run(&["run", "small.toml", "--with", "mm=sh first.sh"])
        .refused(&["`mm` is the name of a built-in method"]);
    let twice = ["run", "small.toml", "--with", "sh first.sh", "--with", "sh first.sh"];
    workshop.run(&twice).refused(&["two programs are named `first`"]);
    assert!(!workshop.path().join("results").exists());
}

#[test]
fn adopted_results_leave_only_the_new_method_to_compute() {
    let workshop = workshop();
    workshop.run(&["run", "small.toml", "--no-report", "--with", "sh first.sh"]).ok();
    std::fs::rename(workshop.path().join("results"), workshop.path().join("theirs")).unwrap();
    workshop.run(&["run", "small.toml", "--no-report"]).ok();
    let reference = workshop.read("results/small/cells.parquet");

    // A folder; a file alone; somebody else's program is not believed to be ours.
    for shared in ["theirs/small", "theirs/small/cells.parquet"] {
        std::fs::remove_dir_all(workshop.path().join("results")).unwrap();
        let adopting = ["run", "small.toml", "--no-report", "--adopt", shared];
        let plain = workshop.run(&adopting).ok();
        assert!(plain.out.contains("nothing to compute") && plain.out.contains("adopted"), "{}", plain.out);
        assert_eq!(workshop.read("results/small/cells.parquet"), reference);
        let again = workshop.run(&adopting).ok();
        assert!(again.out.contains("adopted 0 cells"), "{}", again.out);
    }
    std::fs::remove_dir_all(workshop.path().join("results")).unwrap();
    let with =
        workshop.run(&["run", "small.toml", "--no-report", "--adopt", "theirs/small", "--with", "sh first.sh"]).ok();
    let lines = read_table(&workshop.path().join("results/small/cells.parquet")).unwrap().lines;
    let mut ours: Vec<&str> = lines.iter().filter(|line| line.method == "first").map(|line| &*line.cell).collect();
    ours.dedup();
    let computed =
        if ours.len() == 1 { "computed 1 cell ".to_owned() } else { format!("computed {} cells ", ours.len()) };
    assert!(with.out.contains(&computed), "{}", with.out);
}

#[test]
fn results_that_cannot_be_adopted_say_why() {
    let workshop = workshop();
    let adopt = |path: &str| workshop.run(&["run", "small.toml", "--no-report", "--adopt", path]);
    adopt("nowhere").refused(&["nowhere: there are no results", "name a folder of results"]);
    adopt("small.toml").refused(&["small.toml"]);
    workshop.run(&["run", "small.toml", "--no-report"]).ok();
    let mut damaged = workshop.read("results/small/cells.parquet");
    let middle = damaged.len() / 2;
    damaged[middle] ^= 4;
    std::fs::create_dir(workshop.path().join("theirs")).unwrap();
    std::fs::write(workshop.path().join("theirs/cells.parquet"), damaged).unwrap();
    adopt("theirs").refused(&["theirs/cells.parquet", "damaged"]);
    adopt("theirs/cells.parquet").refused(&["theirs/cells.parquet", "damaged"]);
}

#[test]
fn a_spec_takes_from_another_what_both_ask_for() {
    let workshop = workshop();
    workshop.run(&["run", "small.toml", "--no-report"]).ok();
    let reference = workshop.read("results/small/cells.parquet");
    workshop
        .write("again.toml", &SMALL.replace("name = \"small\"", "name = \"again\"\nreuse = [\"small\", \"nowhere\"]"));
    let again = workshop.run(&["run", "again.toml", "--no-report"]).ok();
    assert!(again.out.contains("nothing to compute"), "{}", again.out);
    assert!(again.out.contains("cells are those of small"), "{}", again.out);
    let lines = |bytes: &[u8], name: &str| {
        std::fs::write(workshop.path().join(name), bytes).unwrap();
        read_table(&workshop.path().join(name)).unwrap().lines.len()
    };
    let both = [reference, workshop.read("results/again/cells.parquet")];
    assert_eq!(lines(&both[0], "one.parquet"), lines(&both[1], "other.parquet"));
    let fresh = workshop.run(&["run", "again.toml", "--no-report", "--fresh"]).ok();
    assert!(fresh.out.contains("computed"), "{}", fresh.out);
    // What cannot be read saves no work, and costs none.
    std::fs::write(workshop.path().join("results/small/cells.parquet"), b"damaged").unwrap();
    std::fs::remove_dir_all(workshop.path().join("results/again")).unwrap();
    let alone = workshop.run(&["run", "again.toml", "--no-report"]).ok();
    assert!(alone.out.contains("the results of small, which the spec reuses, cannot be read"), "{}", alone.out);
    assert!(alone.out.contains("computed"), "{}", alone.out);
    let named = |names: &str| SMALL.replace("name = \"small\"", &format!("name = \"again\"\nreuse = {names}"));
    for (names, words) in [
        ("[\"again\"]", "is this experiment itself"),
        ("[\"../x\"]", "no experiment can be named"),
        ("[\"small\", \"small\"]", "is listed twice"),
    ] {
        workshop.write("again.toml", &named(names));
        workshop.run(&["plan", "again.toml"]).refused(&[words]);
    }
}

/// What the program says of adopting results under a path.
fn adopting(workshop: &Workshop, spec: &str, path: &str) -> String {
    workshop.run(&["run", spec, "--no-report", "--adopt", path]).ok().out
}

#[test]
fn what_was_adopted_and_what_was_not_is_said_in_words() {
    let workshop = workshop();
    workshop.run(&["run", "small.toml", "--no-report"]).ok();
    std::fs::rename(workshop.path().join("results"), workshop.path().join("theirs")).unwrap();
    let spec = |name: &str, from: &str, to: &str| {
        assert!(SMALL.contains(from), "{from}");
        workshop.write(name, &SMALL.replacen(from, to, 1));
    };
    let fresh = || std::fs::remove_dir_all(workshop.path().join("results")).unwrap();

    let all = adopting(&workshop, "small.toml", "theirs/small");
    assert!(all.contains("their seconds are those of the machine they were computed on"), "{all}");
    assert!(!all.contains("not among theirs"), "{all}");
    fresh();
    // The one file, without the timings beside it.
    std::fs::copy(workshop.path().join("theirs/small/cells.parquet"), workshop.path().join("shared.parquet")).unwrap();
    let one_file = adopting(&workshop, "small.toml", "shared.parquet");
    assert!(one_file.contains("how long they took is not known: that is in timings.parquet"), "{one_file}");
    assert!(one_file.contains("nothing to compute"), "{one_file}");
    fresh();
    // A method more: that one is computed.
    spec("more.toml", "[[method]]", "[[method]]\nname = \"eac-al\"\n\n[[method]]");
    let more = adopting(&workshop, "more.toml", "shared.parquet");
    assert!(more.contains("are not among theirs: eac-al "), "{more}");
    fresh();
    // Another seed, and other data under the same name: nothing of it is ours, and it says why.
    spec("seed.toml", "seed = 7", "seed = 8");
    let seed = adopting(&workshop, "seed.toml", "shared.parquet");
    assert!(seed.contains("adopted 0 cells") && seed.contains("their seed is 7, this spec's is 8"), "{seed}");
    fresh();
    spec("data.toml", "\"iris\"", "{ name = \"glass\", label = \"iris\" }");
    let data = adopting(&workshop, "data.toml", "shared.parquet");
    assert!(data.contains("what is called iris there is other data"), "{data}");
    fresh();
    spec("none.toml", "\"iris\"", "\"glass\"");
    let none = adopting(&workshop, "none.toml", "shared.parquet");
    assert!(none.contains("they have no glass"), "{none}");
    fresh();
    // Another metric: their cells lack it.
    spec("metric.toml", "metrics = [", "metrics = [\"nmi-sqrt\", ");
    let metric = adopting(&workshop, "metric.toml", "shared.parquet");
    assert!(metric.contains("lack a metric that this spec asks for"), "{metric}");
    fresh();
    // A program is not believed to be the one of the same name.
    let with = ["run", "small.toml", "--no-report", "--adopt", "shared.parquet", "--with", "sh first.sh"];
    let program = workshop.run(&with).ok().out;
    assert!(program.contains("runs of programs are computed here") && program.contains("first "), "{program}");
}

#[test]
fn what_failed_there_is_computed_here() {
    let workshop = workshop();
    let hopeless = SMALL.replacen("[[method]]\n", "[[method]]\ndeadline = 0.000001\n", 1);
    workshop.write("small.toml", &hopeless);
    let failed = workshop.run(&["run", "small.toml", "--no-report"]);
    assert_eq!(failed.code, Some(1), "{}{}", failed.out, failed.err);
    assert!(failed.out.contains("why cells failed") && failed.out.contains("--retry-failed`"), "{}", failed.out);
    std::fs::rename(workshop.path().join("results"), workshop.path().join("theirs")).unwrap();
    workshop.write("small.toml", SMALL);
    let adopted = adopting(&workshop, "small.toml", "theirs/small");
    assert!(adopted.contains("failed there and may do better here"), "{adopted}");
    assert!(adopted.contains("computed "), "{adopted}");
}

/// The part of a page under a heading.
fn section<'a>(page: &'a str, heading: &str) -> &'a str {
    let rest = page.split_once(heading).expect("the heading is there").1;
    rest.split_once("\n## ").map_or(rest, |(section, _)| section)
}

#[test]
fn the_cookbook_adopts_as_it_says() {
    let project = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(project.join("docs/COOKBOOK.md")).expect("the page is there");
    let section = section(&page, "## Somebody else's results, and your method\n");
    let commands = section.split("```sh\n").nth(1).and_then(|rest| rest.split("```").next()).expect("it has commands");
    let workshop = Workshop::new();
    std::fs::create_dir(workshop.path().join("experiments")).unwrap();
    for name in ["quickstart.toml", "papers.toml"] {
        std::fs::copy(project.join("experiments").join(name), workshop.path().join("experiments").join(name)).unwrap();
    }
    let ran = workshop.shell(&format!("set -e\n{commands}")).ok();
    let said = section.lines().filter_map(|line| line.strip_prefix("    "));
    let mut shown = 0;
    for line in said {
        assert!(ran.out.lines().any(|printed| printed == line), "`{line}` is not in\n{}", ran.out);
        shown += 1;
    }
    assert!(shown == 4 && ran.out.contains("computed 50 cells"), "{}", ran.out);
}
