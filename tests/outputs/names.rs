//! Names in specs that become the names of folders and files.

use super::common::{SMALL, Workshop};
use super::made;

#[test]
fn a_name_is_one_plain_folder_name() {
    let workshop = Workshop::new();
    workshop.write("index.html", "precious");
    let long = "x".repeat(101);
    let names = [
        "",
        ".",
        "..",
        "../up",
        "a/b",
        "/root-of-all",
        "a\\\\b",
        ".hidden",
        " a",
        "a ",
        "a\\u0000b",
        "a\\nb",
        "-x",
        &long,
    ];
    for name in names {
        workshop.write("small.toml", &SMALL.replace("\"small\"", &format!("\"{name}\"")));
        for verb in ["run", "plan", "report", "status"] {
            let ran = workshop.run(&[verb, "small.toml"]);
            ran.refused(&["small.toml:2:8: `name` becomes a folder name", "the name of one folder"]);
        }
    }
    for name in ["index.html", "Scorecard.md"] {
        workshop.write("small.toml", &SMALL.replace("\"small\"", &format!("\"{name}\"")));
        workshop.run(&["run", "small.toml"]).refused(&["the folder of reports has a file named"]);
    }
    assert_eq!(made(&workshop), ["index.html", "small.toml"]);
    assert_eq!(workshop.read("index.html"), b"precious");
    workshop.write("small.toml", SMALL);
    workshop.write("other.toml", &SMALL.replace("\"small\"", "\"Small\""));
    workshop.run(&["run", "small.toml", "other.toml"]).refused(&["but for upper and lower case"]);
    workshop.write("small.toml", &SMALL.replace("\"small\"", &format!("\"{}\"", "x".repeat(100))));
    workshop.run(&["run", "small.toml"]).ok();
}

#[test]
fn ids_cannot_take_the_files_of_others_or_of_the_report_itself() {
    let workshop = Workshop::new();
    let with_id = |id: &str| SMALL.replace("id = \"accuracy\"", &format!("id = \"{id}\""));
    for id in ["", "..", "a/b", "a.b", "-x", "_x", "a b", &"x".repeat(101)] {
        workshop.write("small.toml", &with_id(id));
        workshop.run(&["run", "small.toml"]).refused(&["`id` becomes a file name", "small.toml:24:6"]);
    }
    for id in ["claims", "Claims", "index", "report"] {
        workshop.write("small.toml", &with_id(id));
        workshop.run(&["run", "small.toml"]).refused(&["the report has files named", "small.toml:24:6"]);
    }
    let second = |id: &str, kind: &str| format!("{SMALL}\n[[{kind}]]\nid = \"{id}\"\nmetric = \"accuracy\"\n");
    workshop.write("small.toml", &second("Accuracy", "table"));
    workshop.run(&["run", "small.toml"]).refused(&["the ids \"accuracy\" and \"Accuracy\" differ only by case"]);
    workshop.write("small.toml", &second("accuracy", "ranking"));
    workshop.run(&["run", "small.toml"]).refused(&["have the id \"accuracy\""]);
    let taken = second("r", "ranking").replace("id = \"accuracy\"", "id = \"R-Ranks\"");
    workshop.write("small.toml", &taken);
    workshop.run(&["run", "small.toml"]).refused(&["ranking `r` writes a table or figure under this id"]);
    assert_eq!(made(&workshop), ["small.toml"], "nothing was run");
}
