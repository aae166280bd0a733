//! Translation-invariant Gaussian fields on the ring and the torus, two samples per transform.
//!
//! `z_j = sum_k sqrt(lambda_k / n) (a_k + i b_k) exp(2 pi i j k / n)` with independent normals `a_k, b_k`: the real and
//! the imaginary part are independent samples with circulant covariance of eigenvalues `lambda_k`. On a torus `j k / n`
//! is the sum over the axes and `n` the number of sites. Modes are drawn in order of `k`, on a torus row by row; those
//! below [`Real::MODE_FLOOR`] of the largest draw nothing.

use crate::simd::{Body, Level, Simd, dispatch_at};
use crate::transform::Transform;
use fovea_core::lanes::{BLOCK, Fft, LANES, Real, Sink, on_lines};
use fovea_core::streams::BlockRng;

mod norms;

pub use norms::Mirror;

/// The function applied to each entry after colouring.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Squash<T = f64> {
    /// Nothing.
    Linear,
    /// `erf(gain z) * scale`.
    Erf {
        /// Gain inside the error function.
        gain: T,
        /// Factor that makes the variance one.
        scale: T,
    },
    /// The sign, `+1` at zero.
    Sign,
}

/// A sampler of one field in one number type.
#[derive(Clone, Debug)]
pub struct Field<T> {
    transform: Transform<T>,
    /// Amplitude of every mode, zero for those not drawn.
    amplitudes: Vec<T>,
    squash: Squash<T>,
}

impl<T: Real> Field<T> {
    /// A field on the ring whose circulant covariance has these (nonnegative) eigenvalues, `k = 0..n`.
    pub fn new(eigs: &[f64], squash: Squash) -> Self {
        Self::on_torus(&[eigs.len()], eigs, squash)
    }

    /// A field on a torus with these sides and eigenvalues, the last axis running fastest.
    ///
    /// # Panics
    /// The number of eigenvalues is not the number of sites.
    pub fn on_torus(shape: &[usize], eigs: &[f64], squash: Squash) -> Self {
        let sites: usize = shape.iter().product();
        assert_eq!(sites, eigs.len(), "one mode per site");
        let floor = T::MODE_FLOOR * eigs.iter().copied().fold(0.0, f64::max);
        let amplitude = |eig: &f64| if *eig > floor { (eig / sites as f64).sqrt() } else { 0.0 };
        let amplitudes = eigs.iter().map(|eig| T::from_f64(amplitude(eig))).collect();
        let squash = match squash {
            Squash::Erf { gain, .. } if gain < T::LINEAR_GAIN => Squash::Linear,
            // A gain that single precision cannot hold squashes every entry that can be drawn to its sign.
            Squash::Erf { gain, scale } => {
                Squash::Erf { gain: T::from_f64(gain.min(1e30)), scale: T::from_f64(scale) }
            }
            Squash::Linear => Squash::Linear,
            Squash::Sign => Squash::Sign,
        };
        Self { transform: Transform::new(shape), amplitudes, squash }
    }

    /// Draws one block: `block[i][s]` is entry `i` of sample `s`.
    pub fn fill(
        &self,
        rng: &mut BlockRng,
        scratch: &mut Vec<[T; LANES]>,
        block: &mut [[T; BLOCK]],
    ) {
        self.fill_at(Level::best(), rng, scratch, block);
    }

    fn fill_at(
        &self,
        level: Level,
        rng: &mut BlockRng,
        scratch: &mut Vec<[T; LANES]>,
        block: &mut [[T; BLOCK]],
    ) {
        let [re, im, scratch] = self.modes(scratch, block);
        dispatch_at(level, Normals { amplitudes: &self.amplitudes, rng, re, im });
        self.colour(level, re, im, scratch, block);
    }

    /// Draws one block and the squared norm of the white noise behind each sample; every mode is drawn.
    pub fn fill_with_norms(
        &self,
        mirror: &Mirror,
        rng: &mut BlockRng,
        scratch: &mut Vec<[T; LANES]>,
        block: &mut [[T; BLOCK]],
    ) -> [f64; BLOCK] {
        self.fill_with_norms_at(Level::best(), mirror, rng, scratch, block)
    }

