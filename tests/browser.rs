//! The pages in a real browser: filters, sorting, tooltips, and nothing wider than a phone.
//!
//! Needs `chromium` on the PATH; without it the tests say that they were skipped.

mod common;
#[path = "browser/frames.rs"]
mod frames;

use std::path::Path;
use std::process::{Command, Stdio};

use common::{SMALL, Workshop};
use frames::{in_browser, read_well};
use serde_json::Value;

const CLAIMS: &str = r#"
[[figure]]
id = "by-k"
kind = "line"
metric = "accuracy"
x = "ensemble.k"
panel = "dataset"

[[claim]]
id = "some-accuracy"
source = "§1"
says = "Consensus is better than nothing."
check = "bound"
metric = "accuracy"
relation = ">"
bound = 0.01
shown-in = "accuracy"

[[claim]]
id = "perfect"
source = "§2"
says = "Every method finds the classes without error."
check = "bound"
metric = "accuracy"
relation = ">="
bound = 1.0

[[claim]]
id = "unsaid"
source = "§3"
says = "It pleases the eye."
check = "undecided"
reason = "The paper does not say whose."
"#;

/// The pages of a small paper with three claims, or `None`, said aloud, where there is no browser.
fn pages() -> Option<Workshop> {
    let there = Command::new("chromium").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if there.is_err() {
        eprintln!("SKIPPED: chromium is not installed, so the pages were not looked at in a browser");
        return None;
    }
    let workshop = Workshop::new();
    std::fs::create_dir_all(workshop.path().join("experiments/mine")).expect("the test's folder is writable");
    let papers = "[mine]\ntitle = \"Mine\"\nauthors = \"Me\"\nyear = 2020\nvenue = \"Here\"\n";
    workshop.write("experiments/papers.toml", papers);
    let spec = SMALL.replace("seed = 7", "seed = 7\npaper = \"mine\"\nreproduces = \"Table 1\"") + CLAIMS;
    workshop.write("experiments/mine/table1.toml", &spec);
    workshop.run(&["reproduce"]).ok();
    Some(workshop)
}

/// Shown rows of the scorecard: their verdicts, from above.
const SHOWN: &str = "const shown = () => [...document.querySelectorAll('table.scorecard > tbody > tr')]\
                     .filter((row) => row.offsetHeight > 0).map((row) => row.dataset.verdict + ' ' + row.id);";

#[test]
fn a_filter_hides_and_a_sort_reorders_the_claims() {
    let Some(workshop) = pages() else { return };
    let script = format!(
        "{SHOWN} const before = shown();
         const press = (name, value) => document.querySelector(`input[name=${{name}}][value=${{value}}]`).click();
         press('verdict', 'not-reproduced'); const filtered = shown();
         press('verdict', 'not-run'); const two = shown(); const said = document.querySelector('output').textContent;
         press('verdict', 'not-reproduced'); press('verdict', 'not-run');
         const field = document.querySelector('input[type=search]');
         field.value = 'EYE pleases'; field.dispatchEvent(new Event('input', {{ bubbles: true }})); const searched = shown();
         field.value = ''; field.dispatchEvent(new Event('input', {{ bubbles: true }}));
         const head = document.querySelectorAll('table.scorecard th')[1]; const sort = [];
         for (let press = 0; press < 3; press += 1) {{
           head.querySelector('button').click(); sort.push([head.getAttribute('aria-sort'), shown()]);
         }}
         return {{ before, filtered, two, said, searched, sort }};"
    );
    let found = in_browser(&workshop, "reports/index.html", 1280, &script);
    let [good, bad, open] = ["reproduced small.some-accuracy", "not-reproduced small.perfect", "not-run small.unsaid"];
    assert_eq!(found["before"], serde_json::json!([good, bad, open]));
    assert_eq!(found["filtered"], serde_json::json!([bad]));
    assert_eq!(found["two"], serde_json::json!([bad, open]));
    assert_eq!(found["said"], "2 of 3 shown");
    assert_eq!(found["searched"], serde_json::json!([open]));
    let expected = serde_json::json!([
        ["ascending", [good, bad, open]],
        ["descending", [open, bad, good]],
        [null, [good, bad, open]]
    ]);
    assert_eq!(found["sort"], expected);
}

