//! Where the outputs of one consensus go: settled before anything is computed.

use std::path::{Path, PathBuf};

use super::{ALL, ConsensusArguments, Problem};
use crate::cli::{outputs, refuse_own_input};
use crate::files::Target;

/// The files that were asked for.
pub(super) struct Targets {
    pub(super) output: Option<Target>,
    pub(super) soft: Option<Target>,
    /// The page: its folder may still have to be made.
    pub(super) report: Option<PathBuf>,
}

impl Targets {
    /// Finds all of them; refuses two that are the same file, and one that is the file of labels.
    pub(super) fn find(arguments: &ConsensusArguments) -> Result<Self, Problem> {
        let find = |spelled: &Option<String>| spelled.as_ref().map(Target::find).transpose();
        let (output, soft) = (find(&arguments.output)?, find(&arguments.soft)?);
        let report = arguments.report.as_deref().map(page_path).transpose()?;
        let page = report.as_deref().and_then(|page| reserved(page).transpose()).transpose()?;
        let printed = prints(arguments).then(Target::standard_output);
        let spelled = |option: &str, target: &Target| format!("{option} {}", target.spelled().display());
        let named = [("--output", &output), ("--soft", &soft), ("--report", &page)];
        let named = named.into_iter().filter_map(|(option, target)| Some((option, target.as_ref()?)));
        let named = named.map(|(option, target)| (spelled(option, target), target));
        let printed = printed.iter().map(|target| ("what is printed".to_owned(), target));
        let all: Vec<(String, &Target)> = named.chain(printed).collect();
        for (position, (what, target)) in all.iter().enumerate() {
            refuse_own_input(what, target, &arguments.labels)?;
            if let Some((earlier, _)) = all[..position].iter().find(|(_, other)| other.is_same_as(target)) {
                let problem = format!("{earlier} and {what} would go to the same file; name another for one of them");
                return Err(Problem::new(problem));
            }
        }
        for (option, target) in [("--output", &output), ("--soft", &soft)] {
            target.as_ref().map_or(Ok(()), |target| outputs::check_ending(option, target))?;
        }
        Ok(Self { output, soft, report })
    }

    /// Names the files, once they are written.
    pub(super) fn say_written(&self) {
        let tables = [&self.output, &self.soft].into_iter().flatten();
        let tables = tables.filter(|target| target.is_regular()).map(Target::spelled);
        let page = self.report.as_deref().filter(|page| page.is_file());
        outputs::say_written(tables.chain(page));
    }
}

/// Whether something goes to standard output that no option sends there.
fn prints(arguments: &ConsensusArguments) -> bool {
    arguments.json || arguments.output.is_none() || arguments.method == ALL
}

/// The file of the page: one named `.html`, or a pipe or device, or `index.html` in a folder.
fn page_path(spelled: &str) -> Result<PathBuf, Problem> {
    let path = Path::new(spelled);
    let is_page = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("html"));
    if let (false, false, Some(ending)) = (is_page, path.exists() || spelled.ends_with('/'), file_ending(path)) {
        return Err(Problem::new(format!(
            "--report {spelled}: pages are not written as .{ending}; name a file that ends in .html, or a folder"
        )));
    }
    if path.is_dir() || !(is_page || spelled == "-" || path.exists()) {
        return Ok(path.join("index.html"));
    }
    if !is_page && Target::find(path)?.is_regular() {
        return Err(Problem::new(format!(
            "--report {spelled}: this file exists and is not overwritten; name a folder, or a file that ends in .html"
        )));
    }
    Ok(path.to_owned())
}

/// The ending of a name that looks like a file's: `.pdf`, but not the `.2` of a folder called `report-1.2`.
fn file_ending(path: &Path) -> Option<&str> {
    let ending = path.extension()?.to_str()?;
    ending.starts_with(|first: char| first.is_ascii_alphabetic()).then_some(ending)
}

/// What the page takes: its file or, where its folder is not there yet, the folder's name. `None` where that is in a folder
/// that is not there either: then nothing else can be there.
fn reserved(page: &Path) -> Result<Option<Target>, Problem> {
    let folder = page.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if folder.is_dir() || page == Path::new("-") {
        return Ok(Some(Target::find(page)?));
    }
    Ok(Target::find(folder).ok())
}
