use super::*;

const GOOD: &str = r#"
name = "test"
seed = 1
datasets = ["iris"]
metrics = ["accuracy"]

[ensemble]
generator = "kmeans"
size = 3

[[method]]
name = "mm"
"#;

fn check(text: &str) -> Result<Experiment, String> {
    check_at(text, PAPER_SCALE)
}

fn check_at(text: &str, scale: &str) -> Result<Experiment, String> {
    let path = Path::new("experiments/test.toml");
    let spec = Spec::parse(path, text.to_owned()).map_err(|error| error.to_string())?;
    spec.check(scale, &Catalog::locate(None)).map_err(|error| error.to_string())
}

/// The problems of the good spec with one thing put in the place of another.
fn problems(good: &str, bad: &str) -> String {
    assert!(GOOD.contains(good), "{good} is not in the spec");
    check(&GOOD.replacen(good, bad, 1)).expect_err("this spec must be refused")
}

/// Asserts that the spec is refused for one reason, at a line, with these words.
#[track_caller]
fn refused(good: &str, bad: &str, line: usize, words: &[&str]) {
    let message = problems(good, bad);
    assert!(message.contains(&format!("experiments/test.toml:{line}:")), "{message}");
    assert!(message.ends_with("1 error in experiments/test.toml; nothing was run"), "{message}");
    for word in words {
        assert!(message.contains(word), "{word} is not in:\n{message}");
    }
}

/// Of the first method.
fn restarts(setting: &Setting) -> usize {
    let MethodSource::Listed { params, .. } = &setting.methods[0].method else { panic!("it is not a program") };
    params.integer("restarts")
}

#[test]
fn a_good_spec_is_read_with_its_defaults() {
    let experiment = check(GOOD).unwrap();
    assert_eq!(experiment.name, "test");
    assert_eq!(experiment.points.len(), 1);
    let setting = &experiment.points[0].setting;
    assert_eq!((setting.ensembles[0].size, setting.ensembles[0].count), (3, 1));
    assert_eq!(setting.methods[0].repeats, 1);
    assert_eq!(restarts(setting), 10);
}

#[test]
fn everything_a_spec_must_not_have_is_refused_where_it_stands() {
    refused("seed = 1", "sed = 1\nseed = 1", 3, &["no key `sed`", "did you mean `seed`?", "^^^"]);
    refused(
        "\"mm\"",
        "\"mn\"",
        12,
        &["no method is named \"mn\"; did you mean `mm`?", "expected one of aspect, base, "],
    );
    refused("\"kmeans\"", "\"kmean\"", 8, &["no generator is named \"kmean\"", "did you mean `kmeans`"]);
    refused("\"iris\"", "\"irsi\"", 4, &["no dataset is named \"irsi\"; did you mean `iris`?"]);
    refused("\"accuracy\"", "\"acuracy\"", 5, &["no metric is named \"acuracy\"; did you mean `accuracy`?"]);
    refused("[\"iris\"]", "[]", 4, &["`datasets` is an empty list"]);
    refused("size = 3", "size = 0", 9, &["`size` is the number 0", "from 1 to 1000000"]);
    refused("size = 3", "size = -3", 9, &["the number -3"]);
    refused("seed = 1", "seed = 1\nmissing = 1.5", 4, &["`missing` is the number 1.5", "a fraction from 0 to 1"]);
    refused("size = 3", "size = 3\nk = 200", 10, &["asks for 200 clusters of 150 objects"]);
    refused("\"mm\"", "\"mm\"\nk = 151", 13, &["on iris, `mm` asks for 151 clusters of 150 objects"]);
    refused("\"mm\"", "\"mm\"\nrestarts = 0", 13, &["`restarts` is the number 0", "a whole number from 1 to 1000000"]);
    refused("\"mm\"", "\"mm\"\nrestart = 3", 13, &["no key `restart`", "did you mean `restarts`"]);
    refused("seed = 1", "seed = 1\nsweep.misssing = [0.1]", 4, &["`misssing`", "did you mean `missing`"]);
    refused("seed = 1", "seed = 1\nsweep.missing = []", 4, &["`missing` is an empty list"]);
    refused(
        "name = \"mm\"",
        "name = \"mm\"\n[[method]]\nname = \"mm\"",
        14,
        &["two [[method]] tables are labelled \"mm\""],
    );
    refused("\"mm\"", "\"kmeans\"\n[sweep]\nmissing = [0.0, 0.1]", 12, &["`kmeans` cannot take missing labels", "0.1"]);
    refused("seed = 1\n", "", 1, &["the spec has no `seed`"]);
    refused("name = \"test\"", "name = \"te/st\"", 2, &["`name` becomes a folder name"]);
}

