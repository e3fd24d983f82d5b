//! README, CONTRIBUTING, CITATION and the commands in all documents, against the project.

use std::path::Path;

use clap::Parser;
use conclave::cli::Arguments;

use crate::markdown::{project, read, section};

#[test]
fn the_readme_is_short_and_has_the_two_commands() {
    let readme = read("README.md");
    assert!(readme.len() <= 12_288, "the README has {} bytes", readme.len());
    for command in ["cargo run --release -- run experiments/quickstart.toml", "cargo test"] {
        assert!(readme.contains(&format!("\n    {command}\n")), "{command}");
    }
}

/// The numbers of the README's "What it found" are those of the scorecard.
#[test]
fn the_readme_finds_what_the_scorecard_finds() {
    let (readme, card) = (read("README.md"), read("docs/SCORECARD.md"));
    let found = section(&readme, "## What it found").replace("\n  ", " ");
    let list = found.split("\n\nThe last two").next().unwrap_or_default();
    let sentences: Vec<&str> = list.split("\n- ").skip(1).collect();
    let control = card.lines().find(|line| line.contains("papers whose inputs are public")).expect("the control");
    let counted =
        control.split(" printed numbers").next().and_then(|start| start.rsplit(", ").next()).expect("a count");
    assert!(found.contains(&format!("{counted} printed numbers")), "{counted}");
    let numbers = |paper: &str, counted: &str| -> Vec<u32> {
        let row = card.lines().find(|line| line.starts_with(&format!("| {paper} | {counted} |")));
        let cells =
            row.unwrap_or_else(|| panic!("{paper}, {counted}")).split('|').filter_map(|cell| cell.trim().parse().ok());
        cells.collect()
    };
    let papers = ["topchy", "bce", "nbce", "peace", "pta", "lwea"];
    assert_eq!(sentences.len(), papers.len());
    for (paper, sentence) in papers.iter().zip(sentences) {
        let (claims, printed) = sentence.split_once("; of ").expect("claims, then printed numbers");
        let words = |text: &str| -> Vec<u32> {
            let text = text.split("): ").last().unwrap_or_default().replace("none is", "0 is");
            text.split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse().ok()).collect()
        };
        let nonzero = |counts: Vec<u32>| -> Vec<u32> {
            // All, reproduced and not reproduced are always said; the others where there are any.
            let said = counts.iter().enumerate().filter(|(place, count)| *place < 3 || **count > 0);
            said.map(|(_, count)| *count).collect()
        };
        assert_eq!(words(claims), nonzero(numbers(paper, "claims")), "{paper}: {claims}");
        let all = numbers(paper, "printed results");
        let said = words(printed);
        assert_eq!(said[..3], all[..3], "{paper}: {printed}");
        assert!(said[3..].iter().all(|count| all[3..].contains(count)), "{paper}: {printed}");
    }
}

/// The modules at the top of a source folder, without their endings.
fn modules(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("the sources are there");
    let names = entries.map(|entry| entry.expect("it can be read").file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.map(|name| name.trim_end_matches(".rs").to_owned()).collect();
    names.sort();
    names.dedup();
    names
}

#[test]
fn contributing_lists_every_module_and_none_that_is_not_there() {
    let text = read("CONTRIBUTING.md");
    let map = section(&text, "## Where things are");
    let lines = map.lines().filter_map(|line| line.strip_prefix("    "));
    let listed: Vec<&str> = lines.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(listed.len() > 25, "{listed:?}");
    for path in &listed {
        assert!(project().join(path).exists(), "CONTRIBUTING lists {path}, which is not there");
    }
    for root in ["src", "core/src", "python/src"].into_iter().filter(|root| project().join(root).is_dir()) {
        for module in modules(&project().join(root)) {
            let names = [format!("{root}/{module}.rs"), format!("{root}/{module}/")];
            assert!(
                names.iter().any(|name| listed.contains(&name.as_str())),
                "CONTRIBUTING does not list {root}/{module}"
            );
        }
    }
}

#[test]
fn the_citation_has_the_version_of_the_package() {
    let citation = read("CITATION.cff");
    assert!(citation.contains(&format!("\nversion: {}\n", env!("CARGO_PKG_VERSION"))), "{citation}");
    assert!(citation.contains("\nlicense: MIT\n") && citation.starts_with("cff-version: 1.2.0\n"), "{citation}");
}

#[test]
fn the_workflow_runs_what_everybody_runs() {
    let workflow = read(".github/workflows/ci.yml");
    assert!(workflow.contains("run: .ci/run\n"));
    // Tests of pages are skipped where there is no browser: both install it.
    assert!(workflow.contains("run: sudo .ci/packages\n") && read(".ci/run").contains("    .ci/packages "));
    assert!(read(".ci/packages").contains("chromium"));
}

/// The commands in indented code and in backticks, without their comments and what the shell takes away.
fn commands(text: &str) -> Vec<String> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("    "));
    let lines = lines.map(|line| line.strip_prefix("$ ").unwrap_or(line));
    let quoted = text.lines().flat_map(|line| line.split('`').skip(1).step_by(2));
    let found = lines.chain(quoted).filter(|line| line.starts_with("conclave ") && !line.contains('…'));
    let plain = found.map(|line| line.split(" #").next().unwrap_or_default());
    plain.map(|line| line.split([';', '|', '>', '<']).next().unwrap_or_default().trim().to_owned()).collect()
}

