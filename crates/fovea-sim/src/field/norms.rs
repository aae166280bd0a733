//! The white noise behind a coloured sample, and its norm.
//!
//! The direction of the noise is uniform on the sphere and independent of its norm, which is what an elliptical distribution is
//! made of. Two real samples share one complex transform, so the noise of each has to be separated: at the
//! frequencies `k` and `-k` the real sample holds `(a_k + a_-k) / sqrt 2` and `(b_-k - b_k) / sqrt 2`, the imaginary
//! sample `(b_k + b_-k) / sqrt 2` and `(a_k - a_-k) / sqrt 2`; where `-k` is `k` they hold `a_k` and `b_k` alone.

use crate::simd::{Body, Simd};
use fovea_core::lanes::{BLOCK, LANES, Real};
use fovea_core::streams::BlockRng;

/// The frequency `-k` of every frequency `k` of a torus.
#[derive(Clone, Debug)]
pub struct Mirror(Vec<u32>);

impl Mirror {
    /// The mirror of a torus with these sides.
    pub fn new(shape: &[usize]) -> Self {
        let mirrored = shape.iter().fold(vec![0], |slow: Vec<u32>, &side| {
            let fast = move |base: u32| {
                (0..side).map(move |k| base * side as u32 + ((side - k) % side) as u32)
            };
            slow.into_iter().flat_map(fast).collect()
        });
        Self(mirrored)
    }
}

pub(super) struct NormalsWithNorms<'a, T> {
    pub(super) amplitudes: &'a [T],
    pub(super) mirror: &'a Mirror,
    pub(super) rng: &'a mut BlockRng,
    pub(super) re: &'a mut [[T; LANES]],
    pub(super) im: &'a mut [[T; LANES]],
}

impl<T: Real> Body for NormalsWithNorms<'_, T> {
    type Output = [f64; BLOCK];

    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> [f64; BLOCK] {
        let Self { amplitudes, mirror, rng, re, im } = self;
        T::coloured_normals(s, rng, |_| T::ONE, re, im);
        let mut norms = [0.0; BLOCK];
        add_norms(&mirror.0, re, im, &mut norms);
        for (k, &amplitude) in amplitudes.iter().enumerate() {
            for l in 0..LANES {
                re[k][l] = re[k][l] * amplitude;
                im[k][l] = im[k][l] * amplitude;
            }
        }
        norms
    }
}

/// Sums the squares over all modes; a pair `k, -k` is met twice, each time with half its share.
///
/// In double precision: in single precision a sum of sixty thousand squares would lose two digits.
#[inline(always)]
fn add_norms<T: Real>(
    mirror: &[u32],
    re: &[[T; LANES]],
    im: &[[T; LANES]],
    norms: &mut [f64; BLOCK],
) {
    for (k, &opposite) in mirror.iter().enumerate() {
        let (a, b) = (&re[k], &im[k]);
        let (c, d) = (&re[opposite as usize], &im[opposite as usize]);
        for l in 0..LANES {
            let (a, b, c, d) = (a[l].to_f64(), b[l].to_f64(), c[l].to_f64(), d[l].to_f64());
            norms[l] += 0.25 * ((a + c) * (a + c) + (d - b) * (d - b));
            norms[LANES + l] += 0.25 * ((b + d) * (b + d) + (a - c) * (a - c));
        }
    }
}
