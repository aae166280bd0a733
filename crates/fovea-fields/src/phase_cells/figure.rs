//! The figure of `phase-cells`: ends of random starts, regions of cells on both rings, and depths along a line.

use super::PhaseCells;
use super::measure::{Found, Region, SLICE};
use fovea_desk::prelude::*;
use fovea_theory::ising::edge::edge;
use fovea_theory::ising::majority::majority;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "One ReLU unit between two Ising rings with couplings $J_-$ (label 0) and $J_+$ (label 1). (a) Mean IPR where the exact flow from \
    small random starts comes to rest on the small ring; solid and dashed, the edge below which one site can dominate, in closed form for both rings. Beyond it no start \
    ends with one site, and just below it most already end in larger cells. (b) Where a majority of 1, 3, 5, ... neighbours contains its own target: below or inside the line. \
    (c) How deep the target lies in its cell along one line of the plane: closed form (lines) and all corners of the cube (points); a cell ends where \
    the depth reaches 0. (d) The fields themselves, which coexist at the same couplings.";

pub(super) fn figure(settings: &PhaseCells, found: &Found) -> Figure {
    let PhaseCells { n, n_large, .. } = settings;
    let subtitle = format!(
        "Spins on rings of {n} and {n_large} sites. A cell, the weights that share a gate, holds an end of the flow where it contains its own target."
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

/// An empty plane of the couplings.
fn plane(settings: &PhaseCells, title: impl Into<String>) -> Panel {
    let (neg, pos) = (&settings.coupling_neg, &settings.coupling_pos);
    let x = Axis::new("coupling $J_-$ (label 0)").range(neg[0], neg[1]);
    Panel::new(title, x, Axis::new("coupling $J_+$ (label 1)").range(pos[0], pos[1]))
}

fn diagonal(settings: &PhaseCells) -> Mark {
    let ends = [settings.coupling_neg[0], settings.coupling_neg[1].min(settings.coupling_pos[1])];
    Mark::line(&ends, &ends, "", Style::guide())
}

fn random_starts(settings: &PhaseCells, found: &Found) -> Panel {
    let half = |ends: &[f64], count: usize| 0.5 * (ends[1] - ends[0]) / (count - 1) as f64;
    let (neg, pos) = (&settings.coupling_neg, &settings.coupling_pos);
    let (dx, dy) = (half(neg, settings.columns), half(pos, settings.rows));
    let heat = Heat {
        values: found.random.iter().map(|row| row[2]).collect(),
        rows: settings.rows,
        cols: settings.columns,
        x_range: (neg[0] - dx, neg[1] + dx),
        y_range: (pos[0] - dy, pos[1] + dy),
        map: ColorMap::Sequential,
        limits: Some((0.0, 1.0)),
        bar: Some("IPR at rest".to_owned()),
    };
    let couplings = ladder(neg, 60);
    let edges = [(settings.n, Dash::Solid), (settings.n_large, Dash::Dashed)].map(|(n, dash)| {
        let edges: Vec<f64> = couplings.iter().map(|neg| edge(n, *neg)).collect();
        let label = format!("one site can dominate below, n = {n}");
        let style = Style { width: 1.8, ..Style::theory() }.dash(dash);
        Mark::line(&couplings, &edges, label, style)
    });
    plane(settings, format!("Where random starts end, n = {}", settings.n))
        .with(Mark::Heat(heat))
        .with(diagonal(settings))
        .with_all(edges)
}

/// Regions on the small ring as lines, on the large ring as points.
fn regions(settings: &PhaseCells, found: &Found) -> Panel {
    let region = |size: usize, n: usize| {
        found.regions.iter().find(|region| region.n == n && region.size == size)
    };
    let mut panel = plane(settings, "Where a cell contains its target").with(diagonal(settings));
    for (i, size) in settings.size.iter().enumerate() {
        let (style, small) = (Style::series(i), Style { size: 1.8, ..Style::series(i) });
        let name = if *size == 1 { "one site".to_owned() } else { format!("majority of {size}") };
        let line = region(*size, settings.n).map(|region| outline(settings, region, 1));
        let points = region(*size, settings.n_large).map(|region| outline(settings, region, 4));
        panel = panel
            .with_all(line.map(|(x, y)| Mark::line(&x, &y, name, style)))
            .with_all(points.map(|(x, y)| Mark::points(&x, &y, "", small)));
    }
    panel.note(format!("Lines: n = {}; points: n = {}.", settings.n, settings.n_large))
}

/// The upper edge of a region from left to right and its lower edge back, every so many columns; without a lower edge that is the border.
fn outline(settings: &PhaseCells, region: &Region, every: usize) -> (Vec<f64>, Vec<f64>) {
    let bottom = settings.coupling_pos[0] + 1e-9;
    let kept = || region.ends.iter().step_by(every);
    let upper = kept().map(|row| (row[0], row[2]));
    let lower = kept().rev().filter(|row| row[1] > bottom).map(|row| (row[0], row[1]));
    upper.chain(lower).unzip()
}

fn depths(settings: &PhaseCells, found: &Found) -> Panel {
    let [fine, slice] = [120, SLICE].map(|steps| ladder(&settings.coupling_pos, steps));
    let both = |(i, size): (usize, &usize)| {
        let depth = |pos: &f64| majority(settings.n, *size, *pos, settings.slice).depth;
        let (line, style): (Vec<f64>, _) = (fine.iter().map(depth).collect(), Style::series(i));
        let corners = Mark::points(&slice, &found.depths[i], "", style);
        [Mark::line(&fine, &line, "", style), corners]
    };
    let title = format!("Depth at $J_-$ = {}, n = {}", Value::Real(settings.slice), settings.n);
    let y = Axis::new(r"depth of the target in its cell").range(-0.2, 1.0);
    Panel::new(title, Axis::new("coupling $J_+$ (label 1)"), y)
        .with_all(settings.size.iter().enumerate().flat_map(both))
        .with(Mark::Horizontal { at: 0.0, label: String::new(), style: Style::guide() })
}

/// Targets of the cells at one place of the plane where all of them exist, or nearly.
fn fields(settings: &PhaseCells) -> Panel {
    let [pos, neg] = [settings.slice + 0.05, settings.slice];
    let n = settings.n_large;
    let reach = (settings.size.iter().max().copied().unwrap_or(1) / 2 + 4).min(n / 2 - 1) as i64;
    let sites: Vec<f64> = (-reach..=reach).map(|s| s as f64).collect();
    let field = |(i, size): (usize, &usize)| {
        let w = majority(n, *size, pos, neg).w;
        // Sites are counted from the middle of the block.
        let at = |s: i64| w[(s + (*size / 2) as i64).rem_euclid(n as i64) as usize];
        let weights: Vec<f64> = (-reach..=reach).map(at).collect();
        let style = Style::series(i);
        [Mark::line(&sites, &weights, "", style), Mark::points(&sites, &weights, "", style)]
    };
    let title = format!("Fields at $J_+$ = {pos:.2}, $J_-$ = {neg:.2}, n = {n}");
    Panel::new(title, Axis::new("site"), Axis::new("weight"))
        .with_all(settings.size.iter().enumerate().flat_map(field))
}
