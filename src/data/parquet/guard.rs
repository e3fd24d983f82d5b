//! The decoder panics on some damaged files. At this boundary a panic is an error like any other.

use std::any::Any;
use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;
use std::sync::atomic::{AtomicUsize, Ordering};

thread_local! {
    /// Whether this thread is inside [`guarded`].
    static INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// How many threads are inside [`guarded`]: the decoder's own threads then work for them.
static GUARDED: AtomicUsize = AtomicUsize::new(0);

/// How the decoder's threads are called.
const DECODER: &str = "polars";

/// Does the work; a panic becomes an error, and nothing is printed.
pub(crate) fn guarded<T>(work: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    keep_quiet();
    let before = INSIDE.replace(true);
    GUARDED.fetch_add(1, Ordering::SeqCst);
    let done = panic::catch_unwind(AssertUnwindSafe(work));
    GUARDED.fetch_sub(1, Ordering::SeqCst);
    INSIDE.set(before);
    done.unwrap_or_else(|payload| Err(super::damaged(format!("it cannot be decoded ({})", message(&*payload)))))
}

fn message(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("without a reason").trim()
}

/// Panics inside [`guarded`] are not printed; all others are, as before.
fn keep_quiet() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let decoding = GUARDED.load(Ordering::SeqCst) > 0
                && std::thread::current().name().is_some_and(|name| name.starts_with(DECODER));
            if !INSIDE.get() && !decoding {
                usual(info);
            }
        }));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error_with_its_message() {
        assert_eq!(guarded(|| Ok(3)), Ok(3));
        assert_eq!(guarded(|| Err::<(), _>("no".to_owned())), Err("no".to_owned()));
        let broken = guarded(|| -> Result<(), String> { panic!("index {} is wild", 7) }).unwrap_err();
        assert_eq!(broken, "the file is damaged: it cannot be decoded (index 7 is wild)");
    }
}
