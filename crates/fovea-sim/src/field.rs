//! Translation-invariant Gaussian fields on the ring and the torus, two samples a transform.
//!
//! `z_j = sum_k sqrt(lambda_k / n) (a_k + i b_k) exp(2 pi i j k / n)` with independent normals `a_k, b_k`: the real and
//! the imaginary part are independent samples with circulant covariance of eigenvalues `lambda_k`. On a torus `j k / n`
//! is the sum over the axes and `n` the number of sites. Modes are drawn in order of `k`, on a torus row by row; those
//! below [`Real::MODE_FLOOR`] of the largest draw nothing.

use crate::simd::{Kernel, Simd, dispatch};
use fovea_core::lanes::{BLOCK, Fft, LANES, Real};
use fovea_core::streams::BlockRng;

mod norms;

pub use norms::Mirror;

/// What is done to each entry after colouring.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Squash {
    /// Nothing.
    Linear,
    /// `erf(gain z) * scale`.
    Erf {
        /// Gain inside the error function.
        gain: f64,
        /// Factor that makes the variance one.
        scale: f64,
    },
    /// The sign, `+1` at zero.
    Sign,
}

/// A sampler of one field in one number type.
#[derive(Clone, Debug)]
pub struct Field<T> {
    /// One transform an axis.
    ffts: Vec<Fft<T>>,
    shape: Vec<usize>,
    /// Amplitude of every mode, zero for those not drawn.
    amplitudes: Vec<T>,
    squash: Squash,
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
        assert_eq!(sites, eigs.len(), "a mode a site");
        let floor = T::MODE_FLOOR * eigs.iter().copied().fold(0.0, f64::max);
        let amplitude = |eig: &f64| if *eig > floor { (eig / sites as f64).sqrt() } else { 0.0 };
        let amplitudes = eigs.iter().map(|eig| T::from_f64(amplitude(eig))).collect();
        let squash = match squash {
            Squash::Erf { gain, .. } if gain < T::LINEAR_GAIN => Squash::Linear,
            // A gain that single precision cannot hold squashes every drawable entry to its sign.
            Squash::Erf { gain, scale } => Squash::Erf { gain: gain.min(1e30), scale },
            other => other,
        };
        let ffts = shape.iter().map(|side| Fft::new(*side)).collect();
        Self { ffts, shape: shape.to_vec(), amplitudes, squash }
    }

    /// Draws one block: `block[i][s]` is entry `i` of sample `s`.
    pub fn fill(
        &self,
        rng: &mut BlockRng,
        scratch: &mut Vec<[T; LANES]>,
        block: &mut [[T; BLOCK]],
    ) {
        scratch.resize(self.scratch(), [T::ZERO; LANES]);
        dispatch(Fill { field: self, rng, scratch, block });
    }

    /// Draws one block and the squared norm of the white noise behind each sample; every mode is drawn.
    pub fn fill_with_norms(
        &self,
        mirror: &Mirror,
        rng: &mut BlockRng,
        scratch: &mut Vec<[T; LANES]>,
        block: &mut [[T; BLOCK]],
    ) -> [f64; BLOCK] {
        scratch.resize(self.scratch(), [T::ZERO; LANES]);
        dispatch(norms::FillWithNorms { field: self, mirror, rng, scratch, block })
    }

    /// Entries of scratch: real and imaginary parts of all modes, of one line, and of the transform's own scratch.
    fn scratch(&self) -> usize {
        let side = self.shape.iter().copied().max().unwrap_or(0);
        let line = if self.shape.len() > 1 { 2 * side } else { 0 };
        2 * self.amplitudes.len() + line + 2 * side
    }

    /// Transforms all modes to all sites, axis by axis, and says where they lie; the lines of a torus pass through `scratch`.
    #[inline(always)]
    fn inverse<'a, S: Simd>(
        &self,
        s: S,
        re: &'a mut [[T; LANES]],
        im: &'a mut [[T; LANES]],
        scratch: &'a mut [[T; LANES]],
    ) -> (&'a [[T; LANES]], &'a [[T; LANES]]) {
        if let [fft] = self.ffts.as_slice() {
            let (re, im) = fft.inverse(s, re, im, scratch);
            return (re, im);
        }
        let mut stride = 1;
        for (&side, fft) in self.shape.iter().zip(&self.ffts).rev() {
            let (line_re, rest) = scratch.split_at_mut(side);
            let (line_im, rest) = rest.split_at_mut(side);
            for line in 0..re.len() / side {
                let first = line / stride * stride * side + line % stride;
                for j in 0..side {
                    line_re[j] = re[first + j * stride];
                    line_im[j] = im[first + j * stride];
                }
                let (x, y) = fft.inverse(s, line_re, line_im, rest);
                for j in 0..side {
                    re[first + j * stride] = x[j];
                    im[first + j * stride] = y[j];
                }
            }
            stride *= side;
        }
        (re, im)
    }

    /// Squashes the two samples of every lane into the block: real parts first, then imaginary parts.
    #[inline(always)]
    fn write<S: Simd>(&self, s: S, re: &[[T; LANES]], im: &[[T; LANES]], block: &mut [[T; BLOCK]]) {
        // A closure would be a function of its own, compiled without the instruction set.
        macro_rules! write {
            ($z:ident => $squashed:expr) => {
                for ((row, re), im) in block.iter_mut().zip(re).zip(im) {
                    let (halves, _) = row.as_chunks_mut::<LANES>();
                    for (z, to) in [re, im].into_iter().zip(halves) {
                        let $z = T::load(s, z);
                        T::store(s, $squashed, to);
                    }
                }
            };
        }
        match self.squash {
            Squash::Linear => write!(z => z),
            Squash::Sign => write!(z => T::signs(s, z)),
            Squash::Erf { gain, scale } => {
                let (gain, scale) =
                    (T::splat(s, T::from_f64(gain)), T::splat(s, T::from_f64(scale)));
                write!(z => T::times(s, T::erf_lanes(s, T::times(s, gain, z)), scale));
            }
        }
    }
}

struct Fill<'a, T> {
    field: &'a Field<T>,
    rng: &'a mut BlockRng,
    scratch: &'a mut [[T; LANES]],
    block: &'a mut [[T; BLOCK]],
}

impl<T: Real> Kernel for Fill<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let n = self.block.len();
        let (re, rest) = self.scratch.split_at_mut(n);
        let (im, scratch) = rest.split_at_mut(n);
        let amplitudes = &self.field.amplitudes;
        T::coloured_normals(s, self.rng, |k| amplitudes[k], re, im);
        let (re, im) = self.field.inverse(s, re, im, scratch);
        self.field.write(s, re, im, self.block);
    }
}

#[cfg(test)]
mod tests;
