//! The pages in a real browser: filters, sorting, tooltips, and nothing wider than a phone.
//!
//! Needs `chromium` on the PATH; without it the tests say that they were skipped.

mod common;

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use common::{SMALL, Workshop};
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

/// Opens a copy of a page that runs a script at its end, and returns what the script returns, now or later. It is opened in a
/// frame, which can be as narrow as a phone; a window of the browser cannot. The page may be followed by a query.
fn in_browser(workshop: &Workshop, page: &str, width: u32, script: &str) -> Value {
    let found = in_frames(workshop, &[page.to_owned()], &Frame { width, scheme: Scheme::Light }, script);
    found.into_values().next().expect("one page was opened")
}

/// How pages are looked at.
struct Frame {
    width: u32,
    scheme: Scheme,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scheme {
    Light,
    Dark,
}

/// As [`in_browser`], for several pages one after the other.
fn in_frames(workshop: &Workshop, pages: &[String], frame: &Frame, script: &str) -> BTreeMap<String, Value> {
    let sources: Vec<String> =
        pages.iter().enumerate().map(|(at, page)| copied(workshop, (at, page), frame, script)).collect();
    let sources = serde_json::to_string(&sources).expect("texts are JSON");
    let width = frame.width;
    let opener = workshop.write(
        "frame.html",
        &format!(
            "<!DOCTYPE html><pre id=\"found\"></pre><script>
             const sources = {sources}; const found = {{}};
             const open = (at) => {{
               document.querySelector('iframe')?.remove();
               if (at === sources.length) {{ document.getElementById('found').textContent = JSON.stringify(found); return; }}
               const frame = document.createElement('iframe');
               frame.style = 'width:{width}px;height:900px;border:0';
               frame.src = sources[at];
               document.body.append(frame);
             }};
             addEventListener('message', (event) => {{ found[event.data.at] = event.data.value; open(event.data.at + 1); }});
             open(0);</script>"
        ),
    );
    let dom = dumped(&opener, &workshop.path().join("profile"));
    let found = dom.split_once("<pre id=\"found\">").and_then(|(_, rest)| rest.split_once("</pre>"));
    let (found, _) = found.unwrap_or_else(|| panic!("the script left nothing: {dom}"));
    let found = found.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    let found: BTreeMap<usize, Value> =
        serde_json::from_str(&found).unwrap_or_else(|error| panic!("{error}: {found}; of {pages:?}"));
    found.into_iter().map(|(at, value)| (pages[at].clone(), value)).collect()
}

/// A copy of a page with a script at its end, and its address.
fn copied(workshop: &Workshop, (at, page): (usize, &String), frame: &Frame, script: &str) -> String {
    let (path, query) =
        page.split_once('?').map_or((page.as_str(), String::new()), |(path, query)| (path, format!("?{query}")));
    let mut text = String::from_utf8(workshop.read(path)).expect("a page is text");
    if frame.scheme == Scheme::Dark {
        assert!(text.contains("@media (prefers-color-scheme: dark)"), "{page} has no dark form");
        text = text.replace("@media (prefers-color-scheme: dark)", "@media all");
    }
    let injected = format!(
        "<script>(async () => {{ {script} }})().then((value) => parent.postMessage({{ at: {at}, value }}, '*'));</script></body>"
    );
    let copy = workshop.write(&format!("{path}.tried.html"), &text.replace("</body>", &injected));
    format!("file://{}{query}", copy.display())
}

/// The document after its scripts have run.
fn dumped(page: &Path, profile: &Path) -> String {
    const PATIENCE: Duration = Duration::from_secs(120);
    let mut browser = Command::new("chromium")
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--dump-dom"])
        // Virtual time passes until nothing is left to do, so that no message is missed.
        .arg("--virtual-time-budget=10000")
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg("--window-size=1400,1000")
        .arg(format!("file://{}", page.display()))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("chromium can be started");
    let mut out = browser.stdout.take().expect("its output is piped");
    let reader = std::thread::spawn(move || {
        let mut text = String::new();
        out.read_to_string(&mut text).map(|_| text)
    });
    let started = Instant::now();
    while browser.try_wait().expect("its state is known").is_none() {
        if started.elapsed() > PATIENCE {
            browser.kill().expect("a running browser can be killed");
            panic!("chromium did not end within {PATIENCE:?}");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    reader.join().expect("reading does not panic").expect("a page is text")
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
    assert_eq!(found["finding"], "Of 2 testable claims 1 holds as stated, 1 does not hold.");
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

/// Tables whose first five columns do not fit the page, and how many tables there are.
const CUT: &str = "const seen = (cell) => cell.getBoundingClientRect().right;
    const tables = [...document.querySelectorAll('main section > .scroll > table')];
    const cut = tables.filter((table) => {
      const room = table.closest('.scroll').getBoundingClientRect().right + 1;
      return [...table.tBodies[0].rows].some((row) => [...row.cells].slice(0, 5).some((cell) => seen(cell) > room));
    });
    const cues = tables.filter((table) => {
      const box = table.closest('.scroll');
      return box.scrollWidth > box.clientWidth + 1 && box.previousElementSibling?.hidden !== false;
    });
    const names = (tables) => tables.map((table) => table.closest('section').id);";

/// Everything that sticks out of the page, unless it scrolls in a box of its own.
const WIDE: &str = "const wide = [...document.body.querySelectorAll('*')].filter((node) => {
      for (let up = node.parentElement; up; up = up.parentElement) {
        const overflow = getComputedStyle(up).overflowX;
        if (overflow === 'auto' || overflow === 'scroll' || overflow === 'hidden') return false;
      }
      return node.getBoundingClientRect().right > innerWidth + 1;
    }).map((node) => node.outerHTML.slice(0, 120));";

/// Texts whose contrast with what is behind them is below WCAG 2.2's level AA; drawings apart, in which texts lie over shapes.
const FAINT: &str = "const parts = (text) => {
      const numbers = text.match(/-?[\\d.]+(e-?\\d+)?/g).map(Number);
      const rgb = text.startsWith('color(') ? numbers.slice(0, 3).map((part) => 255 * part) : numbers.slice(0, 3);
      return [...rgb, numbers[3] ?? 1];
    };
    const over = (top, below) => [0, 1, 2].map((at) => top[3] * top[at] + (1 - top[3]) * below[at]);
    const light = (rgb) => {
      const [r, g, b] = rgb.map((part) => part / 255).map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ground = (node) => {
      if (!node) return [255, 255, 255];
      const colour = parts(getComputedStyle(node).backgroundColor);
      return colour[3] === 1 ? colour.slice(0, 3) : over(colour, ground(node.parentElement));
    };
    const faint = [];
    let texts = 0;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode.parentElement;
      const style = getComputedStyle(node);
      if (!walker.currentNode.data.trim() || node.closest('svg, script, .unseen') || !node.checkVisibility()) continue;
      texts += 1;
      const behind = ground(node);
      const [one, other] = [light(over(parts(style.color), behind)), light(behind)].sort((a, b) => b - a);
      const size = Number.parseFloat(style.fontSize);
      const least = size >= 24 || (size >= 18.66 && style.fontWeight >= 700) ? 3 : 4.5;
      const contrast = (one + 0.05) / (other + 0.05);
      if (contrast < least) faint.push(`${contrast.toFixed(2)} ${walker.currentNode.data.trim().slice(0, 30)} in ${node.outerHTML.slice(0, 80)}`);
    }";

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
    let script = format!(
        "{CUT} {WIDE} {FAINT} return {{ tables: tables.length, cut: names(cut), cues: names(cues), wide, faint, texts }};"
    );
    for (width, scheme) in [(1280, Scheme::Light), (1280, Scheme::Dark), (400, Scheme::Light)] {
        let found = in_frames(&workshop, &pages, &Frame { width, scheme }, &script);
        assert_eq!(found.len(), pages.len());
        let count = |key: &str| found.values().filter_map(|value| value[key].as_u64()).sum::<u64>();
        assert!(count("tables") > 50 && count("texts") > 5000, "{} tables, {} texts", count("tables"), count("texts"));
        for (page, value) in &found {
            let none = serde_json::json!([]);
            assert_eq!(value["wide"], none, "{page} at {width} px: wider than the screen");
            assert_eq!(value["faint"], none, "{page} in {scheme:?}: too little contrast");
            assert_eq!(value["cues"], none, "{page} at {width} px: these tables scroll and do not say so");
            if width == 1280 {
                assert_eq!(value["cut"], none, "{page} at {width} px: columns are cut off");
            }
        }
    }
}
