//! Where each cell exists, in closed form on both rings and by all corners on the small one; and where random starts
//! end over the plane of couplings, by the exact flow.

use super::PhaseCells;
use fovea_desk::cell::in_dictator_cell;
use fovea_desk::prelude::*;
use fovea_desk::two_class::random_start;
use fovea_theory::FormError;
use fovea_theory::cell_flow::CellFlow;
use fovea_theory::cell_walk::Rest;
use fovea_theory::ising::edge::edge;
use fovea_theory::ising::majority::{Majority, majority};
use fovea_theory::ising::rest::rest;

/// Walls that a flow from inside a cell may cross before it is stopped.
const MOST_WALLS: usize = 100_000;
/// Steps of the search for the couplings between which a cell exists.
const SCAN: usize = 80;
/// Steps along the slice.
pub(super) const SLICE: usize = 40;

/// The couplings between which the majority of a block of neighbours exists.
pub(super) struct Region {
    pub(super) n: usize,
    pub(super) size: usize,
    /// Coupling of class neg, weakest and strongest coupling of class pos; where the cell exists.
    pub(super) ends: Vec<Vec<f64>>,
}

/// One pair of couplings on the small ring, for one size of block.
#[derive(Clone)]
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

/// The cells that exist, and where random starts end.
pub struct Found {
    pub(super) regions: Vec<Region>,
    pub(super) places: Vec<Place>,
    /// For every size the depth along the slice on the small ring by all corners, NaN where there is none.
    pub(super) depths: Vec<Vec<f64>>,
    /// Odd ring sizes and the depth of the flat field there, by all corners.
    pub(super) flat: Vec<(usize, f64)>,
    /// Coupling of class neg, edge of the dictator state in closed form and by all corners.
    pub(super) edges: Vec<[f64; 3]>,
    /// Couplings of class neg and pos, mean IPR where random starts end, and the share of them that end with one dominating site.
    pub(super) random: Vec<Vec<f64>>,
}

impl Found {
    pub(super) fn new(settings: &PhaseCells, desk: &Desk<'_>) -> Result<Self, LabError> {
        let PhaseCells { n, size, .. } = settings;
        let sizes = |n: usize| size.iter().map(move |size| (n, *size));
        let wanted: Vec<(usize, usize)> = sizes(*n).chain(sizes(settings.n_large)).collect();
        let regions = desk.try_fleet(&wanted, |(n, size)| region(settings, *n, *size))?;
        let places = desk.try_fleet(&settings.points(), |at| places(settings, *at))?.concat();
        let edges = |neg| Ok([neg, edge(*n, neg), edge_by_corners(*n, neg)?]);
        let edges = [0.1, 0.3, 0.5, 0.7, 1.0].into_iter().map(edges);
        let edges = edges.collect::<Result<_, FormError>>()?;
        let mut depths = vec![Vec::new(); size.len()];
        for coupling in ladder(&settings.coupling_pos, SLICE) {
            let flow =
                CellFlow::between_ising(*n, coupling, settings.slice).map_err(FormError::from)?;
            for (size, depths) in size.iter().zip(&mut depths) {
                depths.push(flow.depth_of_cell(&block(*n, *size)).unwrap_or(f64::NAN));
            }
        }
        let (flat, random) = (flat(*n)?, random(settings, desk)?);
        Ok(Self { regions, places, depths, flat, edges, random })
    }

    pub(super) fn arrays(&self) -> Vec<Array> {
        let row = |place: &Place| {
            let at = [place.coupling_neg, place.coupling_pos, place.size as f64];
            [&at[..], &[place.closed.depth, place.depth, place.closed.ipr]].concat()
        };
        let mut arrays =
            vec![Array::of_rows("depths", &self.places.iter().map(row).collect::<Vec<_>>())];
        let held = self.regions.iter().filter(|region| !region.ends.is_empty());
        arrays.extend(held.map(|Region { n, size, ends }| {
            Array::of_rows(format!("region_n={n}_size={size}"), ends)
        }));
        arrays.push(Array::of_rows("random_starts", &self.random));
        arrays
    }
}

/// Weights of a block: one on each of its sites.
fn block(n: usize, size: usize) -> Vec<f64> {
    (0..n).map(|i| f64::from(u8::from(i < size))).collect()
}

/// The last value at which something exists that does at `inside` and not at `outside`, by bisection.
fn halved<E>(
    (mut inside, mut outside): (f64, f64),
    steps: usize,
    there: impl Fn(f64) -> Result<bool, E>,
) -> Result<f64, E> {
    for _ in 0..steps {
        let middle = f64::midpoint(inside, outside);
        if there(middle)? { inside = middle } else { outside = middle }
    }
    Ok(inside)
}

