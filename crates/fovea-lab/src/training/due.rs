//! When a checkpoint is due by time. The clock decides when one is kept and nothing that is recorded.

use fovea_desk::clock::now;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A checkpoint takes at most this share of the time.
const SHARE: u64 = 50;
/// Milliseconds between two readings of the clock: fewer slow down short steps, more make checkpoints late.
const LOOKS: std::ops::Range<u64> = 20..200;
/// Most steps between two readings of the clock.
const MOST_STEPS: u64 = 1 << 20;

/// Reads the clock now and then, and says when a checkpoint is due. All times are milliseconds since it began.
pub(super) struct Clock {
    began: Instant,
    /// Between two checkpoints.
    pause: AtomicU64,
    /// Of the last checkpoint.
    kept: AtomicU64,
    /// Of the last reading of the clock.
    looked: AtomicU64,
    /// Steps between two readings of the clock, and the step of the next one.
    stride: AtomicU64,
    next: AtomicU64,
}

impl Clock {
    /// Begins now; a checkpoint is due after each `pause`, or more rarely where keeping it takes long; without any pause, at every reading.
    pub(super) fn begin(pause: Duration) -> Self {
        let new = AtomicU64::new;
        let pause = new(pause.as_millis() as u64);
        let (kept, looked, stride, next) = (new(0), new(0), new(1), new(0));
        Self { began: now(), pause, kept, looked, stride, next }
    }

    /// Whether one is due after this many steps.
    pub(super) fn due(&self, step: u64) -> bool {
        if step < self.next.load(Ordering::Relaxed) {
            return false;
        }
        let time = self.time_now();
        let since = time - self.looked.swap(time, Ordering::Relaxed);
        let stride = self.stride.load(Ordering::Relaxed);
        let stride = match since {
            since if since < LOOKS.start => (2 * stride).min(MOST_STEPS),
            since if since > LOOKS.end => (stride / 2).max(1),
            _ => stride,
        };
        self.stride.store(stride, Ordering::Relaxed);
        self.next.store(step + stride, Ordering::Relaxed);
        time - self.kept.load(Ordering::Relaxed) >= self.pause.load(Ordering::Relaxed)
    }

    /// Keeps a checkpoint, and lets the next one wait the longer the longer this one takes.
    pub(super) fn time<T>(&self, keep: impl FnOnce() -> T) -> T {
        let before = self.time_now();
        let kept = keep();
        let after = self.time_now();
        self.kept.store(after, Ordering::Relaxed);
        if self.pause.load(Ordering::Relaxed) > 0 {
            self.pause.fetch_max(SHARE * (after - before), Ordering::Relaxed);
        }
        kept
    }

    fn time_now(&self) -> u64 {
        self.began.elapsed().as_millis() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_steps_are_not_timed_one_by_one_and_a_pause_is_kept() {
        let clock = Clock::begin(Duration::from_hours(1));
        assert!((0..1_000_000).all(|step| !clock.due(step)));
        assert!(clock.stride.load(Ordering::Relaxed) > 1000);
        let always = Clock::begin(Duration::ZERO);
        let due: Vec<u64> = (0..100).filter(|step| always.due(*step)).collect();
        assert_eq!(due, [0, 2, 6, 14, 30, 62]);
    }

    #[test]
    fn a_checkpoint_that_takes_long_is_followed_by_a_longer_pause() {
        let clock = Clock::begin(Duration::from_millis(1));
        clock.time(|| std::thread::sleep(Duration::from_millis(30)));
        assert!(clock.pause.load(Ordering::Relaxed) >= 30 * SHARE);
        assert!(!clock.due(0));
    }
}
