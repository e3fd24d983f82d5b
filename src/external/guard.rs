//! A process between this one and a program, which sees to it that nothing the program started outlives it.
//!
//! The guard is conclave itself, started again with [`VERB`]. It adopts whatever its descendants leave behind (it is a
//! "child subreaper" in Linux's words), so that neither `setsid` nor forking twice leads out of its sight. When the
//! program's first process has ended, when conclave tells it to (`SIGTERM`), or when conclave is gone, however it went, it
//! kills every descendant until none is left, and ends as the program ended.
//!
//! What is not its descendant escapes it: what another service starts on the program's behalf (`systemd-run`, `at`, a
//! container's daemon, another machine). So does a process it may not kill (one that became another user), and everything
//! once somebody kills the guard itself with `SIGKILL`, or stops it and then kills conclave. A program that forks without end
//! ends at once as long as it stays in its group; where every process makes a session of its own, the guard has to catch
//! them one by one, which takes as long as they leave it a processor.
//!
//! Only the binary has a guard to offer. Where conclave is a library, or Linux's `/proc` is not there, programs are started
//! without one, in a process group of their own.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use rustix::process::{
    Pid, Resource, Rlimit, Signal, WaitId, WaitIdOptions, WaitOptions, WaitStatus, getpid, getppid, kill_process,
    kill_process_group, setrlimit, wait, waitid, waitpid,
};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

/// The first argument of a conclave that is a guard.
pub const VERB: &str = "guard-a-program";

/// This process's own binary, whatever became of its file.
const MYSELF: &str = "/proc/self/exe";

static IS_OFFERED: AtomicBool = AtomicBool::new(false);

/// To be called by a binary whose `main` begins with [`act`]: programs that it runs get a guard from now on.
pub fn offer() {
    let can_look_after_children = Path::new(MYSELF).exists() && Path::new("/proc/thread-self/children").exists();
    IS_OFFERED.store(cfg!(target_os = "linux") && can_look_after_children, Ordering::Relaxed);
}

/// Starts what follows its arguments under a guard; `None` where there is none.
pub(super) fn command() -> Option<Command> {
    IS_OFFERED.load(Ordering::Relaxed).then(|| {
        let mut command = Command::new(MYSELF);
        command.arg0("conclave").arg(VERB).arg(std::process::id().to_string());
        command
    })
}

/// Guards a program if that is what this process was started for; otherwise returns at once.
#[must_use]
pub fn act() -> Option<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next()? != VERB {
        return None;
    }
    let parent = arguments.next().and_then(|parent| Pid::from_raw(parent.to_str()?.parse().ok()?));
    let command: Vec<OsString> = arguments.collect();
    Some(match (parent, command.split_first()) {
        (Some(parent), Some((program, arguments))) => guard(parent, Command::new(program).args(arguments)),
        _ => complain("this verb is for conclave itself: it takes a process number and a program"),
    })
}

fn complain(what: &str) -> ExitCode {
    eprintln!("conclave {VERB}: {what}");
    ExitCode::from(125)
}

fn guard(parent: Pid, command: &mut Command) -> ExitCode {
    let is_told = Arc::new(AtomicBool::new(false));
    let listening = [SIGTERM, SIGINT, SIGHUP].map(|signal| signal_hook::flag::register(signal, Arc::clone(&is_told)));
    if let Some(error) = listening.into_iter().find_map(Result::err) {
        return complain(&format!("cannot listen to conclave: {error}"));
    }
    if let Err(error) = adopt_orphans() {
        return complain(&format!("cannot look after the program's processes: {error}"));
    }
    // A group of its own: it can be killed in one go, and `kill 0` in it does not reach the guard.
    let program = match command.process_group(0).spawn() {
        Ok(program) => Pid::from_child(&program),
        Err(error) => return complain(&format!("the program cannot be started: {error}")),
    };
    let is_alone = || is_told.load(Ordering::Relaxed) || getppid() != Some(parent);
    wait_for(program, is_alone);
    end_as(end_all(program))
}

#[cfg(target_os = "linux")]
fn adopt_orphans() -> rustix::io::Result<()> {
    rustix::process::set_child_subreaper(Some(getpid()))
}

