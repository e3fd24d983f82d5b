use std::fs;
use std::os::unix::fs::symlink;

use super::*;

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_write_that_fails_leaves_the_old_file_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("clusters.csv");
    fs::write(&path, "old").unwrap();
    let target = Target::find(&path).unwrap();
    let failed = target.write(|out| {
        out.write_all(b"new")?;
        Err(io::Error::other("thrift: transport error"))
    });
    let message = failed.unwrap_err().to_string();
    assert!(message.ends_with("the existing file is unchanged"), "{message}");
    assert_eq!(fs::read(&path).unwrap(), b"old");
    assert_eq!(names(folder.path()), ["clusters.csv"]);
}

#[test]
fn the_systems_words_go_before_those_of_a_library() {
    let failed = filled(&mut fs::OpenOptions::new().write(true).open("/dev/full").unwrap(), &mut 0, |out| {
        out.write_all(&vec![0; BUFFER + 1]).map_err(|_| io::Error::other("thrift: transport error"))
    });
    assert_eq!(failed.unwrap_err().kind(), io::ErrorKind::StorageFull);
}

#[test]
fn a_file_is_the_same_however_it_is_spelled() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("there"), "").unwrap();
    fs::hard_link(at("there"), at("hard")).unwrap();
    symlink("there", at("soft")).unwrap();
    symlink("new", at("dangling")).unwrap();
    symlink(".", at("folder")).unwrap();
    let same = |one: &str, other: &str| {
        let [one, other] = [one, other].map(|name| Target::find(at(name)).unwrap());
        one.is_same_as(&other)
    };
    for (one, other) in [("there", "hard"), ("there", "soft"), ("new", "dangling"), ("new", "folder/new")] {
        assert!(same(one, other) && same(other, one), "{one} and {other}");
    }
    assert!(!same("there", "new") && !same("new", "newer"));
    let device = || Target::find("/dev/zero").unwrap();
    assert!(!device().is_same_as(&device()), "a device takes any number of outputs");
    assert_eq!(names(folder.path()), ["dangling", "folder", "hard", "soft", "there"], "finding makes nothing");
}

#[test]
fn a_file_that_is_read_is_known_again_through_links_and_devices_are_nobodys_input() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("labels"), "").unwrap();
    fs::write(at("other"), "").unwrap();
    fs::hard_link(at("labels"), at("hard")).unwrap();
    symlink("labels", at("soft")).unwrap();
    let overwrites = |output: &str, input: &str| {
        Target::find(at(output)).unwrap().overwrites(at(input).to_str().expect("it is text"))
    };
    for (output, input) in [("labels", "labels"), ("hard", "labels"), ("soft", "hard"), ("labels", "soft")] {
        assert!(overwrites(output, input), "{output} and {input}");
    }
    assert!(!overwrites("other", "labels") && !overwrites("new", "new"));
    assert!(!Target::find("/dev/null").unwrap().overwrites("/dev/null"));
}

#[test]
fn links_that_lead_nowhere_are_refused_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    symlink("two", at("one")).unwrap();
    symlink("one", at("two")).unwrap();
    let circle = Target::find(at("one")).unwrap_err().to_string();
    assert!(circle.contains("form a loop"), "{circle}");
    for name in ["", "..", "sub/", "."] {
        let path = if name.is_empty() { PathBuf::new() } else { at(name) };
        assert!(Target::find(path).is_err(), "{name}");
    }
}
