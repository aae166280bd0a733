//! Checks, one per file: claims of the notes, each with both sides computed independently.
//!
//! A check names the clauses it covers and returns one [`Comparison`] for each. It asks for its closed forms by name, and is run
//! again with each of them wrong; a test moves every prediction separately. Both must be noticed.

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
mod drawn;
pub mod effort;
mod one_layer;
mod one_unit;
mod prelude;
mod simulated_loss;

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
    "src/check": Check, beside averaged, by_hand, comparison, corners, decide, dense, drawn, effort, one_layer, one_unit,
        prelude, simulated_loss;
    absolute_loss,
    angles_alone,
    averages_or_positions,
    best_field,
    beyond_variances,
    both_orders,
    characteristic,
    committee,
    comparing_magnitudes,
    contraction,
    convergence_proof,
    copula_laws,
    criticality,
    crossings_and_tails,
    depth_laws,
    difference_in_means,
    drawn_gradients,
    drawn_networks,
    early_decay,
    elliptical_and_pulse,
    falling_rates,
    field_modes,
    fields_and_coefficients,
    figure_one,
    first_step,
    fourier_basis,
    fourier_flow,
    gate_expansions,
    gated_mean,
    gaussian_limit,
    half_space,
    hermite_coefficients,
    hidden_bias,
    hypercube,
    kernel_concentration,
    kernel_positivity,
    kernel_summands,
    largest_rates,
    law_of_the_data,
    layer_recursion,
    learning_rates,
    localized_state,
    logistic_units,
    long_run,
    loss_and_labels,
    marginals,
    matched_gaussian,
    mirrored_units,
    modes_of_the_flow,
    pair_moments,
    pair_vectors,
    random_variance,
    readout_arms,
    ring_uncertainty,
    separation_index,
    sign_bumps,
    sign_limit,
    squashed_bumps,
    squashed_field,
    starting_losses,
    steady_modes,
    sufficient_width,
    susceptibilities,
    symmetric_laws,
    tangent_descent,
    tangent_kernels,
    threshold_gates,
    tiling,
    torus_margins,
    trained_transient,
    trained_width,
    training_limits,
    translation,
    truncated_moments,
    uncertainty,
    variational_principle,
    where_it_ends,
    wide_limit,
}
