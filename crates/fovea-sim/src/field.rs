//! Translation-invariant Gaussian fields on the ring, two samples a transform.
//!
//! `z_j = sum_k sqrt(lambda_k / n) (a_k + i b_k) exp(2 pi i j k / n)` with independent normals `a_k, b_k`: the real and
//! the imaginary part are independent samples with circulant covariance of eigenvalues `lambda_k`. Modes are drawn in
//! order of `k`; those below [`Real::MODE_FLOOR`] of the largest draw nothing.

use crate::simd::{Kernel, dispatch};
use fovea_core::lanes::{BLOCK, Fft, LANES, Real};
use fovea_core::streams::BlockRng;

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
    fft: Fft<T>,
    /// Amplitude of every mode, zero for those not drawn.
    amplitudes: Vec<T>,
    squash: Squash,
}

impl<T: Real> Field<T> {
    /// A field whose circulant covariance has these (nonnegative) eigenvalues, `k = 0..n`.
    pub fn new(eigs: &[f64], squash: Squash) -> Self {
        let n = eigs.len();
        let floor = T::MODE_FLOOR * eigs.iter().copied().fold(0.0, f64::max);
        let amplitude = |eig: &f64| if *eig > floor { (eig / n as f64).sqrt() } else { 0.0 };
        let amplitudes = eigs.iter().map(|eig| T::from_f64(amplitude(eig))).collect();
        let squash = match squash {
            Squash::Erf { gain, .. } if gain < T::LINEAR_GAIN => Squash::Linear,
            // A gain that single precision cannot hold squashes every drawable entry to its sign.
            Squash::Erf { gain, scale } => Squash::Erf { gain: gain.min(1e30), scale },
            other => other,
        };
        Self { fft: Fft::new(n), amplitudes, squash }
    }