#[test]
fn tables_sort_by_number_and_marks_say_their_values() {
    let Some(workshop) = pages() else { return };
    let script = "
        const table = document.querySelector('#accuracy table');
        const column = () => [...table.tBodies[0].rows].map((row) => Number.parseFloat(row.cells[2].textContent));
        const head = table.querySelector('th[data-column=\"2\"]');
        const before = column();
        head.querySelector('button').click(); const up = column();
        head.querySelector('button').click(); const down = column();
        const plot = document.querySelector('.plot.wide');
        plot.focus();
        plot.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
        const tip = document.querySelector('.tip');
        return { before, up, down, tip: tip.hidden ? null : tip.textContent, focused: document.activeElement === plot };";
    let found = in_browser(&workshop, "reports/small/index.html", 1280, script);
    let numbers = |key: &str| -> Vec<f64> {
        found[key].as_array().expect("a list").iter().map(|number| number.as_f64().expect("a number")).collect()
    };
    let mut sorted = numbers("before");
    sorted.sort_by(f64::total_cmp);
    assert!(sorted.len() == 4 && sorted[0] < sorted[3], "{sorted:?}");
    assert_eq!(numbers("up"), sorted);
    sorted.reverse();
    assert_eq!(numbers("down"), sorted);
    assert_eq!(found["focused"], true);
    let tip = found["tip"].as_str().expect("a mark was reached by keyboard");
    assert!(tip.starts_with("kmeans, iris") && tip.contains("n = 18"), "{tip}");
}

#[test]
fn nothing_is_wider_than_a_phone_even_unfolded() {
    let Some(workshop) = pages() else { return };
    let script = "document.querySelectorAll('details').forEach((details) => { details.open = true; });
        const wide = [...document.body.querySelectorAll('*')].filter((node) => {
          for (let up = node.parentElement; up; up = up.parentElement) {
            const overflow = getComputedStyle(up).overflowX;
            if (overflow === 'auto' || overflow === 'scroll' || overflow === 'hidden') return false;
          }
          return node.getBoundingClientRect().right > innerWidth + 1;
        });
        const whole = document.documentElement.scrollWidth;
        return { inner: innerWidth, whole, wide: wide.map((node) => node.outerHTML.slice(0, 120)) };";
    for page in ["reports/index.html", "reports/small/index.html", "reports/methodology.html"] {
        let found = in_browser(&workshop, page, 390, script);
        assert_eq!(found["wide"], serde_json::json!([]), "{page}");
        assert_eq!(found["inner"], 390, "{page}");
        assert!(found["whole"].as_u64().is_some_and(|whole| whole <= 390), "{page}: {}", found["whole"]);
    }
}

/// The query of the page, and what is shown.
const STATE: &str = "const state = () => [location.search, shown()];
    const soon = () => new Promise((done) => setTimeout(done, 50));";

#[test]
fn filters_are_in_the_address_and_back_undoes_them() {
    let Some(workshop) = pages() else { return };
    let script = format!(
        "{SHOWN} {STATE}
         const first = state();
         const press = (name, value) => document.querySelector(`input[name=${{name}}][value=${{value}}]`).click();
         press('verdict', 'not-run'); const two = state();
         history.back(); await soon(); const back = state();
         history.forward(); await soon(); const again = state();
         document.querySelector('.counts a[href*=\"verdict=reproduced\"]').click(); const counted = state();
         const hash = location.hash;
         document.querySelector('button[type=reset]').click(); await soon(); const all = state();
         return {{ first, two, back, again, counted, hash, all }};"
    );
    let found = in_browser(&workshop, "reports/index.html?verdict=not-reproduced", 1280, &script);
    let [good, bad, open] = ["reproduced small.some-accuracy", "not-reproduced small.perfect", "not-run small.unsaid"];
    assert_eq!(found["first"], serde_json::json!(["?verdict=not-reproduced", [bad]]));
    assert_eq!(found["two"], serde_json::json!(["?verdict=not-reproduced&verdict=not-run", [bad, open]]));
    assert_eq!(found["back"], found["first"]);
    assert_eq!(found["again"], found["two"]);
    assert_eq!(found["counted"], serde_json::json!(["?paper=mine&kind=claim&verdict=reproduced", [good]]));
    assert_eq!(found["hash"], "#claims");
    assert_eq!(found["all"], serde_json::json!(["", [good, bad, open]]));
}

#[test]
fn the_finding_and_what_shows_it_come_before_the_claims_and_provenance_last() {
    let Some(workshop) = pages() else { return };
    let script = "const place = (selector) => document.querySelector(selector).getBoundingClientRect().top + scrollY;
        return { finding: document.querySelector('.finding-first').textContent,
                 places: ['.finding-first', '#accuracy', '#claims', '#provenance', '#sources'].map(place) };";
    let found = in_browser(&workshop, "reports/small/index.html", 1280, script);
    assert_eq!(found["finding"], "Of 2 testable claims 1 holds as stated, 1 does not hold as stated.");
    let places: Vec<f64> = found["places"].as_array().expect("a list").iter().filter_map(Value::as_f64).collect();
    assert!(places.is_sorted() && places.len() == 5, "{places:?}");
    assert!(places[1] < 500.0, "the key table begins {} px down", places[1]);
}

