//! Mean square of the positive part of a normal variable, given its partner.
//!
//! ```math
//! E[S'^2;S'>0\,|\,T'=t]=(\mu^2+s^2)\,\Phi(\mu/s)+\mu s\,\varphi(\mu/s),\qquad\mu=\rho t,\quad s^2=1-\rho^2
//! ```
//!
//! # Source
//! Note 001 (63) corrected; claim L001.26. The note takes the second moment of $`|S'|`$, $`\mu^2+s^2`$, for that of the
//! truncated variable.
//!
//! # Symbols
//! * $`\rho`$: `rho`
//! * $`T'`$: `t`
//!
//! # Holds when
//! A standard normal pair, `|rho| <= 1`, every `t`; at the ends $`S'=\pm t`$ and the value is $`t^2`$ or 0. The
//! indicator is inside the expectation; divided by $`\Phi(\mu/s)`$ the moment is conditional on $`S'>0`$ as well.
//!
//! # Checked by
//! Quadrature; both ends of the correlation; integrated over t > 0, `relu.pair_moments`.

use super::Tail;
use crate::form::{Control, Form, number, with};
use fovea_core::params::{Schema, between, finite};
use fovea_core::{Params, params};

/// The mean square of the positive part of $`S'`$ given $`T'=t`$.
///
/// ```
/// let half = fovea_theory::truncated::second_given::second_given(0.0, 3.0);
/// assert!((half - 0.5).abs() < 1e-15);
/// ```
pub fn second_given(rho: f64, t: f64) -> f64 {
    let (mu, std) = (rho * t, ((1.0 - rho) * (1.0 + rho)).sqrt());
    if std <= 0.0 {
        return if mu > 0.0 { mu * mu } else { 0.0 };
    }
    // E[Z^2; Z > tau] times s^2 about tau = -mu/s: variance plus squared mean of the excess, both positive.
    let tail = Tail::beyond(-mu / std);
    std * std * tail.probability * (tail.left + tail.over * tail.over)
}

params! {
    /// Arguments of `truncated.second_given`.
    pub struct Args {
        /// Correlation of the pair.
        rho: f64 = 0.6, between(-1.0, 1.0), "";
        /// Value of the partner.
        t: f64 = 0.8, finite(), "";
    }
}

impl Params for Args {}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "truncated.second_given",
    text: include_str!("second_given.rs"),
    control: Control {
        what: "note 001 (63) times its (65): the second moment of |S'| times P(S' > 0)",
        eval: |given| {
            with(given, |a: Args| {
                let (mu, std) = (a.rho * a.t, (1.0 - a.rho * a.rho).sqrt());
                let open = Tail::beyond(-mu / std).probability;
                Ok(((mu * mu + std * std) * open).into())
            })
        },
    },
    schema: Args::schema,
    moves: None,
    eval: |given| number(given, |a: Args| Ok(second_given(a.rho, a.t))),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::relu::pair_moments::pair_moments;
    use fovea_core::agree::{agrees_to_digits, within};
    use fovea_core::quadrature::{adaptive, normal_expectation};
    use fovea_core::special::normal_pdf;

    #[test]
    fn quadrature_over_the_variable_finds_the_same_and_the_value_of_the_catalogue() {
        for (rho, t) in [(0.6, 0.8), (-0.9, 2.0), (0.3, -5.0), (0.999, 0.1)] {
            let (mu, std) = (rho * t, (1.0_f64 - rho * rho).sqrt());
            let density = |x: f64| x * x * normal_pdf((x - mu) / std) / std;
            let want = adaptive(density, 0.0, f64::max(mu, 0.0) + 12.0 * std, 1e-14).value;
            agrees_to_digits(second_given(rho, t), want, 12.0).unwrap();
        }
        // L001.26: conditional on S' > 0 as well, 1.0467 at rho = 0.6, t = 0.8.
        let open = Tail::beyond(-0.48 / 0.8).probability;
        assert!((second_given(0.6, 0.8) / open - 1.0467).abs() < 5e-5);
    }

    #[test]
    fn integrated_over_the_partner_it_is_the_pair_moment() {
        for rho in [-0.9, -0.2, 0.5, 0.99] {
            let half = |t: f64| if t > 0.0 { second_given(rho, t) } else { 0.0 };
            let want = pair_moments(1.0, 1.0, rho).unwrap().s2;
            within(normal_expectation(half, &[0.0]).value, want, 1e-12, 0.0).unwrap();
        }
    }

    #[test]
    fn a_perfect_correlation_determines_the_value() {
        assert!((second_given(1.0, 3.0) - 9.0).abs() < 1e-15 && second_given(-1.0, 3.0) == 0.0);
        assert!((second_given(1.0 - 1e-15, 3.0) - 9.0).abs() < 1e-12);
        assert!(second_given(-1.0 + 1e-15, 3.0).abs() < 1e-12);
    }
}
