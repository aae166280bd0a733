//! The nonlinear Gaussian process.

use super::latent::squashed;
use super::{ClosedForm, Exact, read};
use fovea_core::params::Assignments;
use fovea_sim::stimulus::{self, nlgp::Nlgp};

fn moments(values: &Assignments) -> Result<Exact, String> {
    let Nlgp { lattice, gain } = read(values)?;
    Ok(squashed(&lattice, gain))
}

/// The registry row.
pub const ENTRY: ClosedForm = ClosedForm { name: stimulus::nlgp::ENTRY.name, moments };
