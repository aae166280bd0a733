//! The figure of `fields-2d`: fields as tiles, localization over time, and centres beside random places.

use super::{Fields2d, Population, Statistic};
use fovea_desk::prelude::*;
use fovea_page::tiles;
use fovea_sim::probe::population::localized_line;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "Top: the fields of one network at the end of training, a tile a unit, at the high gain and on Gaussian data; \
    every panel has its own colour scale, and its title counts the blobs of all networks. Bottom left: inverse participation ratio of every unit of every network over training; above the \
    line at 6/n a field counts as localized. Bottom right: statistics of the centres of localized fields, in standard deviations of \
    what as many independent uniform places have: the share of sites within a disc of a field's size around some centre, the mean \
    distance to the nearest other centre, and Greenwood's sum of squared gaps and K R^2 along the last axis. Every point is a network; \
    random places lie within the dotted lines, at two standard deviations, most of the time.";

pub(super) fn figure(settings: &Fields2d, [fields, control]: [&Population<'_>; 2]) -> Figure {
    let Fields2d { width, side, seeds, .. } = settings;
    let (pos, neg) = (Value::Real(settings.xi_pos), Value::Real(settings.xi_neg));
    let subtitle = format!(
        "{width} ReLU units on a torus of {side} x {side} sites, correlation lengths {pos} (label 1) and {neg} (label 0); {seeds} networks a gain."
    );
    let figure = Figure::new("Fields on a torus, at high gain and on Gaussian data")
        .subtitle(subtitle)
        .description(CAPTION);
    let tiled = [fields, control].map(|of| tiled(settings, of));
    let below = [over_time(settings, [control, fields]), beside_random(fields)];
    grid(figure, (2, 960.0, 0.72), tiled.into_iter().chain(below))
}

fn level(at: f64) -> Mark {
    Mark::Horizontal { at, label: String::new(), style: Style::guide() }
}

fn tiled(settings: &Fields2d, of: &Population<'_>) -> Panel {
    let weights = of.seeds.runs[0].network().weights();
    let (blobs, units) = (of.blobs.iter().sum::<usize>(), settings.width * settings.seeds);
    let title = format!("{}: {blobs} of {units} units are blobs", of.label);
    // Beside the colour bar a plot of this figure is 330 pixels wide: so high, sites are square.
    let (down, across) = tiles::grid(settings.width, 1);
    tiles::panel(&title, weights, (settings.side, settings.side), 1)
        .height(330.0 * down as f64 / across as f64)
}

fn over_time(settings: &Fields2d, arms: [&Population<'_>; 2]) -> Panel {
    let line = localized_line(settings.side * settings.side);
    let (x, y) = (Axis::new("training step"), Axis::new("IPR").from(0.0));
    let mut panel = Panel::new("localization", x, y).with(level(line));
    for (of, series) in arms.into_iter().zip([1, 0]) {
        let style = Style { width: 0.9, ..Style::series(series).solid() };
        for run in &of.seeds.runs {
            let steps: Vec<f64> = run.records().iter().map(|record| record.step as f64).collect();
            let iprs = run.readings(&probe::ipr::ENTRY);
            for unit in 0..settings.width {
                let values: Vec<f64> = iprs.iter().map(|units| units[unit][0]).collect();
                panel = panel.with(Mark::line(&steps, &values, of.label.clone(), style));
            }
        }
    }
    panel.note(format!("line: 6/n = {line:.4}; one curve a unit"))
}

fn beside_random(population: &Population<'_>) -> Panel {
    let short = |s: &Statistic| s.name.replace(" (last axis)", "").replace("K R^2", "$K R^2$");
    let ticks = population.tilings[0].iter().enumerate().map(|(i, s)| (i as f64, short(s)));
    let x = Axis::new("").range(-0.6, 3.6).ticks_at(ticks);
    let panel = Panel::new("centres beside random places", x, Axis::new("z against random places"))
        .with_all([-2.0, 0.0, 2.0].map(level));
    let networks = population.tilings.len() as f64;
    let points = population.tilings.iter().enumerate().flat_map(|(network, statistics)| {
        let offset = 0.4 * ((network as f64 + 0.5) / networks - 0.5);
        statistics.iter().enumerate().map(move |(at, s)| (at as f64 + offset, s.z))
    });
    let (x, y): (Vec<f64>, Vec<f64>) = points.unzip();
    panel.with(Mark::points(&x, &y, "", Style::series(2)))
}
