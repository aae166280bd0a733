//! The flow of one ReLU unit with the fourth cumulants of the data.
//!
//! ```math
//! E|S|=\sqrt{\tfrac2\pi}\,s\Big(1-\frac{\kappa_4[w^4]}{24s^4}\Big)+\dots,\qquad f(w)=\tfrac12\frac{\partial}{\partial w}E|S|
//! ```
//!
//! This is the first term of the Edgeworth series of the preactivation. Its gradient is tensor power iteration on $`-\kappa_4`$.

use crate::cumulants::Cumulants;
use crate::unit_flow::{ClassRows, Preactivation, UnitFlow};
use std::f64::consts::{FRAC_2_PI, TAU};

/// The population flow of one unit to first order in the fourth cumulants of class pos.
#[derive(Clone, Debug, PartialEq)]
pub struct EdgeworthFlow {
    /// The covariances of the classes.
    pub rows: ClassRows,
    /// The fourth cumulants of class pos.
    pub cumulants: Cumulants,
}

impl EdgeworthFlow {
    /// Mean absolute value of the preactivation to the same order.
    pub fn mean_abs(&self, w: &[f64]) -> f64 {
        let scale = w.iter().fold(0.0, |top: f64, x| top.max(x.abs()));
        let Some(state) = Preactivation::of(&self.rows.pos, w) else { return 0.0 };
        let quartic = self.excess_kurtosis(w);
        FRAC_2_PI.sqrt() * scale * state.deviation * (1.0 - quartic / 24.0)
    }

    /// Excess kurtosis $`\kappa_4[w^4]/s^4`$ of the preactivation; 0 where it has no variance.
    pub fn excess_kurtosis(&self, w: &[f64]) -> f64 {
        let Some(state) = Preactivation::of(&self.rows.pos, w) else { return 0.0 };
        let cubic = self.cumulants.contract(&state.w);
        let variance = state.deviation * state.deviation;
        dot(&cubic, &state.w) / (variance * variance)
    }
}

impl UnitFlow for EdgeworthFlow {
    fn rows(&self) -> &ClassRows {
        &self.rows
    }

    fn gated_mean(&self, w: &[f64]) -> Vec<f64> {
        gated_mean(&self.rows.pos, |w| self.cumulants.contract(w), w)
    }
}

/// $`\tfrac1{\sqrt{2\pi}}\{(1+\tfrac18\kappa_4[w^4]/s^4)\,Cw/s-\tfrac16\kappa_4[w,w,w,\cdot]/s^3\}`$.
pub(crate) fn gated_mean(
    row: &[f64],
    contract: impl FnOnce(&[f64]) -> Vec<f64>,
    w: &[f64],
) -> Vec<f64> {
    let Some(state) = Preactivation::of(row, w) else { return vec![0.0; w.len()] };
    let cubic = contract(&state.w);
    let (s, variance) = (state.deviation, state.deviation * state.deviation);
    let radial = 1.0 + dot(&cubic, &state.w) / (8.0 * variance * variance);
    let entry = |(image, cubic): (&f64, f64)| {
        (radial * image / s - cubic / (6.0 * s * variance)) / TAU.sqrt()
    };
    state.image.iter().zip(cubic).map(entry).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_core::agree::agrees_to_digits;
    use fovea_core::ring::{Kernel, kernel_row};

    #[test]
    fn the_gated_mean_is_half_the_gradient_of_the_mean_absolute_value() {
        let row = kernel_row(7, 1.1, Kernel::Ring);
        let pos = crate::site::Site::Nlgp { gain: 2.0 }.cov_row(&row);
        let rows = ClassRows { neg: pos.clone(), pos };
        let flow = EdgeworthFlow { rows, cumulants: Cumulants::nlgp(&row, 2.0) };
        let w: Vec<f64> = (0..7).map(|i| f64::from(i * i % 5) / 3.0 - 0.4).collect();
        let f = flow.gated_mean(&w);
        for i in 0..7 {
            let at = |shift: f64| {
                let mut w = w.clone();
                w[i] += shift;
                flow.mean_abs(&w)
            };
            let h = 1e-3;
            let slope = (8.0 * (at(h) - at(-h)) - (at(2.0 * h) - at(-2.0 * h))) / (12.0 * h);
            agrees_to_digits(2.0 * f[i], slope, 8.0).unwrap();
        }
        // Euler's identity of a function of degree one.
        assert!((2.0 * dot(&f, &w) / flow.mean_abs(&w) - 1.0).abs() < 1e-13);
        let tiny: Vec<f64> = w.iter().map(|w| 1e-200 * w).collect();
        assert!((flow.gated_mean(&tiny)[0] - f[0]).abs() < 1e-14);
    }

    #[test]
    fn one_site_alone_meets_its_own_kurtosis() {
        let row = kernel_row(5, 0.01, Kernel::Ring);
        let rows = ClassRows { pos: row.clone(), neg: row.clone() };
        let flow = EdgeworthFlow { rows, cumulants: Cumulants::nlgp(&row, f64::INFINITY) };
        let e = [0.0, 0.0, 3.0, 0.0, 0.0];
        assert!((flow.excess_kurtosis(&e) + 2.0).abs() < 1e-14);
        assert!((flow.mean_abs(&e) / (3.0 * FRAC_2_PI.sqrt()) - 13.0 / 12.0).abs() < 1e-14);
        assert_eq!(flow.gated_mean(&[0.0; 5]), [0.0; 5]);
    }
}
