//! Dictator cells: fields in which one site outvotes all others, so that the gate depends on it alone (L000.27).

use crate::error::LabError;
use crate::showing::estimate;
use fovea_core::stats::Estimate;

/// The least IPR a field in a dictator's cell can have.
///
/// In units of the largest weight the others, `a_i`, add up to less than one. So `1 - A > 2 sum_{i<j} a_i a_j` with
/// `A = sum a_i^2`, hence `(1 - A)^2 > 4 sum_{i<j} a_i^2 a_j^2 = 2 (A^2 - sum a_i^4)`, which is
/// `2 (1 + sum a_i^4) > (1 + A)^2`.
pub const LEAST_IPR: f64 = 0.5;

/// The site with the largest weight.
pub fn peak(w: &[f64]) -> usize {
    (0..w.len()).max_by(|a, b| w[*a].abs().total_cmp(&w[*b].abs())).unwrap_or(0)
}

/// The field turned so that its largest weight is positive and lies in the middle.
pub fn in_the_middle(w: &[f64]) -> Vec<f64> {
    let (n, at) = (w.len(), peak(w));
    let sign = 1.0_f64.copysign(w[at]);
    (0..n).map(|i| sign * w[(i + at + n - n / 2) % n]).collect()
}

/// `2 |w_i| / |w|_1`: above one, site `i` outvotes all others and the field lies in its cell.
pub fn vote(w: &[f64], site: usize) -> f64 {
    let total: f64 = w.iter().map(|w| w.abs()).sum();
    if total > 0.0 { 2.0 * w[site].abs() / total } else { 0.0 }
}

/// Whether the field lies in the cell of any site.
pub fn in_dictator_cell(w: &[f64]) -> bool {
    !w.is_empty() && vote(w, peak(w)) > 1.0
}

/// The mean over the two sites at this distance from `centre`.
pub fn mirrored(field: &[f64], centre: usize, distance: usize) -> f64 {
    let n = field.len();
    0.5 * (field[(centre + distance) % n] + field[(centre + n - distance) % n])
}

/// A field with its peak at site 0, cut opposite to it: sites counted from the peak, and their weights.
pub fn around_peak(field: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let (n, half) = (field.len(), field.len() / 2);
    (0..n).map(|i| (i as f64 - half as f64, field[(i + n - half) % n])).unzip()
}

/// The mean over fields at every distance up to `reach` from site 0, sites on both sides averaged.
///
/// # Errors
/// Fewer than two fields.
pub fn by_distance(fields: &[impl AsRef<[f64]>], reach: usize) -> Result<Vec<Estimate>, LabError> {
    let at = |distance| estimate(fields.iter().map(|w| mirrored(w.as_ref(), 0, distance)));
    (0..=reach).map(at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_core::agree::same_bits;
    use fovea_core::streams::Streams;
    use fovea_sim::probe::ipr::ipr;

    #[test]
    fn a_field_is_in_a_dictator_cell_when_one_site_outvotes_the_rest() {
        assert!(in_dictator_cell(&[0.1, -0.5, 0.2]));
        assert!(!in_dictator_cell(&[0.3, -0.5, 0.3]));
        assert!(!in_dictator_cell(&[]));
        assert!(vote(&[0.5, -0.2, 0.2], 0) > 1.0 && vote(&[0.5, -0.3, 0.3], 0) < 1.0);
        assert!(vote(&[0.1, -0.9, 0.0], 0) < 1.0, "another site's cell is not this one");
        assert!(vote(&[0.0, 0.0], 0).abs() < 1e-15);
    }

    #[test]
    fn sites_at_one_distance_lie_on_both_sides() {
        let field = [5.0, 1.0, 2.0, 3.0];
        for (distance, want) in [(0, 5.0), (1, 2.0), (2, 2.0)] {
            assert!((mirrored(&field, 0, distance) - want).abs() < 1e-15);
        }
        assert!((mirrored(&field, 3, 1) - 3.5).abs() < 1e-15);
        same_bits(&in_the_middle(&[1.0, -4.0, 2.0, 0.5]), &[-0.5, -1.0, 4.0, -2.0]).unwrap();
        assert_eq!(around_peak(&field), (vec![-2.0, -1.0, 0.0, 1.0], vec![2.0, 3.0, 5.0, 1.0]));
        let means = by_distance(&[field, [3.0, 1.0, 2.0, 1.0]], 1).unwrap();
        assert!((means[0].mean() - 4.0).abs() < 1e-15 && (means[1].mean() - 1.5).abs() < 1e-15);
    }

    #[test]
    fn a_field_in_a_dictators_cell_has_an_ipr_above_one_half() {
        let mut inside = 0;
        for index in 0..2000 {
            let mut w = vec![0.0; 2 + index as usize % 5];
            Streams::new(3).named("cells").normals(index, &mut w);
            if in_dictator_cell(&w) {
                inside += 1;
                assert!(ipr(&w) > LEAST_IPR, "{w:?}");
            }
        }
        assert!(inside > 200, "{inside}");
        assert!((ipr(&[1.0, 0.3, -0.7, 0.0]) - LEAST_IPR).abs() < 1e-12, "the bound is reached");
    }
}
