//! The variational principle of one ReLU unit, and the map that increases its ratio.
//!
//! ```math
//! R(w)=\frac{(2\langle w,f(w)\rangle)^2}{w^\top Mw},\qquad w\leftarrow2M^{-1}f(w),\qquad M=C_++C_-
//! ```
//!
//! Claim L000.38: for every centrally symmetric distribution $`E|\langle w,X\rangle|=2\langle w,f(w)\rangle`$, stationary points of
//! the flow are critical points of $`R`$, and the map from a gate to the least-squares weights behind it never lowers $`R`$. The
//! gated mean is an argument: a closed form, an enumeration, or an average over one fixed sample, whose own $`R`$ then increases.

use fovea_core::fourier::{frequency_of, from_fourier, to_fourier};
use fovea_core::ring::{circulant_apply, circulant_eigs, unfold};

/// The ratio $`R`$ of weights with this gated mean; `sum_row` is the first row of $`M`$. Zero for weights without variance.
pub fn ratio(sum_row: &[f64], w: &[f64], f: &[f64]) -> f64 {
    let scale = w.iter().fold(0.0, |top: f64, x| top.max(x.abs()));
    if scale <= 0.0 {
        return 0.0;
    }
    let w: Vec<f64> = w.iter().map(|x| x / scale).collect();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let mean_abs = 2.0 * dot(&w, f);
    let power = dot(&w, &circulant_apply(sum_row, &w));
    if power > 0.0 { mean_abs * mean_abs / power } else { 0.0 }
}

/// One step of the map: the least-squares weights $`2M^{-1}f`$. Modes without variance stay at 0.
pub fn least_squares(sum_row: &[f64], f: &[f64]) -> Vec<f64> {
    let n = f.len();
    let eigs = unfold(&circulant_eigs(sum_row), n);
    let least = 1e-12 * eigs[0].abs();
    let mode = |(j, f): (usize, f64)| {
        let eig = eigs[frequency_of(j, n)];
        if eig > least { 2.0 * f / eig } else { 0.0 }
    };
    from_fourier(&to_fourier(f).into_iter().enumerate().map(mode).collect::<Vec<_>>())
}

/// The result of an ascent.
#[derive(Clone, Debug, PartialEq)]
pub struct Ascent {
    /// The weights at the end, at the scale of least squares.
    pub w: Vec<f64>,
    /// $`R`$ of the start and after every sweep.
    pub ratios: Vec<f64>,
    /// Whether $`R`$ never fell by more than rounding.
    pub monotone: bool,
    /// Whether the last sweep left $`R`$ and the direction unchanged.
    pub settled: bool,
}

impl Ascent {
    /// $`R`$ at the end.
    pub fn ratio(&self) -> f64 {
        self.ratios.last().copied().unwrap_or(0.0)
    }
}

/// Rounding of $`R`$, relative.
const ROUNDING: f64 = 1e-12;

/// Increases $`R`$ from `start` by at most `sweeps` steps of the map, for the gated mean `f`.
///
/// ```
/// let line = |w: &[f64]| fovea_theory::relu::f_gauss::f_gauss(&[1.0, 0.3], w);
/// let ascent = fovea_theory::ascent::ascend(&[2.0, 0.3], &[1.0, 0.0], 200, line);
/// assert!(ascent.monotone && ascent.settled);
/// assert!((ascent.ratio() - 2.0 / std::f64::consts::PI * 1.3 / 2.3).abs() < 1e-12);
/// ```
pub fn ascend(
    sum_row: &[f64],
    start: &[f64],
    sweeps: usize,
    mut f: impl FnMut(&[f64]) -> Vec<f64>,
) -> Ascent {
    let mut w = start.to_vec();
    let mut gated = f(&w);
    let mut ratios = vec![ratio(sum_row, &w, &gated)];
    let (mut monotone, mut settled) = (true, false);
    while ratios.len() <= sweeps && !settled {
        let next = least_squares(sum_row, &gated);
        gated = f(&next);
        let (before, after) = (ratios[ratios.len() - 1], ratio(sum_row, &next, &gated));
        monotone &= after >= before - ROUNDING * before;
        let size = next.iter().fold(0.0, |top: f64, x| top.max(x.abs()));
        settled = w.iter().zip(&next).all(|(a, b)| (a - b).abs() <= 1e-10 * size);
        ratios.push(after);
        w = next;
    }
    Ascent { w, ratios, monotone, settled }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dictator::fixed_point::{fixed_point, sign_cov};
    use crate::ising::cov::cov;
    use crate::ising::enumerated;
    use fovea_core::ring::{Kernel, kernel_row};

    /// The gated mean of an Ising ring, over all states.
    fn all_states(n: usize, coupling: f64, w: &[f64]) -> Vec<f64> {
        let half_sign = |x: &[f64]| {
            let s: f64 = x.iter().zip(w).map(|(x, w)| x * w).sum();
            if s > 0.0 {
                0.5
            } else if s < 0.0 {
                -0.5
            } else {
                0.0
            }
        };
        (0..n).map(|i| enumerated(n, coupling, |x| half_sign(x) * x[i])).collect()
    }

    #[test]
    fn the_map_increases_the_ratio_and_ends_where_the_flow_is_at_rest() {
        let n = 8;
        let [pos, neg] = [0.6, 0.2].map(|coupling| unfold(&cov(n, coupling), n));
        let sum: Vec<f64> = pos.iter().zip(&neg).map(|(p, n)| p + n).collect();
        for seed in 0..12 {
            let start: Vec<f64> =
                (0..n).map(|i| libm::sin(1.0 + 3.7 * (i * i + 5 * seed) as f64)).collect();
            let ascent = ascend(&sum, &start, 100, |w| all_states(n, 0.6, w));
            assert!(ascent.monotone && ascent.settled, "{seed}: {:?}", ascent.ratios);
            let f = all_states(n, 0.6, &ascent.w);
            for (f, decay) in f.iter().zip(circulant_apply(&sum, &ascent.w)) {
                assert!((0.5 * f - 0.25 * decay).abs() < 1e-12, "{seed}");
            }
        }
    }

    #[test]
    fn one_sweep_from_a_site_of_sign_data_is_the_dictator() {
        for n in [2, 3, 40] {
            let [pos, neg] = [0.9, 0.5].map(|xi| sign_cov(&kernel_row(n, xi, Kernel::Ring)));
            let sum: Vec<f64> = pos.iter().zip(&neg).map(|(p, n)| p + n).collect();
            let half: Vec<f64> = pos.iter().map(|c| 0.5 * c).collect();
            let point = fixed_point(&pos, &neg);
            for (a, b) in least_squares(&sum, &half).iter().zip(&point.w) {
                assert!((a - b).abs() < 1e-14, "n={n}");
            }
            let r = ratio(&sum, &point.w, &half);
            assert!((crate::variational::loss(r) - point.loss).abs() < 1e-14, "n={n}");
        }
    }

    #[test]
    fn a_wrong_gated_mean_is_seen_to_fall() {
        let sum = [2.0, 0.5, 0.0, 0.5];
        let mut flip = 1.0;
        let broken = ascend(&sum, &[1.0, 0.2, 0.0, 0.0], 6, |_| {
            flip = -flip;
            vec![0.4 - 0.3 * flip, 0.1, 0.0, 0.0]
        });
        assert!(!broken.monotone);
        assert!(ratio(&sum, &[0.0; 4], &[0.0; 4]).abs() < 1e-300);
    }
}
