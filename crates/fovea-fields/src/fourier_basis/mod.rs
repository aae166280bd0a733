//! What is the Fourier basis of the ring, and what do the coefficients of a field look like in it?
//!
//! The fourth note shows the basis as a matrix (its figure 2, L003.60) and takes the real parts of the complex columns for it
//! (L003.22), which leaves out half the space. In the orthonormal real basis the covariance of every stationary process is
//! diagonal (L003.19-21), so that its coefficients are uncorrelated. Whether they are independent decides if an analysis mode by mode can see
//! more than covariances (L001.78). Those of Gaussian fields are; of the nonlinear process each alone is almost Gaussian,
//! yet the variance of the squared norm, which adds up their joint cumulants, falls to zero as the gain grows. A
//! correlation between two coefficients, or a norm that varies as for independent ones, would falsify it.

mod claims;
mod figure;
pub mod measure;

use fovea_core::ring::RingKernel;
use fovea_desk::prelude::*;
use measure::{Coefficients, real_basis, real_parts};

params! {
    /// Settings of `fourier-basis`.
    pub struct FourierBasis {
        /// Ring size.
        n: usize = 40, between(3.0, 64.0), "sites";
        /// Correlation length of the latent field.
        xi: f64 = 2.0, finite_above(0.0), "sites";
        /// Covariance kernel of the latent field.
        kernel: Kernel = Kernel::Ring, any(), "";
        /// Gains, from Gaussian (towards 0) to binary (`inf`).
        gain: Vec<f64> = vec![0.01, 1.0, f64::INFINITY], above(0.0), "";
        /// Samples at every gain, the same latent fields.
        samples: usize = 200_000, between(1000.0, 1e9), "samples";
    }
}

impl Params for FourierBasis {
    fn check(&self) -> Result<(), ParamError> {
        check_gains(&self.gain)?;
        let kernel = self.latent()?;
        // A coefficient without variance has no kurtosis, and its variance is rounding.
        if kernel.eigs.iter().all(|eig| *eig > 1e-9 * kernel.eigs[0]) {
            return Ok(());
        }
        Err(ParamError::Inconsistent {
            what: format!("at xi = {} some coefficients have no variance to measure", self.xi),
            hint: "choose a smaller xi, or kernel=exponential".to_owned(),
        })
    }
}

impl FourierBasis {
    fn latent(&self) -> Result<RingKernel, ParamError> {
        RingKernel::new(self.n, self.xi, self.kernel).map_err(|error| ParamError::Inconsistent {
            what: format!("`xi` is {}: {error}", self.xi),
            hint: error.hint(),
        })
    }
}

impl Experiment for FourierBasis {
    type Found<'r> = Vec<Coefficients>;

    const WORDS: Words<'static> = Words {
        title: "Fourier coefficients of a field",
        lead: "The orthonormal real Fourier basis diagonalises the covariance of the ring; the real parts of the complex one, \
               as printed in the notes, are not a basis. In the former the coefficients of the nonlinear process are uncorrelated and each \
               almost Gaussian. What makes fields localize lies in their joint cumulants.",
        caption: figure::CAPTION,
        formulas: &[
            r"F=\Big[\tfrac1{\sqrt n},\ \sqrt{\tfrac2n}\cos\tfrac{2\pi ki}n,\ \sqrt{\tfrac2n}\sin\tfrac{2\pi ki}n,\ \dots\Big],\qquad F^\top C F=\mathrm{diag}(\lambda)",
            r"\mathrm{Var}\|X\|^2=2\sum_k\lambda_k^2+\sum_{jl}\kappa(\Xi_j,\Xi_j,\Xi_l,\Xi_l)=n\sum_d(E\,X_0^2X_d^2-1)",
        ],
    };

    fn quick() -> Self {
        Self { n: 16, xi: 1.5, samples: 30_000, ..Self::default() }
    }

    fn measure(&self, _: &Runs, desk: &Desk<'_>) -> Result<Vec<Coefficients>, LabError> {
        let (latent, streams) = (self.latent()?, desk.streams());
        desk.try_fleet(&self.gain, |gain| Coefficients::new(self, &latent, *gain, &streams))
    }

    fn show(&self, _: &Runs, all: &Vec<Coefficients>) -> Result<Shown, LabError> {
        let latent = self.latent()?;
        let mut arrays = vec![
            Array::of_rows("basis", &real_basis(self.n)),
            Array::of_rows("real_parts", &real_parts(self.n)),
        ];
        arrays.extend(all.iter().flat_map(Coefficients::arrays));
        let mut claims = claims::of_matrices(&latent.first_row, &latent.eigs);
        claims.extend(claims::of_coefficients(all));
        let figures = vec![("fourier-basis", figure::figure(self, all))];
        Ok(Shown { arrays, claims, figures, tables: vec![claims::table(all)], ..Shown::default() })
    }
}

/// The registry entry.
pub const ENTRY: Entry = Entry::of::<FourierBasis>(
    "fourier-basis",
    "the real Fourier basis of the ring: the coefficients of sampled fields in it are uncorrelated and not independent",
    include_str!("mod.rs"),
);
