//! `fovea bench`: how fast this machine draws samples and trains networks, and how near that is to what it could do.
//!
//! A row is one piece of work and how often it is done in a second. One-core rows run on one thread pinned to one core and
//! are timed by its CPU time; rows that use every core are timed by the clock on the wall. [`against`] lets other programs
//! take turns with ours on the same core.

pub mod against;
pub mod clock;
pub mod estimators;
pub mod gradient;
pub mod measure;
pub mod network;
mod peak;
pub mod row;
mod rows;
pub mod sampler;
pub mod stats;
pub mod step;
pub mod table;
pub mod tangent;
pub mod workload;

pub use measure::{Machine, Setting, Table, measure};
pub use row::{Cores, Measured, Path, Relate, Relation, Row, Work};
pub use sampler::path_of;
pub use stats::Summary;
pub use table::{lines, to_json};

use fovea_core::ParamError;
use fovea_core::params::nearest;
use fovea_desk::error::LabError;

/// Every row, in the order of the table; one that relates itself to others stands behind them.
pub fn rows() -> Vec<Row> {
    [
        peak::rows(),
        sampler::rows(),
        rows::rows(),
        step::rows(),
        network::rows(),
        gradient::rows(),
        tangent::rows(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The rows called so, or whose name begins so; all where no name is given.
///
/// # Errors
/// No row is called so.
pub fn select(names: &[String]) -> Result<Vec<Row>, LabError> {
    let mut rows = rows();
    let all: Vec<String> = rows.iter().map(|row| row.name.clone()).collect();
    let chosen = chosen("row", &all, names)?;
    rows.retain(|row| chosen.contains(&row.name));
    Ok(rows)
}

/// Which of `all` are named: by their whole name, or several by its beginning.
fn chosen(kind: &str, all: &[String], names: &[String]) -> Result<Vec<String>, LabError> {
    if names.is_empty() {
        return Ok(all.to_vec());
    }
    let mut chosen = Vec::new();
    for name in names {
        let spelled = name.replace('_', "-");
        let begins = |other: &&String| !spelled.is_empty() && other.starts_with(&spelled);
        let mut found: Vec<String> =
            all.iter().filter(|other| **other == spelled).cloned().collect();
        if found.is_empty() {
            found = all.iter().filter(begins).cloned().collect();
        }
        if found.is_empty() {
            let known: Vec<&str> = all.iter().map(String::as_str).collect();
            let hint = match nearest(&spelled, &known) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("every {kind}: {}", known.join(", ")),
            };
            let what = format!("there is no {kind} of the benchmark called `{name}`");
            return Err(LabError::Param(ParamError::Inconsistent { what, hint }));
        }
        chosen.extend(found);
    }
    Ok(chosen)
}
