//! A request to stop, and whether anybody is there to notice it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Asks whoever computes to stop: what is finished is stored, and the run ends by itself.
///
/// Cheap to clone; all clones are the same request.
#[derive(Debug, Clone, Default)]
pub struct StopRequest {
    requested: Arc<AtomicBool>,
    listeners: Arc<Mutex<usize>>,
}

impl StopRequest {
    /// Asks whoever computes to stop. Returns `false`, and asks for nothing, when nobody does at the moment.
    #[must_use]
    pub fn request(&self) -> bool {
        // The lock is held until the flag is up: nobody begins or ends in between.
        let listeners = self.listeners();
        let is_heard = *listeners > 0;
        if is_heard {
            self.requested.store(true, Ordering::Relaxed);
        }
        is_heard
    }

    /// Whether it was asked for.
    #[must_use]
    pub fn is_requested(&self) -> bool {
        self.requested.load(Ordering::Relaxed)
    }

    /// The flag, for work that looks at it while it computes.
    pub(super) fn flag(&self) -> &Arc<AtomicBool> {
        &self.requested
    }

    /// Looks out for requests as long as what it returns lives.
    pub(super) fn listen(&self) -> Listening<'_> {
        *self.listeners() += 1;
        Listening { stop: self }
    }

    fn listeners(&self) -> MutexGuard<'_, usize> {
        // A panic elsewhere leaves a whole number.
        self.listeners.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// As long as it lives, requests are noticed.
pub(super) struct Listening<'a> {
    stop: &'a StopRequest,
}

impl Drop for Listening<'_> {
    fn drop(&mut self) {
        *self.stop.listeners() -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_that_nobody_would_notice_is_not_made() {
        let stop = StopRequest::default();
        assert!(!stop.request() && !stop.is_requested());
        let other = stop.clone();
        let listening = stop.listen();
        assert!(other.request() && stop.is_requested());
        drop(listening);
        assert!(!stop.request());
    }
}
