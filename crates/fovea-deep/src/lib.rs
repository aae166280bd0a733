//! COMPARE, deep networks: experiments on initialization, width, kernels and learning rates, one per file or folder.

use fovea_core::registry;
use fovea_desk::experiment::Entry;

registry! {
    "src": Entry, beside lib;
    criticality,
    depth_profile,
    finite_width_kurtosis,
    lazy_or_rich,
    learning_rate_limit,
    mup_transfer,
    nngp_width,
    noise_floor,
    ntk_angle,
    ntk_flow,
    phase_map,
    proof_bounds,
    relu_correlation,
    tanh_decay,
}
