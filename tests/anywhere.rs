//! The program works where its sources are not: it has its datasets, specs and printed numbers in itself.

mod common;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use common::{Ran, Workshop};

const PROJECT: &str = env!("CARGO_MANIFEST_DIR");

/// A copy of the program in a folder that has nothing else, and an empty folder to run it in.
struct Installed {
    bin: Workshop,
    work: Workshop,
}

impl Installed {
    fn new() -> Self {
        let installed = Self { bin: Workshop::new(), work: Workshop::new() };
        // By another process: a program cannot be started while a copy of this process, on its way to be some other
        // program, still has it open for writing.
        let copied =
            Command::new("cp").arg(assert_cmd::cargo::cargo_bin!("conclave")).arg(installed.program()).status();
        assert!(copied.expect("cp can be started").success());
        installed
    }

    fn program(&self) -> PathBuf {
        self.bin.path().join("conclave")
    }

    /// Runs the copy, which is told nothing about where it was built.
    fn run(&self, arguments: &[&str]) -> Ran {
        let mut command = Command::new(self.program());
        command.args(arguments).current_dir(self.work.path()).stdin(Stdio::null()).env_clear();
        Ran::from(command.output().expect("the program can be started"))
    }

    fn has(&self, path: &str) -> bool {
        self.work.path().join(path).exists()
    }
}

#[test]
fn an_installed_program_runs_lists_and_reports_in_an_empty_folder() {
    let here = Installed::new();
    let datasets = here.run(&["list", "datasets"]).ok().out;
    let iris = datasets.lines().find(|line| line.starts_with("iris ")).expect("iris is listed");
    assert!(iris.contains("bundled") && iris.contains("yes") && iris.contains("bce-table3"), "{iris}");
    let specs = here.run(&["list", "experiments", "--json"]).ok().json();
    let specs = specs.as_array().expect("a list");
    let table3 = specs.iter().find(|spec| spec["path"] == "experiments/bce/table3.toml").expect("a spec of bce");
    assert_eq!((table3["paper"].as_str(), table3["bundled"].as_bool()), (Some("bce"), Some(true)));
    assert!(here.run(&["data", "verify"]).ok().out.contains("ok      iris  bundled in the program\n"));
    assert_eq!(here.run(&["data", "path"]).ok().out, "bundled in the program\n");

    assert!(here.run(&["plan", "experiments/quickstart.toml"]).ok().out.contains("datasets  iris, wine, wdbc"));
    assert!(here.run(&["run", "experiments/quickstart.toml"]).ok().last_line().ends_with(" 0 failed"));
    let page = String::from_utf8(here.work.read("reports/quickstart/index.html")).expect("a page is text");
    assert!(page.contains("conclave run experiments/quickstart.toml"));
    // The base clusterings have the highest single runs; what is said is who is best on average.
    assert!(page.contains("by mean accuracy, mixture model is best, or as good as the best, in 2 of 3 rows"), "{page}");
    here.run(&["report", "./experiments/quickstart.toml"]).ok();
    here.run(&["status", "experiments/quickstart.toml"]).ok();
    here.run(&["init", "mine.toml"]).ok();
    assert!(here.run(&["run", "mine.toml"]).ok().last_line().ends_with(" 0 failed"));
    here.run(&["ensemble", "iris", "-g", "kmeans", "--size", "3", "--param", "k=3", "-o", "labels.csv"]).ok();
    assert_eq!(String::from_utf8(here.work.read("labels.csv")).expect("text").lines().count(), 151);
    let file = [
        "ensemble",
        "datasets/iris.csv",
        "--class",
        "class",
        "-g",
        "kmeans",
        "--size",
        "2",
        "--param",
        "k=3",
        "-o",
        "-",
    ];
    assert_eq!(here.run(&file).ok().out.lines().count(), 151);
    assert!(!here.has("experiments") && !here.has("datasets"), "nothing is unpacked unasked");
}

#[test]
fn an_installed_program_reproduces_a_paper_with_its_printed_numbers_in_an_empty_folder() {
    let here = Installed::new();
    let card = here.run(&["reproduce", "bce", "--scale", "quick", "--json"]).ok().json();
    assert!(card["counts"]["claims"]["all"].as_u64().is_some_and(|claims| claims > 10), "{}", card["counts"]);
    assert!(card["numbers"].as_array().is_some_and(|numbers| numbers.len() > 100));
    assert!(here.has("reports/index.html"));
    // What a spec names beside itself: a table of objects, and one of labels.
    assert!(here.run(&["run", "experiments/lwea/table1.toml"]).ok().last_line().ends_with(" 0 failed"));
    here.run(&["consensus", "experiments/lwea/table1-labels.csv", "-m", "kmeans", "-k", "2"]).ok();
}

