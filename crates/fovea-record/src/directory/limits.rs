//! Limits for files that may be as large as what was measured: shares of the available memory.

use crate::memory::budget;

/// Bytes of an array in its file, and of its numbers.
pub(super) fn array() -> u64 {
    budget().bytes / 4
}

/// Bytes of a report with its figures; what is read of it takes many times that.
pub(super) fn report() -> u64 {
    budget().bytes / 32
}

/// Bytes that the rows of a table may take, and its file.
pub(super) fn table() -> u64 {
    budget().bytes / 2
}
