//! The figure of `cumulant-direction`: participation over length and gain, and the directions beside trained fields.

use super::measure::{AtGain, Lengths};
use super::{CumulantDirection, PUBLISHED};
use fovea_desk::cell::in_the_middle;
use fovea_desk::prelude::*;
use fovea_sim::probe::ipr::ipr;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "(a) Inverse participation ratio of the direction in which the fourth cumulant is most negative, over the correlation length: to leading order in a weak gain, where it does not \
    depend on the gain, and exactly for signs. Circles: values found by another program. (b) Those directions at weak gain. (c) The same ratio over the gain: \
    the exact direction, that of a sample, the best field of the Edgeworth theory, and trained fields (two standard errors). The cumulant is localized at every gain; the trained \
    field is only once it outweighs the covariances. (d) A trained field at the weakest and at the strongest gain, and the exact direction at the strongest.";

pub(super) fn figure(settings: &CumulantDirection, lengths: &Lengths, all: &[AtGain]) -> Figure {
    let (TwoClass { n, xi_pos, xi_neg, .. }, starts) = (settings.two, settings.starts);
    let [pos, neg] = [xi_pos, xi_neg].map(Value::Real);
    let subtitle = format!(
        "Nonlinear Gaussian process, n = {n}; training on lengths {pos} (label 1) and {neg} (label 0), {starts} starts"
    );
    let title = "The fourth cumulant is localized at every gain, the trained field is not";
    let figure = Figure::new(title).subtitle(subtitle).description(CAPTION);
    let panels = [over_length(lengths), directions(lengths), over_gain(all), beside(all)];
    grid(figure, (2, 720.0, 0.72), panels)
}

/// A field of unit norm against the sites, its peak positive and in the middle.
fn middle(w: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let (half, norm) = ((w.len() / 2) as f64, norm(w));
    let entries = in_the_middle(w).into_iter().enumerate();
    entries.map(|(i, w)| (i as f64 - half, w / norm)).unzip()
}

fn over_length(lengths: &Lengths) -> Panel {
    let (x, y): (Vec<f64>, Vec<f64>) = PUBLISHED.into_iter().unzip();
    let length = Axis::new("correlation length $\\xi$ (sites)").log();
    Panel::new("participation over length", length, Axis::new("IPR of the direction").log())
        .with(Mark::line(&lengths.xi, &lengths.iprs, "weak gain", Style::series(0)))
        .with(Mark::line(&lengths.xi, &lengths.sign_iprs, "signs", Style::series(1)))
        .with(Mark::points(&x, &y, "another program", Style::series(6).hollow()))
}

fn directions(lengths: &Lengths) -> Panel {
    let x = Axis::new("site, from the peak").range(-10.0, 10.0);
    let panel = Panel::new("direction at weak gain", x, Axis::new("entry of the unit vector"));
    let shown = |xi: f64| [1.0, 2.0, 5.0].iter().any(|other| (other - xi).abs() < 1e-9);
    let shown: Vec<usize> = (0..lengths.xi.len()).filter(|i| shown(lengths.xi[*i])).collect();
    panel.with_all(shown.iter().enumerate().map(|(place, i)| {
        let label = format!("$\\xi$ = {}", Value::Real(lengths.xi[*i]));
        let (sites, direction) = middle(&lengths.directions[*i]);
        Mark::line(&sites, &direction, label, Style::ordered(place, shown.len()))
    }))
}

fn over_gain(all: &[AtGain]) -> Panel {
    let places: Vec<f64> = (0..all.len()).map(|i| i as f64).collect();
    let ticks = all.iter().zip(&places).map(|(at, place)| (*place, at.name()));
    let exact: Vec<f64> = all.iter().map(|at| at.leading.ipr).collect();
    let edgeworth: Vec<f64> = all.iter().map(|at| ipr(&at.edgeworth)).collect();
    let sampled = places.iter().zip(all).filter_map(|(x, at)| Some((*x, at.sampled.as_ref()?.ipr)));
    let (x, sampled): (Vec<f64>, Vec<Estimate>) = sampled.unzip();
    let gain = Axis::new("gain").ticks_at(ticks).range(-0.3, places.len() as f64 - 0.7);
    Panel::new("participation over gain", gain, Axis::new("IPR").log())
        .with(Mark::line(&places, &exact, "exact cumulant", Style::series(2)))
        .with(Mark::line(&places, &edgeworth, "Edgeworth best field", Style::series(3)))
        .with(measured(&x, &sampled, "sampled cumulant", Style::series(2).hollow()))
        .with(measured(&places, all.iter().map(|at| &at.ipr), "SGD", Style::series(5)))
}

fn beside(all: &[AtGain]) -> Panel {
    let (x, y) = (Axis::new("site, from the peak"), Axis::new("entry, unit norm"));
    let last = &all[all.len() - 1];
    let (sites, direction) = middle(&last.leading.v);
    let exact = Mark::line(&sites, &direction, "exact cumulant", Style::series(2));
    let trained = [(&all[0], Style::series(4)), (last, Style::series(6))].map(|(at, style)| {
        let (sites, field) = middle(&at.fields[0]);
        Mark::points(&sites, &field, format!("SGD, gain {}", at.name()), style)
    });
    Panel::new("trained field and direction", x, y).with(exact).with_all(trained)
}
