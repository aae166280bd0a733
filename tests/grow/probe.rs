//! Gini coefficient of a field.

use super::{Change, Probe, per_unit};

/// $`\sum_i (2i - n - 1)\,v_i / (n \sum_i v_i)`$ of the sizes $`v_1 \le \dots \le v_n`$ of the weights: 0 for a flat field,
/// near $`4/\pi - 1`$ for a sinusoid, 1 - 1/n for a single site; zero for no field.
pub fn gini(w: &[f64]) -> f64 {
    let largest = w.iter().fold(0.0, |top: f64, w| top.max(w.abs()));
    if largest <= 0.0 {
        return 0.0;
    }
    // Measured in units of the largest weight, so that no sum overflows.
    let mut sizes: Vec<f64> = w.iter().map(|w| w.abs() / largest).collect();
    sizes.sort_by(f64::total_cmp);
    let n = w.len() as f64;
    let rank = |i: usize| 2.0 * i as f64 + 1.0 - n;
    let spread: f64 = sizes.iter().enumerate().map(|(i, size)| rank(i) * size).sum();
    spread / (n * sizes.iter().sum::<f64>())
}

/// The registry row.
pub const ENTRY: Probe = Probe {
    unmoved_by: &[Change::Scale, Change::Sign, Change::OwnShift],
    ..Probe::of_units(
        "gini",
        "Gini coefficient of the sizes |w| of each unit: 0 flat, about 0.273 sinusoid, 1 - 1/n one site; 0 for no field",
        |view| per_unit(view, |w| vec![gini(w)]),
    )
};

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::{FRAC_1_PI, TAU};

    #[test]
    fn flat_single_and_two_site_fields_have_their_known_values() {
        assert!(gini(&[-0.3; 40]).abs() < 1e-15);
        assert!((gini(&[0.0, 0.0, -2.0]) - 2.0 / 3.0).abs() < 1e-15);
        assert!((gini(&[0.0, 5.0, 0.0, -5.0]) - 0.5).abs() < 1e-15);
        assert!(gini(&[0.0; 5]).abs() < 1e-15);
        assert!((gini(&[1e-200, 3e-200]) - 0.25).abs() < 1e-15);
        assert!((gini(&[1e200, -3e200]) - 0.25).abs() < 1e-15);
    }

    #[test]
    fn a_long_wave_has_the_value_of_the_continuum() {
        let n = 4000;
        let wave: Vec<f64> = (0..n).map(|i| libm::cos(TAU * f64::from(i) / 4000.0)).collect();
        assert!((gini(&wave) - (4.0 * FRAC_1_PI - 1.0)).abs() < 1e-6);
    }
}
