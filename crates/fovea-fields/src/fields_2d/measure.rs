//! What the networks of one gain came to: which fields are blobs, and how their centres lie.

use super::Fields2d;
use fovea_desk::cell::peak;
use fovea_desk::prelude::*;
use fovea_sim::probe::population::is_localized;

/// The networks of one gain at the end, an entry a network.
pub struct Population<'r> {
    pub(super) gain: f64,
    pub(super) seeds: Group<'r>,
    /// Units that are blobs.
    pub(super) blobs: Vec<usize>,
    /// Those of them with a positive peak.
    pub(super) positive: Vec<usize>,
    /// Mean IPR of the units.
    pub(super) iprs: Vec<f64>,
    /// The statistics of the localized fields' centres.
    pub(super) tilings: Vec<Vec<Statistic>>,
}

/// The name of the mean distance to the nearest other centre.
pub(super) const NEAREST: &str = "nearest other";

/// One statistic of one network's centres.
#[derive(Clone, Copy, Debug)]
pub(super) struct Statistic {
    pub(super) name: &'static str,
    pub(super) value: f64,
    /// What uniform places have in the mean.
    pub(super) null: f64,
    /// Standard deviations of the null above it.
    pub(super) z: f64,
}

impl<'r> Population<'r> {
    pub(super) fn of(settings: &Fields2d, gain: f64, runs: &'r Runs) -> Self {
        let (seeds, side) = (runs.group(&super::name(gain)), settings.side);
        let count = |of: &dyn Fn(&[f64]) -> bool| -> Vec<usize> {
            seeds.runs.iter().map(|run| fields(run).filter(|w| of(w)).count()).collect()
        };
        let tiling = |run: &&Trained| statistics(&run.last(&probe::tiling::ENTRY)[0]);
        Self {
            gain,
            blobs: count(&|w| is_blob(w, side)),
            positive: count(&|w| is_blob(w, side) && is_positive(w)),
            iprs: seeds.per_seed(&probe::ipr::ENTRY, mean_unit),
            tilings: seeds.runs.iter().map(tiling).collect(),
            seeds,
        }
    }
}

/// The fields of one network at the end.
pub(super) fn fields(run: &Trained) -> impl Iterator<Item = &[f64]> {
    run.network().weights().chunks(run.network().inputs())
}

/// The row of the tiling probe as statistics, Rayleigh's as `K R^2`, of mean 1 and variance `1 - 1/K` for uniform places.
fn statistics(row: &[f64]) -> Vec<Statistic> {
    let three = [("covered share", 1), (NEAREST, 7), ("gaps (last axis)", 4)];
    let mut all: Vec<Statistic> = three
        .into_iter()
        .map(|(name, at)| Statistic { name, value: row[at], null: row[at + 1], z: row[at + 2] })
        .collect();
    let (number, resultant) = (row[0], row[10]);
    let value = number * resultant * resultant;
    let z = if number > 1.0 { (value - 1.0) / (1.0 - 1.0 / number).sqrt() } else { 0.0 };
    all.push(Statistic { name: "K R^2 (last axis)", value, null: 1.0, z });
    all
}

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
    w[peak(w)] > 0.0
}
