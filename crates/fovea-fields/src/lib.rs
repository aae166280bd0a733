//! COMPARE, receptive fields: experiments on networks with one hidden layer, one per file.

use fovea_core::registry;
use fovea_desk::experiment::Entry;

registry! {
    "src": Entry, beside lib;
    amplifier,
    cumulant_direction,
    deformation,
    dictator,
    early_time,
    elliptical_never_localizes,
    elliptical_panel,
    fields_2d,
    fig3_panels,
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
    localize,
    loss_label_bias,
    marginals,
    moments,
    phase_cells,
    reference_parity,
    repel_or_pair,
    samples,
    sigmoid_committee,
    starting_loss,
    swapped_classes,
    two_populations,
    uncertainty_in_time,
    where_it_lands,
}
