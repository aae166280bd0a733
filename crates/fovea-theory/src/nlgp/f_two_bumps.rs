//! Gated mean of the nonlinear Gaussian process, with the gate on two neighbouring sites.
//!
//! ```math
//! f(\alpha e_0+e_1)_j=E\big[\mathbf 1(\alpha X_0+X_1\ge0)\,X_j\big]
//! ```
//!
//! ```math
//! f_j=f(e_p)_j-\frac2{\sqrt{\mathcal Z}}\int_0^{z^*}\!\!dz\int_{-\infty}^{b(z)}\!\!dy\;p(z,y)\;
//! \mathrm{erf}\frac{g\,E[Z_j|z,y]}{\sqrt{1+2g^2\mathrm{Var}[Z_j|z,y]}}
//! ```
//!
//! ```math
//! \mathrm{erf}(g\,b(z))=-\alpha\,\mathrm{erf}(gz)
//! ```
//!
//! # Source
//! Claim L000.26 at finite gain; note 000 (9)-(11) has $`\Sigma(e_i+e_j)`$ and $`\Sigma e_i`$ for signs.
//!
//! # Symbols
//! * $`\alpha`$: `alpha`, of any sign (in the integral the ratio of the larger weight to the smaller, at least 1)
//! * $`g`$: `gain`
//! * $`X`$: the process on a ring of `n` sites
//! * $`p, q`$: the site of the larger weight and that of the smaller
//! * $`b(z)`$: the value of $`Z_q`$ at which the gate changes
//!
//! # Holds when
//! Every gain > 0, `inf` included, and every `alpha`. At small gain it is the Gaussian mean. At `gain = inf` the larger
//! weight decides, $`\tfrac12Ce_p`$, and equal weights share, $`\tfrac14C(e_0+e_1)`$: signs that disagree then give a
//! tie, while at any finite gain the latent values decide it. So for `|alpha| = 1`, and only there, the limit for a
//! third site differs from its value at `inf`.
//!
//! # Checked by
//! Reference values (`tests/oracle`); both ends of the gain; a gate on one site; sampled gated means.

use super::cov::cov;
use super::f_site::f_site;
use super::normalizer::normalizer;
use crate::form::{Control, Form, FormError, with};
use crate::relu::f_gauss::f_gauss;
use fovea_core::params::{Schema, above, any, between, finite, finite_above};
use fovea_core::quadrature::{adaptive, adaptive_split};
use fovea_core::ring::{Kernel, RingKernel, distance};
use fovea_core::special::{inv_erf, inv_erfc};
use fovea_core::{Params, Value, params};
use std::f64::consts::TAU;

/// Below this gain the process is Gaussian to rounding.
const WEAK: f64 = 1e-8;
/// Above this correlation two sites count as copies.
const COPIES: f64 = 1.0 - 1e-13;
/// Where the Gaussian integrals end.
const REACH: f64 = 9.0;

/// The gated mean of all sites, from the first row of the latent covariance.
///
/// ```
/// let f = fovea_theory::nlgp::f_two_bumps::f_two_bumps(&[1.0, 0.5], f64::INFINITY, 2.0);
/// assert!((f[0] - 0.5).abs() < 1e-15 && (f[1] - 1.0 / 6.0).abs() < 1e-15);
/// ```
pub fn f_two_bumps(latent: &[f64], gain: f64, alpha: f64) -> Vec<f64> {
    let n = latent.len();
    let rho = |i: usize, j: usize| latent[distance(i, j, n)];
    if gain < WEAK {
        let mut w = vec![0.0; n];
        (w[0], w[1]) = (alpha, 1.0);
        return f_gauss(latent, &w);
    }
    // The larger weight, with its sign, on site `large`; the smaller one's sign on the other.
    let (large, small, ratio, turn) = if alpha.abs() >= 1.0 {
        (0, 1, alpha.abs(), [1.0_f64.copysign(alpha), 1.0])
    } else {
        (1, 0, 1.0 / alpha.abs(), [1.0, 1.0_f64.copysign(alpha)])
    };
    let pair = Pair { gain, ratio, r: turn[0] * turn[1] * rho(large, small) };
    (0..n)
        .map(|j| {
            let [to_large, to_small] = [turn[0] * rho(large, j), turn[1] * rho(small, j)];
            if ratio <= 1.0 && pair.r < -COPIES {
                // Mirror images of equal weight: the preactivation is 0, and a tie has mean 0.
                return 0.0;
            }
            if ratio.is_infinite() || pair.r.abs() > COPIES {
                return pair.one_site(to_large);
            }
            match j {
                j if j == large => turn[0] * pair.own(),
                j if j == small => turn[1] * pair.other(),
                _ => pair.third(to_large, to_small),
            }
        })
        .collect()
}

