//! Starting points of fits: a table of how well packets of many widths, frequencies and centres match a field.

use std::f64::consts::TAU;

/// A packet that matches, and how well.
#[derive(Clone, Copy, Debug)]
pub(super) struct Start {
    pub(super) centre: f64,
    pub(super) width: f64,
    /// Radians per site.
    pub(super) angle: f64,
    /// Coefficients of the even and the odd part.
    pub(super) parts: [f64; 2],
    /// The part of the squared field that it takes up.
    pub(super) score: f64,
}

/// Widths of the table, from a third of a site to a third of the ring.
pub(super) fn widths(n: usize) -> Vec<f64> {
    const FIRST: f64 = 0.35;
    const RATIO: f64 = 1.5;
    let last = (n as f64 / 3.0).max(1.1 * FIRST);
    let more = |width: &f64| Some(width * RATIO).filter(|next| *next < last);
    std::iter::successors(Some(FIRST), more).collect()
}

/// Half a Gaussian of a width, out to where it is negligible or to the opposite site.
fn envelope(n: usize, width: f64) -> Vec<f64> {
    let half = (n / 2).min((4.0 * width).ceil() as usize);
    (0..=half).map(|d| libm::exp(-0.5 * (d * d) as f64 / (width * width))).collect()
}

/// The bump of a width that matches best at every site.
pub(super) fn bumps(y: &[f64], width: f64) -> Vec<Start> {
    let envelope = envelope(y.len(), width);
    (0..y.len()).map(|at| matched(y, &envelope, (at, width), &[])).collect()
}

/// For every width the best match over frequencies and centres, best first.
///
/// Frequencies are as dense as an envelope of the width can tell apart, centres as dense as half the width.
pub(super) fn packets(y: &[f64]) -> Vec<Start> {
    let n = y.len();
    let best_of_width = |width: f64| {
        let envelope = envelope(n, width);
        let count = ((4.0 * width) as usize + 3).min(n / 2 + 1);
        let stride = ((width / 2.0) as usize).max(1);
        let mut best: Option<Start> = None;
        for j in 0..count {
            let angle = TAU / 2.0 * (j as f64 + 0.5) / count as f64;
            let turns: Vec<(f64, f64)> =
                (0..envelope.len()).map(|d| libm::sincos(angle * d as f64)).collect();
            for at in (0..n).step_by(stride) {
                let start = Start { angle, ..matched(y, &envelope, (at, width), &turns) };
                if best.is_none_or(|best| start.score > best.score) {
                    best = Some(start);
                }
            }
        }
        best
    };
    let mut starts: Vec<Start> = widths(n).into_iter().filter_map(best_of_width).collect();
    starts.sort_by(|a, b| b.score.total_cmp(&a.score));
    starts
}

/// The match of a packet centred on a site; its even and its odd part are orthogonal there. Without turns it is a bump.
fn matched(y: &[f64], envelope: &[f64], (at, width): (usize, f64), turns: &[(f64, f64)]) -> Start {
    let n = y.len();
    let (mut dots, mut squares) = ([0.0; 2], [0.0; 2]);
    for (d, size) in envelope.iter().enumerate() {
        let (sin, cos) = turns.get(d).copied().unwrap_or((0.0, 1.0));
        let (even, odd) = (size * cos, size * sin);
        let (right, left) = (y[(at + d) % n], y[(at + n - d) % n]);
        // The opposite site and the centre itself occur once.
        let alone = d == 0 || 2 * d == n;
        let (sum, gap, count) =
            if alone { (right, 0.0, 1.0) } else { (right + left, right - left, 2.0) };
        dots = [dots[0] + even * sum, dots[1] + odd * gap];
        let twice = if alone { 0.0 } else { 2.0 };
        squares = [squares[0] + count * even * even, squares[1] + twice * odd * odd];
    }
    let part = |i: usize| if squares[i] > 1e-12 { dots[i] / squares[i] } else { 0.0 };
    let parts = [part(0), part(1)];
    let score = parts[0] * dots[0] + parts[1] * dots[1];
    Start { centre: at as f64, width, angle: 0.0, parts, score }
}
