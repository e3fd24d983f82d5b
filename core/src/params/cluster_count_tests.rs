use super::*;
use crate::seed::Id;

const GLASS: Population = Population { objects: 214, classes: Some(6) };

fn resolved(raw: Raw) -> String {
    ClusterCount::parse(&raw).unwrap().resolve(GLASS).unwrap().to_string()
}

#[test]
fn every_spelling_resolves_to_numbers() {
    let text = |text: &str| Raw::Text(text.to_owned());
    assert_eq!(resolved(Raw::Integer(4)), "4");
    assert_eq!(resolved(text("classes")), "6");
    assert_eq!(resolved(text("75%")), "5");
    assert_eq!(resolved(text("3..5, 9")), "3,4,5,9");
    assert_eq!(resolved(text("sqrt/2..sqrt")), "7,8,9,10,11,12,13,14,15");
    assert_eq!(resolved(Raw::List(vec![text("50%"), text("200%")])), "3|12");
}

#[test]
fn a_list_is_taken_in_turn_and_a_range_is_drawn() {
    let mut rng = Id::of("test", &[]).rng("draws");
    let turns = ClusterCount::parse(&Raw::List(vec![Raw::Integer(2), Raw::Integer(5)])).unwrap();
    let turns = turns.resolve(GLASS).unwrap();
    let drawn: Vec<usize> = (0..4).map(|column| turns.draw(column, &mut rng)).collect();
    assert_eq!(drawn, [2, 5, 2, 5]);
    let range = ClusterCount::parse(&Raw::Text("2..4".into())).unwrap().resolve(GLASS).unwrap();
    let drawn: BTreeSet<usize> = (0..100).map(|column| range.draw(column, &mut rng)).collect();
    assert_eq!(drawn, BTreeSet::from([2, 3, 4]));
}

#[test]
fn what_cannot_be_is_refused() {
    for raw in [Raw::Integer(0), Raw::Text("few".into()), Raw::Real(2.5), Raw::List(vec![])] {
        assert!(ClusterCount::parse(&raw).is_err(), "{raw}");
    }
    let too_many = ClusterCount::parse(&Raw::Integer(500)).unwrap();
    assert_eq!(too_many.resolve(GLASS).unwrap_err().to_string(), "asks for 500 clusters of 214 objects");
    let endless = ClusterCount::parse(&Raw::Text("3..4294967295".into())).unwrap();
    assert_eq!(endless.resolve(GLASS).unwrap_err().to_string(), "asks for 4294967295 clusters of 214 objects");
    let unclassed = Population { classes: None, ..GLASS };
    assert!(ClusterCount::classes().resolve(unclassed).is_err());
}

fn text(text: &str) -> Raw {
    Raw::Text(text.to_owned())
}

#[test]
fn an_offset_is_added_to_what_is_counted_with_or_without_spaces() {
    assert_eq!(resolved(text("classes+1")), "7");
    assert_eq!(resolved(text("classes - 2 .. classes + 3")), "4,5,6,7,8,9");
    assert_eq!(resolved(text("max(2, classes-2)..classes+3")), "4,5,6,7,8,9");
    assert_eq!(resolved(text(" max ( 5 , classes-2 ) .. 6, 9")), "5,6,9");
    assert_eq!(resolved(text("max(classes-9, 2)")), "2");
    assert_eq!(resolved(text("max(2, classes)")), "6");
    assert_eq!(resolved(text("150%-1, sqrt/2+1, sqrt-2")), "8,13");
    assert_eq!(resolved(text("1e+2%")), "6");
    assert_eq!(resolved(Raw::List(vec![text("max(2, classes-5)"), Raw::Integer(3)])), "2|3");
}