#[test]
fn outputs_are_checked_too() {
    let table = "\n[[table]]\nid = \"t\"\nmetric = \"accuracy\"\n";
    assert!(check(&format!("{GOOD}{table}")).is_ok());
    let bad = |output: &str| check(&format!("{GOOD}{output}")).unwrap_err();
    assert!(bad(&table.replace("accuracy", "ari")).contains("`ari` is not among the spec's `metrics`"));
    assert!(bad(&format!("{table}rows = \"datset\"")).contains("did you mean `dataset`"));
    assert!(bad(&format!("{table}{table}")).contains("have the id \"t\""));
    assert!(bad(&format!("{table}where.dataset = \"wine\"")).contains("no value of this spec is named \"wine\""));
    let test = "\n[[test]]\nid = \"t\"\nmetric = \"accuracy\"\nfirst = \"mm\"\nsecond = \"base\"\n";
    assert!(bad(test).contains("no value of this spec is named \"base\""));
    let all = test.replace("base", "all");
    assert!(bad(&all).contains("the spec has no other method"));
    let two = |more: &str| check(&format!("{GOOD}[[method]]\nname = \"base\"\n{all}{more}"));
    assert_eq!(two("").unwrap().tests[0].against, TestedAgainst::EachOther);
    let printed = two("published = { file = \"x.csv\", columns = {} }\n").unwrap_err();
    assert!(printed.contains("printed tests are of two methods"), "{printed}");
    // A method may be labelled so.
    let labelled = check(&format!("{GOOD}[[method]]\nname = \"base\"\nlabel = \"all\"\n{all}")).unwrap();
    assert_eq!(labelled.tests[0].against, TestedAgainst::One("all".to_owned()));
    let averaging = "[sweep]\nmissing = [0.0, 0.1]\n[[table]]\nid = \"t\"\nmetric = \"accuracy\"\n";
    assert!(bad(averaging).contains("would average over `missing`"));
}

#[test]
fn a_logarithmic_axis_needs_numbers_above_0() {
    let spec = "[sweep]\nensemble.size = [5, 50]\nmissing = [0.0, 0.3]\n[[figure]]\nid = \"f\"\nkind = \"line\"\nmetric = \"accuracy\"\n";
    let with = |keys: &str| check(&format!("{}{spec}{keys}", GOOD.replace("size = 3\n", "")));
    let sizes = "x = \"ensemble.size\"\nx-scale = \"log\"\ny-range = \"own\"\nwhere.missing = 0.0\n";
    let figure = with(sizes).unwrap().figures.remove(0);
    assert_eq!((figure.x_scale, figure.y_range), (Some(AxisScale::Logarithmic), PanelRange::Own));
    let shares = "x = \"missing\"\nx-scale = \"log\"\nwhere.ensemble.size = 5\n";
    assert!(with(shares).unwrap_err().contains("a logarithmic axis has no place for 0"));
    assert!(with(&format!("{shares}where.missing = 0.3\n")).is_ok());
    let names =
        "x = \"method\"\nseries = \"dataset\"\nx-scale = \"log\"\nwhere = { missing = 0.0, ensemble.size = 5 }\n";
    assert!(with(names).unwrap_err().contains("a logarithmic axis has no place for mm"));
    let bars = spec.replace("line", "bar");
    let message = check(&format!("{}{bars}{sizes}", GOOD.replace("size = 3\n", ""))).unwrap_err();
    assert!(message.contains("bars and boxes stand side by side"), "{message}");
    assert!(with(&sizes.replace("log", "lgo")).unwrap_err().contains("did you mean"));
}