/// Splits as a shell does, for the little that the documents use.
fn words(command: &str) -> Vec<String> {
    let parts = command.split('"').enumerate();
    let split = parts.flat_map(|(place, part)| match place % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect(),
        _ => vec![part.to_owned()],
    });
    split.collect()
}

#[test]
fn every_command_in_the_documents_is_one_that_the_program_takes() {
    let documents = [
        "README.md",
        "CONTRIBUTING.md",
        "docs/SPEC.md",
        "docs/METHODS.md",
        "docs/LABELS.md",
        "docs/NEW-PAPER.md",
        "docs/CLUSTERS.md",
        "docs/COOKBOOK.md",
        "docs/PYTHON.md",
        "docs/METHODOLOGY.md",
        "docs/ARCHITECTURE.md",
        "datasets/README.md",
    ];
    let mut seen = 0;
    for document in documents {
        for command in commands(&read(document)) {
            // A name alone, such as `conclave init`, is a mention. Numbers stand for what the user puts there.
            let words: Vec<String> = words(&command).into_iter().map(|word| word.replace("I/N", "1/2")).collect();
            if words.len() < 3 {
                continue;
            }
            seen += 1;
            let read = Arguments::try_parse_from(&words);
            assert!(read.is_ok(), "{document}: {command}\n{}", read.expect_err("it was refused"));
        }
    }
    assert!(seen >= 40, "only {seen} commands were found");
}

/// What a shell session in a document shows: commands, and the lines that are printed.
struct Session {
    commands: Vec<String>,
    printed: Vec<String>,
}

/// The session of a document that begins with a command.
fn session(document: &str, first: &str) -> Session {
    let text = read(document);
    let lines = text.lines().skip_while(|line| line.strip_prefix("    $ ") != Some(first));
    let lines = lines
        .take_while(|line| line.is_empty() || line.starts_with("    "))
        .map(str::trim)
        .filter(|line| !line.is_empty());
    let (commands, printed): (Vec<&str>, Vec<&str>) = lines.partition(|line| line.starts_with("$ "));
    let commands = commands.into_iter().map(|line| line.trim_start_matches("$ ").to_owned()).collect();
    Session { commands, printed: printed.into_iter().filter(|line| *line != "…").map(str::to_owned).collect() }
}

/// One line of words, with times taken away: those are of one machine.
fn without_times(text: &str) -> String {
    let timeless = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().filter(|word| *word != "<").collect();
        let is_time = |word: &&str| {
            word.split_once('.').is_some_and(|(_, digits)| digits.len() == 3 && word.parse::<f64>().is_ok())
        };
        let kept = match words.split_last() {
            Some((last, rest)) if is_time(last) && rest.len() > 4 => rest,
            _ => &words,
        };
        kept.join(" ")
    };
    text.lines().map(timeless).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_consensus_of_iris_prints_what_the_documents_show() {
    const FIRST: &str =
        "conclave ensemble iris --generator kmeans --size 20 --param k=3 --class class --output labels.csv";
    let folder = tempfile::tempdir().expect("a folder can be made");
    let mut printed = String::new();
    for command in session("docs/LABELS.md", FIRST).commands {
        let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_conclave"));
        let output = program.args(&words(&command)[1..]).current_dir(folder.path()).output().expect("it runs");
        let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("it is text"));
        assert!(output.status.success(), "{command}\n{err}");
        printed += &format!("{err}\n{out}\n");
    }
    let printed = without_times(&printed);
    for document in ["README.md", "docs/LABELS.md"] {
        let shown = session(document, FIRST).printed;
        assert!(shown.len() >= 4, "{document}");
        for line in shown {
            assert!(printed.contains(&without_times(&line)), "{document}: {line}\n{printed}");
        }
    }
}
