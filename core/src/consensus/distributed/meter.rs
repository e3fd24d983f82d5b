//! What one party sent, and how long it worked.

use std::time::Duration;

/// Counts as a party sends, receives and works. Working time is what the party's thread had of a processor, so that it
/// is the same whatever else the machine does, with a thousand parties on two processors too.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Meter {
    /// Bytes sent.
    pub bytes: u64,
    /// Messages sent.
    pub messages: u64,
    /// The longest chain of messages, each sent after the one before was received, that ended here.
    pub depth: u64,
    /// Processor time so far.
    pub working: Duration,
    /// What the thread's clock said when this party began to work; `None` while it waits.
    since: Option<Duration>,
}

/// Time the current thread has had of a processor.
fn thread_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

impl Meter {
    /// Begins to work.
    pub fn begin(&mut self) {
        self.since = Some(thread_time());
    }

    /// Waits, or is done.
    pub fn rest(&mut self) {
        if let Some(since) = self.since.take() {
            self.working += thread_time().saturating_sub(since);
        }
    }

    /// Sends so many numbers; returns how long a chain of messages leads to whoever gets them.
    pub fn send(&mut self, numbers: usize) -> u64 {
        self.bytes += 8 * numbers as u64;
        self.messages += 1;
        self.depth + 1
    }

    /// Has received what a chain of messages led to, and works again.
    pub fn receive(&mut self, depth: u64) {
        self.depth = self.depth.max(depth);
    }
}
