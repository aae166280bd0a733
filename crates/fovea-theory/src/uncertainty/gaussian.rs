//! Spreads of time and frequency of a Gaussian on the line; the product is least, 1/2, without a chirp.
//!
//! ```math
//! \|f\|=1\ \Rightarrow\ \sigma_t\sigma_\omega\ge\tfrac12;\qquad
//! f\propto e^{-(1+\mathrm ic)(t-t_0)^2/4s^2+\mathrm i\omega_0t}:\quad \sigma_t=s,\quad \sigma_\omega=\frac{\sqrt{1+c^2}}{2s}
//! ```
//!
//! # Source
//! Added for the paragraph "The uncertainty principle" of note 003, which stops before its statement; claim L003.64.
//!
//! # Symbols
//! * $`s`$: `std`
//! * $`c`$: `chirp`
//! * $`t_0, \omega_0`$: position and frequency, which do not matter
//! * $`\omega`$: in radians per unit of $`t`$ (in cycles the least product is $`1/4\pi`$)
//!
//! # Holds when
//! Always; the product is 1/2 exactly at `chirp = 0`.
//!
//! # Checked by
//! Quadrature of both variances, $`t^2|f|^2`$ and $`|f'|^2`$.

use crate::form::{Control, Form, with};
use fovea_core::params::{Schema, finite, finite_above};
use fovea_core::{Params, Value, params};
use std::f64::consts::TAU;

/// The spreads of one field on the line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spreads {
    /// $`\sigma_t`$.
    pub time: f64,
    /// $`\sigma_\omega`$.
    pub frequency: f64,
}

impl Spreads {
    /// $`\sigma_t\sigma_\omega`$.
    pub fn product(self) -> f64 {
        self.time * self.frequency
    }
}

impl From<Spreads> for Value {
    fn from(spreads: Spreads) -> Self {
        Self::table([
            ("std_t", spreads.time.into()),
            ("std_omega", spreads.frequency.into()),
            ("product", spreads.product().into()),
        ])
    }
}

/// The spreads of a Gaussian whose square has standard deviation `std`, chirped by `chirp`.
///
/// ```
/// assert_eq!(fovea_theory::uncertainty::gaussian::gaussian(3.0, 0.0).product(), 0.5);
/// ```
pub fn gaussian(std: f64, chirp: f64) -> Spreads {
    Spreads { time: std, frequency: libm::hypot(1.0, chirp) / (2.0 * std) }
}

params! {
    /// Arguments of `uncertainty.gaussian`.
    pub struct Args {
        /// Standard deviation of the squared field.
        std: f64 = 1.0, finite_above(0.0), "";
        /// Rate of change of the frequency within the field; 0 gives the minimum.
        chirp: f64 = 0.0, finite(), "";
    }
}

impl Params for Args {}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "uncertainty.gaussian",
    text: include_str!("gaussian.rs"),
    control: Control {
        what: "the frequency in cycles, whose least product is 1/(4 pi)",
        eval: |given| {
            with(given, |a: Args| {
                let spreads = gaussian(a.std, a.chirp);
                Ok(Spreads { frequency: spreads.frequency / TAU, ..spreads }.into())
            })
        },
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| Ok(gaussian(a.std, a.chirp).into())),
};

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_core::quadrature::adaptive;

    #[test]
    fn quadrature_finds_both_spreads() {
        for (s, c) in [(1.0, 0.0), (0.3, 2.0), (4.0, -0.7)] {
            let square = |t: f64| libm::exp(-t * t / (2.0 * s * s));
            // |f'|^2 = (1 + c^2) (t / 2s^2)^2 |f|^2.
            let slope =
                |t: f64| (1.0 + c * c) * (t / (2.0 * s * s)) * (t / (2.0 * s * s)) * square(t);
            let over = |f: &dyn Fn(f64) -> f64| adaptive(f, -12.0 * s, 12.0 * s, 1e-13).value;
            let norm = over(&square);
            let time = (over(&|t| t * t * square(t)) / norm).sqrt();
            let frequency = (over(&slope) / norm).sqrt();
            let got = gaussian(s, c);
            assert!((got.time / time - 1.0).abs() < 1e-12, "{s} {c}");
            assert!((got.frequency / frequency - 1.0).abs() < 1e-12, "{s} {c}");
            assert!(got.product() >= 0.5);
        }
    }
}
