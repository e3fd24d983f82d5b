//! A page as a list of sections: what is shown, and in which order, whatever the format.

use std::ops::Range;

use super::claims::ClaimOrigin;
use super::drawing::Drawing;
use super::format::FileKind;
use super::wording::{incomplete, stand_in_warning};
use crate::claim::Judgement;
use crate::summary::{Failure, MultiverseSummary, Page, PageProvenance, Ranking, Table, TestTable};

/// A part of a page.
pub(super) struct Section<'a> {
    /// The links that lead to it; `None` where it belongs to the section before it, or is at the top or end of every page.
    pub(super) chapter: Option<Chapter>,
    pub(super) content: Content<'a>,
}

/// The groups of links at the top of a page, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Chapter {
    Rankings,
    Figures,
    Tables,
    Tests,
    Universes,
}

/// What a section shows.
pub(super) enum Content<'a> {
    /// A warning: less was run than the paper ran.
    SmallerScale(&'a str),
    /// A warning: data stand in for the original.
    StandIns(String),
    /// A warning: cells have no result.
    Incomplete(Shortfall<'a>),
    /// What rankings say in sentences.
    Findings(&'a [Ranking]),
    Claims(ClaimList<'a>),
    /// What the paper leaves open.
    Forks(&'a MultiverseSummary),
    /// What was run and why, and what was not.
    About(&'a Page),
    /// Where the numbers come from.
    Provenance(&'a Page),
    Drawing(&'a dyn Drawing),
    Table(&'a Table),
    Test(&'a TestTable),
    /// The spec, and the hashes of the data.
    Sources(&'a PageProvenance),
}

/// What a page lacks.
pub(super) struct Shortfall<'a> {
    pub(super) what: String,
    pub(super) failures: &'a [Failure],
}

/// Claims, and the scale at which they were judged.
pub(super) struct ClaimList<'a> {
    pub(super) claims: &'a [Judgement],
    pub(super) origin: ClaimOrigin<'a>,
    pub(super) scale: &'a str,
}

/// What is written around a table or drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Heading<'a> {
    /// Its place on the page, and the names of its files.
    pub(super) id: &'a str,
    pub(super) title: &'a str,
    pub(super) caption: &'a str,
}

/// The sections of a page, from its top to its end: what is found, shown and claimed before how and from what.
pub(super) fn sections(page: &Page) -> Vec<Section<'_>> {
    let mut shown = shown(page);
    let key = key(page, &shown);
    let findings = findings(page).map(Section::unlisted);
    let (findings_first, findings) = if key.start == 0 { (findings, None) } else { (None, findings) };
    // What belongs together stays together: the key's tables come with it.
    let rest = shown.split_off(key.end);
    let mut key = shown.split_off(key.start);
    // What rankings say comes right after the first picture of them.
    if let Some(findings) = findings_first {
        key.insert(key.len().min(1), findings);
    }
    let claims = claims(page).map(Section::unlisted);
    let about = has_about(page).then(|| Section::unlisted(Content::About(page)));
    let universes = page.multiverse.iter().flat_map(universes);
    let end = [Content::Provenance(page), Content::Sources(&page.provenance)].map(Section::unlisted);
    let front = warnings(page).map(Section::unlisted);
    let after = claims.into_iter().chain(about).chain(findings).chain(shown).chain(rest).chain(universes).chain(end);
    front.chain(key).chain(after).collect()
}

/// Rankings, drawings, tables and tests, in the order of the spec.
fn shown(page: &Page) -> Vec<Section<'_>> {
    let rankings = page.rankings.iter().flat_map(ranking);
    let figures = page.figures.iter().map(|figure| Content::Drawing(figure));
    let heat_maps = page.heat_maps.iter().map(|map| Content::Drawing(map));
    let drawings = figures.chain(heat_maps).map(|content| Section::listed(Chapter::Figures, content));
    let tables = page.tables.iter().flat_map(|table| with_dots(table, page));
    let tests = page.tests.iter().map(|test| Section::listed(Chapter::Tests, Content::Test(test)));
    rankings.chain(drawings).chain(tables).chain(tests).collect()
}

/// What is seen first: where printed numbers stand, else what a claim is about, else the first ranking, else what comes first. What
/// belongs to it comes with it.
fn key(page: &Page, shown: &[Section]) -> Range<usize> {
    let position =
        |id: &str| shown.iter().position(|section| section.heading().is_some_and(|heading| heading.id == id));
    let of = |about: &dyn Fn(&Judgement) -> bool| {
        page.claims.iter().filter(|claim| about(claim)).find_map(|claim| position(claim.shown_in.as_deref()?))
    };
    let claimed = of(&|claim| claim.is_of_printed_numbers()).or_else(|| of(&|claim| claim.is_of_a_sentence()));
    // Rankings stand before all others.
    let start = claimed.unwrap_or(0);
    let belonging = shown.iter().skip(start + 1).take_while(|section| section.chapter.is_none()).count();
    start..shown.len().min(start + 1 + belonging)
}

/// A table, and beside it its printed numbers against ours.
fn with_dots<'a>(table: &'a Table, page: &'a Page) -> impl Iterator<Item = Section<'a>> {
    let dots = page.printed_dots.iter().filter(|dots| dots.table == table.id);
    let dots = dots.map(|dots| Section::unlisted(Content::Drawing(dots)));
    std::iter::once(Section::listed(Chapter::Tables, Content::Table(table))).chain(dots)
}

/// What the paper leaves open, the curves of claims that turn on it, and printed numbers in every universe.
fn universes(multiverse: &MultiverseSummary) -> impl Iterator<Item = Section<'_>> {
    let forks = Section::unlisted(Content::Forks(multiverse));
    let tables = multiverse.tables.iter().map(Content::Table);
    let curves = multiverse.curves.iter().map(|curve| Content::Drawing(curve));
    std::iter::once(forks).chain(tables.chain(curves).map(|content| Section::listed(Chapter::Universes, content)))
}

/// What rankings say, which stands before the first of them.
fn findings(page: &Page) -> Option<Content<'_>> {
    let has_findings = page.rankings.iter().any(|ranking| !ranking.findings.is_empty());
    has_findings.then_some(Content::Findings(&page.rankings))
}

/// What must be read before the numbers.
fn warnings(page: &Page) -> impl Iterator<Item = Content<'_>> {
    let lacking = incomplete(page).map(|what| Shortfall { what, failures: &page.failures });
    let contents = [
        page.smaller.as_deref().map(Content::SmallerScale),
        stand_in_warning(page).map(Content::StandIns),
        lacking.map(Content::Incomplete),
    ];
    contents.into_iter().flatten()
}

fn claims(page: &Page) -> Option<Content<'_>> {
    let origin = ClaimOrigin { paper: page.paper_key.as_deref(), spec: &page.provenance.spec_path };
    let claims = ClaimList { claims: &page.claims, origin, scale: &page.provenance.scale };
    (!page.claims.is_empty()).then_some(Content::Claims(claims))
}

fn has_about(page: &Page) -> bool {
    !page.description.is_empty() || !page.notes.is_empty()
}

/// A ranking's diagram, its figure of costs, and its tables.
fn ranking(ranking: &Ranking) -> impl Iterator<Item = Section<'_>> {
    let diagram = Section::listed(Chapter::Rankings, Content::Drawing(ranking));
    let trade = ranking.trade.iter().map(|trade| Content::Drawing(trade));
    let tables = ranking.tables.iter().map(Content::Table);
    std::iter::once(diagram).chain(trade.chain(tables).map(Section::unlisted))
}

