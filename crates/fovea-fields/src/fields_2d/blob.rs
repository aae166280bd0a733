//! Which fields on a torus are blobs.

use fovea_sim::probe::population::is_localized;

/// Whether a field is a blob: its inverse participation ratio exceeds 6/n, and the sites where it has at least half of its
/// largest absolute weight hang together, side by side, around the edges of the torus too.
pub(super) fn is_blob(w: &[f64], side: usize) -> bool {
    is_localized(w) && parts_above_half(w, side) == 1
}

/// The parts, connected along the axes, of the sites with at least half of the largest absolute weight.
fn parts_above_half(w: &[f64], side: usize) -> usize {
    let largest = w.iter().fold(0.0, |m: f64, w| m.max(w.abs()));
    let rows = w.len() / side;
    let mut left: Vec<bool> = w.iter().map(|w| largest > 0.0 && w.abs() >= 0.5 * largest).collect();
    let mut parts = 0;
    while let Some(start) = left.iter().position(|site| *site) {
        parts += 1;
        left[start] = false;
        let mut edge = vec![start];
        while let Some(site) = edge.pop() {
            let (i, j) = (site / side, site % side);
            let beside = [
                (i + 1) % rows * side + j,
                (i + rows - 1) % rows * side + j,
                i * side + (j + 1) % side,
                i * side + (j + side - 1) % side,
            ];
            for next in beside {
                if std::mem::take(&mut left[next]) {
                    edge.push(next);
                }
            }
        }
    }
    parts
}

/// The sign of the largest absolute weight.
pub(super) fn is_positive(w: &[f64]) -> bool {
    w[fovea_desk::cell::peak(w)] > 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(sites: &[(usize, f64)]) -> Vec<f64> {
        let mut w = vec![0.01; 8 * 8];
        for (site, weight) in sites {
            w[*site] = *weight;
        }
        w
    }

    #[test]
    fn one_part_around_the_edge_is_a_blob_and_two_are_none() {
        let corner = field(&[(0, -1.0), (7, -0.8), (56, -0.6), (63, -0.7)]);
        assert_eq!(parts_above_half(&corner, 8), 1);
        assert!(is_blob(&corner, 8) && !is_positive(&corner));
        let two = field(&[(0, 1.0), (18, -0.6)]);
        assert_eq!(parts_above_half(&two, 8), 2);
        assert!(!is_blob(&two, 8) && is_positive(&two));
        // Below half of the largest a second part does not count.
        assert!(is_blob(&field(&[(0, 1.0), (18, -0.4)]), 8));
    }

    #[test]
    fn flat_and_empty_fields_are_no_blobs() {
        assert_eq!(parts_above_half(&[0.3; 64], 8), 1);
        assert!(!is_blob(&[0.3; 64], 8));
        assert!(!is_blob(&[0.0; 64], 8) && parts_above_half(&[0.0; 64], 8) == 0);
    }
}
