//! Mean of a product of four signs of Gaussians with given correlations.
//!
//! ```math
//! M_4=\frac4{\pi^2}\int_0^1\sum_{a<b}\frac{r_{ab}}{\sqrt{1-t^2r_{ab}^2}}\arcsin\rho_{cd\cdot ab}(t)\,dt
//! ```
//!
//! # Source
//! Claim L000.21 at infinite gain, by Plackett's identity (plackett1954); L003.23.
//!
//! # Symbols
//! * $`r_{ab}`$: `rho`: the pairs 01, 02, 03, 12, 13, 23, in this order
//! * $`\rho_{cd\cdot ab}(t)`$: partial correlation of the other two in $`tR+(1-t)I`$
//!
//! # Holds when
//! Every correlation matrix of four sites. It is evaluated by `nlgp.fourth`, which integrates the cumulant instead and
//! therefore keeps its digits at strong and at weak correlation.
//!
//! # Checked by
//! The integral as printed; the distribution of four signs (`spins`); sampled moments.

use crate::form::{Control, Form, Fourth, with};
use crate::nlgp::cov::cov;
use crate::nlgp::fourth::fourth;
use fovea_core::params::{Schema, between};
use fovea_core::{ParamError, Params, Value, params};

/// The mean of the product of four signs, from the six correlations.
///
/// ```
/// let two_pairs = fovea_theory::sign::four::four([0.5, 0.0, 0.0, 0.0, 0.0, 0.5]);
/// assert!((two_pairs - 1.0 / 9.0).abs() < 1e-15);
/// ```
pub fn four(r: [f64; 6]) -> f64 {
    fourth(&matrix(r), f64::INFINITY).moment
}

/// The correlation matrix with these six entries above the diagonal.
pub(crate) fn matrix([ab, ac, ad, bc, bd, cd]: [f64; 6]) -> [[f64; 4]; 4] {
    [[1.0, ab, ac, ad], [ab, 1.0, bc, bd], [ac, bc, 1.0, cd], [ad, bd, cd, 1.0]]
}

params! {
    /// Arguments of `sign.four`.
    pub struct Args {
        /// Correlations of sites 01, 02, 03, 12, 13, 23.
        rho: Vec<f64> = vec![0.5, 0.1, 0.5, 0.5, 0.1, 0.5], between(-1.0, 1.0), "";
    }
}

impl Params for Args {
    fn check(&self) -> Result<(), ParamError> {
        let wrong = |what: String| {
            let hint = "give `rho` the six entries above the diagonal of a correlation matrix";
            Err(ParamError::Inconsistent { what, hint: hint.to_owned() })
        };
        match self.six() {
            None => wrong(format!("`rho` has {} entries; four sites have 6 pairs", self.rho.len())),
            Some(r) if least_pivot(matrix(r)) < -1e-12 => {
                wrong("`rho` is not a correlation matrix of four Gaussians".to_owned())
            }
            Some(_) => Ok(()),
        }
    }
}

impl Args {
    fn six(&self) -> Option<[f64; 6]> {
        self.rho.clone().try_into().ok()
    }

    fn value(&self, four: impl Fn([f64; 6]) -> f64) -> Value {
        self.six().map_or(f64::NAN, four).into()
    }
}

/// The least pivot of the elimination, which is negative if the matrix is not a covariance.
fn least_pivot(mut m: [[f64; 4]; 4]) -> f64 {
    let mut least = f64::INFINITY;
    for k in 0..4 {
        least = least.min(m[k][k]);
        if m[k][k] <= 1e-12 {
            // A site that is determined by the ones before; the rest of its row must vanish.
            let left = (k + 1..4).map(|j| m[k][j].abs()).fold(0.0, f64::max);
            least = least.min(if left > 1e-7 { -left } else { 0.0 });
            continue;
        }
        for i in k + 1..4 {
            let factor = m[i][k] / m[k][k];
            let row = m[k];
            for (x, above) in m[i].iter_mut().zip(row).skip(k) {
                *x -= factor * above;
            }
        }
    }
    least
}

/// The three products of covariances.
fn pairings(r: [f64; 6]) -> f64 {
    let m = matrix(r);
    Fourth::pairings([0, 1, 2, 3], |a: usize, b| cov(m[a][b], f64::INFINITY))
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "sign.four",
    text: include_str!("four.rs"),
    control: Control {
        what: "the three products of covariances, as if the signs were Gaussian",
        eval: |given| with(given, |a: Args| Ok(a.value(pairings))),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| Ok(a.value(four))),
};

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_core::quadrature::adaptive;
    use std::f64::consts::PI;

    /// The integral as the claim prints it.
    fn plackett(r: [f64; 6]) -> f64 {
        const SPLITS: [[usize; 4]; 6] =
            [[0, 1, 2, 3], [0, 2, 1, 3], [0, 3, 1, 2], [1, 2, 0, 3], [1, 3, 0, 2], [2, 3, 0, 1]];
        let m = matrix(r);
        let rate = |t: f64| -> f64 {
            let s = |a: usize, b: usize| t * m[a][b];
            SPLITS
                .iter()
                .map(|&[a, b, c, d]| {
                    let det = 1.0 - s(a, b) * s(a, b);
                    let left = |c: usize, d: usize, cd: f64| {
                        cd - (s(a, c) * s(a, d) + s(b, c) * s(b, d)
                            - s(a, b) * (s(a, c) * s(b, d) + s(a, d) * s(b, c)))
                            / det
                    };
                    let partial = left(c, d, s(c, d)) / (left(c, c, 1.0) * left(d, d, 1.0)).sqrt();
                    m[a][b] / det.sqrt() * libm::asin(partial)
                })
                .sum()
        };
        4.0 / (PI * PI) * adaptive(rate, 0.0, 1.0, 1e-12).value
    }

    #[test]
    fn the_integral_as_printed_has_the_same_value() {
        for r in [
            [0.5, 0.1, 0.5, 0.5, 0.1, 0.5],
            [-0.3, 0.2, 0.0, 0.6, -0.5, 0.1],
            [0.7, 0.5, 0.3, 0.7, 0.5, 0.7],
        ] {
            assert!((four(r) - plackett(r)).abs() < 1e-11, "{r:?}: {} {}", four(r), plackett(r));
        }
    }

    #[test]
    fn impossible_correlations_are_refused() {
        let args = |rho: &[f64]| Args { rho: rho.to_vec() }.check();
        assert!(args(&[0.9, -0.9, 0.0, 0.9, 0.0, 0.0]).is_err());
        assert!(args(&[0.5; 5]).is_err() && args(&[1.0; 6]).is_ok() && args(&[0.5; 6]).is_ok());
    }
}
