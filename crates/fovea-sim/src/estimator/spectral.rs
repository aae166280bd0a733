//! Circular correlations by Fourier transforms, two samples per lane.
//!
//! With `z = x + i x'` two samples, `W` the transform of a real row of weights and `Z` that of `z`, the transform of
//! `H(s) = sum_i w_i z_(i+s)` is `conj(W) Z`: its real part belongs to `x`, its imaginary part to `x'`. On the way back,
//! `delta + i delta'` with transform `D` has `sum_s (delta x + delta' x')_(i+s)` as the real part of the inverse of
//! `conj(D) Z`. That is linear in `conj(D) Z`, which is therefore summed over a batch first, so that one inverse per step is enough.

use super::correlate::Room;
use crate::simd::{Body, Simd, dispatch};
use crate::transform::Transform;
use fovea_core::lanes::{BLOCK, LANES, Real, tree_sum};

/// The transforms in the number type of the pass, and those of weights and gradients in double precision.
#[derive(Clone, Debug)]
pub(super) struct Spectral<T> {
    lanes: Transform<T>,
    exact: Transform<f64>,
}

impl<T: Real> Spectral<T> {
    pub(super) fn new(shape: &[usize]) -> Self {
        Self { lanes: Transform::new(shape), exact: Transform::new(shape) }
    }

    pub(super) fn scratch(&self) -> usize {
        self.lanes.scratch()
    }

    /// `conj(W) / n` of every row, real and imaginary part of each mode next to each other; sixteen rows per transform.
    pub(super) fn load(&self, weights: &[f64], loaded: &mut Vec<T>) {
        let n = self.lanes.sites();
        let mut scratch = vec![[0.0; LANES]; self.exact.scratch()];
        for rows in weights.chunks(LANES * n) {
            let (mut re, mut im) = (vec![[0.0; LANES]; n], vec![[0.0; LANES]; n]);
            for (lane, row) in rows.chunks(n).enumerate() {
                for (re, w) in re.iter_mut().zip(row) {
                    re[lane] = w / n as f64;
                }
            }
            self.exact.forward(&mut re, &mut im, &mut scratch);
            for lane in 0..rows.len() / n {
                for (re, im) in re.iter().zip(&im) {
                    loaded.extend([T::from_f64(re[lane]), T::from_f64(-im[lane])]);
                }
            }
        }
    }

    /// The transform of the samples.
    pub(super) fn prepare(&self, room: &mut Room<T>) {
        let Room { x, modes: (re, im), scratch, .. } = room;
        dispatch(Split { rows: x, re, im });
        self.lanes.forward(re, im, scratch);
    }

    /// Preactivations of every row of weights at all shifts.
    pub(super) fn forward(&self, loaded: &[T], room: &mut Room<T>, h: &mut [[T; BLOCK]]) {
        let Room { modes, line: (re, im), scratch, .. } = room;
        let n = re.len();
        for (row, h) in loaded.chunks(2 * n).zip(h.chunks_mut(n)) {
            dispatch(Filter { row, modes, re, im });
            self.lanes.inverse(re, im, scratch);
            dispatch(Join { re, im, h });
        }
    }

    /// Adds `conj(D) Z` to the sums of every row of weights, real parts first.
    pub(super) fn backward(
        &self,
        delta: &[[T; BLOCK]],
        room: &mut Room<T>,
        sums: &mut [[T; LANES]],
    ) {
        let Room { modes, line: (re, im), scratch, .. } = room;
        let n = re.len();
        for (delta, sums) in delta.chunks(n).zip(sums.chunks_mut(2 * n)) {
            dispatch(Split { rows: delta, re, im });
            self.lanes.forward(re, im, scratch);
            dispatch(Collect { modes, re, im, sums });
        }
    }

    /// The real part of the inverse transform of each row's sums; sixteen rows per transform.
    pub(super) fn finish(&self, sums: &[f64], grad: &mut [f64]) {
        let n = self.lanes.sites();
        let mut scratch = vec![[0.0; LANES]; self.exact.scratch()];
        for (sums, grad) in sums.chunks(2 * LANES * n).zip(grad.chunks_mut(LANES * n)) {
            let (mut re, mut im) = (vec![[0.0; LANES]; n], vec![[0.0; LANES]; n]);
            for (lane, row) in sums.chunks(2 * n).enumerate() {
                for q in 0..n {
                    (re[q][lane], im[q][lane]) = (row[q] / n as f64, row[n + q] / n as f64);
                }
            }
            self.exact.inverse(&mut re, &mut im, &mut scratch);
            for (lane, row) in grad.chunks_mut(n).enumerate() {
                for (g, re) in row.iter_mut().zip(&re) {
                    *g = re[lane];
                }
            }
        }
    }
}

