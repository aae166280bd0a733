//! Pairs on one site and the nearest other centre, against the number of units.

use super::measure::{Shared, Signs};
use super::{Along, Found, RepelOrPair};
use fovea_desk::prelude::*;
use std::collections::BTreeMap;

pub(super) const CAPTION: &str = "Left: share of the pairs of localized units of one network that have the same site, of opposite signs (filled, line) and of equal signs (hollow), against \
    the number of units; chance is one over the number of sites. Right: distance to the nearest other localized unit over its mean for as many independent uniform \
    sites; above the line at 1 fields keep apart, below it they crowd. Top: rings of several sizes at one pair of correlation lengths, and a torus; grey rings are units of different networks. \
    Bottom: one ring, several correlation lengths, and one of them at another gain. Bars are two standard errors over networks; points with fewer than ten pairs, or five networks with two localized units, are left out.";

pub(super) fn figure<'a>(settings: &RepelOrPair, found: &'a Found) -> Figure {
    let [pos, neg] = [settings.xi_pos, settings.ratio * settings.xi_pos].map(Value::Real);
    let labelled = |panels: &str, series: Vec<Along<'a>>, style: fn(usize, usize) -> Style| {
        let count = series.len();
        let of = |(i, (name, points)): (usize, Along<'a>)| Drawn {
            label: format!("{panels} {name}"),
            points,
            style: style(i, count),
            aside: aside(i, count),
        };
        series.into_iter().enumerate().map(of).collect::<Vec<_>>()
    };
    let sizes = labelled("(a, b)", settings.by_size(found), |i, _| Style::series(i));
    let mut lengths = labelled("(c, d)", settings.by_length(found), Style::ordered);
    // Not one of the ordered lengths: a colour beside their ramp.
    let other = vec![settings.at_other_gain(found)];
    lengths.extend(labelled("(c, d)", other, |_, _| Style::series(4)));
    let subtitle = format!(
        "ReLU committees at gain {}; rings: correlation lengths {pos} (label 1) and {neg} (label 0); torus: {} and {}; {} steps",
        Value::Real(settings.gain),
        Value::Real(settings.torus_xi),
        Value::Real(settings.ratio * settings.torus_xi),
        settings.steps
    );
    let ring = format!("ring of {}, by length", settings.ring);
    let panels = [
        together("pairs on one site, by size", &sizes),
        apart("nearest other centre, by size", &sizes).with(mixed(&sizes)),
        together(&format!("pairs on one site, {ring}"), &lengths),
        apart(&format!("nearest other centre, {ring}"), &lengths),
    ];
    let figure = Figure::new("Fields of one network on one site, and apart")
        .subtitle(subtitle)
        .description(CAPTION);
    grid(figure, (2, 960.0, 0.66), panels)
}

/// A series as it is drawn.
struct Drawn<'a> {
    label: String,
    points: Vec<&'a Shared>,
    style: Style,
    /// A factor on the number of units, so that bars of different series do not hide each other.
    aside: f64,
}

/// Units of different networks, all lattices together.
fn mixed(all: &[Drawn<'_>]) -> Mark {
    let mut control: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    for shared in all.iter().flat_map(|drawn| &drawn.points) {
        let ratios = shared.control.iter().map(|[ratio, _]| *ratio);
        control.entry(shared.point.width).or_default().extend(ratios);
    }
    let of = |(units, ratios): (&usize, &Vec<f64>)| {
        Some((*units as f64, Estimate::from_samples(ratios).ok()?))
    };
    let (x, all): (Vec<f64>, Vec<Estimate>) = control.iter().filter_map(of).unzip();
    let style = Style { color: Style::guide().color, ..Style::series(0) };
    measured(&x, &all, "(b) units of different networks", style.hollow())
}

/// A factor that sets the points of series `i` of `n` a little aside, so that their bars do not hide each other.
fn aside(i: usize, n: usize) -> f64 {
    libm::pow(1.03, i as f64 - 0.5 * (n as f64 - 1.0))
}

fn panel(title: &str, y: Axis) -> Panel {
    let ticks = [2, 3, 4, 6, 8, 12, 24].map(|units| (f64::from(units), units.to_string()));
    Panel::new(title, Axis::new("units of the network").log().ticks_at(ticks), y)
}

impl Drawn<'_> {
    /// What is measured at the points of a series, at its units.
    fn places(&self, of: impl Fn(&Shared) -> Option<Estimate>) -> (Vec<f64>, Vec<Estimate>) {
        let at = |shared: &&Shared| Some((shared.point.width as f64 * self.aside, of(shared)?));
        self.points.iter().filter_map(at).unzip()
    }

    /// A line through what is measured, with bars.
    fn marks(&self, of: impl Fn(&Shared) -> Option<Estimate>) -> [Mark; 2] {
        let (x, all) = self.places(of);
        let means: Vec<f64> = all.iter().map(Estimate::mean).collect();
        let line = Mark::line(&x, &means, self.label.clone(), self.style);
        [line, measured(&x, &all, "", self.style)]
    }
}

fn together(title: &str, all: &[Drawn<'_>]) -> Panel {
    let mut panel = panel(title, Axis::new("share of pairs on one site").range(-0.03, 1.05));
    for drawn in all {
        let (x, equal) = drawn.places(|shared| shared.share(Signs::Equal));
        panel = panel.with_all(drawn.marks(|shared| shared.share(Signs::Opposite))).with(measured(
            &x,
            &equal,
            "",
            drawn.style.hollow(),
        ));
    }
    panel.note("filled: opposite signs; hollow: equal signs")
}

fn apart(title: &str, all: &[Drawn<'_>]) -> Panel {
    let y = Axis::new("distance to the nearest / chance").from(0.0);
    let panel = panel(title, y).with(level(1.0, "", Style::guide()));
    all.iter().fold(panel, |panel, drawn| panel.with_all(drawn.marks(Shared::ratio)))
}
