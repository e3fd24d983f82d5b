//! Runs untrusted work: a panic becomes a message, and work that does not stop at its deadline is left behind.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::Duration;

/// How work ended that did not return.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Broken {
    /// It panicked, with this message.
    Panicked(String),
    /// It was still running at the deadline and was left behind.
    LeftBehind,
    /// There is no thread to do it on, and the system refuses another one; see [`Workbench::ready`].
    NoThread,
}

type BoxedWork = Box<dyn FnOnce() -> Box<dyn Any + Send> + Send>;
type BoxedAnswer = Result<Box<dyn Any + Send>, String>;

/// A thread to do work on, replaced when work is left behind on it.
pub(super) struct Workbench {
    hands: Option<Hands>,
}

struct Hands {
    work: Sender<BoxedWork>,
    answers: Receiver<BoxedAnswer>,
}

impl Workbench {
    /// A bench with a thread.
    ///
    /// # Errors
    /// When the system refuses it.
    pub(super) fn hire() -> io::Result<Self> {
        note_panics_quietly();
        Ok(Self { hands: Some(Hands::hire()?) })
    }

    /// Sees to it that there is a thread, also after work was left behind on the last one.
    ///
    /// # Errors
    /// When the system refuses another one.
    pub(super) fn ready(&mut self) -> io::Result<()> {
        if self.hands.is_none() {
            self.hands = Some(Hands::hire()?);
        }
        Ok(())
    }

    /// Does the work and waits for it, `patience` at most.
    pub(super) fn run<T: Send + 'static>(
        &mut self,
        patience: Option<Duration>,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Broken> {
        self.ready().map_err(|_| Broken::NoThread)?;
        let hands = self.hands.as_mut().ok_or(Broken::NoThread)?;
        hands.work.send(Box::new(move || Box::new(work()))).expect("the thread waits for work as long as it is known");
        let answer = match patience {
            Some(patience) => hands.answers.recv_timeout(patience),
            None => hands.answers.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        match answer {
            Ok(Ok(value)) => Ok(*value.downcast().expect("the answer has the type of the work")),
            Ok(Err(message)) => Err(Broken::Panicked(message)),
            Err(_) => {
                self.hands = None;
                Err(Broken::LeftBehind)
            }
        }
    }
}

impl Hands {
    fn hire() -> io::Result<Self> {
        let (work, inbox) = mpsc::channel::<BoxedWork>();
        let (outbox, answers) = mpsc::channel();
        let name = std::thread::Builder::new().name("method".to_owned());
        // Methods may recurse; give them what a main thread has.
        name.stack_size(8 << 20).spawn(move || {
            IS_WORKBENCH.set(true);
            while let Ok(work) = inbox.recv() {
                let answer = panic::catch_unwind(AssertUnwindSafe(work)).map_err(|_| last_panic());
                if outbox.send(answer).is_err() {
                    break;
                }
            }
        })?;
        Ok(Self { work, answers })
    }
}

thread_local! {
    /// Whether this is the thread of a workbench.
    static IS_WORKBENCH: Cell<bool> = const { Cell::new(false) };
    static LAST_PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

fn last_panic() -> String {
    LAST_PANIC.with(RefCell::take)
}

/// Panics on a bench are kept for the failure row instead of being printed.
fn note_panics_quietly() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if IS_WORKBENCH.get() {
                let place = info.location().map_or_else(String::new, |place| format!(" ({place})"));
                let message = info.payload_as_str().unwrap_or("it gave no reason");
                LAST_PANIC.with(|last| *last.borrow_mut() = format!("panicked: {message}{place}"));
            } else {
                usual(info);
            }
        }));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_returns_its_value_and_a_panic_its_message() {
        let mut bench = Workbench::hire().unwrap();
        assert_eq!(bench.run(None, || 6 * 7), Ok(42));
        let Err(Broken::Panicked(message)) = bench.run(None, || -> () { panic!("no {}", "luck") }) else {
            panic!("a panic was expected")
        };
        assert!(message.starts_with("panicked: no luck (") && message.contains("isolate.rs"), "{message}");
        assert_eq!(bench.run(None, || 1), Ok(1));
    }

    #[test]
    fn work_that_does_not_end_is_left_behind_and_the_next_goes_on() {
        let mut bench = Workbench::hire().unwrap();
        let endless = || std::thread::sleep(Duration::from_secs(3600));
        assert_eq!(bench.run(Some(Duration::from_millis(20)), endless), Err(Broken::LeftBehind));
        assert_eq!(bench.run(Some(Duration::from_secs(60)), || 2), Ok(2));
    }
}
