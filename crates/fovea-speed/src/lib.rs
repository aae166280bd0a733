//! `fovea bench`: how fast this machine samples data and trains networks, compared with its peak.
//!
//! A row is one piece of work and how often it is done in a second. One-core rows run on one thread pinned to one core and
//! are timed by its CPU time; rows that use every core are timed by the clock on the wall. [`against`] lets other programs
//! take turns with ours on the same core.

pub mod against;
mod chosen;
pub mod clock;
mod eigen;
pub mod estimators;
pub mod gradient;
pub mod measure;
pub mod network;
mod peak;
pub mod row;
mod rows;
pub mod sampler;
pub mod scaling;
pub mod stats;
pub mod step;
pub mod table;
pub mod tangent;
pub mod workload;

pub use measure::{Machine, Measurements, Setting, measure};
pub use row::{Cores, Measured, Path, Relate, Relation, Row, Work};
pub use sampler::path_of;
pub use stats::Summary;
pub use table::{Told, to_json, told};

use chosen::chosen;
use fovea_desk::error::LabError;

/// Every row, in the order of the table; a row that is compared with others comes after them.
pub fn rows() -> Vec<Row> {
    [
        peak::rows(),
        sampler::rows(),
        rows::rows(),
        step::rows(),
        scaling::rows(),
        network::rows(),
        gradient::rows(),
        tangent::rows(),
        eigen::rows(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The rows with these names, or whose names begin so; all where no name is given.
///
/// # Errors
/// No row has such a name.
pub fn select(names: &[String]) -> Result<Vec<Row>, LabError> {
    let mut rows = rows();
    let all: Vec<String> = rows.iter().map(|row| row.name.clone()).collect();
    let chosen = chosen("row", &all, names)?;
    rows.retain(|row| chosen.contains(&row.name));
    Ok(rows)
}
