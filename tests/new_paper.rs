//! docs/NEW-PAPER.md, command by command, on the paper that `conclave init --paper` invents.

mod common;

use common::Workshop;
use sha2::{Digest, Sha256};

/// The commands of the page with the lines that it shows below each.
fn commands(page: &str) -> Vec<(&str, Vec<&str>)> {
    let blocks = page.split("```console\n").skip(1).filter_map(|rest| rest.split("```").next());
    let mut commands: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in blocks.flat_map(str::lines) {
        match (line.strip_prefix("$ "), commands.last_mut()) {
            (Some(command), _) => commands.push((command, Vec::new())),
            (None, Some((_, shown))) => shown.push(line),
            (None, None) => panic!("{line} is shown before any command"),
        }
    }
    commands
}

#[test]
fn every_command_of_the_page_prints_what_the_page_shows() {
    let page = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/NEW-PAPER.md");
    let page = std::fs::read_to_string(page).expect("the page is there");
    let commands = commands(&page);
    assert!(commands.len() >= 6, "{commands:?}");
    let workshop = Workshop::new();
    for (command, shown) in commands {
        let ran = workshop.shell(command).ok();
        for line in shown {
            assert!(ran.out.contains(line), "{command} does not print\n{line}\nbut\n{}", ran.out);
        }
    }
}

/// The blocks of TOML in the page's step on local data: the manifest, and what the spec has more.
fn local_data_of_the_page() -> [String; 2] {
    let page = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/NEW-PAPER.md");
    let page = std::fs::read_to_string(page).expect("the page is there");
    let step = page.split("\n## ").find(|step| step.starts_with("7. Local data")).expect("it has the step");
    let blocks = step.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next().map(str::to_owned));
    blocks.collect::<Vec<_>>().try_into().expect("a manifest and what the spec has more")
}

/// Three groups of twenty points each, far from one another.
fn cells() -> String {
    let point = |number: usize| {
        let class = number % 3;
        format!("{}.{},{}.{},{class}\n", 100 * class, number, 50 * class, 60 - number)
    };
    let points: String = (0..60).map(point).collect();
    format!("x,y,class\n{points}")
}

#[test]
fn a_claim_about_local_data_is_no_data_until_the_file_is_there() {
    let workshop = Workshop::new();
    workshop.run(&["init", "--paper", "mine"]).ok();
    let [manifest, more] = local_data_of_the_page();
    let (datasets, claim) = more.split_once("\n\n").expect("datasets, then a claim");
    let spec = String::from_utf8(workshop.read("experiments/mine/table1.toml")).expect("it is text");
    let spec: Vec<&str> =
        spec.lines().map(|line| if line.starts_with("datasets = ") { datasets } else { line }).collect();
    workshop.write("experiments/mine/table1.toml", &format!("{}\n\n{claim}", spec.join("\n")));
    for folder in ["datasets", "local"] {
        std::fs::create_dir(workshop.path().join(folder)).expect("the test's folder is writable");
    }
    let hash = |text: &str| Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    workshop.write("datasets/mine-cells.toml", &manifest.replace("SHA256 OF THE FILE", &hash(&cells())));
    let claim = |more: &[&str]| -> [String; 2] {
        let arguments = ["reproduce", "mine", "--scale", "quick", "--json"];
        let scorecard = workshop.run(&[&arguments[..], more].concat()).ok().json();
        let claims = scorecard["claims"].as_array().expect("it lists claims").clone();
        let found = claims.iter().find(|claim| claim["id"] == "cells-are-easy").expect("the claim is there");
        ["verdict", "not_run"].map(|key| found[key].as_str().unwrap_or_default().to_owned())
    };
    assert_eq!(claim(&[]), ["not run", "no data"]);
    // Another file of that name.
    workshop.write("local/mine-cells.csv", &cells().replace("0.0,", "0.5,"));
    let other = workshop.run(&["run", "experiments/mine/table1.toml", "--scale", "quick", "--data", "local"]);
    assert!(other.code != Some(0) && other.err.contains("sha256"), "{other:?}");
    workshop.write("local/mine-cells.csv", &cells());
    assert_eq!(claim(&["--data", "local"]), ["reproduced", ""]);
}

#[test]
fn the_new_spec_has_the_papers_key_and_names_the_page_that_is_there() {
    let workshop = Workshop::new();
    let ran = workshop.run(&["init", "--paper", "mine"]).ok();
    let spec = String::from_utf8(workshop.read("experiments/mine/table1.toml")).expect("it is text");
    for text in [&ran.out, &spec] {
        assert!(text.contains("docs/NEW-PAPER.md"), "{text}");
        assert!(!text.contains("NEW-mine") && !text.contains("<KEY>"), "{text}");
    }
    for line in ["# Table 1 of mine.", "name = \"mine-table1\"", "paper = \"mine\""] {
        assert!(spec.contains(line), "no {line} in\n{spec}");
    }
}

#[test]
fn a_new_paper_overwrites_nothing_and_keeps_the_list_of_papers() {
    let workshop = Workshop::new();
    workshop.run(&["init", "--paper", "first"]).ok();
    workshop.run(&["init", "--paper", "second"]).ok();
    let list = String::from_utf8(workshop.read("experiments/papers.toml")).expect("it is text");
    assert!(list.contains("\n[first]\n") && list.contains("\n[second]\n"), "{list}");
    workshop.write("experiments/first/table1.toml", "precious");
    workshop
        .run(&["init", "--paper", "first"])
        .refused(&["experiments/first/table1.toml already exists and was not overwritten"]);
    assert_eq!(workshop.read("experiments/first/table1.toml"), b"precious");
    workshop
        .run(&["init", "--paper", "No Name"])
        .refused(&["a paper cannot be named `No Name`", "expected small letters"]);
    workshop.run(&["init", "mine.toml", "--paper", "third"]).refused(&["cannot be used with"]);
    assert_eq!(String::from_utf8(workshop.read("experiments/papers.toml")).expect("it is text"), list);
}
