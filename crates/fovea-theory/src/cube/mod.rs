//! Threshold functions on the corners of a cube: $`\mathbf 1(\langle w,x\rangle\ge0)`$ for $`x\in\{\pm1\}^n`$.

use crate::Form;
use crate::form::{FormError, one_entry_per_site};
use crate::spins::Spins;
use crate::threshold::MOST_SITES;
use fovea_core::params::{any, between, finite_above};
use fovea_core::ring::{Kernel, RingKernel, distance};
use fovea_core::{ParamError, params};

fovea_core::registry! { "src/cube": Form; f, chow, delta, polygon, smallest_k, walsh }

fovea_core::choice! {
    /// A distribution on the corners of the cube.
    pub enum Law {
        /// Signs of Gaussians on a ring of two to five sites.
        Sign = "sign",
        /// The Ising ring.
        Ising = "ising",
        /// Independent fair spins.
        Independent = "independent",
    }
}

params! {
    /// The choice of a distribution on the cube.
    pub struct OnCube {
        /// Distribution of the corners.
        law: Law = Law::Sign, any(), "";
        /// Ring size; at most 5 for signs.
        n: usize = 4, between(2.0, MOST_SITES as f64), "sites";
        /// Correlation length of the Gaussians whose signs are taken.
        xi: f64 = 1.2, finite_above(0.0), "sites";
        /// Covariance kernel of those Gaussians.
        kernel: Kernel = Kernel::Ring, any(), "";
        /// Coupling of neighbours in the Ising ring.
        coupling: f64 = 0.7, between(-5.0, 5.0), "";
    }
}

impl OnCube {
    /// The distribution.
    ///
    /// # Errors
    /// Too many sites, or a length at which the kernel is not a covariance.
    pub fn spins(&self) -> Result<Spins, FormError> {
        match self.law {
            Law::Ising => Ok(Spins::ising(self.n, self.coupling)?),
            Law::Independent => Ok(Spins::independent(self.n)?),
            Law::Sign => {
                let row = RingKernel::new(self.n, self.xi, self.kernel)?.first_row;
                let at = |i: usize, j: usize| row[distance(i, j, self.n)];
                let latent: Vec<Vec<f64>> =
                    (0..self.n).map(|i| (0..self.n).map(|j| at(i, j)).collect()).collect();
                Ok(Spins::signs(&latent)?)
            }
        }
    }

    fn check_weights(&self, w: &[f64]) -> Result<(), ParamError> {
        one_entry_per_site("w", w.len(), self.n)
    }
}

/// The site of the largest weight.
pub(crate) fn largest(w: &[f64]) -> usize {
    (0..w.len()).max_by(|a, b| w[*a].abs().total_cmp(&w[*b].abs())).unwrap_or(0)
}

/// Refuses more weights than can be summed over all corners.
fn summable(w: &[f64], least: usize) -> Result<(), ParamError> {
    if (least..=MOST_SITES).contains(&w.len()) {
        return Ok(());
    }
    Err(ParamError::Inconsistent {
        what: format!("`w` has {} entries; from {least} to {MOST_SITES} can be summed", w.len()),
        hint: "leave out entries that are 0, or sum over samples instead of all corners".to_owned(),
    })
}
