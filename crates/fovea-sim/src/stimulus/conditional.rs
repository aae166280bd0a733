//! The nonlinear Gaussian process given some of its pixels.
//!
//! A Gaussian field given some entries is the unconditional field, corrected by what the given entries were predicted to
//! be: `z + S_I S_II^-1 (z_I - z0_I)` for an unconditional draw `z0`, and nothing has to be factored but the covariance
//! of the given entries.

use super::gaussian_clone::spectrum;
use super::nlgp::variance_of_erf;
use super::{Covariance, Declared, Moments, Stimulus};
use crate::cholesky::{Cholesky, LARGEST};
use crate::lattice::Lattice;
use fovea_core::lanes::{BLOCK, LANES};
use fovea_core::params::{between, finite};
use fovea_core::registry::resolve;
use fovea_core::special::inv_erf;
use fovea_core::streams::BlockRng;
use fovea_core::{Entry, ParamError, Params, params};

mod corrected;
mod moments;
#[cfg(test)]
mod tests;

use corrected::Corrected;

params! {
    /// `x = erf(gain z) / sqrt(Z)` as in `nlgp`, given that the entries at `sites` have the values `values`.
    pub struct Conditional {
        ..lattice: Lattice;
        /// Gain; a given value determines the latent field only where the gain is finite.
        gain: f64 = 3.0, between(1e-6, 1e6), "";
        /// Entries that are given.
        sites: Vec<usize> = vec![0], between(0.0, 65535.0), "";
        /// Their values, in the same order.
        values: Vec<f64> = vec![1.0], finite(), "";
    }
}

/// The smallest variance that a given entry, of latent variance one, may keep given the others. Below it the correction
/// multiplies the rounding of single precision by more than `1 / sqrt(1e-5)`, about 300.
const LEAST_PIVOT: f64 = 1e-5;

impl Params for Conditional {
    fn check(&self) -> Result<(), ParamError> {
        self.lattice.check()?;
        let refused = |what: String, hint: String| Err(ParamError::Inconsistent { what, hint });
        let (sites, values) = (&self.sites, &self.values);
        if sites.is_empty() || sites.len() != values.len() {
            return refused(
                format!("there are {} `sites` and {} `values`", sites.len(), values.len()),
                "give at least one site, and every site its value".to_owned(),
            );
        }
        let count: usize = self.lattice.shape().iter().product();
        if let Some(site) = sites.iter().find(|site| **site >= count) {
            return refused(
                format!("`sites` has {site}, and the sites are 0 to {}", count - 1),
                format!("choose sites below {count}"),
            );
        }
        if let Some((at, site)) = (1..).zip(sites).find(|(at, site)| sites[*at..].contains(site)) {
            let again = at + sites[at..].iter().position(|other| other == site).unwrap_or(0);
            return refused(
                format!("`sites` has {site} twice, at places {at} and {}", again + 1),
                "give each site once".to_owned(),
            );
        }
        let root = variance_of_erf(self.gain).sqrt();
        if let Some(place) = values.iter().position(|value| (value * root).abs() >= 1.0) {
            let (value, site, end) = (values[place], sites[place], 1.0 / root);
            return refused(
                format!(
                    "the value {value} at site {site} is out of reach: at gain {} every entry lies between {:.6} and {end:.6}",
                    self.gain, -end
                ),
                format!("choose a value inside ({:.6}, {end:.6}), or another gain", -end),
            );
        }
        Ok(())
    }
}

