//! The conditions of a run: its seed, its progress display, its stop switch, and its engine.

use crate::rehearsal::Rehearsal;
use crate::runs::Runs;
use fovea_core::streams::Streams;
use fovea_core::work::{Stopped, until};
use fovea_sim::train::Director;
use fovea_sim::{Watch, crew};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

pub use crate::progress::{Phase, Progress, Silent};
pub use fovea_sim::Engine;

/// What an experiment gets in addition to its settings: see NOTATION.
#[derive(Clone, Copy)]
pub struct Conditions<'a> {
    /// The run's seed.
    pub seed: u64,
    /// The progress display.
    pub progress: &'a dyn Progress,
    /// Set from outside to end the run early.
    pub stop: &'a AtomicBool,
    /// The same, where it is checked not only between steps and parts but inside them.
    pub within: Option<&'a Arc<AtomicBool>>,
    /// What rehearses the run, in a dry run.
    pub rehearsal: Option<&'a Rehearsal>,
    /// What trains; by default the threads of this machine.
    pub engine: Option<&'a dyn Engine>,
    /// What receives everything that is trained.
    pub keeper: Option<&'a dyn Keep>,
}

/// Something that keeps what was trained.
pub trait Keep: Sync {
    /// Receives runs as they end.
    fn keep(&self, runs: &Runs);
}

impl<'a> Conditions<'a> {
    /// Those of a real run.
    pub fn new(seed: u64, progress: &'a dyn Progress, stop: &'a AtomicBool) -> Self {
        let (within, rehearsal, engine, keeper) = (None, None, None, None);
        Self { seed, progress, stop, within, rehearsal, engine, keeper }
    }

    /// The same conditions with this stop switch, which is also checked inside steps, records and closed forms.
    #[must_use]
    pub fn heard_within(self, stop: &'a Arc<AtomicBool>) -> Self {
        Self { stop, within: Some(stop), ..self }
    }

    /// Does work that may be stopped at any point.
    ///
    /// # Errors
    /// It was.
    pub fn unless_stopped<T>(&self, work: impl FnOnce() -> T) -> Result<T, Stopped> {
        match self.within {
            Some(stop) => until(stop, work),
            None => Ok(work()),
        }
    }

    /// Those of a rehearsal.
    pub fn rehearsed(seed: u64, rehearsal: &'a Rehearsal, stop: &'a AtomicBool) -> Self {
        let conditions = Self::new(seed, rehearsal, stop);
        Self { rehearsal: Some(rehearsal), engine: Some(rehearsal), ..conditions }
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

impl Watch for Conditions<'_> {
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
