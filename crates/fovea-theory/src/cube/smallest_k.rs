//! Least number of weights that decide the gate on every corner of the cube.
//!
//! ```math
//! k^*=\min\Big\{k:\;\min_{x}\Big|\sum_{i\le k}w_ix_i\Big|>\sum_{i>k}|w_i|\Big\}\cup\{n\},\qquad|w_1|\ge|w_2|\ge\dots
//! ```
//!
//! # Source
//! Note 000 after (13), "the smallest k such that the condition above holds"; claim L000.47, erratum E.2.
//!
//! # Symbols
//! * $`k`$: the number of weights, taken in order of size, largest first
//!
//! # Holds when
//! Always, with up to 44 weights. All `n` weights always decide, even if their least sum is 0.
//!
//! # Checked by
//! The gates themselves, corner by corner.

use super::summable;
use crate::form::{Control, Form, with};
use crate::threshold::least_sum;
use fovea_core::params::{Schema, finite};
use fovea_core::{ParamError, Params, Value, params};

/// The least number of weights that decide the gate of `w`.
///
/// ```
/// use fovea_theory::cube::smallest_k::smallest_k;
/// assert_eq!(smallest_k(&[0.2, 1.0, -3.0]), 1);
/// // Two weights tie, but three decide (erratum E.2).
/// assert_eq!(smallest_k(&[1.0, 1.0, 0.3, 0.2]), 3);
/// ```
pub fn smallest_k(w: &[f64]) -> usize {
    let mut sizes: Vec<f64> = w.iter().map(|w| w.abs()).collect();
    sizes.sort_unstable_by(|a, b| b.total_cmp(a));
    let decides = |k: &usize| least_sum(&sizes[..*k]) > sizes[*k..].iter().sum::<f64>();
    (1..w.len()).find(decides).unwrap_or(w.len())
}

params! {
    /// Arguments of `cube.smallest_k`.
    pub struct Args {
        /// Weights.
        w: Vec<f64> = vec![1.0, 1.0, 0.3, 0.2], finite(), "";
    }
}

impl Params for Args {
    fn check(&self) -> Result<(), ParamError> {
        summable(&self.w, 1)
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "cube.smallest_k",
    text: include_str!("smallest_k.rs"),
    control: Control {
        what: "always all weights, as if fewer could never decide",
        eval: |given| with(given, |a: Args| Ok(Value::from(a.w.len()))),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| Ok(Value::from(smallest_k(&a.w)))),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::threshold::spin;

    /// Whether the first `k` weights give the same gate, with `>=`, on every corner.
    fn same_gate(w: &[f64], k: usize) -> bool {
        let sum = |corner: usize, k: usize| -> f64 { (0..k).map(|i| w[i] * spin(corner, i)).sum() };
        (0..1_usize << w.len())
            .all(|corner| (sum(corner, w.len()) >= 0.0) == (sum(corner, k) >= 0.0))
    }

    #[test]
    fn the_first_k_give_the_same_gate_and_fewer_do_not() {
        for w in [
            vec![8.0, 3.0, 2.0, 1.0],
            vec![8.0, 4.5, 2.75, 0.5, 0.25],
            vec![5.0, 4.0, 3.0, 2.0],
            vec![1.0, 1.0, 0.3125, 0.25],
        ] {
            let k = smallest_k(&w);
            assert!(same_gate(&w, k), "{w:?} {k}");
            assert!((1..k).all(|fewer| !same_gate(&w, fewer)), "{w:?} {k}");
        }
    }
}
