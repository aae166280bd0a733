//! Calls of a library that panics on damaged files: tried, with its own message suppressed.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    /// Whether this thread does work whose panics are expected.
    static UNDER_WAY: Cell<bool> = const { Cell::new(false) };
}

/// Does some work; `None` where it panicked.
pub fn attempt<R>(work: impl FnOnce() -> R) -> Option<R> {
    let before = UNDER_WAY.replace(true);
    let done = catch_unwind(AssertUnwindSafe(work));
    UNDER_WAY.set(before);
    done.ok()
}

/// Whether a panic of this thread is expected and will be handled: a shell's hook then prints nothing.
pub fn is_under_way() -> bool {
    UNDER_WAY.get()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_answered_and_known_as_expected_while_it_lasts() {
        assert!(!is_under_way());
        assert_eq!(attempt(is_under_way), Some(true));
        assert_eq!(attempt(|| assert!(!is_under_way(), "it is under way")), None);
        assert!(!is_under_way());
    }
}
