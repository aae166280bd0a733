//! The flow of one ReLU unit under the localization amplifier, and its third order.
//!
//! ```math
//! \dot w=\tfrac14\big[\varphi(a)-(C_++C_-)w\big],\qquad a=\frac{C_+w}{\sqrt{w^\top C_+w}}
//! ```
//!
//! Equation (5) of lufkin2024 in our clock. The published program adds $`\varphi-\tfrac12(C_++C_-)w`$ per step, so that its
//! fields are twice as large as those of its own theory.

use crate::amplifier::phi::phi;
use crate::amplifier::taylor::taylor;
use crate::amplifier::through;
use crate::site::Site;
use crate::unit_flow::{ClassRows, UnitFlow};
use fovea_core::fourier::cos_turns;
use std::f64::consts::FRAC_PI_2;

pub use crate::amplifier::class_rows;

/// The amplifier of one distribution as a sum of Chebyshev polynomials, so that a flow need not integrate at every step.
///
/// In the angle $`\theta=\arcsin a`$ the amplifier is odd and smooth up to $`|a|=1`$: its difference from $`E|X|`$ there is a
/// series in $`\cos\theta`$.
#[derive(Clone, Debug, PartialEq)]
pub struct Amplifier {
    site: Site,
    /// Coefficients of $`T_1,T_3,T_5,\dots`$ in $`2\theta/\pi`$.
    odd: Vec<f64>,
}

/// The largest number of coefficients; for an algebraic distribution with few moments the error decreases only as a power of it.
const MOST: usize = 256;
/// Coefficients below this share of the first are left out.
const SMALL: f64 = 1e-13;

impl Amplifier {
    /// The amplifier of this distribution, to about 1e-12; to 1e-8 for an algebraic one near `k = 4`, whose missing moments leave a
    /// power $`|a|^{k-1}`$ at 0.
    pub fn new(site: Site) -> Self {
        let mut count = 32;
        loop {
            let mut odd = coefficients(site, count);
            let small = |c: &f64| c.abs() < SMALL * odd[0].abs();
            let settled = odd[3 * count / 4..].iter().all(small);
            if settled || count >= MOST {
                let last = odd.iter().rposition(|c| !small(c)).map_or(1, |i| i + 1);
                odd.truncate(last);
                return Self { site, odd };
            }
            count *= 2;
        }
    }

    /// The distribution of a site.
    pub fn site(&self) -> Site {
        self.site
    }

    /// The amplifier at the correlation `a`, clamped to $`[-1,1]`$.
    pub fn at(&self, a: f64) -> f64 {
        let x = libm::asin(a.clamp(-1.0, 1.0)) / FRAC_PI_2;
        // Clenshaw's recurrence on T_{2m+1}(x) with T_{2m+3} = 2 T_2 T_{2m+1} - T_{2m-1}.
        let double = 2.0 * (2.0 * x * x - 1.0);
        let (mut next, mut after) = (0.0, 0.0);
        for c in self.odd.iter().rev() {
            (next, after) = (c + double * next - after, next);
        }
        x * (next - after)
    }
}

/// Interpolation at the zeros of $`T_{2N}`$, of which the positive half suffices for an odd function.
fn coefficients(site: Site, count: usize) -> Vec<f64> {
    let angle = |j: usize| (2 * j + 1, 8 * count);
    let values: Vec<f64> = (0..count)
        .map(|j| {
            let x = cos_turns(angle(j).0, angle(j).1);
            phi(site, libm::sin(FRAC_PI_2 * x))
        })
        .collect();
    let coefficient = |m: usize| {
        let polynomial = |j: usize| cos_turns((2 * m + 1) * angle(j).0, angle(j).1);
        let sum: f64 = values.iter().enumerate().map(|(j, v)| v * polynomial(j)).sum();
        2.0 * sum / count as f64
    };
    (0..count).map(coefficient).collect()
}

/// The flow of one unit under the amplifier of a site's distribution.
#[derive(Clone, Debug, PartialEq)]
pub struct AmplifierFlow {
    amplifier: Amplifier,
    rows: ClassRows,
}

impl AmplifierFlow {
    /// The flow between two classes with these covariances and the same distribution of a site.
    pub fn new(site: Site, rows: ClassRows) -> Self {
        Self { amplifier: Amplifier::new(site), rows }
    }

    /// The flow between two classes that differ in their latent covariance.
    pub fn from_latent(site: Site, latent_pos: &[f64], latent_neg: &[f64]) -> Self {
        Self::new(site, class_rows(site, latent_pos, latent_neg))
    }

    /// The amplifier.
    pub fn amplifier(&self) -> &Amplifier {
        &self.amplifier
    }
}

impl UnitFlow for AmplifierFlow {
    fn rows(&self) -> &ClassRows {
        &self.rows
    }