impl<'a> Section<'a> {
    fn listed(chapter: Chapter, content: Content<'a>) -> Self {
        Self { chapter: Some(chapter), content }
    }

    fn unlisted(content: Content<'a>) -> Self {
        Self { chapter: None, content }
    }

    /// Id, title and caption, where the spec or the page gives it some.
    pub(super) fn heading(&self) -> Option<Heading<'a>> {
        match self.content {
            Content::Drawing(drawing) => Some(drawing.heading()),
            Content::Table(table) => Some(Heading::of_table(table)),
            Content::Test(test) => Some(Heading::of_test(test)),
            _ => None,
        }
    }

    /// The files beside the page, by their names.
    pub(super) fn files(&self) -> impl Iterator<Item = (String, FileKind)> {
        let (stem, kinds): (&str, &[FileKind]) = match self.content {
            Content::Drawing(drawing) => (drawing.heading().id, &FileKind::OF_DRAWINGS),
            Content::Table(table) => (&table.id, &FileKind::OF_TABLES),
            Content::Test(test) => (&test.id, &FileKind::OF_TABLES),
            Content::Claims(_) => (CLAIMS, &FileKind::OF_CLAIMS),
            Content::StandIns(_)
            | Content::Incomplete(_)
            | Content::Findings(_)
            | Content::Forks(_)
            | Content::About(_)
            | Content::Provenance(_)
            | Content::SmallerScale(_)
            | Content::Sources(_) => ("", &[]),
        };
        kinds.iter().map(move |kind| (format!("{stem}.{}", kind.extension()), *kind))
    }
}

/// The name of the files of claims, without its end.
pub(super) const CLAIMS: &str = "claims";

impl<'a> Heading<'a> {
    pub(super) fn of_table(table: &'a Table) -> Self {
        Self { id: &table.id, title: &table.title, caption: &table.caption }
    }

    pub(super) fn of_test(test: &'a TestTable) -> Self {
        Self { id: &test.id, title: &test.title, caption: &test.caption }
    }
}

