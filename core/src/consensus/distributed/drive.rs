//! Runs every party's program in a thread of its own and reports what they exchanged.

use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::channels::{Channels, Links};
use super::meter::Meter;
use super::transport::Stopped;
use crate::consensus::{Halt, Traffic, Watch};

/// Results by party, and the traffic between them.
pub(crate) struct Driven<R> {
    pub(crate) results: Vec<R>,
    pub(crate) traffic: Traffic,
}

/// Runs `program` once for every part. When one party fails or panics, all end, and the error names it.
///
/// # Errors
/// That of the party that failed first of its own; when time is up or the run is cancelled, that.
pub(crate) fn run<P: Send, R: Send>(
    parts: Vec<P>,
    links: Links,
    watch: &Watch,
    program: impl Fn(P, &mut Channels) -> Result<R, Stopped> + Sync,
) -> Result<Driven<R>, Halt> {
    let ends = Channels::connect(parts.len(), links, watch);
    let program = &program;
    let finished: Vec<(Result<R, PartyFailure>, Meter)> = std::thread::scope(|scope| {
        let threads: Vec<_> = parts
            .into_iter()
            .zip(ends)
            .map(|(part, mut channels)| {
                // A party that gets no thread drops its ends of the channels, so that nobody waits for it.
                std::thread::Builder::new().spawn_scoped(scope, move || {
                    channels.begin();
                    let result = catch_unwind(AssertUnwindSafe(|| program(part, &mut channels)));
                    let result = match result {
                        Ok(result) => result.map_err(PartyFailure::Stopped),
                        Err(panic) => Err(PartyFailure::Panicked(words_of(&*panic))),
                    };
                    if result.is_err() {
                        channels.fail();
                    }
                    (result, channels.finish())
                })
            })
            .collect();
        let ended = threads.into_iter().map(|thread| match thread {
            Ok(thread) => thread.join().expect("panics are caught inside the thread"),
            Err(error) => (Err(PartyFailure::Refused(error)), Meter::default()),
        });
        ended.collect()
    });
    let mut results = Vec::new();
    let mut meters = Vec::new();
    let mut failures = Vec::new();
    for (party, (result, meter)) in finished.into_iter().enumerate() {
        meters.push(meter);
        match result {
            Ok(result) => results.push(result),
            Err(failure) => failures.push((party, failure)),
        }
    }
    match failures.into_iter().min_by_key(|(_, failure)| failure.rank()) {
        Some((party, failure)) => Err(failure.into_halt(party)),
        None => Ok(Driven { results, traffic: traffic(&meters, links) }),
    }
}

fn traffic(meters: &[Meter], links: Links) -> Traffic {
    let seconds = |meter: &Meter| meter.working.as_secs_f64();
    let (server, parties) = match links {
        Links::Ring => (0.0, meters),
        Links::Star => (meters.first().map_or(0.0, seconds), meters.get(1..).unwrap_or_default()),
    };
    Traffic {
        bytes: meters.iter().map(|meter| meter.bytes).sum(),
        messages: meters.iter().map(|meter| meter.messages).sum(),
        rounds: meters.iter().map(|meter| meter.depth).max().unwrap_or(0),
        slowest_party_seconds: parties.iter().map(seconds).fold(0.0, f64::max),
        server_seconds: server,
    }
}

enum PartyFailure {
    /// The system grants it no thread.
    Refused(io::Error),
    Panicked(String),
    Stopped(Stopped),
}

impl PartyFailure {
    /// Causes before their consequences.
    fn rank(&self) -> u8 {
        match self {
            Self::Refused(_) | Self::Panicked(_) => 0,
            Self::Stopped(Stopped::Halt(Halt::Failed(_))) => 1,
            Self::Stopped(Stopped::Halt(_)) => 2,
            Self::Stopped(Stopped::Gone { .. }) => 3,
        }
    }

    fn into_halt(self, party: usize) -> Halt {
        match self {
            Self::Refused(error) => Halt::Failed(format!(
                "the system refuses a thread for party {party} ({error}); with fewer `--threads`, fewer parties or a \
                 higher `ulimit -u`, `--retry-failed` may do"
            )),
            Self::Panicked(words) => Halt::Failed(format!("party {party} broke down: {words}")),
            Self::Stopped(Stopped::Halt(Halt::Failed(why))) => Halt::Failed(format!("party {party}: {why}")),
            Self::Stopped(Stopped::Halt(halt)) => halt,
            Self::Stopped(Stopped::Gone { party: other }) => Halt::Failed(format!("party {party} lost party {other}")),
        }
    }
}

fn words_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "without a word".to_owned())
}
