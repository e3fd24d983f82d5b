//! Pages in frames of a headless browser, with a script at their end.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::common::Workshop;

/// Opens a copy of a page that runs a script at its end, and returns what the script returns, now or later. It is opened in a
/// frame, which can be as narrow as a phone; a window of the browser cannot. The page may be followed by a query.
pub fn in_browser(workshop: &Workshop, page: &str, width: u32, script: &str) -> Value {
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
    // Pages of a site share one style sheet, in their folder or above.
    if let Some((before, rest)) = text.split_once("<link rel=\"stylesheet\" href=\"") {
        let (address, after) = rest.split_once("\">").expect("the link ends");
        let folder = workshop.path().join(path).parent().expect("a page is in a folder").to_owned();
        let style = std::fs::read_to_string(folder.join(address)).expect("the style sheet is there");
        text = format!("{before}<style>{style}</style>{after}");
    }
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

/// Fails where something is too wide, too faint, cut off or scrolls in silence, on desktops and phones, light and dark. How often a page
/// was looked at.
pub fn read_well(workshop: &Workshop, pages: &[String]) -> usize {
    let script = format!(
        "{CUT} {WIDE} {FAINT} return {{ tables: tables.length, cut: names(cut), cues: names(cues), wide, faint, texts }};"
    );
    let mut looked = 0;
    for (width, scheme) in [(1280, Scheme::Light), (1280, Scheme::Dark), (400, Scheme::Light), (400, Scheme::Dark)] {
        let found = in_frames(workshop, pages, &Frame { width, scheme }, &script);
        assert_eq!(found.len(), pages.len());
        let count = |key: &str| found.values().filter_map(|value| value[key].as_u64()).sum::<u64>();
        let all = pages.len() as u64;
        assert!(
            count("tables") > all && count("texts") > 100 * all,
            "{} tables, {} texts",
            count("tables"),
            count("texts")
        );
        for (page, value) in &found {
            let none = serde_json::json!([]);
            assert_eq!(value["wide"], none, "{page} at {width} px: wider than the screen");
            assert_eq!(value["faint"], none, "{page} at {width} px in {scheme:?}: too little contrast");
            assert_eq!(value["cues"], none, "{page} at {width} px: these tables scroll and do not say so");
            if width == 1280 {
                assert_eq!(value["cut"], none, "{page} at {width} px: columns are cut off");
            }
            looked += 1;
        }
    }
    looked
}