#[test]
fn no_output_takes_the_id_of_a_tables_dot_plot() {
    let output = |id: &str, more: &str| format!("[[table]]\nid = \"{id}\"\nmetric = \"accuracy\"\n{more}");
    let published = "published = { file = \"bce/published/bce_table3_mp.csv\", value = \"mp\", statistic = \"stat\", columns = { dataset = \"dataset\", method = \"method\" } }\n";
    let both = |more: &str| check(&format!("{GOOD}{}{}", output("t", more), output("T-against-printed", "")));
    assert!(both("").is_ok(), "a table without printed numbers has no dot plot");
    let message = both(published).unwrap_err();
    assert!(message.contains("is the id of the dot plot that the report has beside the table \"t\""), "{message}");
}

#[test]
fn pictures_are_checked_too() {
    let picture = "\n[[picture]]\nid = \"p\"\nkind = \"co-association\"\norder = \"vat\"\n";
    let good = check(&format!("{GOOD}{picture}")).unwrap();
    assert_eq!(good.pictures[0].kind, crate::picture::PictureKind::CoAssociation(crate::picture::MatrixOrder::Vat));
    let refused = |text: String, line: usize, words: &str| {
        let message = check(&text).unwrap_err();
        assert!(message.contains(&format!("experiments/test.toml:{line}:")) && message.contains(words), "{message}");
    };
    let with = |more: &str| format!("{GOOD}{picture}{more}\n");
    refused(with("ordre = 1"), 18, "no key `ordre`; did you mean `order`?");
    refused(with("panel = \"datset\""), 18, "did you mean `dataset`");
    refused(with("panel = \"method\""), 18, "a picture shows ensembles");
    refused(with("where = { method = \"mm\" }"), 18, "a picture shows ensembles");
    refused(with("where = { dataset = \"wine\" }"), 18, "no value of this spec is named \"wine\"");
    refused(with("").replace("\"vat\"", "\"vta\""), 17, "`order` cannot be \"vta\"; did you mean `vat`?");
    refused(with("").replace("order = \"vat\"\n", ""), 14, "[[picture]] has no `order`");
    refused(with("").replace("co-association", "split-frequency"), 17, "no key `order`");
    refused(with("").replace("co-association", "scatter"), 16, "`kind` cannot be \"scatter\"");
    refused(with(&format!("{picture}caption = \"again\"")), 20, "have the id \"p\"");
    let two = with("").replace("[\"iris\"]", "[\"iris\", \"wine\"]");
    refused(two.clone(), 14, "shows one ensemble, and `dataset` has several values");
    assert!(check(&format!("{two}panel = \"dataset\"\n")).is_ok());
    assert!(check(&format!("{two}where.dataset = \"wine\"\n")).is_ok());
    let large = with("").replace("order = \"vat\"\n", "").replace("co-association", "split-frequency");
    refused(large.replace("[\"iris\"]", "[\"magic04\"]"), 16, "has 19020 objects: too many pairs");
    let table = "[[table]]\nid = \"p-bins\"\nmetric = \"accuracy\"\n";
    refused(format!("{large}{table}"), 19, "this is the id of the table beside picture `p`");
}

#[test]
fn a_spec_of_pictures_alone_needs_no_methods_and_no_metrics() {
    let alone = GOOD.replace("[[method]]\nname = \"mm\"\n", "").replace("metrics = [\"accuracy\"]\n", "");
    assert!(check(&alone).unwrap_err().contains("the spec has no `method`"));
    let picture = "\n[[picture]]\nid = \"p\"\nkind = \"split-frequency\"\n";
    let experiment = check(&format!("{alone}{picture}")).unwrap();
    assert!(experiment.points[0].setting.methods.is_empty() && experiment.metrics.is_empty());
    let table = "\n[[table]]\nid = \"t\"\nmetric = \"clusters\"\n";
    assert!(check(&format!("{alone}{picture}{table}")).unwrap_err().contains("the spec has no `method`"));
}

