//! A program that stays and answers one task after another: `stream = true`.
//!
//! Every task is handed over as to a program that is started for it: the header, then a line for each object. The program prints a
//! label for each object, then a line `end SEED` with the seed of the header, and reads on. The seed tells answers apart: what a
//! program prints too late, or twice, cannot be taken for the answer to another task.
//!
//! Whatever goes wrong costs the one task, and the program with it: it is killed with everything it started, and the next task
//! gets a new one. A program that has said something nobody asked for is replaced, too.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use super::process::{Invocation, Keep, Listener, ProcessGroup, ProgramEnd, WORDS, in_the_background};
use super::{Memory, with_words};
use crate::consensus::{Halt, Watch};

/// How long the watch is not looked at while nothing is heard.
const LOOK: Duration = Duration::from_millis(10);

/// Pieces of output that wait to be looked at; then the program waits.
const PIECES: usize = 4;

/// Programs that wait for their next task: at most as many as there are workers.
#[derive(Debug, Default)]
pub(super) struct IdlePrograms(Mutex<Vec<StreamedProgram>>);

/// What programs have in common that can do each other's tasks: parameters come with the task.
type SameProgram = (Vec<String>, PathBuf, String);

/// All that are there, by what they run.
static ALL: Mutex<BTreeMap<SameProgram, Weak<IdlePrograms>>> = Mutex::new(BTreeMap::new());

impl IdlePrograms {
    /// Those that run this command in this folder within this memory, wherever in a spec it stands.
    pub(super) fn of(command: &[String], folder: &Path, memory: Memory) -> Arc<Self> {
        let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|_, idle| idle.strong_count() > 0);
        let same = (command.to_vec(), folder.to_owned(), memory.to_string());
        if let Some(known) = all.get(&same).and_then(Weak::upgrade) {
            return known;
        }
        let new = Arc::new(Self::default());
        all.insert(same, Arc::downgrade(&new));
        new
    }

    /// One that is alive and silent, if there is one.
    pub(super) fn one(&self) -> Option<StreamedProgram> {
        loop {
            let idle = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop()?;
            if idle.is_ready() {
                return Some(idle);
            }
            // Dropping it ends it.
        }
    }

    /// Takes back one that has answered.
    pub(super) fn take_back(&self, program: StreamedProgram) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(program);
    }
}

/// A running program.
pub(super) struct StreamedProgram {
    group: ProcessGroup,
    /// Closed where the program no longer reads.
    tasks: Sender<String>,
    printed: Receiver<Vec<u8>>,
    said: Listener,
    /// Whether it has said more than was asked for.
    is_out_of_step: bool,
}

impl std::fmt::Debug for StreamedProgram {
    fn fmt(&self, out: &mut std::fmt::Formatter) -> std::fmt::Result {
        out.write_str("StreamedProgram")
    }
}

/// A task for a running program.
pub(super) struct StreamTask {
    /// The header and the labels.
    pub(super) input: String,
    /// What the last line of the answer must be.
    pub(super) end: String,
    /// Bytes that the answer may have.
    pub(super) most: usize,
}

/// What came of a task that has no answer.
pub(super) enum StreamFailure {
    /// It was stopped, or the program did something else.
    Halted(Halt),
    /// The program ended.
    Ended(ProgramEnd),
}

impl StreamedProgram {
    pub(super) fn start(invocation: &Invocation) -> Result<Self, Halt> {
        let mut group = ProcessGroup::start(invocation)?;
        let (stdin, stdout, stderr) = group.pipes();
        let said = Listener::start(stderr, Keep::Last(WORDS))?;
        let (tasks, waiting) = mpsc::channel::<String>();
        in_the_background(move || feed(stdin, &waiting))?;
        let (hears, printed) = mpsc::sync_channel(PIECES);
        in_the_background(move || listen(stdout, &hears))?;
        Ok(Self { group, tasks, printed, said, is_out_of_step: false })
    }

    /// Whether it waits for a task: it lives, and has said nothing since its last answer.
    fn is_ready(&self) -> bool {
        let is_silent = self.printed.try_recv().is_err_and(|error| error == mpsc::TryRecvError::Empty);
        !self.is_out_of_step && is_silent && !self.group.has_ended()
    }

    /// Hands it a task; the lines that it prints until the one that ends the answer.
    pub(super) fn answer(&mut self, task: &StreamTask, watch: &Watch) -> Result<Vec<u8>, StreamFailure> {
        self.said.forget();
        // A program that no longer reads has ended, or ends: then nothing more is heard of it.
        let _ = self.tasks.send(task.input.clone());
        let mut heard = HeardLines::default();
        loop {
            while let Some(line) = heard.next() {
                match AnswerLine::of(line, &task.end) {
                    AnswerLine::Label => {}
                    AnswerLine::End => {
                        self.is_out_of_step |= !heard.is_used_up();
                        return Ok(heard.before());
                    }
                    AnswerLine::EndOfAnother(line) => {
                        let words = format!("the program printed `{line}`, and its task ends with `{}`", task.end);
                        return Err(StreamFailure::Halted(self.failed(words)));
                    }
                }
            }
            if heard.bytes.len() > task.most {
                let words = format!("the program printed more than {} bytes", task.most);
                return Err(StreamFailure::Halted(self.failed(words)));
            }
            match self.printed.recv_timeout(LOOK) {
                Ok(more) => heard.bytes.extend_from_slice(&more),
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended(heard.bytes)),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if let Err(halt) = watch.check() {
                return Err(StreamFailure::Halted(self.halted(halt, &heard, &task.end)));
            }
        }
    }

