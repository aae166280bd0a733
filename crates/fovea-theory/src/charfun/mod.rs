//! The gated mean from the characteristic function of the data.

use crate::Form;
use fovea_core::Value;
use fovea_core::ring::circulant_apply;
use fovea_core::special::ln_gamma;
use fovea_core::work;
use std::f64::consts::{FRAC_1_PI, FRAC_2_PI, PI};

fovea_core::registry! { "src/charfun": Form; f }

/// The moments of a gate from the characteristic function.
#[derive(Clone, Debug, PartialEq)]
pub struct Gated {
    /// The gated mean, one entry per site.
    pub f: Vec<f64>,
    /// Mean absolute value of the preactivation.
    pub mean_abs: f64,
}

impl From<Gated> for Value {
    fn from(gated: Gated) -> Self {
        Self::table([("f", Self::reals(&gated.f)), ("mean_abs", gated.mean_abs.into())])
    }
}

/// The largest allowed number of terms of the sum over signs, times the number of signs.
const MOST_TERMS: f64 = 3e7;

/// The gate `w` on independent signs; `None` if the smallest sum of the weights needs too many terms.
///
/// ```
/// let gated = fovea_theory::charfun::signs(&[3.0, 1.0, -1.0]).unwrap();
/// assert!((gated.f[0] - 0.5).abs() < 1e-14 && gated.f[1].abs() < 1e-14);
/// ```
pub fn signs(w: &[f64]) -> Option<Gated> {
    let reach: f64 = w.iter().map(|w| w.abs()).sum();
    if reach <= 0.0 {
        return Some(Gated { f: vec![0.0; w.len()], mean_abs: 0.0 });
    }
    let Sums { smallest, tied } = sums(w);
    let width = smallest / 9.0;
    // Poisson: the images of a smoothed step of band |S| <= reach lie 2 pi/h apart and must not overlap it.
    let step = PI / (reach + 5.0 * width);
    let terms = 9.0 / (width * step);
    if terms * w.len() as f64 > MOST_TERMS {
        return None;
    }
    let mut f: Vec<f64> = w.iter().map(|w| 0.5 * step * w).collect();
    let mut mean_abs = 0.5 * step * 0.5 * w.iter().map(|w| w * w).sum::<f64>();
    // Products of the cosines before each site; those after it are collected in the backward loop.
    let mut before = vec![1.0; w.len() + 1];
    for k in 1..=terms as usize {
        if !work::spend(w.len()) {
            break;
        }
        let eta = k as f64 * step;
        let damp = libm::exp(-0.5 * (width * eta) * (width * eta));
        let turns: Vec<(f64, f64)> = w.iter().map(|w| libm::sincos(eta * w)).collect();
        for (i, (_, cos)) in turns.iter().enumerate() {
            before[i + 1] = before[i] * cos;
        }
        let mut after = 1.0;
        for (i, (sin, cos)) in turns.iter().enumerate().rev() {
            f[i] += step * damp * sin * before[i] * after / eta;
            after *= cos;
        }
        mean_abs += step * damp * (1.0 - after) / (eta * eta);
    }
    // The damped integral gives E|s + eps z| - E|eps z|: smaller than |s| by the second term, except at a tie.
    Some(Gated {
        f: f.into_iter().map(|f| FRAC_1_PI * f).collect(),
        mean_abs: FRAC_2_PI * mean_abs + FRAC_2_PI.sqrt() * width * (1.0 - tied),
    })
}

/// The sums $`\sum\pm w_i`$ near zero.
pub(crate) struct Sums {
    /// The smallest size that is not rounding of zero.
    pub(crate) smallest: f64,
    /// The share of zeros.
    pub(crate) tied: f64,
}

/// By meeting in the middle.
pub(crate) fn sums(w: &[f64]) -> Sums {
    let reach: f64 = w.iter().map(|w| w.abs()).sum();
    let sums = |part: &[f64]| -> Vec<f64> {
        let add = |sums: Vec<f64>, w: &f64| sums.iter().flat_map(|s| [s + w, s - w]).collect();
        part.iter().fold(vec![0.0], add)
    };
    let (left, right) = w.split_at(w.len() / 2);
    let (left, mut right) = (sums(left), sums(right));
    right.sort_by(f64::total_cmp);
    let (tie, mut smallest, mut zeros) = (1e-13 * reach, f64::INFINITY, 0);
    for a in &left {
        // Both sets are symmetric: the next sum above -a is enough.
        let from = right.partition_point(|b| a + b < -tie);
        let to = right.partition_point(|b| a + b <= tie);
        zeros += to - from;
        smallest = right.get(to).map_or(smallest, |b| smallest.min(a + b));
    }
    Sums { smallest, tied: zeros as f64 / (left.len() * right.len()) as f64 }
}

/// The gate `w` on a Gaussian scale mixture with this covariance row: `rise(t)` is $`1-Ee^{-tV}`$, `slope(t)` is
/// $`E[Ve^{-tV}]`$.
pub fn scale_mixture(
    row: &[f64],
    w: &[f64],
    rise: impl Fn(f64) -> f64,
    slope: impl Fn(f64) -> f64,
) -> Gated {
    // The step of the sum over logarithms.
    const STEP: f64 = 0.125;
    let image = circulant_apply(row, w);
    let var: f64 = w.iter().zip(&image).map(|(w, x)| w * x).sum();
    if var <= 0.0 {
        return Gated { f: vec![0.0; w.len()], mean_abs: 0.0 };
    }
    let s = var.sqrt();
    // In y = ln(eta s) both integrands are analytic in a strip and decay at least as e^{-|y|}: a sum over equal steps is the integral to
    // rounding, however slowly the tails of the distribution decay.
    let whole = |h: &dyn Fn(f64) -> f64| {
        let at = |k: i32| h(libm::exp(STEP * f64::from(k)));
        STEP * (-336..=336).map(at).sum::<f64>()
    };
    let factor = FRAC_1_PI / s * whole(&|x| x * slope(0.5 * x * x));
    let mean_abs = FRAC_2_PI * s * whole(&|x| rise(0.5 * x * x) / x);
    Gated { f: image.into_iter().map(|x| factor * x).collect(), mean_abs }
}

/// $`E[h(V)]`$ of $`V=c/G`$, $`G`$ gamma of shape $`\nu/2`$ and $`c=\nu/2-1`$, which has mean 1.
///
/// In $`y=\ln G`$ the integrand is analytic in a strip and decays on both sides: the trapezoidal sum is exact to rounding.
pub(crate) fn inverse_gamma(dof: f64, h: impl Fn(f64) -> f64) -> f64 {
    let (shape, c) = (0.5 * dof, 0.5 * dof - 1.0);
    let (step, norm) = (0.25 / shape.max(1.0).sqrt(), ln_gamma(shape));
    let mut sum = 0.0;
    for side in [1.0, -1.0] {
        // The maximum itself belongs to the first side.
        let mut k = if side > 0.0 { 0.0 } else { 1.0 };
        loop {
            let y = libm::log(shape) + side * k * step;
            let (weight, v) = (libm::exp(shape * y - libm::exp(y) - norm), c * libm::exp(-y));
            sum += step * weight * h(v);
            k += 1.0;
            // To the left the mean of V itself decays no faster than e^{cy}: near two degrees of freedom V overflows before that is small, and
            // the rest is then below rounding.
            if weight * v.max(1.0) < 1e-18 || y < -700.0 || !work::spend(1) {
                break;
            }
        }
    }
    sum
}
