use std::path::PathBuf;

use super::*;
use crate::data::{Catalog, DatasetChoice};
use crate::generate::Which;
use crate::params::Value;

fn iris() -> Dataset {
    Catalog::locate(None).load(&DatasetChoice::named("iris"), 1).unwrap()
}

fn params(path: PathBuf, without: &[&str]) -> Params {
    let mut params = Params::defaults(INFO.parameters);
    params.set(&INFO.parameters[0], Value::Path(path));
    params.set(&INFO.parameters[1], Value::Names(without.iter().map(|&name| name.to_owned()).collect()));
    params
}

fn id(params: &Params, dataset: &Dataset) -> Id {
    INFO.ensemble_id(params, dataset, &Which { seed: 1, index: Some(0) }).unwrap()
}

fn refusal(params: &Params, dataset: &Dataset) -> String {
    INFO.make(params, dataset).err().unwrap().to_string()
}

#[test]
fn columns_are_those_of_the_file_and_its_content_is_part_of_the_identity() {
    let dataset = iris();
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, odd: usize| {
        let rows: String = (0..150).map(|row| format!("{},{}\n", row % 3, (row + odd) % 2)).collect();
        std::fs::write(folder.path().join(name), format!("a,b\n{rows}")).unwrap();
        params(folder.path().join(name), &[])
    };
    let (one, same, other) = (write("one.csv", 0), write("same.csv", 0), write("other.csv", 1));
    assert_eq!(id(&one, &dataset), id(&same, &dataset));
    assert_ne!(id(&one, &dataset), id(&other, &dataset));
    let generator = INFO.make(&one, &dataset).unwrap();
    let mut rng = Id::of("test", &[]).rng("none");
    assert_eq!(generator.column(0, &mut rng).unwrap().codes()[..4], [0, 1, 2, 0]);
    assert!(generator.column(2, &mut rng).unwrap_err().to_string().contains("has 2 base clusterings"));
    let wine = Catalog::locate(None).load(&DatasetChoice::named("wine"), 1).unwrap();
    assert!(refusal(&one, &wine).contains("labels of 150 objects, the dataset has 178"));
}

#[test]
fn the_classes_are_refused_by_name_and_by_content_and_can_be_left_out() {
    let dataset = iris();
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, header: &str, third: &dyn Fn(usize) -> usize| {
        let rows: String = (0..150).map(|row| format!("{},{},{}\n", row % 3, row % 2, third(row))).collect();
        std::fs::write(folder.path().join(name), format!("{header}\n{rows}")).unwrap();
        folder.path().join(name)
    };
    let truth = dataset.truth.clone().unwrap();
    let class = |row: usize| truth.labels()[row] as usize;
    let named = write("named.csv", "a,b,class", &|row| row % 5);
    assert!(refusal(&params(named, &[]), &dataset).ends_with(
        "column `class` is called like the dataset's column of classes, and the classes cannot be a base clustering; \
         write without = \"class\""
    ));
    let copied = write("copied.csv", "a,b,species", &|row| 7 - class(row));
    let reason = refusal(&params(copied.clone(), &[]), &dataset);
    assert!(reason.contains("column `species` is the dataset's classes, object by object"), "{reason}");
    assert!(reason.ends_with("write without = \"species\""), "{reason}");
    assert_eq!(INFO.make(&params(copied.clone(), &["species"]), &dataset).unwrap().columns(), Some(2));
    let finer = write("finer.csv", "a,b,c", &|row| 2 * class(row) + row % 2);
    assert_eq!(INFO.make(&params(finer, &[]), &dataset).unwrap().columns(), Some(3));
    assert!(refusal(&params(copied, &["specie"]), &dataset).contains("did you mean `species`?"));
}

#[test]
fn leaving_a_column_out_is_the_file_without_it() {
    let dataset = iris();
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, header: &str, columns: usize| {
        let row = |row: usize| {
            ["a", "b", "c"]
                .iter()
                .enumerate()
                .map(|(c, _)| (row / (c + 1) % 3).to_string())
                .take(columns)
                .collect::<Vec<_>>()
                .join(",")
        };
        let rows: String = (0..150).map(|number| row(number) + "\n").collect();
        std::fs::write(folder.path().join(name), format!("{header}\n{rows}")).unwrap();
        folder.path().join(name)
    };
    let (all, two) = (write("all.csv", "a,b,c", 3), write("two.csv", "a,b", 2));
    assert_eq!(id(&params(all.clone(), &["c"]), &dataset), id(&params(two, &[]), &dataset));
    assert_ne!(id(&params(all.clone(), &["c"]), &dataset), id(&params(all.clone(), &[]), &dataset));
    assert_ne!(id(&params(all.clone(), &["c"]), &dataset), id(&params(all, &["b"]), &dataset));
}

#[test]
fn own_columns_are_labels_by_value_and_measurements_are_refused() {
    let features = Matrix::new(2, vec![9.0, 0.0, -1.0, 0.0, 9.0, 1.0]).unwrap();
    let dataset = Dataset::new("pool", features, Some(Partition::from_codes(&[0, 1, 1])));
    let own = Params::defaults(INFO.parameters);
    let generator = INFO.make(&own, &dataset).unwrap();
    let mut rng = Id::of("test", &[]).rng("none");
    assert_eq!(generator.columns(), Some(2));
    assert_eq!(generator.column(0, &mut rng).unwrap().codes(), [1, 0, 1]);
    assert_eq!(generator.column(1, &mut rng).unwrap().codes(), [0, 0, 1]);
    assert!(generator.column(2, &mut rng).is_err());
    assert!(refusal(&own, &iris()).contains("object 1 has 5.1 in column 1: that is a measurement"));
    let mut without = own;
    without.set(&INFO.parameters[1], Value::Names(vec!["class".into()]));
    assert!(refusal(&without, &dataset).contains("where `path` names one"));
}

#[test]
fn classes_among_a_datasets_own_columns_are_refused() {
    let truth = iris().truth.unwrap();
    let with = |column: &dyn Fn(usize) -> f64| {
        let values = (0..150).flat_map(|row| [(row % 4) as f64, column(row)]).collect();
        Dataset::new("own", Matrix::new(2, values).unwrap(), Some(truth.clone()))
    };
    let own = Params::defaults(INFO.parameters);
    assert!(INFO.make(&own, &with(&|row| (row % 3) as f64)).is_ok());
    let class = |row: usize| 7.0 - f64::from(truth.labels()[row]);
    assert!(refusal(&own, &with(&class)).contains("column 2 is its classes, object by object"));
}
