//! The basin of the dictator state: which starts come back to it, and when random ones enter a cell.

use super::jobs::{Job, Kind, WAYS, direction};
use super::{Dictator, Pair};
use fovea_desk::bench::Bench;
use fovea_desk::cell::{in_dictator_cell, peak, vote};
use fovea_record::claim::Claim;
use fovea_record::outcome::Array;
use fovea_sim::Run;

/// Random directions behind the share of starts that lie in the cell.
const DIRECTIONS: u64 = 1000;

/// Where starts at one distance ended.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ends {
    /// In the cell they were pushed out of.
    pub(super) home: usize,
    /// In the cell of another site.
    pub(super) elsewhere: usize,
    pub(super) count: usize,
}

impl Ends {
    /// Sorts runs that started around the state on site 0.
    fn of<'r>(runs: impl Iterator<Item = &'r Run>) -> Self {
        let mut ends = Self::default();
        for run in runs {
            let w = run.network.weights();
            ends.count += 1;
            if in_dictator_cell(w) {
                let home = peak(w) == 0 && w[0] > 0.0;
                *(if home { &mut ends.home } else { &mut ends.elsewhere }) += 1;
            }
        }
        ends
    }

    /// How many ended in any cell.
    pub(super) fn localized(&self) -> usize {
        self.home + self.elsewhere
    }
}

/// The basin of one pair of lengths.
pub(super) struct Basin<'a> {
    pub(super) pair: &'a Pair,
    /// `ends[way][distance]`.
    pub(super) ends: Vec<Vec<Ends>>,
    /// Share of starts in a random direction that lie in the cell, at many distances.
    pub(super) start_inside: Vec<(f64, f64)>,
    /// When each Glorot start was first seen in a cell, in order; infinite for never.
    pub(super) entered: Vec<f64>,
    /// How many Glorot starts ended in a cell.
    pub(super) glorot: Ends,
}

impl<'a> Basin<'a> {
    pub(super) fn new(
        settings: &Dictator,
        index: usize,
        pair: &'a Pair,
        jobs: &[Job],
        runs: &[Run],
        bench: &Bench<'_>,
    ) -> Self {
        let of = |kind: Kind, distance: usize| {
            let here =
                move |job: &Job| job.pair == index && job.kind == kind && job.distance == distance;
            jobs.iter().zip(runs).filter(move |(job, _)| here(job)).map(|(_, run)| run)
        };
        let distances = 0..settings.distance.len();
        let ends = WAYS.map(|way| distances.clone().map(|d| Ends::of(of(way, d))).collect());
        let start_inside = fine(&settings.distance)
            .into_iter()
            .map(|distance| (distance, share_inside(settings.n, pair, distance, bench)))
            .collect();
        let first = |run: &Run| {
            let seen = run.records.iter().find(|record| in_dictator_cell(&record.readings[0][0]));
            seen.map_or(f64::INFINITY, |record| record.step as f64 * settings.lr)
        };
        let mut entered: Vec<f64> = of(Kind::Glorot, 0).map(first).collect();
        entered.sort_by(f64::total_cmp);
        let glorot = Ends::of(of(Kind::Glorot, 0));
        Self { pair, ends: ends.to_vec(), start_inside, entered, glorot }
    }

    /// Home, elsewhere and count of every way, a row a distance.
    pub(super) fn array(&self) -> Array {
        let rows: Vec<Vec<f64>> = (0..self.ends[0].len())
            .map(|d| {
                let counts = |ends: &Vec<Ends>| [ends[d].home, ends[d].elsewhere, ends[d].count];
                self.ends.iter().flat_map(counts).map(|count| count as f64).collect()
            })
            .collect();
        Array::of_rows(format!("basin_xi={}", self.pair.name()), &rows)
    }
}

/// Distances from the smallest to the largest, evenly spaced on a logarithmic axis.
fn fine(distances: &[f64]) -> Vec<f64> {
    const POINTS: i32 = 40;
    let low = distances.iter().copied().fold(f64::INFINITY, f64::min);
    let high = distances.iter().copied().fold(0.0, f64::max);
    (0..=POINTS).map(|i| low * libm::pow(high / low, f64::from(i) / f64::from(POINTS))).collect()
}

/// How many starts at this distance lie in the cell of the state to begin with.
fn share_inside(n: usize, pair: &Pair, distance: f64, bench: &Bench<'_>) -> f64 {
    let (stream, reach) = (bench.streams().named("directions"), distance * pair.norm());
    let mut random = vec![0.0; n];
    let inside = (0..DIRECTIONS).filter(|index| {
        stream.normals(*index, &mut random);
        let away = direction(Kind::Random, &random);
        let start: Vec<f64> = pair.point.w.iter().zip(away).map(|(w, x)| w + reach * x).collect();
        vote(&start, 0) > 1.0 && start[0] * pair.point.w[0] > 0.0
    });
    inside.count() as f64 / DIRECTIONS as f64
}

/// Starts closer to the state than the nearest wall of its cell come back, every one.
pub(super) fn claim(settings: &Dictator, basins: &[Basin<'_>]) -> Option<Claim> {
    let (mut count, mut home) = (Vec::new(), Vec::new());
    for basin in basins.iter().filter(|basin| basin.pair.point.exists) {
        for (d, distance) in settings.distance.iter().enumerate() {
            if distance * basin.pair.norm() < basin.pair.inner_radius() {
                let ends = basin.ends.iter().map(|way| way[d]);
                count.push(ends.clone().map(|ends| ends.count as f64).sum::<f64>());
                home.push(ends.map(|ends| ends.home as f64).sum::<f64>());
            }
        }
    }
    if count.is_empty() {
        return None;
    }
    let statement = "every start closer to the dictator state than the nearest wall of its cell, (|w_0| - sum of the others) / sqrt n, \
                     comes back to that cell (number of starts, and of those that came back)";
    let chance: Vec<f64> = count.iter().map(|count| count / settings.n as f64).collect();
    let claim = Claim::exact("L003.75", statement, &count, &home, 1e-9);
    Some(claim.rejecting_exact("that the site they end at is one of n by chance", &chance, &home))
}
