//! Checks, one a file: claims of the notes, each with both sides computed apart.
//!
//! A check says which claims it covers and returns one [`Comparison`] for each. A registry test multiplies every
//! prediction by 1 plus the resolution of its comparison, and puts the source's own form in its place where the claim
//! corrects it: both must fail.

use fovea_core::registry;
use fovea_core::streams::Streams;
use fovea_desk::error::LabError;

pub use self::comparison::Comparison;

mod averaged;
pub mod by_hand;
pub mod comparison;
pub mod corners;
pub mod dense;
mod one_layer;
mod prelude;

/// One check.
pub struct Check {
    /// Its name.
    pub name: &'static str,
    /// One sentence.
    pub summary: &'static str,
    /// The claims it decides.
    pub covers: &'static [&'static str],
    /// Both sides of every claim it covers.
    pub run: fn(&Effort) -> Result<Vec<Comparison>, LabError>,
}

/// How much a check may spend, and its randomness.
pub struct Effort {
    /// The streams of every random draw.
    pub streams: Streams,
    /// A tenth of the samples.
    pub quick: bool,
}

impl Effort {
    /// How many samples to draw where `full` are asked for.
    pub fn samples(&self, full: usize) -> usize {
        if self.quick { full.div_ceil(10) } else { full }
    }
}

registry! {
    "src/check": Check, beside averaged, by_hand, comparison, corners, dense, one_layer, prelude;
    best_field,
    characteristic,
    committee,
    convergence_proof,
    criticality,
    drawn_gradients,
    drawn_networks,
    elliptical_and_pulse,
    field_modes,
    fields_and_coefficients,
    figure_one,
    first_step,
    fourier_basis,
    fourier_flow,
    gated_mean,
    half_space,
    hypercube,
    kernel_concentration,
    kernel_positivity,
    layer_recursion,
    learning_rates,
    law_of_the_data,
    localized_state,
    long_run,
    loss_and_labels,
    pair_moments,
    pair_vectors,
    sign_limit,
    squashed_field,
    steady_modes,
    symmetric_laws,
    tangent_descent,
    threshold_gates,
    tiling,
    training_limits,
    truncated_moments,
    uncertainty,
    wide_limit,
}
