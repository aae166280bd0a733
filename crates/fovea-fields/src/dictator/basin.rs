//! The basin of the dictator state: which starts come back to it, when random ones enter a cell, and how often one lies in a cell
//! already.

use super::Dictator;
use super::jobs::{Kind, WAYS, direction, group};
use super::measure::Pair;
use fovea_desk::cell::{in_dictator_cell, peak, vote};
use fovea_desk::prelude::*;
use fovea_desk::replicas::share;
use fovea_theory::dictator::dominance::dominance;

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
    fn of(group: &Group<'_>) -> Self {
        let mut ends = Self { count: group.runs.len(), ..Self::default() };
        for run in &group.runs {
            let w = run.network().weights();
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
pub(super) struct Basin {
    pub(super) pair: Arc<Pair>,
    /// `ends[way][distance]`.
    pub(super) ends: Vec<Vec<Ends>>,
    /// Share of starts in a random direction that lie in the cell, at many distances.
    pub(super) start_inside: Vec<(f64, f64)>,
    /// When each Glorot start was first seen in a cell, in order; infinite for never.
    pub(super) entered: Vec<f64>,
    /// How many Glorot starts ended in a cell.
    pub(super) glorot: Ends,
}

impl Basin {
    pub(super) fn new(
        settings: &Dictator,
        pair: &Arc<Pair>,
        runs: &Runs,
        streams: &Streams,
    ) -> Self {
        let of = |kind: Kind, distance: usize| runs.group(&group(pair, kind, distance));
        let distances = 0..settings.distance.len();
        let ends = WAYS.map(|way| distances.clone().map(|d| Ends::of(&of(way, d))).collect());
        let inside = |distance: f64| (distance, share_inside(pair, distance, streams));
        let first = |run: &&Trained| {
            let fields = run.readings(&probe::weights::ENTRY);
            let seen = fields.iter().position(|units| in_dictator_cell(&units[0]));
            seen.map_or(f64::INFINITY, |record| run.records()[record].time)
        };
        let glorot = of(Kind::Glorot, 0);
        let mut entered: Vec<f64> = glorot.runs.iter().map(first).collect();
        entered.sort_by(f64::total_cmp);
        Self {
            pair: Arc::clone(pair),
            ends: ends.to_vec(),
            start_inside: fine(&settings.distance).into_iter().map(inside).collect(),
            entered,
            glorot: Ends::of(&glorot),
        }
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
fn share_inside(pair: &Pair, distance: f64, streams: &Streams) -> f64 {
    let stream = streams.named("directions");
    let mut random = vec![0.0; pair.point.w.len()];
    let inside = (0..DIRECTIONS).filter(|index| {
        stream.normals(*index, &mut random);
        let start = pair.pushed(distance, &direction(Kind::Random, &random));
        vote(&start, 0) > 1.0 && start[0] * pair.point.w[0] > 0.0
    });
    inside.count() as f64 / DIRECTIONS as f64
}

/// Sizes that are drawn; the closed form reaches further.
const SIZES: std::ops::RangeInclusive<usize> = 2..=10;

/// Vectors of independent normals, a size a row.
pub(super) struct Draws {
    pub(super) sizes: Vec<usize>,
    pub(super) counted: Vec<Estimate>,
    pub(super) closed: Vec<f64>,
}

impl Draws {
    pub(super) fn new(settings: &Dictator, desk: &Desk<'_>) -> Result<Self, LabError> {
        let sizes: Vec<usize> = SIZES.collect();
        let stream = desk.streams().named("dominance");
        let counted = desk.try_fleet(&sizes, |n| {
            let mut numbers = vec![0.0; n * settings.draws];
            stream.normals(*n as u64, &mut numbers);
            let hits = numbers.chunks(*n).filter(|w| in_dictator_cell(w)).count();
            share(hits, settings.draws)
        })?;
        let closed = sizes.iter().map(|n| dominance(*n)).collect();
        Ok(Self { sizes, counted, closed })
    }

    /// Size, counted share, its standard error, closed form.
    pub(super) fn array(&self) -> Array {
        let rows: Vec<Vec<f64>> = (0..self.sizes.len())
            .map(|i| {
                let counted = &self.counted[i];
                vec![self.sizes[i] as f64, counted.mean(), counted.se(), self.closed[i]]
            })
            .collect();
        Array::of_rows("dominance", &rows)
    }
}