#[test]
fn all_problems_are_reported_at_once_in_the_order_of_the_file() {
    let message =
        check(&GOOD.replace("iris", "irsi").replace("size = 3", "size = 0").replace("\"mm\"", "\"mn\"")).unwrap_err();
    assert!(message.ends_with("3 errors in experiments/test.toml; nothing was run"), "{message}");
    let place = |line: usize| message.find(&format!("test.toml:{line}:")).unwrap();
    assert!(place(4) < place(9) && place(9) < place(12), "{message}");
}

#[test]
fn syntax_errors_are_located() {
    let message = check("name = \nseed = 1 2\n").unwrap_err();
    assert!(message.contains("test.toml:1:") && message.contains("test.toml:2:"), "{message}");
}

#[test]
fn a_scale_overrides_what_it_names_and_is_checked_even_when_it_is_not_run() {
    let scaled = format!("{GOOD}\n[scale.quick]\nensemble.size = 2\n");
    assert_eq!(check_at(&scaled, "quick").unwrap().points[0].setting.ensembles[0].size, 2);
    assert_eq!(check(&scaled).unwrap().points[0].setting.ensembles[0].size, 3);
    let wrong = format!("{GOOD}\n[scale.quick]\nensemble.sise = 2\n");
    assert!(check(&wrong).unwrap_err().contains("did you mean `size`"));
    assert!(check_at(GOOD, "quick").unwrap_err().contains("no [scale.quick]"));
}

#[test]
fn a_sweep_is_the_product_of_its_lists_and_blocks_are_put_together() {
    let product = check(&format!("{GOOD}\n[sweep]\nensemble.size = [2, 3]\nmethod.mm.restarts = [1, 2, 3]\n")).unwrap();
    assert_eq!(product.sweep, ["ensemble.size", "method.mm.restarts"]);
    let found: Vec<(usize, usize)> =
        product.points.iter().map(|point| (point.setting.ensembles[0].size, restarts(&point.setting))).collect();
    assert_eq!(found, [(2, 1), (2, 2), (2, 3), (3, 1), (3, 2), (3, 3)]);
    let blocks = "\n[[sweep]]\nensemble.size = 5\nensemble.k = [2, 7]\n[[sweep]]\nensemble.size = 10\nensemble.k = 2\n";
    assert_eq!(check(&format!("{GOOD}{blocks}")).unwrap().points.len(), 3);
}

#[test]
fn what_a_paper_printed_is_found_by_its_place() {
    let table = |published: &str| {
        format!("{GOOD}\n[[table]]\nid = \"t\"\nmetric = \"accuracy\"\npublished = {{ {published} }}\n")
    };
    let file = "file = \"topchy/published/topchy_table2_datasets.csv\", value = \"mean_kmeans_error_percent\"";
    let experiment = check(&table(&format!("{file}, columns = {{ dataset = \"dataset\" }}"))).unwrap();
    let published = &experiment.tables[0].published;
    let at = |name: &str| vec![(Dimension::Dataset, PointValue::Text(name.to_owned()))];
    assert_eq!(published.find(&at("iris"), Statistic::Mean), Some("15.1"));
    assert_eq!(published.find(&at("iris"), Statistic::Max), None);
    assert_eq!(published.find(&at("wine"), Statistic::Mean), None);
    let refused = |published: &str, words: &str| {
        let message = check(&table(published)).unwrap_err();
        assert!(message.contains(words), "{message}");
    };
    refused(&format!("{file}, columns = {{ dataset = \"datset\" }}"), "no column \"datset\"; did you mean `dataset`?");
    refused(&format!("{file}, columns = {{ dateset = \"dataset\" }}"), "no dimension is named \"dateset\"");
    refused("file = \"absent.csv\", value = \"v\", columns = { dataset = \"dataset\" }", "absent.csv");
    let swept = format!(
        "{GOOD}\n[sweep]\nmissing = [0.1, 0.3]\n\n[[table]]\nid = \"t\"\nmetric = \"accuracy\"\nrows = \"missing\"\n"
    );
    let percent = "published = { file = \"topchy/published/topchy_table8_missing_error_percent.csv\", value = \
        \"mm_error_percent\", columns = { missing = \"missing_percent %\" }, where = { h = \"5\", k = \"2\", dataset = \"galaxy\" } }\n";
    let experiment = check(&format!("{swept}{percent}")).unwrap();
    let at = [(Dimension::Sweep(0), PointValue::Number(0.3))];
    assert_eq!(experiment.tables[0].published.find(&at, Statistic::Mean), Some("19.05"));
}

