//! The limit of large depth at given variances of weights and biases: the limiting variance and the limiting correlation.

use crate::averages::Pair;
use crate::crossing::crossing;
use crate::form::FormError;
use crate::layer::Layer;
use fovea_core::{Value, choice};

choice! {
    /// The effect of depth on the distance of two close inputs.
    pub enum Phase {
        /// They become equal.
        Ordered = "ordered",
        /// Neither, to first order.
        Critical = "critical",
        /// They move apart.
        Chaotic = "chaotic",
        /// The variance grows without bound.
        Exploding = "exploding",
    }
}

/// The limit of large depth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fate {
    /// The limiting variance; infinite if the variance grows without bound.
    pub k: f64,
    /// $`\chi_\parallel`$ there.
    pub chi_par: f64,
    /// $`\chi_\perp`$ there.
    pub chi_perp: f64,
    /// The limiting correlation.
    pub r: f64,
    /// The phase.
    pub phase: Phase,
}

impl From<Fate> for Value {
    fn from(fate: Fate) -> Self {
        Value::table([
            ("k_star", fate.k.into()),
            ("chi_par", fate.chi_par.into()),
            ("chi_perp", fate.chi_perp.into()),
            ("r_star", fate.r.into()),
            ("phase", fate.phase.word().into()),
        ])
    }
}

/// Within this of 1 a susceptibility counts as 1.
const MARGINAL: f64 = 1e-9;
/// The ratio of one variance to the next in the search where the map is not asymptotic.
const FINE: f64 = 1.25;
/// By this factor above the square of the largest scale of the activation, and below that of the smallest, the map has its
/// asymptotic form: steps become longer, and only whether zero is a fixed point is left to decide.
const ASYMPTOTIC: f64 = 1e8;
const NEAR: f64 = 1e-12;
/// The largest step.
const COARSE: f64 = 1e6;
/// The ends of the range of numbers.
const TINY: f64 = 1e-300;
const HUGE: f64 = 1e300;

/// The limit of large depth from the variance `start`.
///
/// # Errors
/// A Gaussian average is not finite.
pub fn fate(layer: &Layer, start: f64) -> Result<Fate, FormError> {
    let k = match kept_variance(layer, start)? {
        Limit::Kept(k) => k,
        // An activation that grows faster than every power has no averages there.
        Limit::Infinite(reached) => {
            return Ok(Fate {
                k: f64::INFINITY,
                chi_par: layer.chi_par(reached).unwrap_or(f64::INFINITY),
                chi_perp: layer.chi_perp(reached).unwrap_or(f64::INFINITY),
                r: 1.0,
                phase: Phase::Exploding,
            });
        }
    };
    let (chi_par, chi_perp) = (layer.chi_par(k)?, layer.chi_perp(k)?);
    let phase = match chi_perp - 1.0 {
        gap if gap.abs() <= MARGINAL => Phase::Critical,
        gap if gap < 0.0 => Phase::Ordered,
        _ => Phase::Chaotic,
    };
    let r = if phase == Phase::Chaotic && k > 0.0 {
        kept_correlation(layer, k, chi_perp)?
    } else {
        1.0
    };
    Ok(Fate { k, chi_par, chi_perp, r, phase })
}

/// The limit of the variance.
enum Limit {
    /// It tends to this one.
    Kept(f64),
    /// It grows without bound; the last variance that was tried.
    Infinite(f64),
}

/// The limit of the variance from `start`.
///
/// It is the first fixed point on the side to which the first layer moves, which is the limit if the recursion grows with its
/// argument. Without one the search ends at zero, if zero is a fixed point that does not repel, or at infinity.
fn kept_variance(layer: &Layer, start: f64) -> Result<Limit, FormError> {
    let rise = |k: f64| -> Result<f64, FormError> { Ok(layer.next(k)? - k) };
    let first = rise(start)?;
    if first.abs() <= 1e-14 * start {
        return Ok(Limit::Kept(start));
    }
    if let Some(share) = layer.averages.share() {
        // K' = C_b + c K, without a search and to the last digit.
        let left = 1.0 - layer.c_w * share;
        return Ok(if left > 0.0 { Limit::Kept(layer.c_b / left) } else { Limit::Infinite(start) });
    }
    let up = first > 0.0;
    let (low, high) = scales(layer);
    let to_zero = !up && layer.next(0.0)? == 0.0 && layer.chi_perp(0.0)? <= 1.0 + 1e-12;
    let mut step = FINE;
    let mut behind = (start, first);
    loop {
        let beyond = if up { behind.0 > ASYMPTOTIC * high } else { behind.0 < NEAR * low };
        if beyond && to_zero {
            return Ok(Limit::Kept(0.0));
        }
        step = if beyond { (step * step).min(COARSE) } else { FINE };
        let ahead = behind.0 * if up { step } else { 1.0 / step };
        if ahead > HUGE {
            return Ok(Limit::Infinite(behind.0));
        }
        if ahead < TINY {
            return Ok(Limit::Kept(0.0));
        }
        let now = match rise(ahead) {
            // If the averages cease to exist while the variance still grows, it grows without bound.
            Err(_) if up && !bounded(layer, ahead) => return Ok(Limit::Infinite(ahead)),
            now => now?,
        };
        if (now > 0.0) != up {
            return between(behind, (ahead, now), rise).map(Limit::Kept);
        }
        behind = (ahead, now);
    }
}

