//! Experiments, one a file: a question, the source's settings as defaults, and theory beside simulation.

use crate::bench::Bench;
use crate::conduct;
use crate::error::LabError;
use crate::outcome::Outcome;
use crate::settings::complete;
use fovea_core::params::{Assignments, Field};
use fovea_core::{ParamError, Params, registry};

/// An experiment is its settings: `Default` is the source's.
pub trait Experiment: Params + Send + Sync + 'static {
    /// The published size, where the defaults are reduced from it.
    const FULL: Option<Full<Self>> = None;

    /// A reduced setting that takes a few seconds.
    fn quick() -> Self;

    /// Runs it.
    ///
    /// # Errors
    /// A closed form has no value at these settings.
    fn run(&self, bench: &Bench<'_>) -> Result<Outcome, LabError>;
}

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

impl<E: Experiment> Prepared for E {
    fn settings(&self) -> Assignments {
        complete(&self.values(), &E::schema())
    }
    fn run(&self, bench: &Bench<'_>) -> Result<Outcome, LabError> {
        Experiment::run(self, bench)
    }
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

impl Row {
    /// The row of an experiment.
    pub const fn of<E: Experiment>(
        name: &'static str,
        summary: &'static str,
        about: &'static str,
    ) -> Self {
        let full = match &E::FULL {
            Some(full) => Some(full.takes),
            None => None,
        };
        Self { name, summary, about, schema: E::schema, full, prepare: prepare::<E> }
    }
}

impl Row {
    /// The row of an experiment that is conducted.
    pub const fn conducted<E: conduct::Experiment>(
        name: &'static str,
        summary: &'static str,
        about: &'static str,
    ) -> Self {
        let full = match &E::FULL {
            Some(full) => Some(full.takes),
            None => None,
        };
        let prepare = |size: Size, given: &Assignments| -> Result<Box<dyn Prepared>, ParamError> {
            let mut settings = match (size, E::FULL) {
                (Size::Quick, _) => E::quick(),
                (Size::Full, Some(full)) => (full.settings)(),
                (Size::Full | Size::Default, _) => E::default(),
            };
            for (key, value) in given {
                settings.assign(key, value)?;
            }
            settings.check()?;
            Ok(Box::new(conduct::Conducted(settings)))
        };
        Self { name, summary, about, schema: E::schema, full, prepare }
    }
}

/// Layers the assignments over the settings of a size and checks the rules across fields.
fn prepare<E: Experiment>(
    size: Size,
    given: &Assignments,
) -> Result<Box<dyn Prepared>, ParamError> {
    let mut settings = match (size, E::FULL) {
        (Size::Quick, _) => E::quick(),
        (Size::Full, Some(full)) => (full.settings)(),
        (Size::Full | Size::Default, _) => E::default(),
    };
    for (key, value) in given {
        settings.assign(key, value)?;
    }
    settings.check()?;
    Ok(Box::new(settings))
}

registry! {
    "src/experiments": Row;
    amplifier,
    criticality,
    cumulant_direction,
    deformation,
    depth_profile,
    dictator,
    early_time,
    elliptical_never_localizes,
    elliptical_panel,
    fields_2d,
    fig3_panels,
    finite_width_kurtosis,
    fourier_basis,
    gabor_or_not,
    gate_flips,
    gaussian_flow,
    gaussian_steady_state,
    handover,
    hundred_units,
    hypercube_bumps,
    ipr_vs_gain,
    ipr_vs_kurtosis,
    ising_transition,
    lazy_or_rich,
    learning_rate_limit,
    localize,
    loss_label_bias,
    marginals,
    moments,
    mup_transfer,
    nngp_width,
    noise_floor,
    ntk_angle,
    ntk_flow,
    phase_cells,
    phase_map,
    proof_bounds,
    reference_parity,
    relu_correlation,
    samples,
    scaling,
    sigmoid_committee,
    starting_loss,
    swapped_classes,
    tanh_decay,
    two_populations,
    uncertainty_in_time,
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
