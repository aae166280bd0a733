//! Longest correlation length of class pos at which the localized fixed point on sign data exists.
//!
//! ```math
//! \xi^*(\xi_0)=\sup\Big\{\xi_1>\xi_0:\;\sum_{d\ne0}|w^*_d|<|w^*_0|\Big\},\qquad w^*=(C_0+C_1)^{-1}C_1e_0
//! ```
//!
//! # Source
//! Derived: claim L000.39 turned into a phase boundary.
//!
//! # Symbols
//! * $`\xi_0`$: `xi_neg`
//! * $`\xi^*`$: the value, the largest `xi_pos`
//!
//! # Holds when
//! `gain = inf`, one bias-free unit, labels 1 and 0. The value is the first zero of the margin above $`\xi_0`$, where
//! $`w^*=\tfrac12e_0`$; it is `inf` if the margin stays positive up to the longest length the kernel allows.
//!
//! # Checked by
//! Published edges; the sign of the margin on both sides.

use super::fixed_point::{fixed_point, sign_cov};
use crate::form::{Control, Form, FormError, number, with};
use fovea_core::params::{Schema, any, between, finite_above};
use fovea_core::ring::{Kernel, RingKernel};
use fovea_core::{Params, Value, params, work};

/// The longest correlation length of class pos at which the dictator state exists.
///
/// ```
/// use fovea_core::ring::Kernel;
/// let edge = fovea_theory::dictator::edge::edge(40, 1.0, Kernel::Ring)?;
/// assert!((edge - 2.8).abs() < 0.05);
/// # Ok::<(), fovea_theory::FormError>(())
/// ```
///
/// # Errors
/// A length at which the kernel of class neg is not a covariance.
pub fn edge(n: usize, xi_neg: f64, kernel: Kernel) -> Result<f64, FormError> {
    edge_at(n, xi_neg, kernel, 0.0)
}

fn edge_at(n: usize, xi_neg: f64, kernel: Kernel, level: f64) -> Result<f64, FormError> {
    let row = |xi| RingKernel::new(n, xi, kernel).map(|kernel| sign_cov(&kernel.first_row));
    let neg = row(xi_neg)?;
    // The search ends at the longest length at which the kernel is a covariance.
    let margin = |xi| {
        if !work::spend(n) {
            return f64::NAN;
        }
        row(xi).map_or(f64::NAN, |pos| fixed_point(&pos, &neg).margin - level)
    };
    // If lengths are unbounded, all sites of class pos become equal in the limit, and two of them outvote any: the margin must fall.
    let (mut from, mut to, mut step) = (xi_neg, (n as f64).max(2.0 * xi_neg), 0.05);
    loop {
        if let Some(edge) = first_zero(margin, from, to, step) {
            return Ok(edge);
        }
        if margin(to).is_nan() {
            return Ok(f64::INFINITY);
        }
        (from, to) = (to, 2.0 * to);
        step = (to - from) / 1000.0;
    }
}

/// The first zero above `from` of a function that starts positive, to rounding; `None` if there is none before `to` or a NaN.
pub(crate) fn first_zero(g: impl Fn(f64) -> f64, from: f64, to: f64, step: f64) -> Option<f64> {
    let steps = ((to - from) / step).ceil() as usize;
    let at = |i: usize| from + (to - from) * i as f64 / steps as f64;
    let (after, value) =
        (1..=steps).map(|i| (i, g(at(i)))).find(|(_, g)| g.is_nan() || *g <= 0.0)?;
    if value.is_nan() {
        return None;
    }
    let (mut low, mut high) = (at(after - 1), at(after));
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if g(middle) > 0.0 { low = middle } else { high = middle }
    }
    Some(low)
}

params! {
    /// Arguments of `dictator.edge`.
    pub struct Args {
        /// Ring size.
        n: usize = 40, between(3.0, 1e3), "sites";
        /// Correlation length of class neg, label 0.
        xi_neg: f64 = 1.0, finite_above(0.0), "sites";
        /// Covariance kernel of the latent Gaussian.
        kernel: Kernel = Kernel::Ring, any(), "";
    }
}

impl Params for Args {}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "dictator.edge",
    text: include_str!("edge.rs"),
    control: Control {
        what: "the length at which the site has a quarter of the vote, instead of a half",
        eval: |given| number(given, |a: Args| edge_at(a.n, a.xi_neg, a.kernel, -0.5)),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| Ok(Value::Real(edge(a.n, a.xi_neg, a.kernel)?))),
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_are_the_published_ones() {
        for (xi_neg, published) in [(0.3, 2.31), (0.7, 2.46), (1.0, 2.76), (2.0, 4.46)] {
            let edge = edge(40, xi_neg, Kernel::Ring).unwrap();
            // Published on a grid of 0.05: the first point at which the state does not exist.
            assert!((published - 0.05..published).contains(&edge), "{xi_neg}: {edge}");
        }
    }

    #[test]
    fn a_kernel_without_a_longest_length_always_has_an_edge() {
        // Dense algebra in 40 digits: crates/fovea-theory/data/second_way.
        let edge = edge(6, 0.829332, Kernel::Exponential).unwrap();
        assert!((edge / 8.182_386_928_340_5 - 1.0).abs() < 1e-12, "{edge}");
    }
}
