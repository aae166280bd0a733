//! The bench an experiment works at: its seed, its progress display and its stop switch.

use crate::runs::Runs;
use fovea_core::streams::Streams;
use fovea_sim::train::Director;
use fovea_sim::{Engine, Watch, crew};
use std::sync::atomic::{AtomicBool, Ordering};

/// What is being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Networks are trained; a step is a training step.
    Train,
    /// Something is computed of them; a step is a part of that.
    Measure,
}

impl Phase {
    /// What a person is told.
    pub fn word(self) -> &'static str {
        match self {
            Self::Train => "training",
            Self::Measure => "measuring",
        }
    }
}

/// Someone who is told how far a run has come.
pub trait Progress: Sync {
    /// A phase of so many steps begins; all steps of the one before were taken, unless the run is ending.
    fn phase(&self, phase: Phase, steps: u64);
    /// `steps` steps more will be taken.
    fn expect(&self, steps: u64);
    /// One step was taken.
    fn stepped(&self);
}

/// Progress that nobody sees.
pub struct Silent;

impl Progress for Silent {
    fn phase(&self, _: Phase, _: u64) {}
    fn expect(&self, _: u64) {}
    fn stepped(&self) {}
}

/// Whoever runs an experiment without running it in earnest: every training takes some of its steps only.
pub trait Rehearse: Director {
    /// Runs the jobs of a fleet, `run(0)` to `run(count - 1)`, and adds what all of them would take.
    fn conduct(&self, count: usize, run: &(dyn Fn(usize) + Sync));
    /// Bytes more that the run would write beside what its outcome holds.
    fn writes_beside(&self, bytes: u64);
}

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
    pub rehearsal: Option<&'a dyn Rehearse>,
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

    /// The same bench for a rehearsal.
    #[must_use]
    pub fn rehearsed_by(self, rehearsal: &'a dyn Rehearse) -> Self {
        Self { rehearsal: Some(rehearsal), ..self }
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
            Some(rehearsal) => {
                let runner =
                    |count: usize, run: &(dyn Fn(usize) + Sync)| rehearsal.conduct(count, run);
                crew::gather(jobs.len(), |job| run(&jobs[job]), &runner)
            }
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
