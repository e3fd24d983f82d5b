//! Names of outputs, checked before anything is computed.

use std::path::Path;

use super::Problem;
use crate::data::TableFormat;
use crate::files::Target;

/// Where a table goes.
///
/// # Errors
/// As [`check_ending`], or when it cannot be written.
pub(super) fn table(option: &str, spelled: &str) -> Result<Target, Problem> {
    let target = Target::find(spelled)?;
    check_ending(option, &target)?;
    Ok(target)
}

/// A regular file must be called like what is written; pipes and devices take CSV where their name says nothing.
///
/// # Errors
/// When its ending is not one of those that are written.
pub(super) fn check_ending(option: &str, target: &Target) -> Result<(), Problem> {
    match TableFormat::of(target.spelled()) {
        Err(ending) if target.is_regular() => Err(Problem::new(format!(
            "{option} {}: tables are not written as .{ending}; use .csv, .tsv (or .tab) or .parquet",
            target.spelled().display()
        ))),
        _ => Ok(()),
    }
}

/// Says which files were written: `wrote clusters.csv, report.html`. What went to a pipe or a device is no file.
pub(super) fn say_written<'a>(files: impl IntoIterator<Item = &'a Path>) {
    let names: Vec<String> = files.into_iter().map(|path| path.display().to_string()).collect();
    if !names.is_empty() {
        eprintln!("wrote {}", names.join(", "));
    }
}
