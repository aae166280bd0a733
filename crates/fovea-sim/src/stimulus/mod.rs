//! Stimuli: the random inputs, one family per file.
//!
//! A constructor validates; sampling cannot fail. Each property *declared* of a stimulus switches on the test of that property.

use crate::sealed::Sealed;
use fovea_core::activation::Blocked;
use fovea_core::lanes::{BLOCK, LANES};
use fovea_core::streams::{BlockRng, Streams};
use fovea_core::{Entry, Family, ParamError, registry};

mod split;

pub use crate::moments::{Covariance, Moments};
pub use split::{Part, Rows, Split};

/// A source of input samples.
pub trait Stimulus: Send + Sync {
    /// Entries of a sample.
    fn dim(&self) -> usize;

    /// Sides of the torus the entries sit on; a ring has one.
    fn shape(&self) -> Vec<usize> {
        vec![self.dim()]
    }

    /// Properties of its distribution.
    fn declared(&self) -> Declared;

    /// Whether every sample is jointly Gaussian, for results that hold for Gaussian data alone.
    fn is_gaussian(&self) -> bool {
        false
    }

    /// How many samples of a block are independent, counted from the first; the others follow from them.
    fn independent(&self) -> usize {
        BLOCK
    }

    /// What the construction did that a user should know, such as clipped eigenvalues.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }

    /// Exact mean of every entry given that the entry at `site` is positive, where it is known.
    fn mean_given_positive(&self, _site: usize) -> Option<Vec<f64>> {
        None
    }

    /// Exact mean and covariance, computed without sampling; where the samples are rows, those of all rows that are sampled from.
    ///
    /// # Errors
    /// They are not known; the message says why.
    fn moments(&self) -> Result<Moments, String>;

    /// Whether it is made from rows that a run splits; otherwise every sample is fresh.
    fn has_rows(&self) -> bool {
        false
    }

    /// The stimulus as the run with these streams uses it: `None` where it [has no rows](Self::has_rows).
    ///
    /// # Errors
    /// No row would be left to train on.
    fn split(&self, _: &Streams) -> Result<Option<Split>, ParamError> {
        Ok(None)
    }

    /// Draws one block in single precision: `block[i][s]` is entry `i` of sample `s`.
    fn fill_single(
        &self,
        rng: &mut BlockRng,
        scratch: &mut Vec<[f32; LANES]>,
        block: &mut [[f32; BLOCK]],
    );

    /// Draws one block in double precision.
    fn fill_double(
        &self,
        rng: &mut BlockRng,
        scratch: &mut Vec<[f64; LANES]>,
        block: &mut [[f64; BLOCK]],
    );
}

/// A number type of samples, for code that is written once for both.
pub trait Element: Blocked + Sealed {
    /// Draws one block of a stimulus in this type.
    fn fill(
        stimulus: &dyn Stimulus,
        rng: &mut BlockRng,
        scratch: &mut Vec<[Self; LANES]>,
        block: &mut [[Self; BLOCK]],
    );
}

macro_rules! drawn {
    ($type:ty, $fill:ident) => {
        impl Element for $type {
            fn fill(
                stimulus: &dyn Stimulus,
                rng: &mut BlockRng,
                scratch: &mut Vec<[$type; LANES]>,
                block: &mut [[$type; BLOCK]],
            ) {
                stimulus.$fill(rng, scratch, block);
            }
        }
    };
}

drawn!(f32, fill_single);
drawn!(f64, fill_double);

/// A stimulus whose sampler is written once for both number types.
pub trait Draw: Send + Sync {
    /// See [`Stimulus::dim`].
    fn dim(&self) -> usize;
    /// See [`Stimulus::shape`].
    fn shape(&self) -> Vec<usize> {
        vec![self.dim()]
    }
    /// See [`Stimulus::declared`].
    fn declared(&self) -> Declared;
    /// See [`Stimulus::is_gaussian`].
    fn is_gaussian(&self) -> bool {
        false
    }
    /// See [`Stimulus::independent`].
    fn independent(&self) -> usize {
        BLOCK
    }
    /// See [`Stimulus::notes`].
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }
    /// See [`Stimulus::mean_given_positive`].
    fn mean_given_positive(&self, _site: usize) -> Option<Vec<f64>> {
        None
    }
    /// See [`Stimulus::moments`].
    ///
    /// # Errors
    /// They are not known; the message says why.
    fn moments(&self) -> Result<Moments, String>;
    /// See [`Stimulus::has_rows`].
    fn has_rows(&self) -> bool {
        false
    }
    /// See [`Stimulus::split`].
    ///
    /// # Errors
    /// No row would be left to train on.
    fn split(&self, _: &Streams) -> Result<Option<Split>, ParamError> {
        Ok(None)
    }
    /// Draws one block: `block[i][s]` is entry `i` of sample `s`.
    fn draw<T: Element>(
        &self,
        rng: &mut BlockRng,
        scratch: &mut Vec<[T; LANES]>,
        block: &mut [[T; BLOCK]],
    );
}

impl<D: Draw> Stimulus for D {
    fn dim(&self) -> usize {
        Draw::dim(self)
    }
    fn shape(&self) -> Vec<usize> {
        Draw::shape(self)
    }
    fn declared(&self) -> Declared {
        Draw::declared(self)
    }
    fn is_gaussian(&self) -> bool {
        Draw::is_gaussian(self)
    }
    fn independent(&self) -> usize {
        Draw::independent(self)
    }
    fn notes(&self) -> Vec<String> {
        Draw::notes(self)
    }
    fn mean_given_positive(&self, site: usize) -> Option<Vec<f64>> {
        Draw::mean_given_positive(self, site)
    }
    fn moments(&self) -> Result<Moments, String> {
        Draw::moments(self)
    }
    fn has_rows(&self) -> bool {
        Draw::has_rows(self)
    }
    fn split(&self, streams: &Streams) -> Result<Option<Split>, ParamError> {
        Draw::split(self, streams)
    }
    fn fill_single(
        &self,
        rng: &mut BlockRng,
        scratch: &mut Vec<[f32; LANES]>,
        block: &mut [[f32; BLOCK]],
    ) {
        self.draw(rng, scratch, block);
    }
    fn fill_double(
        &self,
        rng: &mut BlockRng,
        scratch: &mut Vec<[f64; LANES]>,
        block: &mut [[f64; BLOCK]],
    ) {
        self.draw(rng, scratch, block);
    }
}

impl Family for Box<dyn Stimulus> {
    const NOUN: &'static str = "stimulus";
    fn entries() -> &'static [&'static Entry<Self>] {
        ALL
    }
}

/// Declared properties of a stimulus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Declared {
    /// Every entry has mean zero and variance one.
    pub standardized: bool,
    /// `x` and `-x` have the same distribution.
    pub sign_symmetric: bool,
    /// Every shift around the ring has the same distribution.
    pub translation_invariant: bool,
}

registry! { "src/stimulus": Entry<Box<dyn Stimulus>>, beside split; array, block_pulse, conditional, copula, elliptical, filtered, gaussian, gaussian_clone, ising, mirrored, nlgp, scaled, sign, single_pulse, window }

#[cfg(test)]
#[path = "../stimulus_properties/mod.rs"]
mod properties;
