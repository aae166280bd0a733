//! Weight sharing: how far the fields of a population are shifted copies of one field.

use super::correlate::Correlator;
use super::{Change, Columns, Of, Probe};

/// Cosines between the fields of a population, averaged over its pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sharing {
    /// The largest cosine over all displacements of one field: 1 for shifted copies.
    pub signed: f64,
    /// The largest absolute cosine: 1 for shifted copies with either sign.
    pub unsigned: f64,
    /// The cosine of the fields without a shift.
    pub unshifted: f64,
    /// Its absolute value.
    pub unshifted_abs: f64,
    /// The root mean square cosine over all displacements. It depends on the two power spectra alone, so fields with the same
    /// spectra and random phases have it too: it is what similar spectra give without similar fields.
    pub scrambled: f64,
}

/// Weight sharing between fields on a torus of this shape; all zero for fewer than two.
///
/// A pair with a zero field counts as cosine 0.
pub fn sharing(weights: &[f64], shape: &[usize]) -> Sharing {
    let correlator = Correlator::new(weights, shape);
    let units = correlator.len();
    if units < 2 {
        return Sharing::default();
    }
    let mut total = Sharing::default();
    for unit in 0..units {
        correlator.each(unit, unit + 1, |_, correlation| {
            let largest = correlation.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let furthest = correlation.iter().fold(0.0, |top: f64, c| top.max(c.abs()));
            let square: f64 = correlation.iter().map(|c| c * c).sum();
            total.signed += largest;
            total.unsigned += furthest;
            total.unshifted += correlation[0];
            total.unshifted_abs += correlation[0].abs();
            total.scrambled += (square / correlation.len() as f64).sqrt();
        });
    }
    let pairs = (units * (units - 1) / 2) as f64;
    Sharing {
        signed: total.signed / pairs,
        unsigned: total.unsigned / pairs,
        unshifted: total.unshifted / pairs,
        unshifted_abs: total.unshifted_abs / pairs,
        scrambled: total.scrambled / pairs,
    }
}

/// The registry entry.
pub const ENTRY: Probe = Probe {
    of: Of::Network,
    columns: Columns::Named(&["signed", "unsigned", "unshifted", "unshifted_abs", "scrambled"]),
    unmoved_by: &[Change::Scale, Change::Shift],
    ..Probe::of_units(
        "sharing",
        "mean over pairs of units of the largest cosine and largest |cosine| of one field and the other shifted, then cosine and |cosine| without a shift and the root mean square over all shifts (that of random phases with the same spectra); 0 for one unit; on a torus all displacements",
        |view| {
            let s = sharing(view.network.weights(), view.network.shape());
            vec![vec![s.signed, s.unsigned, s.unshifted, s.unshifted_abs, s.scrambled]]
        },
    )
};

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_core::fourier::{cos_turns, power_by_frequency};

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-12
    }

    #[test]
    fn shifted_copies_share_all_and_signs_are_told_apart() {
        let field: Vec<f64> =
            (0..30).map(|i| libm::exp(-0.3 * (f64::from(i) - 8.0).abs())).collect();
        let mut weights = Vec::new();
        for shift in [0, 7, 19] {
            let mut copy = field.clone();
            copy.rotate_right(shift);
            weights.extend(copy);
        }
        let copies = sharing(&weights, &[30]);
        assert!(near(copies.signed, 1.0) && near(copies.unsigned, 1.0), "{copies:?}");
        assert!(copies.unshifted < 0.5 && copies.scrambled < 0.7);
        // One of three times -1: two of three pairs keep |cosine| 1 and have no cosine above 0.
        for w in &mut weights[30..60] {
            *w = -*w;
        }
        let turned = sharing(&weights, &[30]);
        assert!(near(turned.unsigned, 1.0) && turned.signed < 0.4);
    }

    #[test]
    fn single_sites_and_waves_have_their_known_values() {
        let site = |at: usize| (0..16).map(move |i| f64::from(u8::from(i == at)));
        let apart = sharing(&site(2).chain(site(9)).collect::<Vec<_>>(), &[16]);
        // One displacement of 16 brings one onto the other.
        assert!(
            near(apart.signed, 1.0) && near(apart.unshifted, 0.0) && near(apart.scrambled, 0.25)
        );
        let wave = |k: usize, phase: usize| (0..16).map(move |i| cos_turns(k * i + phase, 16));
        let same = sharing(&wave(2, 0).chain(wave(2, 8)).collect::<Vec<_>>(), &[16]);
        assert!(
            near(same.signed, 1.0) && near(same.unshifted, -1.0) && near(same.unshifted_abs, 1.0)
        );
        assert!(near(same.scrambled, 0.5_f64.sqrt()));
        let other = sharing(&wave(2, 0).chain(wave(3, 0)).collect::<Vec<_>>(), &[16]);
        assert!(near(other.unsigned, 0.0) && near(other.scrambled, 0.0));
    }

    /// The mean square over displacements depends on powers alone: $`\frac1n\sum_k |F_a|^2|F_b|^2/n`$.
    #[test]
    fn the_scrambled_cosine_is_made_of_the_spectra() {
        let a: Vec<f64> = (0..11).map(|i| libm::sin(2.3 * f64::from(i * i))).collect();
        let b: Vec<f64> = (0..11).map(|i| libm::cos(1.7 * f64::from(i))).collect();
        let norm = |w: &[f64]| w.iter().map(|w| w * w).sum::<f64>();
        let (p, q) = (power_by_frequency(&a), power_by_frequency(&b));
        let shared: f64 =
            (0..6).map(|k| p[k] * q[k] / fovea_core::ring::multiplicity(k, 11) as f64).sum();
        let expected = (shared / (norm(&a) * norm(&b))).sqrt();
        let got = sharing(&[a, b].concat(), &[11]);
        assert!(near(got.scrambled, expected), "{got:?} {expected}");
    }

    #[test]
    fn one_unit_and_units_without_weights_share_nothing() {
        assert_eq!(sharing(&[1.0, 2.0, 3.0], &[3]), Sharing::default());
        assert_eq!(sharing(&[0.0; 12], &[4]), Sharing::default());
        let torus = sharing(&[vec![1.0; 24], vec![-2.0; 24]].concat(), &[4, 6]);
        assert!(
            near(torus.signed, -1.0) && near(torus.unsigned, 1.0) && near(torus.scrambled, 1.0)
        );
    }
}
