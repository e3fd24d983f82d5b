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

/// Pages that are to be published.
#[derive(Debug, Default)]
pub(crate) struct Site {
    /// By the path in the site.
    pages: BTreeMap<String, SitePage>,
}

#[derive(Debug)]
struct SitePage {
    html: String,
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
    pub(crate) left_out: Vec<&'static str>,
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
    fn left_out(self) -> Vec<&'static str> {
        Self::ALL.into_iter().filter(|thinness| *thinness <= self).map(Self::words).collect()
    }
}

impl Site {
    /// Adds the page of a report.
    pub(crate) fn add(&mut self, page: &Page, above: &Above) {
        let html = html::page(page, &sections(page), above);
        let built = format!("{} ({})", page.provenance.version, page.provenance.revision);
        let command = page.provenance.command.clone();
        self.pages.insert(format!("{}/{SCORECARD_PAGE}", page.name), SitePage { html, command, built });
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
            self.pages.insert(path.to_owned(), SitePage { html, command: command.clone(), built: built.clone() });
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
            let html = shared.take_out(&page.html, path);
            (path.clone(), thinned(html, page, thinness))
        };
        let mut files: BTreeMap<String, String> =
            self.pages.iter().map(|(path, page)| thinned(path, page, &mut shared)).collect();
        if thinness >= Thinness::NarrowDrawings {
            shared.styles.iter_mut().for_each(|style| style.push_str(".plot.wide { display: block !important; }\n"));
        }
        let known: BTreeSet<String> = files.keys().cloned().collect();
        for (path, html) in &mut files {
            *html = markup::without_dead_links(html, |target| known.contains(&markup::resolved(path, target)));
        }
        files.extend(shared.named());
        files
    }
}

fn bytes(files: &BTreeMap<String, String>) -> usize {
    files.values().map(String::len).sum()
}

fn thinned(html: String, page: &SitePage, thinness: Thinness) -> String {
    let mut html = html;
    for class in ["files", "downloads"] {
        html = markup::without(&html, |tag| markup::has_class(tag, class));
    }
    if thinness >= Thinness::NarrowDrawings {
        html = markup::without(&html, |tag| markup::has_class(tag, "plot") && markup::has_class(tag, "narrow"));
    }
    if thinness >= Thinness::Curves {
        html = markup::without(&html, |tag| tag.starts_with("<section ") && markup::is_curve(tag));
    }
    let html = markup::replaced(&html, "<svg ", "</svg>", vector::smaller);
    let said = maud::html! {
        footer {
            p {
                "Written by conclave " (page.built) ". This copy is without " (thinness.left_out().join(", ")) ": "
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
        let built = String::new();
        let html = index::page(&card);
        site.pages
            .insert(SCORECARD_PAGE.to_owned(), SitePage { html, command: "conclave reproduce".to_owned(), built });
        site.files(thinness)
    }

    #[test]
    fn pages_share_their_style_and_name_no_file_that_is_not_there() {
        let files = files(Thinness::Files);
        let names: Vec<&String> = files.keys().collect();
        assert!(names.iter().any(|name| *name == "style.css") && names.iter().any(|name| *name == "sample/index.html"));
        for (path, html) in files.iter().filter(|(path, _)| path.ends_with(".html")) {
            assert!(!html.contains("<style>") && !html.contains("<script>"), "{path}");
            for target in markup::links(html).filter(|target| !target.contains(':')) {
                let (file, place) = target.split_once('#').unwrap_or((target, ""));
                if file.is_empty() {
                    assert!(html.contains(&format!("id=\"{place}\"")), "{path}: {target} leads nowhere");
                } else {
                    let resolved = markup::resolved(path, file);
                    assert!(files.contains_key(&resolved), "{path}: {target} is not in the site");
                }
            }
            for gone in [".csv\"", ".tex\"", ".png\"", "report.md", "downloads"] {
                assert!(!html.contains(gone), "{path} has {gone}");
            }
            assert!(html.contains("makes the report with all of it"), "{path}");
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
    fn what_is_too_large_loses_its_narrow_drawings_and_then_its_curves() {
        let [full, without] = [Thinness::Files, Thinness::NarrowDrawings].map(|thinness| bytes(&files(thinness)));
        assert!(full > without, "{full} {without}");
        let small = files(Thinness::NarrowDrawings);
        assert!(small["style.css"].ends_with(".plot.wide { display: block !important; }\n"));
        assert!(!small["sample/index.html"].contains("plot narrow"));
        assert!(small["sample/index.html"].contains("narrow screens"));
        let html = "<section id=\"universes-a\">curve</section><section id=\"universes-a-table\">table</section>";
        let page = SitePage { html: String::new(), command: String::new(), built: String::new() };
        let shown = |thinness| thinned(html.to_owned(), &page, thinness);
        assert!(shown(Thinness::NarrowDrawings).contains("curve</section>"));
        let thin = shown(Thinness::Curves);
        assert!(!thin.contains("curve</section>") && thin.contains("table</section>"), "{thin}");
    }
}
