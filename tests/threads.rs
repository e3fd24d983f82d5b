//! One thread or many: the same bytes.

mod common;

use std::fmt::Write as _;

use common::Workshop;

/// Methods that compare all pairs of rows or of objects, or go through all objects again and again.
const SLOW: [&str; 12] =
    ["be", "cspa", "eac", "ecpcs-hc", "g-bce", "lwea", "nbce-gibbs", "peace", "pt", "v-bce-columns", "wct", "weac"];

/// Rows that are all different, of six columns: the number of the row in base 6, with its digits in another order and some noise.
fn labels(rows: u32) -> String {
    let mut text = "a,b,c,d,e,f\n".to_owned();
    for row in 0..rows {
        let digits = [row % 6, row / 6 % 6, row / 36 % 6, row / 216 % 6, row / 1296 % 6, row / 7776];
        let [a, b, c, d, e, f] = digits;
        writeln!(text, "{a},{},{c},{},{e},{f}", (a + b / 3) % 6 * 6 + b, (a + d / 4) % 6 * 6 + d).unwrap();
    }
    text
}

#[test]
fn consensus_writes_the_same_bytes_on_any_number_of_threads_for_every_method() {
    let workshop = Workshop::new();
    // More rows than one block has, and fewer for those that compare all pairs of them.
    workshop.write("many.csv", &labels(4_700));
    workshop.write("few.csv", &labels(160));
    let methods = workshop.run(&["list", "methods", "--json"]).ok().json();
    let mut compared = 0;
    for method in methods.as_array().unwrap() {
        let name = method["name"].as_str().unwrap();
        if name == "base" {
            continue;
        }
        let file = if SLOW.iter().any(|slow| name.starts_with(slow)) { "few.csv" } else { "many.csv" };
        let run = |threads: &str| {
            let mut arguments = vec!["consensus", file, "--method", name, "--threads", threads, "--output", "out.csv"];
            if method["needs_k"] == true {
                arguments.extend(["-k", "4"]);
            }
            workshop.run(&arguments).ok();
            workshop.read("out.csv")
        };
        let alone = run("1");
        assert!(alone.len() > 600, "{name}");
        for threads in ["2", "8"] {
            assert!(run(threads) == alone, "{name} on {threads} threads");
        }
        compared += 1;
    }
    assert!(compared > 40, "{compared}");
}

/// A method of a spec, with parameters of its own.
fn method(name: &str, parameters: &str) -> String {
    format!("[[method]]\nname = \"{name}\"\n{parameters}\n\n")
}

fn spec(dataset: &str, ensemble: &str, repeats: usize, methods: &str) -> String {
    format!(
        r#"
name = "same-bytes"
seed = 5
repeats = {repeats}
datasets = [{dataset}]
metrics = ["ari", "nmi-sqrt"]

[ensemble]
{ensemble}

{methods}
[[table]]
id = "ari"
metric = "ari"
rows = ["dataset"]
"#
    )
}

fn stores_the_same_bytes_on_any_number_of_threads(spec: &str) {
    let workshop = Workshop::new();
    workshop.write("one.toml", spec);
    let run = |threads: &str| {
        workshop.run(&["run", "one.toml", "--fresh", "--threads", threads]).ok();
        workshop.read("results/same-bytes/cells.parquet")
    };
    let alone = run("1");
    for threads in ["2", "8"] {
        assert!(run(threads) == alone, "on {threads} threads");
    }
}

/// All methods of the registry: those that compare all pairs of rows on few objects, the others on more different rows than one
/// block has. There is one ensemble, so that one worker has the job and the others lend it their threads.
#[test]
fn a_run_of_one_job_stores_the_same_bytes_on_any_number_of_threads_for_every_method() {
    let methods = Workshop::new().run(&["list", "methods", "--json"]).ok().json();
    let (mut few, mut many) = (String::new(), String::new());
    let mut count = 0;
    for known in methods.as_array().unwrap() {
        let name = known["name"].as_str().unwrap();
        let iterates =
            known["parameters"].as_array().unwrap().iter().any(|parameter| parameter["name"] == "iterations");
        let is_slow = SLOW.iter().any(|slow| name.starts_with(slow));
        let parameters = if iterates && !is_slow { "iterations = 3" } else { "" };
        (if is_slow { &mut few } else { &mut many }).push_str(&method(name, parameters));
        count += 1;
    }
    assert!(count > 40, "{count}");
    let ensemble = "generator = 'kmeans'\nsize = 8\ncount = 1";
    stores_the_same_bytes_on_any_number_of_threads(&spec("\"iris\"", ensemble, 1, &few));
    let ensemble = "generator = 'projection'\nk = 10\nsize = 10\ncount = 1";
    let dataset = "{ name = \"magic04\", sample = 5_000 }";
    stores_the_same_bytes_on_any_number_of_threads(&spec(dataset, ensemble, 1, &many));
}

/// METIS works for several workers at once.
#[test]
fn cuts_of_graphs_side_by_side_store_the_same_bytes_on_any_number_of_threads() {
    let ensemble = "generator = 'kmeans'\nk = 6\nsize = 8\ncount = 8";
    let methods = ["cspa", "mcla", "hbgf"].map(|name| method(name, "")).concat();
    stores_the_same_bytes_on_any_number_of_threads(&spec("\"wine\"", ensemble, 2, &methods));
}
