//! Single precision: branch-free polynomials that a compiler can run sixteen lanes at a time.
//!
//! Coefficients are weighted minimax fits (Lawson iteration, double precision, rounded to single); each function's
//! test states the error it reaches against `libm`.

use super::circle::{sin_cos, sin_cos_turn};
use super::{LANES, Real, vector};
use crate::simd::Simd;
use crate::streams::BlockRng;

/// Evaluates a polynomial, lowest coefficient first, with one rounding per step.
#[inline(always)]
pub(super) fn horner<const N: usize>(coefficients: [f32; N], x: f32) -> f32 {
    let mut sum = coefficients[N - 1];
    for c in coefficients[..N - 1].iter().rev() {
        sum = sum.mul_add(x, *c);
    }
    sum
}

/// `P` of the logarithm.
pub(super) const LN_P: [f32; 8] = [
    0.33333316,
    -0.25000808,
    0.20002286,
    -0.16624595,
    0.14181218,
    -0.13128416,
    0.1288138,
    -0.07860141,
];
/// The bits of the square root of one half.
pub(super) const SQRT_HALF_BITS: u32 = 0x3f35_04f3;

/// Numerator and denominator of the error function, and the argument at which it reaches one.
pub(super) const ERF_P: [f32; 6] = [
    std::f32::consts::FRAC_2_SQRT_PI,
    0.19193904,
    0.05296663,
    0.0038367843,
    0.00028745394,
    0.0000020503865,
];
pub(super) const ERF_Q: [f32; 6] =
    [1.0, 0.50343335, 0.11475737, 0.015109022, 0.0011817098, 0.00003823056];
pub(super) const ERF_END: f32 = 3.9;

/// The natural logarithm of a positive normal number.
///
/// `x = m 2^e` with `m` in [sqrt 1/2, sqrt 2); `ln m = f - f^2/2 + f^3 P(f)`, `f = m - 1`.
#[inline(always)]
fn ln(x: f32) -> f32 {
    let exponent = (x.to_bits().wrapping_sub(SQRT_HALF_BITS) as i32) >> 23;
    let f = f32::from_bits(x.to_bits().wrapping_sub((exponent << 23) as u32)) - 1.0;
    let tail = horner(LN_P, f).mul_add(f, -0.5);
    let ln_m = tail.mul_add(f * f, f);
    (exponent as f32).mul_add(std::f32::consts::LN_2, ln_m)
}

/// The exponential of a number of at most `ln 2 / 2`, lowest power first.
const EXP: [f32; 7] = [1.0, 1.0, 0.5, 0.1666652, 0.04166621, 0.008368815, 0.0013950323];

/// `2^k` and `r` with `x = k ln 2 + r`, `|r| <= ln 2 / 2`, for `x` clamped to the normal range of the exponential.
#[inline(always)]
fn power_and_rest(x: f32) -> (f32, f32) {
    const LN2_HIGH: f32 = 0.693_359_4;
    const LN2_LOW: f32 = -2.121_944_4e-4;
    // Adding 3 * 2^22 rounds to the nearest integer on every platform and leaves it in the low bits, where the
    // shift finds it; a conversion to an integer would check its range lane by lane.
    const ROUND: f32 = 12_582_912.0;
    let x = if x < -87.0 { -87.0 } else { x };
    let x = if x > 88.0 { 88.0 } else { x };
    let shifted = x.mul_add(std::f32::consts::LOG2_E, ROUND);
    let k = shifted - ROUND;
    let r = k.mul_add(-LN2_LOW, k.mul_add(-LN2_HIGH, x));
    (f32::from_bits(shifted.to_bits().wrapping_add(127) << 23), r)
}

impl Real for f32 {
    const NAME: &'static str = "f32";
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;
    const MODE_FLOOR: f64 = 1e-9;
    const LINEAR_GAIN: f64 = 5e-5;

    #[inline(always)]
    fn from_f64(x: f64) -> Self {
        x as f32
    }
    #[inline(always)]
    fn to_f64(self) -> f64 {
        f64::from(self)
    }
    #[inline(always)]
    fn fma(self, a: Self, b: Self) -> Self {
        self.mul_add(a, b)
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        f32::sqrt(self)
    }
    #[inline(always)]
    fn abs(self) -> Self {
        f32::abs(self)
    }
    #[inline(always)]
    fn copysign(self, sign: Self) -> Self {
        f32::copysign(self, sign)
    }

    /// `e^x = 2^k e^r`, `|r| <= ln 2 / 2`; saturates at the ends of the normal range.
    #[inline(always)]
    fn exp(self) -> Self {
        let (scale, r) = power_and_rest(self);
        horner(EXP, r) * scale
    }

    /// `2^k (e^r - 1) + (2^k - 1)`, where the second term is exact as long as the first one matters.
    #[inline(always)]
    fn exp_m1(self) -> Self {
        let (scale, r) = power_and_rest(self);
        let [_, rest @ ..] = EXP;
        (horner(rest, r) * r).mul_add(scale, scale - 1.0)
    }

    /// `x P(x^2) / Q(x^2)` up to 3.9, where the function has reached one.
    #[inline(always)]
    fn erf(self) -> Self {
        let x = if self < -ERF_END { -ERF_END } else { self };
        let x = if x > ERF_END { ERF_END } else { x };
        let t = x * x;
        x * horner(ERF_P, t) / horner(ERF_Q, t)
    }

