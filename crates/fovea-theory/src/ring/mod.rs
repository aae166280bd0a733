//! Eigenvalues of the ring covariance and the limit above which it is not a covariance.

use crate::Form;

fovea_core::registry! { "src/ring": Form; eigs, min_eig, critical_xi }
