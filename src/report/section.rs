//! A page as a list of sections: what is shown, and in which order, whatever the format.

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
    /// A warning: data stand in for the original.
    StandIns(String),
    /// A warning: cells have no result.
    Incomplete(Shortfall<'a>),
    /// What rankings say in sentences.
    Findings(&'a [Ranking]),
    Claims(ClaimList<'a>),
    /// What the paper leaves open.
    Forks(&'a MultiverseSummary),
    /// Where the numbers come from.
    Provenance(&'a Page),
    /// Remarks on what was not run.
    Notes(&'a [String]),
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

/// The sections of a page, from its top to its end.
pub(super) fn sections(page: &Page) -> Vec<Section<'_>> {
    let front = front(page).map(Section::unlisted);
    let rankings = page.rankings.iter().flat_map(ranking);
    let figures = page.figures.iter().map(|figure| Content::Drawing(figure));
    let heat_maps = page.heat_maps.iter().map(|map| Content::Drawing(map));
    let drawings = figures.chain(heat_maps).map(|content| Section::listed(Chapter::Figures, content));
    let tables = page.tables.iter().map(|table| Section::listed(Chapter::Tables, Content::Table(table)));
    let tests = page.tests.iter().map(|test| Section::listed(Chapter::Tests, Content::Test(test)));
    let universes = page.multiverse.iter().flat_map(universes);
    let sources = Section::unlisted(Content::Sources(&page.provenance));
    front.chain(rankings).chain(drawings).chain(tables).chain(tests).chain(universes).chain([sources]).collect()
}

/// What the paper leaves open, the curves of claims that turn on it, and printed numbers in every universe.
fn universes(multiverse: &MultiverseSummary) -> impl Iterator<Item = Section<'_>> {
    let forks = Section::unlisted(Content::Forks(multiverse));
    let tables = multiverse.tables.iter().map(Content::Table);
    let curves = multiverse.curves.iter().map(|curve| Content::Drawing(curve));
    std::iter::once(forks).chain(tables.chain(curves).map(|content| Section::listed(Chapter::Universes, content)))
}

/// What is read before the numbers.
fn front(page: &Page) -> impl Iterator<Item = Content<'_>> {
    let lacking = incomplete(page).map(|what| Shortfall { what, failures: &page.failures });
    let has_findings = page.rankings.iter().any(|ranking| !ranking.findings.is_empty());
    let origin = ClaimOrigin { paper: page.paper_key.as_deref(), spec: &page.provenance.spec_path };
    let claims = ClaimList { claims: &page.claims, origin, scale: &page.provenance.scale };
    let contents = [
        stand_in_warning(page).map(Content::StandIns),
        lacking.map(Content::Incomplete),
        has_findings.then_some(Content::Findings(&page.rankings)),
        (!page.claims.is_empty()).then_some(Content::Claims(claims)),
        Some(Content::Provenance(page)),
        (!page.notes.is_empty()).then_some(Content::Notes(&page.notes)),
    ];
    contents.into_iter().flatten()
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
            | Content::Provenance(_)
            | Content::Notes(_)
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
        Page { stand_ins: vec!["iris".to_owned()], failures: vec![sample::failure()], ..sample::page() }
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
