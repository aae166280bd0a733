//! COMPARE, the driver: what an experiment is, the conditions of a run, fleets, and the tools that experiments and checks share.
//!
//! This is the first room that sees theory and simulation. An experiment runs the simulator, evaluates the closed form,
//! measures the distance between the two and returns an outcome.

pub mod cell;
pub mod clock;
pub mod conditions;
pub mod conduct;
pub mod depth;
pub mod descent;
pub mod desk;
pub mod elliptical;
pub mod error;
pub mod exact;
pub mod experiment;
pub mod finished;
pub mod gains;
pub mod ipr_table;
pub mod kept;
pub mod memory;
pub mod prelude;
pub mod progress;
pub mod published;
pub mod rehearsal;
pub mod replicas;
pub mod runs;
pub mod shared_set;
pub mod showing;
pub mod spread;
mod stated;
pub mod threads;
pub mod two_class;
pub mod widths;

pub use conditions::{Conditions, Progress, Silent};
pub use conduct::Experiment;
pub use error::LabError;
pub use experiment::Prepared;
