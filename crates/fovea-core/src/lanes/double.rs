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

    /// Radius and angle take 53 bits each, two draws apiece.
    fn normal_pair(rng: &mut BlockRng) -> ([Self; LANES], [Self; LANES]) {
        let words: [[u32; LANES]; 4] = std::array::from_fn(|_| rng.next_lanes());
        let uniform = |high: u32, low: u32| {
            let bits = u64::from(high) << 21 | u64::from(low) >> 11;
            (bits as f64 + 0.5) / 9_007_199_254_740_992.0
        };
        let (mut a, mut b) = ([0.0; LANES], [0.0; LANES]);
        for l in 0..LANES {
            let radius = (-2.0 * libm::log(uniform(words[0][l], words[1][l]))).sqrt();
            let turn = uniform(words[2][l], words[3][l]);
            let (sin, cos) = libm::sincos(std::f64::consts::TAU * turn);
            (a[l], b[l]) = (radius * cos, radius * sin);
        }
        (a, b)
    }
}
