//! Where each cell exists, in closed form on both rings and by asking every corner on the small one; and where random starts
//! end over the plane of couplings, by the exact flow.

use super::PhaseCells;
use fovea_desk::cell::in_dictator_cell;
use fovea_desk::prelude::*;
use fovea_theory::FormError;
use fovea_theory::cell_flow::CellFlow;
use fovea_theory::ising::edge::edge;
use fovea_theory::ising::majority::{Majority, majority};
use fovea_theory::ising::rest::rest;

/// Walls that a flow started inside a cell may cross before it is given up.
const MOST_WALLS: usize = 100_000;
/// Steps of the search for the couplings between which a cell exists.
const SCAN: usize = 80;

/// The couplings between which a block of neighbours holds the field.
pub(super) struct Region {
    pub(super) n: usize,
    pub(super) size: usize,
    /// Coupling of class neg, weakest and strongest coupling of class pos; where the cell exists.
    pub(super) ends: Vec<[f64; 3]>,
}

/// One place of the plane on the small ring, for one size of block.
pub(super) struct Place {
    pub(super) size: usize,
    pub(super) coupling_pos: f64,
    pub(super) coupling_neg: f64,
    pub(super) closed: Majority,
    /// How deep the target lies by all corners; 0 where it contradicts its gate.
    pub(super) depth: f64,
    /// IPR where the flow ends that starts halfway to the nearest wall; none where the cell does not exist.
    pub(super) end: Option<f64>,
}

/// Everything known about cells.
pub(super) struct Cells {
    pub(super) regions: Vec<Region>,
    pub(super) places: Vec<Place>,
    /// Along the slice on the small ring: couplings, and for every size the depth by all corners, NaN where there is none.
    pub(super) slice: (Vec<f64>, Vec<Vec<f64>>),
    /// Odd ring sizes and the depth of the flat field there, by all corners.
    pub(super) flat: Vec<(usize, f64)>,
    /// Coupling of class neg, edge of the dictator state in closed form and by all corners.
    pub(super) edges: Vec<[f64; 3]>,
}

impl Cells {
    pub(super) fn new(settings: &PhaseCells, desk: &Desk<'_>) -> Result<Self, LabError> {
        let wanted: Vec<(usize, usize)> = [settings.n, settings.n_large]
            .into_iter()
            .flat_map(|n| settings.size.iter().map(move |size| (n, *size)))
            .collect();
        let regions = desk.fleet(&wanted, |(n, size)| region(settings, *n, *size))?;
        let found = desk.try_fleet(&settings.points(), |at| places(settings, *at))?;
        let edges = [0.1, 0.3, 0.5, 0.7, 1.0]
            .into_iter()
            .map(|neg| Ok([neg, edge(settings.n, neg), edge_by_corners(settings.n, neg)?]))
            .collect::<Result<Vec<_>, LabError>>()?;
        let places = found.into_iter().flatten().collect();
        Ok(Self { regions, places, slice: slice(settings)?, flat: flat(settings)?, edges })
    }

    pub(super) fn region(&self, n: usize, size: usize) -> Option<&Region> {
        self.regions.iter().find(|region| region.n == n && region.size == size)
    }
}

/// `steps + 1` couplings from the first to the last of a pair.
pub(super) fn ladder(ends: &[f64], steps: usize) -> Vec<f64> {
    (0..=steps).map(|i| ends[0] + (ends[1] - ends[0]) * i as f64 / steps as f64).collect()
}

/// Weights of a block: one on each of its sites.
fn block(n: usize, size: usize) -> Vec<f64> {
    (0..n).map(|i| f64::from(u8::from(i < size))).collect()
}

fn ring(n: usize, coupling_pos: f64, coupling_neg: f64) -> Result<CellFlow, LabError> {
    Ok(CellFlow::between_ising(n, coupling_pos, coupling_neg).map_err(FormError::from)?)
}

/// The longest stretch of couplings on which a cell exists, its ends found by halving.
fn region(settings: &PhaseCells, n: usize, size: usize) -> Region {
    let scan = ladder(&settings.coupling_pos, SCAN);
    let mut ends = Vec::new();
    for neg in ladder(&settings.coupling_neg, 60) {
        let exists = |pos: f64| majority(n, size, pos, neg).exists;
        let here: Vec<bool> = scan.iter().map(|pos| exists(*pos)).collect();
        let stretches = here.chunk_by(|a, b| a == b);
        let (mut at, mut longest) = (0, None);
        for stretch in stretches {
            let held = stretch[0] && longest.is_none_or(|(_, length)| stretch.len() > length);
            longest = if held { Some((at, stretch.len())) } else { longest };
            at += stretch.len();
        }
        let Some((first, length)) = longest else { continue };
        let edge = |inside: usize, outside: Option<&f64>| {
            outside.map_or(scan[inside], |outside| {
                let (mut a, mut b) = (scan[inside], *outside);
                for _ in 0..30 {
                    let middle = f64::midpoint(a, b);
                    if exists(middle) { a = middle } else { b = middle }
                }
                a
            })
        };
        let below = first.checked_sub(1).and_then(|i| scan.get(i));
        let last = first + length - 1;
        ends.push([neg, edge(first, below), edge(last, scan.get(last + 1))]);
    }
    Region { n, size, ends }
}

