//! The page of one consensus: what it opens with, who is uncertain, who disagrees, and what can be taken from it.

mod common;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use common::Workshop;

/// Sixty objects in three groups, six base clusterings: `odd` has nothing to do with the others, and `torn` is torn between two groups.
fn labels() -> String {
    let mut text = "name,c1,c2,c3,c4,c5,odd\n".to_owned();
    for object in 0..60 {
        let group = object % 3;
        let label = |column: usize| match object {
            0 => [0, 0, 0, 1, 1][column],
            _ if (object + 7 * column) % 29 == 5 => (group + 1) % 3,
            _ => group,
        };
        let labels: Vec<String> = (0..5).map(|column| label(column).to_string()).collect();
        let name = if object == 0 { "torn".to_owned() } else { format!("o{object}") };
        text += &format!("{name},{},{}\n", labels.join(","), (object / 3) % 4);
    }
    text
}

fn page(arguments: &[&str]) -> String {
    let workshop = Workshop::new();
    workshop.write("labels.csv", &labels());
    let all = ["consensus", "labels.csv", "--id", "name", "--report", "page.html"];
    workshop.run(&[&all, arguments].concat()).ok();
    String::from_utf8(workshop.read("page.html")).expect("it is text")
}

#[track_caller]
fn place(page: &str, words: &str) -> usize {
    page.find(words).unwrap_or_else(|| panic!("`{words}` is not in the page"))
}

#[test]
fn the_page_opens_with_the_finding_and_the_matrix_and_ends_with_where_it_comes_from() {
    let page = page(&["-m", "eac-al", "-k", "3"]);
    let order = [
        "3 clusters of 60 objects. The 6 base clusterings put two objects of one cluster together",
        "id=\"matrix\"",
        "id=\"uncertain\"",
        "id=\"odds\"",
        "id=\"stability\"",
        "id=\"origin-title\"",
    ];
    let places = order.map(|words| place(&page, words));
    assert!(places.is_sorted(), "{places:?}");
}

/// The texts of the body of a table, row by row.
fn rows(page: &str, id: &str) -> Vec<Vec<String>> {
    let section = page[place(page, &format!("id=\"{id}\""))..].split("</section>").next().expect("a section");
    let body = section.split("<tbody>").nth(1).expect("the table has a body");
    let text = |cell: &str| cell.split('>').nth(1).map(|rest| rest.split('<').next().unwrap_or_default().to_owned());
    let cells = |row: &str| {
        let row = row.replace("<th", "<td");
        row.split("<td").skip(1).filter_map(text).collect::<Vec<String>>()
    };
    body.split("<tr>").skip(1).map(cells).collect()
}

#[test]
fn the_least_certain_objects_are_named_with_the_cluster_that_would_come_next() {
    for method in ["eac-al", "voting"] {
        let page = page(&["-m", method, "-k", "3"]);
        let rows = rows(&page, "uncertain");
        assert!((1..=10).contains(&rows.len()), "{rows:?}");
        let confidence: Vec<f64> = rows.iter().map(|row| row[2].parse().expect("a number")).collect();
        assert!(confidence.is_sorted(), "{confidence:?}");
        if method == "eac-al" {
            assert_eq!(rows[0][0], "torn", "{rows:?}");
        }
        assert!(rows.iter().all(|row| row[1] != row[3]), "nobody comes after himself: {rows:?}");
    }
}

#[test]
fn the_base_clustering_that_has_nothing_to_do_with_the_others_comes_first() {
    let rows = rows(&page(&["-m", "mm", "-k", "3"]), "odds");
    assert_eq!((rows.len(), &*rows[0][0], &*rows[0][1]), (5, "odd", "4"), "{rows:?}");
    let number = |row: &[String], column: usize| row[column].parse::<f64>().expect("a number");
    for column in [2, 3] {
        assert!(number(&rows[0], column) < 0.5 * number(&rows[1], column), "{rows:?}");
    }
}

