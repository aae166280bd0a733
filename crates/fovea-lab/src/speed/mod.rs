//! How fast training is, and what its estimators are worth.

pub mod estimators;
