use super::AS_STATED;
use crate::data::Catalog;
use crate::plan;
use crate::spec::{Experiment, MethodSource, PAPER_SCALE, Spec};

const BASE: &str = "name = 'test'\nseed = 1\ndatasets = ['iris']\nmetrics = ['ari', 'ami']\n[ensemble]\ngenerator = 'kmeans'\n\
    k = 3\nsize = 4\ncount = 6\n[[method]]\nname = 'mm'\nrestarts = 1\nrepeats = 3\n[[method]]\nname = 'voting'\n\
    [[table]]\nid = 'quality'\nmetric = 'ari'\n";

const BASE_K: &str = "[[fork]]\nid = 'base-k'\npaper = 'silent'\nsets = 'ensemble.k'\noptions = [3, '2..7', 5]\n";
const STARTS: &str = "[[fork]]\nid = 'starts'\noptions = [{ label = 'one', method.mm.restarts = 1 }, \
    { label = 'ten', method.mm.restarts = 10 }]\n";

fn parse(forks: &str) -> Result<Experiment, String> {
    let spec = Spec::parse("test.toml".as_ref(), format!("{BASE}{forks}")).unwrap();
    spec.check(PAPER_SCALE, &Catalog::locate(None)).map_err(|error| error.to_string())
}

fn names(forks: &str) -> Vec<String> {
    let experiment = parse(forks).unwrap();
    (0..experiment.universe_count()).map(|index| experiment.universe_name(index)).collect()
}

#[test]
fn a_full_design_has_every_combination_and_begins_as_stated() {
    let all = names(&format!("{BASE_K}{STARTS}"));
    assert_eq!(all.len(), 6);
    assert_eq!(all[0], AS_STATED);
    assert_eq!(all[5], "base-k = 5, starts = ten");
    assert_eq!(parse("").unwrap().universe_count(), 1);
}

#[test]
fn one_at_a_time_leaves_the_others_as_stated() {
    let one = "[universe]\ndesign = 'one-at-a-time'\n";
    assert_eq!(names(&format!("{one}{BASE_K}{STARTS}")), [AS_STATED, "starts = ten", "base-k = 2..7", "base-k = 5"]);
}

#[test]
fn when_leaves_combinations_out() {
    let starts = format!("{STARTS}when = {{ base-k = ['2..7'] }}\n");
    assert_eq!(
        names(&format!("{BASE_K}{starts}")),
        [AS_STATED, "base-k = 2..7", "base-k = 2..7, starts = ten", "base-k = 5"]
    );
}

#[test]
fn universes_run_no_more_than_they_may_and_what_they_share_is_there_once() {
    let experiment = parse(&format!("[universe]\ncount = 2\nrepeats = 1\n{STARTS}")).unwrap();
    assert_eq!(experiment.universe(1).points[0].setting.ensembles[0].count, 2);
    assert_eq!(experiment.universe(1).points[0].setting.methods[0].repeats, 1);
    let plan = plan::expand(experiment);
    let cells = |universe: usize| {
        plan.cells().filter(|(_, _, cell)| cell.places.iter().any(|p| p.universe == universe)).count()
    };
    // As stated 6 × (3 + 1); of the other 2 × (1 + 1), the two of voting are shared.
    assert_eq!((cells(0), cells(1), plan.cells().count()), (24, 4, 26));
}

#[test]
fn a_metric_can_be_exchanged_and_costs_no_cells() {
    let fork = "[[fork]]\nid = 'metric'\nsets = 'metric.ari'\noptions = ['ari', 'ami']\n";
    let experiment = parse(fork).unwrap();
    let metric = |index: usize| format!("{:?}", experiment.universe(index).tables[0].metrics);
    assert!(metric(0).contains("ari") && metric(1).contains("ami"), "{} {}", metric(0), metric(1));
    let plan = plan::expand(experiment);
    assert!(plan.cells().all(|(_, _, cell)| cell.places.len() == 2));
}

