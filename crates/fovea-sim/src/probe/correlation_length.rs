//! How far along the ring a field resembles itself.

use super::{Change, Probe, per_unit};
use std::f64::consts::E;

/// The distance at which the normalised circular autocorrelation
/// $`r(d) = \sum_i w_i w_{i+d} / \sum_i w_i^2`$ first falls to $`1/e`$, in sites.
///
/// With this definition a latent covariance $`e^{-d^2/\xi^2}`$ has the length $`\xi`$. Between sites the autocorrelation is
/// interpolated linearly. A field whose autocorrelation never falls that far, such as a flat one, has half the ring, the
/// largest distance there is. Zero for a zero field. On a torus: along the last axis, of `side` sites, over all lines together.
pub fn correlation_length(w: &[f64], side: usize) -> f64 {
    let largest = w.iter().fold(0.0, |top: f64, w| top.max(w.abs()));
    if largest <= 0.0 {
        return 0.0;
    }
    let unit: Vec<f64> = w.iter().map(|w| w / largest).collect();
    let product = |d: usize| -> f64 {
        let of_line = |line: &[f64]| -> f64 {
            line.iter().enumerate().map(|(i, w)| w * line[(i + d) % side]).sum()
        };
        unit.chunks(side).map(of_line).sum()
    };
    let (total, level) = (product(0), 1.0 / E);
    let mut before = 1.0;
    for d in 1..=side / 2 {
        let here = product(d) / total;
        if here <= level {
            return d as f64 - (level - here) / (before - here);
        }
        before = here;
    }
    0.5 * side as f64
}

/// The registry entry.
pub const ENTRY: Probe = Probe {
    unmoved_by: &[Change::Scale, Change::Sign, Change::OwnShift],
    ..Probe::of_units(
        "correlation-length",
        "distance at which the circular autocorrelation sum w_i w_(i+d) / |w|^2 first falls to 1/e, in sites, interpolated: n/2 where it never does (flat), 1 - 1/e for one site, 0 for a zero field; on a torus along the last axis",
        |view| {
            let side = *view.network.shape().last().unwrap_or(&1);
            per_unit(view, |w| vec![correlation_length(w, side)])
        },
    )
};

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_core::fourier::cos_turns;

    #[track_caller]
    fn is(w: &[f64], length: f64) {
        let got = correlation_length(w, w.len());
        assert!((got - length).abs() < 1e-12, "{got} against {length}");
    }

    #[test]
    fn flat_single_and_two_site_fields_have_their_known_values() {
        is(&[0.3; 40], 20.0);
        is(&[-1e-200; 7], 3.5);
        is(&[0.0, 4.0, 0.0, 0.0], 1.0 - 1.0 / E);
        // Neighbours: r(1) = 1/2, r(2) = 0.
        is(&[0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0], 2.0 - 2.0 / E);
        // Neighbours of opposite sign: r(1) = -1/2.
        is(&[0.0, 1.0, -1.0, 0.0, 0.0, 0.0, 0.0], 1.0 - (1.0 / E + 0.5) / 1.5);
        is(&[0.0; 9], 0.0);
    }

    /// The autocorrelation of a wave is a cosine, whatever its phase.
    #[test]
    fn a_wave_has_that_of_its_cosine_and_shifts_change_nothing() {
        let (n, k) = (40, 3);
        let at = |d: usize| cos_turns(k * d, n);
        // cos falls below 1/e between 2 (.588) and 3 (.156).
        let expected = 2.0 + (at(2) - 1.0 / E) / (at(2) - at(3));
        let mut wave: Vec<f64> = (0..n).map(|i| -5.0 * cos_turns(2 * k * i + 7, 2 * n)).collect();
        for _ in 0..n {
            is(&wave, expected);
            wave.rotate_left(1);
        }
    }

    /// `exp(-d^2/4s^2)` has the autocorrelation `exp(-d^2/8s^2)`, and times `cos kd` that times `cos kd`.
    #[test]
    fn gaussians_and_gabors_have_the_length_of_their_autocorrelation() {
        let (n, s) = (400, 8.0);
        let field = |k: f64| -> Vec<f64> {
            let at = |i: i32| {
                let d = f64::from(i - 200);
                libm::exp(-0.25 * d * d / (s * s)) * libm::cos(k * d)
            };
            (0..n).map(at).collect()
        };
        // The line between sites cuts the corner by at most 1/8 of the curvature, less than 0.01 sites here.
        assert!((correlation_length(&field(0.0), 400) - 8.0_f64.sqrt() * s).abs() < 0.01);
        let gabor = |d: f64| libm::exp(-d * d / (8.0 * s * s)) * libm::cos(0.5 * d);
        let length = 2.0 + (gabor(2.0) - 1.0 / E) / (gabor(2.0) - gabor(3.0));
        assert!((correlation_length(&field(0.5), 400) - length).abs() < 1e-6);
    }

    #[test]
    fn the_lines_of_a_torus_are_taken_together() {
        let one_line = [[1.0, 1.0, 0.0, 0.0, 0.0, 0.0], [0.0; 6]].concat();
        assert!((correlation_length(&one_line, 6) - (2.0 - 2.0 / E)).abs() < 1e-12);
    }
}
