//! What stimuli made from a Gaussian field on a ring or a torus share.

use super::{Exact, SiteLaw, Wrong};
use fovea_core::ring::{Kernel, distance, kernel_row};
use fovea_sim::lattice::Lattice;
use fovea_theory::nlgp::cov::cov as nlgp_cov;
use fovea_theory::nlgp::f_site::f_site;
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

/// A zero-mean distribution on a lattice whose covariance is a function of the latent correlation.
pub(super) fn stationary(
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
        given_positive: None,
        wrong: vec![Wrong::new(what, move |i, j| misread(other.at(i, j)))],
    }
}

/// The same, with the latent correlation as the form's documented wrong form.
pub(super) fn transformed(
    lattice: &Lattice,
    cov: impl Fn(f64) -> f64 + Send + Sync + 'static,
    site: SiteLaw,
) -> Exact {
    let mut exact = stationary(lattice, cov, site);
    let latent = Latent::new(lattice);
    exact.wrong.insert(0, Wrong::new("the latent correlation", move |i, j| latent.at(i, j)));
    exact
}

/// `erf(gain z)` of a Gaussian field `z`, brought to unit variance. Given that a site is positive, the mean of every site
/// is twice its gated mean.
pub(super) fn squashed(lattice: &Lattice, gain: f64) -> Exact {
    let law = SiteLaw::Squashed { gain };
    let exact = transformed(lattice, move |rho| nlgp_cov(rho, gain), law);
    let (latent, n) = (Latent::new(lattice), exact.mean.len());
    let positive =
        move |site| (0..n).map(|j| 2.0 * f_site(latent.at(site, j), gain)).collect::<Vec<f64>>();
    Exact { given_positive: Some(Arc::new(positive)), ..exact }
}
