//! The figure of `phase-cells`: ends of random starts, regions of cells on both rings, and depths along a line.

use super::PhaseCells;
use super::measure::{Found, Region, SLICE};
use fovea_desk::prelude::*;
use fovea_page::panel::Named;
use fovea_theory::ising::edge::edge;
use fovea_theory::ising::majority::majority;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "One ReLU unit between two Ising rings with couplings $J_-$ (label 0) and $J_+$ (label 1). (a) Mean IPR where the exact flow from \
    small random starts comes to rest on the small ring; solid and dashed, the edge below which one site can dominate, in closed form for both rings; dotted, equal couplings. Beyond the edge no start \
    ends with one site, and just below it most already end in larger cells. (b) Where a majority of 1, 3, 5, ... neighbours contains its own target: below or inside the line on the small ring, and the points on the large one. \
    (c) How deep the target lies in its cell along one line of the plane, on the small ring: closed form (lines) and all corners of the cube (points); a cell ends where \
    the depth reaches 0. (d) The fields themselves, which coexist at the same couplings on the large ring.";

pub(super) fn figure(settings: &PhaseCells, found: &Found) -> Figure {
    let PhaseCells { n, n_large, .. } = settings;
    let subtitle = format!(
        "Spins on rings of {n} and {n_large} sites. A cell, the weights that share a gate, has a fixed point of the flow where it contains its own target."
    );
    let title = "Which gates can hold a field, by the couplings of two Ising rings";
    let panels = [
        random_starts(settings, found),
        regions(settings, found),
        depths(settings, found),
        fields(settings),
    ];
    let figure = Figure::new(title).subtitle(subtitle).description(CAPTION);
    grid(figure, (2, 900.0, 0.75), panels)
}

/// The plane of couplings.
fn plane(settings: &PhaseCells) -> [Axis; 2] {
    let (neg, pos) = (&settings.coupling_neg, &settings.coupling_pos);
    let x = Axis::new("coupling $J_-$ (label 0)").range(neg[0], neg[1]);
    [x, Axis::new("coupling $J_+$ (label 1)").range(pos[0], pos[1])]
}

/// The line of equal couplings.
fn equal(settings: &PhaseCells) -> Mark {
    let ends = [settings.coupling_neg[0], settings.coupling_neg[1].min(settings.coupling_pos[1])];
    Mark::line(&ends, &ends, "", Style::guide())
}

fn random_starts(settings: &PhaseCells, found: &Found) -> Panel {
    let (neg, pos) = (&settings.coupling_neg, &settings.coupling_pos);
    let cells = Cells {
        values: found.random.iter().map(|row| row[2]).collect(),
        rows: settings.rows,
        cols: settings.columns,
        x: [neg[0], neg[1]],
        y: [pos[0], pos[1]],
        limits: Some((0.0, 1.0)),
        bar: "IPR at rest".to_owned(),
    };
    let edges = [(settings.n, Dash::Solid), (settings.n_large, Dash::Dashed)].map(|(n, dash)| {
        let style = Style { width: 1.8, ..Style::theory() }.dash(dash);
        let label = format!("one site can dominate below, n = {n}");
        along(&ladder(neg, 60), |neg| edge(n, neg)).line(label, style)
    });
    let ([x, y], title) = (plane(settings), format!("Where random starts end, n = {}", settings.n));
    heat_map(title, x, y, cells).with(equal(settings)).with_all(edges)
}

/// Data of every size of block, in the same style in every panel.
fn of_sizes<T>(settings: &PhaseCells, data: impl Fn(usize, usize) -> T) -> Vec<Named<T>> {
    let of = |(i, size): (usize, &usize)| {
        let label = if *size == 1 { "one site".to_owned() } else { format!("majority of {size}") };
        named(label, Style { size: 2.0, ..Style::series(i) }, data(i, *size))
    };
    settings.size.iter().enumerate().map(of).collect()
}

/// Regions on the small ring as lines, on the large ring as points.
fn regions(settings: &PhaseCells, found: &Found) -> Panel {
    let outlines = of_sizes(settings, |_, size| {
        let of = |n: usize, every: usize| {
            let here = |region: &&Region| region.n == n && region.size == size;
            let region = found.regions.iter().find(here);
            region.map_or_else(Xy::default, |region| outline(settings, region, every))
        };
        Compared { measured: of(settings.n_large, 4), theory: of(settings.n, 1) }
    });
    let [x, y] = plane(settings);
    arms_with_theory("Where a cell contains its target", x, y, outlines)
        .with(equal(settings))
        .note(format!("Lines: n = {}; points: n = {}.", settings.n, settings.n_large))
}

/// The upper edge of a region from left to right and its lower edge back, at every `every`-th column; where it has no lower edge, that is the border.
fn outline(settings: &PhaseCells, region: &Region, every: usize) -> Xy {
    let bottom = settings.coupling_pos[0] + 1e-9;
    let kept = || region.ends.iter().step_by(every);
    let upper = kept().map(|row| (row[0], row[2]));
    let lower = kept().rev().filter(|row| row[1] > bottom).map(|row| (row[0], row[1]));
    upper.chain(lower).collect()
}

/// The least depth that is shown.
const LEAST: f64 = -0.2;

fn depths(settings: &PhaseCells, found: &Found) -> Panel {
    let [fine, slice] = [120, SLICE].map(|steps| ladder(&settings.coupling_pos, steps));
    let depths = of_sizes(settings, |i, size| {
        let depth = |pos: f64| majority(settings.n, size, pos, settings.slice).depth;
        let shown = |pos: f64| Some(depth(pos)).filter(|d| *d >= LEAST).unwrap_or(f64::NAN);
        Compared { measured: xy(&slice, &found.depths[i]), theory: along(&fine, shown) }
    });
    let title = format!("Depth at $J_-$ = {}, n = {}", Value::Real(settings.slice), settings.n);
    let y = Axis::new("depth of the target in its cell").range(LEAST, 1.0);
    arms_with_theory(title, "coupling $J_+$ (label 1)", y, depths).with(guide_at_y(0.0, ""))
}

/// Targets of the cells at couplings where all of them exist, or nearly.
fn fields(settings: &PhaseCells) -> Panel {
    let ([pos, neg], n) = ([settings.slice + 0.05, settings.slice], settings.n_large);
    let reach = (settings.size.iter().max().copied().unwrap_or(1) / 2 + 4).min(n / 2 - 1) as i64;
    let fields = of_sizes(settings, |_, size| {
        let w = majority(n, size, pos, neg).w;
        // Sites are counted from the middle of the block.
        let at = |s: i64| w[(s + (size / 2) as i64).rem_euclid(n as i64) as usize];
        (-reach..=reach).map(at).collect()
    });
    let title = format!("Fields at $J_+$ = {pos:.2}, $J_-$ = {neg:.2}, n = {n}");
    ring_fields(title, Sites::FromPeak, "weight", fields, [])
}