    /// Draws one block: `block[i][s]` is entry `i` of sample `s`.
    pub fn fill(
        &self,
        rng: &mut BlockRng,
        scratch: &mut Vec<[T; LANES]>,
        block: &mut [[T; BLOCK]],
    ) {
        scratch.resize(4 * self.amplitudes.len(), [T::ZERO; LANES]);
        dispatch(Fill { field: self, rng, scratch, block });
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
    fn run(self) {
        let n = self.block.len();
        let (re, rest) = self.scratch.split_at_mut(n);
        let (im, scratch) = rest.split_at_mut(n);
        for (k, &amplitude) in self.field.amplitudes.iter().enumerate() {
            (re[k], im[k]) = if amplitude > T::ZERO {
                let (a, b) = T::normal_pair(self.rng);
                (a.map(|a| a * amplitude), b.map(|b| b * amplitude))
            } else {
                ([T::ZERO; LANES], [T::ZERO; LANES])
            };
        }
        self.field.fft.inverse(re, im, scratch);
        match self.field.squash {
            Squash::Linear => write_out(re, im, self.block, |z| z),
            Squash::Sign => write_out(re, im, self.block, |z| T::ONE.copysign(z)),
            Squash::Erf { gain, scale } => {
                let (gain, scale) = (T::from_f64(gain), T::from_f64(scale));
                write_out(re, im, self.block, |z| (gain * z).erf() * scale);
            }
        }
    }
}

/// Squashes the two samples of every lane into the block: real parts first, then imaginary parts.
#[inline(always)]
fn write_out<T: Real>(
    re: &[[T; LANES]],
    im: &[[T; LANES]],
    block: &mut [[T; BLOCK]],
    squash: impl Fn(T) -> T,
) {
    for ((row, re), im) in block.iter_mut().zip(re).zip(im) {
        for l in 0..LANES {
            row[l] = squash(re[l]);
            row[LANES + l] = squash(im[l]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Level, dispatch_at};
    use fovea_core::agree::same_bits;
    use fovea_core::streams::Streams;

    const EIGS: [f64; 5] = [3.0, 1.0, 0.1, 0.1, 1.0];

    fn drawn<T: Real>(level: Level, squash: Squash) -> Vec<[T; BLOCK]> {
        let field = Field::<T>::new(&EIGS, squash);
        let mut rng = Streams::new(3).named("field").block(0, 0);
        let (mut scratch, mut block) = (vec![[T::ZERO; LANES]; 20], vec![[T::ZERO; BLOCK]; 5]);
        dispatch_at(
            level,
            Fill { field: &field, rng: &mut rng, scratch: &mut scratch, block: &mut block },
        );
        block
    }

    /// Every number drawn at a level; widening to double precision keeps the bits of a single apart.
    fn numbers<T: Real>(level: Level, squash: Squash) -> Vec<f64> {
        drawn::<T>(level, squash).concat().iter().map(|x| x.to_f64()).collect()
    }

    #[test]
    fn every_instruction_set_draws_the_same_bits() {
        for squash in [Squash::Linear, Squash::Sign, Squash::Erf { gain: 3.0, scale: 1.1 }] {
            for level in Level::available() {
                let (single, double) =
                    (numbers::<f32>(level, squash), numbers::<f64>(level, squash));
                same_bits(&single, &numbers::<f32>(Level::Portable, squash)).unwrap();
                same_bits(&double, &numbers::<f64>(Level::Portable, squash)).unwrap();
            }
        }
    }

    /// The obvious sampler: the same normals, the defining sum, `libm`.
    fn obvious(squash: Squash) -> Vec<[f64; BLOCK]> {
        let mut rng = Streams::new(3).named("field").block(0, 0);
        let normals: Vec<_> = EIGS.iter().map(|_| f32::normal_pair(&mut rng)).collect();
        let mut block = vec![[0.0; BLOCK]; 5];
        for j in 0..5 {
            for l in 0..LANES {
                let (mut x, mut y) = (0.0, 0.0);
                for (k, (a, b)) in normals.iter().enumerate() {
                    let amplitude = (EIGS[k] / 5.0).sqrt();
                    let (a, b) = (amplitude * f64::from(a[l]), amplitude * f64::from(b[l]));
                    let (sin, cos) = libm::sincos(std::f64::consts::TAU * (j * k % 5) as f64 / 5.0);
                    x += a * cos - b * sin;
                    y += a * sin + b * cos;
                }
                let squashed = |z: f64| match squash {
                    Squash::Linear => z,
                    Squash::Sign => 1.0_f64.copysign(z),
                    Squash::Erf { gain, scale } => libm::erf(gain * z) * scale,
                };
                (block[j][l], block[j][LANES + l]) = (squashed(x), squashed(y));
            }
        }
        block
    }

    #[test]
    fn the_lanes_equal_the_obvious_sampler() {
        for squash in [Squash::Linear, Squash::Sign, Squash::Erf { gain: 0.5, scale: 1.1 }] {
            let (lanes, truth) = (drawn::<f32>(Level::best(), squash), obvious(squash));
            for (lane, truth) in lanes.concat().iter().zip(truth.concat()) {
                assert!(
                    (f64::from(*lane) - truth).abs() < 3e-6,
                    "{lane} against {truth}, {squash:?}"
                );
            }
        }
    }

    #[test]
    fn modes_lost_in_rounding_draw_nothing() {
        let eigs = [1.0, 1e-10, 1e-10];
        assert_eq!(
            Field::<f32>::new(&eigs, Squash::Linear)
                .amplitudes
                .iter()
                .filter(|a| **a > 0.0)
                .count(),
            1
        );
        assert_eq!(
            Field::<f64>::new(&eigs, Squash::Linear)
                .amplitudes
                .iter()
                .filter(|a| **a > 0.0)
                .count(),
            3
        );
    }

    #[test]
    fn extreme_gains_stay_finite() {
        for gain in [1e-300, 1e-5, 1e300] {
            let field = Field::<f32>::new(&EIGS, Squash::Erf { gain, scale: 1.0 });
            let mut block = vec![[0.0; BLOCK]; 5];
            field.fill(&mut Streams::new(1).named("x").block(0, 0), &mut Vec::new(), &mut block);
            assert!(block.concat().iter().all(|x| x.is_finite()));
        }
    }
}
