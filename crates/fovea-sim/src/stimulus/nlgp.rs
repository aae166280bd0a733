//! Nonlinear Gaussian process: a Gaussian field squashed entry by entry.

use super::Stimulus;
use super::gaussian::FieldStimulus;
use crate::field::Squash;
use crate::lattice::Lattice;
use fovea_core::params::above;
use fovea_core::quadrature::adaptive_split;
use fovea_core::registry::resolve;
use fovea_core::ring::Kernel;
use fovea_core::special::normal_pdf;
use fovea_core::{Entry, ParamError, Params, params};

params! {
    /// `x = erf(gain z) / sqrt(Z)`, `z` a Gaussian field on the lattice, `Z` such that the variance is one.
    pub struct Nlgp {
        ..lattice: Lattice;
        /// Gain: as it goes to 0 the process becomes Gaussian; at `inf` it is the sign of the field.
        gain: f64 = 3.0, above(0.0), "";
    }
}

impl Params for Nlgp {
    fn check(&self) -> Result<(), ParamError> {
        self.lattice.check()
    }
}

impl Nlgp {
    /// The process on a ring of `n` sites.
    pub fn on_ring(n: usize, xi: f64, gain: f64, kernel: Kernel) -> Self {
        Self { lattice: Lattice::ring(n, xi, kernel), gain }
    }

    /// Builds the sampler.
    ///
    /// # Errors
    /// The lattice does not fit, see [`Lattice::latent`].
    pub fn sampler(&self) -> Result<FieldStimulus, ParamError> {
        let squash = if self.gain.is_infinite() {
            Squash::Sign
        } else {
            Squash::Erf { gain: self.gain, scale: 1.0 / variance_of_erf(self.gain).sqrt() }
        };
        Ok(FieldStimulus::new(self.lattice.latent()?, squash))
    }
}

/// `E erf(gain Z)^2` by quadrature; theory derives it, and a test in `fovea-lab` compares the two.
pub fn variance_of_erf(gain: f64) -> f64 {
    /// Beyond six widths of the error function, or twelve of the normal density, nothing is left to resolve.
    const REACH: f64 = 12.0;
    let bend = (6.0 / gain).min(REACH / 2.0);
    let square = |z: f64| {
        let e = libm::erf(gain * z);
        e * e * normal_pdf(z)
    };
    2.0 * adaptive_split(square, &[0.0, bend, REACH], 1e-14).value
}

/// The registry entry.
pub const ENTRY: Entry<Box<dyn Stimulus>> = Entry {
    name: "nlgp",
    summary: "nonlinear Gaussian process erf(gain z)/sqrt(Z); gain = inf is the sign",
    schema: <Nlgp as fovea_core::params::Schema>::schema,
    build: |values| Ok(Box::new(resolve::<Nlgp>(values)?.sampler()?)),
};
