//! Numerical integration with an error estimate.
