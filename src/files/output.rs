//! Writes the files that users name.
//!
//! A regular file is written under another name beside it, flushed to disk, and renamed: it appears whole or not at all, and
//! whatever fails leaves the old one as it was. It has the mode of the file it replaces, or what the user's mask leaves of
//! a new file's. Links are followed: the link stays, its target is replaced, or made if there is none. Pipes, devices and
//! open descriptors (`/dev/stdout`, `/dev/fd/3`) are written as they are.

use std::fmt;
use std::fs::OpenOptions;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::atomic;
use super::place::{Identity, Place};
use super::temporary::{self, Temporary};
use crate::streams::{self, Stream};

/// Bytes that are collected before they are written.
const BUFFER: usize = 1 << 18;

/// The word for standard output.
const STANDARD_OUTPUT: &str = "-";

/// Why an output cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("{}: {source}{kept}", shown(path))]
pub struct OutputError {
    path: PathBuf,
    source: io::Error,
    kept: Kept,
}

/// The path as a message names it; that there is none is seen, too.
fn shown(path: &Path) -> String {
    if path.as_os_str().is_empty() { "\"\"".to_owned() } else { path.display().to_string() }
}

impl OutputError {
    fn of(path: &Path, kept: Kept) -> impl Fn(io::Error) -> Self + '_ {
        move |source| Self { path: path.to_owned(), source, kept }
    }

    /// What the system said.
    #[must_use]
    pub fn kind(&self) -> io::ErrorKind {
        self.source.kind()
    }
}

/// What is there after a failure.
#[derive(Debug, Clone, Copy)]
enum Kept {
    /// Nothing was begun.
    Untouched,
    /// A pipe or device, which took nothing.
    Nothing,
    /// The file that was there.
    OldFile,
    /// No file, as before.
    NoFile,
    /// What a pipe or device took before.
    Part,
}

impl fmt::Display for Kept {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str(match self {
            Self::Untouched => "",
            Self::Nothing => "; nothing was written",
            Self::OldFile => "; the existing file is unchanged",
            Self::NoFile => "; no file was created",
            Self::Part => "; what was written is incomplete",
        })
    }
}

/// What is done with a regular file of the name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Existing {
    Replaced,
    Refused,
}

/// Where an output goes: found before anything is computed, written at the end.
#[derive(Debug)]
pub struct Target {
    spelled: PathBuf,
    place: Place,
}

impl Target {
    /// Follows a path to where it leads; `-` is standard output.
    ///
    /// # Errors
    /// When it names a folder or a socket, its folder is not there, or it may not be written to.
    pub fn find(spelled: impl Into<PathBuf>) -> Result<Self, OutputError> {
        let spelled = spelled.into();
        if spelled.as_os_str() == STANDARD_OUTPUT {
            return Ok(Self::standard_output());
        }
        let find = || {
            let place = Place::find(&spelled)?;
            if let Place::File { path, .. } = &place {
                // Better known now than after an hour's work: a file can be made there.
                Temporary::create(folder_of(path), "", None)?;
            }
            Ok(place)
        };
        let place = find().map_err(OutputError::of(&spelled, Kept::Untouched))?;
        Ok(Self { spelled, place })
    }

    /// Standard output.
    #[must_use]
    pub fn standard_output() -> Self {
        Self { spelled: STANDARD_OUTPUT.into(), place: Place::StandardOutput }
    }

    /// The path as the user wrote it.
    #[must_use]
    pub fn spelled(&self) -> &Path {
        &self.spelled
    }

    /// Whether this is where the program prints.
    #[must_use]
    pub fn is_standard_output(&self) -> bool {
        matches!(self.place, Place::StandardOutput)
    }

    /// Whether this is a regular file, there or not.
    #[must_use]
    pub fn is_regular(&self) -> bool {
        matches!(self.place, Place::File { .. })
    }

    /// Whether two outputs would overwrite each other, however they are spelled. Devices take any number of outputs.
    #[must_use]
    pub fn is_same_as(&self, other: &Self) -> bool {
        (self.is_standard_output() && other.is_standard_output())
            || self.place.identity().is_some_and(|identity| other.place.identity() == Some(identity))
    }

