//! The bench an experiment works at: its seed, its progress display and its stop switch.

use crate::rehearsal::Rehearsal;
use crate::runs::Runs;
use fovea_core::streams::Streams;
use fovea_sim::train::Director;
use fovea_sim::{Engine, Watch, crew};
use std::sync::atomic::{AtomicBool, Ordering};

pub use crate::progress::{Phase, Progress, Silent};

/// What an experiment gets besides its settings.
#[derive(Clone, Copy)]
pub struct Bench<'a> {
    /// The run's seed.
    pub seed: u64,
    /// The progress display.
    pub progress: &'a dyn Progress,
    /// Set from outside to end the run early.
    pub stop: &'a AtomicBool,
    /// Who rehearses the run; nobody where it is run in earnest.
    pub rehearsal: Option<&'a Rehearsal>,
    /// Who trains; the threads of this machine unless told otherwise.
    pub engine: Option<&'a dyn Engine>,
    /// Who is handed everything that is trained.
    pub keeper: Option<&'a dyn Keep>,
}

/// Someone who keeps what was trained.
pub trait Keep: Sync {
    /// Takes runs as they come.
    fn keep(&self, runs: &Runs);
}

impl<'a> Bench<'a> {
    /// A bench for a run in earnest.
    pub fn new(seed: u64, progress: &'a dyn Progress, stop: &'a AtomicBool) -> Self {
        Self { seed, progress, stop, rehearsal: None, engine: None, keeper: None }
    }

    /// A bench for a rehearsal.
    pub fn rehearsed(seed: u64, rehearsal: &'a Rehearsal, stop: &'a AtomicBool) -> Self {
        let bench = Self::new(seed, rehearsal, stop);
        Self { rehearsal: Some(rehearsal), engine: Some(rehearsal), ..bench }
    }

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
        match self.rehearsal {
            Some(rehearsal) => rehearsal.fleet(jobs.len(), |job| run(&jobs[job])),
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
        self.rehearsal.map(|rehearsal| rehearsal as &dyn Director)
    }
}