    fn gated_mean(&self, w: &[f64]) -> Vec<f64> {
        through(&self.rows.pos, w, |a| self.amplifier.at(a))
    }
}

/// The flow of one unit under the amplifier to third order.
#[derive(Clone, Debug, PartialEq)]
pub struct CubicFlow {
    /// Excess kurtosis of a site.
    pub excess_kurtosis: f64,
    /// The covariances of the classes.
    pub rows: ClassRows,
}

impl CubicFlow {
    /// The flow between two classes that differ in their latent covariance; the distribution must have a fourth moment.
    pub fn from_latent(site: Site, latent_pos: &[f64], latent_neg: &[f64]) -> Self {
        let rows = class_rows(site, latent_pos, latent_neg);
        Self { excess_kurtosis: site.excess_kurtosis(), rows }
    }
}

impl UnitFlow for CubicFlow {
    fn rows(&self) -> &ClassRows {
        &self.rows
    }

    fn gated_mean(&self, w: &[f64]) -> Vec<f64> {
        through(&self.rows.pos, w, |a| taylor(self.excess_kurtosis, a))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::copula::Marginal;
    use crate::gaussian_flow::GaussianFlow;
    use fovea_core::ring::{Kernel, kernel_row};

    #[test]
    fn the_sum_of_polynomials_is_the_integral() {
        for site in [
            Site::Gaussian,
            Site::Nlgp { gain: 1e-8 },
            Site::Nlgp { gain: 1.0 },
            Site::Nlgp { gain: 30.0 },
            Site::Nlgp { gain: 1e8 },
            Site::Nlgp { gain: f64::INFINITY },
            Site::Copula(Marginal::Arcsine),
            Site::Copula(Marginal::Laplace),
            Site::Copula(Marginal::Kur { k: 4.1 }),
            Site::Copula(Marginal::Kur { k: 10.0 }),
        ] {
            let amplifier = Amplifier::new(site);
            let heavy = matches!(site, Site::Copula(Marginal::Kur { k }) if k < 8.0);
            let most = if heavy { 1e-8 } else { 1e-11 };
            for i in -40..=40 {
                let a = libm::sin(0.025 * FRAC_PI_2 * f64::from(i));
                let gap = amplifier.at(a) - phi(site, a);
                assert!(gap.abs() < most, "{site:?} {a}: {gap:e}, {}", amplifier.odd.len());
            }
            assert!((amplifier.at(1.0 - 1e-12) - phi(site, 1.0 - 1e-12)).abs() < most);
            assert!((amplifier.at(1.5) - site.abs_mean()).abs() < most);
        }
    }

    #[test]
    fn a_gaussian_site_gives_the_gaussian_flow() {
        for n in [2, 3, 12] {
            let [pos, neg] = [1.0, 0.5].map(|xi| kernel_row(n, xi, Kernel::Ring));
            let w: Vec<f64> = (0..n).map(|i| (i * i % 7) as f64 / 4.0 - 0.6).collect();
            let exact = GaussianFlow::from_rows(&pos, &neg).solve(&w, 2.0).unwrap();
            let amplified = AmplifierFlow::from_latent(Site::Gaussian, &pos, &neg);
            let cubic = CubicFlow::from_latent(Site::Gaussian, &pos, &neg);
            for end in [amplified.solve(&w, 2.0).unwrap(), cubic.solve(&w, 2.0).unwrap()] {
                for (a, b) in end.iter().zip(&exact) {
                    assert!((a - b).abs() < 1e-9, "n={n}: {a} {b}");
                }
            }
        }
    }

    #[test]
    fn the_published_program_doubles_the_field() {
        // phi - (1/2) M w per step instead of (1/2) [phi - M w]: v = w/2 obeys the right equation.
        let [pos, neg] = [2.0, 1.0].map(|xi| kernel_row(12, xi, Kernel::Ring));
        let flow = AmplifierFlow::from_latent(Site::Nlgp { gain: 3.0 }, &pos, &neg);
        let w: Vec<f64> = (0..12).map(|i| f64::from(i * i % 7) / 4.0 - 0.6).collect();
        let right = flow.euler_map(&w, 0.1, 300, |_, _| ());
        let sum = flow.rows().sum();
        let mut v: Vec<f64> = w.iter().map(|w| 2.0 * w).collect();
        for _ in 0..300 {
            let f = flow.gated_mean(&v);
            let decay = fovea_core::ring::circulant_apply(&sum, &v);
            for ((v, f), decay) in v.iter_mut().zip(f).zip(decay) {
                *v += 0.05 * (2.0 * f - 0.5 * decay);
            }
        }
        for (v, w) in v.iter().zip(&right) {
            assert!((v - 2.0 * w).abs() < 1e-12, "{v} {w}");
        }
    }
}
