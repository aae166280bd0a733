//! Steppers for ordinary differential equations.