/// The longest stretch of couplings on which a cell exists, its ends found by bisection.
fn region(settings: &PhaseCells, n: usize, size: usize) -> Result<Region, LabError> {
    let scan = ladder(&settings.coupling_pos, SCAN);
    let mut ends = Vec::new();
    for neg in ladder(&settings.coupling_neg, 60) {
        let exists = |pos: f64| majority(n, size, pos, neg).exists;
        let here: Vec<bool> = scan.iter().map(|pos| exists(*pos)).collect();
        let (mut at, mut longest) = (0, 0..0);
        for stretch in here.chunk_by(|a, b| a == b) {
            if stretch[0] && stretch.len() > longest.len() {
                longest = at..at + stretch.len();
            }
            at += stretch.len();
        }
        let edge = |inside: usize, outside: Option<&f64>| match outside {
            None => Ok(scan[inside]),
            Some(outside) => {
                halved((scan[inside], *outside), 30, |pos| Ok::<_, LabError>(exists(pos)))
            }
        };
        if !longest.is_empty() {
            let below = longest.start.checked_sub(1).and_then(|i| scan.get(i));
            let low = edge(longest.start, below)?;
            ends.push(vec![neg, low, edge(longest.end - 1, scan.get(longest.end))?]);
        }
    }
    Ok(Region { n, size, ends })
}

/// Every size of block at one pair of couplings.
fn places(settings: &PhaseCells, [pos, neg]: [f64; 2]) -> Result<Vec<Place>, FormError> {
    let flow = CellFlow::between_ising(settings.n, pos, neg)?;
    let mut places = Vec::new();
    for &size in &settings.size {
        let closed = majority(settings.n, size, pos, neg);
        let depth = flow.depth_of_cell(&block(settings.n, size));
        let mut end = None;
        if let Some(depth) = depth {
            // No corner's sum moves by more than half of what separates it from its wall.
            let total: f64 = closed.w.iter().map(|w| w.abs()).sum();
            let push = 0.5 * depth * total / settings.n as f64;
            let start: Vec<f64> = (0..settings.n)
                .map(|i| closed.w[i] + push * if i % 3 == 0 { 1.0 } else { -1.0 })
                .collect();
            end = Some(flow.start(&start)?.rest(MOST_WALLS)?.ipr());
        }
        let depth = depth.unwrap_or(0.0);
        places.push(Place { size, coupling_pos: pos, coupling_neg: neg, closed, depth, end });
    }
    Ok(places)
}

/// The depth of the flat field on the odd rings just below and above, at a few couplings.
fn flat(n: usize) -> Result<Vec<(usize, f64)>, FormError> {
    let odd = if n % 2 == 1 { n } else { n - 1 };
    let mut found = Vec::new();
    for n in [odd - 2, odd] {
        for [pos, neg] in [[0.2, 0.9], [0.7, 0.3], [1.5, 0.1], [1.9, 1.1]] {
            let depth = CellFlow::between_ising(n, pos, neg)?.depth_of_cell(&vec![1.0; n]);
            found.push((n, depth.unwrap_or(0.0)));
        }
    }
    Ok(found)
}

/// The strongest coupling at which every corner agrees with one dominating site, by bisection between class neg's
/// coupling and twice as far as the closed form.
fn edge_by_corners(n: usize, neg: f64) -> Result<f64, FormError> {
    halved((neg, neg + 2.0 * (edge(n, neg) - neg)), 45, |pos| {
        Ok(CellFlow::between_ising(n, pos, neg)?.depth_of_cell(&block(n, 1)).is_some())
    })
}

/// Ends of random starts at every pair of couplings, class neg running fastest.
fn random(settings: &PhaseCells, desk: &Desk<'_>) -> Result<Vec<Vec<f64>>, LabError> {
    let PhaseCells { n, starts, init_scale, .. } = *settings;
    let (points, stream) = (settings.points(), desk.streams().named("starts"));
    let draws: Vec<usize> = (0..points.len() * starts).collect();
    let ends = desk.try_fleet(&draws, |draw| {
        rest(points[draw / starts], &random_start(n, init_scale, &stream, *draw as u64))
    })?;
    let share = 1.0 / starts as f64;
    let row = |([pos, neg], ends): (&[f64; 2], &[Rest])| {
        let ipr = ends.iter().map(|end| share * end.ipr()).sum();
        let one_site = |end: &Rest| share * f64::from(u8::from(in_dictator_cell(&end.w)));
        vec![*neg, *pos, ipr, ends.iter().map(one_site).sum()]
    };
    Ok(points.iter().zip(ends.chunks(starts)).map(row).collect())
}
