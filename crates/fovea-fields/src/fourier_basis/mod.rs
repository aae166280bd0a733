//! What is the Fourier basis of the ring, and what do the coefficients of a field look like in it?
//!
//! The fourth note draws the basis as a matrix (its figure 2, L003.60) and takes the real parts of the complex columns for it
//! (L003.22), which leaves out half the space. In the orthonormal real basis the covariance of every stationary process is
//! diagonal (L003.19-21), so that its coefficients are uncorrelated. Whether they are independent decides if an analysis mode by mode can see
//! more than covariances (L001.78): of Gaussian fields they are; of the nonlinear process each alone is almost Gaussian,
//! yet the variance of the squared norm, which adds up their joint cumulants, falls to zero as the gain grows. A
//! correlation between two coefficients, or a norm that varies as for independent ones, would falsify it.

pub mod basis;
mod figure;
mod measure;

use fovea_core::params::{above, any, between, finite_above};
use fovea_core::ring::{Kernel, RingKernel};
use fovea_core::{ParamError, Params, params};
use fovea_desk::bench::Bench;
use fovea_desk::error::LabError;
use fovea_desk::experiment::{Experiment, Row};
use fovea_desk::two_class::check_gains;
use fovea_record::outcome::{Array, Outcome, Series, Status};
use fovea_record::present::{Words, report};
use fovea_sim::Watch;
use measure::Coefficients;

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

const WORDS: Words<'static> = Words {
    title: "Fourier coefficients of a field",
    lead: "The orthonormal real Fourier basis diagonalises the covariance of the ring; the real parts of the complex one, \
           as printed in the notes, are no basis. In it the coefficients of the nonlinear process are uncorrelated and each \
           almost Gaussian. What makes fields localize sits in what they share.",
    caption: figure::CAPTION,
    formulas: &[
        r"F=\Big[\tfrac1{\sqrt n},\ \sqrt{\tfrac2n}\cos\tfrac{2\pi ki}n,\ \sqrt{\tfrac2n}\sin\tfrac{2\pi ki}n,\ \dots\Big],\qquad F^\top C F=\mathrm{diag}(\lambda)",
        r"\mathrm{Var}\|X\|^2=2\sum_k\lambda_k^2+\sum_{jl}\kappa(\Xi_j,\Xi_j,\Xi_l,\Xi_l)=n\sum_d(E\,X_0^2X_d^2-1)",
    ],
};

impl Experiment for FourierBasis {
    fn quick() -> Self {
        Self { n: 16, xi: 1.5, samples: 30_000, ..Self::default() }
    }

    fn run(&self, bench: &Bench<'_>) -> Result<Outcome, LabError> {
        let (latent, streams) = (self.latent()?, bench.streams());
        bench.progress.expect(self.gain.len() as u64);
        let mut all = Vec::new();
        for gain in &self.gain {
            if bench.stopped() {
                break;
            }
            all.push(Coefficients::new(self, &latent, *gain, &streams)?);
            bench.stepped();
        }
        let complete = all.len() == self.gain.len();
        let status = if complete { Status::Completed } else { Status::Interrupted };
        let mut arrays: Vec<Array> = vec![
            Array::of_rows("basis", &basis::real_basis(self.n)),
            Array::of_rows("real_parts", &basis::real_parts(self.n)),
        ];
        arrays.extend(all.iter().flat_map(Coefficients::arrays));
        let (mut claims, mut figures, mut summary) = (Vec::new(), Vec::new(), Vec::new());
        if complete {
            claims = basis::claims(&latent.first_row, &latent.eigs);
            claims.extend(measure::claims(&all));
            figures = vec![("fourier-basis", figure::figure(self, &all))];
            summary = summary_of(&all);
        }
        let report = report(&WORDS, self, &figures, &claims, &summary);
        let series = Series::default();
        Ok(Outcome { status, dtype: "f64", series, arrays, claims, figures, report, summary })
    }
}

fn summary_of(all: &[Coefficients]) -> Vec<String> {
    let header = format!(
        "{:>8} {:>10} {:>11} {:>11} {:>11} {:>11} {:>11}",
        "gain", "kurt site", "kurt mode", "exact", "Var |X|^2", "exact", "if indep."
    );
    [header].into_iter().chain(all.iter().map(Coefficients::summary)).collect()
}

/// The registry row.
pub const ENTRY: Row = Row::of::<FourierBasis>(
    "fourier-basis",
    "the real Fourier basis of the ring, and what the coefficients of drawn fields share in it",
    "What is the Fourier basis of the ring (L003.19-22, L003.60), and are the coefficients of a field in it independent \
     (L001.78)? They are uncorrelated and each almost Gaussian at every gain; the variance of the squared norm shows that \
     they are independent for Gaussian fields alone. A correlation, or a norm as variable as for independent ones, would falsify it.",
);
