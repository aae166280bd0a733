//! Which fields on a torus are blobs.

use fovea_sim::probe::population::is_localized;

/// Whether a field is a blob: its inverse participation ratio exceeds 6/n, and the sites where it has at least half of its
/// largest absolute weight hang together, side by side, around the edges of the torus too.
pub fn is_blob(w: &[f64], side: usize) -> bool {
    is_localized(w) && parts_above_half(w, side) == 1
}

/// The parts, connected along the axes, of the sites with at least half of the largest absolute weight.
pub fn parts_above_half(w: &[f64], side: usize) -> usize {
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
pub fn is_positive(w: &[f64]) -> bool {
    w[fovea_desk::cell::peak(w)] > 0.0
}
