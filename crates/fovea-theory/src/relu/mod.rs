//! One ReLU layer on Gaussian data: its flow, its loss, its stationary points.
//!
//! Labels 1 (class pos) and 0 (class neg), balanced; $`\hat y=\tfrac1K\sum_k\mathrm{ReLU}(\langle w_k,x\rangle)`$;
//! $`L=\tfrac12E(\hat y-y)^2`$. Flows carry every factor of that loss: $`\dot w=-\partial L/\partial w`$.

use crate::Form;

fovea_core::registry! {
    "src/relu": Form;
    f_gauss, flow_single, flow_fourier, flow_exact, loss, steady, stable_mode,
}
