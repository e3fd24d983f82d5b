//! What the scorecard keeps of a report, in a file beside it: a later scorecard is made of all reports that are there.

use std::path::Path;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use crate::claim::universes::InUniverse;
use crate::claim::{Evidence, ExperimentCard, Judgement, Verdict, place_order};
use crate::summary::Page;

/// The file's name. No table or figure can have it: their ids have no dots.
pub(super) const CARD_FILE: &str = "scorecard.part.json";

/// Another form of the file is not read.
const FORMAT: u32 = 1;

/// A report on the scorecard.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct StoredCard {
    format: u32,
    /// The scale it was run at, as it is asked for.
    pub(crate) scale: String,
    /// Version of the program.
    pub(crate) version: String,
    /// Git revision it was built from.
    pub(crate) revision: String,
    /// When it was written; not in the file, whose bytes follow from the results.
    #[serde(skip)]
    pub(crate) written: Option<SystemTime>,
    /// What came of it.
    pub(crate) experiment: ExperimentCard,
}

/// The head of such a file: all that a page needs to lead to its neighbours.
#[derive(Debug, Deserialize)]
struct CardHead {
    format: u32,
    experiment: HeadOfExperiment,
}

#[derive(Debug, Deserialize)]
struct HeadOfExperiment {
    name: String,
    place: String,
    spec_path: String,
}

/// Another page of the same paper.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PageLink {
    /// The folder of its report.
    pub(crate) name: String,
    /// What it is in the paper: "Table 3".
    pub(crate) place: String,
}

/// The pages of the same paper before and after one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Neighbours {
    pub(crate) previous: Option<PageLink>,
    pub(crate) next: Option<PageLink>,
}

impl Neighbours {
    /// Those of the page with this name, among all of its paper.
    pub(crate) fn of(name: &str, mut pages: Vec<PageLink>) -> Self {
        pages.sort_by_cached_key(|page| place_order(&page.place));
        let Some(at) = pages.iter().position(|page| page.name == name) else { return Self::default() };
        let previous = at.checked_sub(1).map(|before| pages[before].clone());
        Self { previous, next: pages.get(at + 1).cloned() }
    }

    /// Those of a page among the reports that are there, whose specs are in the same folder as its own.
    pub(crate) fn among(reports: &Path, page: &Page) -> Self {
        let here = PageLink { name: page.name.clone(), place: place_of(page) };
        let folder = Path::new(&page.provenance.spec_path).parent();
        let heads = card_texts(reports).filter_map(|(_, text)| serde_json::from_str::<CardHead>(&text).ok());
        let others = heads.filter(|head| head.format == FORMAT).map(|head| head.experiment);
        let others = others.filter(|other| other.name != page.name && Path::new(&other.spec_path).parent() == folder);
        let others = others.map(|other| PageLink { name: other.name, place: other.place });
        match page.paper_key {
            Some(_) => Self::of(&page.name, others.chain([here]).collect()),
            None => Self::default(),
        }
    }
}

/// "Table 3", or the title of what is none.
fn place_of(page: &Page) -> String {
    page.reproduces.clone().unwrap_or_else(|| page.title.clone())
}

/// What the scorecard keeps of a page.
pub(crate) fn card_of(page: Page) -> ExperimentCard {
    let remark = match (page.claims.is_empty(), page.notes.is_empty()) {
        (false, _) => String::new(),
        (true, true) => "Its spec states no claim.".to_owned(),
        (true, false) => format!("{}.", page.notes.join("; ")),
    };
    ExperimentCard {
        place: place_of(&page),
        name: page.name,
        title: page.title,
        spec_path: page.provenance.spec_path,
        command: page.provenance.command,
        remark,
        judgements: page.claims,
    }
}

/// The file of a page.
pub(super) fn card_file(page: &Page) -> Vec<u8> {
    let experiment = card_of(page.clone());
    let stored = StoredCard {
        format: FORMAT,
        scale: page.scale.clone(),
        version: page.provenance.version.clone(),
        revision: page.provenance.revision.clone(),
        written: None,
        experiment: ExperimentCard { judgements: experiment.judgements.iter().map(kept).collect(), ..experiment },
    };
    serde_json::to_vec(&stored).expect("numbers and texts are JSON")
}