#[test]
fn a_program_of_ones_own_joins_experiments_of_an_installed_program_in_an_empty_folder() {
    let here = Installed::new();
    here.work.write("mine.sh", "awk 'NR > 1 { print NR % 2 }'\n");
    for spec in ["experiments/quickstart.toml", "experiments/benchmark/suite.toml"] {
        let ran = here.run(&["run", spec, "--scale", "quick", "--with", "/bin/sh mine.sh", "--only", "method=sh"]);
        assert!(ran.ok().last_line().ends_with(" 0 failed"), "{spec}");
    }
    assert!(!here.has("experiments"), "nothing is unpacked unasked");
}

/// What of a program is in memory when it runs: of an ELF file, the sections that are loaded. Notes for debuggers are not.
fn loaded(program: &[u8]) -> Vec<u8> {
    let number = |at: usize, bytes: usize| -> usize {
        (0..bytes).rev().fold(0, |number, byte| number << 8 | usize::from(program[at + byte]))
    };
    assert_eq!(&program[..6], b"\x7fELF\x02\x01", "a 64-bit little-endian ELF file");
    let (table, size, count) = (number(0x28, 8), number(0x3a, 2), number(0x3c, 2));
    let mut bytes = Vec::new();
    for section in (0..count).map(|section| table + section * size) {
        let (kind, flags) = (number(section + 4, 4), number(section + 8, 8));
        let (start, length) = (number(section + 0x18, 8), number(section + 0x20, 8));
        let (is_loaded, has_no_bytes) = (flags & 2 != 0, kind == 8);
        if is_loaded && !has_no_bytes {
            bytes.extend_from_slice(&program[start..start + length]);
        }
    }
    bytes
}

#[cfg(target_os = "linux")]
#[test]
fn the_program_does_not_know_where_it_was_built() {
    let program = std::fs::read(assert_cmd::cargo::cargo_bin!("conclave")).expect("the program is there");
    let loaded = loaded(&program);
    let holds = |text: &str| loaded.windows(text.len()).any(|window| window == text.as_bytes());
    assert!(holds("bundled in the program"), "texts of the program are found this way");
    assert!(!holds(&format!("{PROJECT}/")), "the program names {PROJECT}");
}

#[test]
fn files_on_disk_come_before_those_of_the_program_and_give_the_same_results() {
    let here = Installed::new();
    let exported = Installed::new();
    exported.run(&["data", "export", "."]).ok();
    for installed in [&here, &exported] {
        installed.run(&["run", "experiments/missing-labels.toml", "--scale", "quick"]).ok();
    }
    let cells = |installed: &Installed| installed.work.read("results/missing-labels/cells.parquet");
    assert!(cells(&here) == cells(&exported), "the same bytes, wherever the files are");
    let path = exported.run(&["data", "path"]).ok().out;
    assert!(path.ends_with("/datasets\nbundled in the program\n"), "{path}");

    exported
        .work
        .write("experiments/quickstart.toml", "name = \"mine\"\nseed = 1\ndatasets = [\"iris\"]\nnonsense = 1\n");
    exported.run(&["plan", "experiments/quickstart.toml"]).refused(&["experiments/quickstart.toml:4:", "nonsense"]);
    exported.work.write("datasets/iris.csv", "a,class\n1,x\n");
    let verified = exported.run(&["data", "verify"]);
    assert_eq!(verified.code, Some(1));
    assert!(
        verified.out.contains("WRONG   iris  ") && verified.out.contains("the file has changed"),
        "{}",
        verified.out
    );
    // A file that is gone is the program's again.
    std::fs::remove_file(exported.work.path().join("datasets/iris.csv")).expect("it is there");
    exported.run(&["data", "verify"]).ok();
    // A dataset of one's own beside them.
    exported.work.write("datasets/mine.csv", "a,class\n1,x\n2,y\n");
    let manifest = "title = \"Mine\"\nn = 2\nd = 1\nclasses = 2\norigin = \"me\"\ncitation = \"none\"\nlicence = \"none\"\nsha256 = \"0\"\n";
    exported.work.write("datasets/mine.toml", manifest);
    assert!(exported.run(&["data", "verify"]).out.contains("WRONG   mine  "));
}

#[test]
fn exporting_overwrites_nothing() {
    let here = Installed::new();
    let first = here.run(&["data", "export", "project"]).ok().out;
    assert!(
        first.contains("wrote    project/datasets (") && first.contains("wrote    project/experiments ("),
        "{first}"
    );
    let again = here.run(&["data", "export", "project"]).ok().out;
    assert!(again.contains("kept     project/datasets (") && !again.contains("wrote"), "{again}");
    let changed = here.work.write("project/experiments/quickstart.toml", "precious");
    std::fs::remove_file(here.work.path().join("project/datasets/iris.csv")).expect("it is there");
    let refused = here.run(&["data", "export", "project"]);
    refused.refused(&["project/experiments/quickstart.toml already exists", "nothing was written"]);
    assert_eq!(std::fs::read(changed).expect("it is there"), b"precious");
    assert!(!here.has("project/datasets/iris.csv"));
    here.run(&["data", "export"]).refused(&["name the folder", "conclave data export project"]);
    here.run(&["data", "verify", "project"]).refused(&["project: only `export` takes a folder", "--data DIR"]);
}

