//! Statistics of the localized units of a population, and of the others.

use super::dominant_frequency::dominant_frequency;
use super::ipr::ipr;
use super::{Change, Columns, Of, Probe};

/// The smallest inverse participation ratio of a localized field on `n` sites, `6/n`: four times that of a sinusoid.
///
/// On a ring of 40 sites this is the line at 0.15 of the reference's figures. On six sites and fewer no field is above it.
pub fn localized_line(n: usize) -> f64 {
    6.0 / n as f64
}

/// Whether a field counts as localized: its inverse participation ratio exceeds [`localized_line`].
pub fn is_localized(w: &[f64]) -> bool {
    ipr(w) > localized_line(w.len())
}

/// The mean of some numbers; 0 for none.
fn mean(numbers: &[f64]) -> f64 {
    if numbers.is_empty() { 0.0 } else { numbers.iter().sum::<f64>() / numbers.len() as f64 }
}

/// The numbers of this probe for fields on a torus and their units' biases.
fn population(weights: &[f64], biases: &[f64], shape: &[usize]) -> Vec<f64> {
    let n: usize = shape.iter().product();
    let side = *shape.last().unwrap_or(&1);
    let fields: Vec<&[f64]> = weights.chunks(n).collect();
    let of = |localized: bool, measure: &dyn Fn(usize) -> f64| -> Vec<f64> {
        (0..fields.len()).filter(|k| is_localized(fields[*k]) == localized).map(measure).collect()
    };
    let bias = |k: usize| biases[k];
    let ratio = |k: usize| ipr(fields[k]);
    let frequency = |k: usize| dominant_frequency(fields[k], side).frequency as f64;
    vec![
        of(true, &bias).len() as f64 / fields.len() as f64,
        mean(&of(true, &bias)),
        mean(&of(false, &bias)),
        mean(&of(true, &ratio)),
        mean(&of(false, &ratio)),
        mean(&of(false, &frequency)),
    ]
}

/// The registry entry.
pub const ENTRY: Probe = Probe {
    of: Of::Network,
    columns: Columns::Named(&[
        "localized",
        "bias",
        "bias_rest",
        "ipr",
        "ipr_rest",
        "frequency_rest",
    ]),
    unmoved_by: &[Change::Scale, Change::Sign, Change::OwnShift],
    ..Probe::of_units(
        "population",
        "share of localized units (IPR above 6/n); mean bias and mean IPR of them and of the rest, mean dominant frequency of the rest (on a torus along the last axis); 0 where there is no such unit",
        |view| {
            let network = view.network;
            vec![population(network.weights(), network.biases(), network.shape())]
        },
    )
};

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_core::fourier::cos_turns;

    #[track_caller]
    fn are(got: &[f64], expected: &[f64]) {
        assert_eq!(got.len(), expected.len());
        let near = got.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12);
        assert!(near, "{got:?} {expected:?}");
    }

    #[test]
    fn the_line_is_the_reference_s_at_forty_sites() {
        assert!((localized_line(40) - 0.15).abs() < 1e-15);
        let box_of = |sites: usize| (0..40).map(|i| f64::from(u8::from(i < sites))).collect();
        let (six, seven): (Vec<f64>, Vec<f64>) = (box_of(6), box_of(7));
        // Boxes of 6 and 7 sites: 1/6 is above 0.15, 1/7 below.
        assert!(is_localized(&six) && !is_localized(&seven));
        assert!(!is_localized(&[0.0; 40]) && !is_localized(&[1.0, 0.0, 0.0]));
    }

    #[test]
    fn two_groups_are_told_apart_and_averaged() {
        let n = 40;
        let site = |at: usize| (0..n).map(move |i| f64::from(u8::from(i == at)));
        let wave = |k: usize| (0..n).map(move |i| 3.0 * cos_turns(k * i, n));
        let weights: Vec<f64> =
            site(3).chain(wave(4)).chain(site(9).map(|w| -2.0 * w)).chain(wave(7)).collect();
        let got = population(&weights, &[-4.0, 8.0, -6.0, 2.0], &[n]);
        are(&got, &[0.5, -5.0, 5.0, 1.0, 1.5 / 40.0, 5.5]);
        // Without one of the groups its numbers are 0.
        let sites: Vec<f64> = site(3).chain(site(4)).collect();
        are(&population(&sites, &[1.0, 2.0], &[n]), &[1.0, 1.5, 0.0, 1.0, 0.0, 0.0]);
        are(&population(&vec![0.0; n], &[3.0], &[n]), &[0.0, 0.0, 3.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn a_torus_counts_all_its_sites_and_reads_the_last_axis() {
        let mut weights = vec![0.0; 24];
        weights[7] = 1.0;
        weights.extend((0..24).map(|i| cos_turns(2 * (i % 6), 6)));
        are(&population(&weights, &[0.0, 1.0], &[4, 6]), &[0.5, 0.0, 1.0, 1.0, 1.5 / 24.0, 2.0]);
    }
}
