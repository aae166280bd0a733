//! Covariance of two sites of Gaussian-copula data with a given marginal distribution.
//!
//! ```math
//! C(r)=E\,\psi(Z_1)\psi(Z_2)=\frac2\pi\int_0^{\pi/2}\!\!d\beta\int_0^\infty\!\!d\rho\;\rho\,e^{-\rho^2/2}\,
//! \psi\big(\rho\cos(\beta+\tfrac\alpha2)\big)\,\psi\big(\rho\cos(\beta-\tfrac\alpha2)\big),\qquad r=\cos\alpha
//! ```
//!
//! ```math
//! C(r)=\tfrac6\pi\arcsin\tfrac r2\quad\text{for uniform sites}
//! ```
//!
//! # Source
//! Derived: two Gaussians of correlation $`\cos\alpha`$ are the projections of one isotropic vector on two directions
//! an angle $`\alpha`$ apart, here in the polar coordinates of that vector. The distributions are those of claim L000.45
//! and of lufkin2024.
//!
//! # Symbols
//! * $`r`$: `rho`, the latent correlation (in the integral $`\rho`$ is a radius)
//! * $`\psi`$: $`F^{-1}\circ\Phi`$, of unit variance
//! * $`F`$: the distribution of `marginal`
//!
//! # Holds when
//! `|rho| <= 1` and a marginal with a variance, `k > 2` for `kur`; below 2.001, where the tails overflow, the form
//! refuses. C(1) = 1 and C(-r) = -C(r). A panel ends at the angle where one site changes sign,
//! $`\beta=\tfrac{\pi-\alpha}2`$, because the quantile of `laplace` is not smooth there.
//!
//! # Checked by
//! Mehler series of 30 digits; perfect correlation; the closed form for uniform sites; sampled covariances.

use super::{Law, Marginal};
use crate::form::{Control, Form, number};
use fovea_core::params::{Schema, any, at_least, between};
use fovea_core::quadrature::{Rule, adaptive_split, gauss_legendre};
use fovea_core::{Params, params};
use std::f64::consts::{FRAC_2_PI, FRAC_PI_2, PI};

/// Covariance of two sites with latent correlation `rho`.
///
/// ```
/// use fovea_theory::copula::{Marginal, cov::cov};
/// assert!((cov(Marginal::Laplace, 1.0) - 1.0).abs() < 1e-12);
/// ```
pub fn cov(marginal: Marginal, rho: f64) -> f64 {
    if marginal == Marginal::Uniform {
        6.0 / PI * libm::asin(0.5 * rho)
    } else {
        polar(marginal, rho)
    }
}

/// The double integral, for any marginal.
fn polar(marginal: Marginal, rho: f64) -> f64 {
    let r = rho.abs();
    let half = 0.5 * libm::atan2(((1.0 - r) * (1.0 + r)).sqrt(), r);
    let rule = gauss_legendre(24);
    let ray = |beta: f64| {
        let [near, far] = [libm::cos(beta - half), libm::cos(beta + half)];
        radial(marginal, [near, far], reach(marginal, r, beta), &rule)
    };
    let points = [0.0, FRAC_PI_2 - half, FRAC_PI_2];
    let unit = marginal.deviation() * marginal.deviation();
    FRAC_2_PI * adaptive_split(ray, &points, 1e-13).value / unit * 1.0_f64.copysign(rho)
}

/// The radius beyond which the integrand along a ray is negligible: 9.5 deviations of its Gaussian factor.
///
/// The algebraic quantile grows as $`e^{z^2/2k}`$ and reduces the exponent of $`e^{-\rho^2/2}`$ to its share $`1-(1+r\cos2\beta)/k`$.
fn reach(marginal: Marginal, r: f64, beta: f64) -> f64 {
    let share = match marginal {
        Marginal::Kur { k } if k.is_finite() => {
            let sin = libm::sin(beta);
            ((k - 2.0) + (1.0 - r) + 2.0 * r * sin * sin) / k
        }
        _ => 1.0,
    };
    9.5 / share.sqrt()
}

/// The integral along one ray, in panels that grow with the radius.
fn radial(marginal: Marginal, [near, far]: [f64; 2], reach: f64, rule: &Rule) -> f64 {
    let (mut from, mut sum) = (0.0, 0.0);
    while from < reach {
        let to = (from + 1.0_f64.max(0.5 * from)).min(reach);
        let (centre, width) = (0.5 * (from + to), 0.5 * (to - from));
        sum += width
            * rule.integrate(|x| {
                let radius = centre + width * x;
                // Half of the Gaussian goes to each factor, so that neither overflows.
                let damp = 0.25 * radius * radius;
                let site = |cos: f64| marginal.damped(radius * cos, damp);
                radius * site(near) * site(far)
            });
        from = to;
    }
    sum
}

