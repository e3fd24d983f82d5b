//! The scorecard and every report as web pages alone, small enough for a repository: `DIR/index.html`, `DIR/<experiment>/index.html`,
//! and the style and scripts that they share. No CSV, LaTeX, Markdown or pictures of their own; links to those are taken out, and every page
//! says which command makes the rest.
//!
//! | file | what it does |
//! |---|---|
//! | `markup.rs` | finds and rewrites elements of pages that this program wrote |
//! | `vector.rs` | the same drawings in fewer bytes |
//!
//! Pages are those of reports, made smaller: what a report shows is said in `html` and `index` only.

mod markup;
mod vector;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::files::Folder;
use super::section::sections;
use super::{Above, ReportError, SCORECARD_PAGE, html, index};
use crate::claim::Scorecard;
use crate::summary::Page;

/// A repository takes so many bytes without growing noticeably. Beyond them, less is shown.
const BUDGET: usize = 6_000_000;

/// Drawings of one layout: on a narrow screen they keep their size and scroll, so that their letters can be read.
const FULL_SIZE: &str = "\
.plot.wide { display: block !important; overflow-x: auto; }
@media (max-width: 46rem) { .plot.wide svg { max-width: none !important; } }
";

/// Pages that are to be published.
#[derive(Debug, Default)]
pub(crate) struct Site {
    /// By the path in the site.
    pages: BTreeMap<String, SitePage>,
}

#[derive(Debug)]
struct SitePage {
    html: String,
    /// The same without the curves of claims across universes.
    without_curves: String,
    /// What makes the report with all its files.
    command: String,
    built: String,
}

/// What was published.
#[derive(Debug)]
pub(crate) struct PublishedSite {
    /// The scorecard.
    pub(crate) index: PathBuf,
    /// How many files.
    pub(crate) files: usize,
    /// How many bytes they have.
    pub(crate) bytes: usize,
    /// What pages of reports have and these have not.
    pub(crate) left_out: String,
}

/// What pages leave out, in the order in which they do while they are too large together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Thinness {
    Files,
    NarrowDrawings,
    Curves,
}

impl Thinness {
    const ALL: [Self; 3] = [Self::Files, Self::NarrowDrawings, Self::LAST];
    const LAST: Self = Self::Curves;

    fn words(self) -> &'static str {
        match self {
            Self::Files => "its files (CSV, JSON, LaTeX, Markdown, SVG, PNG)",
            Self::NarrowDrawings => "the layouts of drawings for narrow screens",
            Self::Curves => "the curves of claims across universes",
        }
    }

    /// What is left out in all.
    fn left_out(self) -> String {
        let words: Vec<&str> = Self::ALL.into_iter().filter(|thinness| *thinness <= self).map(Self::words).collect();
        listed(&words)
    }
}

impl Site {
    /// Adds the page of a report.
    pub(crate) fn add(&mut self, page: &Page, above: &Above) {
        let mut sections = sections(page);
        let html = html::page(page, &sections, above);
        sections.retain(|section| !section.heading().is_some_and(|heading| is_curve(heading.id)));
        let without_curves = markup::without(&html::page(page, &sections, above), leads_to_a_curve);
        let built = format!("{} ({})", page.provenance.version, page.provenance.revision);
        let command = page.provenance.command.clone();
        self.pages.insert(format!("{}/{SCORECARD_PAGE}", page.name), SitePage { html, without_curves, command, built });
    }

    /// Writes all pages into a folder, which is created if absent. The same pages give the same bytes.
    ///
    /// # Errors
    ///
    /// When the folder or a file cannot be written (the error names it).
    pub(crate) fn write(mut self, card: &Scorecard, folder: &Path) -> Result<PublishedSite, ReportError> {
        let keys: Vec<&str> = card.papers.iter().map(|paper| paper.key.as_str()).collect();
        let command = format!("conclave reproduce {} --scale {}", keys.join(" "), card.scale);
        let built = format!("{} ({})", card.version, card.revision);
        for (path, html) in [(SCORECARD_PAGE, index::page(card)), (index::METHODOLOGY_PAGE, index::methodology(card))] {
            let (without_curves, command, built) = (html.clone(), command.clone(), built.clone());
            self.pages.insert(path.to_owned(), SitePage { html, without_curves, command, built });
        }
        let thin_enough = |(thinness, files): &(Thinness, BTreeMap<String, String>)| {
            bytes(files) <= BUDGET || *thinness == Thinness::LAST
        };
        let mut thinned = Thinness::ALL.into_iter().map(|thinness| (thinness, self.files(thinness)));
        let (thinness, files) = thinned.find(thin_enough).expect("the last is taken whatever its size");
        for (path, text) in &files {
            let path = folder.join(path);
            let within = path.parent().unwrap_or(folder);
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let mut within = Folder::create(within)?;
            within.write(&name, text.as_bytes())?;
            within.finish()?;
        }
        Ok(PublishedSite {
            index: folder.join(SCORECARD_PAGE),
            files: files.len(),
            bytes: bytes(&files),
            left_out: thinness.left_out(),
        })
    }

