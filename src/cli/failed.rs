//! Why cells failed, and what to do about it, for a person.

use super::style;
use super::text::{shortened, width};
use crate::run::FailureGroup;
use crate::streams::{self, Stream};

/// Reasons that are printed; the rest is counted.
const MOST: usize = 8;

/// Prints a line for each method and reason, and how to try again; nothing where nothing failed.
pub(super) fn print(name: &str, groups: &[FailureGroup], again: &str) {
    if groups.is_empty() {
        return;
    }
    streams::say_painted(Stream::Output, &style::heading(&format!("{name}: why cells failed")));
    for line in lines(groups, width()) {
        println!("{line}");
    }
    if groups.iter().any(FailureGroup::is_worth_another_try) {
        println!("try them again with `{again} --retry-failed`");
    }
}

/// A line for each method and reason, cut where it is longer than `width`.
fn lines(groups: &[FailureGroup], width: Option<usize>) -> Vec<String> {
    let shown = &groups[..groups.len().min(MOST)];
    let methods = shown.iter().map(|group| group.method.chars().count()).max().unwrap_or(0);
    let counts = shown.iter().map(|group| group.cells.to_string().len()).max().unwrap_or(0);
    let line = |group: &FailureGroup| {
        let FailureGroup { method, reason, cells, .. } = group;
        let line = format!("  {cells:>counts$} × {method:methods$}  {reason}");
        width.map_or(line.clone(), |width| shortened(&line, width))
    };
    let mut lines: Vec<String> = shown.iter().map(line).collect();
    let rest = &groups[shown.len()..];
    if !rest.is_empty() {
        let cells: usize = rest.iter().map(|group| group.cells).sum();
        lines.push(format!(
            "  … and {} for {} other reasons; cells.parquet has them all",
            super::text::counted(cells, "cell"),
            rest.len()
        ));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Status;

    fn group(method: &str, reason: &str, cells: usize) -> FailureGroup {
        FailureGroup { method: method.to_owned(), status: Status::Failed, reason: reason.to_owned(), cells }
    }

    #[test]
    fn every_line_fits_and_what_is_not_shown_is_counted() {
        let groups: Vec<FailureGroup> = (0..11)
            .map(|number| group(&format!("m{number}"), "the program ended with exit code 1: no é", 12 - number))
            .collect();
        let shown = lines(&groups, Some(30));
        assert_eq!(shown.len(), MOST + 1);
        assert!(shown[..MOST].iter().all(|line| line.chars().count() <= 30), "{shown:?}");
        assert!(shown[0].starts_with("  12 × m0  the program") && shown[0].ends_with('…'), "{}", shown[0]);
        assert!(shown[MOST].contains("9 cells for 3 other reasons"), "{}", shown[MOST]);
        assert!(lines(&groups, None)[0].ends_with("no é"));
    }
}
