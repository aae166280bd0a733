//! Experiments, one a file: a question, the source's settings as defaults, and theory beside simulation.

use crate::bench::Bench;
use crate::error::LabError;
use crate::outcome::Outcome;
use crate::settings::complete;
use fovea_core::params::{Assignments, Field};
use fovea_core::{ParamError, Params, registry};

/// An experiment is its settings: `Default` is the source's.
pub trait Experiment: Params + Send + Sync + 'static {
    /// A reduced setting that takes a few seconds.
    fn quick() -> Self;

    /// Runs it.
    ///
    /// # Errors
    /// A closed form has no value at these settings.
    fn run(&self, bench: &Bench<'_>) -> Result<Outcome, LabError>;
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

impl<E: Experiment> Prepared for E {
    fn settings(&self) -> Assignments {
        complete(&self.values(), &E::schema())
    }
    fn run(&self, bench: &Bench<'_>) -> Result<Outcome, LabError> {
        Experiment::run(self, bench)
    }
}

/// Makes an experiment from its defaults (or its quick settings, where true) and assignments in order.
pub type Prepare = fn(bool, &Assignments) -> Result<Box<dyn Prepared>, ParamError>;

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
    /// How it is made.
    pub prepare: Prepare,
}

impl Row {
    /// The row of an experiment.
    pub const fn of<E: Experiment>(
        name: &'static str,
        summary: &'static str,
        about: &'static str,
    ) -> Self {
        Self { name, summary, about, schema: E::schema, prepare: prepare::<E> }
    }
}

/// Layers the assignments over the defaults (or the quick settings) and checks the rules across fields.
fn prepare<E: Experiment>(
    quick: bool,
    given: &Assignments,
) -> Result<Box<dyn Prepared>, ParamError> {
    let mut settings = if quick { E::quick() } else { E::default() };
    for (key, value) in given {
        settings.assign(key, value)?;
    }
    settings.check()?;
    Ok(Box::new(settings))
}

registry! {
    "src/experiments": Row;
    amplifier,
    cumulant_direction,
    dictator,
    elliptical_never_localizes,
    fourier_basis,
    gaussian_flow,
    gaussian_steady_state,
    handover,
    hypercube_bumps,
    ising_transition,
    localize,
    loss_label_bias,
    marginals,
    moments,
    phase_cells,
    reference_parity,
    samples,
    starting_loss,
    swapped_classes,
    where_it_lands,
}

/// The experiment called `name`; underscores and hyphens are the same.
///
/// # Errors
/// There is none.
pub fn find(name: &str) -> Result<&'static Row, LabError> {
    let plain = name.replace('_', "-");
    ALL.iter().find(|row| row.name == plain).copied().ok_or_else(|| LabError::UnknownName {
        kind: "experiment",
        name: name.to_owned(),
        known: ALL.iter().map(|row| row.name).collect(),
    })
}
