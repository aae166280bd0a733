//! Double precision: the functions of `libm` to the last bit, vectorised where a loop needs many values at once.

use super::{LANES, Real, branch_free};
use crate::simd::Simd;
use crate::streams::BlockRng;

impl Real for f64 {
    const NAME: &'static str = "f64";
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;
    const MODE_FLOOR: f64 = 0.0;
    const LINEAR_GAIN: f64 = 1e-9;

    fn from_f64(x: f64) -> Self {
        x
    }
    fn to_f64(self) -> f64 {
        self
    }
    #[inline(always)]
    fn fma(self, a: Self, b: Self) -> Self {
        self.mul_add(a, b)
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }
    #[inline(always)]
    fn abs(self) -> Self {
        f64::abs(self)
    }
    #[inline(always)]
    fn copysign(self, sign: Self) -> Self {
        f64::copysign(self, sign)
    }
    #[inline(always)]
    fn exp(self) -> Self {
        branch_free::exp(self)
    }
    #[inline(always)]
    fn exp_m1(self) -> Self {
        branch_free::exp_m1(self)
    }
    fn erf(self) -> Self {
        libm::erf(self)
    }
    fn erfc(self) -> Self {
        libm::erfc(self)
    }
    #[inline(always)]
    fn ln(self) -> Self {
        branch_free::ln(self)
    }
    fn sin(self) -> Self {
        libm::sin(self)
    }
    fn cos(self) -> Self {
        libm::cos(self)
    }

    /// Radius and angle take 53 bits each, two words per number.
    #[inline(always)]
    fn normal_pair(rng: &mut BlockRng) -> ([Self; LANES], [Self; LANES]) {
        let (radii, turns) = (rng.uniforms(), rng.uniforms());
        let (mut a, mut b) = ([0.0; LANES], [0.0; LANES]);
        let mut angles = [0.0; LANES];
        let mut rare = false;
        for l in 0..LANES {
            let radius = (-2.0 * branch_free::ln(radii[l])).sqrt();
            angles[l] = std::f64::consts::TAU * turns[l];
            rare |= branch_free::near_a_quarter(angles[l]);
            let (sin, cos) = branch_free::sin_cos(angles[l]);
            (a[l], b[l]) = (radius * cos, radius * sin);
        }
        if rare {
            near_quarters(&radii, &angles, &mut a, &mut b);
        }
        (a, b)
    }

    #[inline(always)]
    fn erf_lanes<S: Simd>(s: S, x: S::D) -> S::D {
        let mut lanes = [0.0; LANES];
        s.store_d(x, &mut lanes);
        branch_free::erf(&mut lanes);
        s.load_d(&lanes)
    }
}

/// Redoes the pairs whose angles need more digits of pi than the vectorised code has.
#[cold]
#[inline(never)]
fn near_quarters(
    radii: &[f64; LANES],
    angles: &[f64; LANES],
    a: &mut [f64; LANES],
    b: &mut [f64; LANES],
) {
    for l in 0..LANES {
        if branch_free::near_a_quarter(angles[l]) {
            let radius = (-2.0 * branch_free::ln(radii[l])).sqrt();
            let (sin, cos) = libm::sincos(angles[l]);
            (a[l], b[l]) = (radius * cos, radius * sin);
        }
    }
}