/// Two sites with latent correlation `r`, the first of which weighs `ratio >= 1` times as much.
struct Pair {
    gain: f64,
    ratio: f64,
    r: f64,
}

impl Pair {
    /// The gate of the first site alone.
    fn one_site(&self, rho: f64) -> f64 {
        f_site(rho.clamp(-1.0, 1.0), self.gain)
    }

    /// The first latent value at which the gate changes when the second is `-y`, and its slope in `y`.
    fn boundary(&self, y: f64) -> (f64, f64) {
        let t = self.gain * y;
        if self.ratio <= 1.0 {
            return (y, 1.0);
        }
        let u = if t < 0.5 {
            inv_erf(libm::erf(t) / self.ratio)
        } else {
            inv_erfc((self.ratio - 1.0 + libm::erfc(t)) / self.ratio)
        };
        (u / self.gain, libm::exp(u * u - t * t) / self.ratio)
    }

    /// Where the integrands vary: the steep part of the error function, and the bulk of the Gaussian.
    fn points(&self) -> Vec<f64> {
        let steep = [0.5, 1.0, 2.0, 4.0, 7.0].map(|t| t / self.gain).into_iter();
        steep.chain([1.0, 3.0]).filter(|y| *y < REACH).chain([0.0, REACH]).collect()
    }

    /// The mean of the first site: $`\int_0^\infty\phi(z)\,\mathrm{erf}(gz)\,\mathrm{erf}\frac{rz-b(z)}{\sqrt{2(1-r^2)}}dz`$.
    fn own(&self) -> f64 {
        let whole = self.one_site(1.0);
        if self.gain.is_infinite() {
            return if self.ratio > 1.0 { whole } else { 0.25 * (1.0 + cov(self.r, self.gain)) };
        }
        let spread = (2.0 * (1.0 - self.r) * (1.0 + self.r)).sqrt();
        // The excess of the gate of the first site alone, in the variable y = -b(z).
        let excess = |y: f64| {
            let (z, slope) = self.boundary(y);
            let missed = libm::erfc((self.r * z + y) / spread);
            slope * normal(z) * libm::erf(self.gain * z) * missed
        };
        whole - adaptive_split(excess, &self.points(), 1e-13).value / normalizer(self.gain).sqrt()
    }

    /// The mean of the second site, by its own latent value.
    fn other(&self) -> f64 {
        if self.gain.is_infinite() {
            let own = cov(self.r, self.gain);
            return if self.ratio > 1.0 { 0.5 * own } else { 0.25 * (1.0 + own) };
        }
        let spread = (2.0 * (1.0 - self.r) * (1.0 + self.r)).sqrt();
        let mean = |y: f64| {
            let (z, _) = self.boundary(y);
            normal(y) * libm::erf(self.gain * y) * libm::erf((self.r * y + z) / spread)
        };
        adaptive_split(mean, &self.points(), 1e-13).value / normalizer(self.gain).sqrt()
    }

    /// The mean of a third site with these latent correlations to the two.
    fn third(&self, to_first: f64, to_second: f64) -> f64 {
        let whole = self.one_site(to_first);
        if self.gain.is_infinite() {
            let [a, b] = [to_first, to_second].map(|rho| cov(rho, self.gain));
            return if self.ratio > 1.0 { whole } else { 0.25 * (a + b) };
        }
        let left = (1.0 - self.r) * (1.0 + self.r);
        let on_first = (to_first - self.r * to_second) / left;
        let on_second = (to_second - self.r * to_first) / left;
        let var = (1.0 - on_first * to_first - on_second * to_second).max(0.0);
        // g / sqrt(1 + 2 g^2 v) without overflow.
        let steep = 1.0 / (1.0 / (self.gain * self.gain) + 2.0 * var).sqrt();
        let deviation = left.sqrt();
        let outer = |y: f64| {
            let (z, slope) = self.boundary(y);
            let weight = slope * normal(z);
            if weight <= 0.0 {
                return 0.0;
            }
            // The second latent value is r z + deviation t, below -y.
            let end = (-y - self.r * z) / deviation;
            let inner = |t: f64| {
                let second = self.r * z + deviation * t;
                normal(t) * libm::erf(steep * (on_first * z + on_second * second))
            };
            let from = end.min(0.0) - REACH;
            weight * adaptive(inner, from, end, 1e-12).value
        };
        let excess = adaptive_split(outer, &self.points(), 1e-12).value;
        whole - 2.0 * excess / normalizer(self.gain).sqrt()
    }
}

