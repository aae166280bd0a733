//! The integrals that add up to the gated second moment of a standard normal pair, in closed form.
//!
//! ```math
//! E[S'^2;S',T'>0]=\tfrac12\big(a+b+c\big)+d=\tfrac14+\frac{\arcsin\rho}{2\pi}+\frac{\rho\sqrt{1-\rho^2}}{2\pi}
//! ```
//!
//! ```math
//! a=\tfrac12,\qquad b=\frac{(1-\rho^2)\arcsin\rho}\pi,\qquad c=\frac{\rho^2(\arcsin\rho+\rho\sqrt{1-\rho^2})}\pi,\qquad d=\frac{\rho(1-\rho^2)^{3/2}}{2\pi}
//! ```
//!
//! # Source
//! Note 001 (66)-(75) corrected; claims L001.28, L001.29, L001.30, L001.31. The note leaves out $`d`$, and its (72)
//! holds only for $`\rho>0`$, on one branch of its arctangent.
//!
//! # Symbols
//! * $`\rho`$: `rho`
//! * $`a`$: `plain`, $`E[1+(T'^2-1)\rho^2]`$, the note's (69), all expectations with $`T'>0`$ inside
//! * $`b`$: `erf`, $`(1-\rho^2)E[\mathrm{erf}]`$, the note's (71), each erf at $`\rho T'/\sqrt{2(1-\rho^2)}`$
//! * $`c`$: `erf_square`, $`\rho^2E[T'^2\,\mathrm{erf}]`$, the note's (73)
//! * $`d`$: `boundary`, $`E[\mu s\varphi(\mu/s)]`$
//! * `total`: the sum
//!
//! # Holds when
//! `|rho| <= 1`.
//!
//! # Checked by
//! Quadrature of every part, and their sum.

use crate::form::{Control, Form, with};
use crate::pair::Pair;
use fovea_core::params::{Schema, between};
use fovea_core::{Params, Value, params};
use std::f64::consts::PI;

/// The parts of the gated second moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SecondParts {
    /// Of the folded moment without an error function.
    pub plain: f64,
    /// Of the error function.
    pub erf: f64,
    /// Of the error function times the square.
    pub erf_square: f64,
    /// Of the density at the boundary.
    pub boundary: f64,
    /// The gated second moment.
    pub total: f64,
}

impl From<SecondParts> for Value {
    fn from(parts: SecondParts) -> Self {
        Self::table([
            ("plain", parts.plain.into()),
            ("erf", parts.erf.into()),
            ("erf_square", parts.erf_square.into()),
            ("boundary", parts.boundary.into()),
            ("total", parts.total.into()),
        ])
    }
}

/// The parts at this correlation.
///
/// ```
/// let parts = fovea_theory::truncated::second_parts::second_parts(0.0);
/// assert!(parts.total == 0.25 && parts.boundary == 0.0);
/// ```
pub fn second_parts(rho: f64) -> SecondParts {
    let left = (1.0 - rho) * (1.0 + rho);
    let root = left.sqrt();
    let arcsine = libm::atan2(rho, root);
    SecondParts {
        plain: 0.5,
        erf: left * arcsine / PI,
        erf_square: rho * rho * (arcsine + rho * root) / PI,
        boundary: rho * left * root / (2.0 * PI),
        // By the angle of the pair: the sum would lose all digits towards -1, where it vanishes.
        total: Pair::from_moments(1.0, 1.0, rho).map_or(f64::NAN, |pair| pair.square_s()),
    }
}

/// Note 001 (70), (72), (74) and their half sum (68), as printed.
fn source_form(rho: f64) -> SecondParts {
    let left = 1.0 - rho * rho;
    let arctangent = libm::atan(left.sqrt() / rho);
    let plain = 1.0 - 0.5 * rho * rho;
    let erf = 0.5 * left * (1.0 - 2.0 / PI * arctangent);
    let ratio = rho / (2.0 * left).sqrt() / (0.5 * (rho * rho / left + 0.5));
    let erf_square =
        rho * rho / ((2.0 * PI).sqrt() * 2.0 * PI.sqrt()) * (8.0_f64.sqrt() * arctangent - ratio);
    SecondParts { plain, erf, erf_square, boundary: 0.0, total: 0.5 * (plain + erf + erf_square) }
}

params! {
    /// Arguments of `truncated.second_parts`.
    pub struct Args {
        /// Correlation of the pair.
        rho: f64 = 0.6, between(-1.0, 1.0), "";
    }
}

impl Params for Args {}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "truncated.second_parts",
    text: include_str!("second_parts.rs"),
    control: Control {
        what: "note 001 (70), (72), (74) and (68), without the boundary",
        eval: |given| with(given, |a: Args| Ok(source_form(a.rho).into())),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| Ok(second_parts(a.rho).into())),
};

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_core::agree::within;
    use fovea_core::quadrature::normal_expectation;
    use fovea_core::special::{erf, normal_pdf};

    #[test]
    fn quadrature_finds_every_part() {
        for rho in [-0.999_f64, -0.6, -0.1, 0.0, 0.3, 0.6, 0.99] {
            let std = (1.0 - rho * rho).sqrt();
            let half = |f: &dyn Fn(f64) -> f64| {
                normal_expectation(|t| if t > 0.0 { f(t) } else { 0.0 }, &[0.0]).value
            };
            let bend = |t: f64| erf(rho * t / (2.0 * (1.0 - rho * rho)).sqrt());
            let parts = second_parts(rho);
            let pairs = [
                (parts.plain, half(&|t| 1.0 + (t * t - 1.0) * rho * rho)),
                (parts.erf, (1.0 - rho * rho) * half(&bend)),
                (parts.erf_square, rho * rho * half(&|t| t * t * bend(t))),
                (parts.boundary, half(&|t| rho * t * std * normal_pdf(rho * t / std))),
                (parts.total, 0.25 + (libm::asin(rho) + rho * std) / (2.0 * PI)),
            ];
            for (got, want) in pairs {
                within(got, want, 1e-11, 1e-15).unwrap();
            }
            let sum = 0.5 * (parts.plain + parts.erf + parts.erf_square) + parts.boundary;
            within(sum, parts.total, 1e-14, 1e-16).unwrap();
        }
    }

    #[test]
    fn the_values_are_those_of_the_catalogue_for_both_signs() {
        // L001.30 at -0.6: the note 0.509, the truth -0.131; L001.31 at 0.6: the truth 0.12874, (74) 0.0658.
        assert!((source_form(-0.6).erf - 0.509).abs() < 5e-4);
        assert!((second_parts(-0.6).erf + 0.131).abs() < 5e-4);
        assert!((second_parts(0.6).erf_square - 0.12874).abs() < 5e-6);
        assert!((source_form(0.6).erf_square - 0.0658).abs() < 5e-5);
        let ends = [second_parts(1.0), second_parts(-1.0)];
        assert!((ends[0].total - 0.5).abs() < 1e-16 && ends[1].total.abs() < 1e-16);
    }
}
