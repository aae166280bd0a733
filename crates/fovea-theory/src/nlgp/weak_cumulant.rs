//! The fourth cumulant of the process at weak gain, and the direction in which it is largest.
//!
//! ```math
//! \kappa_4[w^4]=-8g^2\sum_iw_i\,(\Sigma w)_i^3+O(g^4),\qquad v=\arg\max_{|w|=1}\sum_iw_i\,(\Sigma w)_i^3
//! ```
//!
//! # Source
//! Derived from $`x=z-\tfrac13g^2z^3+\dots`$, of unit variance to this order. The direction is the best rank-one part of the
//! tensor of ingrosso2022.
//!
//! # Symbols
//! $`\Sigma`$ is the latent covariance, from `n` and `xi`; $`v`$ is `direction`, centred on site 0 or between 0 and 1;
//! `cumulant` is $`\kappa_4[v^4]`$, `ipr` the inverse participation ratio of $`v`$.
//!
//! # Holds when
//! The leading order in $`g`$; the direction and its IPR do not depend on the gain. The maximum is found by shifted power
//! iteration from bumps of every width, site- and bond-centred, and from the flat vector: it is the largest of those.
//!
//! # Checked by
//! The published ratios, `nlgp.fourth` at small gain, and stationarity, below.

use crate::form::{Control, Form, FormError, with};
use fovea_core::params::{Schema, any, between, finite_above};
use fovea_core::ring::{Kernel, RingKernel, circulant_apply, distance};
use fovea_core::{Params, Value, params};

/// $`\sum_iw_i(\Sigma w)_i^3`$, the cumulant over $`-8g^2`$.
pub fn quartic(latent: &[f64], w: &[f64]) -> f64 {
    let image = circulant_apply(latent, w);
    w.iter().zip(&image).map(|(w, x)| w * x * x * x).sum()
}

/// $`\kappa_4[w,w,w,\cdot]`$ over $`-2g^2`$: $`(\Sigma w)_i^3+3(\Sigma(w\circ(\Sigma w)^2))_i`$.
pub fn cubic(latent: &[f64], w: &[f64]) -> Vec<f64> {
    let image = circulant_apply(latent, w);
    let inner: Vec<f64> = w.iter().zip(&image).map(|(w, x)| w * x * x).collect();
    let spread = circulant_apply(latent, &inner);
    image.iter().zip(spread).map(|(x, spread)| x * x * x + 3.0 * spread).collect()
}

/// The direction of the largest cumulant.
#[derive(Clone, Debug, PartialEq)]
pub struct Direction {
    /// The unit vector.
    pub v: Vec<f64>,
    /// $`\sum_iv_i(\Sigma v)_i^3`$.
    pub quartic: f64,
    /// Inverse participation ratio of the vector.
    pub ipr: f64,
}

/// The unit vector with the largest cumulant to leading order.
///
/// ```
/// let best = fovea_theory::nlgp::weak_cumulant::direction(&[1.0, 0.0, 0.0, 0.0]);
/// assert!((best.ipr - 1.0).abs() < 1e-12 && (best.quartic - 1.0).abs() < 1e-12);
/// ```
pub fn direction(latent: &[f64]) -> Direction {
    let n = latent.len();
    let mut best = Direction { v: Vec::new(), quartic: f64::NEG_INFINITY, ipr: 0.0 };
    for width in [0.3, 0.7, 1.5, 3.0, 6.0, f64::INFINITY] {
        for bond in [false, true] {
            let start = (0..n).map(|i| {
                let (a, b) = (distance(0, i, n) as f64, distance(1, i, n) as f64);
                let d = if bond { 0.5 * (a + b) } else { a };
                libm::exp(-(d / width) * (d / width))
            });
            let v = climb(latent, start.collect());
            let quartic = quartic(latent, &v);
            // A later start must win by more than rounding, so that the site-centred one is kept where both are one orbit.
            if quartic > best.quartic * (1.0 + 1e-12) || best.v.is_empty() {
                let ipr = v.iter().map(|x| x * x * x * x).sum();
                best = Direction { v, quartic, ipr };
            }
        }
    }
    best
}

