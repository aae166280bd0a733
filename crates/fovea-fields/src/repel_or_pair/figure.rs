//! Pairs on one site and the nearest other centre, against the number of units.

use super::measure::{Shared, Signs};
use super::{Found, RepelOrPair};
use fovea_desk::prelude::*;

pub(super) const CAPTION: &str = "Left: share of the pairs of localized units of one network that have the same site, of opposite signs (filled, line) and of equal signs (hollow), against \
    the number of units; chance is one over the number of sites. Right: distance to the nearest other localized unit over its mean for as many independent uniform \
    sites; above the line at 1 fields keep apart, below it they crowd. Top: rings of several sizes at one pair of correlation lengths, and a torus; small grey points are units of different networks. \
    Bottom: one ring, several correlation lengths. Bars are two standard errors over networks; points without two localized units in two networks are left out.";

pub(super) fn figure(settings: &RepelOrPair, found: &Found) -> Figure {
    let [pos, neg] = [settings.xi_pos, settings.ratio * settings.xi_pos].map(Value::Real);
    let mut sizes: Vec<(String, Vec<&Shared>)> = settings
        .rings
        .iter()
        .map(|side| (format!("ring of {side}"), found.series(*side, 1, settings.xi_pos)))
        .collect();
    let side = settings.side;
    sizes.push((format!("torus of {side} x {side}"), settings.of_torus(found)));
    let lengths: Vec<(String, Vec<&Shared>)> = settings
        .lengths
        .iter()
        .map(|xi| (format!("length {}", Value::Real(*xi)), found.series(settings.ring, 1, *xi)))
        .collect();
    let subtitle = format!(
        "ReLU committees at gain {}; rings: correlation lengths {pos} (label 1) and {neg} (label 0); torus: {} and {}; {} steps",
        Value::Real(settings.gain),
        Value::Real(settings.torus_xi),
        Value::Real(settings.ratio * settings.torus_xi),
        settings.steps
    );
    let control = Style { color: Style::guide().color, size: 1.6, ..Style::series(0) };
    let units = |shared: &Vec<&Shared>| -> Vec<f64> {
        shared.iter().map(|shared| shared.point.width as f64).collect()
    };
    let mixed = |(i, (_, series)): (usize, &(String, Vec<&Shared>))| {
        let of = |shared: &&&Shared| shared.control.len() > 4;
        let kept: Vec<&Shared> = series.iter().filter(of).copied().collect();
        let x: Vec<f64> = units(&kept).iter().map(|x| x * aside(i, sizes.len())).collect();
        let all = kept.iter().filter_map(|s| estimate(s.control.iter().map(|c| c[0])).ok());
        let all: Vec<Estimate> = all.collect();
        measured(&x, &all, if i == 0 { "different networks" } else { "" }, control)
    };
    let ring = format!("ring of {}, by correlation length of label 1", settings.ring);
    let panels = [
        together("pairs on one site, by size", &sizes),
        apart("nearest other centre, by size", &sizes)
            .with_all(sizes.iter().enumerate().map(mixed).collect::<Vec<_>>()),
        together(&format!("pairs on one site, {ring}"), &lengths),
        apart(&format!("nearest other centre, {ring}"), &lengths),
    ];
    let figure = Figure::new("Fields of one network on one site, and apart")
        .subtitle(subtitle)
        .description(CAPTION);
    grid(figure, (2, 960.0, 0.66), panels)
}

/// A factor that sets the points of series `i` of `n` a little aside, so that their bars do not hide each other.
fn aside(i: usize, n: usize) -> f64 {
    libm::pow(1.03, i as f64 - 0.5 * (n as f64 - 1.0))
}

fn panel(title: &str, y: Axis) -> Panel {
    let ticks = [2, 3, 4, 6, 8, 12, 24].map(|units| (f64::from(units), units.to_string()));
    Panel::new(title, Axis::new("units of the network").log().ticks_at(ticks), y)
}

/// What is measured at the points of a series, at its units.
fn places(
    series: &[&Shared],
    shift: f64,
    of: impl Fn(&Shared) -> Option<Estimate>,
) -> (Vec<f64>, Vec<Estimate>) {
    let at = |shared: &&Shared| Some((shared.point.width as f64 * shift, of(shared)?));
    series.iter().filter_map(at).unzip()
}

fn together(title: &str, all: &[(String, Vec<&Shared>)]) -> Panel {
    let mut panel = panel(title, Axis::new("share of pairs on one site").range(-0.03, 1.05));
    for (i, (label, series)) in all.iter().enumerate() {
        let (style, shift) = (Style::ordered(i, all.len()), aside(i, all.len()));
        let (x, opposite) = places(series, shift, |shared| shared.share(Signs::Opposite));
        let means: Vec<f64> = opposite.iter().map(Estimate::mean).collect();
        let (at, equal) = places(series, shift, |shared| shared.share(Signs::Equal));
        panel = panel
            .with(Mark::line(&x, &means, label.clone(), style))
            .with(measured(&x, &opposite, "", style))
            .with(measured(&at, &equal, "", style.hollow()));
    }
    panel.note("filled: opposite signs; hollow: equal signs")
}

fn apart(title: &str, all: &[(String, Vec<&Shared>)]) -> Panel {
    let y = Axis::new("distance to the nearest / chance").from(0.0);
    let mut panel = panel(title, y).with(level(1.0, "", Style::guide()));
    for (i, (label, series)) in all.iter().enumerate() {
        let (style, shift) = (Style::ordered(i, all.len()), aside(i, all.len()));
        let (x, ratios) = places(series, shift, Shared::ratio);
        let means: Vec<f64> = ratios.iter().map(Estimate::mean).collect();
        panel = panel
            .with(Mark::line(&x, &means, label.clone(), style))
            .with(measured(&x, &ratios, "", style));
    }
    panel
}
