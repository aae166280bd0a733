//! Rows and workloads by name.

use fovea_core::ParamError;
use fovea_core::params::nearest;
use fovea_desk::error::LabError;

/// Which of `all` are named: by their whole name, or several by its beginning.
pub(crate) fn chosen(
    kind: &str,
    all: &[String],
    names: &[String],
) -> Result<Vec<String>, LabError> {
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