#[test]
fn metrics_can_change_places() {
    let claim = |id: &str, metric: &str| format!("[[table]]\nid = '{id}'\nmetric = '{metric}'\n");
    let fork = "[[fork]]\nid = 'metric'\noptions = [{ label = 'as said' }, { label = 'swapped', metric.ari = 'ami', metric.ami = 'ari' }]\n";
    let experiment = parse(&format!("{}{fork}", claim("other", "ami"))).unwrap();
    let shown = |index: usize| {
        format!("{:?}", experiment.universe(index).tables.iter().map(|t| &t.metrics).collect::<Vec<_>>())
    };
    assert!(shown(0).find("ari") < shown(0).find("ami"), "{}", shown(0));
    assert!(shown(1).find("ami") < shown(1).find("ari"), "{}", shown(1));
}

#[test]
fn a_first_option_does_not_undo_what_another_fork_sets() {
    let all = "[[fork]]\nid = 'all'\nsets = 'method.restarts'\noptions = [1, 50]\n";
    let experiment = parse(&format!("{all}{STARTS}")).unwrap();
    let restarts: Vec<String> =
        (0..4).map(|index| format!("{:?}", experiment.universe(index).points[0].setting.methods[0].method)).collect();
    assert!(restarts[0] != restarts[2], "all = 50 changes mm while its own fork is as stated");
}

#[test]
fn twenty_forks_one_at_a_time_are_twenty_one_universes() {
    let columns: String =
        (0..20).map(|at| format!("[[method]]\nname = 'mm'\nlabel = 'm{at}'\nrestarts = 1\n")).collect();
    let forks: String = (0..20)
        .map(|at| {
            format!(
                "[[fork]]\nid = 'f{at}'\ndesign = 'one-at-a-time'\nsets = 'method.m{at}.restarts'\noptions = [1, 2]\n"
            )
        })
        .collect();
    assert_eq!(names(&format!("{columns}{forks}")).len(), 21);
}

#[test]
fn a_chain_of_conditions_is_followed() {
    let chain = "[[fork]]\nid = 'c'\ndesign = 'one-at-a-time'\nwhen = { starts = 'ten' }\nsets = 'method.mm.smoothing'\noptions = [0.0, 1.0]\n";
    let starts = format!("{STARTS}design = 'one-at-a-time'\nwhen = {{ base-k = '2..7' }}\n");
    let all = names(&format!("{BASE_K}{starts}{chain}"));
    assert!(all.contains(&"base-k = 2..7, starts = ten, c = 1".to_owned()), "{all:?}");
}

#[test]
fn options_differ_also_where_the_data_is_not_there() {
    let text = format!("{BASE}{BASE_K}").replace("['iris']", "[{ name = 'webkb', optional = true }]");
    let spec = Spec::parse("test.toml".as_ref(), text).unwrap();
    let experiment = spec.check(PAPER_SCALE, &Catalog::locate(None)).map_err(|error| error.to_string());
    assert_eq!(experiment.unwrap().universe_count(), 3);
}

#[test]
fn labels_of_methods_may_have_dots() {
    let fork = "[[method]]\nname = 'mm'\nlabel = 'mm v1.0'\nrestarts = 2\n[[fork]]\nid = 'v'\nsets = 'method.mm v1.0.restarts'\noptions = [2, 3]\n";
    assert_eq!(names(fork), [AS_STATED, "v = 3"]);
}

#[test]
fn a_fork_more_changes_no_cell_that_is_there() {
    let ids = |forks: &str| {
        let plan = plan::expand(parse(forks).unwrap());
        plan.cells().map(|(_, _, cell)| cell.id).collect::<std::collections::BTreeSet<_>>()
    };
    assert!(ids("").is_subset(&ids(BASE_K)));
    assert!(ids(BASE_K).is_subset(&ids(&format!("{BASE_K}{STARTS}"))));
}