/// Every size of block at one place of the plane.
fn places(settings: &PhaseCells, [pos, neg]: [f64; 2]) -> Result<Vec<Place>, LabError> {
    let flow = ring(settings.n, pos, neg)?;
    let mut places = Vec::new();
    for &size in &settings.size {
        let closed = majority(settings.n, size, pos, neg);
        let depth = flow.depth_of_cell(&block(settings.n, size));
        let end = match depth {
            None => None,
            Some(depth) => {
                // No corner's sum moves by more than half of what separates it from its wall.
                let total: f64 = closed.w.iter().map(|w| w.abs()).sum();
                let push = 0.5 * depth * total / settings.n as f64;
                let start: Vec<f64> = (0..settings.n)
                    .map(|i| closed.w[i] + push * if i % 3 == 0 { 1.0 } else { -1.0 })
                    .collect();
                let walk = flow.start(&start).map_err(FormError::from)?;
                Some(walk.rest(MOST_WALLS).map_err(FormError::from)?.ipr())
            }
        };
        let depth = depth.unwrap_or(0.0);
        places.push(Place { size, coupling_pos: pos, coupling_neg: neg, closed, depth, end });
    }
    Ok(places)
}

/// Depths along the slice, by all corners.
fn slice(settings: &PhaseCells) -> Result<(Vec<f64>, Vec<Vec<f64>>), LabError> {
    let couplings = ladder(&settings.coupling_pos, 40);
    let mut depths = vec![Vec::new(); settings.size.len()];
    for coupling in &couplings {
        let flow = ring(settings.n, *coupling, settings.slice)?;
        for (size, depths) in settings.size.iter().zip(&mut depths) {
            let depth = flow.depth_of_cell(&block(settings.n, *size));
            depths.push(depth.unwrap_or(f64::NAN));
        }
    }
    Ok((couplings, depths))
}

/// The depth of the flat field on the odd rings just below and above, at a few couplings.
fn flat(settings: &PhaseCells) -> Result<Vec<(usize, f64)>, LabError> {
    let odd = if settings.n % 2 == 1 { settings.n } else { settings.n - 1 };
    let mut found = Vec::new();
    for n in [odd - 2, odd] {
        for [pos, neg] in [[0.2, 0.9], [0.7, 0.3], [1.5, 0.1], [1.9, 1.1]] {
            let depth = ring(n, pos, neg)?.depth_of_cell(&vec![1.0; n]);
            found.push((n, depth.unwrap_or(0.0)));
        }
    }
    Ok(found)
}

/// The strongest coupling at which every corner agrees with one dominating site, by halving from half and twice the
/// closed form on.
fn edge_by_corners(n: usize, neg: f64) -> Result<f64, LabError> {
    let closed = edge(n, neg);
    let (mut low, mut high) = (neg, neg + 2.0 * (closed - neg));
    for _ in 0..45 {
        let middle = f64::midpoint(low, high);
        let exists = ring(n, middle, neg)?.depth_of_cell(&block(n, 1)).is_some();
        if exists { low = middle } else { high = middle }
    }
    Ok(low)
}

/// Ends of random starts at every place.
pub(super) struct Plane {
    /// Mean IPR at rest, row after row of couplings of class pos.
    pub(super) ipr: Vec<f64>,
    /// Share of starts that end with one dominating site.
    pub(super) one_site: Vec<f64>,
    pub(super) points: Vec<[f64; 2]>,
}

impl Plane {
    pub(super) fn new(settings: &PhaseCells, desk: &Desk<'_>) -> Result<Self, LabError> {
        let stream = desk.streams().named("starts");
        let std = (2.0 * settings.init_scale / (settings.n + 1) as f64).sqrt();
        let points = settings.points();
        let jobs: Vec<(usize, usize)> = (0..points.len())
            .flat_map(|place| (0..settings.starts).map(move |start| (place, start)))
            .collect();
        let ends = desk.try_fleet(&jobs, |(place, start)| {
            let mut w = vec![0.0; settings.n];
            stream.normals((place * settings.starts + start) as u64, &mut w);
            let w: Vec<f64> = w.iter().map(|w| std * w).collect();
            rest(points[*place], &w)
        })?;
        let share = 1.0 / settings.starts as f64;
        let (mut ipr, mut one_site) = (vec![0.0; points.len()], vec![0.0; points.len()]);
        for ((place, _), end) in jobs.iter().zip(ends) {
            ipr[*place] += share * end.ipr();
            one_site[*place] += share * f64::from(u8::from(in_dictator_cell(&end.w)));
        }
        Ok(Self { ipr, one_site, points })
    }
}
