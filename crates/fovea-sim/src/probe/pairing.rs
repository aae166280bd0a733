//! The unit whose field is most similar to another's, up to a shift.

use super::correlate::Correlator;
use super::{Change, Columns, Probe};

/// A unit's best partner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Partner {
    /// The largest absolute cosine of the unit's field and the partner's shifted field.
    pub similarity: f64,
    /// Whether the two fields have the same sign there (1) or opposite ones (-1); 0 without a partner.
    pub sign: f64,
    /// Which unit it is; the unit itself where there is none.
    pub unit: usize,
    /// The displacement that brings the partner's field onto the unit's; on a torus row by row, down times side plus along.
    pub shift: usize,
}

/// Cosines this close count as equal: a transform's rounding can separate them by as much.
const TIE: f64 = 1e-9;

/// The best partner of every field on a torus of this shape.
///
/// Of equally good partners and displacements the first counts. A unit that is alone, or whose field or all other fields are
/// zero, is its own partner with similarity, sign and shift 0.
pub fn partners(weights: &[f64], shape: &[usize]) -> Vec<Partner> {
    let correlator = Correlator::new(weights, shape);
    let best = |unit: usize| {
        let mut best = Partner { similarity: 0.0, sign: 0.0, unit, shift: 0 };
        correlator.each(unit, 0, |other, correlation| {
            for (shift, c) in correlation.iter().enumerate() {
                if c.abs() > best.similarity + TIE {
                    let sign = c.signum();
                    best = Partner { similarity: c.abs(), sign, unit: other, shift };
                }
            }
        });
        best
    };
    (0..correlator.len()).map(best).collect()
}

/// The registry entry.
pub const ENTRY: Probe = Probe {
    columns: Columns::Named(&["similarity", "sign", "partner", "shift"]),
    unmoved_by: &[Change::Scale, Change::Shift],
    ..Probe::of_units(
        "pairing",
        "each unit's best partner: largest |sum_x w_x v_(x-s)|/(|w||v|) over other units v and displacements s, its sign, the partner's index and s (on a torus row by row); the first of equals; a unit alone or without weights: 0, 0, its own index, 0",
        |view| {
            let row = |p: &Partner| vec![p.similarity, p.sign, p.unit as f64, p.shift as f64];
            partners(view.network.weights(), view.network.shape()).iter().map(row).collect()
        },
    )
};

#[cfg(test)]
mod tests {
    use super::*;

    fn bump(n: usize, at: usize, width: f64) -> Vec<f64> {
        let d = |i: usize| fovea_core::ring::distance(i, at, n) as f64 / width;
        (0..n).map(|i| libm::exp(-d(i) * d(i))).collect()
    }

    #[test]
    fn shifted_copies_find_each_other_with_their_shift_and_sign() {
        let n = 40;
        // Units 0 and 2 are copies, 1 and 3 opposite ones of another width.
        let mut weights = bump(n, 5, 2.0);
        weights.extend(bump(n, 30, 6.0));
        weights.extend(bump(n, 17, 2.0).iter().map(|w| 7.0 * w));
        weights.extend(bump(n, 33, 6.0).iter().map(|w| -0.1 * w));
        let found = partners(&weights, &[n]);
        let expected = [(2, 1.0, 28), (3, -1.0, 37), (0, 1.0, 12), (1, -1.0, 3)];
        for (got, (unit, sign, shift)) in found.iter().zip(expected) {
            assert!((got.similarity - 1.0).abs() < 1e-12, "{got:?}");
            assert_eq!((got.unit, got.shift), (unit, shift));
            assert!((got.sign - sign).abs() < 1e-15);
        }
    }

    #[test]
    fn a_torus_counts_its_displacements_row_by_row() {
        let mut weights = vec![0.0; 48];
        (weights[6 + 2], weights[6 + 3]) = (1.0, 0.5);
        (weights[24 + 18 + 5], weights[24 + 18]) = (-1.0, -0.5);
        let found = partners(&weights, &[4, 6]);
        // From (3, 5) to (1, 2) it is 2 down and 3 along.
        assert_eq!((found[0].unit, found[0].shift), (1, 2 * 6 + 3));
        assert_eq!((found[1].unit, found[1].shift), (0, 2 * 6 + 3));
        assert!((found[0].similarity - 1.0).abs() < 1e-13 && found[0].sign < 0.0);
    }

    #[test]
    fn units_without_company_or_weights_are_their_own_partners() {
        let alone = Partner { similarity: 0.0, sign: 0.0, unit: 0, shift: 0 };
        assert_eq!(partners(&bump(12, 3, 1.0), &[12]), [alone]);
        let with_nothing = [bump(12, 3, 1.0), vec![0.0; 12]].concat();
        assert_eq!(partners(&with_nothing, &[12]), [alone, Partner { unit: 1, ..alone }]);
    }

    /// A wave and one of another frequency share nothing; flat fields agree at every displacement and take the first.
    #[test]
    fn orthogonal_waves_share_nothing_and_equals_go_to_the_first() {
        let wave = |k: usize| (0..20).map(move |i| fovea_core::fourier::cos_turns(k * i, 20));
        let weights: Vec<f64> = wave(2).chain(wave(3)).collect();
        assert!(partners(&weights, &[20]).iter().all(|p| p.similarity < 1e-9));
        let flat = partners(&[vec![1.0; 9], vec![2.0; 9], vec![-3.0; 9]].concat(), &[9]);
        assert_eq!(
            flat.iter().map(|p| (p.unit, p.shift)).collect::<Vec<_>>(),
            [(1, 0), (0, 0), (0, 0)]
        );
    }
}
