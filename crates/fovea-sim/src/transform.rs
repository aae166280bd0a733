//! Fourier transforms over a ring or torus, sixteen lanes side by side.

use crate::simd::{Body, Level, Simd, dispatch_at};
use fovea_core::lanes::{Fft, LANES, Real};

/// The transforms along every axis; the last axis runs fastest.
#[derive(Clone, Debug)]
pub(crate) struct Transform<T> {
    shape: Vec<usize>,
    ffts: Vec<Fft<T>>,
}

impl<T: Real> Transform<T> {
    pub(crate) fn new(shape: &[usize]) -> Self {
        Self { shape: shape.to_vec(), ffts: shape.iter().map(|side| Fft::new(*side)).collect() }
    }

    /// Sites of the torus.
    pub(crate) fn sites(&self) -> usize {
        self.shape.iter().product()
    }

    /// The one transform of a ring.
    pub(crate) fn of_ring(&self) -> Option<&Fft<T>> {
        if let [fft] = &self.ffts[..] { Some(fft) } else { None }
    }

    /// Rows of scratch that a transform needs.
    pub(crate) fn scratch(&self) -> usize {
        4 * self.shape.iter().copied().max().unwrap_or(0)
    }

    /// `z_j = sum_q a_q exp(2 pi i <j, q>)`, `<j, q>` the sum of `j q / side` over the axes, in place and without a factor.
    pub(crate) fn inverse(
        &self,
        re: &mut [[T; LANES]],
        im: &mut [[T; LANES]],
        scratch: &mut [[T; LANES]],
    ) {
        self.inverse_at(Level::best(), re, im, scratch);
    }

    /// The same with given instructions.
    pub(crate) fn inverse_at(
        &self,
        level: Level,
        re: &mut [[T; LANES]],
        im: &mut [[T; LANES]],
        scratch: &mut [[T; LANES]],
    ) {
        if let Some(fft) = self.of_ring() {
            return dispatch_at(level, Line { fft, re, im, scratch });
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
                dispatch_at(level, Line { fft, re: line_re, im: line_im, scratch: rest });
                for j in 0..side {
                    re[first + j * stride] = line_re[j];
                    im[first + j * stride] = line_im[j];
                }
            }
            stride *= side;
        }
    }

    /// `a_q = sum_j z_j exp(-2 pi i <j, q>)`: the inverse with real and imaginary parts exchanged before and after.
    pub(crate) fn forward(
        &self,
        re: &mut [[T; LANES]],
        im: &mut [[T; LANES]],
        scratch: &mut [[T; LANES]],
    ) {
        self.inverse(im, re, scratch);
    }
}

/// One transform, a body of its own: inlined with others it is too large for the compiler to vectorise.
struct Line<'a, T> {
    fft: &'a Fft<T>,
    re: &'a mut [[T; LANES]],
    im: &'a mut [[T; LANES]],
    scratch: &'a mut [[T; LANES]],
}

impl<T: Real> Body for Line<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        self.fft.inverse_in_place(s, self.re, self.im, self.scratch);
    }
}

/// Operations on lanes that one transform of a ring of `n` sites takes, by the factors of `n`: a pass over the factor 2 is
/// four additions for a pair of sites, and so on; a prime without a butterfly of its own takes its defining sum.
pub(crate) fn operations(n: usize) -> usize {
    let (mut rest, mut a_site) = (n, 0);
    for (factor, operations) in [(5, 14), (3, 10), (4, 8), (2, 6)] {
        while rest.is_multiple_of(factor) && rest > 1 {
            rest /= factor;
            a_site += operations;
        }
    }
    let mut prime = 7;
    while rest > 1 {
        if prime * prime > rest {
            prime = rest;
        }
        while rest.is_multiple_of(prime) {
            rest /= prime;
            a_site += 6 * prime;
        }
        prime += 2;
    }
    n * a_site
}