    /// The files of the site by their paths.
    fn files(&self, thinness: Thinness) -> BTreeMap<String, String> {
        let mut shared = SharedFiles::default();
        let thinned = |path: &String, page: &SitePage, shared: &mut SharedFiles| {
            let shown = if thinness >= Thinness::Curves { &page.without_curves } else { &page.html };
            let html = shared.take_out(shown, path);
            (path.clone(), thinned(html, page, thinness))
        };
        let mut files: BTreeMap<String, String> =
            self.pages.iter().map(|(path, page)| thinned(path, page, &mut shared)).collect();
        if thinness >= Thinness::NarrowDrawings {
            shared.styles.iter_mut().for_each(|style| style.push_str(FULL_SIZE));
        }
        let places: BTreeMap<String, BTreeSet<String>> =
            files.iter().map(|(path, html)| (path.clone(), markup::ids(html))).collect();
        for (path, html) in &mut files {
            *html = markup::without_dead_links(html, |target, place| {
                let known = places.get(&markup::resolved(path, target));
                known.is_some_and(|ids| place.is_empty() || ids.contains(place))
            });
        }
        files.extend(shared.named());
        files
    }
}

fn bytes(files: &BTreeMap<String, String>) -> usize {
    files.values().map(String::len).sum()
}

/// Whether a section has the curve of a claim across universes: its id is that of the curves, and it is no table of them.
fn is_curve(id: &str) -> bool {
    id.starts_with("universes-") && !id.ends_with("-table")
}

fn leads_to_a_curve(tag: &str) -> bool {
    tag.starts_with("<a ") && markup::links(tag).next().and_then(|link| link.strip_prefix('#')).is_some_and(is_curve)
}

/// The tag of a drawing that is as wide as it is drawn, and no wider than the page.
fn at_full_size(tag: &str) -> String {
    let Some((before, after)) = tag.split_once("style=\"max-width:") else { return tag.to_owned() };
    let Some((width, after)) = after.split_once('"') else { return tag.to_owned() };
    format!("{before}style=\"width:{width};max-width:100%\"{after}")
}

/// "a, b and c".
fn listed(words: &[&str]) -> String {
    match words {
        [before @ .., last] if !before.is_empty() => format!("{} and {last}", before.join(", ")),
        words => words.concat(),
    }
}

fn thinned(html: String, page: &SitePage, thinness: Thinness) -> String {
    let mut html = html;
    for class in ["files", "downloads"] {
        html = markup::without(&html, |tag| markup::has_class(tag, class));
    }
    if thinness >= Thinness::NarrowDrawings {
        html = markup::without(&html, |tag| markup::has_class(tag, "plot") && markup::has_class(tag, "narrow"));
        html = markup::replaced(&html, "<div class=\"plot wide\">", ">", |_| {
            "<div class=\"plot wide\" tabindex=\"0\" role=\"region\" aria-label=\"Drawing\">".to_owned()
        });
        html = markup::replaced(&html, "<svg ", ">", at_full_size);
    }
    let html = markup::replaced(&html, "<svg ", "</svg>", vector::smaller);
    let said = maud::html! {
        footer {
            p {
                "Written by conclave " (page.built) ". This copy is without " (thinness.left_out()) ": "
                code { (page.command) } " makes the report with all of it."
            }
        }
    };
    markup::replaced(&html, "<footer>", "</footer>", |_| said.clone().into_string())
}

/// Styles and scripts that many pages have: once for all of them.
#[derive(Debug, Default)]
struct SharedFiles {
    styles: Vec<String>,
    scripts: Vec<String>,
}

impl SharedFiles {
    /// The page with links in their places.
    fn take_out(&mut self, html: &str, path: &str) -> String {
        let up = "../".repeat(path.matches('/').count());
        let styled = markup::replaced(html, "<style>", "</style>", |element| {
            let place = place_of(&mut self.styles, content(element, "<style>", "</style>"));
            format!("<link rel=\"stylesheet\" href=\"{up}{}\">", name("style", "css", place))
        });
        markup::replaced(&styled, "<script>", "</script>", |element| {
            let place = place_of(&mut self.scripts, content(element, "<script>", "</script>"));
            format!("<script src=\"{up}{}\"></script>", name("script", "js", place))
        })
    }

    fn named(self) -> impl Iterator<Item = (String, String)> {
        let styles = self.styles.into_iter().enumerate().map(|(place, text)| (name("style", "css", place), text));
        let scripts = self.scripts.into_iter().enumerate().map(|(place, text)| (name("script", "js", place), text));
        styles.chain(scripts)
    }
}

fn content<'a>(element: &'a str, start: &str, end: &str) -> &'a str {
    element.strip_prefix(start).and_then(|rest| rest.strip_suffix(end)).unwrap_or(element).trim_start()
}

