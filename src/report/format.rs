//! Output formats: what each makes of the sections of a page.

use std::error::Error;

use super::claims::Json;
use super::delimited::Csv;
use super::drawing::{Drawing, Png, Svg};
use super::latex::Latex;
use super::section::{ClaimList, Content, Section, Shortfall};
use crate::summary::{MultiverseSummary, Page, PageProvenance, Ranking, Table, TestTable};

/// An output format. It makes something of the sections that it shows, and `None` of all others.
pub(super) trait Format {
    /// A part of the page, or a file beside it.
    type Part;

    fn section(&self, section: &Section) -> Option<Self::Part> {
        match &section.content {
            Content::SmallerScale(words) => self.smaller_scale(words),
            Content::StandIns(warning) => self.stand_ins(warning),
            Content::Incomplete(shortfall) => self.incomplete(shortfall),
            Content::Findings(rankings) => self.findings(rankings),
            Content::Claims(claims) => self.claims(claims),
            Content::Forks(multiverse) => self.forks(multiverse),
            Content::About(page) => self.about(page),
            Content::Provenance(page) => self.provenance(page),
            Content::Drawing(drawing) => self.drawing(*drawing),
            Content::Table(table) => self.table(table),
            Content::Test(test) => self.test(test),
            Content::Sources(provenance) => self.sources(provenance),
        }
    }

    fn smaller_scale(&self, _words: &str) -> Option<Self::Part> {
        None
    }

    fn stand_ins(&self, _warning: &str) -> Option<Self::Part> {
        None
    }

    fn incomplete(&self, _shortfall: &Shortfall) -> Option<Self::Part> {
        None
    }

    fn findings(&self, _rankings: &[Ranking]) -> Option<Self::Part> {
        None
    }

    fn claims(&self, _claims: &ClaimList) -> Option<Self::Part> {
        None
    }

    fn forks(&self, _multiverse: &MultiverseSummary) -> Option<Self::Part> {
        None
    }

    fn provenance(&self, _page: &Page) -> Option<Self::Part> {
        None
    }

    fn about(&self, _page: &Page) -> Option<Self::Part> {
        None
    }

    fn drawing(&self, _drawing: &dyn Drawing) -> Option<Self::Part> {
        None
    }

    fn table(&self, _table: &Table) -> Option<Self::Part> {
        None
    }

    fn test(&self, _test: &TestTable) -> Option<Self::Part> {
        None
    }

    fn sources(&self, _provenance: &PageProvenance) -> Option<Self::Part> {
        None
    }
}

/// The bytes of a file, or why it could not be drawn.
pub(super) type FileBytes = Result<Vec<u8>, Box<dyn Error + Send + Sync>>;

/// The files that sections have beside the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FileKind {
    Svg,
    Png,
    Csv,
    Latex,
    Json,
}

impl FileKind {
    pub(super) const OF_DRAWINGS: [Self; 3] = [Self::Svg, Self::Png, Self::Csv];
    pub(super) const OF_TABLES: [Self; 2] = [Self::Csv, Self::Latex];
    pub(super) const OF_CLAIMS: [Self; 2] = [Self::Csv, Self::Json];

    /// The end of the file's name.
    pub(super) fn extension(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            Self::Png => "png",
            Self::Csv => "csv",
            Self::Latex => "tex",
            Self::Json => "json",
        }
    }

    /// What links to it are called.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Svg => "SVG",
            Self::Png => "PNG",
            Self::Csv => "CSV",
            Self::Latex => "LaTeX",
            Self::Json => "JSON",
        }
    }

    /// The file of a section; `None` where the format shows nothing of it.
    pub(super) fn file_of(self, section: &Section) -> Option<FileBytes> {
        match self {
            Self::Svg => Svg.section(section),
            Self::Png => Png.section(section),
            Self::Csv => Csv.section(section).map(Ok),
            Self::Latex => Latex.section(section).map(|text| Ok(text.into_bytes())),
            Self::Json => Json.section(section).map(|text| Ok(text.into_bytes())),
        }
    }
}
