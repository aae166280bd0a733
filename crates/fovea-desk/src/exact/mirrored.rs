//! Samples and their mirror images: both have the distribution of the base.

use super::{ClosedForm, Exact, exact, read};
use fovea_core::params::Assignments;
use fovea_sim::stimulus::{self, mirrored::Mirrored};

/// The moments of the base.
fn moments(values: &Assignments) -> Result<Exact, String> {
    exact(&read::<Mirrored>(values)?.base)
}

/// The registry row.
pub const ENTRY: ClosedForm = ClosedForm { name: stimulus::mirrored::ENTRY.name, moments };