impl Chapter {
    pub(super) const ALL: [Self; 5] = [Self::Rankings, Self::Figures, Self::Tables, Self::Tests, Self::Universes];

    /// What is written before its links.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Rankings => "Rankings",
            Self::Figures => "Figures",
            Self::Tables => "Tables",
            Self::Tests => "Tests",
            Self::Universes => "Universes",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::format::Format;
    use crate::report::html::Html;
    use crate::report::markdown::Markdown;
    use crate::report::sample;

    fn whole_page() -> Page {
        Page {
            stand_ins: vec!["iris".to_owned()],
            failures: vec![sample::failure()],
            smaller: Some("1 of 2 datasets.".to_owned()),
            ..sample::page()
        }
    }

    #[test]
    fn every_section_is_on_the_web_page_and_in_the_markdown() {
        let page = whole_page();
        for (place, section) in sections(&page).iter().enumerate() {
            assert!(Html.section(section).is_some(), "section {place}");
            assert!(Markdown.section(section).is_some(), "section {place}");
        }
    }

    #[test]
    fn where_printed_numbers_stand_comes_before_the_claims_and_provenance_last() {
        let page = Page { rankings: Vec::new(), ..sample::page() };
        let order: Vec<String> = sections(&page)
            .iter()
            .map(|section| match section.content {
                Content::Claims(_) => "claims".to_owned(),
                Content::About(_) => "about".to_owned(),
                Content::Provenance(_) => "provenance".to_owned(),
                Content::Sources(_) => "sources".to_owned(),
                _ => section.heading().map_or_else(String::new, |heading| heading.id.to_owned()),
            })
            .collect();
        let expected = [
            "bars",
            "claims",
            "about",
            "lines",
            "boxes",
            "scatter",
            "matrix",
            "accuracy",
            "accuracy-against-printed",
            "h1",
            "provenance",
            "sources",
        ];
        assert_eq!(order, expected);
        let mut page = page;
        for claim in &mut page.claims {
            claim.shown_in = Some(if claim.is_of_printed_numbers() { "accuracy" } else { "lines" }.to_owned());
        }
        let first: Vec<&str> =
            sections(&page).iter().filter_map(Section::heading).map(|heading| heading.id).take(2).collect();
        assert_eq!(first, ["accuracy", "accuracy-against-printed"]);
        page.claims.retain(|claim| !claim.is_of_printed_numbers());
        assert!(sections(&page)[0].heading().is_some_and(|heading| heading.id == "lines"));
    }

    #[test]
    fn what_rankings_say_stands_before_them_and_after_the_claims_of_a_paper() {
        let mut page = sample::page();
        let positions = |page: &Page| {
            let sections = sections(page);
            let at = |wanted: &dyn Fn(&Section) -> bool| sections.iter().position(wanted).expect("it is on the page");
            let findings = at(&|section| matches!(section.content, Content::Findings(_)));
            let claims = at(&|section| matches!(section.content, Content::Claims(_)));
            let ranking = at(&|section| section.chapter == Some(Chapter::Rankings));
            [findings, claims, ranking]
        };
        let [findings, claims, ranking] = positions(&page);
        assert!(findings == ranking + 1 && findings < claims);
        page.claims[0].shown_in = Some("accuracy".to_owned());
        let [findings, claims, ranking] = positions(&page);
        assert!(claims < findings && findings + 1 == ranking);
    }

    #[test]
    fn a_ranking_comes_first_with_what_belongs_to_it() {
        let page = sample::page();
        let front: Vec<String> =
            sections(&page).iter().filter_map(|section| section.heading()).take(4).map(|h| h.id.to_owned()).collect();
        assert_eq!(front, ["over-datasets", "over-datasets-cost", "over-datasets-duel", "bars"]);
    }

    #[test]
    fn a_tables_dot_plot_follows_it_wherever_it_stands() {
        let without_rankings = Page { rankings: Vec::new(), ..sample::page() };
        for page in [sample::page(), without_rankings] {
            let ids: Vec<&str> =
                sections(&page).iter().filter_map(Section::heading).map(|heading| heading.id).collect();
            let table = ids.iter().position(|id| *id == "accuracy").expect("the table is shown");
            assert_eq!(ids[table + 1], "accuracy-against-printed", "{ids:?}");
        }
    }

    #[test]
    fn every_file_that_is_linked_is_made() {
        let page = whole_page();
        for section in sections(&page) {
            for (name, kind) in section.files() {
                assert!(kind.file_of(&section).is_some_and(|file| file.is_ok()), "{name}");
            }
        }
    }

    #[test]
    fn an_empty_page_has_its_origin_and_nothing_else() {
        let page = sample::empty();
        let sections = sections(&page);
        assert!(matches!(sections[0].content, Content::Provenance(_)));
        assert!(matches!(sections[1].content, Content::Sources(_)));
        assert_eq!(sections.len(), 2);
    }
}
