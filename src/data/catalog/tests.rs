use std::fmt::Write as _;

use super::*;
use crate::data::UserFile;

#[test]
fn every_bundled_dataset_is_what_its_manifest_says() {
    let entries = Catalog::locate(None).entries().unwrap();
    let bundled: Vec<&String> =
        entries.iter().filter(|(_, entry)| entry.kind == DatasetKind::Bundled).map(|(name, _)| name).collect();
    assert_eq!(bundled.len(), 16, "{bundled:?}");
    for name in bundled {
        entries[name].verify(name).unwrap();
    }
}

#[test]
fn local_datasets_are_what_their_manifests_say_where_they_are_there() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/datasets/local");
    let entries = Catalog::locate(Some(folder.clone())).entries().unwrap();
    let local = entries.iter().filter(|(_, entry)| entry.kind == DatasetKind::Local);
    let mut count = 0;
    for (name, entry) in local {
        count += 1;
        if entry.present() {
            entry.verify(name).unwrap();
        } else {
            eprintln!("skipped: {name}.csv is not in {}", folder.display());
        }
    }
    assert_eq!(count, 29);
}

#[test]
fn what_is_not_there_says_what_to_get_and_where_to_put_it() {
    let empty = tempfile::tempdir().unwrap();
    let catalog = Catalog::locate(Some(empty.path().to_owned()));
    let error = catalog.load(&DatasetChoice::named("isolet"), 1).unwrap_err().to_string();
    for words in ["isolet is not bundled", "UCI's ISOLET", "isolet.csv", "--data DIR", "CONCLAVE_DATA", "b26eb603"] {
        assert!(error.contains(words), "{words}: {error}");
    }
}

#[test]
fn a_stand_in_is_marked_and_gives_way_to_the_real_file() {
    let folder = tempfile::tempdir().unwrap();
    let catalog = Catalog::locate(Some(folder.path().to_owned()));
    let made = catalog.load(&DatasetChoice::named("image-c"), 1).unwrap();
    assert!(made.stand_in);
    let mut real = "x,y,class\n".to_owned();
    (0..739).for_each(|row| writeln!(real, "{row},1,c{}", row % 7).unwrap());
    std::fs::write(folder.path().join("image-c.csv"), &real).unwrap();
    assert!(!catalog.load(&DatasetChoice::named("image-c"), 1).unwrap().stand_in);
    std::fs::write(folder.path().join("image-c.csv"), real.replace("738,1,c3\n", "")).unwrap();
    let error = catalog.load(&DatasetChoice::named("image-c"), 1).unwrap_err().to_string();
    assert!(error.contains("(738, 2, 7), expected (739, 2, 7)"), "{error}");
}

#[test]
fn a_sample_depends_on_the_seed_and_keeps_rows_with_their_classes() {
    let catalog = Catalog::locate(None);
    let sampled = DatasetChoice { sample: Some(40), ..DatasetChoice::named("iris") };
    let one = catalog.load(&sampled, 1).unwrap();
    assert_eq!(one.features.rows(), 40);
    assert_eq!(one.id, catalog.load(&sampled, 1).unwrap().id);
    assert_ne!(one.id, catalog.load(&sampled, 2).unwrap().id);
    let whole = catalog.load(&DatasetChoice::named("iris"), 1).unwrap();
    let class = |dataset: &Dataset, row: usize| {
        dataset.class_names[dataset.truth.as_ref().unwrap().labels()[row] as usize].clone()
    };
    for row in 0..40 {
        let found = (0..150).any(|other| {
            whole.features.row(other) == one.features.row(row) && class(&whole, other) == class(&one, row)
        });
        assert!(found, "row {row}");
    }
}

#[test]
fn a_users_file_of_any_format_is_a_dataset_with_or_without_classes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.tsv");
    std::fs::write(&path, "a\tkind\tb\n1\tu\t2\n3\tv\t4\n").unwrap();
    let load = |class: Option<&str>| {
        let source =
            Source::File(UserFile { path: path.clone(), class: class.map(str::to_owned), ..UserFile::default() });
        Catalog::locate(None).load(&DatasetChoice { source, ..DatasetChoice::named("mine") }, 1)
    };
    let classed = load(Some("kind")).unwrap();
    assert_eq!(classed.features.values(), [1.0, 2.0, 3.0, 4.0]);
    assert_eq!(classed.truth.unwrap().labels(), [0, 1]);
    let unclassed = load(None).unwrap();
    assert_eq!((unclassed.features.columns(), unclassed.truth), (3, None));
    assert!(load(Some("kin")).unwrap_err().to_string().contains("no column is named `kin`"));
}

#[test]
fn a_changed_file_is_an_error_that_names_it() {
    let folder = tempfile::tempdir().unwrap();
    let catalog = Catalog::locate(Some(folder.path().to_owned()));
    let bundled = bundle::get("datasets/iris.csv").unwrap().text();
    std::fs::write(folder.path().join("iris.csv"), bundled.replacen("5.1", "5.2", 1)).unwrap();
    let error = catalog.load(&DatasetChoice::named("iris"), 1).unwrap_err().to_string();
    assert!(error.contains("iris.csv") && error.contains("has changed"), "{error}");
}
