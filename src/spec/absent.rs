//! What is said of a spec that is neither on disk nor in the program.

use std::path::Path;

use crate::bundle;
use crate::suggest::nearest;

/// What there is instead of a spec that is not there; `None` when something is there.
pub(super) fn what_there_is(path: &Path) -> Option<String> {
    if path.symlink_metadata().is_ok() {
        return None;
    }
    let known: Vec<&str> = bundle::within("experiments")
        .map(|file| file.path)
        .filter(|path| path.ends_with(".toml") && !path.ends_with("/papers.toml"))
        .collect();
    let shown = path.to_string_lossy();
    let folder = bundle::project_path(path).unwrap_or_default();
    let folder = if shown.contains(['*', '?']) { parent(&folder) } else { &folder };
    let within = known.iter().filter(|path| path.starts_with(&format!("{folder}/"))).count();
    if within > 0 {
        let paper = folder.strip_prefix("experiments/").filter(|name| !name.contains('/'));
        let words = paper.map_or_else(
            || "run them one by one by their paths".to_owned(),
            |paper| {
                format!("`conclave reproduce {paper}` runs them all, and `conclave init --paper {paper}` writes them")
            },
        );
        let (specs, are) = if within == 1 { ("spec", "is") } else { ("specs", "are") };
        return Some(format!("{within} {specs} in {folder} {are} part of the program: {words}"));
    }
    let listed = "`conclave list experiments` lists those in the program and in this folder";
    Some(match near(&shown, &known) {
        Some(near) => format!("did you mean `{near}`? {listed}"),
        None => listed.to_owned(),
    })
}

fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// A spec of nearly that path, or of that file name without folder or ending.
fn near<'a>(shown: &str, known: &[&'a str]) -> Option<&'a str> {
    let short: Vec<&str> = known.iter().map(|path| without_ends(path)).collect();
    let wanted = without_ends(shown);
    let place = |found: &str| short.iter().position(|name| *name == found);
    let by_path = nearest(wanted, &short).and_then(place);
    let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    let by_name = || short.iter().position(|path| name(path) == name(wanted));
    by_path.or_else(by_name).map(|place| known[place])
}

fn without_ends(path: &str) -> &str {
    let path = path.strip_prefix("experiments/").unwrap_or(path);
    path.strip_suffix(".toml").unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn says(path: &str, words: &str) {
        let known = what_there_is(Path::new(path)).expect("it is not there");
        assert!(known.contains(words), "{known}");
    }

    #[test]
    fn a_spec_that_is_not_there_leads_to_those_that_are() {
        says("experiments/nowhere.toml", "`conclave list experiments`");
        says("experiments/quickstrat.toml", "did you mean `experiments/quickstart.toml`?");
        says("quickstart", "did you mean `experiments/quickstart.toml`?");
        says("experiments/bce/tabel3.toml", "did you mean `experiments/bce/table3.toml`?");
    }

    #[test]
    fn folders_and_patterns_lead_to_the_specs_in_them() {
        says("experiments/bce/*.toml", "`conclave reproduce bce` runs them all");
        // In the project the folder is there, and no spec is missing.
        assert_eq!(what_there_is(Path::new("experiments/bce")), None);
    }
}
