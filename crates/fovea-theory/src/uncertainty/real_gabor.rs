//! Product of the spreads of time and frequency of a real Gabor function.
//!
//! ```math
//! f(t)=e^{-t^2/4s^2}\cos kt:\qquad \sigma_t\sigma_\omega
//! =\tfrac12\sqrt{\Big(1-\frac{4\kappa\varepsilon}{1+\varepsilon}\Big)\Big(1+\frac{4\kappa}{1+\varepsilon}\Big)},\qquad
//! \kappa=k^2s^2,\quad \varepsilon=e^{-2\kappa}
//! ```
//!
//! # Source
//! Note 003 on the uncertainty of receptive fields, which expects 1/2, corrected; claim L003.26.
//!
//! # Symbols
//! * $`\kappa`$: `kappa`, $`k^2s^2`$
//! * $`\sigma_\omega`$: spread over the whole line, as a real field has equal power at $`-k`$ and $`k`$ (the analytic
//!   signal, which has only one side, tends to 1/2)
//!
//! # Holds when
//! Always; 1/2 only at `kappa = 0`, and $`\tfrac12\sqrt{1+4\kappa}`$ for large `kappa`.
//!
//! # Checked by
//! Reference values (`tests/oracle`); quadrature of both variances.

use crate::form::{Control, Form, number};
use fovea_core::params::{Schema, between};
use fovea_core::{Params, params};

/// $`\sigma_t\sigma_\omega`$ of a Gaussian times a cosine, `kappa = k^2 s^2`.
///
/// ```
/// let product = fovea_theory::uncertainty::real_gabor::real_gabor(4.0);
/// assert!((product - 2.056).abs() < 5e-4);
/// ```
pub fn real_gabor(kappa: f64) -> f64 {
    let fade = libm::exp(-2.0 * kappa);
    let share = 4.0 * kappa / (1.0 + fade);
    0.5 * ((1.0 - share * fade) * (1.0 + share)).sqrt()
}

params! {
    /// Arguments of `uncertainty.real_gabor`.
    pub struct Args {
        /// Squared product of the frequency and the width.
        kappa: f64 = 1.0, between(0.0, 1e300), "";
    }
}

impl Params for Args {}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "uncertainty.real_gabor",
    text: include_str!("real_gabor.rs"),
    control: Control {
        what: "note 003: every Gabor function has the least product, 1/2",
        eval: |given| number(given, |_: Args| Ok(0.5)),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| number(given, |a: Args| Ok(real_gabor(a.kappa))),
};

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_core::quadrature::adaptive;

    #[test]
    fn quadrature_finds_the_product_and_rejects_one_half() {
        for kappa in [0.25, 1.0, 4.0] {
            let k = f64::sqrt(kappa);
            let field = |t: f64| libm::exp(-0.25 * t * t) * libm::cos(k * t);
            let slope = |t: f64| {
                -libm::exp(-0.25 * t * t) * (0.5 * t * libm::cos(k * t) + k * libm::sin(k * t))
            };
            let over = |f: &dyn Fn(f64) -> f64| adaptive(f, -14.0, 14.0, 1e-13).value;
            let norm = over(&|t| field(t) * field(t));
            let time = over(&|t| t * t * field(t) * field(t)) / norm;
            let frequency = over(&|t| slope(t) * slope(t)) / norm;
            let product = (time * frequency).sqrt();
            assert!((real_gabor(kappa) - product).abs() < 1e-12, "{kappa}");
            assert!((0.5 - product).abs() > 2e-3, "{kappa}");
        }
    }

    #[test]
    fn both_ends_have_no_nan() {
        assert!((real_gabor(0.0) - 0.5).abs() < 1e-16);
        assert!((real_gabor(1e-9) - 0.5).abs() < 1e-15);
        assert!((real_gabor(1e8) / 1e4 - 1.0).abs() < 1e-8 && real_gabor(1e300).is_finite());
    }
}
