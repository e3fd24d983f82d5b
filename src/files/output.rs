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
use super::endpoint::{Endpoint, Identity};
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
    kept: AfterFailure,
}

/// The path as a message names it; that there is none is seen, too.
fn shown(path: &Path) -> String {
    if path.as_os_str().is_empty() { "\"\"".to_owned() } else { path.display().to_string() }
}

impl OutputError {
    fn of(path: &Path, kept: AfterFailure) -> impl Fn(io::Error) -> Self + '_ {
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
enum AfterFailure {
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

impl fmt::Display for AfterFailure {
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
    place: Endpoint,
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
            let place = Endpoint::find(&spelled)?;
            if let Endpoint::File { path, .. } = &place {
                // Better known now than after an hour's work: a file can be made there.
                Temporary::create(folder_of(path), "", None)?;
            }
            Ok(place)
        };
        let place = find().map_err(OutputError::of(&spelled, AfterFailure::Untouched))?;
        Ok(Self { spelled, place })
    }

    /// Standard output.
    #[must_use]
    pub fn standard_output() -> Self {
        Self { spelled: STANDARD_OUTPUT.into(), place: Endpoint::StandardOutput }
    }

    /// The path as the user wrote it.
    #[must_use]
    pub fn spelled(&self) -> &Path {
        &self.spelled
    }

    /// Whether this is where the program prints.
    #[must_use]
    pub fn is_standard_output(&self) -> bool {
        matches!(self.place, Endpoint::StandardOutput)
    }

    /// Whether this is a regular file, there or not.
    #[must_use]
    pub fn is_regular(&self) -> bool {
        matches!(self.place, Endpoint::File { .. })
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
            Endpoint::File { .. } => {
                let folder = write_file(&self.spelled, existing, fill)?;
                temporary::remove_orphans(&folder);
                return atomic::sync_folder(&folder).map_err(OutputError::of(&self.spelled, AfterFailure::Untouched));
            }
            Endpoint::StandardOutput => filled(&mut io::stdout().lock(), &mut taken, fill),
            Endpoint::Open(file) => filled(&mut &*file, &mut taken, fill),
            Endpoint::Special(path) => {
                OpenOptions::new().append(true).open(path).and_then(|mut file| filled(&mut file, &mut taken, fill))
            }
        };
        match direct {
            Err(error) if self.is_standard_output() || error.kind() == io::ErrorKind::BrokenPipe => {
                streams::lose(Stream::Output, &error);
                Ok(())
            }
            other => other.map_err(OutputError::of(
                &self.spelled,
                if taken == 0 { AfterFailure::Nothing } else { AfterFailure::Part },
            )),
        }
    }
}

/// Writes one of several files of a folder, as [`Target::write`] does, but leaves it to the caller to have the folder's
/// entries on disk ([`atomic::sync_folder`]).
///
/// # Errors
/// When it cannot be written; a regular file is then as it was.
pub(crate) fn write_among(path: &Path, bytes: &[u8]) -> Result<(), OutputError> {
    let place = Endpoint::find(path).map_err(OutputError::of(path, AfterFailure::Untouched))?;
    match place {
        Endpoint::File { .. } => write_file(path, Existing::Replaced, |out| out.write_all(bytes)).map(drop),
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
    let found = Endpoint::find(spelled).map_err(OutputError::of(spelled, AfterFailure::Untouched))?;
    let Endpoint::File { path, existing: there } = found else {
        return Err(OutputError::of(spelled, AfterFailure::Untouched)(changed()));
    };
    let failed = OutputError::of(spelled, if there.is_some() { AfterFailure::OldFile } else { AfterFailure::NoFile });
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
mod tests;
