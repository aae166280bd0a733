//! COMPARE, what is kept: run directories and their formats, the outcome of an experiment, and the comparison of records.
//!
//! An experiment returns an [`Outcome`]; [`directory`] writes it to a run directory and reads it again.

pub mod attempt;
pub mod bound;
pub mod claim;
pub mod compare;
pub mod complete;
pub mod config;
pub mod convert;
pub mod directory;
pub mod error;
pub mod memory;
pub mod outcome;
pub mod present;
pub mod settings;

pub use claim::{Claim, Control, Decision};
pub use error::RecordError;
pub use outcome::{Array, Outcome, Series, Status};
