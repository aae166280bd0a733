//! Exit codes.

/// All went well.
pub(crate) const FINE: u8 = 0;
/// A claim failed or training diverged.
pub(crate) const FAILED: u8 = 1;
/// The command line cannot be used, or something cannot be read or written.
pub(crate) const USAGE: u8 = 2;
/// The user stopped it.
pub(crate) const INTERRUPTED: u8 = 130;
