//! Gaussian process on a ring or a torus.

use super::{Covariance, Declared, Moments, Stimulus};
use crate::field::{Field, Squash};
use crate::lattice::{Latent, Lattice};
use crate::pairs::Entrywise;
use fovea_core::lanes::{BLOCK, LANES, Real};
use fovea_core::registry::resolve;
use fovea_core::ring::Kernel;
use fovea_core::streams::BlockRng;
use fovea_core::{Entry, ParamError, Params, params};

params! {
    /// A zero-mean, unit-variance Gaussian process with the covariance of the lattice.
    pub struct Gaussian {
        ..lattice: Lattice;
    }
}

impl Params for Gaussian {
    fn check(&self) -> Result<(), ParamError> {
        self.lattice.check()
    }
}

impl Gaussian {
    /// The process on a ring of `n` sites.
    pub fn on_ring(n: usize, xi: f64, kernel: Kernel) -> Self {
        Self { lattice: Lattice::ring(n, xi, kernel) }
    }

    /// Builds the sampler.
    ///
    /// # Errors
    /// The lattice does not fit, see [`Lattice::latent`].
    pub fn sampler(&self) -> Result<FieldStimulus, ParamError> {
        Ok(FieldStimulus::new(self.lattice.latent()?, Squash::Linear))
    }
}

/// A Gaussian field, each entry squashed: what `gaussian`, `nlgp` and `sign` sample from.
#[derive(Clone, Debug)]
pub struct FieldStimulus {
    single: Field<f32>,
    double: Field<f64>,
    latent: Latent,
    squash: Squash,
}

impl FieldStimulus {
    /// A field with the eigenvalues of `latent`, each entry squashed.
    pub fn new(latent: Latent, squash: Squash) -> Self {
        Self {
            single: Field::on_torus(&latent.shape, &latent.eigs, squash),
            double: Field::on_torus(&latent.shape, &latent.eigs, squash),
            latent,
            squash,
        }
    }

    /// Covariance of site 0 with every site, after squashing.
    fn lags(&self) -> Vec<f64> {
        match self.squash {
            Squash::Linear => self.latent.lags.clone(),
            _ => self.integrated(|entry, latent| entry.covariances(latent)),
        }
    }

    /// The result of `integrate` for the squashing and the latent covariance of site 0 with every site.
    fn integrated(&self, integrate: impl Fn(Entrywise<'_>, &[f64]) -> Vec<f64>) -> Vec<f64> {
        let latent = &self.latent.lags;
        match self.squash {
            Squash::Erf { gain, scale } if gain >= f64::LINEAR_GAIN => {
                let squashed = |z: f64| libm::erf(gain * z) * scale;
                let bends = [-6.0, -1.0, 0.0, 1.0, 6.0].map(|b| b / gain).to_vec();
                integrate(Entrywise::odd(&squashed, bends), latent)
            }
            Squash::Sign => {
                let sign = |z: f64| 1.0_f64.copysign(z);
                integrate(Entrywise::odd(&sign, vec![0.0]), latent)
            }
            Squash::Linear | Squash::Erf { .. } => {
                integrate(Entrywise::odd(&|z| z, Vec::new()), latent)
            }
        }
    }
}

impl Stimulus for FieldStimulus {
    fn dim(&self) -> usize {
        self.latent.lags.len()
    }
    fn shape(&self) -> Vec<usize> {
        self.latent.shape.clone()
    }
    fn declared(&self) -> Declared {
        Declared { standardized: true, sign_symmetric: true, translation_invariant: true }
    }
    fn is_gaussian(&self) -> bool {
        self.squash == Squash::Linear
    }
    fn notes(&self) -> Vec<String> {
        self.latent.notes.clone()
    }
    fn mean_given_positive(&self, site: usize) -> Option<Vec<f64>> {
        let row = self.integrated(|entry, latent| entry.means_given_positive(latent));
        let lags = Covariance::Lags { shape: self.shape(), row };
        Some((0..self.dim()).map(|j| lags.at(site, j)).collect())
    }
    fn moments(&self) -> Result<Moments, String> {
        Ok(Moments::stationary(self.shape(), self.lags()))
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

/// The registry entry.
pub const ENTRY: Entry<Box<dyn Stimulus>> = Entry {
    name: "gaussian",
    summary: "Gaussian process on a ring or torus, covariance exp(-d^2/xi^2) by default",
    schema: <Gaussian as fovea_core::params::Schema>::schema,
    build: |values| Ok(Box::new(resolve::<Gaussian>(values)?.sampler()?)),
};
