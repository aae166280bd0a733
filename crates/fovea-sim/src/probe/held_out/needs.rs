//! What a probe needs of samples, and how these are named.

use super::super::Probe;
use crate::dynamics::{Pace, Samples};
use crate::task::{LookedAt, Target, Task};
use fovea_core::ParamError;

/// What a probe needs of samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Needs {
    /// Nothing: it uses the fields alone.
    Weights,
    /// Nothing: it uses biases or the readout.
    Network,
    /// The mean loss.
    Loss,
    /// The answers.
    Answers,
    /// The preactivations, class by class.
    Preactivations,
    /// The gates at every record so far.
    Gates,
    /// The mean loss on the training samples.
    TrainingLoss,
    /// The answers to the training samples.
    TrainingAnswers,
}

impl Needs {
    /// Whether one of these probes needs it.
    pub fn of(self, probes: &[&'static Probe]) -> bool {
        probes.iter().any(|probe| probe.needs == self)
    }

    /// Whether one of these probes uses the held-out set at all.
    pub fn samples(probes: &[&'static Probe]) -> bool {
        probes.iter().any(|probe| probe.needs > Self::Network)
    }

    /// Whether it is about the training samples, whatever is held out.
    pub(super) fn is_of_training(self) -> bool {
        matches!(self, Self::TrainingLoss | Self::TrainingAnswers)
    }

    /// The samples a reading is of, in words; `None` where it is not of samples, or where these are fresh ones.
    pub fn word(self, task: &Task) -> Option<&'static str> {
        if self.is_of_training() && !task.has_rows() {
            Some("training samples")
        } else if self.is_of_training() {
            LookedAt::Training.word()
        } else if self > Self::Network {
            task.looked_at().word()
        } else {
            None
        }
    }

    /// Refuses probes that mean nothing for a task at this pace.
    ///
    /// # Errors
    /// Accuracy where the target has no classes; a probe of the training samples where these are never the same twice.
    pub fn fit(probes: &[&'static Probe], task: &Task, pace: &Pace) -> Result<(), ParamError> {
        let refused = |what: String, hint: &str| {
            Err(ParamError::Inconsistent { what, hint: hint.to_owned() })
        };
        let endless = pace.samples == Samples::Fresh && !task.has_rows();
        for probe in probes {
            let answers = matches!(probe.needs, Self::Answers | Self::TrainingAnswers);
            if answers && task.target() == Target::SignChanges {
                let what = format!(
                    "the probe {} counts correct classes, and the target sign-changes has none",
                    probe.name
                );
                return refused(what, "leave it out, or choose the target label or one-hot");
            }
            if probe.needs.is_of_training() && endless {
                let what = format!(
                    "the probe {} is about the training samples, and here every step draws fresh samples",
                    probe.name
                );
                let hint = "leave it out: on fresh samples the probes loss and accuracy say the same; it is for rows of an array, and for samples = \"fixed\"";
                return refused(what, hint);
            }
        }
        Ok(())
    }
}