#[test]
fn an_offset_that_leaves_no_cluster_is_refused_with_what_would_work() {
    let refused = |rule: &str, population: Population| {
        ClusterCount::parse(&text(rule)).unwrap().resolve(population).unwrap_err().to_string()
    };
    let two = Population { objects: 9, classes: Some(2) };
    let no_cluster = "classes-2 is 0 for a dataset of 2 classes; write max(2, classes-2)";
    assert_eq!(refused("classes-2..classes+3", two), no_cluster);
    assert_eq!(refused("classes - 3", two), "classes-3 is -1 for a dataset of 2 classes; write max(2, classes-3)");
    assert_eq!(refused("50%-1", two), "50%-1 is 0 for a dataset of 2 classes; write max(2, 50%-1)");
    assert_eq!(refused("sqrt-3", two), "sqrt-3 is 0 for a dataset of 9 objects; write max(2, sqrt-3)");
    assert_eq!(refused("classes+9", two), "asks for 11 clusters of 9 objects");
    assert_eq!(refused("classes+4294967295", two), "asks for 4294967295 clusters of 9 objects");
    assert_eq!(refused("max(4, classes)..classes+1", two), "the range 4..3 is empty");
    let advice = ClusterCount::parse(&text("max(2, classes-2)..classes+3")).unwrap();
    assert_eq!(advice.resolve(two).unwrap().to_string(), "2,3,4,5");
}

#[test]
fn what_is_written_can_be_read_back() {
    for rule in ["classes", "classes-2..classes+3", "max(2, classes-2)..classes+3, 15", "150%+1", "sqrt/2-1..sqrt", "7"]
    {
        let parsed = ClusterCount::parse(&text(rule)).unwrap();
        assert_eq!(parsed.to_string(), rule);
    }
    for (rule, usual) in
        [("classes + 0", "classes"), ("max( classes -2,2 )", "max(2, classes-2)"), ("100%-1", "classes-1")]
    {
        let parsed = ClusterCount::parse(&text(rule)).unwrap();
        assert_eq!(parsed.to_string(), usual);
        assert_eq!(ClusterCount::parse(&text(usual)).unwrap(), parsed);
    }
}

#[test]
fn sums_that_make_no_sense_are_refused() {
    for rule in [
        "classes-",
        "classes+-1",
        "classes--1",
        "classes-1.5",
        "classes-1-1",
        "3+1",
        "-2",
        "+",
        "max(2, 3)",
        "max(0, classes)",
        "max(classes)",
        "max(2, classes",
        "max 2, classes",
        "max(2, classes)-1",
        "max(2, max(2, classes))",
        "classes+classes",
        "(classes)",
        "classes-4294967296",
        "",
    ] {
        assert!(ClusterCount::parse(&text(rule)).is_err(), "{rule}");
    }
}

#[test]
fn a_range_with_a_least_number_is_drawn_from_whole_and_raised_after() {
    let of = |rule: &str, classes: usize| {
        let population = Population { objects: 150, classes: Some(classes) };
        ClusterCount::parse(&text(rule)).unwrap().resolve(population).map(|resolved| resolved.to_string())
    };
    assert_eq!(of("max(2, classes-2..classes+3)", 2).unwrap(), "2,2,2,3,4,5");
    assert_eq!(of("max(2, classes-2..classes+3)", 7).unwrap(), "5,6,7,8,9,10");
    assert_eq!(of("max(2, classes-2)..classes+3", 2).unwrap(), "2,3,4,5");
    assert_eq!(of("max( 2 , classes-9..classes-3), 7", 5).unwrap(), "2,2,2,2,2,2,2,7");
    assert_eq!(of("max(2, classes-2..classes-1)", 2).unwrap(), "2");
    assert!(of("max(2, classes..classes-1)", 3).is_err());
    assert!(of("max(2, classes-4000000000..classes)", 3).is_err());
    assert!(of("max(2, classes..151)", 3).is_err());
    let written = ClusterCount::parse(&text("max(2, classes-2..classes+3)")).unwrap().to_string();
    assert_eq!(ClusterCount::parse(&text(&written)).unwrap().to_string(), written);
    for rule in ["max(0, classes..9)", "max(2, classes..)", "max(classes, 2..3)", "max(2, max(2, classes)..9)"] {
        assert!(ClusterCount::parse(&text(rule)).is_err(), "{rule}");
    }
}