    /// Whether writing here would overwrite what is read from `input`, however either is spelled: a regular file, also where
    /// it is standard input (`-`). Devices and pipes can be read and written at once.
    #[must_use]
    pub fn overwrites(&self, input: &str) -> bool {
        Identity::of_input(input).is_some_and(|input| self.place.identity() == Some(input))
    }

    /// Writes the output, in place of a regular file that is there.
    ///
    /// A standard output or a pipe that nobody takes is no error here: it is told of once, when the program ends.
    ///
    /// # Errors
    /// When it cannot be written; a regular file is then as it was.
    pub fn write(&self, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), OutputError> {
        self.put(Existing::Replaced, fill)
    }

    /// As [`Target::write`], but a regular file that is there is left alone.
    ///
    /// # Errors
    /// Of the kind `AlreadyExists` when there is such a file; otherwise as [`Target::write`].
    pub fn create(&self, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), OutputError> {
        self.put(Existing::Refused, fill)
    }

    fn put(&self, existing: Existing, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), OutputError> {
        let mut taken = 0;
        let direct = match &self.place {
            Place::File { .. } => {
                let folder = write_file(&self.spelled, existing, fill)?;
                temporary::remove_orphans(&folder);
                return atomic::sync_folder(&folder).map_err(OutputError::of(&self.spelled, Kept::Untouched));
            }
            Place::StandardOutput => filled(&mut io::stdout().lock(), &mut taken, fill),
            Place::Open(file) => filled(&mut &*file, &mut taken, fill),
            Place::Special(path) => {
                OpenOptions::new().append(true).open(path).and_then(|mut file| filled(&mut file, &mut taken, fill))
            }
        };
        match direct {
            Err(error) if self.is_standard_output() || error.kind() == io::ErrorKind::BrokenPipe => {
                streams::lose(Stream::Output, &error);
                Ok(())
            }
            other => other.map_err(OutputError::of(&self.spelled, if taken == 0 { Kept::Nothing } else { Kept::Part })),
        }
    }
}

/// Writes one of several files of a folder, as [`Target::write`] does, but leaves it to the caller to have the folder's
/// entries on disk ([`atomic::sync_folder`]).
///
/// # Errors
/// When it cannot be written; a regular file is then as it was.
pub(crate) fn write_among(path: &Path, bytes: &[u8]) -> Result<(), OutputError> {
    let place = Place::find(path).map_err(OutputError::of(path, Kept::Untouched))?;
    match place {
        Place::File { .. } => write_file(path, Existing::Replaced, |out| out.write_all(bytes)).map(drop),
        _ => Target { spelled: path.to_owned(), place }.write(|out| out.write_all(bytes)),
    }
}

/// Writes a regular file, found again: it may be another than when the work began. Returns its folder.
fn write_file(
    spelled: &Path,
    existing: Existing,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<PathBuf, OutputError> {
    let changed = || {
        io::Error::other("this is no longer a regular file; it changed while the program ran, and nothing was written")
    };
    let found = Place::find(spelled).map_err(OutputError::of(spelled, Kept::Untouched))?;
    let Place::File { path, existing: there } = found else {
        return Err(OutputError::of(spelled, Kept::Untouched)(changed()));
    };
    let failed = OutputError::of(spelled, if there.is_some() { Kept::OldFile } else { Kept::NoFile });
    if existing == Existing::Refused && there.is_some() {
        return Err(failed(io::ErrorKind::AlreadyExists.into()));
    }
    let folder = folder_of(&path).to_owned();
    let write = || {
        let mut temporary = Temporary::create(&folder, "", there.as_ref())?;
        filled(temporary.file(), &mut 0, fill)?;
        match existing {
            Existing::Replaced => temporary.replace(&path),
            Existing::Refused => temporary.place_beside(&path),
        }
    };
    write().map_err(failed)?;
    Ok(folder)
}

fn folder_of(path: &Path) -> &Path {
    path.parent().expect("a file that was found is in a folder")
}

/// Has an output filled through a buffer, and counts the bytes it took. What the system said goes before what a library made
/// of it.
fn filled(
    output: &mut dyn Write,
    taken: &mut usize,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut noting = Noting { output, taken, failure: None };
    let mut buffer = BufWriter::with_capacity(BUFFER, &mut noting);
    let ended = fill(&mut buffer).and_then(|()| buffer.flush());
    if ended.is_err() {
        // What is left in the buffer has nowhere to go.
        drop(buffer.into_parts());
    } else {
        drop(buffer);
    }
    match (ended, noting.failure) {
        (Err(_), Some(failure)) => Err(failure),
        (ended, _) => ended,
    }
}

/// Remembers the first failure of a writer, and how much it took.
struct Noting<'a> {
    output: &'a mut dyn Write,
    taken: &'a mut usize,
    failure: Option<io::Error>,
}

