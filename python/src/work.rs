//! Long work without Python's lock, which Ctrl-C interrupts.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::{PyErr, PyResult, Python};

/// How often Python is asked whether a signal came.
const POLL: Duration = Duration::from_millis(50);

/// How long work may take to notice that it is to stop. What is deep in a library that nobody can stop is left behind: its
/// thread ends by itself, and what it makes is dropped.
const GRACE: Duration = Duration::from_millis(400);

/// The stack of the main thread of most systems.
const STACK: usize = 8 << 20;

/// Whether work is to stop, shared with whoever does it.
pub(crate) type Stop = Arc<AtomicBool>;

/// Does `work` on a thread of its own that holds everything it needs.
///
/// # Errors
/// When a signal handler raises, such as that of Ctrl-C, and when the work panics.
pub(crate) fn detached<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(Stop) -> T + Send + 'static,
) -> PyResult<T> {
    let stop = Stop::default();
    let (sender, mut receiver) = sync_channel(1);
    let for_work = Arc::clone(&stop);
    let worker = thread::Builder::new().name("conclave".to_owned()).stack_size(STACK);
    worker.spawn(move || {
        // Where nobody waits any more, the answer is dropped.
        drop(sender.send(catch_unwind(AssertUnwindSafe(|| work(for_work)))));
    })?;
    attend(py, &mut receiver, &stop).inspect_err(|_| py.detach(move || drop(receiver.recv_timeout(GRACE))))
}

/// Does `work` on a thread that may look at what the caller has borrowed. It must look at the flag often.
///
/// # Errors
/// As [`detached`].
pub(crate) fn beside<T: Send>(py: Python<'_>, work: impl FnOnce(&AtomicBool) -> T + Send) -> PyResult<T> {
    let stop = Stop::default();
    let (sender, mut receiver) = sync_channel(1);
    thread::scope(|scope| {
        let worker = scope.spawn(|| drop(sender.send(catch_unwind(AssertUnwindSafe(|| work(&stop))))));
        let done = attend(py, &mut receiver, &stop);
        // Without Python's lock: whatever the work asks of Python on its way out would never have it.
        py.detach(move || drop(worker.join()));
        done
    })
}

/// Waits for the work, and asks Python now and then whether a signal came.
fn attend<T: Send>(py: Python<'_>, receiver: &mut Receiver<thread::Result<T>>, stop: &AtomicBool) -> PyResult<T> {
    loop {
        // A receiver may move between threads, but not be shared.
        let receiver = &mut *receiver;
        match py.detach(move || receiver.recv_timeout(POLL)) {
            Ok(Ok(done)) => return Ok(done),
            Ok(Err(panic)) => return Err(panicked(&*panic)),
            Err(RecvTimeoutError::Timeout) => {
                py.check_signals().inspect_err(|_| stop.store(true, Ordering::Relaxed))?
            }
            Err(RecvTimeoutError::Disconnected) => return Err(panicked(&"its thread is gone")),
        }
    }
}

fn panicked(panic: &(dyn Any + Send)) -> PyErr {
    let words = panic.downcast_ref::<&str>().map(|words| (*words).to_owned());
    let words = words.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
    PyRuntimeError::new_err(format!("conclave failed, which is a mistake of its own: {words}"))
}
