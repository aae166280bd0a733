//! A Gaussian field with another marginal distribution.

use super::latent::transformed;
use super::{ClosedForm, Exact, SiteLaw, read};
use fovea_core::params::Assignments;
use fovea_sim::stimulus;
use fovea_sim::stimulus::copula::{Copula, Shape};
use fovea_theory::copula::{self, Marginal};

fn moments(values: &Assignments) -> Result<Exact, String> {
    let params: Copula = read(values)?;
    let marginal = match params.marginal {
        Shape::Uniform => Marginal::Uniform,
        Shape::Arcsine => Marginal::Arcsine,
        Shape::Laplace => Marginal::Laplace,
        Shape::Kur if params.k < 2.001 => {
            return Err(format!(
                "copula.cov refuses Kur({}): this close to 2 the tails overflow",
                params.k
            ));
        }
        Shape::Kur => Marginal::Kur { k: params.k },
        Shape::Custom => {
            return Err("copula.cov takes named marginals only, and `custom` is a table".to_owned());
        }
    };
    // The slope at 0 and the value at 1 belong to no integral: entries far apart are many, and 0.
    let cov = move |rho: f64| if rho.abs() > 0.0 { copula::cov::cov(marginal, rho) } else { 0.0 };
    Ok(transformed(&params.lattice, cov, SiteLaw::Copula(marginal)))
}

/// The registry row.
pub const ENTRY: ClosedForm = ClosedForm { name: stimulus::copula::ENTRY.name, moments };
