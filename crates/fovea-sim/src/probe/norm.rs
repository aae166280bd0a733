//! Euclidean norm of each field.

use super::{Change, Probe, per_unit};

/// The registry entry.
pub const ENTRY: Probe = Probe {
    unmoved_by: &[Change::Sign, Change::OwnShift],
    ..Probe::of_units("norm", "Euclidean norm |w| of each unit", |view| {
        per_unit(view, |w| vec![norm(w)])
    })
};

/// Squares below this lose digits, and squares of numbers above the root of its inverse overflow.
const LEAST: f64 = 1e-280;

/// Euclidean norm of a field of any size.
fn norm(w: &[f64]) -> f64 {
    let square: f64 = w.iter().map(|w| w * w).sum();
    let largest = w.iter().fold(0.0_f64, |m, w| m.max(w.abs()));
    if largest == 0.0 || (square.is_finite() && square > LEAST) {
        return square.sqrt();
    }
    largest * w.iter().map(|w| (w / largest) * (w / largest)).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_core::agree::agrees_to_digits;

    #[test]
    fn the_norm_of_a_huge_and_of_a_tiny_field_is_that_of_the_field_in_other_units() {
        for size in [1e300, 1.0, 1e-160, 1e-200, 1e-300] {
            agrees_to_digits(norm(&[3.0 * size, 0.0, -4.0 * size]) / size, 5.0, 14.0).unwrap();
        }
        assert_eq!(norm(&[0.0, -0.0]).to_bits(), 0.0_f64.to_bits());
    }
}
