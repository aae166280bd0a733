//! What an experiment is: a question, the source's settings as defaults, and theory beside simulation.

use crate::bench::Bench;
use crate::error::LabError;
use fovea_core::ParamError;
use fovea_core::params::{Assignments, Field};
use fovea_record::outcome::Outcome;

/// The published size of an experiment.
pub struct Full<E> {
    /// Its settings.
    pub settings: fn() -> E,
    /// How long they take on two cores by estimate, in words.
    pub takes: &'static str,
}

/// Which settings an experiment starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// A few seconds.
    Quick,
    /// The defaults.
    Default,
    /// The published size.
    Full,
}

/// An experiment with all settings resolved and checked.
pub trait Prepared: Send + Sync {
    /// Every setting.
    fn settings(&self) -> Assignments;

    /// Runs it.
    ///
    /// # Errors
    /// A closed form has no value at these settings.
    fn run(&self, bench: &Bench<'_>) -> Result<Outcome, LabError>;
}

/// Makes an experiment from the settings of a size and assignments in order.
pub type Prepare = fn(Size, &Assignments) -> Result<Box<dyn Prepared>, ParamError>;

/// A registered experiment.
pub struct Row {
    /// The name in the shells.
    pub name: &'static str,
    /// One sentence.
    pub summary: &'static str,
    /// The question it asks, the prediction and what would falsify it.
    pub about: &'static str,
    /// Every setting with its documentation, range, unit and default.
    pub schema: fn() -> Vec<Field>,
    /// How long the published size takes, where the defaults are reduced from it.
    pub full: Option<&'static str>,
    /// How it is made.
    pub prepare: Prepare,
}
