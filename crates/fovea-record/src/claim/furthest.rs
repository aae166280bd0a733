//! Where two sides of a claim lie furthest apart.

use fovea_core::stats::Estimate;

/// The largest absolute value.
pub(super) fn largest(numbers: &[f64]) -> f64 {
    numbers.iter().fold(0.0, |top, x| top.max(x.abs()))
}

/// Where two lists lie furthest apart, and how far; a NaN lies furthest of all, and of equal gaps that of the largest number.
pub(super) fn furthest(predicted: &[f64], measured: &[f64]) -> (usize, f64) {
    assert_eq!(predicted.len(), measured.len(), "every prediction has its measurement");
    let gaps = predicted.iter().zip(measured).map(|(p, m)| (p - m).abs());
    gaps.enumerate().max_by(|a, b| a.1.total_cmp(&b.1)).expect("a claim compares at least one pair")
}

/// The pair whose estimate lies furthest from its prediction by a measure of the estimate and its distance, and that distance.
pub(super) fn furthest_by(
    pairs: &[(Estimate, f64)],
    far: impl Fn(&Estimate, f64) -> f64,
) -> (Estimate, f64, f64) {
    let distances = pairs.iter().map(|(estimate, value)| (*estimate, *value, estimate.z(*value)));
    distances
        .max_by(|a, b| far(&a.0, a.2).total_cmp(&far(&b.0, b.2)))
        .expect("a claim compares at least one pair")
}
