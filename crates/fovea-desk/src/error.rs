//! Errors of the lab, with the next step for each.

use fovea_core::ParamError;
use fovea_core::params::nearest;
use fovea_core::stats::StatsError;
use fovea_core::symmetric::SymmetricError;
use fovea_record::RecordError;
use fovea_record::outcome::Status;
use fovea_theory::FormError;

/// Why an experiment could not be run or recorded.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// A setting cannot be used.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// A closed form has no value there.
    #[error(transparent)]
    Form(#[from] FormError),
    /// A sample cannot be described.
    #[error(transparent)]
    Stats(#[from] StatsError),
    /// A run was stopped or diverged; the driver turns it into a status.
    #[error("the run was not finished: {}", .0.word())]
    Unfinished(Status),
    /// No item of this kind has this name.
    #[error("there is no {kind} called `{name}`")]
    UnknownName {
        /// The kind of item.
        kind: &'static str,
        /// The name given.
        name: String,
        /// The names there are.
        known: Vec<&'static str>,
    },
    /// The name of a former experiment.
    #[error("`{name}` is no longer an experiment")]
    Moved {
        /// The name given.
        name: String,
        /// The command that does what it did.
        now: &'static str,
    },
    /// Something could not be read, written or drawn.
    #[error(transparent)]
    Record(RecordError),
    /// A check could not compute one of its sides.
    #[error("check `{name}`: {source}")]
    Check {
        /// The check.
        name: &'static str,
        /// What went wrong.
        source: Box<LabError>,
    },
}

/// A setting that cannot be used is the same error wherever it is read.
impl From<RecordError> for LabError {
    fn from(error: RecordError) -> Self {
        match error {
            RecordError::Param(error) => Self::Param(error),
            other => Self::Record(other),
        }
    }
}

/// A matrix without eigenvalues is a form without a value.
impl From<SymmetricError> for LabError {
    fn from(error: SymmetricError) -> Self {
        Self::Form(error.into())
    }
}

/// Settings that do not go together: what they are, and the next step for the user.
pub fn refused(what: impl Into<String>, hint: impl Into<String>) -> ParamError {
    ParamError::Inconsistent { what: what.into(), hint: hint.into() }
}

/// Refuses settings that do not go together.
///
/// # Errors
/// Always: what is wrong, and what would be right.
pub fn refuse<T>(what: impl Into<String>, hint: impl Into<String>) -> Result<T, ParamError> {
    Err(refused(what, hint))
}

impl LabError {
    /// The next step for the user.
    pub fn hint(&self) -> String {
        match self {
            Self::Param(error) => error.hint(),
            Self::Form(error) => error.hint(),
            Self::Unfinished(_) => "run it again".to_owned(),
            Self::Stats(_) => "run longer, or with more seeds".to_owned(),
            Self::UnknownName { name, known, kind } => match nearest(name, known) {
                Some(near) => format!("did you mean `{near}`?"),
                // More names than a person reads are better listed on request.
                None if known.len() > 40 => format!("`fovea list` names every {kind}"),
                None => format!("every {kind}: {}", known.join(", ")),
            },
            Self::Moved { now, .. } => format!("use `{now}` instead"),
            Self::Record(error) => error.hint(),
            Self::Check { source, .. } => source.hint(),
        }
    }
}
