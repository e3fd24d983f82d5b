//! The pages in a real browser: filters, sorting, tooltips, and nothing wider than a phone.
//!
//! Needs `chromium` on the PATH; without it the tests say that they were skipped.

mod common;

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

/// Opens a copy of a page that runs a script at its end, and returns what the script returns. It is opened in a frame,
/// which can be as narrow as a phone; a window of the browser cannot.
fn in_browser(workshop: &Workshop, page: &str, width: u32, script: &str) -> Value {
    let text = String::from_utf8(workshop.read(page)).expect("a page is text");
    let injected =
        format!("<script>parent.postMessage(JSON.stringify((() => {{ {script} }})()), '*');</script></body>");
    let copy = workshop.write(&format!("{page}.tried.html"), &text.replace("</body>", &injected));
    let frame = workshop.write(
        "frame.html",
        &format!(
            "<!DOCTYPE html><pre id=\"found\"></pre><script>addEventListener('message', (event) => {{\
             document.getElementById('found').textContent = event.data; }});</script>\
             <iframe src=\"file://{}\" style=\"width:{width}px;height:900px;border:0\"></iframe>",
            copy.display()
        ),
    );
    let dom = dumped(&frame, &workshop.path().join("profile"));
    let found = dom.split_once("<pre id=\"found\">").and_then(|(_, rest)| rest.split_once("</pre>"));
    let (found, _) = found.unwrap_or_else(|| panic!("the script left nothing: {dom}"));
    let found = found.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    serde_json::from_str(&found).unwrap_or_else(|error| panic!("{error}: {found}"))
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
