//! The figure of `fields-2d`: fields at both gains, IPR over training, and how the centres lie beside random ones.

use super::Fields2d;
use super::measure::{Population, fields};
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
    let subtitle = format!(
        "{} ReLU units on a torus of {} x {} sites, correlation lengths {} (label 1) and {} (label 0); {} networks a gain.",
        settings.width,
        settings.side,
        settings.side,
        Value::Real(settings.xi_pos),
        Value::Real(settings.xi_neg),
        settings.seeds
    );
    Figure::new("Fields on a torus, at high gain and on Gaussian data")
        .subtitle(subtitle)
        .columns(2)
        .width(960.0)
        .aspect(0.72)
        .description(CAPTION)
        .panel(tiled(settings, fields))
        .panel(tiled(settings, control))
        .panel(over_time(settings, [control, fields]))
        .panel(beside_random(fields))
}

fn tiled(settings: &Fields2d, of: &Population<'_>) -> Panel {
    let weights: Vec<f64> = fields(of.seeds.runs[0]).flatten().copied().collect();
    let (blobs, units) = (of.blobs.iter().sum::<usize>(), settings.width * settings.seeds);
    let title = format!("gain {}: {blobs} of {units} units are blobs", Value::Real(of.gain));
    // Beside the colour bar a plot of this figure is 330 pixels wide: so high, sites are square.
    let (down, across) = tiles::grid(settings.width, 1);
    tiles::panel(&title, &weights, (settings.side, settings.side), 1)
        .height(330.0 * down as f64 / across as f64)
}

fn over_time(settings: &Fields2d, arms: [&Population<'_>; 2]) -> Panel {
    let line = localized_line(settings.side * settings.side);
    let mut panel =
        Panel::new("localization", Axis::new("training step"), Axis::new("IPR").from(0.0))
            .with(Mark::Horizontal { at: line, label: String::new(), style: Style::guide() });
    for (of, series) in arms.into_iter().zip([1, 0]) {
        let style = Style { width: 0.9, ..Style::series(series).solid() };
        let label = format!("gain {}", Value::Real(of.gain));
        for run in &of.seeds.runs {
            let steps: Vec<f64> = run.records().iter().map(|record| record.step as f64).collect();
            let iprs = run.readings(&probe::ipr::ENTRY);
            for unit in 0..settings.width {
                let values: Vec<f64> = iprs.iter().map(|units| units[unit][0]).collect();
                panel = panel.with(Mark::line(&steps, &values, label.clone(), style));
            }
        }
    }
    panel.note(format!("line: 6/n = {line:.4}; one curve a unit"))
}

fn beside_random(population: &Population<'_>) -> Panel {
    let names: Vec<&str> = population.tilings[0].iter().map(|s| s.name).collect();
    let short = |name: &str| name.replace(" (last axis)", "").replace("K R^2", "$K R^2$");
    let ticks = names.iter().enumerate().map(|(i, name)| (i as f64, short(name)));
    let x = Axis::new("").range(-0.6, names.len() as f64 - 0.4).ticks_at(ticks);
    let mut panel =
        Panel::new("centres beside random places", x, Axis::new("z against random places"));
    for at in [-2.0, 0.0, 2.0] {
        panel = panel.with(Mark::Horizontal { at, label: String::new(), style: Style::guide() });
    }
    let networks = population.tilings.len();
    let (mut x, mut y) = (Vec::new(), Vec::new());
    for (network, statistics) in population.tilings.iter().enumerate() {
        let offset = 0.4 * ((network as f64 + 0.5) / networks as f64 - 0.5);
        for (at, statistic) in statistics.iter().enumerate() {
            x.push(at as f64 + offset);
            y.push(statistic.z);
        }
    }
    panel.with(Mark::points(&x, &y, "", Style::series(2)))
}