fn normal(z: f64) -> f64 {
    libm::exp(-0.5 * z * z) / TAU.sqrt()
}

params! {
    /// Arguments of `nlgp.f_two_bumps`.
    pub struct Args {
        /// Ring size.
        n: usize = 6, between(2.0, 200.0), "sites";
        /// Correlation length.
        xi: f64 = 1.2, finite_above(0.0), "sites";
        /// Gain of the nonlinearity; `inf` is the sign.
        gain: f64 = 3.0, above(0.0), "";
        /// Weight of site 0, that of site 1 being 1.
        alpha: f64 = 1.25, finite(), "";
        /// Covariance kernel of the latent Gaussian.
        kernel: Kernel = Kernel::Ring, any(), "";
    }
}

impl Params for Args {}

impl Args {
    fn latent(&self) -> Result<Vec<f64>, FormError> {
        Ok(RingKernel::new(self.n, self.xi, self.kernel)?.first_row)
    }

    /// The value for signs: the larger weight decides.
    fn as_signs(&self) -> Result<Value, FormError> {
        Ok(Value::reals(&f_two_bumps(&self.latent()?, f64::INFINITY, self.alpha)))
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "nlgp.f_two_bumps",
    text: include_str!("f_two_bumps.rs"),
    control: Control {
        what: "note 000 (10): the mean of signs, whatever the gain",
        eval: |given| with(given, |a: Args| a.as_signs()),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| {
        with(given, |a: Args| Ok(Value::reals(&f_two_bumps(&a.latent()?, a.gain, a.alpha))))
    },
};

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_core::ring::kernel_row;

    fn largest_gap(a: &[f64], b: &[f64]) -> f64 {
        a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    }

    #[test]
    fn the_ends_of_the_gain_are_gaussian_and_binary() {
        for n in [2, 5] {
            let row = kernel_row(n, 1.1, Kernel::Ring);
            for alpha in [-3.0, -1.0, -0.4, 0.0, 0.7, 1.0, 1.0 + 1e-9, 2.5] {
                let [below, above] = [0.99e-8, 1.01e-8].map(|gain| f_two_bumps(&row, gain, alpha));
                assert!(largest_gap(&below, &above) < 1e-10, "n={n} {alpha}: {above:?} {below:?}");
                let sign = f_two_bumps(&row, f64::INFINITY, alpha);
                let strong = f_two_bumps(&row, 1e8, alpha);
                let tied = (alpha.abs() - 1.0).abs() < 1e-6;
                let sites = if tied { 2 } else { n };
                // Weights that differ by 1e-9 are a tie where the tails differ by the same amount.
                let most = if tied { 1e-4 } else { 1e-7 };
                let gap = largest_gap(&strong[..sites], &sign[..sites]);
                assert!(gap < most || alpha > 1.0 && tied, "n={n} {alpha}: {strong:?} {gap:e}");
            }
        }
    }

    #[test]
    fn a_lone_weight_is_the_gate_on_one_site() {
        let row = kernel_row(5, 1.1, Kernel::Ring);
        for gain in [0.3, 3.0, 100.0] {
            let site = |i: usize, j: usize| f_site(row[distance(i, j, 5)], gain);
            let one: Vec<f64> = (0..5).map(|j| site(1, j)).collect();
            assert!(largest_gap(&f_two_bumps(&row, gain, 0.0), &one) < 1e-12, "{gain}");
            let zero: Vec<f64> = (0..5).map(|j| -site(0, j)).collect();
            assert!(largest_gap(&f_two_bumps(&row, gain, -1e9), &zero) < 1e-7, "{gain}");
        }
    }

    #[test]
    fn equal_weights_and_mirror_images_are_symmetric() {
        let row = kernel_row(6, 1.3, Kernel::Ring);
        let f = f_two_bumps(&row, 2.0, 1.0);
        for (a, b) in [(0, 1), (2, 5), (3, 4)] {
            assert!((f[a] - f[b]).abs() < 1e-12, "{f:?}");
        }
        // alpha e_0 + e_1 and e_0/alpha... : reflection exchanges the sites, scale does not matter.
        let (wide, narrow) = (f_two_bumps(&row, 2.0, 4.0), f_two_bumps(&row, 2.0, 0.25));
        for j in 0..6 {
            assert!((wide[j] - narrow[(7 - j) % 6]).abs() < 1e-12, "{j}");
        }
    }
}
