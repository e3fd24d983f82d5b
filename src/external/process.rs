//! Runs a program: feeds it, listens to it, and ends it with everything it started.

use std::io::{self, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use super::peak::{Leader, PeakMemory};
use super::{Memory, guard, with_words};
use crate::consensus::{Halt, Watch};

/// What to run, and within which bounds.
pub(super) struct Invocation<'a> {
    pub(super) command: &'a [String],
    pub(super) folder: &'a Path,
    pub(super) memory: Memory,
    /// Bytes it may print.
    pub(super) output: usize,
}

/// How a program ended.
pub(super) struct ProgramEnd {
    pub(super) status: ExitStatus,
    pub(super) printed: Vec<u8>,
    /// The end of what it wrote to standard error.
    pub(super) said: String,
    /// The most memory that it was seen to have.
    pub(super) peak_bytes: Option<u64>,
}

impl ProgramEnd {
    /// Whether a signal ended it.
    pub(super) fn was_killed(&self) -> bool {
        self.status.signal().is_some()
    }

    /// How it ended, unless it ended well; the rest of a sentence about it.
    pub(super) fn misfortune(&self) -> Option<String> {
        match (self.status.code(), self.status.signal()) {
            (Some(0), _) => None,
            (Some(code), _) => Some(format!("ended with exit code {code}")),
            (None, Some(signal)) => Some(format!("was ended by signal {signal}")),
            (None, None) => Some("ended in an unknown way".to_owned()),
        }
    }
}

/// Bytes of standard error that are kept.
pub(super) const WORDS: usize = 4096;

/// How long pipes may stay open once every process is gone.
const PATIENCE: Duration = Duration::from_millis(500);

/// Runs the program to its end, or to the end of its time.
///
/// # Errors
/// When it cannot be started, prints without end, or is out of time.
pub(super) fn run(invocation: &Invocation, input: String, watch: &Watch) -> Result<ProgramEnd, Halt> {
    let mut group = ProcessGroup::start(invocation)?;
    let (stdin, stdout, stderr) = group.pipes();
    let printed = Listener::start(stdout, Keep::First(invocation.output))?;
    let said = Listener::start(stderr, Keep::Last(WORDS))?;
    // A program that does not care for its input closes the pipe early; that is its own business.
    in_the_background(move || drop(stdin.map(|mut pipe| pipe.write_all(input.as_bytes()))))?;
    let mut peak = PeakMemory::default();
    let stopped = until_it_ends(&group, &printed, &mut peak, watch);
    let status = group.end();
    let said = said.text();
    match (stopped, status) {
        (Ok(()), Ok(status)) => Ok(ProgramEnd { status, printed: printed.bytes(), said, peak_bytes: peak.bytes() }),
        (Err(Halt::TimedOut), _) if !said.is_empty() => Err(Halt::Overtime(said)),
        (Err(Halt::Failed(what)), _) => Err(Halt::Failed(with_words(what, &said))),
        (Err(halt), _) => Err(halt),
        (Ok(()), Err(error)) => Err(Halt::Failed(format!("the program could not be awaited: {error}"))),
    }
}

/// Does something on a thread of its own.
pub(super) fn in_the_background(work: impl FnOnce() + Send + 'static) -> Result<(), Halt> {
    thread::Builder::new().spawn(work).map(drop).map_err(|error| {
        Halt::Failed(format!(
            "the system refused to start a thread for the program's output ({error}); run with `--retry-failed` and fewer \
             `--threads`, or a higher `ulimit -u`"
        ))
    })
}

/// Waits for the program's first process.
fn until_it_ends(group: &ProcessGroup, printed: &Listener, peak: &mut PeakMemory, watch: &Watch) -> Result<(), Halt> {
    let mut pauses = guard::Pauses::default();
    loop {
        let has_ended = group.has_ended();
        if printed.is_full() {
            return Err(Halt::Failed(format!("the program printed more than {} bytes", printed.limit())));
        }
        if has_ended {
            return Ok(());
        }
        watch.check()?;
        group.look_at_memory(peak);
        pauses.take();
    }
}

/// A process and everything it starts.
pub(super) struct ProcessGroup {
    /// There until it is reaped.
    leader: Option<Child>,
    kind: Supervision,
}

/// Who sees to it that everything ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Supervision {
    /// The leader is a guard, which kills all descendants of its own.
    Guarded,
    /// The leader is the program, and its number is that of a process group.
    Alone,
}

impl ProcessGroup {
    pub(super) fn start(invocation: &Invocation) -> Result<Self, Halt> {
        let (mut command, kind) = match guard::command() {
            Some(mut command) => {
                command.arg("sh");
                (command, Supervision::Guarded)
            }
            None => (Command::new("sh"), Supervision::Alone),
        };
        // The shell sets the ceiling and becomes the program: nothing of it runs without.
        command.args(["-c", "ulimit -v \"$0\" && exec \"$@\""]).arg(invocation.memory.kibibytes().to_string());
        command.args(invocation.command).current_dir(invocation.folder).process_group(0);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let leader = command.spawn().map_err(|error| {
            let program = &invocation.command[0];
            Halt::Failed(format!("{program} cannot be started in {}: {error}", invocation.folder.display()))
        })?;
        Ok(Self { leader: Some(leader), kind })
    }

