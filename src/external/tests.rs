use serde_json::Value;

use super::*;
use crate::consensus::{Missing, Parties, Watch};
use crate::ensemble::{Ensemble, Labels};
use crate::seed::Id;

fn program(command: &[&str]) -> Program {
    Program {
        name: "mine".to_owned(),
        version: "1".to_owned(),
        command: command.iter().map(|word| (*word).to_owned()).collect(),
        folder: PathBuf::from("."),
        params: BTreeMap::from([("alpha".to_owned(), Value::from(0.5))]),
        accepts: Accepts { missing: Missing::Accepted, clusters: Clusters::Given, parties: Parties::None },
        memory: Memory::DEFAULT,
        tasks: TaskStream::ONE_EACH,
    }
}

/// Three objects, two base clusterings, one gap.
fn ensemble() -> Ensemble {
    let columns = [vec![Some(1), Some(0), Some(1)], vec![None, Some(0), Some(1)]];
    Ensemble::from_columns(&columns.map(Labels::from_options)).unwrap()
}

fn task(ensemble: &Ensemble) -> Task<'_> {
    Task { ensemble, clusters: Some(2), repeat: 3, id: Id::of("test", &[]), watch: Watch::default() }
}

#[test]
fn a_program_is_told_the_header_and_every_objects_labels() {
    let ensemble = ensemble();
    let input = protocol::input(&task(&ensemble), &program(&["x"]).params);
    let (header, rows) = input.split_once('\n').unwrap();
    let header: Value = serde_json::from_str(header).unwrap();
    let seed = header["seed"].as_u64().unwrap();
    let expected = json!({
        "k": 2, "seed": seed, "rows": 3, "columns": 2, "repeat": 3, "missing": 1, "arity": [2, 2],
        "params": { "alpha": 0.5 },
    });
    assert_eq!(header, expected);
    assert!(seed < 1 << 31);
    assert_eq!(rows, "1,\n0,0\n1,1\n");
}

#[test]
fn labels_are_any_text_and_clusters_are_numbered_as_they_come() {
    let read = |text: &str| protocol::read_labels(text.as_bytes(), 4, Some(2)).map(|found| found.labels().to_vec());
    assert_eq!(read("β\nα \r\n α\nβ"), Ok(vec![0, 1, 1, 0]));
    assert_eq!(read("2\n1\n1\n2\n\n"), Ok(vec![0, 1, 1, 0]));
    assert_eq!(read("1\n1\n1\n"), Err("printed 3 labels for 4 objects".to_owned()));
    assert_eq!(read("1\n1\n1\n1\n1\n"), Err("printed 5 labels for 4 objects".to_owned()));
    assert_eq!(read("1\n\n1\n1\n"), Err("printed no label in line 2".to_owned()));
    assert_eq!(read(" \n"), Err("printed 0 labels for 4 objects".to_owned()));
    assert_eq!(read("1\n2\n3\n1\n"), Err("printed 3 different labels, k is 2".to_owned()));
    let binary = protocol::read_labels(b"1\n\xff\n", 2, None).unwrap_err();
    assert_eq!(binary, "printed line 2 in something other than UTF-8");
}

#[test]
fn a_program_that_copies_its_first_column_returns_it() {
    let ensemble = ensemble();
    let found = program(&["awk", "-F,", "NR > 1 { print $1 }"]).combine(&task(&ensemble)).unwrap();
    assert_eq!(found.partition.labels(), [0, 1, 0]);
}

#[test]
fn what_a_program_says_is_in_the_reason_its_last_line_first() {
    let ensemble = ensemble();
    let reason = |script: &str| match program(&["sh", "-c", script]).combine(&task(&ensemble)) {
        Err(Halt::Failed(reason)) => reason,
        other => panic!("{other:?}"),
    };
    assert_eq!(reason("exit 3"), "the program ended with exit code 3");
    assert_eq!(reason("echo no luck >&2; exit 1"), "the program ended with exit code 1: no luck");
    let lines = "the program ended with exit code 1: b\nstandard error:\na\nb";
    assert_eq!(reason("echo a >&2; echo b >&2; exit 1"), lines);
    assert_eq!(reason("echo why >&2; echo 1"), "the program printed 1 label for 3 objects: why");
    let killed = reason("kill -KILL $$");
    assert_eq!(killed, "the program was ended by signal 9 (its `memory` is 4 GB)");
    let long = reason("yes no | head -c 100000 >&2; exit 1");
    assert!(long.contains("standard error:\n…") && long.len() < 5000, "{} bytes", long.len());
}

#[test]
fn the_identity_has_all_that_matters_and_no_place() {
    let one = program(&["python3", "mine.py"]);
    let elsewhere = Program { folder: PathBuf::from("/elsewhere"), ..program(&["/opt/bin/python3", "mine.py"]) };
    assert_eq!(one.identity(), elsewhere.identity());
    let others = [
        Program { version: "2".to_owned(), ..one.clone() },
        Program { name: "yours".to_owned(), ..one.clone() },
        Program { params: BTreeMap::new(), ..one.clone() },
        program(&["python3", "mine.py", "--fast"]),
    ];
    for other in others {
        assert_ne!(one.identity(), other.identity());
    }
}