#[cfg(not(target_os = "linux"))]
fn adopt_orphans() -> rustix::io::Result<()> {
    Err(rustix::io::Errno::NOSYS)
}

/// Until the program's first process has ended, or nobody waits for it any more.
fn wait_for(program: Pid, is_alone: impl Fn() -> bool) {
    /// Looks between two times that adopted processes which have ended are put to rest: about a second.
    const REST: usize = 100;
    let mut pauses = Pauses::default();
    for look in 1_usize.. {
        if has_ended(program) || is_alone() {
            break;
        }
        if look.is_multiple_of(REST) {
            for adopted in children(getpid()).into_iter().filter(|child| *child != program) {
                let _ = waitpid(Some(adopted), WaitOptions::NOHANG);
            }
        }
        pauses.take();
    }
}

/// Pauses between two looks at something that may take long: short at first, and never much longer than a quarter of what
/// it has taken so far.
pub(super) struct Pauses {
    next: Duration,
}

impl Default for Pauses {
    fn default() -> Self {
        Self { next: Duration::from_micros(100) }
    }
}

impl Pauses {
    pub(super) fn take(&mut self) {
        const LONGEST: Duration = Duration::from_millis(10);
        thread::sleep(self.next);
        self.next = (self.next * 5 / 4).min(LONGEST);
    }
}

/// Whether a child has ended; it is not reaped yet.
pub(super) fn has_ended(child: Pid) -> bool {
    let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    !matches!(waitid(WaitId::Pid(child), look), Ok(None))
}

/// Kills the program and every other descendant until none is left that can be killed; how the program ended.
fn end_all(program: Pid) -> Option<WaitStatus> {
    const PAUSE: Duration = Duration::from_millis(1);
    // In one go, so that it cannot fork faster than it is killed. The program is not reaped yet: the number is its own.
    let _ = kill_process_group(program, Signal::KILL);
    let mut how = None;
    loop {
        let are_left = kill_descendants();
        loop {
            match wait(WaitOptions::NOHANG) {
                Ok(Some((child, status))) if child == program => how = Some(status),
                Ok(Some(_)) => {}
                Ok(None) if are_left => break,
                // None is left, or only what cannot be killed.
                Ok(None) | Err(_) => return how,
            }
        }
        thread::sleep(PAUSE);
    }
}

/// Kills every descendant that is there now; says whether there was one. Each is stopped before its children are looked
/// up: a process that has been told to stop forks no more, so what it leaves is all there is of it. What loses its parent
/// meanwhile becomes a child of the guard, for the next time.
fn kill_descendants() -> bool {
    let mut waiting = children(getpid());
    let mut stopped = Vec::new();
    while let Some(process) = waiting.pop() {
        if kill_process(process, Signal::STOP).is_ok() {
            stopped.push(process);
            waiting.extend(children(process));
        }
    }
    let killed = stopped.iter().filter(|process| kill_process(**process, Signal::KILL).is_ok());
    killed.count() > 0
}

/// The children of all threads of a process.
pub(super) fn children(process: Pid) -> Vec<Pid> {
    let Ok(threads) = std::fs::read_dir(format!("/proc/{process}/task")) else { return Vec::new() };
    let lists = threads.filter_map(|thread| std::fs::read_to_string(thread.ok()?.path().join("children")).ok());
    let of_list = |list: String| {
        let numbers = list.split_ascii_whitespace().filter_map(|number| Pid::from_raw(number.parse().ok()?));
        numbers.collect::<Vec<_>>()
    };
    lists.flat_map(of_list).collect()
}

/// Ends this process as the program ended.
fn end_as(status: Option<WaitStatus>) -> ExitCode {
    let Some(status) = status else { return complain("the program could not be awaited") };
    if let Some(code) = status.exit_status() {
        return ExitCode::from(u8::try_from(code).unwrap_or(u8::MAX));
    }
    let signal = status.terminating_signal().unwrap_or(0);
    // One core dump is enough.
    let _ = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) });
    let _ = signal_hook::low_level::emulate_default_handler(signal);
    ExitCode::from(u8::try_from(128 + signal).unwrap_or(u8::MAX))
}
