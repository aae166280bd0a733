//! Agreement along a sequence: the order of an error, and the limit of a finite-size quantity.

use super::noise::distance;
use super::{Disagreement, same_length};
use crate::stats::Estimate;

/// How far a fitted exponent may lie from the claimed one.
const SLACK: f64 = 0.1;

/// A first step size and four refinements of it.
const MIN_STEPS: usize = 5;

/// The fewest sizes that show a rate and leave one to contradict it.
const MIN_SIZES: usize = 4;

/// The fitted slope of $`\log error`$ against $`\log h`$: the order of a method.
///
/// ```
/// use fovea_core::agree::order;
/// let slope = order(&[0.1, 0.05, 0.025], &[4e-2, 1e-2, 2.5e-3])?;
/// assert!((slope - 2.0).abs() < 1e-12);
/// # Ok::<(), fovea_core::agree::Disagreement>(())
/// ```
///
/// # Errors
/// Fewer than two points, two lengths that differ, or a number that has no logarithm.
pub fn order(hs: &[f64], errors: &[f64]) -> Result<f64, Disagreement> {
    same_length(errors.len(), hs.len())?;
    if hs.len() < 2 {
        return Err(Disagreement::TooFewPoints { got: hs.len(), needed: 2 });
    }
    let (x, y) = (logarithms(hs)?, logarithms(errors)?);
    let count = x.len() as f64;
    let (x_mean, y_mean) = (x.iter().sum::<f64>() / count, y.iter().sum::<f64>() / count);
    let covariance: f64 = x.iter().zip(&y).map(|(x, y)| (x - x_mean) * (y - y_mean)).sum();
    let variance: f64 = x.iter().map(|x| (x - x_mean) * (x - x_mean)).sum();
    if variance == 0.0 {
        // One step size given many times is one point.
        return Err(Disagreement::TooFewPoints { got: 1, needed: 2 });
    }
    Ok(covariance / variance)
}

/// Requires that errors shrink with the claimed order: fitted slope within 0.1, over at least four refinements (five step sizes).
///
/// # Errors
/// The fitted and the claimed order, too few step sizes, or a number that has no logarithm.
pub fn has_order(hs: &[f64], errors: &[f64], claim: f64) -> Result<(), Disagreement> {
    exponent_is(hs, errors, claim, MIN_STEPS)
}

/// Requires that gaps to a limit close like $`size^{-rate}`$: fitted slope within 0.1, over at least four sizes.
///
/// The sign of a gap is ignored.
///
/// # Errors
/// The fitted and the claimed exponent, too few sizes, or a number that has no logarithm.
pub fn approaches(sizes: &[f64], gaps: &[f64], rate: f64) -> Result<(), Disagreement> {
    let gaps: Vec<f64> = gaps.iter().map(|gap| gap.abs()).collect();
    exponent_is(sizes, &gaps, -rate, MIN_SIZES)
}

