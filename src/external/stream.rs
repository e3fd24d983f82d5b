//! A program that stays and answers one task after another: `stream = true`.
//!
//! Every task is handed over as to a program that is started for it: the header, then a line for each object. The program prints a
//! label for each object, then an empty line, and reads on. It ends when its input does.
//!
//! Whatever goes wrong costs the one task, and the program with it: it is killed with everything it started, and the next task
//! gets a new one. A program that has said something nobody asked for is replaced, too, because its next answer could belong to
//! anything.

use std::io::{Read, Write};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::process::{Invocation, Keep, Listener, ProcessGroup, ProgramEnd, WORDS, in_the_background};
use crate::consensus::{Halt, Watch};

/// How long the watch is not looked at while nothing is heard.
const LOOK: Duration = Duration::from_millis(10);

/// Programs of one method that wait for their next task: at most as many as there are workers.
#[derive(Debug, Default)]
pub(super) struct IdlePrograms(Mutex<Vec<StreamedProgram>>);

impl IdlePrograms {
    /// One that is alive and silent, or a new one.
    pub(super) fn one(&self, invocation: &Invocation) -> Result<StreamedProgram, Halt> {
        loop {
            let idle = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
            match idle {
                Some(idle) if idle.is_ready() => return Ok(idle),
                // Dropping it ends it.
                Some(_) => {}
                None => return StreamedProgram::start(invocation),
            }
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

/// What came of a task that has no answer.
pub(super) enum NoAnswer {
    /// It was stopped, or could not be handed over.
    Halted(Halt),
    /// The program ended.
    Ended(ProgramEnd),
}

impl StreamedProgram {
    fn start(invocation: &Invocation) -> Result<Self, Halt> {
        let mut group = ProcessGroup::start(invocation)?;
        let (stdin, stdout, stderr) = group.pipes();
        let said = Listener::start(stderr, Keep::Last(WORDS))?;
        let (tasks, waiting) = mpsc::channel::<String>();
        in_the_background(move || feed(stdin, &waiting))?;
        let (hears, printed) = mpsc::channel();
        in_the_background(move || listen(stdout, &hears))?;
        Ok(Self { group, tasks, printed, said, is_out_of_step: false })
    }

    /// Whether it waits for a task: it lives, and has said nothing since its last answer.
    fn is_ready(&self) -> bool {
        !self.is_out_of_step
            && !self.group.has_ended()
            && self.printed.try_recv().is_err_and(|error| error == mpsc::TryRecvError::Empty)
    }

    /// Hands it a task; what it prints until an empty line, of at most so many bytes.
    pub(super) fn answer(&mut self, input: String, most: usize, watch: &Watch) -> Result<Vec<u8>, NoAnswer> {
        self.said.forget();
        // A program that no longer reads has ended, or ends: then nothing more is heard of it.
        let _ = self.tasks.send(input);
        let mut answer: Vec<u8> = Vec::new();
        let mut looked = 0;
        loop {
            if let Some((end, next)) = end_of_answer(&answer, looked) {
                self.is_out_of_step |= next < answer.len();
                answer.truncate(end);
                return Ok(answer);
            }
            // The last line may go on.
            looked = answer.iter().rposition(|byte| *byte == b'\n').map_or(0, |place| place + 1);
            if answer.len() > most {
                let words = format!("the program printed more than {most} bytes");
                return Err(NoAnswer::Halted(self.failed(words)));
            }
            match self.printed.recv_timeout(LOOK) {
                Ok(more) => answer.extend_from_slice(&more),
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended(answer)),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if let Err(halt) = watch.check() {
                return Err(NoAnswer::Halted(self.halted(halt)));
            }
        }
    }

    /// Ends it for something it did.
    pub(super) fn failed(&mut self, words: String) -> Halt {
        let said = self.end_and_hear();
        Halt::Failed(super::with_words(words, &said))
    }

    /// Ends it because its time is over.
    fn halted(&mut self, halt: Halt) -> Halt {
        match (halt, self.end_and_hear()) {
            (Halt::TimedOut, said) if !said.is_empty() => Halt::Overtime(said),
            (halt, _) => halt,
        }
    }

    fn end_and_hear(&mut self) -> String {
        let _ = self.group.end();
        self.said.text()
    }

    fn ended(&mut self, printed: Vec<u8>) -> NoAnswer {
        match self.group.end() {
            Ok(status) => NoAnswer::Ended(ProgramEnd { status, printed, said: self.said.text() }),
            Err(error) => NoAnswer::Halted(Halt::Failed(format!("the program could not be awaited: {error}"))),
        }
    }
}

/// Where an answer ends and where what follows it begins: at the first line, from here on, that is empty.
fn end_of_answer(heard: &[u8], from: usize) -> Option<(usize, usize)> {
    let mut start = from;
    while let Some(length) = heard[start..].iter().position(|byte| *byte == b'\n') {
        let end = start + length;
        if heard[start..end].trim_ascii().is_empty() {
            return Some((start, end + 1));
        }
        start = end + 1;
    }
    None
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
fn listen(mut pipe: impl Read, hears: &Sender<Vec<u8>>) {
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
    fn an_answer_ends_with_an_empty_line() {
        let end = |text: &str, from: usize| end_of_answer(text.as_bytes(), from);
        assert_eq!(end("a\nb\n", 0), None);
        assert_eq!(end("a\nb\n\n", 0), Some((4, 5)));
        assert_eq!(end("a\nb\n\n", 4), Some((4, 5)));
        assert_eq!(end("a\r\nb\r\n\r\nmore", 0), Some((6, 8)));
        assert_eq!(end("\n", 0), Some((0, 1)));
        assert_eq!(end("a\n ", 0), None);
    }
}
