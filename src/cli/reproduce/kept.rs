//! Reports of earlier runs that are still in the folder: one paper reproduced again takes no other off the scorecard.

use std::collections::BTreeMap;
use std::path::{Component, Path};
use std::time::{SystemTime, UNIX_EPOCH};

use super::find::{self, Collection};
use crate::claim::{ExperimentCard, PaperCard, Scorecard, place_order};
use crate::cli::Problem;
use crate::report::{StoredCard, stored_cards};

/// The scorecard with all papers that have reports of the same scale in the folder, in the order of the papers.
pub(super) fn with_earlier(card: Scorecard, experiments: &Path, reports: &Path) -> Result<Scorecard, Problem> {
    let all = find::collections(experiments, &[])?;
    let Scorecard { papers, scale, .. } = &card;
    let is_new = |collection: &Collection| papers.iter().any(|paper| paper.key == collection.key);
    let (mut same, mut others) = (Vec::new(), BTreeMap::new());
    for stored in stored_cards(reports) {
        match all.iter().find(|collection| collection.has(&stored)).filter(|collection| !is_new(collection)) {
            Some(collection) if stored.scale == *scale => same.push((collection.key.clone(), stored)),
            Some(_) => *others.entry(stored.scale).or_insert(0) += 1,
            None => {}
        }
    }
    let mut new = card.papers;
    let mut papers = Vec::new();
    for collection in all {
        if let Some(at) = new.iter().position(|paper| paper.key == collection.key) {
            papers.push(new.swap_remove(at));
            continue;
        }
        let mine = same.extract_if(.., |(key, _)| *key == collection.key).map(|(_, stored)| stored).collect();
        papers.extend(earlier(collection, mine));
    }
    // A paper of the program may be named where the list on disk has another project's.
    papers.extend(new);
    Ok(Scorecard { papers, elsewhere: others.into_iter().collect(), ..card })
}

/// A paper from its stored reports; `None` where there are none.
fn earlier(collection: Collection, stored: Vec<StoredCard>) -> Option<PaperCard> {
    let newest = stored.iter().max_by_key(|card| card.written)?;
    let date = newest.written.map_or_else(String::new, |written| format!(" of {}", day(written)));
    let kept = format!("Kept from an earlier run{date}: conclave {} ({}).", newest.version, newest.revision);
    let mut experiments: Vec<ExperimentCard> = stored.into_iter().map(|card| card.experiment).collect();
    experiments.sort_by_cached_key(|card| place_order(&card.place));
    let Collection { key, title, origin, control, .. } = collection;
    Some(PaperCard { key, title, origin, control, kept: Some(kept), experiments })
}

impl Collection {
    /// Whether a report is of one of its specs: they are told apart by their file and its folder.
    fn has(&self, stored: &StoredCard) -> bool {
        let end = |path: &Path| {
            let names = path.components().rev().filter(|part| matches!(part, Component::Normal(_))).take(2);
            names.map(|part| part.as_os_str().to_owned()).collect::<Vec<_>>()
        };
        let wanted = end(Path::new(&stored.experiment.spec_path));
        self.specs.iter().any(|spec| end(spec) == wanted)
    }
}

/// "2026-11-18", in UTC.
fn day(time: SystemTime) -> String {
    const DAY: u64 = 24 * 60 * 60;
    let days = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() / DAY);
    // Days since 1 March of the year 0, in eras of 400 years (Hinnant, "chrono-compatible low-level date algorithms").
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = year_of_era + 400 * era + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        let at = |seconds: u64| day(UNIX_EPOCH + Duration::from_secs(seconds));
        let days = [0, 951_782_399, 951_782_400, 951_868_800, 1_735_689_599, 1_795_046_400].map(at);
        assert_eq!(days, ["1970-01-01", "2000-02-28", "2000-02-29", "2000-03-01", "2024-12-31", "2026-11-19"]);
    }
}
