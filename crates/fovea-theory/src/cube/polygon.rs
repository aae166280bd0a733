//! Least length of a sum of weighted unit vectors: the lower bound on delta by relaxation.
//!
//! ```math
//! \min_{u_i\in S^{k-1}}\Big\|\sum_iw_iu_i\Big\|=\max\big(0,\;2\|w\|_\infty-\|w\|_1\big)\le\delta
//! ```
//!
//! # Source
//! Derived; claim L000.31. It is the value of the semidefinite relaxation of number partitioning, for which note 000,
//! section SDP, hopes for a bound by Grothendieck's inequality.
//!
//! # Symbols
//! * $`u_i`$: unit vectors of any dimension instead of signs $`x_i`$ (two dimensions are enough)
//!
//! # Holds when
//! Always: segments of lengths `|w_i|` close to a polygon unless one is longer than all others together. If they
//! close, the bound is 0 and trivial; if not, it is positive and equal to $`\delta`$. So the relaxation detects only
//! the dictator.
//!
//! # Checked by
//! Unit vectors of the plane; equal to delta for a dictator.

use crate::form::{Control, Form, number, with};
use fovea_core::params::{Schema, finite};
use fovea_core::{Params, Value, params};

/// The least length of $`\sum_iw_iu_i`$ over unit vectors.
///
/// ```
/// use fovea_theory::cube::polygon::polygon;
/// assert_eq!((polygon(&[4.0, 1.0, 1.0]), polygon(&[4.0, 3.0, 2.0])), (2.0, 0.0));
/// ```
pub fn polygon(w: &[f64]) -> f64 {
    let size = w.iter().map(|w| w.abs());
    (2.0 * size.clone().fold(0.0, f64::max) - size.sum::<f64>()).max(0.0)
}

params! {
    /// Arguments of `cube.polygon`.
    pub struct Args {
        /// Weights.
        w: Vec<f64> = vec![3.0, 1.1, 0.7, 0.25], finite(), "";
    }
}

impl Params for Args {}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "cube.polygon",
    text: include_str!("polygon.rs"),
    control: Control {
        what: "a Grothendieck bound: the relaxed value over 1.783 as if it were a multiplicative guarantee",
        eval: |given| with(given, |a: Args| Ok(Value::Real(polygon(&a.w) / 1.783))),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| number(given, |a: Args| Ok(polygon(&a.w))),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::threshold::least_sum;
    use std::f64::consts::{PI, TAU};

    /// The least length over many directions of each vector, coordinate by coordinate.
    fn descended(w: &[f64]) -> f64 {
        let mut angles: Vec<f64> = (0..w.len()).map(|i| 2.4 * i as f64).collect();
        for _ in 0..4000 {
            for i in 0..w.len() {
                // The best direction of one vector is opposite to the sum of the others.
                let rest = |trig: fn(f64) -> f64| -> f64 {
                    (0..w.len()).filter(|j| *j != i).map(|j| w[j] * trig(angles[j])).sum()
                };
                let against = libm::atan2(rest(libm::sin), rest(libm::cos));
                angles[i] = (against + if w[i] > 0.0 { PI } else { 0.0 }) % TAU;
            }
        }
        let total = |trig: fn(f64) -> f64| -> f64 {
            w.iter().zip(&angles).map(|(w, a)| w * trig(*a)).sum()
        };
        libm::hypot(total(libm::sin), total(libm::cos))
    }

    #[test]
    fn unit_vectors_reach_the_bound_and_no_less() {
        for w in [vec![4.0, 1.0, 1.5], vec![5.0, -4.0, 3.0, 0.7], vec![1.0, 1.0, 0.3, 0.2]] {
            assert!((descended(&w) - polygon(&w)).abs() < 1e-6, "{w:?}: {}", descended(&w));
            assert!(polygon(&w) <= least_sum(&w) + 1e-15);
        }
        let dictator = [-4.0, 1.0, 1.5];
        assert!((polygon(&dictator) - least_sum(&dictator)).abs() < 1e-15);
    }
}
