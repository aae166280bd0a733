//! The nonlinear Gaussian process given some of its sites.

use super::latent::Latent;
use super::{ClosedForm, Exact, SiteLaw, Wrong, control, read, small_enough};
use fovea_core::Value;
use fovea_core::params::{Assignments, ParamType};
use fovea_core::special::inv_erf;
use fovea_sim::stimulus::{self, conditional::Conditional};
use fovea_theory::conditional::{self, nlgp::nlgp};
use fovea_theory::nlgp::cov::cov;
use fovea_theory::nlgp::normalizer::normalizer;
use std::sync::Arc;

fn moments(values: &Assignments) -> Result<Exact, String> {
    let params: Conditional = read(values)?;
    let (lattice, gain) = (&params.lattice, params.gain);
    if lattice.dim > 1 {
        return Err("conditional.nlgp is written for a ring, not for a torus".to_owned());
    }
    small_enough(lattice.n)?;
    let latent = Latent::new(lattice);
    let given = nlgp(&latent.row, gain, &params.sites, &params.values)
        .map_err(|error| error.to_string())?;
    let numbers = |list: &[usize]| list.iter().map(|i| *i as f64).collect::<Vec<f64>>();
    let arguments = vec![
        ("n".to_owned(), Value::Int(lattice.n as i64)),
        ("xi".to_owned(), Value::Real(lattice.xi)),
        ("kernel".to_owned(), lattice.kernel.write()),
        ("gain".to_owned(), Value::Real(gain)),
        ("sites".to_owned(), Value::reals(&numbers(&params.sites))),
        ("values".to_owned(), Value::reals(&params.values)),
    ];
    let regression = control("conditional.nlgp", &arguments).filter(|_| lattice.waves == 0);
    let regression = regression.and_then(|(what, value)| {
        let cov = Vec::<Vec<f64>>::read(value.get("cov")?)?;
        Some(Wrong::new(what, move |i, j| cov[i][j]))
    });
    let free = {
        let latent = latent.clone();
        Wrong::new("the covariance without conditioning", move |i, j| cov(latent.at(i, j), gain))
    };
    let wrong = regression.into_iter().chain([free]).collect();
    let mut known = Exact::uneven(given.mean, given.cov, SiteLaw::Unknown(String::new()), wrong);
    // The latent field of a site is normal with these moments, and the site an increasing function of it.
    let root = normalizer(gain).sqrt();
    let z: Vec<f64> = params.values.iter().map(|x| inv_erf(x * root) / gain).collect();
    let field =
        conditional::Conditional::gaussian(|i, j| latent.at(i, j), lattice.n, &params.sites, &z)
            .ok_or("one of the given sites is determined by the others")?;
    known.site = Arc::new(move |i| match params.sites.iter().position(|site| *site == i) {
        Some(place) => SiteLaw::Atoms(vec![(params.values[place], 1.0)]),
        None => SiteLaw::Given { gain, mean: field.mean[i], std: field.cov[i][i].sqrt() },
    });
    Ok(known)
}

/// The registry row.
pub const ENTRY: ClosedForm = ClosedForm { name: stimulus::conditional::ENTRY.name, moments };
