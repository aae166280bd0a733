//! What counts as a blob, by our criterion and by others near it.

use super::fields;
use fovea_desk::cell::peak;
use fovea_desk::prelude::*;
use fovea_sim::probe::ipr::ipr;
use fovea_sim::probe::population::localized_line;

/// What counts as a blob, and as a network that has them.
#[derive(Clone, Copy)]
pub(super) struct Criterion {
    /// The least IPR of a blob, over 6/n.
    line: f64,
    /// The share of its largest absolute weight above which its sites must be connected.
    level: f64,
    /// The share of units above which most are blobs.
    pub(super) share: f64,
}

pub(super) const OWN: Criterion = Criterion { line: 1.0, level: 0.5, share: 0.5 };

/// Other criteria near it.
pub(super) const OTHERS: [(&str, Criterion); 6] = [
    ("with blobs above an IPR of 4.5/n", Criterion { line: 0.75, ..OWN }),
    ("above 9/n", Criterion { line: 1.5, ..OWN }),
    ("in one part above 0.4 of their peak", Criterion { level: 0.4, ..OWN }),
    ("above 0.6", Criterion { level: 0.6, ..OWN }),
    ("with more than a third of the units", Criterion { share: 1.0 / 3.0, ..OWN }),
    ("with two thirds", Criterion { share: 2.0 / 3.0, ..OWN }),
];

impl Criterion {
    fn is_blob(self, w: &[f64], side: usize) -> bool {
        ipr(w) > self.line * localized_line(w.len()) && parts_above(w, side, self.level) == 1
    }
}

/// The number of blobs in every network.
pub(super) fn blobs(seeds: &Group<'_>, side: usize, criterion: Criterion) -> Vec<usize> {
    let of = |run: &&Trained| fields(run).filter(|w| criterion.is_blob(w, side)).count();
    seeds.runs.iter().map(of).collect()
}

/// Whether a field is a blob: its inverse participation ratio exceeds 6/n, and the sites where it has at least half of its
/// largest absolute weight are connected along the axes, also around the edges of the torus.
pub fn is_blob(w: &[f64], side: usize) -> bool {
    OWN.is_blob(w, side)
}

/// The parts, connected along the axes, of the sites with at least this share of the largest absolute weight.
pub fn parts_above(w: &[f64], side: usize, level: f64) -> usize {
    let (largest, rows) = (largest(w), w.len() / side);
    let mut left: Vec<bool> =
        w.iter().map(|w| largest > 0.0 && w.abs() >= level * largest).collect();
    let mut parts = 0;
    while let Some(start) = left.iter().position(|site| *site) {
        parts += 1;
        left[start] = false;
        let mut edge = vec![start];
        while let Some(site) = edge.pop() {
            let (i, j) = (site / side, site % side);
            let at = |i: usize, j: usize| i % rows * side + j % side;
            let neighbours = [at(i + 1, j), at(i + rows - 1, j), at(i, j + 1), at(i, j + side - 1)];
            edge.extend(neighbours.into_iter().filter(|next| std::mem::take(&mut left[*next])));
        }
    }
    parts
}

/// The sign of the largest absolute weight.
pub fn is_positive(w: &[f64]) -> bool {
    w[peak(w)] > 0.0
}
