//! Closed forms by name, with a suggestion where there is none.

use fovea_desk::error::LabError;
use fovea_theory::Form;

/// The form called `name`; dots, underscores and hyphens are the same.
///
/// # Errors
/// There is none.
pub fn find(name: &str) -> Result<&'static Form, LabError> {
    fovea_theory::form(name).ok_or_else(|| LabError::UnknownName {
        kind: "form",
        name: name.to_owned(),
        known: fovea_theory::forms().map(|form| form.name).collect(),
    })
}
