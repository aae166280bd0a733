//! The most that is read of files which may be as large as what was measured: shares of the memory there is.

/// Bytes of an array in its file, and of its numbers.
pub(super) fn array() -> u64 {
    free() / 4
}

/// Bytes of a report with its figures; what is read of it takes many times that.
pub(super) fn report() -> u64 {
    free() / 32
}

/// Bytes that the rows of a table may take, and its file.
pub(super) fn table() -> u64 {
    free() / 2
}

/// Bytes that programs can still have.
fn free() -> u64 {
    let ask = || {
        let text = std::fs::read_to_string("/proc/meminfo").ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
        Some(1024 * line.split_whitespace().next()?.parse::<u64>().ok()?)
    };
    ask().unwrap_or(1 << 32)
}
