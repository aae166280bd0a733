//! The progress of a run, as it is reported.

/// What is being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Networks are trained; a step is a training step.
    Train,
    /// Something is computed from them; a step is a part of that.
    Measure,
}

impl Phase {
    /// The word that is shown.
    pub fn word(self) -> &'static str {
        match self {
            Self::Train => "training",
            Self::Measure => "measuring",
        }
    }
}

/// Receives the progress of a run.
pub trait Progress: Sync {
    /// A phase of `steps` steps begins; all steps of the one before were taken, unless the run is ending.
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
