//! Controls of the verdicts, end to end: a paper that the program itself made is reproduced, and what is wrong is found out.

mod common;

use std::collections::BTreeMap;

use common::Workshop;
use conclave::store::read_table;
use serde_json::Value;

/// Three methods on twenty ensembles of two datasets; `SEED`, `PUBLISHED` and `QMI` are filled in.
const SPEC: &str = r#"
name = "controls"
reproduces = "Table 1"
seed = SEED
datasets = ["iris", "wine"]
metrics = ["accuracy"]

[ensemble]
generator = "kmeans"
k = "classes"
size = 6
count = 20

[[method]]
name = "mcla"

[[method]]
QMI

[[method]]
name = "hgpa"

[[table]]
id = "accuracy"
metric = "accuracy"
statistics = ["mean", "sd", "max"]
PUBLISHED
"#;

const PUBLISHED: &str = "published = { file = \"printed.csv\", value = \"number\", statistic = \"stat\", columns = { dataset = \
                         \"dataset\", method = \"method\" }, runs = 20, runs-said = \"stated\" }";

/// What the paper could say of its own table, and the same turned round.
const CLAIMS: &str = r#"
[[claim]]
id = "ahead"
says = "QMI is more accurate than HGPA."
check = "order"
metric = "accuracy"
of = ["qmi", "hgpa"]
relation = ">"

[[claim]]
id = "flipped"
says = "HGPA is more accurate than QMI."
check = "order"
metric = "accuracy"
of = ["hgpa", "qmi"]
relation = ">"

[[claim]]
id = "best"
says = "QMI is best on iris."
check = "wins"
metric = "accuracy"
of = "qmi"
against = ["hgpa"]
where = { dataset = "iris" }

[[claim]]
id = "flipped-best"
says = "HGPA is best on iris."
check = "wins"
metric = "accuracy"
of = "hgpa"
against = ["qmi"]
where = { dataset = "iris" }
best = "alone"
"#;

fn spec(seed: u32, published: &str, qmi: &str) -> String {
    let filled = SPEC.replace("SEED", &seed.to_string()).replace("PUBLISHED", published).replace("QMI", qmi);
    if published.is_empty() { filled } else { filled + CLAIMS }
}

/// Runs the paper's experiment and prints its table: dataset, method, statistic, number.
fn printed() -> Vec<[String; 4]> {
    let workshop = Workshop::new();
    workshop.write("controls.toml", &spec(11, "", "name = \"qmi\""));
    workshop.run(&["run", "controls.toml", "--no-report"]).ok();
    let table = read_table(&workshop.path().join("results/controls")).expect("the results can be read");
    let mut runs: BTreeMap<(String, String), Vec<f64>> = BTreeMap::new();
    for line in table.lines {
        let dataset = ["iris", "wine"].into_iter().find(|name| line.condition.contains(name)).expect("one of the two");
        let (metric, value) = line.value.expect("every run has a number");
        if metric == "accuracy" {
            runs.entry((dataset.to_owned(), line.method)).or_default().push(value);
        }
    }
    let mut printed = Vec::new();
    for ((dataset, method), runs) in runs {
        assert_eq!(runs.len(), 20);
        let mean = runs.iter().sum::<f64>() / 20.0;
        let sd = (runs.iter().map(|run| (run - mean).powi(2)).sum::<f64>() / 19.0).sqrt();
        let largest = runs.iter().copied().fold(0.0, f64::max);
        for (statistic, number) in [("mean", mean), ("sd", sd), ("max", largest)] {
            printed.push([dataset.clone(), method.clone(), statistic.to_owned(), format!("{number:.4}")]);
        }
    }
    printed
}

/// What comes of printed numbers in another run of the same experiment.
fn judged(printed: &[[String; 4]], qmi: &str) -> Value {
    let workshop = Workshop::new();
    let lines: Vec<String> = printed.iter().map(|line| line.join(",")).collect();
    workshop.write("printed.csv", &format!("dataset,method,stat,number\n{}\n", lines.join("\n")));
    workshop.write("controls.toml", &spec(12, PUBLISHED, qmi));
    let program = assert_cmd::cargo::cargo_bin!("conclave");
    workshop.write("broken.sh", &BROKEN.replace("CONCLAVE", &program.display().to_string()));
    workshop.run(&["run", "controls.toml"]).ok();
    serde_json::from_slice(&workshop.read("reports/controls/claims.json")).expect("the report's JSON can be read")
}

/// QMI with a planted bug: one object in ten gets the next label.
const BROKEN: &str = r#"
{ echo b1,b2,b3,b4,b5,b6; tail -n +2; } > "$0.$$.csv"
'CONCLAVE' consensus "$0.$$.csv" --method qmi -k 3 --output "$0.$$.out.csv" > /dev/null || exit 1
awk -F, 'NR > 1 { n++; print (n % 10 == 0) ? ($1 + 1) % 3 : $1 }' "$0.$$.out.csv"
"#;

fn claim<'a>(judged: &'a Value, id: &str) -> &'a Value {
    let claims = judged["claims"].as_array().expect("a list");
    claims.iter().find(|claim| claim["id"] == id).unwrap_or_else(|| panic!("no claim {id}"))
}

fn judgements(judged: &Value, method: &str) -> Vec<String> {
    let numbers = judged["numbers"].as_array().expect("a list").iter();
    let of_method = numbers.filter(|number| method.is_empty() || number["place"]["method"] == method);
    of_method.map(|number| number["judgement"].as_str().expect("a word").to_owned()).collect()
}

#[test]
fn a_paper_that_the_program_made_is_reproduced_and_what_is_wrong_is_found_out() {
    const QMI: &str = "name = \"qmi\"";
    let printed = printed();
    assert_eq!(printed.len(), 18);

    let sound = judged(&printed, QMI);
    let table = claim(&sound, "accuracy-printed");
    assert_eq!(table["verdict"], "reproduced", "{table}");
    let contradicted = judgements(&sound, "").iter().filter(|word| *word == "contradicted").count();
    assert!(contradicted <= 1, "{:?}", judgements(&sound, ""));
    for (id, flipped) in [("ahead", "flipped"), ("best", "flipped-best")] {
        let (right, wrong) = (claim(&sound, id), claim(&sound, flipped));
        assert_eq!((&right["verdict"], &wrong["verdict"]), (&"reproduced".into(), &"not reproduced".into()), "{id}");
        let probability = |claim: &Value| claim["repeat_probability"].as_f64().expect("it can be repeated");
        assert!(probability(right) > 0.99 && probability(wrong) < 0.01, "{right} {wrong}");
    }

    let numbers = printed.iter().map(|line| line[3].clone()).cycle().skip(3);
    let shuffled: Vec<[String; 4]> = printed
        .iter()
        .zip(numbers)
        .map(|([dataset, method, statistic, _], number)| [dataset.clone(), method.clone(), statistic.clone(), number])
        .collect();
    let shuffled = judged(&shuffled, QMI);
    assert_eq!(claim(&shuffled, "accuracy-printed")["verdict"], "not reproduced", "{:?}", judgements(&shuffled, ""));

    let broken =
        judged(&printed, "name = \"broken\"\nlabel = \"qmi\"\ncommand = [\"sh\", \"broken.sh\"]\nversion = \"1\"");
    assert_eq!(claim(&broken, "accuracy-printed")["verdict"], "not reproduced", "{broken}");
    assert!(judgements(&broken, "qmi").iter().any(|word| word == "contradicted"), "{:?}", judgements(&broken, ""));
    assert!(judgements(&broken, "hgpa").iter().all(|word| word != "contradicted"), "{:?}", judgements(&broken, ""));
}
