//! Pairs on one site and the nearest other centre, against the number of units.

use super::measure::{Shared, Signs};
use super::{Found, RepelOrPair};
use fovea_desk::prelude::*;
use fovea_page::panel::Named;
use std::collections::BTreeMap;

pub(super) const CAPTION: &str = "Left: share of the pairs of localized units of one network that have the same site, of opposite signs (filled, line) and of equal signs (hollow), against \
    the number of units; chance is one over the number of sites. Right: distance to the nearest other localized unit over its mean for as many independent uniform \
    sites; above the line at 1 fields keep apart, below it they are close together. Top: rings of several sizes at one pair of correlation lengths, and a torus; grey rings are units of different networks. \
    Bottom: one ring, several correlation lengths, and one of them at another gain. Bars are two standard errors over networks; points of different series lie a little apart; those with fewer than ten pairs, or five networks with two localized units, are left out.";

/// Series along the number of units, as they are drawn.
type Drawn<'a> = Vec<Named<Vec<&'a Shared>>>;

pub(super) fn figure(settings: &RepelOrPair, found: &Found) -> Figure {
    let [pos, neg] = [settings.xi_pos, settings.ratio * settings.xi_pos].map(Value::Real);
    let label = |panels: &str, (name, points)| (format!("{panels} {name}"), points);
    let sizes = series(settings.by_size(found).into_iter().map(|all| label("(a, b)", all)));
    let mut lengths =
        ordered(settings.by_length(found).into_iter().map(|all| label("(c, d)", all)));
    // Not one of the ordered lengths: a colour that is not on their ramp.
    lengths.extend(series_from(3, [label("(c, d)", settings.at_other_gain(found))]));
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
        nearest("nearest other centre, by size", &sizes).with(mixed(&sizes)),
        together(&format!("pairs on one site, {ring}"), &lengths),
        nearest(&format!("nearest other centre, {ring}"), &lengths),
    ];
    let figure = Figure::new("Fields of one network on one site, and apart")
        .subtitle(subtitle)
        .description(CAPTION);
    grid(figure, (2, 960.0, 0.66), panels)
}

/// Units of different networks, all lattices together.
fn mixed(all: &Drawn<'_>) -> Mark {
    let mut control: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    for shared in all.iter().flat_map(|drawn| &drawn.data) {
        let ratios = shared.control.iter().map(|[ratio, _]| *ratio);
        control.entry(shared.point.width).or_default().extend(ratios);
    }
    let of = |(units, ratios): (&usize, &Vec<f64>)| {
        Some((*units as f64, Estimate::from_samples(ratios).ok()?))
    };
    let style = Style { color: Style::guide().color, ..Style::series(0) };
    let ratios: Xy = control.iter().filter_map(of).collect();
    ratios.points("(b) units of different networks", style.hollow())
}

fn units() -> Axis {
    let ticks = [2, 3, 4, 6, 8, 12, 24].map(|units| (f64::from(units), units.to_string()));
    Axis::new("units of the network").log().ticks_at(ticks)
}

/// What is measured at the points of every series, at their units.
fn measured(all: &Drawn<'_>, of: impl Fn(&Shared) -> Option<Estimate>) -> Vec<Named<Xy>> {
    let at = |shared: &&Shared| Some((shared.point.width as f64, of(shared)?));
    let of = |drawn: &Named<Vec<&Shared>>| {
        named(&drawn.label, drawn.style, drawn.data.iter().filter_map(at).collect())
    };
    all.iter().map(of).collect()
}

fn together(title: &str, all: &Drawn<'_>) -> Panel {
    let y = Axis::new("share of pairs on one site").range(-0.03, 1.05);
    let equal = measured(all, |shared| shared.share(Signs::Equal)).into_iter();
    let equal = equal.map(|series| unnamed(series.style.hollow(), series.data));
    let equal = means_by_category("", units(), y.clone(), equal);
    let opposite = measured(all, |shared| shared.share(Signs::Opposite));
    means_along(title, units(), y, opposite)
        .with_all(equal.marks)
        .note("filled: opposite signs; hollow: equal signs")
}

fn nearest(title: &str, all: &Drawn<'_>) -> Panel {
    let y = Axis::new("distance to the nearest / chance").from(0.0);
    means_along(title, units(), y, measured(all, Shared::ratio)).with(guide_at_y(1.0, ""))
}