/// The value at infinite size of a quantity that behaves like $`L + c \, size^{-rate}`$, with its standard error.
///
/// Weighted least squares in $`size^{-rate}`$, each mean weighted by its inverse squared standard error. The estimates
/// must be independent.
///
/// # Errors
/// Fewer than four sizes, a size or a standard error that is not positive, or a mean that the fitted line misses by more standard
/// errors than noise allows (the rate is wrong then, and the extrapolated value means nothing).
pub fn extrapolate(
    sizes: &[f64],
    estimates: &[Estimate],
    rate: f64,
) -> Result<Estimate, Disagreement> {
    same_length(estimates.len(), sizes.len())?;
    if sizes.len() < MIN_SIZES {
        return Err(Disagreement::TooFewPoints { got: sizes.len(), needed: MIN_SIZES });
    }
    positive(sizes)?;
    positive(&estimates.iter().map(Estimate::se).collect::<Vec<_>>())?;
    let x: Vec<f64> = sizes.iter().map(|s| libm::pow(*s, -rate)).collect();
    // Weights relative to the smallest error, so that no square overflows.
    let best = estimates.iter().map(Estimate::se).fold(f64::INFINITY, f64::min);
    let weights: Vec<f64> = estimates.iter().map(|e| (best / e.se()) * (best / e.se())).collect();
    let total: f64 = weights.iter().sum();
    let x_mean = weights.iter().zip(&x).map(|(w, x)| w * x).sum::<f64>() / total;
    let spread: f64 = weights.iter().zip(&x).map(|(w, x)| w * (x - x_mean) * (x - x_mean)).sum();
    if !(spread > 0.0 && spread.is_finite()) {
        return Err(Disagreement::TooFewPoints { got: 1, needed: MIN_SIZES });
    }
    // Value and slope are both linear in the means: the value at x is sum of a_i(x) mean_i.
    let at = |x0: f64| {
        let share =
            |(w, x): (&f64, &f64)| w * (1.0 / total + (x0 - x_mean) * (x - x_mean) / spread);
        weights.iter().zip(&x).map(share).collect::<Vec<f64>>()
    };
    for (index, estimate) in estimates.iter().enumerate() {
        let line = at(x[index]).iter().zip(estimates).map(|(a, e)| a * e.mean()).sum();
        distance(index, estimate, line, estimates.len())?;
    }
    let terms: Vec<(f64, Estimate)> = at(0.0).into_iter().zip(estimates.iter().copied()).collect();
    Estimate::combination(&terms)
        .map_err(|_| Disagreement::NotPositive { index: 0, value: f64::INFINITY })
}

/// Requires that measured means that converge like $`size^{-rate}`$ extrapolate to `limit` at infinite size.
///
/// # Errors
/// The extrapolated value against the limit in standard errors, or what [`extrapolate`] refuses.
pub fn extrapolates_to(
    sizes: &[f64],
    estimates: &[Estimate],
    rate: f64,
    limit: f64,
) -> Result<(), Disagreement> {
    distance(0, &extrapolate(sizes, estimates, rate)?, limit, 1).map(|_| ())
}

/// Fits an exponent and compares it with the claimed one.
fn exponent_is(x: &[f64], y: &[f64], claimed: f64, needed: usize) -> Result<(), Disagreement> {
    if x.len() < needed {
        return Err(Disagreement::TooFewPoints { got: x.len(), needed });
    }
    let fitted = order(x, y)?;
    let distance = (fitted - claimed).abs();
    if distance <= SLACK {
        Ok(())
    } else {
        Err(Disagreement::Exponent { fitted, claimed, distance, allowed: SLACK })
    }
}

/// The logarithms of positive numbers.
fn logarithms(values: &[f64]) -> Result<Vec<f64>, Disagreement> {
    positive(values)?;
    Ok(values.iter().map(|v| libm::log(*v)).collect())
}

