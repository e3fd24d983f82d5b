use std::collections::BTreeSet;
use std::f64::consts::LN_2;
use std::path::Path;

use proptest::prelude::*;

use super::*;

fn owned(documents: &[&str]) -> Vec<String> {
    documents.iter().map(|&document| document.to_owned()).collect()
}

fn plain(minimum_documents: usize, features: Option<usize>) -> TextOptions {
    TextOptions { minimum_documents, features, markup: Markup::Plain }
}

/// N = 4; df is 2 for appl and banana, 1 for cherri and durian.
fn fruit() -> Vec<String> {
    owned(&["Apples! An apple and a banana.", "apple", "the banana: cherries", "durian"])
}

#[track_caller]
fn assert_close(matrix: &Matrix, expected: &[f64]) {
    assert_eq!(matrix.values().len(), expected.len());
    for (value, expected) in matrix.values().iter().zip(expected) {
        assert!((value - expected).abs() < 1e-12, "{matrix:?}");
    }
}

#[test]
fn a_small_corpus_has_the_weights_worked_out_by_hand() {
    let text = features(&fruit(), &plain(1, None)).unwrap();
    assert_eq!(text.terms, ["appl", "banana", "cherri", "durian"]);
    #[rustfmt::skip]
    let expected = [
        2.0, 1.0, 0.0, 0.0,
        1.0, 0.0, 0.0, 0.0,
        0.0, 1.0, 2.0, 0.0,
        0.0, 0.0, 0.0, 2.0,
    ].map(|half_bits: f64| half_bits * LN_2);
    assert_close(&text.matrix, &expected);
}

/// Variances in units of (ln 2)²: appl 0.6875, banana 0.25, cherri and durian 0.75.
#[test]
fn words_of_one_stem_are_one_term_and_a_document_without_terms_is_zeros() {
    let documents = owned(&["The orbit of the moon", "Moons orbiting planets", "A hockey team"]);
    let text = features(&documents, &plain(2, None)).unwrap();
    assert_eq!(text.terms, ["moon", "orbit"]);
    assert_eq!(text.matrix.row(2), [0.0, 0.0]);
}

#[test]
fn the_terms_of_highest_variance_are_kept_and_of_equal_ones_the_first() {
    let terms = |count| features(&fruit(), &plain(1, Some(count))).unwrap().terms;
    assert_eq!(terms(1), ["cherri"]);
    assert_eq!(terms(2), ["cherri", "durian"]);
    assert_eq!(terms(3), ["appl", "cherri", "durian"]);
}

#[test]
fn rare_terms_go_before_the_variances_are_compared() {
    let text = features(&fruit(), &plain(2, Some(1))).unwrap();
    assert_eq!(text.terms, ["appl"]);
    assert_close(&text.matrix, &[2.0 * LN_2, LN_2, 0.0, 0.0]);
}

#[test]
fn markup_decides_what_of_a_document_is_text() {
    let documents = owned(&["Subject: planets\n\n<b>moon</b> &amp; <!-- comet --> orbit"]);
    let terms =
        |markup| features(&documents, &TextOptions { minimum_documents: 1, features: None, markup }).unwrap().terms;
    assert_eq!(terms(Markup::Plain), ["amp", "comet", "moon", "orbit", "planet", "subject"]);
    assert_eq!(terms(Markup::Article), ["amp", "comet", "moon", "orbit"]);
    assert_eq!(terms(Markup::Html), ["moon", "orbit"]);
}

#[test]
fn what_leaves_no_features_is_refused_in_words() {
    let refusal = |documents: &[&str], options| features(&owned(documents), &options).unwrap_err();
    assert_eq!(refusal(&[], plain(1, None)), "there are no documents");
    assert_eq!(
        refusal(&["moon", "sun"], plain(2, Some(9))),
        "no term is left: none is in at least 2 of the 2 documents"
    );
    assert_eq!(
        refusal(&["the", "and 42"], plain(0, None)),
        "no term is left: none is in at least 0 of the 2 documents"
    );
    assert_eq!(refusal(&["moon"], plain(1, Some(2))), "2 terms were asked for and only 1 are in enough documents");
    assert_eq!(refusal(&["moon"], plain(1, Some(0))), "there are no features");
}

