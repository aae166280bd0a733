//! COMPARE: experiments, claims, records, figures and reports: the first room that sees theory and simulation.
//!
//! An experiment runs the simulator, evaluates the closed form, measures the distance between the two and hands back an
//! [`Outcome`]; [`record`] writes it to a run directory. Shells loop over [`catalogue()`].

pub mod bench;
pub mod bound;
pub mod catalogue;
pub mod cell;
pub mod check;
pub mod claim;
pub mod claims;
pub mod compare;
pub mod config;
pub mod conduct;
pub mod convert;
pub mod depth;
pub mod desk;
pub mod error;
pub mod exact;
pub mod experiments;
pub mod figure;
pub mod fleet;
pub mod flow;
pub mod forms;
pub mod ipr_table;
pub mod measure;
pub mod memory;
pub mod outcome;
pub mod prelude;
pub mod present;
pub mod published;
pub mod record;
pub mod rehearsal;
pub mod replicas;
pub mod report;
pub mod runs;
pub mod settings;
pub mod shared_set;
pub mod speed;
pub mod tiles;
pub mod training;
pub mod two_class;
pub mod verify;
pub mod widths;

pub use bench::{Bench, Progress, Silent};
pub use catalogue::catalogue;
pub use claim::{Claim, Control, Verdict};
pub use error::LabError;
pub use experiments::{Experiment, Prepared};
pub use outcome::{Array, Outcome, Series, Status};
