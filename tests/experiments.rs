//! Every spec of the project runs at its quick scale, and its report is whole.

mod common;

use std::path::{Path, PathBuf};

use common::Workshop;

fn specs(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in
        std::fs::read_dir(folder).expect("experiments/ is there").map(|entry| entry.expect("it can be read").path())
    {
        if path.is_dir() {
            found.extend(specs(&path));
        } else if path.extension().is_some_and(|end| end == "toml") && !path.ends_with("papers.toml") {
            found.push(path);
        }
    }
    found.sort();
    found
}

#[test]
fn every_spec_runs_at_its_quick_scale_without_failures() {
    let workshop = Workshop::new();
    let specs = specs(&Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments"));
    assert!(specs.iter().any(|path| path.ends_with("quickstart.toml")));
    for spec in specs {
        let path = spec.to_str().expect("project paths are plain");
        let ran = workshop.run(&["run", path, "--scale", "quick"]).ok();
        assert!(ran.last_line().ends_with(" 0 failed"), "{path}: {}", ran.out);
        let index = ran.out.lines().find_map(|line| line.strip_prefix("report   ")).expect("it names its report");
        let page = String::from_utf8(workshop.read(index)).expect("a page is text");
        assert!(page.contains("0 missing") && page.contains("--scale quick"), "{path}");
        let folder = workshop.path().join(index).parent().expect("a page is in a folder").to_owned();
        assert!(folder.join("report.md").is_file(), "{path}");
    }
}

#[test]
fn a_report_can_be_made_again_from_what_is_stored_and_has_every_file() {
    let workshop = Workshop::new();
    let spec = concat!(env!("CARGO_MANIFEST_DIR"), "/experiments/quickstart.toml");
    workshop.run(&["run", spec, "--scale", "quick", "--no-report"]).ok();
    assert!(!workshop.path().join("reports").exists());
    workshop.run(&["report", spec, "--scale", "quick"]).ok();
    let files = [
        "index.html",
        "report.md",
        "accuracy.csv",
        "accuracy.tex",
        "accuracy-against-size.svg",
        "accuracy-against-size.png",
        "accuracy-spread.svg",
        "mixture-model-against-k-means.csv",
        "mixture-model-against-k-means.tex",
    ];
    for file in files {
        assert!(!workshop.read(&format!("reports/quickstart/{file}")).is_empty(), "{file}");
    }
    // A report of what is not there says how much is missing.
    let partial = workshop.run(&["report", spec, "--scale", "quick", "--results", "nothing"]).ok();
    assert!(partial.out.contains("cells are missing"), "{}", partial.out);
}

#[test]
fn no_interval_of_a_report_is_made_of_three_values_or_leaves_its_range() {
    let workshop = Workshop::new();
    let spec = |count: usize| {
        format!(
            "name = \"few\"\nseed = 3\ndatasets = [\"iris\", \"wine\"]\nmetrics = [\"accuracy\"]\n[ensemble]\ngenerator = \"kmeans\"\n\
             k = 3\nsize = 3\ncount = {count}\n[[method]]\nname = \"mm\"\n[[method]]\nname = \"voting\"\n\
             [[table]]\nid = \"t\"\nmetric = [\"accuracy\", \"seconds\"]\ndigits = 9\n\
             [[figure]]\nid = \"f\"\nkind = \"bar\"\nmetric = \"seconds\"\nx = \"dataset\"\n"
        )
    };
    let run = |count: usize| {
        workshop.write("few.toml", &spec(count));
        workshop.run(&["run", "few.toml"]).ok();
        let text = |file: &str| String::from_utf8(workshop.read(&format!("reports/few/{file}"))).expect("it is text");
        ["t.csv", "f.csv", "report.md"].map(text)
    };
    for count in [1, 2, 3] {
        let [table, figure, page] = run(count);
        assert!(table.starts_with("dataset,group,column,value,n,half_width,printed,note,low,high\n"), "{table}");
        assert!(table.lines().skip(1).all(|line| line.ends_with(",,")), "{table}");
        assert!(!page.contains('±') && !page.contains("Whiskers"), "{page}");
        assert_eq!(page.contains("Small dots: single ensembles"), count > 1, "{page}");
        // Between lowest and highest of a bar there is nothing but the bar.
        let ends = figure.lines().skip(1).map(|line| line.split(',').skip(3).take(3).collect::<Vec<_>>());
        assert!(ends.into_iter().all(|ends| ends[0] == ends[1] && ends[1] == ends[2]), "{figure}");
    }
    let [table, figure, page] = run(5);
    assert!(page.contains("Whiskers: 95 % confidence interval"), "{page}");
    let numbers = |line: &str, fields: &[usize]| -> Vec<f64> {
        let parts: Vec<&str> = line.split(',').collect();
        fields.iter().map(|field| parts[*field].parse().expect("a number")).collect()
    };
    for (line, fields) in
        table.lines().skip(1).map(|line| (line, [8, 3, 9])).chain(figure.lines().skip(1).map(|line| (line, [4, 3, 5])))
    {
        let [low, value, high] = numbers(line, &fields)[..] else { panic!("{line}") };
        assert!(0.0 <= low && low <= value && value <= high, "{line}");
        assert!(!line.contains("accuracy") || high <= 1.0, "{line}");
    }
}