    fn fill_with_norms_at(
        &self,
        level: Level,
        mirror: &Mirror,
        rng: &mut BlockRng,
        scratch: &mut Vec<[T; LANES]>,
        block: &mut [[T; BLOCK]],
    ) -> [f64; BLOCK] {
        let [re, im, scratch] = self.modes(scratch, block);
        let amplitudes = &self.amplitudes;
        let draw = norms::NormalsWithNorms { amplitudes, mirror, rng, re, im };
        let norms = dispatch_at(level, draw);
        self.colour(level, re, im, scratch, block);
        norms
    }

    /// Space for the real and imaginary parts of all modes, and for their transform.
    fn modes<'a>(
        &self,
        scratch: &'a mut Vec<[T; LANES]>,
        block: &[[T; BLOCK]],
    ) -> [&'a mut [[T; LANES]]; 3] {
        let n = self.amplitudes.len();
        let scratch = on_lines(scratch, 2 * n + self.transform.scratch(), block);
        let (re, rest) = scratch.split_at_mut(n);
        let (im, scratch) = rest.split_at_mut(n);
        [re, im, scratch]
    }

    /// Transforms modes to sites and squashes the two samples of every lane into the block.
    fn colour(
        &self,
        level: Level,
        re: &mut [[T; LANES]],
        im: &mut [[T; LANES]],
        scratch: &mut [[T; LANES]],
        block: &mut [[T; BLOCK]],
    ) {
        let sites = Sites { block, squash: self.squash };
        if let Some(fft) = self.transform.of_ring() {
            dispatch_at(level, OnRing { fft, re, im, scratch, sites });
        } else {
            self.transform.inverse_at(level, re, im, scratch);
            dispatch_at(level, OnTorus { re, im, sites });
        }
    }
}

struct Normals<'a, T> {
    amplitudes: &'a [T],
    rng: &'a mut BlockRng,
    re: &'a mut [[T; LANES]],
    im: &'a mut [[T; LANES]],
}

impl<T: Real> Body for Normals<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        T::coloured_normals(s, self.rng, |k| self.amplitudes[k], self.re, self.im);
    }
}

/// The transform of a ring, whose last pass yields the sites.
struct OnRing<'a, T> {
    fft: &'a Fft<T>,
    re: &'a mut [[T; LANES]],
    im: &'a mut [[T; LANES]],
    scratch: &'a mut [[T; LANES]],
    sites: Sites<'a, T>,
}

impl<T: Real> Body for OnRing<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, s: S) {
        self.fft.inverse_to(s, self.re, self.im, self.scratch, &mut self.sites);
    }
}

/// Sites of a torus, transformed already.
struct OnTorus<'a, T> {
    re: &'a [[T; LANES]],
    im: &'a [[T; LANES]],
    sites: Sites<'a, T>,
}

impl<T: Real> Body for OnTorus<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, s: S) {
        for (at, (re, im)) in self.re.iter().zip(self.im).enumerate() {
            self.sites.put(s, at, (T::load(s, re), T::load(s, im)));
        }
    }
}

/// The sites of a block: the real parts are the first samples of the block, the imaginary parts the second.
struct Sites<'a, T> {
    block: &'a mut [[T; BLOCK]],
    squash: Squash<T>,
}

impl<T: Real> Sink<T> for Sites<'_, T> {
    #[inline(always)]
    fn put<S: Simd>(&mut self, s: S, at: usize, (re, im): (T::Lanes<S>, T::Lanes<S>)) {
        let (halves, _) = self.block[at].as_chunks_mut::<LANES>();
        for (z, to) in [re, im].into_iter().zip(halves) {
            let squashed = match self.squash {
                Squash::Linear => z,
                Squash::Sign => T::signs(s, z),
                Squash::Erf { gain, scale } => {
                    let erf = T::erf_lanes(s, T::times(s, T::splat(s, gain), z));
                    T::times(s, erf, T::splat(s, scale))
                }
            };
            T::store(s, squashed, to);
        }
    }
}

#[cfg(test)]
mod tests;
