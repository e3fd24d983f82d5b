//! Sentences about a page, as every format has them.

use super::numbers::count;
use crate::claim::universes::ForkFacts;
use crate::summary::{CellCounts, MultiverseSummary, Page};

/// "540 of 540 cells; 0 failed, 0 missing".
pub(super) fn cell_counts(counts: &CellCounts) -> String {
    let CellCounts { planned, done, failed, missing } = counts;
    format!("{done} of {}; {failed} failed, {missing} missing", count(*planned, "cell"))
}

/// What is lacking, as a heading; `None` when nothing is.
pub(super) fn incomplete(page: &Page) -> Option<String> {
    let CellCounts { planned, failed, missing, .. } = page.counts;
    if failed == 0 && missing == 0 && page.failures.is_empty() {
        return None;
    }
    let failed = (failed > 0).then(|| format!("{failed} of {} have no result", count(planned, "cell")));
    let missing = (missing > 0).then(|| format!("{missing} of {} not computed yet", count(planned, "cell")));
    let parts: Vec<String> = failed.into_iter().chain(missing).collect();
    Some(if parts.is_empty() { "Some cells have no result".to_owned() } else { parts.join("; ") })
}

/// Warning that data stand in for the original; `None` when they do not.
pub(super) fn stand_in_warning(page: &Page) -> Option<String> {
    let names = match page.stand_ins.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => return None,
    };
    let (what, numbers) = match page.stand_ins.len() {
        1 => ("stands in for a dataset", "Numbers on it"),
        _ => ("stand in for datasets", "Numbers on them"),
    };
    let numbers = if has_originals(page) { numbers } else { "The numbers below" };
    Some(format!(
        "{names} {what} that could not be obtained. {numbers} show the method at work; they do not reproduce the paper’s."
    ))
}

/// Whether some data is what the paper used.
fn has_originals(page: &Page) -> bool {
    page.provenance.datasets.iter().any(|(label, _)| !page.stand_ins.contains(label))
}

/// The first twelve digits of a hash.
pub(super) fn short_hash(hash: &str) -> &str {
    hash.char_indices().nth(12).map_or(hash, |(end, _)| &hash[..end])
}

/// Paragraphs of a text, separated by empty lines.
pub(super) fn paragraphs(text: &str) -> impl Iterator<Item = String> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let parts: Vec<String> = lines.split(|line| line.is_empty()).map(|part| part.join(" ")).collect();
    parts.into_iter().filter(|part| !part.is_empty())
}

/// "Reproduces Table 3 of Topchy et al. (2004)."; "After" where all data is a stand-in; `None` when the page names neither.
pub(super) fn reproduces(page: &Page) -> Option<String> {
    let paper = page.paper.as_deref().map(|paper| paper.trim_end_matches('.'));
    let verb = if has_originals(page) { "Reproduces" } else { "After" };
    match (page.reproduces.as_deref(), paper) {
        (Some(part), Some(paper)) => Some(format!("{verb} {part} of {paper}.")),
        (Some(part), None) => Some(format!("{verb} {part}.")),
        (None, Some(paper)) => Some(format!("After {paper}.")),
        (None, None) => None,
    }
}

/// What the paper says of a fork, and why it has these options.
pub(super) fn fork_lines(fork: &ForkFacts) -> String {
    let full = |text: &String| if text.ends_with('.') { text.clone() } else { format!("{text}.") };
    let paper = fork.paper.as_ref().map(|paper| match paper.as_str() {
        "silent" => "The paper does not say.".to_owned(),
        _ => format!("The paper: {}", full(paper)),
    });
    let why = fork.why.as_ref().map(|why| format!("Why these: {}", full(why)));
    [paper, why].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// How many universes there are, and how much each runs.
pub(super) fn universe_sizes(multiverse: &MultiverseSummary) -> String {
    let universes = &multiverse.universes;
    let stated = universes.first().map_or(0, |universe| universe.ensembles);
    let others: Vec<usize> = universes.iter().skip(1).map(|universe| universe.ensembles).collect();
    let sizes = match (others.iter().min(), others.iter().max()) {
        (Some(least), Some(most)) if least == most && *least == stated => format!("each with {stated} ensembles"),
        (Some(least), Some(most)) if least == most => {
            format!("with {stated} ensembles as stated and {most} in every other universe, so those decide less")
        }
        (Some(least), Some(most)) => {
            format!("with {stated} ensembles as stated and {least} to {most} in other universes")
        }
        _ => String::new(),
    };
    let incomplete = universes.iter().filter(|universe| universe.missing > 0).count();
    let incomplete = match incomplete {
        0 => String::new(),
        some => format!(
            " {some} of them {} not complete, and nothing is judged there.",
            if some == 1 { "is" } else { "are" }
        ),
    };
    format!(
        "One option of every fork is a universe: {} of them, {sizes}.{incomplete} The forks have the hash {}; another hash means that they were changed.",
        universes.len(),
        short_hash(&multiverse.hash)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn a_page_of_stand_ins_alone_is_after_a_table_and_reproduces_none() {
        let mut page = sample::page();
        assert!(reproduces(&page).is_some_and(|text| text.starts_with("Reproduces Table 3 of ")));
        page.stand_ins = page.provenance.datasets.iter().map(|(label, _)| label.clone()).collect();
        assert!(reproduces(&page).is_some_and(|text| text.starts_with("After Table 3 of ")));
    }

    #[test]
    fn paragraphs_end_at_empty_lines() {
        let parts: Vec<String> = paragraphs("one\ntwo\n\n  \nthree\n").collect();
        assert_eq!(parts, ["one two", "three"]);
    }

    #[test]
    fn counts_read_as_a_sentence() {
        let counts = CellCounts { planned: 540, done: 540, failed: 0, missing: 0 };
        assert_eq!(cell_counts(&counts), "540 of 540 cells; 0 failed, 0 missing");
    }
}
