//! The first entries of a longer stimulus: an open chain cut out of a ring.

use super::{Covariance, Declared, Draw, Element, Moments, Split, Stimulus};
use crate::cholesky::LARGEST;
use fovea_core::lanes::{BLOCK, LANES};
use fovea_core::params::{any, between};
use fovea_core::registry::resolve;
use fovea_core::streams::{BlockRng, Streams};
use fovea_core::{Entry, Item, ParamError, Params, params};

params! {
    /// `factor` times the first `keep` entries of `base`, which then form an open chain instead of a ring.
    ///
    /// A field whose correlations end within `d` sites, on a ring of `keep + d` sites, becomes the field on an open chain: its
    /// first and last entries are `keep - 1` sites apart and not neighbours.
    pub struct Window {
        /// The stimulus that is cut.
        base: Item<Box<dyn Stimulus>> = Item::named("nlgp"), any(), "";
        /// Entries that are kept, from the first on.
        keep: usize = 28, between(2.0, 65536.0), "sites";
        /// Number that every entry is multiplied by.
        factor: f64 = 1.0, between(1e-9, 1e9), "";
    }
}

impl Params for Window {}

impl Window {
    /// Builds the sampler.
    ///
    /// # Errors
    /// The base cannot be built, or has fewer entries than are kept.
    pub fn sampler(&self) -> Result<WindowSampler, ParamError> {
        let base = self.base.build("base")?;
        let (keep, from) = (self.keep, base.dim());
        if keep > from {
            return Err(ParamError::Inconsistent {
                what: format!("`keep` is {keep}, and {} has {from} entries", self.base.name()),
                hint: format!("choose keep <= {from}, or a base with more entries"),
            });
        }
        Ok(WindowSampler { base, sites: keep, factor: self.factor })
    }
}

/// Draws [`Window`] samples.
pub struct WindowSampler {
    base: Box<dyn Stimulus>,
    sites: usize,
    factor: f64,
}

impl WindowSampler {
    fn whole(&self) -> bool {
        self.sites == self.base.dim()
    }
}

impl Draw for WindowSampler {
    fn dim(&self) -> usize {
        self.sites
    }
    fn shape(&self) -> Vec<usize> {
        if self.whole() { self.base.shape() } else { vec![self.sites] }
    }

    /// A chain has ends; a whole ring has none.
    fn declared(&self) -> Declared {
        let base = self.base.declared();
        Declared {
            standardized: base.standardized && self.factor.to_bits() == 1.0_f64.to_bits(),
            sign_symmetric: base.sign_symmetric,
            translation_invariant: base.translation_invariant && self.whole(),
        }
    }
    fn is_gaussian(&self) -> bool {
        self.base.is_gaussian()
    }
    fn independent(&self) -> usize {
        self.base.independent()
    }
    fn notes(&self) -> Vec<String> {
        self.base.notes()
    }
    fn mean_given_positive(&self, site: usize) -> Option<Vec<f64>> {
        let means = self.base.mean_given_positive(site)?;
        Some(means.into_iter().take(self.sites).map(|mean| self.factor * mean).collect())
    }

    fn moments(&self) -> Result<Moments, String> {
        let (n, square) = (self.sites, self.factor * self.factor);
        let Moments { mean, covariance } = self.base.moments()?;
        let mean = mean.into_iter().take(n).map(|mean| self.factor * mean).collect();
        if self.whole() {
            return Ok(Moments { mean, covariance: covariance.scaled(square) });
        }
        if n > LARGEST {
            return Err(format!("the covariance of {n} entries is formed up to {LARGEST} of them"));
        }
        let entries = (0..n * n).map(|at| square * covariance.at(at / n, at % n)).collect();
        Ok(Moments { mean, covariance: Covariance::Full { n, entries } })
    }

    fn has_rows(&self) -> bool {
        self.base.has_rows()
    }

    fn split(&self, streams: &Streams) -> Result<Option<Split>, ParamError> {
        let (sites, factor) = (self.sites, self.factor);
        let cut = |row: &[f64], into: &mut Vec<f64>| {
            into.extend(row[..sites].iter().map(|x| factor * x));
        };
        let remade = |Split { training, rows }: Split| Split {
            training: Box::new(Self { base: training, sites, factor }),
            rows: rows.map(|rows| rows.remade(sites, cut)),
        };
        Ok(self.base.split(streams)?.map(remade))
    }

    fn draw<T: Element>(
        &self,
        rng: &mut BlockRng,
        scratch: &mut Vec<[T; LANES]>,
        block: &mut [[T; BLOCK]],
    ) {
        let factor = T::from_f64(self.factor);
        let mut all = vec![[T::ZERO; BLOCK]; self.base.dim()];
        T::fill(self.base.as_ref(), rng, scratch, &mut all);
        for (row, from) in block.iter_mut().zip(&all) {
            for (x, from) in row.iter_mut().zip(from) {
                *x = factor * *from;
            }
        }
    }
}

/// The registry entry.
pub const ENTRY: Entry<Box<dyn Stimulus>> = Entry {
    name: "window",
    summary: "the first entries of another stimulus, times a number: an open chain cut out of a ring",
    schema: <Window as fovea_core::params::Schema>::schema,
    build: |values| Ok(Box::new(resolve::<Window>(values)?.sampler()?)),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampled::Sampled;
    use fovea_core::agree::within;

    fn window(base: Item<Box<dyn Stimulus>>, sites: usize, factor: f64) -> WindowSampler {
        Window { base, keep: sites, factor }.sampler().unwrap()
    }

    fn gaussian(n: usize, xi: f64) -> Item<Box<dyn Stimulus>> {
        Item::named("gaussian").set("n", n).set("xi", xi)
    }

    #[test]
    fn a_long_ring_is_cut_to_the_open_chain() {
        let (n, xi, factor) = (8, 1.5, 0.7);
        let sampler = window(gaussian(20, xi), n, factor);
        let covariance = Draw::moments(&sampler).unwrap().covariance;
        let chain = |i: usize, j: usize| {
            let d = i.abs_diff(j) as f64 / xi;
            factor * factor * libm::exp(-d * d)
        };
        for i in 0..n {
            for j in 0..n {
                within(covariance.at(i, j), chain(i, j), 1e-15, 1e-15).unwrap();
            }
        }
        let sampled = Sampled::new(&sampler, module_path!(), 0, 800);
        sampled.holds();
        // On a ring of the same size the ends are neighbours.
        let ring = window(gaussian(n, xi), n, factor);
        let closed = Draw::moments(&ring).unwrap().covariance;
        sampled.rejects(|i, j| closed.at(i, j));
        assert!(Draw::declared(&ring).translation_invariant);
        assert!(
            !Draw::declared(&sampler).translation_invariant
                && !Draw::declared(&sampler).standardized
        );
    }

    #[test]
    fn more_entries_than_there_are_is_refused() {
        let error =
            Window { base: gaussian(5, 1.0), keep: 6, factor: 1.0 }.sampler().err().unwrap();
        assert_eq!(error.to_string(), "`keep` is 6, and gaussian has 5 entries");
        assert!(error.hint().contains("keep <= 5"));
    }
}
