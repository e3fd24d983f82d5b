//! Tests of the scorecard's files.

use super::*;
use crate::claim::sample_scorecard;

#[test]
fn the_whole_page() {
    let page = page(&sample_scorecard());
    let body =
        page.split("</style>").nth(1).and_then(|rest| rest.split("<script>").next()).expect("style, body, script");
    insta::assert_snapshot!(body);
}

#[test]
fn every_claim_is_on_the_page_with_its_verdict_place_spec_and_command() {
    let card = sample_scorecard();
    let page = page(&card);
    for experiment in card.papers.iter().flat_map(|paper| &paper.experiments) {
        assert!(page.contains(&format!("href=\"{}/index.html", experiment.name)), "{}", experiment.name);
        for claim in &experiment.judgements {
            let start = page.find(&format!("<tr id=\"{}.{}\"", experiment.name, claim.id)).expect("it has a row");
            let length = page[start..].find("</code></p></td></tr>").expect("rows end with the command") + 7;
            let row = &page[start..start + length];
            for part in
                [claim.verdict.name(), &html! { (claim.finding) }.into_string(), &experiment.command, "index.html#spec"]
            {
                assert!(row.contains(part), "{part} is not in {row}");
            }
        }
    }
    assert!(page.contains("bce-table3/index.html#micro-precision") && page.contains("#claim-above-base"));
}

#[test]
fn nothing_is_fetched() {
    let card = sample_scorecard();
    for page in [page(&card), methodology(&card)] {
        for outside in ["<script src", "@import", "url(", "src=\"http", "<link rel=\"stylesheet"] {
            assert!(!page.contains(outside), "{outside}");
        }
    }
}

#[test]
fn tables_for_other_programs() {
    insta::assert_snapshot!(markdown(&sample_scorecard()));
    let csv = String::from_utf8(csv(&sample_scorecard())).expect("CSV is UTF-8");
    let widths: Vec<usize> =
        csv::Reader::from_reader(csv.as_bytes()).records().map(|record| record.expect("it is CSV").len()).collect();
    assert_eq!(widths, [23; 7]);
    assert!(csv.contains("bce,Figure 2,bce-figure2,,,,,,,no claim,,,,Its spec states no claim.,,,,,,,,"), "{csv}");
}