params! {
    /// Arguments of `copula.cov`.
    pub struct Args {
        /// Marginal distribution of a site.
        marginal: Law = Law::Uniform, any(), "";
        /// Correlation of the two latent sites.
        rho: f64 = 0.5, between(-1.0, 1.0), "";
        /// Exponent of `kur`.
        k: f64 = 10.0, at_least(2.001), "";
    }
}

impl Params for Args {}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "copula.cov",
    text: include_str!("cov.rs"),
    control: Control {
        what: "the latent correlation itself",
        eval: |given| number(given, |a: Args| Ok(a.rho)),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| number(given, |a: Args| Ok(cov(Marginal::new(a.marginal, a.k), a.rho))),
};

#[cfg(test)]
mod tests {
    use super::*;

    const KURS: [f64; 8] = [2.001, 2.1, 2.5, 3.0, 4.1, 5.0, 10.0, 50.0];

    #[test]
    fn the_polar_integral_finds_the_arcsine_of_uniform_sites() {
        for rho in [-1.0, -0.99, -0.3, 1e-6, 0.1, 0.5, 0.9, 0.999, 1.0 - 1e-9, 1.0] {
            let [closed, found] = [cov(Marginal::Uniform, rho), polar(Marginal::Uniform, rho)];
            assert!((closed - found).abs() < 1e-13, "{rho}: {found}");
            let [flat, limit] = [1e6, f64::INFINITY].map(|k| cov(Marginal::Kur { k }, rho));
            assert!((closed - limit).abs() < 1e-13 && (closed - flat).abs() < 1e-9, "{rho}");
        }
    }

    #[test]
    fn perfect_correlation_gives_the_unit_variance_that_quantiles_promise() {
        let laws = [Marginal::Uniform, Marginal::Arcsine, Marginal::Laplace].into_iter();
        for law in laws.chain(KURS.map(|k| Marginal::Kur { k })) {
            assert!((polar(law, 1.0) - 1.0).abs() < 2e-12, "{law:?}: {:e}", polar(law, 1.0) - 1.0);
            assert!((polar(law, 0.6) + polar(law, -0.6)).abs() < 1e-15);
            assert!(polar(law, 0.0).abs() < 1e-13, "{law:?}");
        }
    }

    #[test]
    fn mehler_series_have_the_same_values_and_reject_the_latent_correlation() {
        // mpmath 1.3, 30 digits: sum of c_m^2 r^m, c_m by quadrature of psi against Hermite polynomials.
        let table = [
            (Marginal::Arcsine, 0.2, 0.18051095219635555),
            (Marginal::Arcsine, 0.5, 0.4597393097431302),
            (Marginal::Arcsine, 0.8, 0.7651351916649601),
            (Marginal::Laplace, 0.2, 0.19288926832276734),
            (Marginal::Laplace, 0.5, 0.48596172487921047),
            (Marginal::Laplace, 0.8, 0.7889564995192114),
            (Marginal::Kur { k: 3.0 }, 0.2, 0.17547079876362673),
            (Marginal::Kur { k: 3.0 }, 0.5, 0.448708046562671),
            (Marginal::Kur { k: 3.0 }, 0.8, 0.7551198491556502),
            (Marginal::Kur { k: 5.0 }, 0.2, 0.19856530193977387),
            (Marginal::Kur { k: 5.0 }, 0.5, 0.4966765500604166),
            (Marginal::Kur { k: 5.0 }, 0.8, 0.7966483747077904),
            (Marginal::Kur { k: 10.0 }, 0.2, 0.19607910348480098),
            (Marginal::Kur { k: 10.0 }, 0.5, 0.49184972174897645),
            (Marginal::Kur { k: 10.0 }, 0.8, 0.7929382631864781),
            (Marginal::Kur { k: 2.5 }, 0.2, 0.13708301575790544),
            (Marginal::Kur { k: 2.5 }, 0.5, 0.36388966720205884),
            (Marginal::Kur { k: 2.5 }, 0.8, 0.6700695492086913),
        ];
        for (law, rho, want) in table {
            let got = cov(law, rho);
            assert!((got - want).abs() < 1e-12, "{law:?} {rho}: {got} {want}");
            assert!((rho - want).abs() > 1e-4, "{law:?} {rho}: the control");
        }
    }
}