    pub(super) fn pipes(
        &mut self,
    ) -> (Option<impl Write + Send + use<>>, impl Read + Send + use<>, impl Read + Send + use<>) {
        let leader = self.leader.as_mut().expect("it was just started");
        let piped = "it was started with pipes";
        (leader.stdin.take(), leader.stdout.take().expect(piped), leader.stderr.take().expect(piped))
    }

    /// Whether the first process has ended; it is not reaped yet.
    pub(super) fn has_ended(&self) -> bool {
        self.leader.as_ref().is_none_or(|leader| guard::has_ended(Pid::from_child(leader)))
    }

    /// Sees how much memory there is in it.
    fn look_at_memory(&self, peak: &mut PeakMemory) {
        if let Some(leader) = &self.leader {
            let who = match self.kind {
                Supervision::Guarded => Leader::Guard,
                Supervision::Alone => Leader::Program,
            };
            peak.look(Pid::from_child(leader), who);
        }
    }

    /// Kills whatever is left and reaps the leader; in this order, because until it is reaped nobody else can get its
    /// number.
    pub(super) fn end(&mut self) -> io::Result<ExitStatus> {
        match self.kind {
            Supervision::Guarded => self.tell_the_guard(),
            Supervision::Alone => {
                if let Some(leader) = &self.leader {
                    // It fails where nobody is left to be killed.
                    let _ = kill_process_group(Pid::from_child(leader), Signal::KILL);
                }
            }
        }
        let mut leader = self.leader.take().ok_or_else(|| io::Error::other("it was awaited before"))?;
        leader.wait()
    }

    /// Has the guard end what it guards. It is never killed itself: nobody else could finish its work.
    fn tell_the_guard(&self) {
        if let Some(guard) = self.leader.as_ref().map(Pid::from_child)
            && !self.has_ended()
        {
            // The program may have stopped it.
            let _ = kill_process(guard, Signal::TERM);
            let _ = kill_process(guard, Signal::CONT);
        }
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        // After a panic, or where it could not be listened to; otherwise it has ended.
        let _ = self.end();
    }
}

/// Which part of a program's output is kept.
#[derive(Debug, Clone, Copy)]
pub(super) enum Keep {
    /// This many bytes; nobody listens to more.
    First(usize),
    /// The last bytes, this many; the rest is dropped as it comes.
    Last(usize),
}

/// Reads a pipe on a thread of its own, so that the program never waits to be heard.
pub(super) struct Listener {
    keep: Keep,
    heard: Arc<Mutex<Vec<u8>>>,
    /// Closed when there is no more to hear.
    open: Receiver<()>,
}

impl Listener {
    pub(super) fn start(pipe: impl Read + Send + 'static, keep: Keep) -> Result<Self, Halt> {
        let heard = Arc::new(Mutex::new(Vec::new()));
        let (closes_at_end, open) = mpsc::channel();
        let notebook = Arc::clone(&heard);
        in_the_background(move || listen(pipe, keep, &notebook, closes_at_end))?;
        Ok(Self { keep, heard, open })
    }

    /// Drops what was heard so far.
    pub(super) fn forget(&self) {
        self.heard.lock().expect(LOCK).clear();
    }

    fn limit(&self) -> usize {
        match self.keep {
            Keep::First(limit) | Keep::Last(limit) => limit,
        }
    }

    fn is_full(&self) -> bool {
        matches!(self.keep, Keep::First(limit) if self.heard.lock().expect(LOCK).len() > limit)
    }

    /// What was heard, once the pipe is closed. A process that escaped may keep it open: then what came so far.
    fn bytes(&self) -> Vec<u8> {
        let _ = self.open.recv_timeout(PATIENCE);
        std::mem::take(&mut self.heard.lock().expect(LOCK))
    }

    pub(super) fn text(&self) -> String {
        let limit = self.limit();
        let bytes = self.bytes();
        let kept = &bytes[bytes.len().saturating_sub(limit)..];
        let cut = if kept.len() < bytes.len() { "…" } else { "" };
        // A character may have been cut in two.
        let text = String::from_utf8_lossy(kept);
        format!("{cut}{}", text.trim_start_matches(char::REPLACEMENT_CHARACTER)).trim().to_owned()
    }
}

const LOCK: &str = "nothing panics while it holds this lock";

fn listen(mut pipe: impl Read, keep: Keep, heard: &Mutex<Vec<u8>>, _closes_at_end: Sender<()>) {
    let mut buffer = [0; 16 << 10];
    loop {
        let read = match pipe.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => break,
        };
        let mut heard = heard.lock().expect(LOCK);
        heard.extend_from_slice(&buffer[..read]);
        match keep {
            Keep::First(limit) if heard.len() > limit => break,
            Keep::First(_) => {}
            // One byte more is kept, so that it shows that something was dropped.
            Keep::Last(limit) if heard.len() > limit + 1 => {
                let dropped = heard.len() - limit - 1;
                heard.drain(..dropped);
            }
            Keep::Last(_) => {}
        }
    }
}
