//! Localization amplifier: twice the gated mean of a site at its correlation with the preactivation.
//!
//! ```math
//! \varphi(a)=E\Big[X\,\mathrm{erf}\frac{aX}{\sqrt{2(1-a^2)}}\Big],\qquad 2E[\mathbf 1(S>0)X_i]\approx\varphi(a_i),\qquad
//! a_i=\frac{(Cw)_i}{\sqrt{w^\top Cw}}
//! ```
//!
//! # Source
//! Lemma 3.1 and equation (5) of lufkin2024.
//!
//! # Symbols
//! * $`a`$: `a`, the correlation of the site with the preactivation
//! * $`X`$: a site of unit variance, whose distribution is `marginal` with `gain` or `k`
//!
//! # Holds when
//! The function is exact for `|a| <= 1`: odd, $`\varphi(1)=E|X|`$, $`\sqrt{2/\pi}\,a`$ for a Gaussian site and
//! $`\mathrm{erf}(a/\sqrt{2(1-a^2)})`$ for a sign. It is the gated mean where $`S`$ given $`X_i`$ is Gaussian with a
//! linear mean: for Gaussian data, as `a` tends to 1, and for many weak independent weights. `kur` needs
//! `k >= 2.001`, because its variance diverges at k = 2.
//!
//! # Checked by
//! Closed forms for four distributions; both ends of `a` and of the gain; sampled gated means of independent sites.

use crate::form::{Control, Form, number};
use crate::site::{Site, SiteLaw};
use fovea_core::params::{Schema, above, any, at_least, between};
use fovea_core::{Params, params};
use std::f64::consts::FRAC_2_PI;

/// The amplifier of a site's distribution at the correlation `a` of the site with the preactivation.
///
/// ```
/// use fovea_theory::site::Site;
/// let sign = fovea_theory::amplifier::phi::phi(Site::Nlgp { gain: f64::INFINITY }, 0.6);
/// assert!((sign - libm::erf(0.75 / 2.0_f64.sqrt())).abs() < 1e-15);
/// ```
pub fn phi(site: Site, a: f64) -> f64 {
    let size = a.abs();
    if size >= 1.0 {
        return site.abs_mean().copysign(a);
    }
    // 1 - a^2 as a product keeps its digits as |a| -> 1.
    let slope = size / (2.0 * (1.0 - size) * (1.0 + size)).sqrt();
    let value = match site {
        Site::Gaussian => FRAC_2_PI.sqrt() * size,
        Site::Nlgp { gain } if gain.is_infinite() => libm::erf(slope),
        // The smaller number is integrated: the value at a weak correlation, its difference from E|X| at a strong one.
        _ if slope < 1.0 => site.weighted_mean(&[], |x| libm::erf(slope * x)),
        _ => {
            let levels = [1.0, 3.0, 6.5].map(|level| level / slope);
            site.abs_mean() - site.weighted_mean(&levels, |x| libm::erfc(slope * x))
        }
    };
    value.copysign(a)
}

params! {
    /// Arguments of `amplifier.phi`.
    pub struct Args {
        /// Correlation of the site with the preactivation.
        a: f64 = 0.6, between(-1.0, 1.0), "";
        /// Distribution of a site.
        marginal: SiteLaw = SiteLaw::Nlgp, any(), "";
        /// Gain of `nlgp`; `inf` is the sign.
        gain: f64 = 3.0, above(0.0), "";
        /// Exponent of `kur`.
        k: f64 = 10.0, at_least(2.001), "";
    }
}

impl Params for Args {}

