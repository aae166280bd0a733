//! Double precision: `libm` where a series would be needed. Plain rather than fast; it validates the single path.

use super::{LANES, Real};
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
    fn exp(self) -> Self {
        libm::exp(self)
    }
    fn erf(self) -> Self {
        libm::erf(self)
    }
    fn erfc(self) -> Self {
        libm::erfc(self)
    }
    fn ln(self) -> Self {
        libm::log(self)
    }
    fn sin(self) -> Self {
        libm::sin(self)
    }
    fn cos(self) -> Self {
        libm::cos(self)
    }

    /// Radius and angle take 53 bits each, two draws apiece.
    fn normal_pair(rng: &mut BlockRng) -> ([Self; LANES], [Self; LANES]) {
        let (radii, turns) = (rng.uniforms(), rng.uniforms());
        let (mut a, mut b) = ([0.0; LANES], [0.0; LANES]);
        for l in 0..LANES {
            let radius = (-2.0 * libm::log(radii[l])).sqrt();
            let (sin, cos) = libm::sincos(std::f64::consts::TAU * turns[l]);
            (a[l], b[l]) = (radius * cos, radius * sin);
        }
        (a, b)
    }
}