/// Refuses a number that is not positive and finite.
fn positive(values: &[f64]) -> Result<(), Disagreement> {
    match values.iter().position(|v| !(*v > 0.0 && v.is_finite())) {
        Some(index) => Err(Disagreement::NotPositive { index, value: values[index] }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HS: [f64; 5] = [0.2, 0.1, 0.05, 0.025, 0.0125];
    const SIZES: [f64; 4] = [16.0, 32.0, 64.0, 128.0];

    #[test]
    fn the_order_of_a_power_is_its_exponent() {
        let errors = HS.map(|h| 3.0 * h * h * h);
        assert!((order(&HS, &errors).unwrap() - 3.0).abs() < 1e-12);
        assert!(has_order(&HS, &errors, 3.0).is_ok());
        // A higher-order term bends the line a little and is tolerated.
        assert!(has_order(&HS, &HS.map(|h| h * (1.0 + 0.5 * h)), 1.0).is_ok());
    }

    #[test]
    fn a_wrong_order_is_noticed() {
        let errors = HS.map(|h| h * h);
        let error = has_order(&HS, &errors, 1.0).unwrap_err();
        assert!(error.to_string().contains("fitted exponent 2.000, claimed 1"), "{error}");
        assert!(has_order(&HS, &HS.map(|h| h.sqrt() * h), 2.0).is_err());
        assert!(has_order(&HS, &[1e-3; 5], 1.0).is_err());
    }

    #[test]
    fn an_order_needs_refinements_and_positive_errors() {
        let few = has_order(&HS[..4], &HS[..4], 1.0);
        assert_eq!(few, Err(Disagreement::TooFewPoints { got: 4, needed: 5 }));
        assert!(matches!(order(&HS, &[0.0; 5]), Err(Disagreement::NotPositive { index: 0, .. })));
        assert!(order(&HS, &[f64::NAN; 5]).is_err());
        assert!(order(&[0.1; 5], &HS).is_err());
        assert!(order(&HS, &HS[..4]).is_err());
    }

    #[test]
    fn gaps_that_close_at_the_claimed_rate_approach() {
        assert!(approaches(&SIZES, &SIZES.map(|n| -2.0 / n), 1.0).is_ok());
        assert!(approaches(&SIZES, &SIZES.map(|n| 2.0 / n.sqrt()), 0.5).is_ok());
        assert!(approaches(&SIZES, &SIZES.map(|n| 2.0 / n), 0.5).is_err());
        // A plateau: the claimed limit is off by 0.05.
        assert!(approaches(&SIZES, &SIZES.map(|n| 2.0 / n + 0.05), 1.0).is_err());
        assert!(approaches(&SIZES[..3], &[1.0, 0.5, 0.25], 1.0).is_err());
    }

    /// Means of `3 + 5 / n`, displaced by the given numbers of standard errors.
    fn finite_size(se: f64, z: [f64; 4]) -> [Estimate; 4] {
        std::array::from_fn(|i| {
            let scale = se * (1.0 + 0.2 * i as f64);
            Estimate::from_parts(3.0 + 5.0 / SIZES[i] + z[i] * scale, scale, 10_000).unwrap()
        })
    }

    #[test]
    fn extrapolation_recovers_the_limit_and_its_standard_error() {
        let exact = extrapolate(&SIZES, &finite_size(1e-3, [0.0; 4]), 1.0).unwrap();
        assert!((exact.mean() - 3.0).abs() < 1e-12);
        // mpmath 1.3: the root of inv(A^T W A)[0, 0] with A = [1, 1/n], se = 1e-3 * (1, 1.2, 1.4, 1.6).
        assert!((exact.se() - 0.0012132755381077818).abs() < 1e-12, "{}", exact.se());
        let noisy = finite_size(1e-3, [0.7, -1.1, 0.4, 0.9]);
        assert!(extrapolates_to(&SIZES, &noisy, 1.0, 3.0).is_ok());
    }

    #[test]
    fn a_wrong_limit_or_a_wrong_rate_is_noticed() {
        let noisy = finite_size(1e-3, [0.7, -1.1, 0.4, 0.9]);
        let error = extrapolates_to(&SIZES, &noisy, 1.0, 3.02).unwrap_err();
        assert!(matches!(error, Disagreement::Noise { limit, .. } if limit < 5.0), "{error}");
        assert!(extrapolates_to(&SIZES, &noisy, 0.5, 3.0).is_err());
        // The largest size alone is not the limit: 3 + 5/128 is 39 of its errors away.
        assert!(extrapolates_to(&SIZES, &noisy, 1.0, 3.0 + 5.0 / 128.0).is_err());
        assert!(extrapolate(&SIZES[..3], &noisy[..3], 1.0).is_err());
        assert!(extrapolate(&SIZES, &finite_size(0.0, [0.0; 4]), 1.0).is_err());
    }
}