    /// `e^{-x^2} P((x - 2) / (x + 2)) / (x + 2)` for `x >= 0`, and `2 - erfc(-x)` below.
    #[inline(always)]
    fn erfc(self) -> Self {
        const P: [f32; 9] = [
            1.0215827,
            -0.68716097,
            0.2794698,
            -0.03643463,
            -0.02148469,
            0.0064338,
            0.0029797668,
            -0.00074860296,
            -0.00045812852,
        ];
        // The last normal numbers; beyond them only the algebraic factor still decreases.
        const END: f32 = 9.0;
        let x = self.abs();
        let inverse = 1.0 / (x + 2.0);
        let near = if x > END { END } else { x };
        let square = near * near;
        // The rounding of the square changes the bell by x^2 units in the last place: correct for it.
        let rest = near.mul_add(near, -square);
        let bell = Real::exp(-square);
        let bell = bell.mul_add(-rest, bell);
        let tail = bell * horner(P, inverse.mul_add(-4.0, 1.0)) * inverse;
        if self < 0.0 { 2.0 - tail } else { tail }
    }
    #[inline(always)]
    fn ln(self) -> Self {
        ln(self)
    }
    #[inline(always)]
    fn sin(self) -> Self {
        sin_cos(self).0
    }
    #[inline(always)]
    fn cos(self) -> Self {
        sin_cos(self).1
    }

    #[inline(always)]
    fn normal_pair(rng: &mut BlockRng) -> ([Self; LANES], [Self; LANES]) {
        let (radius_bits, angle_bits) = (rng.next_lanes(), rng.next_lanes());
        let (mut a, mut b) = ([0.0; LANES], [0.0; LANES]);
        for l in 0..LANES {
            // An odd 31-bit integer: never zero, and every vector unit has the signed conversion.
            let u = ((radius_bits[l] >> 1) | 1) as i32 as f32 * (1.0 / (1_u32 << 31) as f32);
            let radius = (-2.0 * ln(u)).sqrt();
            let (sin, cos) = sin_cos_turn(angle_bits[l]);
            (a[l], b[l]) = (radius * cos, radius * sin);
        }
        (a, b)
    }

    #[inline(always)]
    fn coloured_normals<S: Simd>(
        s: S,
        rng: &mut BlockRng,
        amplitude: impl Fn(usize) -> Self,
        re: &mut [[Self; LANES]],
        im: &mut [[Self; LANES]],
    ) {
        vector::coloured_normals(s, rng, amplitude, re, im);
    }

    #[inline(always)]
    fn erf_lanes<S: Simd>(s: S, x: S::F) -> S::F {
        vector::erf(s, x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The largest error of `fast` against `exact`, relative to the exact value or to `floor` if that is larger.
    fn worst(
        inputs: impl Iterator<Item = f32>,
        fast: fn(f32) -> f32,
        exact: fn(f64) -> f64,
        floor: f64,
    ) -> f64 {
        inputs.fold(0.0, |worst: f64, x| {
            let truth = exact(f64::from(x));
            worst.max((f64::from(fast(x)) - truth).abs() / truth.abs().max(floor))
        })
    }

    #[test]
    fn elementary_functions_reach_single_precision() {
        let unit = (1..200_000).map(|i| i as f32 / 200_000.0);
        assert!(worst(unit, ln, libm::log, 0.5) < 2e-7);
        let wide = (-87_000..88_000).map(|i| i as f32 / 1000.0);
        assert!(worst(wide, Real::exp, libm::exp, 1e-45) < 2e-7);
        let bell = || (-500_000..500_000).map(|i| i as f32 / 100_000.0);
        assert!(worst(bell(), Real::erf, libm::erf, 1.0) < 4e-7);
        assert!(worst(bell(), Real::erf, libm::erf, 1e-30) < 5e-7);
        let tail = (-500_000..900_000).map(|i| i as f32 / 100_000.0);
        assert!(worst(tail, Real::erfc, libm::erfc, 1e-40) < 5e-7);
    }

    #[test]
    fn the_logarithm_holds_over_every_normal_number() {
        let all = || (1..255_u32).flat_map(|e| (0..2000).map(move |m| (e << 23) + m * 4194));
        assert!(worst(all().map(f32::from_bits), Real::ln, libm::log, 1e-30) < 2e-7);
        // Around one, where the logarithm changes sign, it keeps its relative accuracy.
        let near = (0..4000).map(|i| f32::from_bits(0x3f7f_f830 + i));
        assert!(worst(near, Real::ln, libm::log, 1e-30) < 2e-7);
        assert!(Real::ln(1.0_f32).to_bits() == 0);
    }

    #[test]
    fn extremes_stay_finite() {
        assert!(Real::exp(-1e9_f32) > 0.0 && Real::exp(1e9_f32).is_finite());
        assert!(
            (Real::erf(f32::MAX) - 1.0).abs() < 1e-6 && (Real::erf(f32::MIN) + 1.0).abs() < 1e-6
        );
        let far = [10.0, 1e10, f32::MAX].map(Real::erfc);
        assert!(far.iter().all(|tail| (0.0..1e-36).contains(tail)), "{far:?}");
        assert!((-2.0 * ln(1.0 / (1_u32 << 31) as f32)).sqrt() > 6.5);
    }
}
