//! The figure of `phase-cells`: ends of random starts, regions of cells on both rings, and depths along a line.

use super::PhaseCells;
use super::measure::{Cells, Plane, Region, ladder};
use fovea_desk::prelude::*;
use fovea_theory::ising::edge::edge;
use fovea_theory::ising::majority::majority;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "One ReLU unit between two Ising rings with couplings $J_-$ (label 0) and $J_+$ (label 1). (a) Mean IPR where the exact flow from \
    small random starts comes to rest on the small ring; solid and dashed, the edge below which one site can dominate, in closed form for both rings. Beyond it no start \
    ends with one site, and just below it most already end in larger cells. (b) Where a majority of 1, 3, 5, ... neighbours contains its own target: below or inside the line. \
    (c) How deep the target lies in its cell along one line of the plane: closed form (lines) and all corners of the cube (points); a cell ends where \
    the depth reaches 0. (d) The fields themselves, which coexist at the same couplings.";

pub(super) fn figure(settings: &PhaseCells, cells: &Cells, plane: &Plane) -> Figure {
    let subtitle = format!(
        "Spins on rings of {} and {} sites. A cell, the weights that share a gate, holds an end of the flow where it contains its own target.",
        settings.n, settings.n_large
    );
    Figure::new("Which gates can hold a field, by the couplings of two Ising rings")
        .subtitle(subtitle)
        .columns(2)
        .width(900.0)
        .aspect(0.75)
        .description(CAPTION)
        .panel(random_starts(settings, plane))
        .panel(regions(settings, cells))
        .panel(depths(settings, cells))
        .panel(fields(settings))
}

fn axes(settings: &PhaseCells) -> (Axis, Axis) {
    let (neg, pos) = (&settings.coupling_neg, &settings.coupling_pos);
    (
        Axis::new("coupling $J_-$ (label 0)").range(neg[0], neg[1]),
        Axis::new("coupling $J_+$ (label 1)").range(pos[0], pos[1]),
    )
}

fn diagonal(settings: &PhaseCells) -> Mark {
    let ends = [settings.coupling_neg[0], settings.coupling_neg[1].min(settings.coupling_pos[1])];
    Mark::line(&ends, &ends, "", Style::guide())
}

fn random_starts(settings: &PhaseCells, plane: &Plane) -> Panel {
    let half = |ends: &[f64], count: usize| 0.5 * (ends[1] - ends[0]) / (count - 1) as f64;
    let (neg, pos) = (&settings.coupling_neg, &settings.coupling_pos);
    let (dx, dy) = (half(neg, settings.columns), half(pos, settings.rows));
    let heat = Heat {
        values: plane.ipr.clone(),
        rows: settings.rows,
        cols: settings.columns,
        x_range: (neg[0] - dx, neg[1] + dx),
        y_range: (pos[0] - dy, pos[1] + dy),
        map: ColorMap::Sequential,
        limits: Some((0.0, 1.0)),
        bar: Some("IPR at rest".to_owned()),
    };
    let (x, y) = axes(settings);
    let title = format!("Where random starts end, n = {}", settings.n);
    let mut panel = Panel::new(title, x, y).with(Mark::Heat(heat)).with(diagonal(settings));
    let couplings = ladder(neg, 60);
    for (n, dash) in [(settings.n, Dash::Solid), (settings.n_large, Dash::Dashed)] {
        let edges: Vec<f64> = couplings.iter().map(|neg| edge(n, *neg)).collect();
        let label = format!("one site can dominate below, n = {n}");
        let style = Style { width: 1.8, ..Style::theory() }.dash(dash);
        panel = panel.with(Mark::line(&couplings, &edges, label, style));
    }
    panel
}

fn name(size: usize) -> String {
    if size == 1 { "one site".to_owned() } else { format!("majority of {size}") }
}

/// Regions on the small ring as lines, on the large ring as points.
fn regions(settings: &PhaseCells, cells: &Cells) -> Panel {
    let (x, y) = axes(settings);
    let mut panel = Panel::new("Where a cell contains its target", x, y).with(diagonal(settings));
    for (i, size) in settings.size.iter().enumerate() {
        let style = Style::series(i);
        if let Some(region) = cells.region(settings.n, *size) {
            let (x, y) = outline(settings, region, 1);
            panel = panel.with(Mark::line(&x, &y, name(*size), style));
        }
        if let Some(region) = cells.region(settings.n_large, *size) {
            let (x, y) = outline(settings, region, 4);
            panel = panel.with(Mark::points(&x, &y, "", Style { size: 1.8, ..style }));
        }
    }
    panel.note(format!("Lines: n = {}; points: n = {}.", settings.n, settings.n_large))
}

/// The upper edge of a region from left to right and its lower edge back, every so many columns; without a lower edge that is the border.
fn outline(settings: &PhaseCells, region: &Region, every: usize) -> (Vec<f64>, Vec<f64>) {
    let bottom = settings.coupling_pos[0] + 1e-9;
    let kept = || region.ends.iter().step_by(every);
    let upper = kept().map(|[neg, _, high]| (*neg, *high));
    let lower = kept().rev().filter(|[_, low, _]| *low > bottom).map(|[neg, low, _]| (*neg, *low));
    upper.chain(lower).unzip()
}

fn depths(settings: &PhaseCells, cells: &Cells) -> Panel {
    let (couplings, depths) = &cells.slice;
    let fine = ladder(&settings.coupling_pos, 120);
    let title = format!("Depth at $J_-$ = {}, n = {}", Value::Real(settings.slice), settings.n);
    let y = Axis::new(r"depth of the target in its cell").range(-0.2, 1.0);
    let mut panel = Panel::new(title, Axis::new("coupling $J_+$ (label 1)"), y);
    for (i, size) in settings.size.iter().enumerate() {
        let line: Vec<f64> = fine
            .iter()
            .map(|pos| majority(settings.n, *size, *pos, settings.slice).depth)
            .collect();
        let style = Style::series(i);
        panel = panel
            .with(Mark::line(&fine, &line, "", style))
            .with(Mark::points(couplings, &depths[i], "", style));
    }
    panel.with(Mark::Horizontal { at: 0.0, label: String::new(), style: Style::guide() })
}

/// Targets of the cells at one place of the plane where all of them exist, or nearly.
fn fields(settings: &PhaseCells) -> Panel {
    let [pos, neg] = [settings.slice + 0.05, settings.slice];
    let n = settings.n_large;
    let title = format!("Fields at $J_+$ = {pos:.2}, $J_-$ = {neg:.2}, n = {n}");
    let mut panel = Panel::new(title, Axis::new("site"), Axis::new("weight"));
    let reach = (settings.size.iter().max().copied().unwrap_or(1) / 2 + 4).min(n / 2 - 1) as i64;
    for (i, size) in settings.size.iter().enumerate() {
        let w = majority(n, *size, pos, neg).w;
        // Sites are counted from the middle of the block.
        let at = |s: i64| w[(s + (*size / 2) as i64).rem_euclid(n as i64) as usize];
        let sites: Vec<f64> = (-reach..=reach).map(|s| s as f64).collect();
        let weights: Vec<f64> = (-reach..=reach).map(at).collect();
        let style = Style::series(i);
        panel = panel
            .with(Mark::line(&sites, &weights, "", style))
            .with(Mark::points(&sites, &weights, "", style));
    }
    panel
}