impl Conditional {
    /// Builds the sampler.
    ///
    /// # Errors
    /// Sites and values that do not match, are not on the lattice, are repeated or cannot be reached; a latent
    /// covariance that is not positive semidefinite; given entries that nearly determine each other.
    pub fn sampler(&self) -> Result<ConditionalSampler, ParamError> {
        self.check()?;
        let latent = self.lattice.latent()?;
        let (shape, sites) = (latent.shape, &self.sites);
        // Where eigenvalues were clipped, this is the covariance with clipped ones: the correction needs the covariance of the draws.
        let count = latent.eigs.len() as f64;
        let row = if latent.notes.is_empty() {
            latent.lags
        } else {
            spectrum(&shape, &latent.eigs).into_iter().map(|sum| sum / count).collect()
        };
        let covariance = Covariance::Lags { shape: shape.clone(), row };
        let given = self.factor_of_given(&covariance)?;
        let root = variance_of_erf(self.gain).sqrt();
        let target: Vec<f64> =
            self.values.iter().map(|value| inv_erf(value * root) / self.gain).collect();
        let weights: Vec<Vec<f64>> = (0..latent.eigs.len())
            .map(|i| given.solve(&sites.iter().map(|s| covariance.at(i, *s)).collect::<Vec<_>>()))
            .collect();
        let weighted = |w: &Vec<f64>| w.iter().zip(&target).map(|(w, z)| w * z).sum();
        let centre = weights.iter().map(weighted).collect();
        let law =
            Conditioned { params: self.clone(), covariance, weights, centre, scale: 1.0 / root };
        let (single, double) = (
            Corrected::new(&law, &shape, &latent.eigs),
            Corrected::new(&law, &shape, &latent.eigs),
        );
        Ok(ConditionalSampler { shape, law, notes: latent.notes, single, double })
    }

    /// The factor of the covariance of the given entries.
    fn factor_of_given(&self, covariance: &Covariance) -> Result<Cholesky, ParamError> {
        let sites = &self.sites;
        let given = Cholesky::new(sites.len(), |a, b| covariance.at(sites[a], sites[b]))
            .map_err(|error| self.too_close(sites[error.entry], 0.0))?;
        let last = sites.len() - 1;
        match given.pivots().get(last) {
            Some(left) if *left >= LEAST_PIVOT => Ok(given),
            left => Err(self.too_close(sites[given.order()[last]], *left.unwrap_or(&0.0))),
        }
    }

    /// The error that the other given sites nearly determine `site`.
    fn too_close(&self, site: usize, variance: f64) -> ParamError {
        let mut others: Vec<usize> = self.sites.iter().copied().filter(|s| *s != site).collect();
        others.sort_by_key(|other| other.abs_diff(site));
        others.truncate(4);
        others.sort_unstable();
        let others: Vec<String> = others.iter().map(ToString::to_string).collect();
        ParamError::Inconsistent {
            what: format!(
                "site {site} is nearly fixed by the other given sites ({}{}): its latent variance given them is {variance:.1e}, and it must be at least {LEAST_PIVOT:e}",
                others.join(", "),
                if self.sites.len() > 5 { ", ..." } else { "" }
            ),
            hint: format!("leave out site {site}, or choose a smaller xi"),
        }
    }
}

/// The distribution of the latent field given some entries.
#[derive(Clone, Debug)]
struct Conditioned {
    params: Conditional,
    /// Of the latent field, before anything is given.
    covariance: Covariance,
    /// For every site, its weight on each given entry.
    weights: Vec<Vec<f64>>,
    /// Latent mean of every site.
    centre: Vec<f64>,
    /// Factor that makes the variance of the unconditional process one.
    scale: f64,
}

/// Draws [`Conditional`] samples.
#[derive(Clone, Debug)]
pub struct ConditionalSampler {
    shape: Vec<usize>,
    law: Conditioned,
    notes: Vec<String>,
    single: Corrected<f32>,
    double: Corrected<f64>,
}

impl Stimulus for ConditionalSampler {
    fn dim(&self) -> usize {
        self.law.centre.len()
    }
    fn shape(&self) -> Vec<usize> {
        self.shape.clone()
    }

    /// Given zeros leave the sign free; any given value breaks translation invariance.
    fn declared(&self) -> Declared {
        let zeros = self.law.params.values.iter().all(|value| value.abs() < f64::MIN_POSITIVE);
        Declared { standardized: false, sign_symmetric: zeros, translation_invariant: false }
    }
    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }
    fn moments(&self) -> Result<Moments, String> {
        let n = self.dim();
        if n > LARGEST {
            return Err(format!("a full covariance is formed up to {LARGEST} entries, not {n}"));
        }
        Ok(self.law.moments())
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
    name: "conditional",
    summary: "nonlinear Gaussian process given the values of some entries",
    schema: <Conditional as fovea_core::params::Schema>::schema,
    build: |values| Ok(Box::new(resolve::<Conditional>(values)?.sampler()?)),
};