/// The sizes of the ensembles at every point, and the restarts of the first method.
fn swept(sweep: &str) -> Vec<(usize, usize)> {
    let experiment = check(&format!("{GOOD}{sweep}")).unwrap();
    assert_eq!(experiment.sweep, ["ensemble.size", "method.mm.restarts"]);
    let settings = experiment.points.iter().map(|point| &point.setting);
    settings.map(|setting| (setting.ensembles[0].size, restarts(setting))).collect()
}

#[test]
fn a_swept_key_is_the_same_in_quotes_and_without() {
    let plain = swept("[sweep]\nensemble.size = [5, 10]\nmethod.mm.restarts = [1, 3]\n");
    assert_eq!(plain, [(5, 1), (5, 3), (10, 1), (10, 3)]);
    for quoted in [
        "[sweep]\n\"ensemble.size\" = [5, 10]\n\"method.mm.restarts\" = [1, 3]\n",
        "[sweep]\n'ensemble.size' = [5, 10]\nmethod.\"mm.restarts\" = [1, 3]\n",
        "[[sweep]]\n\"ensemble.size\" = 5\nmethod.mm.restarts = [1, 3]\n[[sweep]]\nensemble.size = 10\n\"method.mm\".restarts = [1, 3]\n",
    ] {
        assert_eq!(swept(quoted), plain, "{quoted}");
    }
    let twice = check(&format!("{GOOD}[sweep]\nensemble.size = [5, 10]\n\"ensemble.size\" = [3]\n")).unwrap_err();
    assert!(twice.contains(":14:") || twice.contains(":15:"), "{twice}");
    assert!(twice.contains("`ensemble.size` is there twice, with quotes and without"), "{twice}");
    assert!(check(&format!("{GOOD}[sweep]\n\"ensemble.sise\" = [5]\n")).unwrap_err().contains("did you mean"));
}

#[test]
fn a_label_with_dots_can_be_swept_in_every_spelling() {
    let spec = GOOD.replace("\"mm\"", "\"mm\"\nlabel = \"mm.v2\"");
    for sweep in ["method.\"mm.v2\".restarts", "\"method.mm.v2.restarts\"", "method.mm.v2.restarts"] {
        let experiment = check(&format!("{spec}[sweep]\n{sweep} = [1, 3]\n")).unwrap();
        let restarts: Vec<usize> = experiment.points.iter().map(|point| restarts(&point.setting)).collect();
        assert_eq!(restarts, [1, 3], "{sweep}");
    }
}

#[test]
fn a_scale_replaces_a_swept_key_however_either_is_written() {
    for (key, other) in [("ensemble.size", "\"ensemble.size\""), ("\"ensemble.size\"", "ensemble.size")] {
        let spec = format!("{GOOD}[sweep]\n{key} = [5, 10]\n[scale.quick.sweep]\n{other} = [3]\n");
        let experiment = check_at(&spec, "quick").unwrap();
        assert_eq!(experiment.points.len(), 1);
        assert_eq!(experiment.points[0].setting.ensembles[0].size, 3);
    }
}
