//! A Gaussian with the moments of another stimulus.

use super::{ClosedForm, Exact, SiteLaw, exact, read};
use fovea_core::params::Assignments;
use fovea_sim::stimulus::{self, gaussian_clone::GaussianClone};
use std::sync::Arc;

fn moments(values: &Assignments) -> Result<Exact, String> {
    let params: GaussianClone = read(values)?;
    let base = exact(&params.base)?;
    let (mean, cov) = (base.mean.clone(), Arc::clone(&base.cov));
    let normal = move |i: usize| SiteLaw::Normal { mean: mean[i], std: cov(i, i).max(0.0).sqrt() };
    Ok(Exact { site: Arc::new(normal), gaussian: true, given_positive: None, ..base })
}

/// The registry row.
pub const ENTRY: ClosedForm = ClosedForm { name: stimulus::gaussian_clone::ENTRY.name, moments };
