//! Tests of whole reports.

use super::*;
use crate::summary::CellCounts;
use std::collections::BTreeMap;
use std::sync::OnceLock;

fn written(page: &Page) -> BTreeMap<String, Vec<u8>> {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let written = write(page, &folder.path().join("reports/sample"), &Above::Nothing).expect("the report is written");
    let files: BTreeMap<String, Vec<u8>> = std::fs::read_dir(written.index.parent().expect("the page is in a folder"))
        .expect("the folder can be read")
        .map(|entry| entry.expect("an entry").path())
        .map(|path| {
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            (name, std::fs::read(path).expect("the file can be read"))
        })
        .collect();
    assert_eq!(files.len(), written.files);
    files
}

/// The files of the sample page; written once, because figures take their time in unoptimised builds.
fn sample_files() -> &'static BTreeMap<String, Vec<u8>> {
    static FILES: OnceLock<BTreeMap<String, Vec<u8>>> = OnceLock::new();
    FILES.get_or_init(|| written(&sample::page()))
}

fn index(page: &Page) -> String {
    html::page(page, &sections(page), &Above::Nothing)
}

#[test]
fn every_table_and_figure_has_its_files() {
    let files = sample_files();
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    let expected = [
        "accuracy-against-printed.csv",
        "accuracy-against-printed.png",
        "accuracy-against-printed.svg",
        "accuracy.csv",
        "accuracy.tex",
        "bars.csv",
        "bars.png",
        "bars.svg",
        "boxes.csv",
        "boxes.png",
        "boxes.svg",
        "claims.csv",
        "claims.json",
        "h1.csv",
        "h1.tex",
        "index.html",
        "lines.csv",
        "lines.png",
        "lines.svg",
        "matrix.csv",
        "matrix.png",
        "matrix.svg",
        "over-datasets-cost.csv",
        "over-datasets-cost.png",
        "over-datasets-cost.svg",
        "over-datasets-duel.csv",
        "over-datasets-duel.tex",
        "over-datasets.csv",
        "over-datasets.png",
        "over-datasets.svg",
        "report.md",
        "scatter.csv",
        "scatter.png",
        "scatter.svg",
        "scorecard.part.json",
    ];
    assert_eq!(names, expected);
    let index = String::from_utf8(files["index.html"].clone()).expect("HTML is UTF-8");
    for name in expected.iter().filter(|name| !["index.html", "scorecard.part.json"].contains(*name)) {
        assert!(index.contains(&format!("href=\"{name}\"")), "no link to {name}");
    }
}

#[test]
fn the_same_page_gives_the_same_bytes() {
    assert_eq!(&written(&sample::page()), sample_files());
}

#[test]
fn pictures_are_pictures() {
    let files = sample_files();
    assert!(files["lines.png"].starts_with(b"\x89PNG"));
    let svg = String::from_utf8(files["lines.svg"].clone()).expect("SVG is UTF-8");
    assert!(svg.contains("<title>Accuracy by dataset</title>") && svg.contains("k&lt;means"), "{svg}");
    assert!(svg.contains("<desc>Whiskers are 95 % confidence intervals.</desc>"), "{svg}");
}

#[test]
fn names_are_escaped() {
    let index = index(&sample::page());
    assert!(index.contains("wine, &lt;red&gt; &amp; &quot;white&quot;"));
    for raw in ["<red>", "<consensus>", "k<means", "# a < b"] {
        assert!(!index.contains(raw), "{raw}");
    }
}

#[test]
fn figures_in_the_page_have_no_colours_of_their_own() {
    let index = index(&sample::page());
    let (_, body) = index.split_once("</style>").expect("there is a style sheet");
    assert!(body.contains("class=\"f-s0\"") && body.contains("class=\"s-grid\""));
    assert!(!body.contains("=\"#0072B2\"") && !body.contains("=\"#FFFFFF\""));
}

#[test]
fn an_empty_page_still_renders() {
    let files = written(&sample::empty());
    assert_eq!(files.keys().collect::<Vec<_>>(), ["index.html", "report.md", "scorecard.part.json"]);
    let index = index(&sample::empty());
    assert!(index.contains("<h1>An empty page</h1>") && index.contains("4 of 4 cells; 0 failed, 0 missing"));
    assert!(!index.contains("class=\"banner\"") && !index.contains("<nav"));
}

#[test]
fn sections_are_linked_when_there_are_more_than_two() {
    assert!(index(&sample::page()).contains("<nav"));
}

#[test]
fn a_page_leads_to_the_previous_and_the_next_of_its_paper() {
    let link = |name: &str, place: &str| Some(PageLink { name: name.to_owned(), place: place.to_owned() });
    let neighbours = Neighbours { previous: link("t2", "Table <2>"), next: link("f1", "Figure 1") };
    let page = sample::page();
    let text = html::page(&page, &sections(&page), &Above::Scorecard(neighbours));
    assert_eq!(text.matches("<a rel=\"prev\" href=\"../t2/index.html\">← Table &lt;2&gt;</a>").count(), 2);
    assert_eq!(text.matches("<a rel=\"next\" href=\"../f1/index.html\">Figure 1 →</a>").count(), 2);
    let alone = html::page(&page, &sections(&page), &Above::Scorecard(Neighbours::default()));
    assert!(!alone.contains("rel=\"prev\"") && !alone.contains("rel=\"next\""));
}

