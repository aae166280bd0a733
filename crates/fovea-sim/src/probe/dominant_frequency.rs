//! The frequency with most of a field's power.

use super::spectrum::spectrum;
use super::{Change, Columns, Probe, per_unit};

/// The frequencies of a field's power.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Dominant {
    /// The frequency with most power, in cycles per ring; of equal ones the lowest.
    pub frequency: usize,
    /// Its share of the power, that of $`+k`$ and $`-k`$ together.
    pub share: f64,
    /// $`\sum_k k P_k / \sum_k P_k`$ over $`k = 0,\dots,n/2`$.
    pub mean: f64,
}

/// Powers this close to the largest, relatively, count as equal to it: a transform's rounding can separate them by as much.
const TIE: f64 = 1e-9;

/// The frequency with most power along the last axis, of `side` sites, of a ring or torus; all zero for a zero field.
pub fn dominant_frequency(w: &[f64], side: usize) -> Dominant {
    // In units of the largest weight, so that no square over- or underflows.
    let largest = w.iter().fold(0.0, |top: f64, w| top.max(w.abs()));
    if largest <= 0.0 {
        return Dominant::default();
    }
    let unit: Vec<f64> = w.iter().map(|w| w / largest).collect();
    let power = spectrum(&unit, side);
    let total: f64 = power.iter().sum();
    let top = power.iter().copied().fold(0.0, f64::max);
    let frequency = power.iter().position(|p| *p >= top * (1.0 - TIE)).unwrap_or(0);
    let mean = power.iter().enumerate().map(|(k, p)| k as f64 * p).sum::<f64>() / total;
    Dominant { frequency, share: top / total, mean }
}

/// The registry entry.
pub const ENTRY: Probe = Probe {
    columns: Columns::Named(&["frequency", "share", "mean"]),
    unmoved_by: &[Change::Scale, Change::Sign, Change::OwnShift],
    ..Probe::of_units(
        "dominant-frequency",
        "frequency with most power (+k and -k together, in cycles per ring; of equal ones the lowest), its share, and the mean frequency sum k P_k / sum P_k; 0 for a zero field; on a torus along the last axis",
        |view| {
            let side = *view.network.shape().last().unwrap_or(&1);
            per_unit(view, |w| {
                let Dominant { frequency, share, mean } = dominant_frequency(w, side);
                vec![frequency as f64, share, mean]
            })
        },
    )
};

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_core::fourier::{cos_turns, sin_turns};

    #[track_caller]
    fn is(w: &[f64], frequency: usize, share: f64, mean: f64) {
        let got = dominant_frequency(w, w.len());
        let near = (got.share - share).abs() < 1e-12 && (got.mean - mean).abs() < 1e-12;
        assert!(got.frequency == frequency && near, "{got:?}");
    }

    #[test]
    fn flat_single_site_and_sinusoidal_fields_have_their_known_values() {
        is(&[-2.0; 40], 0, 1.0, 0.0);
        // One site: power 1/n at 0 and n/2, 2/n at every frequency between; of equal ones the lowest.
        is(
            &[0.0, 0.0, 5.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            1,
            0.25,
            (1.0 + 2.0 + 3.0) * 0.25 + 4.0 / 8.0,
        );
        is(&[1e-200, 0.0, 0.0, 0.0, 0.0], 1, 0.4, 1.2);
        for k in [1, 7, 19] {
            let wave: Vec<f64> = (0..40).map(|i| cos_turns(k * i + 3, 40)).collect();
            is(&wave, k, 1.0, k as f64);
        }
        is(&(0..6).map(|i| cos_turns(3 * i, 6)).collect::<Vec<_>>(), 3, 1.0, 3.0);
        is(&[0.0; 7], 0, 0.0, 0.0);
    }

    /// Amplitudes 3 at frequency 5 and 4 at frequency 2 have powers 9 and 16 of 25, whatever their phases.
    #[test]
    fn powers_of_both_signs_are_added_and_ties_go_down() {
        let mix = |a: f64, b: f64| -> Vec<f64> {
            (0..24).map(|i| a * sin_turns(5 * i, 24) + b * cos_turns(2 * i, 24)).collect()
        };
        let mut field = mix(3.0, 4.0);
        for _ in 0..24 {
            is(&field, 2, 0.64, 2.0 * 0.64 + 5.0 * 0.36);
            field.rotate_right(1);
        }
        is(&mix(4.0, 3.0), 5, 0.64, 5.0 * 0.64 + 2.0 * 0.36);
        is(&mix(1.0, -1.0), 2, 0.5, 3.5);
        // Two sites d apart: power 2/n (1 + cos(2 pi k d/n)) of the total at frequencies between 0 and n/2.
        is(&[1.0, 0.0, 1.0, 0.0], 0, 0.5, 1.0);
        is(&[1.0, 0.0, -1.0, 0.0], 1, 1.0, 1.0);
    }

    /// A Gabor much wider than its period has its own frequency: the line of `exp(-d^2/4s^2)` around it is normal.
    #[test]
    fn a_gabor_has_its_frequency() {
        let (n, s, k) = (64_usize, 4.0, 16);
        let gabor: Vec<f64> = (0..n)
            .map(|i| {
                let d = i as f64 - 32.0;
                libm::exp(-0.25 * d * d / (s * s)) * cos_turns(k * i, n)
            })
            .collect();
        let got = dominant_frequency(&gabor, n);
        // Density of a normal with standard deviation n/(4 pi s) at its centre; the ring cuts the field where it is e^-16.
        let share = (8.0 * std::f64::consts::PI).sqrt() * s / n as f64;
        assert_eq!(got.frequency, k);
        assert!((got.share - share).abs() < 1e-7 && (got.mean - k as f64).abs() < 1e-10, "{got:?}");
    }

    #[test]
    fn a_torus_is_read_along_its_last_axis() {
        let w: Vec<f64> =
            (0..24).map(|i| cos_turns(2 * (i % 6), 6) * (1.0 + (i / 6) as f64)).collect();
        let got = dominant_frequency(&w, 6);
        assert!(got.frequency == 2 && (got.share - 1.0).abs() < 1e-12);
    }
}
