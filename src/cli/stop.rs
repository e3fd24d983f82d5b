//! Ctrl-C, and the other signals that ask a program to end.
//!
//! While cells are computed, the first signal asks the workers to stop: what they have finished is stored, and the verb
//! ends by itself. At all other times (loading, planning, merging, drawing, reporting) the first signal ends the process
//! at once: results are safe on disk at every moment. A second signal always ends it at once, and so does the first one
//! after a second, whatever the process does then. The exit code is 130.

use std::io::Write as _;
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// From the first signal to the end of the process; with what it takes to leave, less than a second.
const LATEST: Duration = Duration::from_millis(850);

/// How often a second signal is looked for.
const LOOK: Duration = Duration::from_millis(20);

/// How long the last words may take. Nobody may be reading them.
const FAREWELL: Duration = Duration::from_millis(100);

/// The exit code of a verb that was stopped.
pub const STOPPED: u8 = 130;

/// Turns true when the user wants to stop while cells are computed.
static ASKED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

static STATE: Mutex<State> = Mutex::new(State { computing: 0, kept: "" });

struct State {
    /// How many [`Computing`] there are.
    computing: usize,
    /// What is left when the process ends at once, as a sentence.
    kept: &'static str,
}

/// Listens for signals from now on. `kept` says what is left when one ends the process at once.
pub fn listen(kept: &'static str) {
    state().kept = kept;
    let wanted: Vec<i32> =
        [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| signal != SIGHUP || !is_ignored(signal)).collect();
    // Without a thread to listen, a signal does what it does to any program: it ends it.
    let _ = thread::Builder::new().name("signals".to_owned()).spawn(move || {
        if let Ok(signals) = Signals::new(wanted) {
            end_after(signals);
        }
    });
}

/// The flag that workers look at.
pub(super) fn asked() -> Arc<AtomicBool> {
    Arc::clone(&ASKED)
}

/// As long as it lives, cells are being computed by workers that look at [`asked`].
pub(super) struct Computing(());

impl Computing {
    pub(super) fn begin() -> Self {
        state().computing += 1;
        Self(())
    }
}

impl Drop for Computing {
    fn drop(&mut self) {
        state().computing -= 1;
    }
}

fn end_after(mut signals: Signals) {
    let _first = signals.wait().next();
    // The lock is held until the flag is up: no phase begins or ends in between.
    let state = state();
    if state.computing > 0 {
        ASKED.store(true, Ordering::Relaxed);
        drop(state);
        let latest = Instant::now() + LATEST;
        while Instant::now() < latest && signals.pending().next().is_none() {
            thread::sleep(LOOK);
        }
    } else {
        drop(state);
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
    let kept = state().kept;
    // Standard error may be closed.
    let _ = writeln!(std::io::stderr(), "stopped; {kept}");
}

fn state() -> MutexGuard<'static, State> {
    // A panic elsewhere leaves a whole state.
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether whoever started this process had it ignore a signal, as `nohup` does.
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask >> (signal - 1) & 1 == 1
}
