//! The Gaussian distribution with the mean and covariance of another stimulus.
//!
//! What a network learns from the stimulus and not from its clone, it learns from higher moments.

use super::{Covariance, Declared, Moments, Split, Stimulus};
use crate::cholesky::{Cholesky, LARGEST};
use fovea_core::fourier::{cos_turns, sin_turns};
use fovea_core::lanes::{BLOCK, LANES};
use fovea_core::params::any;
use fovea_core::registry::resolve;
use fovea_core::streams::{BlockRng, Streams};
use fovea_core::{Entry, Item, ParamError, Params, params};

mod colour;

use colour::Colour;

params! {
    /// A Gaussian with the mean and covariance of `base`.
    pub struct GaussianClone {
        /// What is cloned; its exact moments must be known.
        base: Item<Box<dyn Stimulus>> = Item::named("nlgp"), any(), "";
    }
}

impl Params for GaussianClone {}

/// A negative eigenvalue down to this share of the largest is set to zero, a more negative one refused.
const CLIP: f64 = 1e-7;

impl GaussianClone {
    /// Builds the sampler: by Fourier modes where the covariance depends on the offset alone, else by a factor of it.
    ///
    /// # Errors
    /// The base cannot be built, its moments are not known, or they belong to no distribution.
    pub fn sampler(&self) -> Result<GaussianCloneSampler, ParamError> {
        GaussianCloneSampler::of(self.base.build("base")?, self.base.name())
    }
}

impl GaussianCloneSampler {
    /// The clone of this stimulus, with the name used in messages.
    fn of(base: Box<dyn Stimulus>, name: &'static str) -> Result<Self, ParamError> {
        let refused = |what: String, hint: &str| {
            let what = format!("`base` is {name}: {what}");
            ParamError::Inconsistent { what, hint: hint.to_owned() }
        };
        let moments = base
            .moments()
            .map_err(|why| refused(why, "choose a base whose mean and covariance are known"))?;
        let no_law = "check the numbers the base was given";
        let mut notes = base.notes();
        let (single, double) = match &moments.covariance {
            Covariance::Lags { shape, row } => {
                let mut eigs = spectrum(shape, row);
                let (least, most) =
                    eigs.iter().fold((0.0_f64, 0.0_f64), |(a, b), eig| (a.min(*eig), b.max(*eig)));
                if least < -CLIP * most {
                    let what = format!("its covariance has the eigenvalue {least:.3e}, below zero");
                    return Err(refused(what, no_law));
                }
                if least < -1e-12 * most {
                    notes
                        .push(format!("eigenvalues of the clone down to {least:.1e} are set to 0"));
                }
                for eig in &mut eigs {
                    *eig = eig.max(0.0);
                }
                (Colour::field(shape, &eigs), Colour::field(shape, &eigs))
            }
            Covariance::Full { n, .. } if *n > LARGEST => {
                let what = format!("a full covariance of {n} entries is factored up to {LARGEST}");
                return Err(refused(what, "choose a smaller n, or a translation-invariant base"));
            }
            full @ Covariance::Full { n, .. } => {
                let factor = Cholesky::new(*n, |i, j| full.at(i, j)).map_err(|error| {
                    let what = "its covariance leaves entry";
                    refused(
                        format!("{what} {} the variance {:.3e}", error.entry, error.variance),
                        no_law,
                    )
                })?;
                (Colour::factor(&factor), Colour::factor(&factor))
            }
        };
        Ok(GaussianCloneSampler {
            shape: base.shape(),
            standardized: base.declared().standardized,
            moments,
            notes,
            single,
            double,
            base,
            name,
        })
    }
}

/// Eigenvalue of every Fourier mode of a torus from the covariance of site 0 with every site.
///
/// One axis at a time by the defining sum; the imaginary parts cancel in the end, because a covariance is even.
pub(super) fn spectrum(shape: &[usize], row: &[f64]) -> Vec<f64> {
    let (mut re, mut im) = (row.to_vec(), vec![0.0; row.len()]);
    let mut stride = 1;
    for &side in shape.iter().rev() {
        let root: Vec<(f64, f64)> =
            (0..side).map(|m| (cos_turns(m, side), sin_turns(m, side))).collect();
        let (mut next_re, mut next_im) = (vec![0.0; row.len()], vec![0.0; row.len()]);
        for at in 0..row.len() {
            let k = at / stride % side;
            let first = at - k * stride;
            for d in 0..side {
                let (from, (cos, sin)) = (first + d * stride, root[k * d % side]);
                next_re[at] += re[from] * cos - im[from] * sin;
                next_im[at] += re[from] * sin + im[from] * cos;
            }
        }
        (re, im) = (next_re, next_im);
        stride *= side;
    }
    re
}

/// Draws [`GaussianClone`] samples.
pub struct GaussianCloneSampler {
    base: Box<dyn Stimulus>,
    name: &'static str,
    shape: Vec<usize>,
    standardized: bool,
    moments: Moments,
    notes: Vec<String>,
    single: Colour<f32>,
    double: Colour<f64>,
}

impl Stimulus for GaussianCloneSampler {
    fn dim(&self) -> usize {
        self.moments.mean.len()
    }
    fn shape(&self) -> Vec<usize> {
        self.shape.clone()
    }

    /// A Gaussian is determined by its mean and covariance, so these decide.
    fn declared(&self) -> Declared {
        let mean = &self.moments.mean;
        let even = mean.iter().all(|m| m.to_bits() == mean[0].to_bits());
        Declared {
            standardized: self.standardized,
            sign_symmetric: mean.iter().all(|m| m.abs() < f64::MIN_POSITIVE),
            translation_invariant: even
                && matches!(self.moments.covariance, Covariance::Lags { .. }),
        }
    }
    fn is_gaussian(&self) -> bool {
        true
    }
    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }
    fn moments(&self) -> Result<Moments, String> {
        Ok(self.moments.clone())
    }
    fn has_rows(&self) -> bool {
        self.base.has_rows()
    }

    /// The clone of the training rows; its own samples are fresh ones.
    fn split(&self, streams: &Streams) -> Result<Option<Split>, ParamError> {
        let Some(Split { training, .. }) = self.base.split(streams)? else { return Ok(None) };
        Ok(Some(Split { training: Box::new(Self::of(training, self.name)?), rows: None }))
    }

    fn fill_single(
        &self,
        rng: &mut BlockRng,
        scratch: &mut Vec<[f32; LANES]>,
        block: &mut [[f32; BLOCK]],
    ) {
        self.single.fill(&self.moments.mean, rng, scratch, block);
    }
    fn fill_double(
        &self,
        rng: &mut BlockRng,
        scratch: &mut Vec<[f64; LANES]>,
        block: &mut [[f64; BLOCK]],
    ) {
        self.double.fill(&self.moments.mean, rng, scratch, block);
    }
}

/// The registry entry.
pub const ENTRY: Entry<Box<dyn Stimulus>> = Entry {
    name: "gaussian-clone",
    summary: "Gaussian with the mean and covariance of another stimulus",
    schema: <GaussianClone as fovea_core::params::Schema>::schema,
    build: |values| Ok(Box::new(resolve::<GaussianClone>(values)?.sampler()?)),
};

#[cfg(test)]
mod tests;
