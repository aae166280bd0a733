//! Product of the spreads of position and frequency on the circle for von Mises fields; it decreases to 1/4.
//!
//! ```math
//! \frac{\mathrm{Var}(k)\,(1-|\tau|^2)}{|\tau|^2}\ge\tfrac14;\qquad |w(\varphi)|^2\propto e^{\kappa\cos\varphi}:\quad
//! \frac{\kappa(1-A^2)}{4A},\qquad \tau=A(\kappa)=\frac{I_1(\kappa)}{I_0(\kappa)},\quad \mathrm{Var}(k)=\tfrac14\kappa A
//! ```
//!
//! # Source
//! Added for the empty section of note 003; claim L003.27 (c), the inequality of Breitenberger.
//!
//! # Symbols
//! * $`\kappa`$: `kappa`
//! * $`\tau`$: mean of $`e^{\mathrm i\varphi}`$, the mean direction of the places
//! * $`k`$: the frequency in cycles around the circle
//!
//! # Holds when
//! `kappa > 0`. The bound is sharp and never reached: the product tends to 1/2 as `kappa` vanishes and decreases to 1/4
//! as it grows, like $`\tfrac14(1+1/(2\kappa))`$.
//!
//! # Checked by
//! The catalogue's value; both limits; `uncertainty.measures` on a fine ring.

use crate::form::{Control, Form, with};
use fovea_core::params::{Schema, finite_above};
use fovea_core::special::{bessel_ratio, bessel_ratio_gap};
use fovea_core::{Params, Value, params};

/// The spreads of one member of the von Mises family.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Circular {
    /// The product, at least ¼.
    pub product: f64,
    /// Variance of the frequency.
    pub var_k: f64,
    /// $`|\tau|`$.
    pub resultant: f64,
}

impl From<Circular> for Value {
    fn from(spread: Circular) -> Self {
        Self::table([
            ("product", spread.product.into()),
            ("var_k", spread.var_k.into()),
            ("resultant", spread.resultant.into()),
        ])
    }
}

/// The spreads of the field whose square is a von Mises density of concentration `kappa > 0`.
///
/// ```
/// let spread = fovea_theory::uncertainty::breitenberger::breitenberger(50.0);
/// assert!((spread.product - 0.25255).abs() < 5e-6);
/// ```
pub fn breitenberger(kappa: f64) -> Circular {
    let resultant = bessel_ratio(kappa);
    let spread = bessel_ratio_gap(kappa) * (1.0 + resultant);
    // kappa / A is 2 (1 + kappa^2/8 + ...): below 1e-8 the ratio may underflow although the quotient does not.
    let quotient = if kappa < 1e-8 { 2.0 } else { kappa / resultant };
    Circular { product: 0.25 * quotient * spread, var_k: 0.25 * kappa * resultant, resultant }
}

params! {
    /// Arguments of `uncertainty.breitenberger`.
    pub struct Args {
        /// Concentration of the squared field.
        kappa: f64 = 2.0, finite_above(0.0), "";
    }
}

impl Params for Args {}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "uncertainty.breitenberger",
    text: include_str!("breitenberger.rs"),
    control: Control {
        what: "the bound itself, 1/4, which no field reaches",
        eval: |given| {
            with(given, |a: Args| Ok(Circular { product: 0.25, ..breitenberger(a.kappa) }.into()))
        },
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| Ok(breitenberger(a.kappa).into())),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uncertainty::measures::measures;
    use fovea_core::fourier::cos_turns;

    #[test]
    fn the_family_falls_from_one_half_to_one_quarter() {
        assert!((breitenberger(50.0).product - 0.2525514274641238).abs() < 2e-14);
        for kappa in [1e-300, 1e-9, 1e-7] {
            assert!((breitenberger(kappa).product - 0.5).abs() < 1e-13, "{kappa:e}");
        }
        let mut last = 0.5;
        for power in -3..18 {
            let product = breitenberger(libm::pow(10.0, f64::from(power))).product;
            assert!(product >= 0.25 && product < last + 1e-15, "1e{power}: {product}");
            last = product;
        }
        assert!((breitenberger(1e6).product - 0.25 * (1.0 + 0.5e-6)).abs() < 1e-12);
        assert!((last - 0.25).abs() < 1e-15);
    }

    #[test]
    fn a_fine_ring_has_the_spreads_of_the_circle() {
        for kappa in [0.5, 2.0, 20.0] {
            let w: Vec<f64> =
                (0..64).map(|i| libm::exp(0.5 * kappa * (cos_turns(i, 64) - 1.0))).collect();
            let (ring, circle) = (measures(&w).unwrap(), breitenberger(kappa));
            assert!((ring.circular / circle.product - 1.0).abs() < 1e-10, "{kappa}");
            assert!((ring.var_k / circle.var_k - 1.0).abs() < 1e-10, "{kappa}");
        }
    }
}
