//! What makes the program pleasant at a prompt: a spec to start from, completions, manual pages, examples, colours.

mod common;

use std::path::Path;
use std::process::{Command, Stdio};

use clap::Parser as _;
use common::Workshop;

/// The names of all verbs, as the help lists them.
fn verbs(workshop: &Workshop) -> Vec<String> {
    let help = workshop.run(&["--help"]).ok().out;
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names = listed.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    names.filter_map(|line| line.split_whitespace().next()).filter(|verb| *verb != "help").map(str::to_owned).collect()
}

#[test]
fn every_verb_shows_an_example() {
    let workshop = Workshop::new();
    let verbs = verbs(&workshop);
    assert!(verbs.len() >= 12 && verbs.iter().any(|verb| verb == "run"), "{verbs:?}");
    for verb in &verbs {
        let help = workshop.run(&[verb, "--help"]).ok().out;
        // What runs as a rank is started by mpirun.
        let example = [format!("  conclave {verb}"), format!("  mpirun -n 4 conclave {verb}")];
        let shown = help.lines().any(|line| example.iter().any(|example| line.starts_with(example)));
        assert!(shown, "{verb}:\n{help}");
    }
}

#[test]
fn examples_can_be_pasted_however_narrow_the_terminal_is() {
    let workshop = Workshop::new();
    let help = |verb: &str, width: usize| {
        let shown = workshop.command(&[verb, "--help"]).env("COLUMNS", width.to_string()).output().expect("it starts");
        String::from_utf8(shown.stdout).expect("help is text")
    };
    let examples = |help: &str| -> Vec<String> {
        let lines = help.lines().map(str::trim_start).filter(|line| line.contains("conclave "));
        lines.filter(|line| line.starts_with("conclave ") || line.starts_with("mpirun ")).map(str::to_owned).collect()
    };
    for verb in verbs(&workshop).iter().map(String::as_str).chain(["--help"]) {
        let wide = examples(&help(verb, 1000));
        assert!(!wide.is_empty(), "{verb}");
        for width in [60, 80, 100] {
            let narrow = help(verb, width);
            assert_eq!(examples(&narrow), wide, "{verb} at {width}");
            let is_prose = |line: &str| !line.starts_with("  ") && !line.starts_with("Usage: ");
            let is_too_long = |line: &&str| line.chars().count() > width && is_prose(line);
            assert_eq!(narrow.lines().find(is_too_long), None, "{verb} at {width}: prose is wrapped");
        }
        for example in wide {
            // As far as a shell would hand it to the program.
            let command = example.split(['#', '|', '>', '<', '&']).next().unwrap_or_default();
            let words = command.split_whitespace().skip_while(|word| *word != "conclave");
            let parsed = conclave::cli::Arguments::try_parse_from(words);
            assert!(parsed.is_ok(), "{example}: {}", parsed.err().map(|error| error.to_string()).unwrap_or_default());
        }
    }
}

#[test]
fn the_starter_spec_runs_as_it_is_and_nothing_is_overwritten() {
    let workshop = Workshop::new();
    let wrote = workshop.run(&["init", "my labels.toml"]).ok();
    assert!(wrote.out.contains("conclave run 'my labels.toml'"), "{}", wrote.out);
    let ran = workshop.run(&["run", "my labels.toml"]).ok();
    assert!(ran.last_line().ends_with(" 0 failed"), "{}", ran.out);
    assert!(workshop.path().join("reports/my-labels/index.html").is_file());
    workshop.run(&["plan", "my labels.toml", "--scale", "quick"]).ok();
    workshop.write("experiment.toml", "precious");
    workshop.run(&["init"]).refused(&["experiment.toml already exists and was not overwritten"]);
    assert_eq!(workshop.read("experiment.toml"), b"precious");
    workshop.run(&["init", "nowhere/mine.toml"]).refused(&["nowhere/mine.toml: the folder nowhere does not exist"]);
}

#[test]
fn the_readmes_python_method_and_four_lines_of_the_starter_spec_are_enough() {
    if !is_there("python3") {
        return;
    }
    let workshop = Workshop::new();
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let readme = std::fs::read_to_string(readme).expect("the README is there");
    let method = readme.split("```python\n").nth(1).and_then(|rest| rest.split("```").next());
    workshop.write("mine.py", method.expect("it shows a method in Python"));
    workshop.run(&["init", "mine.toml"]).ok();
    let spec = String::from_utf8(workshop.read("mine.toml")).expect("a spec is text");
    let lines = ["[[method]]", "name = \"mine\"", "command = [\"python3\", \"mine.py\"]", "version = \"1\""];
    let uncommented = lines.iter().fold(spec, |spec, line| {
        assert!(readme.contains(&format!("\n    {line}")), "{line} is not in the README");
        let commented = format!("\n# {line}");
        assert!(spec.contains(&commented), "{line} is not in the starter spec");
        spec.replacen(&commented, &format!("\n{line}"), 1)
    });
    workshop.write("mine.toml", &uncommented);
    let ran = workshop.run(&["run", "mine.toml", "--scale", "quick"]).ok();
    assert!(ran.last_line().ends_with(" 0 failed"), "{}", ran.out);
    let table = String::from_utf8(workshop.read("reports/mine/accuracy.csv")).expect("a table is text");
    assert!(table.contains("mine"), "{table}");
}

