//! The sign of a Gaussian field, the nonlinear process at infinite gain.

use super::latent::squashed;
use super::{ClosedForm, Exact, read};
use fovea_core::params::Assignments;
use fovea_sim::stimulus::{self, sign::Sign};

fn moments(values: &Assignments) -> Result<Exact, String> {
    let Sign { lattice } = read(values)?;
    Ok(squashed(&lattice, f64::INFINITY))
}

/// The registry row.
pub const ENTRY: ClosedForm = ClosedForm { name: stimulus::sign::ENTRY.name, moments };
