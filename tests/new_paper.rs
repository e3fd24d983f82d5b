//! docs/NEW-PAPER.md, command by command, on the paper that `conclave init --paper` invents.

mod common;

use common::Workshop;

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
