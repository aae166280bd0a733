//! Means with standard errors.