    /// Ends it for something it did.
    pub(super) fn failed(&mut self, words: String) -> Halt {
        let said = self.end_and_hear();
        Halt::Failed(with_words(words, &said))
    }

    /// Ends it because its time is over; what it said, and what may be wrong with its answer.
    fn halted(&mut self, halt: Halt, heard: &HeardLines, end: &str) -> Halt {
        let said = self.end_and_hear();
        if halt != Halt::TimedOut {
            return halt;
        }
        let hint = match heard.lines {
            0 => "nothing of an answer was heard; does it flush its output?".to_owned(),
            lines => format!("{lines} lines were heard, and none of them is `{end}`"),
        };
        Halt::Overtime(if said.is_empty() { hint } else { format!("{said}\n({hint})") })
    }

    fn end_and_hear(&mut self) -> String {
        let _ = self.group.end();
        self.said.text()
    }

    fn ended(&mut self, printed: Vec<u8>) -> StreamFailure {
        match self.group.end() {
            Ok(status) => {
                StreamFailure::Ended(ProgramEnd { status, printed, said: self.said.text(), peak_bytes: None })
            }
            Err(error) => StreamFailure::Halted(Halt::Failed(format!("the program could not be awaited: {error}"))),
        }
    }
}

/// What a line of an answer is.
#[derive(Debug, PartialEq, Eq)]
enum AnswerLine<'a> {
    Label,
    End,
    /// The end of an answer to something else.
    EndOfAnother(&'a str),
}

impl<'a> AnswerLine<'a> {
    fn of(line: &'a [u8], end: &str) -> Self {
        match str::from_utf8(line).map(str::trim) {
            Ok(line) if line == end => Self::End,
            Ok(line) => match line.strip_prefix("end ") {
                Some(seed) if seed.bytes().all(|byte| byte.is_ascii_digit()) => Self::EndOfAnother(line),
                _ => Self::Label,
            },
            Err(_) => Self::Label,
        }
    }
}

/// What was heard, line by line.
#[derive(Default)]
struct HeardLines {
    bytes: Vec<u8>,
    /// Where the next line begins.
    start: usize,
    /// Where the last line that was taken began.
    taken: usize,
    /// Up to where there is no end of the next line.
    looked: usize,
    lines: usize,
}

impl HeardLines {
    /// The next whole line.
    fn next(&mut self) -> Option<&[u8]> {
        let from = self.looked.max(self.start);
        let Some(length) = self.bytes[from..].iter().position(|byte| *byte == b'\n') else {
            self.looked = self.bytes.len();
            return None;
        };
        self.taken = self.start;
        self.start = from + length + 1;
        self.lines += 1;
        Some(&self.bytes[self.taken..self.start - 1])
    }

    /// All lines before the last that was taken.
    fn before(mut self) -> Vec<u8> {
        self.bytes.truncate(self.taken);
        self.bytes
    }

    fn is_used_up(&self) -> bool {
        self.start == self.bytes.len()
    }
}

/// Writes task after task, until nobody has any more or the program no longer reads.
fn feed(stdin: Option<impl Write>, tasks: &Receiver<String>) {
    let Some(mut pipe) = stdin else { return };
    for task in tasks {
        if pipe.write_all(task.as_bytes()).and_then(|()| pipe.flush()).is_err() {
            return;
        }
    }
}

/// Hands on what is printed until the pipe is closed or nobody listens.
fn listen(mut pipe: impl Read, hears: &SyncSender<Vec<u8>>) {
    let mut buffer = [0; 16 << 10];
    loop {
        match pipe.read(&mut buffer) {
            Ok(0) => return,
            Ok(read) if hears.send(buffer[..read].to_vec()).is_err() => return,
            Ok(_) => {}
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_taken_as_they_come() {
        let mut heard = HeardLines::default();
        assert_eq!(heard.next(), None);
        heard.bytes.extend_from_slice(b"a\r\nb");
        assert_eq!(heard.next(), Some(&b"a\r"[..]));
        assert_eq!(heard.next(), None);
        heard.bytes.extend_from_slice(b"c\nend 5\n");
        assert_eq!(heard.next(), Some(&b"bc"[..]));
        assert_eq!(heard.next(), Some(&b"end 5"[..]));
        assert!(heard.is_used_up());
        assert_eq!(heard.before(), b"a\r\nbc\n");
    }

    #[test]
    fn only_the_seed_of_the_task_ends_its_answer() {
        assert_eq!(AnswerLine::of(b" end 12 \r", "end 12"), AnswerLine::End);
        assert_eq!(AnswerLine::of(b"end 13", "end 12"), AnswerLine::EndOfAnother("end 13"));
        for label in [&b"end"[..], b"end of line", b"c1", b"", b"\xff"] {
            assert_eq!(AnswerLine::of(label, "end 12"), AnswerLine::Label);
        }
    }
}
