//! Standard output and standard error, one or both of which may be gone: a full disk, a reader that left.
//!
//! What the program has to say is less than what it has to do. Here `println!` and `eprintln!` do not panic as those of the
//! standard library do: the first failure of a stream is kept, what follows on it is dropped, and the program goes on to
//! store and write what it was asked for. [`lost`] says at its end what became of them.

use std::fmt;
use std::io::{self, ErrorKind, Write};
use std::sync::{Mutex, PoisonError};

/// As in the standard library, but a standard output that is gone ends nothing.
macro_rules! println {
    () => { $crate::streams::say($crate::streams::Stream::Output, format_args!("\n")) };
    ($($text:tt)*) => {
        $crate::streams::say($crate::streams::Stream::Output, format_args!("{}\n", format_args!($($text)*)))
    };
}

/// As in the standard library, but a standard output that is gone ends nothing.
macro_rules! print {
    ($($text:tt)*) => { $crate::streams::say($crate::streams::Stream::Output, format_args!($($text)*)) };
}

/// As in the standard library, but a standard error that is gone ends nothing.
macro_rules! eprintln {
    () => { $crate::streams::say($crate::streams::Stream::Error, format_args!("\n")) };
    ($($text:tt)*) => {
        $crate::streams::say($crate::streams::Stream::Error, format_args!("{}\n", format_args!($($text)*)))
    };
}

/// Where the program says something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stream {
    /// Standard output, or a pipe that was named for an output.
    Output,
    /// Standard error.
    Error,
}

impl fmt::Display for Stream {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str(match self {
            Self::Output => "standard output",
            Self::Error => "standard error",
        })
    }
}

/// Why a stream took no more.
#[derive(Debug, Clone)]
pub struct Lost {
    /// The stream that took no more.
    pub stream: Stream,
    /// What the system said.
    pub reason: String,
    kind: ErrorKind,
}

impl Lost {
    /// Whether its reader left, as `head` does when it has seen enough: nothing to tell of.
    #[must_use]
    pub fn is_left(&self) -> bool {
        self.kind == ErrorKind::BrokenPipe
    }
}

static LOST: Mutex<Vec<Lost>> = Mutex::new(Vec::new());

/// Says something, unless the stream is gone.
pub fn say(stream: Stream, text: fmt::Arguments) {
    if is_gone(stream) {
        return;
    }
    let said = match stream {
        Stream::Output => io::stdout().lock().write_fmt(text),
        Stream::Error => io::stderr().lock().write_fmt(text),
    };
    if let Err(error) = said {
        lose(stream, &error);
    }
}

/// Says a painted text in a line; the colours are taken off where nobody sees them.
pub fn say_painted(stream: Stream, text: &str) {
    if is_gone(stream) {
        return;
    }
    let said = match stream {
        Stream::Output => writeln!(anstream::stdout().lock(), "{text}"),
        Stream::Error => writeln!(anstream::stderr().lock(), "{text}"),
    };
    if let Err(error) = said {
        lose(stream, &error);
    }
}

/// Notes that a stream takes no more; the first reason stays.
pub fn lose(stream: Stream, error: &io::Error) {
    let mut lost = LOST.lock().unwrap_or_else(PoisonError::into_inner);
    if lost.iter().all(|earlier| earlier.stream != stream) {
        lost.push(Lost { stream, reason: error.to_string(), kind: error.kind() });
    }
}

/// The streams that took no more, in the order in which they were lost.
#[must_use]
pub fn lost() -> Vec<Lost> {
    // What was printed without the end of a line is still held back.
    if !is_gone(Stream::Output)
        && let Err(error) = io::stdout().flush()
    {
        lose(Stream::Output, &error);
    }
    LOST.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

fn is_gone(stream: Stream) -> bool {
    LOST.lock().unwrap_or_else(PoisonError::into_inner).iter().any(|lost| lost.stream == stream)
}