#[test]
fn a_paper_of_the_program_is_written_as_it_is_and_comes_first() {
    let here = Installed::new();
    let wrote = here.run(&["init", "--paper", "bce"]).ok().out;
    for words in ["bce is part of the program", "wrote    experiments/bce (", "conclave reproduce bce --scale quick"] {
        assert!(wrote.contains(words), "{words}: {wrote}");
    }
    for path in ["table3.toml", "published/bce_table3_mp.csv"] {
        let original = std::fs::read(Path::new(PROJECT).join("experiments/bce").join(path)).expect("it is there");
        assert!(here.work.read(&format!("experiments/bce/{path}")) == original, "{path}");
    }
    let list = String::from_utf8(here.work.read("experiments/papers.toml")).expect("text");
    assert!(list.contains("[bce]") && !list.contains("[nbce]"), "{list}");
    assert!(here.run(&["init", "--paper", "bce"]).ok().out.contains("kept     experiments/bce ("));
    here.run(&["init", "--paper", "lwea"]).ok();
    let list = String::from_utf8(here.work.read("experiments/papers.toml")).expect("text");
    assert!(list.contains("[bce]") && list.contains("[lwea.control]"), "{list}");

    let spec = here.work.write("experiments/bce/table1.toml", "precious");
    here.run(&["init", "--paper", "bce"])
        .refused(&["experiments/bce/table1.toml already exists", "nothing was written"]);
    assert_eq!(std::fs::read(&spec).expect("it is there"), b"precious");
    std::fs::remove_file(spec).expect("it is there");
    // Papers that are not on disk can be named, and are reproduced without a name, all the same: those on disk come first.
    let unknown = here.run(&["reproduce", "--scale", "no-such-scale"]).err;
    let program = here.run(&["run", "experiments/quickstart.toml", "--with", "python3 nowhere.py"]);
    program.refused(&["error: --with: "]);
    let other = here.run(&["run", "experiments/quickstart.toml", "--adopt", "experiments/papers.toml"]);
    let other = other.refused(&["papers.toml: this is no Parquet file", "name a folder of results"]);
    assert!(!other.err.contains("delete"), "{other:?}");
    // Once for the papers, and once for the synthesis, which has other scales.
    assert_eq!(unknown.matches("this spec has no [scale.no-such-scale]").count(), 2, "{unknown}");
    let at =
        |paper: &str| unknown.find(&format!("experiments/{paper}")).unwrap_or_else(|| panic!("{paper}: {unknown}"));
    for paper in ["topchy", "nbce", "peace", "pta"] {
        assert!(at("bce") < at(paper) && at("lwea") < at(paper), "{unknown}");
    }
    here.run(&["plan", "experiments/nbce/table2.toml", "--scale", "quick"]).ok();
    // A spec that was removed from a paper on disk is gone.
    std::fs::remove_file(here.work.path().join("experiments/bce/table4.toml")).expect("it is there");
    let specs = here.run(&["list", "experiments", "--json"]).json();
    let paths: Vec<&str> = specs.as_array().expect("a list").iter().filter_map(|spec| spec["path"].as_str()).collect();
    assert!(paths.contains(&"experiments/nbce/table2.toml") && !paths.contains(&"experiments/bce/table4.toml"));
}

#[test]
fn a_paper_that_is_not_in_the_program_is_a_new_one_and_a_slip_of_the_pen_is_seen() {
    let here = Installed::new();
    let new = here.run(&["init", "--paper", "mine"]).ok().out;
    assert!(new.contains("new      mine is a paper of yours") && new.contains("table1.toml"), "{new}");
    let slip = here.run(&["init", "--paper", "topchi"]).ok().out;
    assert!(slip.contains("did you mean `topchy`?"), "{slip}");
    // Without names, `reproduce` does what the list on disk has.
    let card = here.run(&["reproduce", "mine", "--scale", "quick", "--json"]).ok().json();
    assert_eq!(card["papers"].as_array().map(Vec::len), Some(1));
}

#[test]
fn a_spec_that_is_nowhere_leads_to_those_that_are() {
    let here = Installed::new();
    for (path, words) in [
        ("experiments/nowhere.toml", "there is no such spec; `conclave list experiments` lists those"),
        ("experiments/quickstrat.toml", "did you mean `experiments/quickstart.toml`?"),
        ("quickstart.toml", "did you mean `experiments/quickstart.toml`?"),
        ("experiments/bce", "`conclave reproduce bce` runs them all"),
        ("experiments/bce/*.toml", "`conclave init --paper bce` writes them"),
    ] {
        here.run(&["run", path]).refused(&[path, words]);
        here.run(&["plan", path]).refused(&[path, words]);
    }
    assert!(!here.has("results"));
    let refused = here.run(&["reproduce", "--experiments", "elsewhere"]);
    refused.refused(&["elsewhere/papers.toml does not exist", "--experiments DIR"]);
    here.run(&["reproduce", "bcee"]).refused(&["did you mean `bce`?", "synthesis"]);
}