impl Args {
    fn site(&self) -> Site {
        Site::new(self.marginal, self.gain, self.k)
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "amplifier.phi",
    text: include_str!("phi.rs"),
    control: Control {
        what: "the Gaussian line sqrt(2/pi) a, without amplification",
        eval: |given| number(given, |a: Args| Ok(phi(Site::Gaussian, a.a))),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| number(given, |a: Args| Ok(phi(a.site(), a.a))),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::copula::Marginal;
    use fovea_core::quadrature::adaptive;
    use std::f64::consts::PI;

    const POINTS: [f64; 9] = [1e-9, 1e-3, 0.2, 0.5, 0.7, 0.9, 0.999, 1.0 - 1e-9, 1.0 - 1e-12];

    fn slope(a: f64) -> f64 {
        a / (2.0 * (1.0 - a) * (1.0 + a)).sqrt()
    }

    #[test]
    fn uniform_and_laplace_sites_have_closed_forms() {
        for a in POINTS {
            let c = slope(a);
            // Integration by parts of x erf(cx) over [0, sqrt 3].
            let root = 3.0_f64.sqrt();
            let (e, g) = (libm::erf(c * root), libm::exp(-3.0 * c * c));
            let closed = if c > 0.1 {
                (1.5 * e - 0.25 * e / (c * c) + 0.5 * root * g / (c * PI.sqrt())) / root
            } else {
                adaptive(|x| x * libm::erf(c * x), 0.0, root, 1e-14).value / root
            };
            let found = phi(Site::Copula(Marginal::Uniform), a);
            assert!((found / closed - 1.0).abs() < 1e-12, "uniform {a}: {found} {closed}");
            // Density e^{-sqrt 2 x} sqrt 2 on x > 0, by quadrature in x instead of in the latent variable.
            let split = [0.0, 1.0 / c, 7.0 / c, 1.0, 30.0];
            let density =
                |x: f64| std::f64::consts::SQRT_2 * libm::exp(-std::f64::consts::SQRT_2 * x);
            let body = |x: f64| x * libm::erf(c * x) * density(x);
            let split: Vec<f64> = split.into_iter().filter(|x| *x <= 30.0).collect();
            let direct = fovea_core::quadrature::adaptive_split(body, &split, 1e-14).value;
            let found = phi(Site::Copula(Marginal::Laplace), a);
            assert!((found / direct - 1.0).abs() < 1e-12, "laplace {a}: {found} {direct}");
        }
    }

    #[test]
    fn the_ends_of_the_gain_are_a_line_and_an_error_function() {
        for a in POINTS {
            let line = FRAC_2_PI.sqrt() * a;
            for gain in [1e-300, 1e-8, 1e-7] {
                let found = phi(Site::Nlgp { gain }, a);
                assert!((found / line - 1.0).abs() < 1e-12, "{gain:e} {a}: {found}");
            }
            let sign = libm::erf(slope(a));
            let found = phi(Site::Nlgp { gain: 1e8 }, a);
            // The density of a site between the two signs is of order 1/gain.
            assert!((found - sign).abs() < 1e-7, "{a}: {found} {sign}");
            assert!(phi(Site::Nlgp { gain: f64::INFINITY }, -a) < 0.0);
        }
    }

    #[test]
    fn full_correlation_gives_the_mean_absolute_value() {
        for site in [
            Site::Gaussian,
            Site::Nlgp { gain: 0.5 },
            Site::Nlgp { gain: 1e8 },
            Site::Copula(Marginal::Arcsine),
            Site::Copula(Marginal::Kur { k: 2.1 }),
            Site::Copula(Marginal::Kur { k: 10.0 }),
        ] {
            assert!((phi(site, 1.0) - site.abs_mean()).abs() < 1e-15);
            // E|X| - phi is of order p(0) (1 - a) for a density p.
            assert!((phi(site, 1.0 - 1e-12) - site.abs_mean()).abs() < 1e-11, "{site:?}");
            assert_eq!(phi(site, -0.3).to_bits(), (-phi(site, 0.3)).to_bits());
        }
    }

    #[test]
    fn the_quadrature_is_smooth_where_the_two_integrals_meet() {
        // slope = 1 at a = sqrt(2/3).
        let a = (2.0_f64 / 3.0).sqrt();
        for site in [Site::Nlgp { gain: 3.0 }, Site::Copula(Marginal::Kur { k: 5.0 })] {
            let (below, above) = (phi(site, a - 1e-12), phi(site, a + 1e-12));
            assert!((above - below).abs() < 5e-12, "{site:?}: {:e}", above - below);
        }
    }
}
