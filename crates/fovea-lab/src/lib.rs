//! COMPARE, the one face that the shells see: catalogue, training files and verification, and what lies below them.
//!
//! Shells loop over [`catalogue()`]; everything they name is found here, whichever crate it lives in.

pub mod catalogue;
pub mod experiments;
pub mod flow;
pub mod forms;
pub mod measure;
pub mod training;
pub mod verify;

pub use fovea_checks::{check, claims};
pub use fovea_desk::{
    clock, conditions, error, exact, finished, kept, memory, rehearsal, threads, two_class, widths,
};
pub use fovea_page::{figure, report, table};
pub use fovea_record::directory as record;
pub use fovea_record::{
    attempt, claim, compare, complete, config, convert, outcome, present, settings,
};
pub use fovea_speed as speed;

pub use catalogue::catalogue;
pub use fovea_desk::{Conditions, Experiment, LabError, Prepared, Progress, Silent};
pub use fovea_record::{Array, Claim, Control, Decision, Outcome, RecordError, Series, Status};
