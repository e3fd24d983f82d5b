//! Ctrl-C, and the other signals that ask a program to end.
//!
//! While cells are computed, the first signal asks the workers to stop: what they have finished is stored, and the verb
//! ends by itself. At all other times (loading, planning, merging, drawing, reporting) the first signal ends the process
//! at once: results are safe on disk at every moment. A second signal always ends it at once, and so does the first one
//! after a second, whatever the process does then. The exit code is 130.

use std::io::Write as _;
use std::process;
use std::sync::mpsc;
use std::sync::{LazyLock, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::run::StopRequest;

/// From the first signal to the end of the process; with what it takes to leave, less than a second.
const LATEST: Duration = Duration::from_millis(850);

/// How often a second signal is looked for.
const LOOK: Duration = Duration::from_millis(20);

/// How long the last words may take. Nobody may be reading them.
const FAREWELL: Duration = Duration::from_millis(100);

/// The exit code of a verb that was stopped.
pub const STOPPED: u8 = 130;

/// The user's request to whoever computes.
static REQUEST: LazyLock<StopRequest> = LazyLock::new(StopRequest::default);

/// What is left when the process ends at once, as a sentence.
static KEPT: OnceLock<&'static str> = OnceLock::new();

/// Listens for signals from now on. `kept` says what is left when one ends the process at once.
pub fn listen(kept: &'static str) {
    // Whoever listens twice has said it before.
    let _ = KEPT.set(kept);
    let wanted: Vec<i32> =
        [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| signal != SIGHUP || !is_ignored(signal)).collect();
    // Without a thread to listen, a signal does what it does to any program: it ends it.
    let _ = thread::Builder::new().name("signals".to_owned()).spawn(move || {
        if let Ok(signals) = Signals::new(wanted) {
            end_after(signals);
        }
    });
}

/// The request that a run looks out for.
pub(super) fn request() -> StopRequest {
    REQUEST.clone()
}

fn end_after(mut signals: Signals) {
    let _first = signals.wait().next();
    if REQUEST.request() {
        let latest = Instant::now() + LATEST;
        while Instant::now() < latest && signals.pending().next().is_none() {
            thread::sleep(LOOK);
        }
    }
    let (done, is_done) = mpsc::channel();
    let leave = move || {
        farewell();
        let _ = done.send(());
    };
    match thread::Builder::new().spawn(leave) {
        Ok(_) => drop(is_done.recv_timeout(FAREWELL)),
        Err(_) => farewell(),
    }
    process::exit(i32::from(STOPPED));
}

fn farewell() {
    crate::files::leftovers::remove_all();
    let kept = KEPT.get().copied().unwrap_or_default();
    // Standard error may be closed.
    let _ = writeln!(std::io::stderr(), "stopped; {kept}");
}

/// Whether whoever started this process had it ignore a signal, as `nohup` does.
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask >> (signal - 1) & 1 == 1
}
