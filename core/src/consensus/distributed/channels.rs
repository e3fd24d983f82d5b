//! The transport between threads: one channel for every pair of neighbours.
//!
//! A party that fails says so on a board that whoever waits looks at, as at the watch: two that wait for each other
//! because of a third do not wait for ever.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use super::meter::Meter;
use super::transport::{Stopped, Transport};
use crate::consensus::Watch;

/// Who can reach whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Links {
    /// Party p sends to p + 1, the last one to party 0.
    Ring,
    /// Party 0 sends to everybody and everybody to party 0.
    Star,
}

/// A frame, and how long a chain of messages led to it.
struct Envelope {
    frame: Vec<f64>,
    depth: u64,
}

/// One party's ends of the channels.
pub(crate) struct Channels {
    party: usize,
    parties: usize,
    to: BTreeMap<usize, Sender<Envelope>>,
    from: BTreeMap<usize, Receiver<Envelope>>,
    watch: Watch,
    /// A party that failed; [`NOBODY`] so far.
    failed: Arc<AtomicUsize>,
    meter: Meter,
}

/// The number of no party.
const NOBODY: usize = usize::MAX;

/// How long a waiting party goes without a look at the watch. Two thousand that look fifty times a second would have the
/// processors to themselves.
fn between_looks(parties: usize) -> Duration {
    Duration::from_millis(20 * parties.div_ceil(16) as u64).min(Duration::from_secs(1))
}

impl Channels {
    /// The ends for all parties.
    pub(crate) fn connect(parties: usize, links: Links, watch: &Watch) -> Vec<Self> {
        let failed = Arc::new(AtomicUsize::new(NOBODY));
        let mut all: Vec<Self> = (0..parties)
            .map(|party| Self {
                party,
                parties,
                to: BTreeMap::new(),
                from: BTreeMap::new(),
                watch: watch.clone(),
                failed: Arc::clone(&failed),
                meter: Meter::default(),
            })
            .collect();
        let pairs: Vec<(usize, usize)> = match links {
            Links::Ring => (0..parties).map(|party| (party, (party + 1) % parties)).collect(),
            Links::Star => (1..parties).flat_map(|party| [(0, party), (party, 0)]).collect(),
        };
        for (from, to) in pairs {
            let (sender, receiver) = channel();
            all[from].to.insert(to, sender);
            all[to].from.insert(from, receiver);
        }
        all
    }

    /// Begins to work.
    pub(crate) fn begin(&mut self) {
        self.meter.begin();
    }

    /// What was measured.
    pub(crate) fn finish(mut self) -> Meter {
        self.meter.rest();
        self.meter
    }

    /// Tells everybody that this party cannot go on.
    pub(crate) fn fail(&self) {
        self.failed.store(self.party, Ordering::Relaxed);
    }

    /// Passes while nobody has failed and there is time.
    fn look(&self) -> Result<(), Stopped> {
        match self.failed.load(Ordering::Relaxed) {
            NOBODY => Ok(self.watch.check()?),
            party => Err(Stopped::Gone { party }),
        }
    }

    fn wait(&self, from: usize) -> Result<Envelope, Stopped> {
        let channel = self.from.get(&from).ok_or(Stopped::Gone { party: from })?;
        loop {
            match channel.recv_timeout(between_looks(self.parties)) {
                Ok(envelope) => return Ok(envelope),
                Err(RecvTimeoutError::Timeout) => self.look()?,
                Err(RecvTimeoutError::Disconnected) => return Err(Stopped::Gone { party: from }),
            }
        }
    }
}

impl Transport for Channels {
    fn party(&self) -> usize {
        self.party
    }

    fn parties(&self) -> usize {
        self.parties
    }

    fn send_frame(&mut self, to: usize, frame: Vec<f64>) -> Result<(), Stopped> {
        let envelope = Envelope { depth: self.meter.send(frame.len()), frame };
        let sender = self.to.get(&to).ok_or(Stopped::Gone { party: to })?;
        sender.send(envelope).map_err(|_| Stopped::Gone { party: to })
    }

    fn receive_frame(&mut self, from: usize) -> Result<Vec<f64>, Stopped> {
        self.meter.rest();
        let received = self.wait(from);
        self.meter.begin();
        let envelope = received?;
        self.meter.receive(envelope.depth);
        Ok(envelope.frame)
    }
}
