//! Every experiment, whichever crate it lives in.

use fovea_desk::LabError;
pub use fovea_desk::conduct::Experiment;
pub use fovea_desk::experiment::{Full, Prepare, Prepared, Row, Size};
use std::sync::LazyLock;

/// Every registered experiment, by name.
pub static ALL: LazyLock<Vec<&'static Row>> = LazyLock::new(|| {
    let mut all = [fovea_fields::ALL, fovea_deep::ALL].concat();
    all.sort_by_key(|row| row.name);
    all
});

/// The experiment called `name`; underscores and hyphens are the same.
///
/// # Errors
/// There is none.
pub fn find(name: &str) -> Result<&'static Row, LabError> {
    let plain = name.replace('_', "-");
    ALL.iter().find(|row| row.name == plain).copied().ok_or_else(|| LabError::UnknownName {
        kind: "experiment",
        name: name.to_owned(),
        known: ALL.iter().map(|row| row.name).collect(),
    })
}
