//! Eigenvalues of the ring covariance and the limit beyond which it is none.

use crate::Form;

fovea_core::registry! { "src/ring": Form; eigs, min_eig, critical_xi }