/// Power iteration on the sphere; the shift makes every step climb.
fn climb(latent: &[f64], start: Vec<f64>) -> Vec<f64> {
    let mut w = unit(start);
    // The Hessian of the quartic is bounded by 12 lambda_0^3 / n-independent terms; a smaller shift is tried first.
    let mut shift = 0.0;
    let mut value = quartic(latent, &w);
    for _ in 0..20_000 {
        let force = cubic(latent, &w);
        let next = unit(force.iter().zip(&w).map(|(f, w)| f + shift * w).collect());
        let after = quartic(latent, &next);
        if after < value * (1.0 - 1e-14) {
            shift = (2.0 * shift).max(value);
            continue;
        }
        let moved = w.iter().zip(&next).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        (w, value) = (next, after);
        if moved < 1e-14 {
            break;
        }
    }
    w
}

fn unit(w: Vec<f64>) -> Vec<f64> {
    let norm = w.iter().map(|x| x * x).sum::<f64>().sqrt();
    w.into_iter().map(|x| x / norm).collect()
}

params! {
    /// Arguments of `nlgp.weak_cumulant`.
    pub struct Args {
        /// Ring size.
        n: usize = 40, between(2.0, 1e3), "sites";
        /// Correlation length.
        xi: f64 = 2.0, finite_above(0.0), "sites";
        /// Gain of the nonlinearity, small.
        gain: f64 = 0.1, between(0.0, 1.0), "";
        /// Covariance kernel of the latent Gaussian.
        kernel: Kernel = Kernel::Ring, any(), "";
    }
}

impl Params for Args {}

impl Args {
    fn value(&self, local: bool) -> Result<Value, FormError> {
        let latent = RingKernel::new(self.n, self.xi, self.kernel)?.first_row;
        let best = direction(&latent);
        let cubes: f64 = circulant_apply(&latent, &best.v).iter().map(|x| x * x * x * x).sum();
        let size = if local { cubes } else { best.quartic };
        Ok(Value::table([
            ("cumulant", (-8.0 * self.gain * self.gain * size).into()),
            ("ipr", best.ipr.into()),
            ("direction", Value::reals(&best.v)),
        ]))
    }
}

/// The row of this form.
pub const ENTRY: Form = Form {
    name: "nlgp.weak_cumulant",
    summary: "Largest fourth cumulant of the process at weak gain, its direction, and how localized that is.",
    equation: r"\kappa_4[w^4]=-8g^2\sum_iw_i(\Sigma w)_i^3",
    source: "derived; the tensor of ingrosso2022",
    symbols: &[(r"\Sigma", "latent covariance"), ("g", "gain")],
    holds: "leading order in the gain; the direction and its IPR for every weak gain",
    checks: "published ratios; nlgp.fourth at small gain; stationarity",
    control: Control {
        what: "the amplifier's cumulant, -8 g^2 sum (Cw)_i^4, which is right for uncorrelated sites alone",
        eval: |given| with(given, |a: Args| a.value(true)),
    },
    schema: Args::schema,
    eval: |given| with(given, |a: Args| a.value(false)),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cumulants::Cumulants;
    use fovea_core::ring::kernel_row;

    #[test]
    fn the_ratios_are_the_published_ones() {
        for (xi, ipr, digit) in [
            (0.5, 0.9992, 5e-5),
            (0.7, 0.959, 5e-4),
            (1.0, 0.595, 5e-4),
            (2.0, 0.244, 5e-4),
            (3.0, 0.163, 5e-4),
            (5.0, 0.098, 5e-4),
        ] {
            let found = direction(&kernel_row(40, xi, Kernel::Ring));
            assert!((found.ipr - ipr).abs() <= digit, "xi={xi}: {}", found.ipr);
        }
    }

    #[test]
    fn the_direction_stands_still_and_the_cumulant_is_the_limit() {
        for n in [2, 3, 9] {
            let row = kernel_row(n, 0.9, Kernel::Ring);
            let best = direction(&row);
            let force = cubic(&row, &best.v);
            for (force, v) in force.iter().zip(&best.v) {
                // Euler: the force along v is 4 times the quartic.
                assert!((force - 4.0 * best.quartic * v).abs() < 1e-10, "n={n}");
            }
            let gain = 1e-5;
            let exact: f64 = Cumulants::nlgp(&row, gain)
                .contract(&best.v)
                .iter()
                .zip(&best.v)
                .map(|(k, v)| k * v)
                .sum();
            let weak = -8.0 * gain * gain * best.quartic;
            assert!((exact / weak - 1.0).abs() < 1e-8, "n={n}: {exact} {weak}");
        }
    }
}
