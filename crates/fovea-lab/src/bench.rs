//! The bench an experiment works at: its seed, its progress display and its stop switch.

use crate::rehearsal::Rehearsal;
use fovea_core::streams::Streams;
use fovea_sim::train::Director;
use fovea_sim::{Watch, crew};
use std::sync::atomic::{AtomicBool, Ordering};

/// Someone who is told how far a run has come.
pub trait Progress: Sync {
    /// `steps` steps more will be taken.
    fn expect(&self, steps: u64);
    /// `steps` training steps more will be taken, after other work.
    fn expect_training(&self, steps: u64) {
        self.expect(steps);
    }
    /// One step was taken.
    fn stepped(&self);
    /// The rehearsal that this is, where nothing is run in earnest.
    fn rehearsal(&self) -> Option<&Rehearsal> {
        None
    }
}

/// Progress that nobody sees.
pub struct Silent;

impl Progress for Silent {
    fn expect(&self, _: u64) {}
    fn stepped(&self) {}
}

/// What an experiment gets besides its settings.
pub struct Bench<'a> {
    /// The run's seed.
    pub seed: u64,
    /// The progress display.
    pub progress: &'a dyn Progress,
    /// Set from outside to end the run early.
    pub stop: &'a AtomicBool,
}

impl Bench<'_> {
    /// The run's random streams.
    pub fn streams(&self) -> Streams {
        Streams::new(self.seed)
    }

    /// Runs independent jobs over all threads; results come back in the order of the jobs.
    pub fn fleet<J: Sync, R: Send>(
        &self,
        jobs: &[J],
        run: impl Fn(&J) -> R + Sync + Send,
    ) -> Vec<R> {
        match self.progress.rehearsal() {
            Some(rehearsal) => rehearsal.fleet(jobs, run),
            None => crew::fleet(jobs, run),
        }
    }
}

impl Watch for Bench<'_> {
    fn stepped(&self) {
        self.progress.stepped();
    }
    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
    fn director(&self) -> Option<&dyn Director> {
        self.progress.rehearsal().map(|rehearsal| rehearsal as &dyn Director)
    }
}
