//! A Gaussian field.

use super::latent::stationary;
use super::{ClosedForm, Exact, SiteLaw, read};
use fovea_core::params::Assignments;
use fovea_sim::stimulus::{self, gaussian::Gaussian};

fn moments(values: &Assignments) -> Result<Exact, String> {
    let Gaussian { lattice } = read(values)?;
    let site = SiteLaw::Normal { mean: 0.0, std: 1.0 };
    Ok(Exact { gaussian: true, ..stationary(&lattice, |rho| rho, site) })
}

/// The registry row.
pub const ENTRY: ClosedForm = ClosedForm { name: stimulus::gaussian::ENTRY.name, moments };