/// Documents over a few words that are their own stems.
fn corpora() -> impl Strategy<Value = Vec<String>> {
    let words = prop::sample::select(vec!["atom", "bird", "comet", "drum", "elk", "fog"]);
    let document = prop::collection::vec(words, 0..12).prop_map(|words| words.join(" "));
    prop::collection::vec(document, 1..10)
}

/// A column straight from the definition.
fn slow_column(documents: &[String], term: &str) -> Vec<f64> {
    let tf: Vec<usize> =
        documents.iter().map(|document| document.split(' ').filter(|word| *word == term).count()).collect();
    let df = tf.iter().filter(|count| **count > 0).count();
    tf.iter().map(|&count| count as f64 * (documents.len() as f64 / df as f64).ln()).collect()
}

fn slow_variance(column: &[f64]) -> f64 {
    let mean = column.iter().sum::<f64>() / column.len() as f64;
    column.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / column.len() as f64
}

proptest! {
    #[test]
    fn every_weight_equals_the_slow_oracle(documents in corpora(), minimum in 0..4usize) {
        let found: BTreeSet<&str> = documents.iter().flat_map(|document| document.split_whitespace()).collect();
        let containing = |term: &str| documents.iter().filter(|document| document.contains(term)).count();
        let expected: Vec<&str> = found.into_iter().filter(|term| containing(term) >= minimum).collect();
        let text = features(&documents, &plain(minimum, None));
        prop_assert_eq!(text.is_err(), expected.is_empty());
        let Ok(text) = text else { return Ok(()) };
        prop_assert_eq!(&text.terms, &expected);
        for (j, term) in expected.iter().enumerate() {
            for (i, weight) in slow_column(&documents, term).into_iter().enumerate() {
                prop_assert!((text.matrix.row(i)[j] - weight).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn no_dropped_term_varies_more_than_a_kept_one(documents in corpora(), keep in 1..6usize) {
        let all = features(&documents, &plain(1, None)).map_or_else(|_| Vec::new(), |text| text.terms);
        let kept = features(&documents, &plain(1, Some(keep)));
        prop_assert_eq!(kept.is_ok(), all.len() >= keep);
        let Ok(TextFeatures { terms: kept, .. }) = kept else { return Ok(()) };
        let (kept, dropped): (Vec<String>, Vec<String>) = all.into_iter().partition(|term| kept.contains(term));
        prop_assert_eq!(kept.len(), keep);
        let variance = |term: &String| slow_variance(&slow_column(&documents, term));
        let least = kept.iter().map(variance).fold(f64::INFINITY, f64::min);
        prop_assert!(dropped.iter().map(variance).all(|dropped| dropped <= least + 1e-12));
    }
}

/// One column of a local data set, or `None` where it is not to be had.
fn local_documents(file: &str, column: &str) -> Option<Vec<String>> {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/datasets/local")).join(file);
    if !path.exists() {
        eprintln!("skipped: {} is not there", path.display());
        return None;
    }
    let mut reader = csv::Reader::from_path(path).unwrap();
    let position = reader.headers().unwrap().iter().position(|name| name == column).unwrap();
    Some(reader.records().map(|record| record.unwrap()[position].to_owned()).collect())
}

#[track_caller]
fn assert_frequent_terms(documents: &[String], markup: Markup, frequent: usize, wanted: usize) {
    let options = TextOptions { minimum_documents: 40, features: None, markup };
    assert_eq!(features(documents, &options).unwrap().terms.len(), frequent);
    let text = features(documents, &TextOptions { features: Some(wanted), ..options }).unwrap();
    assert_eq!((text.matrix.rows(), text.matrix.columns(), text.terms.len()), (documents.len(), wanted, wanted));
}

#[test]
fn mini_newsgroups_has_the_500_features_of_the_paper() {
    if let Some(documents) = local_documents("mini-newsgroups.csv", "text") {
        assert_eq!(documents.len(), 1700);
        assert_frequent_terms(&documents, Markup::Article, 687, 500);
    }
}

#[test]
fn webkb_has_the_335_features_of_the_paper() {
    if let Some(documents) = local_documents("webkb.csv", "html") {
        assert_eq!(documents.len(), 1041);
        assert_frequent_terms(&documents, Markup::Html, 499, 335);
    }
}