/// All that a scorecard shows of a judgement: of other universes the verdicts, and those on printed numbers.
fn kept(claim: &Judgement) -> Judgement {
    let mut kept = Judgement { quantity: None, ..claim.clone() };
    kept.evidence.iter_mut().for_each(forget_runs);
    for InUniverse { judgement, .. } in kept.universes.iter_mut().flat_map(|universes| &mut universes.others) {
        judgement.statement.clear();
        judgement.finding.clear();
        judgement.quantity = None;
        let is_counted = |place: &Evidence| {
            matches!(place.verdict, Verdict::Reproduced | Verdict::NotReproduced | Verdict::Inconclusive { .. })
        };
        let counts = judgement.is_of_printed_numbers();
        judgement.evidence.retain(|place| counts && is_counted(place));
        for place in &mut judgement.evidence {
            forget_runs(place);
            place.reason.clear();
            place.place.clear();
            place.interval = None;
        }
    }
    kept
}

fn forget_runs(place: &mut Evidence) {
    if let Some(number) = &mut place.number {
        number.judged.clear();
    }
}

/// The cards of all reports in a folder, in the order of their names; what cannot be read is no card.
pub(crate) fn stored_cards(reports: &Path) -> Vec<StoredCard> {
    let read = |(written, text): (Option<SystemTime>, String)| {
        let card: StoredCard = serde_json::from_str(&text).ok()?;
        (card.format == FORMAT).then_some(StoredCard { written, ..card })
    };
    card_texts(reports).filter_map(read).collect()
}

fn card_texts(reports: &Path) -> impl Iterator<Item = (Option<SystemTime>, String)> + use<> {
    let entries = std::fs::read_dir(reports).into_iter().flatten().filter_map(Result::ok);
    let mut folders: Vec<_> = entries.map(|entry| entry.path()).collect();
    folders.sort();
    folders.into_iter().filter_map(|folder| {
        let path = folder.join(CARD_FILE);
        let text = std::fs::read_to_string(&path).ok()?;
        // A report whose page is gone is none.
        folder.join("index.html").is_file().then_some(())?;
        let written = std::fs::metadata(&path).and_then(|data| data.modified()).ok();
        Some((written, text))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Above, sample, write};

    #[test]
    fn what_is_kept_of_a_page_is_read_back_and_damage_is_no_card() {
        let folder = tempfile::tempdir().unwrap();
        let page = sample::page();
        write(&page, &folder.path().join(&page.name), &Above::Nothing).unwrap();
        let cards = stored_cards(folder.path());
        assert_eq!(cards.len(), 1);
        assert_eq!(cards[0].scale, page.scale);
        let kept: Vec<Judgement> = page.claims.iter().map(kept).collect();
        assert_eq!(cards[0].experiment, ExperimentCard { judgements: kept, ..card_of(page.clone()) });
        let path = folder.path().join(&page.name).join(CARD_FILE);
        for damaged in ["", "{}", "[1", "{\"format\":2}"] {
            std::fs::write(&path, damaged).unwrap();
            assert_eq!(stored_cards(folder.path()), Vec::new(), "{damaged}");
        }
        std::fs::write(&path, [0xff, 0xfe]).unwrap();
        assert_eq!(stored_cards(folder.path()), Vec::new());
        assert_eq!(stored_cards(&folder.path().join("nowhere")), Vec::new());
    }

    #[test]
    fn neighbours_are_in_the_order_of_the_paper() {
        let link = |place: &str| PageLink { name: place.to_lowercase(), place: place.to_owned() };
        let pages = || ["Figure 2", "Table 10", "Table 2"].map(link).to_vec();
        let of = |name: &str| {
            let Neighbours { previous, next } = Neighbours::of(name, pages());
            [previous, next].map(|page| page.map(|page| page.place))
        };
        assert_eq!(of("table 2"), [None, Some("Table 10".to_owned())]);
        assert_eq!(of("table 10"), [Some("Table 2".to_owned()), Some("Figure 2".to_owned())]);
        assert_eq!(of("elsewhere"), [None, None]);
    }
}