#[test]
fn every_picture_can_be_taken_as_svg_and_png() {
    let page = page(&["-m", "mm", "-k", "3"]);
    let pictures = page.matches("<figure>").count();
    assert!(pictures >= 5, "matrix, stability, memberships, sizes, confidence: {pictures}");
    for (kind, ending, begins) in [("svg+xml", "svg", &b"<svg "[..]), ("png", "png", b"\x89PNG")] {
        let start = format!("<a href=\"data:image/{kind};base64,");
        let links: Vec<&str> = page.split(&start).skip(1).collect();
        assert_eq!(links.len(), pictures, "{kind}");
        for link in links {
            let (letters, rest) = link.split_once('"').expect("the address ends");
            let bytes = STANDARD.decode(letters).expect("it is base64");
            assert!(bytes.starts_with(begins), "{kind}");
            assert!(
                rest.starts_with(" download=\"") && rest[..60].contains(&format!(".{ending}\"")),
                "{}",
                &rest[..60]
            );
        }
    }
}

#[test]
fn a_comparison_shows_ten_methods_and_folds_the_others_and_their_agreement() {
    let page = page(&[]);
    let headline = page[place(&page, "<p class=\"finding-first\">")..].split("</p>").next().expect("it ends");
    assert!(headline.contains(" of 60 objects."), "{headline}");
    let order = ["id=\"matrix\"", "id=\"odds\"", "id=\"methods\"", "id=\"stability\"", "id=\"agreement\""];
    let places = order.map(|words| place(&page, words));
    assert!(places.is_sorted(), "{places:?}");
    let section = |id: &str| {
        let start = place(&page, &format!("<section id=\"{id}\""));
        page[start..].split("</section>").next().expect("a section").to_owned()
    };
    let methods = section("methods");
    let (shown, folded) = methods.split_once("<details>").expect("the others are folded");
    let rows = |text: &str| text.matches("<th scope=\"row\">").count();
    assert_eq!(rows(shown), 10, "{shown}");
    assert!(rows(folded) > 10 && folded.contains(&format!("<summary>{} more</summary>", rows(folded))), "{folded}");
    let agreement = section("agreement");
    let (seen, folded) = agreement.split_once("<details>").expect("it is folded");
    assert!(!seen.contains("<table") && rows(folded) > 20, "{seen}");
    let recommended = page[place(&page, "Recommended method: ")..].split("</p>").next().expect("it ends").to_owned();
    assert!(recommended.matches(", ").count() < 8, "{recommended}");
}

#[test]
fn a_consensus_that_is_sure_of_all_names_nobody() {
    let workshop = Workshop::new();
    let rows: String = (0..30).map(|object| format!("{0},{0},{0}\n", object % 3)).collect();
    workshop.write("labels.csv", &format!("a,b,c\n{rows}"));
    workshop.run(&["consensus", "labels.csv", "-m", "eac-al", "-k", "3", "--report", "page.html"]).ok();
    let page = String::from_utf8(workshop.read("page.html")).expect("it is text");
    assert!(!page.contains("Least certain objects"), "nobody is uncertain");
    place(&page, "together 100 % of the time, and two of different clusters 0 %");
    place(&page, "Every object has a confidence of 0.5 or more");
}

#[test]
fn names_from_a_file_stay_text() {
    let workshop = Workshop::new();
    let hostile = "<script>alert(1)</script>";
    let rows: String =
        (0..30).map(|object| format!("{hostile}{object},{},{}\n", object % 3, (object / 2) % 3)).collect();
    workshop.write("labels.csv", &format!("id,\"<b>a</b>\",b\n{rows}"));
    workshop.run(&["consensus", "labels.csv", "--id", "id", "-m", "eac-al", "-k", "3", "--report", "page.html"]).ok();
    let page = String::from_utf8(workshop.read("page.html")).expect("it is text");
    assert!(!page.contains("<script>alert") && !page.contains("<b>"), "{page}");
    place(&page, "&lt;script&gt;alert(1)&lt;/script&gt;");
}
