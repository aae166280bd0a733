//! Stimuli made of a Gaussian field on a ring or a torus, entry by entry or as a whole.

use super::{Exact, SiteLaw, Wrong, read};
use fovea_core::params::Assignments;
use fovea_core::ring::{Kernel, distance, kernel_row};
use fovea_sim::lattice::Lattice;
use fovea_sim::stimulus::copula::{Copula, Shape};
use fovea_sim::stimulus::elliptical::{Elliptical, Radius};
use fovea_sim::stimulus::gaussian::Gaussian;
use fovea_sim::stimulus::nlgp::Nlgp;
use fovea_sim::stimulus::sign::Sign;
use fovea_theory::copula::{self, Marginal};
use fovea_theory::elliptical::Radial;
use fovea_theory::nlgp::cov::cov as nlgp_cov;
use std::f64::consts::{SQRT_2, TAU};
use std::sync::Arc;

/// The latent correlation of two sites: the product over the axes of a kernel's row.
#[derive(Clone)]
pub(super) struct Latent {
    side: usize,
    dim: usize,
    pub(super) row: Vec<f64>,
}

impl Latent {
    /// The correlation as the lattice defines it.
    pub(super) fn new(lattice: &Lattice) -> Self {
        Self::with(lattice, kernel_row(lattice.n, lattice.xi, lattice.kernel))
    }

    /// Another reading of the same length: `exp(-d^2/2 xi^2)`, or `exp(-d^2/xi^2)` for the exponential kernel.
    fn misread(lattice: &Lattice) -> (&'static str, Self) {
        let Lattice { n, xi, .. } = *lattice;
        let (what, row) = match lattice.kernel {
            Kernel::Exponential => ("exp(-d^2/xi^2)", kernel_row(n, xi, Kernel::Ring)),
            kernel => ("a factor 1/2 in the exponent", kernel_row(n, xi * SQRT_2, kernel)),
        };
        (what, Self::with(lattice, row))
    }

    fn with(lattice: &Lattice, mut row: Vec<f64>) -> Self {
        for (d, c) in row.iter_mut().enumerate().filter(|_| lattice.waves > 0) {
            let turns = (d * lattice.waves % lattice.n) as f64 / lattice.n as f64;
            *c *= libm::cos(TAU * turns);
        }
        Self { side: lattice.n, dim: lattice.dim, row }
    }

    /// The correlation of two sites, whose coordinates are the digits of their number to the base of the side.
    pub(super) fn at(&self, mut i: usize, mut j: usize) -> f64 {
        let mut product = 1.0;
        for _ in 0..self.dim {
            product *= self.row[distance(i % self.side, j % self.side, self.side)];
            (i, j) = (i / self.side, j / self.side);
        }
        product
    }
}

/// A zero-mean law on a lattice whose covariance is a function of the latent correlation.
fn stationary(
    lattice: &Lattice,
    cov: impl Fn(f64) -> f64 + Send + Sync + 'static,
    site: SiteLaw,
) -> Exact {
    let shape = lattice.shape();
    let (latent, (what, other)) = (Latent::new(lattice), Latent::misread(lattice));
    let cov = Arc::new(cov);
    let misread = Arc::clone(&cov);
    Exact {
        mean: vec![0.0; shape.iter().product()],
        shape,
        cov: Arc::new(move |i, j| cov(latent.at(i, j))),
        site: Arc::new(move |_| site.clone()),
        stationary: true,
        gaussian: false,
        wrong: vec![Wrong::new(what, move |i, j| misread(other.at(i, j)))],
    }
}

/// The same, with the latent correlation as the form's documented wrong form.
fn transformed(
    lattice: &Lattice,
    cov: impl Fn(f64) -> f64 + Send + Sync + 'static,
    site: SiteLaw,
) -> Exact {
    let mut exact = stationary(lattice, cov, site);
    let latent = Latent::new(lattice);
    exact.wrong.insert(0, Wrong::new("the latent correlation", move |i, j| latent.at(i, j)));
    exact
}

pub(super) fn gaussian(values: &Assignments) -> Result<Exact, String> {
    let Gaussian { lattice } = read(values)?;
    let site = SiteLaw::Normal { mean: 0.0, std: 1.0 };
    Ok(Exact { gaussian: true, ..stationary(&lattice, |rho| rho, site) })
}

pub(super) fn nlgp(values: &Assignments) -> Result<Exact, String> {
    let Nlgp { lattice, gain } = read(values)?;
    Ok(transformed(&lattice, move |rho| nlgp_cov(rho, gain), SiteLaw::Squashed { gain }))
}

pub(super) fn sign(values: &Assignments) -> Result<Exact, String> {
    let Sign { lattice } = read(values)?;
    let (cov, gain) = (|rho| nlgp_cov(rho, f64::INFINITY), f64::INFINITY);
    Ok(transformed(&lattice, cov, SiteLaw::Squashed { gain }))
}

pub(super) fn copula(values: &Assignments) -> Result<Exact, String> {
    let params: Copula = read(values)?;
    let marginal = match params.marginal {
        Shape::Uniform => Marginal::Uniform,
        Shape::Arcsine => Marginal::Arcsine,
        Shape::Laplace => Marginal::Laplace,
        Shape::Kur if params.k < 2.001 => {
            return Err(format!(
                "copula.cov refuses Kur({}): so close to 2 the tails outgrow the digits of an exponent",
                params.k
            ));
        }
        Shape::Kur => Marginal::Kur { k: params.k },
        Shape::Custom => {
            return Err("copula.cov knows named marginals, and `custom` is a table".to_owned());
        }
    };
    // The slope at 0 and the value at 1 belong to no integral: entries far apart are many, and 0.
    let cov = move |rho: f64| if rho.abs() > 0.0 { copula::cov::cov(marginal, rho) } else { 0.0 };
    Ok(transformed(&params.lattice, cov, SiteLaw::Copula(marginal)))
}

pub(super) fn elliptical(values: &Assignments) -> Result<Exact, String> {
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
            let why = "elliptical.excess_kurtosis knows named radii, and `quantile` is a table";
            return Ok(stationary(&params.lattice, |rho| rho, SiteLaw::Unknown(why.to_owned())));
        }
    };
    let mut exact = stationary(&params.lattice, |rho| rho, SiteLaw::Elliptical { law, n });
    if let Radial::Student { dof } = law {
        let latent = Latent::new(&params.lattice);
        let scale = move |i, j| dof / (dof - 2.0) * latent.at(i, j);
        exact.wrong.insert(0, Wrong::new("the covariance taken for the scale matrix", scale));
    }
    Ok(exact)
}
