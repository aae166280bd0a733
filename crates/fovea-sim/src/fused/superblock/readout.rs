//! From the units to the outputs, and back.

use super::Theta;
use crate::simd::{Body, Simd};
use fovea_core::lanes::{BLOCK, LANES, Real};

/// The mean over units of their values, added up in their order.
pub(super) struct Mean<'a, T> {
    pub(super) u: &'a [[T; BLOCK]],
    pub(super) y: &'a mut [T; BLOCK],
}

impl<T: Real> Body for Mean<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let mean = T::splat(s, T::ONE / T::from_f64(self.u.len() as f64));
        let mut sums = [T::splat(s, T::ZERO); 2];
        for row in self.u {
            let (row, _) = row.as_chunks::<LANES>();
            for half in 0..2 {
                sums[half] = T::plus(s, sums[half], T::load(s, &row[half]));
            }
        }
        let (y, _) = self.y.as_chunks_mut::<LANES>();
        for half in 0..2 {
            T::store(s, T::times(s, sums[half], mean), &mut y[half]);
        }
    }
}

/// Outputs of a readout, `[output]`.
pub(super) struct ReadOut<'a, T> {
    pub(super) theta: &'a Theta<T>,
    pub(super) u: &'a [[T; BLOCK]],
    pub(super) y: &'a mut [[T; BLOCK]],
}

impl<T: Real> Body for ReadOut<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { theta, u, y } = self;
        let width = u.len();
        let mean = T::splat(s, T::ONE / T::from_f64(width as f64));
        for (o, y) in y.iter_mut().enumerate() {
            let mut sums = [T::splat(s, T::ZERO); 2];
            for (passed, v) in u.iter().zip(&theta.readout[o * width..(o + 1) * width]) {
                let (passed, _) = passed.as_chunks::<LANES>();
                let v = T::splat(s, *v);
                for half in 0..2 {
                    sums[half] = T::times_plus(s, v, T::load(s, &passed[half]), sums[half]);
                }
            }
            let bias = T::splat(s, theta.output_biases[o]);
            let (y, _) = y.as_chunks_mut::<LANES>();
            for half in 0..2 {
                let scaled = T::times(s, sums[half], mean);
                T::store(s, T::plus(s, scaled, bias), &mut y[half]);
            }
        }
    }
}

/// The slopes of units into the loss's derivative by their preactivations.
pub(super) struct TimesSlopes<'a, T> {
    pub(super) theta: &'a Theta<T>,
    pub(super) errors: &'a [[T; BLOCK]],
    pub(super) h: &'a mut [[T; BLOCK]],
}

impl<T: Real> Body for TimesSlopes<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { theta, errors, h } = self;
        let width = h.len();
        let (error, _) = errors[0].as_chunks::<LANES>();
        let mut back = [T::load(s, &error[0]), T::load(s, &error[1])];
        for (k, row) in h.iter_mut().enumerate() {
            if !theta.readout.is_empty() {
                back = [T::splat(s, T::ZERO); 2];
                for (o, error) in errors.iter().enumerate() {
                    let v = T::splat(s, theta.readout[o * width + k]);
                    let (error, _) = error.as_chunks::<LANES>();
                    for half in 0..2 {
                        back[half] = T::times_plus(s, v, T::load(s, &error[half]), back[half]);
                    }
                }
            }
            let (row, _) = row.as_chunks_mut::<LANES>();
            for half in 0..2 {
                let slope = T::load(s, &row[half]);
                T::store(s, T::times(s, back[half], slope), &mut row[half]);
            }
        }
    }
}
