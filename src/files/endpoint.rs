//! What is there under a name that a user gave for an output.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Component, Path, PathBuf};

/// Where an output goes, once every link is followed.
#[derive(Debug)]
pub(super) enum Endpoint {
    /// Standard output.
    StandardOutput,
    /// Something that is open already: `/dev/stderr`, `/dev/fd/3`.
    Open(File),
    /// A regular file, or none yet.
    File {
        /// Its path, with no link in it.
        path: PathBuf,
        /// What it is now; `None` when there is none.
        existing: Option<Metadata>,
    },
    /// A device or pipe.
    Special(PathBuf),
}

/// As many links as Linux follows.
const MOST_LINKS: usize = 40;

impl Endpoint {
    /// Follows a path to where it leads.
    pub(super) fn find(spelled: &Path) -> io::Result<Self> {
        let mut path = spelled.to_owned();
        for _ in 0..MOST_LINKS {
            let (folder, name) = parts(&path)?;
            match descriptor(&folder, name) {
                Some(Descriptor::Own(1)) => return Ok(Self::StandardOutput),
                Some(Descriptor::Own(number)) => return open_already(number),
                // A link only in name: what it seems to lead to may be another file, or none.
                Some(Descriptor::Foreign) => return Ok(Self::Special(folder.join(name))),
                None => {}
            }
            let here = folder.join(name);
            match fs::symlink_metadata(&here) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    return Ok(Self::File { path: here, existing: None });
                }
                Err(error) => return Err(error),
                Ok(metadata) if metadata.is_symlink() => path = folder.join(fs::read_link(&here)?),
                Ok(metadata) => return Self::of(here, metadata),
            }
        }
        Err(io::Error::new(io::ErrorKind::InvalidInput, "these links form a loop; name a file"))
    }

    fn of(path: PathBuf, metadata: Metadata) -> io::Result<Self> {
        if metadata.is_dir() {
            return Err(folder_named());
        }
        if metadata.file_type().is_socket() {
            let message = "this is a socket, which cannot be opened like a file; name a file, a pipe or a device";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        if !metadata.is_file() {
            return Ok(Self::Special(path));
        }
        // A file that may not be written is not replaced either.
        OpenOptions::new().write(true).open(&path)?;
        Ok(Self::File { path, existing: Some(metadata) })
    }

    /// What tells it from other places; `None` for devices, which take any number of outputs.
    pub(super) fn identity(&self) -> Option<Identity> {
        let unless_device = |metadata: Metadata| {
            let kind = metadata.file_type();
            (!kind.is_char_device() && !kind.is_block_device()).then(|| Identity::of(&metadata))
        };
        match self {
            Self::StandardOutput => {
                let open = io::stdout().as_fd().try_clone_to_owned().map(File::from).and_then(|file| file.metadata());
                Some(open.ok().and_then(unless_device).unwrap_or(Identity::StandardOutput))
            }
            Self::Open(file) => file.metadata().ok().and_then(unless_device),
            Self::Special(path) => fs::metadata(path).ok().and_then(unless_device),
            Self::File { existing: Some(metadata), .. } => Some(Identity::of(metadata)),
            Self::File { path, existing: None } => Some(Identity::New(path.clone())),
        }
    }
}

/// Two outputs of one identity would overwrite each other.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Identity {
    /// Something that is there.
    Inode {
        /// Its file system.
        device: u64,
        /// Its number there.
        number: u64,
    },
    /// A terminal or the like.
    StandardOutput,
    /// A file that is not there yet, by its path with no link in it.
    New(PathBuf),
}

impl Identity {
    fn of(metadata: &Metadata) -> Self {
        Self::Inode { device: metadata.dev(), number: metadata.ino() }
    }

    /// Of a regular file that is read, `-` being standard input; `None` for anything else, and where there is no file.
    pub(super) fn of_input(spelled: &str) -> Option<Self> {
        let metadata = match spelled {
            "-" => io::stdin().as_fd().try_clone_to_owned().map(File::from).and_then(|file| file.metadata()),
            path => fs::metadata(path),
        };
        metadata.ok().filter(Metadata::is_file).map(|metadata| Self::of(&metadata))
    }
}

/// The real folder of a path, and the name in it.
fn parts(path: &Path) -> io::Result<(PathBuf, &std::ffi::OsStr)> {
    let bytes = path.as_os_str().as_bytes();
    if bytes.is_empty() {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "this names no file; name one, or - for standard output",
        ));
    }
    match path.file_name() {
        Some(name) if !bytes.ends_with(b"/") && !bytes.ends_with(b"/.") => {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            let real = fs::canonicalize(folder).map_err(|error| match error.kind() {
                io::ErrorKind::NotFound => {
                    let message = format!("the folder {} does not exist; create it first", folder.display());
                    io::Error::new(io::ErrorKind::NotFound, message)
                }
                _ => error,
            })?;
            Ok((real, name))
        }
        _ => Err(folder_named()),
    }
}

fn folder_named() -> io::Error {
    io::Error::new(io::ErrorKind::IsADirectory, "this is a folder; name a file in it")
}

enum Descriptor {
    /// Of this process.
    Own(u32),
    /// Of another.
    Foreign,
}

/// Whether a name is one of those under which Linux shows open files: `/proc/12/fd/3`, to which `/dev/fd/3` leads.
fn descriptor(folder: &Path, name: &std::ffi::OsStr) -> Option<Descriptor> {
    let names = folder.components().map(|part| match part {
        Component::Normal(name) => name.to_str(),
        _ => Some("/"),
    });
    let names: Vec<&str> = names.collect::<Option<_>>()?;
    let (["/", "proc", process, "fd"] | ["/", "proc", process, "task", _, "fd"]) = names[..] else { return None };
    let process: u32 = process.parse().ok()?;
    let number = name.to_str()?.parse().ok()?;
    Some(if process == std::process::id() { Descriptor::Own(number) } else { Descriptor::Foreign })
}

fn open_already(number: u32) -> io::Result<Endpoint> {
    let file = File::from(duplicate(number)?);
    if file.metadata()?.is_dir() {
        return Err(folder_named());
    }
    Ok(Endpoint::Open(file))
}

/// The same open file once more, with the same position in it: what others write there before and after is kept.
fn duplicate(number: u32) -> io::Result<OwnedFd> {
    if number == 2 {
        return io::stderr().as_fd().try_clone_to_owned();
    }
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{PidfdFlags, PidfdGetfdFlags, getpid, pidfd_getfd, pidfd_open};
        let taken = pidfd_open(getpid(), PidfdFlags::empty()).and_then(|this| {
            let number = i32::try_from(number).map_err(|_| rustix::io::Errno::BADF)?;
            pidfd_getfd(this, number, PidfdGetfdFlags::empty())
        });
        if let Ok(taken) = taken {
            return Ok(taken);
        }
    }
    // An old kernel, or a container that forbids it: opened once more, and written at its end.
    Ok(OpenOptions::new().append(true).open(format!("/proc/self/fd/{number}"))?.into())
}