#[test]
fn a_smaller_scale_is_said_before_the_numbers() {
    let page = Page { smaller: Some("Scale quick has 1 of 9 datasets.".to_owned()), ..sample::page() };
    let index = index(&page);
    let banner = index.find("Scale quick has 1 of 9 datasets.").expect("a banner");
    assert!(banner < index.find("<figure").expect("a figure"));
    assert!(
        markdown::page(&page, &sections(&page)).contains("> Not the full experiment. Scale quick has 1 of 9 datasets.")
    );
}

#[test]
fn what_is_missing_is_said_first() {
    let page = Page {
        counts: CellCounts { planned: 10, done: 6, failed: 3, missing: 1 },
        failures: vec![sample::failure()],
        ..sample::page()
    };
    let index = index(&page);
    let banner = index.find("3 of 10 cells have no result; 1 of 10 cells not computed yet").expect("a banner");
    assert!(banner < index.find("<figure").expect("a figure"));
    assert!(index.contains("timed-out") && index.contains("more than 60 s"));
    assert!(markdown::page(&page, &sections(&page)).contains("**mm** on **iris**, 3 cells timed-out: more than 60 s"));
}

#[test]
fn findings_follow_the_first_picture_and_are_escaped() {
    let index = index(&sample::page());
    let finding = index.find("Use mm: it costs 1 ms &amp; is &lt;best&gt;.").expect("the finding is there");
    let figures: Vec<usize> = index.match_indices("<figure").map(|(place, _)| place).collect();
    assert!(figures[0] < finding && finding < figures[1], "{figures:?}, {finding}");
    let page = sample::page();
    let page = markdown::page(&page, &sections(&page));
    assert!(page.find("Which method, and at what cost") < page.find("## Provenance"));
}

#[test]
fn stand_ins_are_no_reproduction() {
    let page = Page { stand_ins: vec!["galaxy".to_owned()], ..sample::page() };
    assert!(index(&page).contains("Not a reproduction."));
    assert!(markdown::page(&page, &sections(&page)).contains("Not a reproduction"));
    // The page has iris as well, which is no stand-in.
    assert!(index(&page).contains("Numbers on it show the method at work"));
    let alone = Page { stand_ins: vec!["iris".to_owned()], ..sample::page() };
    assert!(index(&alone).contains("The numbers below show the method at work"));
}

#[test]
fn ids_must_be_file_names_of_their_own() {
    let mut page = sample::page();
    page.tables[0].id = "../escape".to_owned();
    let folder = tempfile::tempdir().expect("a folder for the test");
    assert!(matches!(write(&page, folder.path(), &Above::Nothing), Err(ReportError::Id { .. })));
    page.tables[0].id = "Claims".to_owned();
    assert!(matches!(write(&page, folder.path(), &Above::Nothing), Err(ReportError::OwnFile { .. })));
    page.tables[0].id = "Bars".to_owned();
    assert!(matches!(write(&page, folder.path(), &Above::Nothing), Err(ReportError::SameId { .. })));
    assert_eq!(std::fs::read_dir(folder.path()).expect("the folder can be read").count(), 0);
}

#[test]
fn no_output_can_have_the_name_of_a_file_that_every_report_has() {
    let mut page = sample::page();
    assert!(!page.claims.is_empty(), "claims have files");
    (page.tables, page.figures, page.tests) = Default::default();
    (page.heat_maps, page.rankings) = Default::default();
    let folder = tempfile::tempdir().expect("a folder for the test");
    write(&page, folder.path(), &Above::Scorecard(Neighbours::default())).expect("the report can be written");
    for entry in std::fs::read_dir(folder.path()).expect("the folder can be read") {
        let path = entry.expect("it can be read").path();
        let stem = path.file_stem().and_then(|stem| stem.to_str()).expect("it is text").to_owned();
        assert!(crate::spec::names::FILES_OF_A_REPORT.contains(&stem.as_str()), "{stem}");
    }
}

#[test]
fn an_error_names_the_path() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let blocked = folder.path().join("file");
    std::fs::write(&blocked, "").expect("a file for the test");
    let error = write(&sample::empty(), &blocked.join("report"), &Above::Nothing).expect_err("a file is no folder");
    assert!(error.to_string().contains("report"), "{error}");
    std::fs::create_dir_all(folder.path().join("taken/report.md/x")).expect("a folder for the test");
    let error =
        write(&sample::empty(), &folder.path().join("taken"), &Above::Nothing).expect_err("a folder is no file");
    assert!(error.to_string().contains("report.md"), "{error}");
}