/// The fixed point between two variances at which the rise has different signs; their orders of magnitude may differ.
fn between(
    mut one: (f64, f64),
    mut other: (f64, f64),
    rise: impl Fn(f64) -> Result<f64, FormError>,
) -> Result<f64, FormError> {
    while one.0.max(other.0) > 1.001 * FINE * one.0.min(other.0) {
        let middle = one.0.sqrt() * other.0.sqrt();
        let now = (middle, rise(middle)?);
        *(if (now.1 > 0.0) == (one.1 > 0.0) { &mut one } else { &mut other }) = now;
    }
    crossing([one.0, other.0], [one.1, other.1], 1e-15, rise)
}

/// The squares of the smallest and of the largest scale of an activation.
fn scales(layer: &Layer) -> (f64, f64) {
    let s = &layer.averages.activation;
    let widths = s.features().iter().map(|feature| feature.width);
    let places = s.features().iter().map(|feature| feature.at).chain(s.kinks().iter().copied());
    let low = widths.clone().fold(1.0, f64::min);
    let high = widths.chain(places).fold(1.0, |most: f64, x| most.max(x.abs()));
    (low * low, high * high)
}

/// Whether beyond `k` there is a variance larger than what the layer passes on for every likely preactivation.
fn bounded(layer: &Layer, k: f64) -> bool {
    let s = &layer.averages.activation;
    let passed = |x: f64| layer.c_b + layer.c_w * s.value(x) * s.value(x);
    let below = |k: f64| (-64..=64).all(|i| passed(k.sqrt() * f64::from(i) / 8.0) < k);
    std::iter::successors(Some(k), |k| Some(k * 100.0)).take_while(|k| *k < HUGE).any(below)
}

/// The fixed point below 1 of the map of correlations at the limiting variance `k`.
///
/// The map is a power series with no negative coefficient, so it is convex on [0, 1] and crosses the diagonal there once below 1.
fn kept_correlation(layer: &Layer, k: f64, chi_perp: f64) -> Result<f64, FormError> {
    let rise = |r: f64| -> Result<f64, FormError> {
        let behind = layer.c_b + layer.c_w * layer.averages.product(Pair::correlated(k, r))?;
        Ok(behind / k - r)
    };
    // Down from 1, where the map lies below the diagonal, until it lies above; at 0 it is never below.
    let mut gap = (1e-3 * (chi_perp - 1.0)).clamp(1e-8, 1e-3);
    let mut high = (1.0 - gap, rise(1.0 - gap)?);
    if high.1 >= 0.0 {
        // The crossing is closer to 1 than quadrature resolves.
        return Ok(1.0);
    }
    while high.0 > 0.0 {
        gap *= 4.0;
        let r = (1.0_f64 - gap).max(0.0);
        let now = rise(r)?;
        if now > 0.0 {
            return crossing([r, high.0], [now, high.1], 1e-2 * layer.averages.tolerance(), rise);
        }
        high = (r, now);
    }
    Ok(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_core::Function;
    use fovea_core::agree::within;

    fn at(text: &str, c_w: f64, c_b: f64) -> Fate {
        fate(&Layer::new(&Function::parse(text).unwrap(), c_w, c_b), 1.0).unwrap()
    }

    #[test]
    fn the_phases_of_tanh() {
        let quiet = at("tanh", 0.8, 0.0);
        assert_eq!((quiet.phase, quiet.k), (Phase::Ordered, 0.0));
        within(quiet.chi_perp, 0.8, 1e-14, 0.0).unwrap();
        assert_eq!(at("tanh", 1.2, 0.3).phase, Phase::Ordered);
        assert_eq!(at("tanh", 1.0, 0.0).phase, Phase::Critical);
        let chaos = at("tanh", 3.0, 0.0);
        assert_eq!(chaos.phase, Phase::Chaotic);
        assert!(chaos.r < 1e-11, "an odd activation without bias forgets all: {}", chaos.r);
        within(at("tanh", 3.0, 0.05).r, 0.299_317_642, 1e-8, 0.0).unwrap();
    }

    #[test]
    fn a_rectifier_explodes_above_two_and_dies_below() {
        assert_eq!(at("relu", 2.1, 0.0).phase, Phase::Exploding);
        assert_eq!(at("exp(x)", 1.0, 0.0).phase, Phase::Exploding);
        let kept = at("relu", 1.5, 0.25);
        within(kept.k, 1.0, 1e-13, 0.0).unwrap();
        assert_eq!(kept.phase, Phase::Ordered);
        assert_eq!(at("relu", 2.0, 0.0).phase, Phase::Critical);
    }
}
