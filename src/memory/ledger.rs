use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use super::{Available, available};

/// What the threads of this process have promised each other not to exceed together.
///
/// # Invariants
/// Whoever needs more than there is when nobody else has anything is refused; whoever needs no more than that waits
/// until it fits beside the others. So who is refused does not depend on how many threads there are.
#[derive(Debug, Default)]
pub(crate) struct MemoryLedger {
    /// Held while waiting: whoever needs much is not overtaken for ever by those who need little.
    turn: Mutex<()>,
    state: Mutex<Balance>,
    returned: Condvar,
}

#[derive(Debug, Default)]
struct Balance {
    /// What there was when nobody had anything.
    whole: Option<Available>,
    reserved: f64,
    holders: usize,
}

/// Bytes that are reserved until this is dropped.
#[derive(Debug)]
pub(crate) struct Reservation<'a> {
    /// Where they are counted, if they are.
    ledger: Option<&'a MemoryLedger>,
    bytes: f64,
}

/// Why bytes were not reserved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Refused {
    /// There are only so many.
    Short(Available),
    /// Nobody wants them any more.
    Stopped,
}

/// How often whoever waits looks whether it still should.
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

/// What needs less than this is granted without being counted: most runs do, and asking the system takes longer than they do.
const LITTLE: f64 = 4e6;

/// The one of this process.
#[must_use]
pub(crate) fn ledger() -> &'static MemoryLedger {
    static LEDGER: OnceLock<MemoryLedger> = OnceLock::new();
    LEDGER.get_or_init(MemoryLedger::default)
}

impl MemoryLedger {
    /// Reserves bytes, if need be when others have returned theirs.
    ///
    /// # Errors
    /// When there are fewer in all, or `stopped` says that waiting is over.
    pub(crate) fn reserve(&self, bytes: f64, stopped: impl Fn() -> bool) -> Result<Reservation<'_>, Refused> {
        self.reserve_of(bytes, available, stopped)
    }

    fn reserve_of(
        &self,
        bytes: f64,
        measure: impl Fn() -> Available,
        stopped: impl Fn() -> bool,
    ) -> Result<Reservation<'_>, Refused> {
        if bytes <= LITTLE {
            return Ok(Reservation { ledger: None, bytes });
        }
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let mut state = self.state();
        loop {
            if stopped() {
                return Err(Refused::Stopped);
            }
            // What others have taken is missing from what is free now, so it is measured when they have nothing.
            let mut whole = measure();
            if state.holders > 0 {
                // Between what is free now and that with all that was reserved: others may have taken theirs or not.
                let most = whole.bytes + state.reserved;
                whole = state.whole.filter(|before| before.bytes <= most).unwrap_or(Available { bytes: most, ..whole });
            }
            state.whole = Some(whole);
            if state.reserved + bytes <= whole.bytes {
                state.reserved += bytes;
                state.holders += 1;
                return Ok(Reservation { ledger: Some(self), bytes });
            }
            if state.holders == 0 {
                return Err(Refused::Short(whole));
            }
            let waited = self.returned.wait_timeout(state, BETWEEN_LOOKS);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn state(&self) -> MutexGuard<'_, Balance> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Reservation<'_> {
    fn drop(&mut self) {
        let Some(ledger) = self.ledger else { return };
        let mut state = ledger.state();
        state.holders -= 1;
        // Sums of rounded numbers need not come back to nothing.
        state.reserved = if state.holders == 0 { 0.0 } else { (state.reserved - self.bytes).max(0.0) };
        drop(state);
        ledger.returned.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    use super::*;
    use crate::memory::Limit;

    fn gigabyte() -> Available {
        Available { bytes: 1e9, limit: Limit::Machine }
    }

    #[test]
    fn what_fits_alone_waits_for_the_others_and_what_does_not_is_refused() {
        let ledger = MemoryLedger::default();
        let never = || false;
        assert_eq!(ledger.reserve_of(2e9, gigabyte, never).unwrap_err(), Refused::Short(gigabyte()));
        let (most, now) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let _held = ledger.reserve_of(4e8, gigabyte, never).unwrap();
                    most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    std::thread::sleep(Duration::from_millis(5));
                    now.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
        assert_eq!(most.into_inner(), 2);
        let _some = ledger.reserve_of(4e8, gigabyte, never).unwrap();
        let stop = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| ledger.reserve_of(9e8, gigabyte, || stop.load(Ordering::SeqCst)).err());
            std::thread::sleep(Duration::from_millis(20));
            stop.store(true, Ordering::SeqCst);
            assert_eq!(waiting.join().unwrap(), Some(Refused::Stopped));
        });
    }

    #[test]
    fn little_is_granted_beside_a_large_one() {
        let ledger = MemoryLedger::default();
        let _much = ledger.reserve_of(1e9, gigabyte, || false).unwrap();
        assert!(ledger.reserve_of(1e6, gigabyte, || false).is_ok());
    }
}
