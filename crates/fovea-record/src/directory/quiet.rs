//! Panics of a library that are caught: nobody need read them.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

thread_local! {
    /// Whether a panic of this thread is caught and said in our words.
    static CAUGHT: Cell<bool> = const { Cell::new(false) };
}

/// What `work` comes to; none where it panics, of which nothing is printed.
pub(super) fn quietly<T>(work: impl FnOnce() -> T) -> Option<T> {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let others = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if !CAUGHT.get() {
                others(panic);
            }
        }));
    });
    CAUGHT.set(true);
    let done = panic::catch_unwind(AssertUnwindSafe(work));
    CAUGHT.set(false);
    done.ok()
}
