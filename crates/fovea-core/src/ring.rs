//! The ring: distance, covariance kernels and their eigenvalues.
