//! Checks, one a file: claims of the notes, each with both sides computed apart.
//!
//! A check says which clauses it covers and returns one [`Comparison`] for each. It asks for its closed forms by name, and is run
//! again with each of them wrong; a test moves every prediction by itself. Both must be noticed.

use fovea_core::registry;
use fovea_desk::error::LabError;

pub use self::comparison::Comparison;
pub use self::decide::decide;
pub use self::effort::{Effort, Slip};

mod averaged;
pub mod by_hand;
pub mod comparison;
pub mod corners;
mod decide;
pub mod dense;
pub mod effort;
mod one_layer;
mod prelude;

/// One check.
pub struct Check {
    /// Its name.
    pub name: &'static str,
    /// One sentence.
    pub summary: &'static str,
    /// The clauses it decides.
    pub covers: &'static [&'static str],
    /// Both sides of every clause it covers.
    pub run: fn(&Effort) -> Result<Vec<Comparison>, LabError>,
}

registry! {
    "src/check": Check, beside averaged, by_hand, comparison, corners, decide, dense, effort, one_layer, prelude;
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
    hermite_coefficients,
    hypercube,
    kernel_concentration,
    kernel_positivity,
    kernel_summands,
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
    sufficient_width,
    symmetric_laws,
    tangent_descent,
    tangent_kernels,
    threshold_gates,
    tiling,
    trained_transient,
    training_limits,
    truncated_moments,
    uncertainty,
    wide_limit,
}
