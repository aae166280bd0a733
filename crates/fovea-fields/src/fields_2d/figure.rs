//! The figure of `fields-2d`: fields as tiles, localization over time, and centres compared with random positions.

use super::{Fields2d, Population};
use fovea_desk::prelude::*;
use fovea_sim::probe::population::localized_line;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "Top: the fields of one network at the end of training, one tile per unit, at the high gain and on Gaussian data; \
    every panel has its own colour scale, and its title counts the blobs of all networks. Bottom left: inverse participation ratio (IPR) of every unit of every network over training; above the \
    dotted line at 6/n a field counts as localized. Bottom right: four statistics of the centres of localized fields, a point per network: the share of sites within a disc of a field's size around some centre, the mean \
    distance to the nearest other centre, and, along the last axis, Greenwood's sum of squared gaps and Rayleigh's K R^2 of the resultant R. Each is given in standard deviations over \
    as many independent uniform positions, which lie within the dotted lines at two standard deviations most of the time.";

pub(super) fn figure(settings: &Fields2d, [fields, control]: [&Population<'_>; 2]) -> Figure {
    let Fields2d { width, side, seeds, .. } = settings;
    let (pos, neg) = (Value::Real(settings.xi_pos), Value::Real(settings.xi_neg));
    let subtitle = format!(
        "{width} ReLU units on a torus of {side} x {side} sites, correlation lengths {pos} (label 1) and {neg} (label 0); {seeds} networks per gain."
    );
    let figure = Figure::new("Fields on a torus, at high gain and on Gaussian data")
        .subtitle(subtitle)
        .description(CAPTION);
    let tiled = [fields, control].map(|of| tiled(settings, of));
    let below = [over_time(settings, [control, fields]), centres(fields)];
    grid(figure, (2, 960.0, 0.72), tiled.into_iter().chain(below))
}

fn tiled(settings: &Fields2d, of: &Population<'_>) -> Panel {
    let weights = of.seeds.runs[0].network().weights();
    let (blobs, units) = (of.blobs.iter().sum::<usize>(), settings.width * settings.seeds);
    let title = format!("{}: {blobs} of {units} units are blobs", of.label);
    // Next to the colour bar a plot of this figure is 330 pixels wide: so high, sites are square.
    let (down, across) = fovea_page::tiles::grid(settings.width, 1);
    tiles(title, weights, (settings.side, settings.side), 1)
        .height(330.0 * down as f64 / across as f64)
}

fn over_time(settings: &Fields2d, arms: [&Population<'_>; 2]) -> Panel {
    let units = |run: &&Trained| {
        let steps: Vec<u64> = run.records().iter().map(|record| record.step).collect();
        let iprs = run.readings(&probe::ipr::ENTRY);
        let of = |unit: usize| xy(&steps, iprs.iter().map(|units| units[unit][0]));
        (0..settings.width).map(of).collect::<Vec<_>>()
    };
    let of = |(arm, series): (&Population<'_>, usize)| {
        let curves = arm.seeds.runs.iter().flat_map(units).collect();
        named(arm.label.clone(), Style::series(series), curves)
    };
    let (line, ipr) = (localized_line(settings.side * settings.side), Axis::new("IPR").from(0.0));
    let arms = arms.into_iter().zip([1, 0]).map(of);
    lines_per_run("localization", "training step", ipr, arms)
        .with(guide_at_y(line, ""))
        .note(format!("dotted line: 6/n = {line:.4}; one curve per unit"))
}

fn centres(fields: &Population<'_>) -> Panel {
    let names = ["covered share", "nearest other", "squared gaps", "resultant"];
    let z = |i: usize| fields.tilings.iter().map(|statistics| statistics[i].z).collect();
    let z = unnamed(Style::series(2), (0..names.len()).map(z).collect());
    let (x, y) = (categories("", names), "standard deviations");
    runs_by_category("centres, compared with random positions", x, y, [z])
        .with_all([-2.0, 0.0, 2.0].map(|at| guide_at_y(at, "")))
}
