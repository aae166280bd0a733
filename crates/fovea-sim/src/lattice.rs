//! The lattice a field lives on: a ring, or a torus with the same kernel along every axis.
//!
//! A group of parameters shared by every stimulus on a lattice, so that they all have the same names. On a torus the
//! covariance of two sites is the product over the axes of the kernel at their offset along the axis, and the
//! eigenvalues are products likewise. Entries run row by row, the last axis fastest.

use fovea_core::params::{any, at_least, between, finite_above};
use fovea_core::ring::{Kernel, RingKernel};
use fovea_core::{ParamError, Params, params};

params! {
    /// Sites on a ring or a torus and the latent covariance of every pair of them.
    pub struct Lattice {
        /// Number of sites along a side.
        n: usize = 40, between(2.0, 16384.0), "sites";
        /// Dimension: 1 is a ring, 2 and 3 are tori of `n^dim` sites.
        dim: usize = 1, between(1.0, 3.0), "";
        /// Correlation length.
        xi: f64 = 2.0, finite_above(0.0), "sites";
        /// Latent covariance along an axis.
        kernel: Kernel = Kernel::Ring, any(), "";
        /// Periods around the ring of a cosine that multiplies the kernel; 0 leaves the kernel unchanged.
        waves: usize = 0, at_least(0.0), "";
    }
}

/// The covariance of a lattice, ready for sampling.
#[derive(Clone, Debug, PartialEq)]
pub struct Latent {
    /// Sides of the torus, the last one running fastest.
    pub shape: Vec<usize>,
    /// Covariance of site 0 with every site as defined, before clipping.
    pub lags: Vec<f64>,
    /// Eigenvalue of every Fourier mode, none negative, in the order of the sites.
    pub eigs: Vec<f64>,
    /// What was clipped, if anything, as a sentence.
    pub notes: Vec<String>,
}

impl Lattice {
    /// Most sites of a lattice: a sample of this many doubles is half a megabyte.
    pub const MAX_SITES: usize = 65536;

    /// A ring of `n` sites.
    pub fn ring(n: usize, xi: f64, kernel: Kernel) -> Self {
        Self { n, xi, kernel, ..Self::default() }
    }

    /// Sides of the torus.
    pub fn shape(&self) -> Vec<usize> {
        vec![self.n; self.dim]
    }

    /// The covariance of the latent field.
    ///
    /// # Errors
    /// Too many sites, too many waves, or a kernel that is not positive semidefinite.
    pub fn latent(&self) -> Result<Latent, ParamError> {
        self.check()?;
        let axis = RingKernel::new(self.n, self.xi, self.kernel)?.modulated(self.waves)?;
        let notes = axis.clipped.iter().map(|clipped| {
            let along = if self.dim > 1 { " along an axis" } else { "" };
            let grown = libm::expm1(self.dim as f64 * libm::log1p(clipped.variance_change));
            format!(
                "{} slightly negative eigenvalues of the covariance{along} (down to {:.1e}) are set to 0; the variance of a site grows by {:.1e}",
                clipped.count, clipped.most_negative, grown
            )
        });
        let notes = notes.collect();
        let lags = outer_power(&axis.first_row, self.dim);
        let eigs = outer_power(&axis.eigs, self.dim);
        Ok(Latent { shape: self.shape(), lags, eigs, notes })
    }
}

impl Params for Lattice {
    fn check(&self) -> Result<(), ParamError> {
        let sites = self.shape().into_iter().product::<usize>();
        if sites <= Self::MAX_SITES {
            return Ok(());
        }
        let (n, dim, most) = (self.n, self.dim, Self::MAX_SITES);
        let side = (2..=n).take_while(|side| libm::pow(*side as f64, dim as f64) <= most as f64);
        Err(ParamError::Inconsistent {
            what: format!(
                "`n` is {n} and `dim` {dim}: {sites} sites, and a lattice has at most {most}"
            ),
            hint: format!("choose n <= {}, or a smaller dim", side.last().unwrap_or(2)),
        })
    }
}

/// The products of `dim` entries of a list, the last factor running fastest.
fn outer_power(list: &[f64], dim: usize) -> Vec<f64> {
    (1..dim).fold(list.to_vec(), |slow, _| {
        slow.iter().flat_map(|a| list.iter().map(move |b| a * b)).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_core::ring::distance;

    #[test]
    fn a_torus_multiplies_the_kernels_of_its_axes() {
        let lattice = Lattice { n: 6, dim: 3, xi: 1.3, waves: 1, ..Lattice::default() };
        let (latent, axis) = (lattice.latent().unwrap(), RingKernel::new(6, 1.3, Kernel::Ring));
        let axis = axis.unwrap().modulated(1).unwrap();
        assert_eq!((latent.shape.as_slice(), latent.lags.len()), (&[6, 6, 6][..], 216));
        let at = (4 * 6 + 1) * 6 + 5;
        let row = |d| axis.first_row[distance(0, d, 6)];
        assert!((latent.lags[at] - row(4) * row(1) * row(5)).abs() < 1e-16);
        assert!((latent.eigs[at] - axis.eigs[4] * axis.eigs[1] * axis.eigs[5]).abs() < 1e-14);
        let trace: f64 = latent.eigs.iter().sum();
        assert!((trace / 216.0 - 1.0).abs() < 1e-14);
    }

    #[test]
    fn clipping_is_told() {
        let notes =
            |dim| Lattice { n: 40, xi: 5.0, dim, ..Lattice::default() }.latent().unwrap().notes;
        assert_eq!(
            notes(1),
            [
                "9 slightly negative eigenvalues of the covariance (down to -9.2e-8) are set to 0; the variance of a site grows by 1.9e-8"
            ]
        );
        let torus = notes(2).concat();
        assert!(torus.contains("along an axis") && torus.ends_with("3.7e-8"), "{torus}");
    }

    #[test]
    fn what_cannot_be_sampled_is_refused_with_the_way_out() {
        let told = |lattice: Lattice| {
            let error = lattice.latent().unwrap_err();
            (error.to_string(), error.hint())
        };
        let big = told(Lattice { n: 257, dim: 2, ..Lattice::default() });
        assert_eq!(big.0, "`n` is 257 and `dim` 2: 66049 sites, and a lattice has at most 65536");
        assert_eq!(big.1, "choose n <= 256, or a smaller dim");
        assert!(told(Lattice { n: 16384, dim: 3, ..Lattice::default() }).1.contains("n <= 40"));
        assert!(told(Lattice { waves: 21, ..Lattice::default() }).1.contains("waves <= 20"));
        assert!(told(Lattice { xi: 6.0, ..Lattice::default() }).1.contains("kernel=wrapped"));
    }
}