/// Where a text is in a list, which gets it if it has not.
fn place_of(known: &mut Vec<String>, text: &str) -> usize {
    known.iter().position(|other| other == text).unwrap_or_else(|| {
        known.push(text.to_owned());
        known.len() - 1
    })
}

fn name(stem: &str, ending: &str, place: usize) -> String {
    if place == 0 { format!("{stem}.{ending}") } else { format!("{stem}-{}.{ending}", place + 1) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Neighbours, sample};

    fn files(thinness: Thinness) -> BTreeMap<String, String> {
        let mut site = Site::default();
        site.add(&sample::page(), &Above::Scorecard(Neighbours::default()));
        let card = crate::claim::sample_scorecard();
        for (path, html) in [(SCORECARD_PAGE, index::page(&card)), (index::METHODOLOGY_PAGE, index::methodology(&card))]
        {
            let (without_curves, command, built) = (html.clone(), "conclave reproduce".to_owned(), String::new());
            site.pages.insert(path.to_owned(), SitePage { html, without_curves, command, built });
        }
        site.files(thinness)
    }

    /// Every link of the files leads to one of them, and to a place that is in it.
    fn all_links_lead_somewhere(files: &BTreeMap<String, String>) {
        for (path, html) in files.iter().filter(|(path, _)| path.ends_with(".html")) {
            for target in markup::links(html).filter(|target| !target.contains(':')) {
                let (file, place) = target.split_once('#').unwrap_or((target, ""));
                let led_to = if file.is_empty() { path.clone() } else { markup::resolved(path, file) };
                let page = files.get(&led_to).unwrap_or_else(|| panic!("{path}: {target} is not in the site"));
                assert!(place.is_empty() || markup::ids(page).contains(place), "{path}: {target} leads nowhere");
            }
        }
    }

    #[test]
    fn all_links_of_a_site_lead_somewhere_whatever_is_left_out() {
        for thinness in Thinness::ALL {
            all_links_lead_somewhere(&files(thinness));
        }
        // The project's own links are alive, and not taken out.
        let methodology = &files(Thinness::Files)[index::METHODOLOGY_PAGE];
        for place in ["audit", "a-whole-table", "what-is-counted"] {
            assert!(methodology.contains(&format!("<a href=\"#{place}\">")), "{place}");
        }
        assert!(!methodology.contains("SPEC.md#"), "the site has no SPEC.md");
    }

    #[test]
    fn a_link_to_a_curve_that_is_left_out_goes_with_its_word() {
        let html = "<p><a href=\"#universes\">what is open</a> <a href=\"#universes-c1\">curve</a>\
                    <a href=\"#universes-c1-table\">table</a></p>";
        assert_eq!(
            markup::without(html, leads_to_a_curve),
            "<p><a href=\"#universes\">what is open</a> <a href=\"#universes-c1-table\">table</a></p>"
        );
    }

    #[test]
    fn what_is_left_out_is_a_sentence() {
        assert_eq!([listed(&["a"]), listed(&["a", "b"]), listed(&["a", "b", "c"])], ["a", "a and b", "a, b and c"]);
    }

    #[test]
    fn pages_share_their_style_and_name_no_file_that_is_not_there() {
        let files = files(Thinness::Files);
        let names: Vec<&String> = files.keys().collect();
        assert!(names.iter().any(|name| *name == "style.css") && names.iter().any(|name| *name == "sample/index.html"));
        for (path, html) in files.iter().filter(|(path, _)| path.ends_with(".html")) {
            assert!(!html.contains("<style>") && !html.contains("<script>"), "{path}");
            for gone in [".csv\"", ".tex\"", ".png\"", "report.md", "downloads"] {
                assert!(!html.contains(gone), "{path} has {gone}");
            }
            let is_report = path != index::METHODOLOGY_PAGE;
            assert!(!is_report || html.contains("makes the report with all of it"), "{path}");
        }
    }

    #[test]
    fn everything_that_is_read_is_still_there() {
        let page = sample::page();
        let full = html::page(&page, &sections(&page), &Above::Scorecard(Neighbours::default()));
        let small = &files(Thinness::Files)["sample/index.html"];
        for word in ["Mixture model &lt;consensus&gt;", "H1: mm", "0.887", "Co-associations", "<td", "<svg "] {
            assert_eq!(full.matches(word).count(), small.matches(word).count(), "{word}");
        }
    }

    #[test]
    fn what_is_too_large_loses_its_narrow_drawings() {
        let [full, without] = [Thinness::Files, Thinness::NarrowDrawings].map(|thinness| bytes(&files(thinness)));
        assert!(full > without, "{full} {without}");
        let small = files(Thinness::NarrowDrawings);
        assert!(small["style.css"].ends_with(FULL_SIZE));
        assert!(!small["sample/index.html"].contains("plot narrow"));
        assert!(small["sample/index.html"].contains("narrow screens"));
        // What has one layout keeps its size where there is no room for it.
        assert!(small["sample/index.html"].contains("<svg viewBox=") && small["style.css"].contains("max-width: none"));
        assert!(small["sample/index.html"].contains("max-width:100%"));
    }
}