#[test]
fn the_hash_is_that_of_the_forks() {
    let hash = |forks: &str| parse(forks).unwrap().fork_set();
    assert_eq!(hash(""), None);
    assert_eq!(hash(BASE_K), hash(&format!("{BASE_K}why = 'reasons may be reworded'\n")));
    assert_ne!(hash(BASE_K), hash(&BASE_K.replace("5]", "6]")));
    assert_ne!(hash(STARTS), hash(&STARTS.replace("restarts = 10", "restarts = 11")));
}

#[test]
fn what_cannot_be_is_refused_where_it_stands() {
    let refused = |forks: &str, expected: &str| {
        let problem = parse(forks).unwrap_err();
        assert!(problem.contains(expected), "{expected}\n{problem}");
        assert!(problem.contains("test.toml:"), "{problem}");
    };
    refused(
        &BASE_K.replace("ensemble.k", "ensemble.kk"),
        "nothing in this spec is called `ensemble.kk`, so it cannot be set; did you mean `ensemble.k`?",
    );
    refused(
        &BASE_K.replace("[3, '2..7', 5]", "['2..7', 3]"),
        "the first option of the fork \"base-k\" is not what the spec has",
    );
    refused(&BASE_K.replace("5]", "'2..4, 5..7']"), "has two options that are the same: \"2..7\" and \"2..4, 5..7\"");
    refused(
        &BASE_K.replace("5]", "5000]"),
        "asks for 5000 clusters of 150 objects (in the universe \"base-k = 5000\")",
    );
    refused(&BASE_K.replace("paper", "papers"), "[[fork]] has no key `papers`");
    refused(&BASE_K.replace("[3, '2..7', 5]", "[3]"), "a fork with 1 options");
    refused(&format!("{BASE_K}{BASE_K}"), "two [[fork]]s have the id \"base-k\"");
    refused(&format!("{BASE_K}when = {{ start = 'ten' }}\n{STARTS}"), "which is no other fork; did you mean `starts`?");
    refused(&format!("{BASE_K}when = {{ starts = 'tenn' }}\n{STARTS}"), "the fork \"starts\" has no option \"tenn\"");
    refused(
        &format!("rows = ['dataset', 'ensemble.k']\n{BASE_K}[sweep]\nensemble.k = [3, 4]\n"),
        "`ensemble.k` is swept, so an option cannot set it",
    );
    refused("[universe]\ncount = 2\n", "[universe] is about what [[fork]]s make, and there is none");
    refused(&STARTS.replace("label = 'one', ", ""), "an option has no `label`");
    refused(&STARTS.replace("id = 'starts'", "id = 'method'"), "results have something else called \"method\"");
    refused(
        &format!("{BASE_K}{}", BASE_K.replace("base-k", "again")),
        "the forks \"base-k\" and \"again\" both set `ensemble.k`",
    );
    let many = |key: &str, from: usize| {
        let options: Vec<String> = (from..from + 15).map(|option| option.to_string()).collect();
        format!("[[fork]]\nid = '{from}'\nsets = '{key}'\noptions = [{}]\n", options.join(", "))
    };
    refused(
        &format!("{}{}", many("ensemble.k", 3), many("ensemble.size", 4)),
        "the forks make more than 200 universes",
    );
}

#[test]
fn an_option_sets_a_key_in_quotes_and_without() {
    for option in ["method.mm.restarts = 10", "\"method.mm.restarts\" = 10", "method.\"mm.restarts\" = 10"] {
        let fork = format!("[[fork]]\nid = 'starts'\noptions = [{{ label = 'one' }}, {{ label = 'ten', {option} }}]\n");
        let experiment = parse(&fork).unwrap();
        let MethodSource::Listed { params, .. } = &experiment.universe(1).points[0].setting.methods[0].method else {
            panic!("it is not a program")
        };
        assert_eq!(params.integer("restarts"), 10, "{option}");
    }
    let twice = "[[fork]]\nid = 'starts'\noptions = [{ label = 'one' }, { label = 'ten', method.mm.restarts = 10, \"method.mm.restarts\" = 2 }]\n";
    assert!(parse(twice).unwrap_err().contains("`method.mm.restarts` is there twice"));
}