impl Noting<'_> {
    fn note<T>(&mut self, written: io::Result<T>) -> io::Result<T> {
        if let Err(error) = &written
            && error.kind() != io::ErrorKind::Interrupted
            && self.failure.is_none()
        {
            let same = |number| io::Error::from_raw_os_error(number);
            self.failure = Some(error.raw_os_error().map_or_else(|| error.kind().into(), same));
        }
        written
    }
}

impl Write for Noting<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.output.write(bytes);
        *self.taken += written.as_ref().copied().unwrap_or(0);
        self.note(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.output.flush();
        self.note(flushed)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_write_that_fails_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("clusters.csv");
        fs::write(&path, "old").unwrap();
        let target = Target::find(&path).unwrap();
        let failed = target.write(|out| {
            out.write_all(b"new")?;
            Err(io::Error::other("thrift: transport error"))
        });
        let message = failed.unwrap_err().to_string();
        assert!(message.ends_with("the existing file is unchanged"), "{message}");
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(names(folder.path()), ["clusters.csv"]);
    }

    #[test]
    fn the_systems_words_go_before_those_of_a_library() {
        let failed = filled(&mut fs::OpenOptions::new().write(true).open("/dev/full").unwrap(), &mut 0, |out| {
            out.write_all(&vec![0; BUFFER + 1]).map_err(|_| io::Error::other("thrift: transport error"))
        });
        assert_eq!(failed.unwrap_err().kind(), io::ErrorKind::StorageFull);
    }

    #[test]
    fn a_file_is_the_same_however_it_is_spelled() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("there"), "").unwrap();
        fs::hard_link(at("there"), at("hard")).unwrap();
        symlink("there", at("soft")).unwrap();
        symlink("new", at("dangling")).unwrap();
        symlink(".", at("folder")).unwrap();
        let same = |one: &str, other: &str| {
            let [one, other] = [one, other].map(|name| Target::find(at(name)).unwrap());
            one.is_same_as(&other)
        };
        for (one, other) in [("there", "hard"), ("there", "soft"), ("new", "dangling"), ("new", "folder/new")] {
            assert!(same(one, other) && same(other, one), "{one} and {other}");
        }
        assert!(!same("there", "new") && !same("new", "newer"));
        let device = || Target::find("/dev/zero").unwrap();
        assert!(!device().is_same_as(&device()), "a device takes any number of outputs");
        assert_eq!(names(folder.path()), ["dangling", "folder", "hard", "soft", "there"], "finding makes nothing");
    }

    #[test]
    fn a_file_that_is_read_is_known_again_through_links_and_devices_are_nobodys_input() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("labels"), "").unwrap();
        fs::write(at("other"), "").unwrap();
        fs::hard_link(at("labels"), at("hard")).unwrap();
        symlink("labels", at("soft")).unwrap();
        let overwrites = |output: &str, input: &str| {
            Target::find(at(output)).unwrap().overwrites(at(input).to_str().expect("it is text"))
        };
        for (output, input) in [("labels", "labels"), ("hard", "labels"), ("soft", "hard"), ("labels", "soft")] {
            assert!(overwrites(output, input), "{output} and {input}");
        }
        assert!(!overwrites("other", "labels") && !overwrites("new", "new"));
        assert!(!Target::find("/dev/null").unwrap().overwrites("/dev/null"));
    }

    #[test]
    fn links_that_lead_nowhere_are_refused_in_words() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        symlink("two", at("one")).unwrap();
        symlink("one", at("two")).unwrap();
        let circle = Target::find(at("one")).unwrap_err().to_string();
        assert!(circle.contains("form a loop"), "{circle}");
        for name in ["", "..", "sub/", "."] {
            let path = if name.is_empty() { PathBuf::new() } else { at(name) };
            assert!(Target::find(path).is_err(), "{name}");
        }
    }
}
