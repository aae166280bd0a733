//! Time as it would pass on a machine that does nothing else.
//!
//! Linux counts for every thread how long it ran and how long it was kept waiting for a processor. Elsewhere the time on
//! the clock is taken as it is.

use std::path::PathBuf;
use std::time::Instant;

#[expect(
    clippy::disallowed_methods,
    reason = "a rehearsal measures; nothing it measures is recorded"
)]
fn now() -> Instant {
    Instant::now()
}

/// Seconds that a thread ran and that it waited.
fn schedule(path: impl AsRef<std::path::Path>) -> Option<(f64, f64)> {
    let text = std::fs::read_to_string(path).ok()?;
    let mut numbers = text.split_whitespace().map_while(|word| word.parse::<f64>().ok());
    Some((numbers.next()? / 1e9, numbers.next()? / 1e9))
}

/// The beginning of some work of this thread alone.
pub struct Alone {
    began: Instant,
    waited: f64,
}

impl Alone {
    /// Begins now.
    pub fn begin() -> Self {
        Self { waited: Self::waited(), began: now() }
    }

    /// Seconds since then, without those spent waiting for a processor.
    pub fn seconds(&self) -> f64 {
        (self.on_the_clock() - (Self::waited() - self.waited)).max(0.0)
    }

    /// Seconds since then on the clock.
    pub fn on_the_clock(&self) -> f64 {
        self.began.elapsed().as_secs_f64()
    }

    fn waited() -> f64 {
        schedule("/proc/thread-self/schedstat").map_or(0.0, |(_, waited)| waited)
    }
}

/// The beginning of some work that all threads may share, and that this one waits for.
pub struct Together {
    began: Instant,
    /// Where the system keeps the count of the thread that began.
    own: PathBuf,
    waited_alone: f64,
    ran: f64,
    waited: f64,
}

/// Seconds of waiting that are nobody's but the clock's own.
const NOTHING: f64 = 1e-4;

impl Together {
    /// Begins now.
    pub fn begin() -> Self {
        let own = std::fs::read_link("/proc/thread-self").unwrap_or_default();
        let own = PathBuf::from("/proc").join(own).join("schedstat");
        let waited_alone = schedule(&own).map_or(0.0, |(_, waited)| waited);
        let (ran, waited) = Self::all();
        Self { began: now(), own, waited_alone, ran, waited }
    }

    /// Seconds since then, without those in which threads that could run did not.
    ///
    /// Where the one thread worked alone they are known. Where several did, their delays overlap in ways nobody counts, and
    /// the time is scaled by the share of it that they ran.
    pub fn seconds(&self) -> f64 {
        let seconds = self.began.elapsed().as_secs_f64();
        let (ran, waited) = Self::all();
        let (ran, waited) = ((ran - self.ran).max(0.0), (waited - self.waited).max(0.0));
        let alone = schedule(&self.own).map_or(0.0, |(_, waited)| waited - self.waited_alone);
        if waited - alone < NOTHING {
            return (seconds - alone).max(0.0);
        }
        if ran > 0.0 { seconds * ran / (ran + waited) } else { seconds }
    }

    /// What all threads of the program ran and waited.
    fn all() -> (f64, f64) {
        let Ok(threads) = std::fs::read_dir("/proc/self/task") else { return (0.0, 0.0) };
        let one = |thread: std::io::Result<std::fs::DirEntry>| {
            schedule(thread.ok()?.path().join("schedstat"))
        };
        threads.filter_map(one).fold((0.0, 0.0), |(ran, waited), (r, w)| (ran + r, waited + w))
    }
}

/// Seconds that the threads of the program have run until now, all together; none where the system does not say.
pub fn seconds_run() -> f64 {
    Together::all().0
}
