//! Time as it would pass on an idle machine.
//!
//! Linux counts how long every thread ran and how long it waited for a processor. Elsewhere the wall time is used.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::time::Instant;

/// The time now.
#[expect(
    clippy::disallowed_methods,
    reason = "rehearsals and benchmarks measure time, and a display shows it; none of it is recorded"
)]
pub fn now() -> Instant {
    Instant::now()
}

#[cfg(target_os = "linux")]
mod system {
    use rustix::time::{ClockId, clock_gettime};

    fn seconds(clock: ClockId) -> Option<f64> {
        let time = clock_gettime(clock);
        Some(time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64)
    }

    /// Seconds that this thread has run until now.
    pub fn thread_seconds() -> Option<f64> {
        seconds(ClockId::ThreadCPUTime)
    }

    /// Seconds that the threads of the program have run until now, all together.
    pub fn process_seconds() -> Option<f64> {
        seconds(ClockId::ProcessCPUTime)
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    /// Seconds that this thread has run until now; unknown here.
    pub fn thread_seconds() -> Option<f64> {
        None
    }

    /// Seconds that the threads of the program have run until now; unknown here.
    pub fn process_seconds() -> Option<f64> {
        None
    }
}

pub use system::{process_seconds, thread_seconds};

/// The beginning of some work of this thread alone.
pub struct Alone {
    began: Instant,
    ran: Option<f64>,
}

impl Alone {
    /// Begins now.
    pub fn begin() -> Self {
        Self { began: now(), ran: thread_seconds() }
    }

    /// Seconds since then in which the thread ran; it must be the one that began.
    pub fn seconds(&self) -> f64 {
        let ran = self.ran.and_then(|before| Some(thread_seconds()? - before));
        ran.unwrap_or_else(|| self.began.elapsed().as_secs_f64())
    }
}

/// The beginning of some work that all threads may share.
pub struct Together {
    began: Instant,
    ran: f64,
    waited: BTreeMap<OsString, f64>,
}

impl Together {
    /// Begins now.
    pub fn begin() -> Self {
        Self { began: now(), ran: process_seconds().unwrap_or(0.0), waited: waited() }
    }

    /// Seconds since then, without those in which threads waited for a processor. Their delays overlap in unknown ways,
    /// so the time is scaled by the share of it in which they ran.
    pub fn seconds(&self) -> f64 {
        let seconds = self.began.elapsed().as_secs_f64();
        let ran = process_seconds().unwrap_or(0.0) - self.ran;
        let before = |thread: &OsString| self.waited.get(thread).unwrap_or(&0.0);
        let waited: f64 = waited().iter().map(|(thread, now)| now - before(thread)).sum();
        if ran > 0.0 { seconds * ran / (ran + waited) } else { seconds }
    }
}

/// Seconds that each live thread of the program waited for a processor.
fn waited() -> BTreeMap<OsString, f64> {
    let Ok(threads) = std::fs::read_dir("/proc/self/task") else { return BTreeMap::new() };
    let one = |thread: std::io::Result<std::fs::DirEntry>| {
        let thread = thread.ok()?;
        let text = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
        let nanoseconds: f64 = text.split_whitespace().nth(1)?.parse().ok()?;
        Some((thread.file_name(), nanoseconds / 1e9))
    };
    threads.filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_s_time_grows_while_it_works() {
        let (began, before) = (now(), thread_seconds());
        while began.elapsed().as_secs_f64() < 0.02 {}
        if let (Some(before), Some(after)) = (before, thread_seconds()) {
            assert!(after > before);
        }
    }
}
