//! A Gaussian direction times a radius with another distribution.

use super::latent::{Latent, stationary};
use super::{ClosedForm, Exact, SiteLaw, Wrong, read};
use fovea_core::params::Assignments;
use fovea_sim::stimulus;
use fovea_sim::stimulus::elliptical::{Elliptical, Radius};
use fovea_theory::elliptical::Radial;

fn moments(values: &Assignments) -> Result<Exact, String> {
    let params: Elliptical = read(values)?;
    let n = params.lattice.shape().iter().product();
    let law = match params.radius {
        Radius::Student => Radial::Student { dof: params.dof },
        Radius::Laplace => Radial::Laplace,
        Radius::Shell => Radial::Shell,
        Radius::Ball => Radial::Ball,
        Radius::Power => Radial::Power { beta: params.beta },
        Radius::HalfLogistic => Radial::HalfLogistic,
        Radius::Quantile => {
            let why =
                "elliptical.excess_kurtosis takes named radii only, and `quantile` is a table";
            return Ok(stationary(&params.lattice, |rho| rho, SiteLaw::Unknown(why.to_owned())));
        }
    };
    let mut exact = stationary(&params.lattice, |rho| rho, SiteLaw::Elliptical { law, n });
    if let Radial::Student { dof } = law {
        let latent = Latent::new(&params.lattice);
        let scale = move |i, j| dof / (dof - 2.0) * latent.at(i, j);
        exact.wrong.insert(0, Wrong::new("the covariance used as the scale matrix", scale));
    }
    Ok(exact)
}

/// The registry row.
pub const ENTRY: ClosedForm = ClosedForm { name: stimulus::elliptical::ENTRY.name, moments };
