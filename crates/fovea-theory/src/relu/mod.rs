//! One ReLU layer on Gaussian or elliptical data: its flow, its loss, its stationary points.
//!
//! Labels 1 (class pos) and 0 (class neg), balanced; $`\hat y=\tfrac1K\sum_k\mathrm{ReLU}(\langle w_k,x\rangle)`$;
//! $`L=\tfrac12E(\hat y-y)^2`$. Flows carry every factor of that loss: $`\dot w=-\partial L/\partial w`$.

use crate::Form;

fovea_core::registry! {
    "src/relu": Form;
    f_gauss, f_elliptical, f_jacobian, flow_single, flow_fourier, flow_exact, flow_multi, loss, steady, stable_mode,
    relaxation, pair_moments, pair_vec, gate_agreement, order_parameters,
}
