//! Sixteen-lane arithmetic: the definition that every vectorised loop reproduces bit for bit.
//!
//! A lane operation uses `+ - * /`, the square root and the fused multiply-add, which IEEE 754 fixes to the last bit,
//! and nothing from the platform's math library. A vectorised body must equal the plain loops here; compiled
//! for wider instruction sets they give the same bits, only faster.

mod branch_free;
mod circle;
mod double;
mod fft;
mod gamma;
mod normals;
mod register;
mod room;
mod single;
mod vector;

pub use fft::{Fft, Sink};
pub use gamma::GAMMA_FLOOR;
pub use register::Register;
pub use room::{Room, on_lines};

pub use crate::simd::{LANES, tree_sum};

use crate::simd::Simd;
use crate::streams::BlockRng;
use std::fmt::Debug;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// Samples from one block of generators: two per lane, the real and the imaginary part of one transform.
pub const BLOCK: usize = 2 * LANES;

/// The two number types of training.
pub trait Real:
    Register
    + Debug
    + PartialOrd
    + Send
    + Sync
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + 'static
{
    /// The name of this type in records.
    const NAME: &'static str;
    /// Zero.
    const ZERO: Self;
    /// One.
    const ONE: Self;
    /// Modes with an eigenvalue below this share of the largest take no draw: their amplitude is lost in rounding.
    const MODE_FLOOR: f64;
    /// Below this gain `erf(g z)` is `g z` times a constant to half a unit in the last place, for every `z` a generator can give.
    const LINEAR_GAIN: f64;

    /// The nearest value of this type.
    fn from_f64(x: f64) -> Self;
    /// The same value in double precision.
    fn to_f64(self) -> f64;
    /// `self * a + b`, rounded once.
    #[must_use]
    fn fma(self, a: Self, b: Self) -> Self;
    /// The square root.
    #[must_use]
    fn sqrt(self) -> Self;
    /// The absolute value.
    #[must_use]
    fn abs(self) -> Self;
    /// The size of `self` with the sign of `sign`.
    #[must_use]
    fn copysign(self, sign: Self) -> Self;
    /// The exponential.
    #[must_use]
    fn exp(self) -> Self;
    /// `e^x - 1` for a number that is at most zero, with full relative accuracy where it is small.
    #[must_use]
    fn exp_m1(self) -> Self;
    /// The error function.
    #[must_use]
    fn erf(self) -> Self;
    /// The complement `1 - erf`, with full relative accuracy where it is small.
    #[must_use]
    fn erfc(self) -> Self;
    /// The natural logarithm of a positive normal number.
    #[must_use]
    fn ln(self) -> Self;
    /// The sine of any finite number of radians.
    #[must_use]
    fn sin(self) -> Self;
    /// The cosine of any finite number of radians.
    #[must_use]
    fn cos(self) -> Self;
    /// Two independent standard normals per lane, by Box and Muller's transform.
    fn normal_pair(rng: &mut BlockRng) -> ([Self; LANES], [Self; LANES]);

    /// Draws a pair of normals for every mode of positive amplitude and multiplies them by it; the rest of `re` and `im` is zero.
    #[inline(always)]
    fn coloured_normals<S: Simd>(
        _: S,
        rng: &mut BlockRng,
        amplitude: impl Fn(usize) -> Self,
        re: &mut [[Self; LANES]],
        im: &mut [[Self; LANES]],
    ) {
        normals_pair_by_pair(rng, amplitude, re, im);
    }

    /// The error function in every lane.
    #[inline(always)]
    fn erf_lanes<S: Simd>(s: S, x: Self::Lanes<S>) -> Self::Lanes<S> {
        let mut numbers = [Self::ZERO; LANES];
        Self::store(s, x, &mut numbers);
        for number in &mut numbers {
            *number = number.erf();
        }
        Self::load(s, &numbers)
    }
}

/// The numbers of [`Real::coloured_normals`], one mode after the other.
#[inline(always)]
fn normals_pair_by_pair<T: Real>(
    rng: &mut BlockRng,
    amplitude: impl Fn(usize) -> T,
    re: &mut [[T; LANES]],
    im: &mut [[T; LANES]],
) {
    for (k, (re, im)) in re.iter_mut().zip(im).enumerate() {
        let amplitude = amplitude(k);
        (*re, *im) = ([T::ZERO; LANES], [T::ZERO; LANES]);
        if amplitude > T::ZERO {
            let (a, b) = T::normal_pair(rng);
            for l in 0..LANES {
                (re[l], im[l]) = (a[l] * amplitude, b[l] * amplitude);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agree::{agrees, test_seed};
    use crate::stats::Estimate;
    use crate::streams::Streams;

    #[test]
    fn the_tree_adds_every_lane_once() {
        let lanes: [f64; LANES] = std::array::from_fn(|l| f64::from(1 << l));
        assert_eq!(tree_sum(lanes).to_bits(), 65535.0_f64.to_bits());
    }

    /// Moments one to four of the normals, and the correlation of a pair; the control has a variance off by 2 %.
    fn normals_have_their_moments<T: Real>() {
        let stream = Streams::new(test_seed(module_path!(), 0)).named(T::NAME);
        let mut z = Vec::new();
        let mut products = Vec::new();
        for block in 0..2000 {
            let mut rng = stream.block(0, block);
            for _ in 0..8 {
                let (a, b) = T::normal_pair(&mut rng);
                products.extend(a.iter().zip(&b).map(|(a, b)| a.to_f64() * b.to_f64()));
                z.extend(a.iter().chain(&b).map(|z| z.to_f64()));
            }
        }
        let moment = |p: f64, scale: f64| {
            let powers: Vec<f64> = z.iter().map(|z| libm::pow(scale * z, p)).collect();
            Estimate::from_samples(&powers).unwrap()
        };
        for (p, value) in [(1.0, 0.0), (2.0, 1.0), (3.0, 0.0), (4.0, 3.0), (6.0, 15.0)] {
            agrees(&moment(p, 1.0), value, 12).unwrap();
        }
        agrees(&Estimate::from_samples(&products).unwrap(), 0.0, 12).unwrap();
        assert!(agrees(&moment(2.0, 1.01), 1.0, 12).is_err());
    }

    #[test]
    fn single_normals_have_their_moments() {
        normals_have_their_moments::<f32>();
    }

    #[test]
    fn double_normals_have_their_moments() {
        normals_have_their_moments::<f64>();
    }
}