/// Whether a program is installed; says so aloud when it is not.
fn is_there(program: &str) -> bool {
    let found = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok();
    if !found {
        eprintln!("skipped: {program} is not installed");
    }
    found
}

#[test]
fn bash_completes_verbs_and_options() {
    let workshop = Workshop::new();
    workshop.write("conclave.bash", &workshop.run(&["completions", "bash"]).ok().out);
    let complete = |words: &[&str]| {
        let position = words.len() - 1;
        let script = format!(
            "source ./conclave.bash; COMP_WORDS=({}); COMP_CWORD={position}; \
             _conclave conclave '{}' '{}'; echo \"${{COMPREPLY[*]}}\"",
            words.join(" "),
            words[position],
            words[position - 1]
        );
        let ran =
            Command::new("bash").args(["-c", &script]).current_dir(workshop.path()).output().expect("bash starts");
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        String::from_utf8(ran.stdout).expect("words are text").trim().to_owned()
    };
    if is_there("bash") {
        assert_eq!(complete(&["conclave", "comp"]), "compare completions");
        assert_eq!(complete(&["conclave", "run", "--retr"]), "--retry-failed");
        assert_eq!(complete(&["conclave", "list", "me"]), "methods metrics");
    }
}

#[test]
fn zsh_and_fish_can_read_their_completions() {
    let workshop = Workshop::new();
    for shell in ["zsh", "fish"] {
        let script = workshop.run(&["completions", shell]).ok().out;
        assert!(script.contains("consensus"), "{script}");
        workshop.write(shell, &script);
        if is_there(shell) {
            let ran = Command::new(shell).args(["-n", shell]).current_dir(workshop.path()).output().expect("it starts");
            assert!(ran.status.success() && ran.stderr.is_empty(), "{}", String::from_utf8_lossy(&ran.stderr));
        }
    }
    workshop.run(&["completions", "cmd"]).refused(&["invalid value 'cmd'", "bash"]);
}

#[test]
fn there_is_a_manual_page_for_the_program_and_for_every_verb() {
    let workshop = Workshop::new();
    let page = workshop.run(&["man"]).ok().out;
    assert!(page.contains(".TH conclave 1") && page.contains("conclave\\-consensus(1)"), "{page}");
    workshop.run(&["man", "--output", "man1"]).ok();
    for verb in verbs(&workshop) {
        let page = workshop.run(&["man", &verb]).ok().out;
        assert!(page.contains(&format!(".TH conclave-{verb} 1")), "{verb}:\n{page}");
        assert_eq!(workshop.read(&format!("man1/conclave-{verb}.1")), page.into_bytes(), "{verb}");
    }
    workshop.run(&["man", "rnu"]).refused(&["no verb is named `rnu`; did you mean `run`?"]);
}

#[test]
fn whoever_stops_reading_is_not_shown_a_panic() {
    let workshop = Workshop::new();
    for line in ["list methods", "man run", "completions bash"] {
        let program = assert_cmd::cargo::cargo_bin!("conclave");
        let script = format!("'{}' {line} | :", program.display());
        let ran = Command::new("sh").args(["-c", &script]).current_dir(workshop.path()).output().expect("sh starts");
        assert_eq!(String::from_utf8_lossy(&ran.stderr), "", "{line}");
    }
}

#[test]
fn colours_are_for_terminals_and_no_color_takes_them_away() {
    let workshop = Workshop::new();
    workshop.write("bad.toml", "name = 1\n");
    let messages = |variables: &[(&str, &str)]| {
        ["list methods", "run bad.toml", "--help"].map(|line| {
            let words: Vec<&str> = line.split(' ').collect();
            let mut command = workshop.command(&words);
            for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
                command.env_remove(variable);
            }
            let output = command.envs(variables.iter().copied()).output().expect("the program can be started");
            [output.stdout, output.stderr].concat()
        })
    };
    let painted = |text: &Vec<u8>| text.contains(&0x1b);
    let plain = messages(&[]);
    assert!(!plain.iter().any(painted), "a pipe is not a terminal");
    let forced = messages(&[("CLICOLOR_FORCE", "1")]);
    assert!(forced[..2].iter().all(painted), "{}", String::from_utf8_lossy(&forced[0]));
    assert_eq!(messages(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]), plain);
}

#[test]
fn the_examples_in_other_languages_run_where_their_language_is_installed() {
    let workshop = Workshop::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/methods");
    let examples = [("python.toml", "python3"), ("r.toml", "Rscript"), ("awk.toml", "sh")];
    let specs = std::fs::read_dir(&folder).expect("the examples are there").filter_map(Result::ok);
    let specs = specs.filter(|entry| entry.path().extension().is_some_and(|end| end == "toml"));
    assert_eq!(specs.count(), examples.len(), "every example is run here");
    for (spec, interpreter) in examples {
        if is_there(interpreter) {
            let path = folder.join(spec);
            let ran = workshop.run(&["run", path.to_str().expect("project paths are plain")]).ok();
            assert!(ran.last_line().ends_with(" 0 failed"), "{spec}: {}", ran.out);
        }
    }
}
