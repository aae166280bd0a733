//! Every experiment, whichever crate it lives in.

use fovea_desk::LabError;
pub use fovea_desk::conduct::Experiment;
pub use fovea_desk::experiment::{Entry, Full, Prepare, Prepared, Size};
use std::sync::LazyLock;

/// Every registered experiment, by name.
pub static ALL: LazyLock<Vec<&'static Entry>> = LazyLock::new(|| {
    let mut all = [fovea_fields::ALL, fovea_deep::ALL].concat();
    all.sort_by_key(|row| row.name);
    all
});

/// What was an experiment once, and where it is now.
const MOVED: [(&str, &str); 1] = [("scaling", "fovea bench --only scaling")];

/// The error that says where an experiment went, for the name of one that is none any more.
pub fn moved(name: &str) -> Option<LabError> {
    let plain = name.replace('_', "-");
    let (_, now) = MOVED.into_iter().find(|(old, _)| *old == plain)?;
    Some(LabError::Moved { name: name.to_owned(), now })
}

/// The experiment called `name`; underscores and hyphens are the same.
///
/// # Errors
/// There is none.
pub fn find(name: &str) -> Result<&'static Entry, LabError> {
    let plain = name.replace('_', "-");
    let unknown = || LabError::UnknownName {
        kind: "experiment",
        name: name.to_owned(),
        known: ALL.iter().map(|row| row.name).collect(),
    };
    let found = ALL.iter().find(|row| row.name == plain).copied();
    found.ok_or_else(|| moved(name).unwrap_or_else(unknown))
}
