//! Initialization of deep networks: how kernels change from layer to layer, and where they neither grow nor shrink.

use crate::Form;

fovea_core::registry! { "src/criticality": Form; kernel, chi, recursion, solve, phase }

use crate::averages::Pair;
use fovea_core::params::{at_least, finite};
use fovea_core::{ParamError, Value, params};

params! {
    /// Two preactivations.
    pub struct PairArgs {
        /// Variance of the first preactivation.
        k_aa: f64 = 1.0, at_least(0.0), "";
        /// Variance of the second.
        k_bb: f64 = 1.0, at_least(0.0), "";
        /// Their covariance.
        k_ab: f64 = 0.5, finite(), "";
    }
}

impl PairArgs {
    /// The pair.
    pub fn pair(&self) -> Pair {
        Pair { aa: self.k_aa, bb: self.k_bb, ab: self.k_ab }
    }
}

/// A covariance is at most the root of the product of the variances.
///
/// # Errors
/// It is larger.
pub fn check_pair(pair: Pair) -> Result<(), ParamError> {
    let most = pair.size();
    if pair.ab.abs() <= most * (1.0 + 1e-15) {
        return Ok(());
    }
    Err(ParamError::Inconsistent {
        what: format!(
            "`k_ab` is {}, more than the root of k_aa k_bb = {} x {}",
            Value::Real(pair.ab),
            Value::Real(pair.aa),
            Value::Real(pair.bb)
        ),
        hint: format!("choose `k_ab` between {} and {}", Value::Real(-most), Value::Real(most)),
    })
}