#[test]
fn everything_that_does_something_takes_the_focus_and_shows_it() {
    let Some(workshop) = pages() else { return };
    let script = "const wanted = [...document.querySelectorAll('a[href], button, input, summary, [tabindex]')]
          .filter((node) => node.checkVisibility());
        const lost = wanted.filter((node) => {
          node.focus();
          const outlined = node.matches('fieldset input') ? node.nextElementSibling : node;
          return document.activeElement !== node || getComputedStyle(outlined).outlineStyle === 'none' || node.tabIndex > 0;
        });
        return { all: wanted.length, lost: lost.map((node) => node.outerHTML.slice(0, 120)) };";
    for page in ["reports/index.html", "reports/small/index.html"] {
        let found = in_browser(&workshop, page, 1280, script);
        assert_eq!(found["lost"], serde_json::json!([]), "{page}");
        assert!(found["all"].as_u64().is_some_and(|all| all > 20), "{page}: {}", found["all"]);
    }
}

/// The pages of four papers at the quick scale, those with the widest tables among them.
#[test]
fn pages_of_papers_fit_desktops_and_phones_and_can_be_read_in_light_and_dark() {
    let Some(workshop) = pages() else { return };
    let experiments = concat!(env!("CARGO_MANIFEST_DIR"), "/experiments");
    let papers = ["reproduce", "topchy", "bce", "nbce", "peace", "--scale", "quick", "--experiments", experiments];
    workshop.run(&papers).ok();
    let folders = std::fs::read_dir(workshop.path().join("reports")).expect("reports are there");
    let folders = folders.map(|entry| entry.expect("it can be read").path()).filter(|path| path.is_dir());
    let mut pages: Vec<String> = folders
        .map(|folder| format!("reports/{}/index.html", folder.file_name().expect("it has a name").to_string_lossy()))
        .collect();
    pages.push("reports/index.html".to_owned());
    assert!(pages.len() > 35, "{pages:?}");
    assert_eq!(read_well(&workshop, &pages), 4 * pages.len());
}

/// The page of a consensus of all methods, a published site, and a table of the paper with all ten datasets, from one ensemble each.
#[test]
fn a_consensus_a_published_site_and_ten_datasets_fit_and_can_be_read() {
    let Some(workshop) = pages() else { return };
    let rows: String = (0..90)
        .map(|object: usize| {
            let label = |column: usize| if (object * 7 + column * 5).is_multiple_of(11) { 3 } else { object % 3 };
            let labels: Vec<String> = (0..8).map(|column| label(column).to_string()).collect();
            format!("object number {object},{}\n", labels.join(","))
        })
        .collect();
    workshop.write("labels.csv", &format!("name,a,b,c,d,e,f,g,h\n{rows}"));
    workshop.run(&["consensus", "labels.csv", "--id", "name", "--report", "consensus.html"]).ok();
    workshop.run(&["reproduce", "--site", "site"]).ok();
    let bce = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments/bce");
    let there = |path: &Path| std::fs::read_to_string(path).expect("the specs are there");
    let scale = "[scale.ten]\nuniverse = { count = 1, repeats = 1 }\nensemble.count = 1\nensemble.pool = 20\nrepeats = 1\n\n[scale.quick]";
    std::fs::create_dir_all(workshop.path().join("ten/bce/published")).expect("the test's folder is writable");
    let papers = there(&bce.with_file_name("papers.toml"));
    let own = papers.split("\n[").map(|paper| format!("[{paper}\n")).find(|paper| paper.starts_with("[bce]"));
    workshop.write("ten/papers.toml", &own.expect("the paper is listed"));
    workshop.write("ten/bce/table3.toml", &there(&bce.join("table3.toml")).replace("[scale.quick]", scale));
    for file in std::fs::read_dir(bce.join("published")).expect("it is there").map(|file| file.expect("it can be read"))
    {
        workshop.write(&format!("ten/bce/published/{}", file.file_name().to_string_lossy()), &there(&file.path()));
    }
    let ten = ["reproduce", "bce", "--scale", "ten", "--experiments", "ten", "--reports", "ten-reports"];
    workshop.run(&ten).ok();
    let table = String::from_utf8(workshop.read("ten-reports/bce-table3/index.html")).expect("a page is text");
    assert!(["segmentation", "magic04", "bupa"].iter().all(|dataset| table.contains(dataset)), "all ten datasets");
    let pages = ["consensus.html", "site/index.html", "site/small/index.html", "ten-reports/bce-table3/index.html"];
    let pages = pages.map(str::to_owned).to_vec();
    assert_eq!(read_well(&workshop, &pages), 4 * pages.len());
}
