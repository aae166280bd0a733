//! Least spread dV^2 over frequencies at a given spread dU^2 over positions: inequality and optimum.
//!
//! ```math
//! (1+2A)\,\Delta U^2\Delta V^2+A^2(\Delta U^2+\Delta V^2)\ge A^2,\qquad A=\tan\tfrac\pi n
//! ```
//!
//! # Source
//! Added for the empty section of note 003; claim L003.27 (b), the inequality of Massar and Spindel.
//!
//! # Symbols
//! * $`\Delta U^2`$: `du2`, over positions, as in `uncertainty.measures`
//! * $`\Delta V^2`$: two values: `bound`, at which the inequality is an equality, and `optimum`, the least that exists
//!
//! # Holds when
//! Always; the two are equal only for points and constants. The optimum belongs to the ground states of Harper's
//! operator, cosine of position plus cosine of frequency, with weights chosen to give $`\Delta U^2`$. At n = 40 the
//! symmetric point is .07552, where the inequality gives .0680.
//!
//! # Checked by
//! Arbitrary and squeezed fields; both ends; the symmetric point of n = 40; eigenvectors of Harper's operator
//! (`harper`).

use crate::form::{Control, Form, with};
use crate::harper::{Harper, ground_state, spread};
use fovea_core::params::{Schema, between};
use fovea_core::{Params, Value, params};
use std::f64::consts::{FRAC_PI_2, PI};

/// The least spread over frequencies for a spread over positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LeastSpread {
    /// The bound by the inequality.
    pub bound: f64,
    /// The attained minimum.
    pub optimum: f64,
}

impl From<LeastSpread> for Value {
    fn from(least: LeastSpread) -> Self {
        Self::table([("bound", least.bound.into()), ("optimum", least.optimum.into())])
    }
}

/// The least spread over frequencies on a ring of `n >= 2` sites, at the spread `du2` in `[0, 1]` over positions.
///
/// ```
/// let least = fovea_theory::uncertainty::massar_spindel::massar_spindel(40, 0.07552);
/// assert!((least.optimum - 0.07552).abs() < 1e-5 && least.bound < least.optimum);
/// ```
pub fn massar_spindel(n: usize, du2: f64) -> LeastSpread {
    LeastSpread { bound: bound(n, du2), optimum: spread(optimal_state(n, du2).gap_frequency) }
}

/// The $`\Delta V^2`$ at which the inequality is an equality.
pub fn bound(n: usize, du2: f64) -> f64 {
    // 1/A, which stays finite at n = 2.
    let angle = PI / n as f64;
    let inverse = libm::cos(angle) / libm::sin(angle);
    (1.0 - du2) / (1.0 + inverse * (inverse + 2.0) * du2)
}

/// The ground state of Harper's operator whose spread over positions is `du2`.
pub fn optimal_state(n: usize, du2: f64) -> Harper {
    let at = |angle: f64| ground_state(n, libm::cos(angle), libm::sin(angle));
    // The larger the weight of the frequencies, the wider the state: the boundary of a convex set is traversed once.
    let (mut narrow, mut wide) = (0.0, FRAC_PI_2);
    for _ in 0..100 {
        let middle = 0.5 * (narrow + wide);
        if middle <= narrow || middle >= wide {
            break;
        }
        if spread(at(middle).gap_place) < du2 { narrow = middle } else { wide = middle }
    }
    // At the two ends themselves the weight of one cosine is exactly 0.
    at(if du2 >= 1.0 { FRAC_PI_2 } else { narrow })
}

params! {
    /// Arguments of `uncertainty.massar_spindel`.
    pub struct Args {
        /// Ring size.
        n: usize = 40, between(2.0, 1e4), "sites";
        /// Spread over positions.
        du2: f64 = 0.1, between(0.0, 1.0), "";
    }
}

impl Params for Args {}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "uncertainty.massar_spindel",
    text: include_str!("massar_spindel.rs"),
    control: Control {
        what: "the inequality treated as an equality",
        eval: |given| {
            with(given, |a: Args| {
                let bound = bound(a.n, a.du2);
                Ok(LeastSpread { bound, optimum: bound }.into())
            })
        },
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| Ok(massar_spindel(a.n, a.du2).into())),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uncertainty::measures::measures;

    #[test]
    fn the_symmetric_point_and_both_ends_are_those_of_the_catalogue() {
        let best = ground_state(40, 1.0, 1.0);
        let symmetric = spread(best.gap_place);
        let least = massar_spindel(40, symmetric);
        assert!((least.optimum - symmetric).abs() < 1e-13, "{least:?}");
        // The symmetric point of the inequality: (1+2A) x^2 + 2 A^2 x = A^2.
        let mut x = 0.05;
        for _ in 0..200 {
            x = 0.5 * (x + bound(40, x));
        }
        assert!((x - 0.0680).abs() < 5e-5, "{x}");
        for n in [2, 3, 40] {
            let (point, flat) = (massar_spindel(n, 0.0), massar_spindel(n, 1.0));
            assert!((point.bound - 1.0).abs() < 1e-14 && (point.optimum - 1.0).abs() < 1e-12);
            assert!(flat.bound.abs() < 1e-14 && flat.optimum.abs() < 1e-12, "n={n} {flat:?}");
        }
        let two = massar_spindel(2, 0.3);
        assert!((two.bound - 0.7).abs() < 1e-14 && (two.optimum - 0.7).abs() < 1e-12);
    }

    #[test]
    fn no_field_lies_below_the_optimum_and_the_optimum_not_below_the_inequality() {
        for n in [3_u8, 4, 9, 16].map(i32::from) {
            for trial in 0..40 {
                let squeeze = f64::from(trial % 8);
                let field: Vec<f64> = (0..n)
                    .map(|i| {
                        let noise = libm::sin(f64::from((i + 2) * (i + 3) * (trial + 1)));
                        let d = f64::from(i.min(n - i));
                        libm::exp(-0.1 * squeeze * d * d) + 0.3 * noise
                    })
                    .collect();
                let m = measures(&field).unwrap();
                let least = massar_spindel(field.len(), m.spread_place);
                assert!(least.bound <= least.optimum + 1e-12, "n={n}: {least:?}");
                assert!(least.optimum <= m.spread_frequency + 1e-11, "n={n}: {least:?} {m:?}");
            }
        }
    }
}
