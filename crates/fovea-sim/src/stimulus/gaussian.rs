//! Gaussian process on the ring.

use super::{Law, Stimulus};
use crate::field::{Field, Squash};
use fovea_core::lanes::{BLOCK, LANES};
use fovea_core::params::{any, between, finite_above};
use fovea_core::registry::resolve;
use fovea_core::ring::{Kernel, RingKernel};
use fovea_core::streams::BlockRng;
use fovea_core::{Entry, ParamError, Params, params};

params! {
    /// A zero-mean, unit-variance Gaussian process with covariance `exp(-d^2 / xi^2)`.
    pub struct Gaussian {
        /// Ring size: entries of a sample.
        n: usize = 40, between(2.0, 16384.0), "sites";
        /// Correlation length.
        xi: f64 = 2.0, finite_above(0.0), "sites";
        /// Covariance kernel.
        kernel: Kernel = Kernel::Ring, any(), "";
    }
}

impl Params for Gaussian {}

impl Gaussian {
    /// Builds the sampler.
    ///
    /// # Errors
    /// The covariance is not positive semidefinite.
    pub fn sampler(&self) -> Result<RingStimulus, ParamError> {
        Ok(RingStimulus::new(&RingKernel::new(self.n, self.xi, self.kernel)?, Squash::Linear))
    }
}

/// A squashed Gaussian field on the ring: what `gaussian` and `nlgp` sample from.
#[derive(Clone, Debug)]
pub struct RingStimulus {
    single: Field<f32>,
    double: Field<f64>,
    dim: usize,
    notes: Vec<String>,
}

impl RingStimulus {
    /// A field with the kernel's eigenvalues, each entry squashed.
    pub fn new(kernel: &RingKernel, squash: Squash) -> Self {
        let clipped = kernel.clipped.iter().map(|c| {
            format!(
                "{} slightly negative eigenvalues of the covariance (down to {:.1e}) are set to 0; the variance of a site grows by {:.1e}",
                c.count, c.most_negative, c.variance_change
            )
        });
        let notes = clipped.collect();
        Self {
            single: Field::new(&kernel.eigs, squash),
            double: Field::new(&kernel.eigs, squash),
            dim: kernel.eigs.len(),
            notes,
        }
    }
}

impl Stimulus for RingStimulus {
    fn dim(&self) -> usize {
        self.dim
    }
    fn law(&self) -> Law {
        Law { standardized: true, sign_symmetric: true, translation_invariant: true }
    }
    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }
    fn fill_single(
        &self,
        rng: &mut BlockRng,
        scratch: &mut Vec<[f32; LANES]>,
        block: &mut [[f32; BLOCK]],
    ) {
        self.single.fill(rng, scratch, block);
    }
    fn fill_double(
        &self,
        rng: &mut BlockRng,
        scratch: &mut Vec<[f64; LANES]>,
        block: &mut [[f64; BLOCK]],
    ) {
        self.double.fill(rng, scratch, block);
    }
}

/// The registry row.
pub const ENTRY: Entry<Box<dyn Stimulus>> = Entry {
    name: "gaussian",
    summary: "Gaussian process on the ring, covariance exp(-d^2/xi^2)",
    schema: <Gaussian as fovea_core::params::Schema>::schema,
    build: |values| Ok(Box::new(resolve::<Gaussian>(values)?.sampler()?)),
};
