//! Largest fourth cumulant of the process at weak gain, its direction, and the IPR of that direction.
//!
//! ```math
//! \kappa_4[w^4]=-8g^2\sum_iw_i\,(\Sigma w)_i^3+O(g^4),\qquad v=\arg\max_{|w|=1}\sum_iw_i\,(\Sigma w)_i^3
//! ```
//!
//! # Source
//! Derived from $`x=z-\tfrac13g^2z^3+\dots`$, of unit variance to this order. The direction is the best rank-one part
//! of the tensor of ingrosso2022.
//!
//! # Symbols
//! * $`\Sigma`$: latent covariance, from `n` and `xi`
//! * $`g`$: `gain`
//! * $`v`$: `direction`, centred on site 0 or between 0 and 1 (`ipr` is its inverse participation ratio)
//! * $`\kappa_4[v^4]`$: `cumulant`
//!
//! # Holds when
//! Leading order in the gain; the direction and its IPR do not depend on the gain. The maximum is the largest of those
//! found by shifted power iteration from bumps of several widths, site- and bond-centred, and from the flat vector.
//!
//! # Checked by
//! The published ratios; `nlgp.fourth` at small gain; stationarity.

use crate::cumulants::{Leading, leading};
use crate::form::{Control, Form, FormError, with};
use fovea_core::params::{Schema, any, between, finite_above};
use fovea_core::ring::{Kernel, RingKernel, circulant_apply};
use fovea_core::{Params, Value, params, work};

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

/// The unit vector with the largest cumulant to leading order; its value is $`\sum_iv_i(\Sigma v)_i^3`$.
///
/// ```
/// let best = fovea_theory::nlgp::weak_cumulant::direction(&[1.0, 0.0, 0.0, 0.0]);
/// assert!((best.ipr - 1.0).abs() < 1e-12 && (best.value - 1.0).abs() < 1e-12);
/// ```
pub fn direction(latent: &[f64]) -> Leading {
    let quarter = |w: &[f64]| cubic(latent, w).iter().map(|x| 0.25 * x).collect();
    leading(latent.len(), quarter)
}

/// The limit under the amplifier's cubic term $`(\Sigma w)_i^3`$ alone, which is a quarter of the gradient only for uncorrelated sites.
pub fn amplifier_direction(latent: &[f64]) -> Leading {
    let mut v = vec![0.0; latent.len()];
    v[0] = 1.0;
    for _ in 0..2000 {
        let cubes: Vec<f64> = circulant_apply(latent, &v).iter().map(|x| x * x * x).collect();
        let norm = cubes.iter().map(|x| x * x).sum::<f64>().sqrt();
        let next: Vec<f64> = cubes.into_iter().map(|x| x / norm).collect();
        let settled = next == v;
        v = next;
        if settled || !work::spend(1) {
            break;
        }
    }
    let ipr = v.iter().map(|x| x * x * x * x).sum();
    Leading { value: quartic(latent, &v), v, ipr }
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
    fn value(&self, direction: fn(&[f64]) -> Leading) -> Result<Value, FormError> {
        let best = direction(&RingKernel::new(self.n, self.xi, self.kernel)?.first_row);
        Ok(Value::table([
            ("cumulant", (-8.0 * self.gain * self.gain * best.value).into()),
            ("ipr", best.ipr.into()),
            ("direction", Value::reals(&best.v)),
        ]))
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "nlgp.weak_cumulant",
    text: include_str!("weak_cumulant.rs"),
    control: Control {
        what: "the limit under the amplifier's cubic term (Sw)_i^3, which is the gradient only for uncorrelated sites",
        eval: |given| with(given, |a: Args| a.value(amplifier_direction)),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| a.value(direction)),
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
    fn the_direction_is_stationary_and_the_cumulant_is_the_limit() {
        for n in [2, 3, 9] {
            let row = kernel_row(n, 0.9, Kernel::Ring);
            let best = direction(&row);
            let force = cubic(&row, &best.v);
            for (force, v) in force.iter().zip(&best.v) {
                // Euler: the force along v is 4 times the quartic.
                assert!((force - 4.0 * best.value * v).abs() < 1e-10, "n={n}");
            }
            let gain = 1e-5;
            let exact: f64 = Cumulants::nlgp(&row, gain)
                .contract(&best.v)
                .iter()
                .zip(&best.v)
                .map(|(k, v)| k * v)
                .sum();
            let weak = -8.0 * gain * gain * best.value;
            assert!((exact / weak - 1.0).abs() < 1e-8, "n={n}: {exact} {weak}");
        }
    }
}
