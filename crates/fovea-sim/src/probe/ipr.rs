//! Inverse participation ratio.

use super::{Change, Probe, per_unit};

/// $`\sum_i w_i^4 / (\sum_i w_i^2)^2`$: 1/n for a flat field, 1.5/n for a sinusoid, 1 for a single site; zero for a zero field.
pub fn ipr(w: &[f64]) -> f64 {
    // Measured in units of the largest weight, so that no power of a weight over- or underflows.
    let largest = w.iter().fold(0.0, |m: f64, w| m.max(w.abs()));
    if largest <= 0.0 {
        return 0.0;
    }
    let squares = || w.iter().map(|w| (w / largest) * (w / largest));
    let (square, fourth): (f64, f64) = (squares().sum(), squares().map(|s| s * s).sum());
    fourth / (square * square)
}

/// The registry entry.
pub const ENTRY: Probe = Probe {
    unmoved_by: &[Change::Scale, Change::Sign, Change::OwnShift],
    ..Probe::of_units(
        "ipr",
        "sum w^4 / (sum w^2)^2 of each unit: 1/n flat, 1.5/n sinusoid, 1 one site",
        |view| per_unit(view, |w| vec![ipr(w)]),
    )
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flat_sinusoidal_and_single_site_fields_have_their_known_values() {
        let n = 40;
        let wave: Vec<f64> =
            (0..n).map(|i| libm::cos(std::f64::consts::TAU * 3.0 * f64::from(i) / 40.0)).collect();
        assert!((ipr(&vec![0.7; 40]) - 1.0 / 40.0).abs() < 1e-15);
        assert!((ipr(&wave) - 1.5 / 40.0).abs() < 1e-15);
        assert!((ipr(&[0.0, -2.0, 0.0]) - 1.0).abs() < 1e-15);
        assert!(ipr(&[0.0; 4]).abs() < 1e-15);
        assert!((ipr(&[1e-200, 1e-200]) - 0.5).abs() < 1e-15);
        assert!((ipr(&[1e200, 1e200]) - 0.5).abs() < 1e-15);
    }
}
