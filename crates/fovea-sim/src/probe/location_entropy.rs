//! Entropy of a field's location.

use super::{Change, Probe, per_unit};

/// $`p_i = w_i^2 / |w|^2`$, the share of every site in the squared field; empty for a zero field.
pub(super) fn shares(w: &[f64]) -> Option<Vec<f64>> {
    // Measured in units of the largest weight, so that no square over- or underflows.
    let largest = w.iter().fold(0.0, |top: f64, w| top.max(w.abs()));
    if largest <= 0.0 {
        return None;
    }
    let squares: Vec<f64> = w.iter().map(|w| (w / largest) * (w / largest)).collect();
    let total: f64 = squares.iter().sum();
    Some(squares.into_iter().map(|square| square / total).collect())
}

/// $`-\sum_i p_i \ln p_i`$ of shares, in nats; a share of 0 adds nothing.
pub(super) fn entropy(p: &[f64]) -> f64 {
    p.iter().filter(|p| **p > 0.0).fold(0.0, |sum, p| sum - p * libm::log(*p))
}

/// $`-\sum_i p_i \ln p_i`$, $`p_i = w_i^2/|w|^2`$, in nats: $`\ln n`$ for a flat field, $`\ln n - 1 + \ln 2`$ for a long
/// sinusoid, 0 for a single site; zero for a zero field.
pub fn location_entropy(w: &[f64]) -> f64 {
    shares(w).map_or(0.0, |p| entropy(&p))
}

/// The registry entry.
pub const ENTRY: Probe = Probe {
    unmoved_by: &[Change::Scale, Change::Sign, Change::OwnShift],
    ..Probe::of_units(
        "location-entropy",
        "-sum p ln p over all sites, p = w^2/|w|^2, in nats: ln n flat, 0 one site; 0 for a zero field",
        |view| per_unit(view, |w| vec![location_entropy(w)]),
    )
};

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_core::fourier::cos_turns;
    use std::f64::consts::{E, LN_2, PI};

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-12
    }

    #[test]
    fn flat_single_and_two_site_fields_have_their_known_values() {
        assert!(near(location_entropy(&[-0.3; 40]), libm::log(40.0)));
        assert!(near(location_entropy(&[0.0, 0.0, -2.0]), 0.0));
        assert!(near(location_entropy(&[0.0, 5.0, 0.0, -5.0]), LN_2));
        // Shares 1/4 and 3/4.
        let two = location_entropy(&[1.0, 0.0, 3.0_f64.sqrt()]);
        assert!(near(two, 2.0 * LN_2 - 0.75 * libm::log(3.0)));
        assert!(near(location_entropy(&[0.0; 5]), 0.0));
        assert!(near(location_entropy(&[1e-200, 1e-200]), LN_2));
        assert!(near(location_entropy(&[1e200, -1e200]), LN_2));
    }

    #[test]
    fn a_wave_and_a_gaussian_have_the_values_of_the_continuum() {
        // The mean of 2 c^2 ln(2 c^2), c a cosine, is 1 - ln 2; the ring's sum tends to it like 1/n^3 (frequency 1).
        let n = 4000;
        let wave: Vec<f64> = (0..n).map(|i| cos_turns(i, n)).collect();
        let limit = libm::log(n as f64) - 1.0 + LN_2;
        assert!((location_entropy(&wave) - limit).abs() < 1e-8);
        // Shares of a Gaussian field exp(-x^2/4s^2) are normal with standard deviation s.
        let s = 4.0;
        let bump = |i: i32| libm::exp(-0.25 * f64::from(i - 32) * f64::from(i - 32) / (s * s));
        let bump: Vec<f64> = (0..64).map(bump).collect();
        let normal = 0.5 * libm::log(2.0 * PI * E * s * s);
        assert!((location_entropy(&bump) - normal).abs() < 1e-11);
    }
}