/// The result of [`Spectral::forward`] and [`Spectral::backward`] where `delta = H`, which needs no transform: with
/// `F = conj(W) Z / n`, `D = n F`. Returns `sum_s H(s)^2` over the block, which is `n sum_q |F|^2`.
pub(super) fn linear<T: Real>(row: &[T], room: &mut Room<T>, sums: &mut [[T; LANES]]) -> f64 {
    let Room { modes, line: (re, im), .. } = room;
    let n = re.len() as f64;
    dispatch(Filter { row, modes, re, im });
    let power = dispatch(Power { factor: T::from_f64(n), re, im });
    dispatch(Collect { modes, re, im, sums });
    n * power.to_f64()
}

/// Separates the two samples of every lane.
struct Split<'a, T> {
    rows: &'a [[T; BLOCK]],
    re: &'a mut [[T; LANES]],
    im: &'a mut [[T; LANES]],
}

impl<T: Real> Body for Split<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        for ((row, re), im) in self.rows.iter().zip(self.re).zip(self.im) {
            re.copy_from_slice(&row[..LANES]);
            im.copy_from_slice(&row[LANES..]);
        }
    }
}

/// Puts the two samples of every lane side by side again.
struct Join<'a, T> {
    re: &'a [[T; LANES]],
    im: &'a [[T; LANES]],
    h: &'a mut [[T; BLOCK]],
}

impl<T: Real> Body for Join<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        for ((h, re), im) in self.h.iter_mut().zip(self.re).zip(self.im) {
            h[..LANES].copy_from_slice(re);
            h[LANES..].copy_from_slice(im);
        }
    }
}

/// Real and imaginary parts of all modes.
type Modes<T> = (Vec<[T; LANES]>, Vec<[T; LANES]>);

/// The modes times those of a row of weights.
struct Filter<'a, T> {
    row: &'a [T],
    modes: &'a Modes<T>,
    re: &'a mut [[T; LANES]],
    im: &'a mut [[T; LANES]],
}

impl<T: Real> Body for Filter<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        // By index: with zip the compiler vectorises the loop over modes, by gathers, instead of the lanes.
        for (q, &[c, s]) in self.row.as_chunks::<2>().0.iter().enumerate() {
            let (x, y) = (&self.modes.0[q], &self.modes.1[q]);
            let (re, im) = (&mut self.re[q], &mut self.im[q]);
            for l in 0..LANES {
                re[l] = x[l].fma(c, -(y[l] * s));
                im[l] = x[l].fma(s, y[l] * c);
            }
        }
    }
}

/// The sums plus `conj(re + i im)` times the modes.
struct Collect<'a, T> {
    modes: &'a Modes<T>,
    re: &'a [[T; LANES]],
    im: &'a [[T; LANES]],
    sums: &'a mut [[T; LANES]],
}

impl<T: Real> Body for Collect<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let (sum_re, sum_im) = self.sums.split_at_mut(self.re.len());
        let sums = sum_re.iter_mut().zip(sum_im);
        let modes = self.modes.0.iter().zip(&self.modes.1);
        for (((a, b), (x, y)), (re, im)) in self.re.iter().zip(self.im).zip(modes).zip(sums) {
            for l in 0..LANES {
                re[l] = a[l].fma(x[l], b[l].fma(y[l], re[l]));
                im[l] = a[l].fma(y[l], (-b[l]).fma(x[l], im[l]));
            }
        }
    }
}

/// The sum of all squares, and everything times a factor.
struct Power<'a, T> {
    factor: T,
    re: &'a mut [[T; LANES]],
    im: &'a mut [[T; LANES]],
}

impl<T: Real> Body for Power<'_, T> {
    type Output = T;

    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> T {
        let mut total = [T::ZERO; LANES];
        for q in 0..self.re.len() {
            let (re, im) = (&mut self.re[q], &mut self.im[q]);
            for l in 0..LANES {
                total[l] = re[l].fma(re[l], im[l].fma(im[l], total[l]));
                re[l] = re[l] * self.factor;
                im[l] = im[l] * self.factor;
            }
        }
        tree_sum(total)
    }
}
