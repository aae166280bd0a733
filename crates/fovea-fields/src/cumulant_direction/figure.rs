//! The figure of `cumulant-direction`: participation over length and gain, and the directions beside trained fields.

use super::CumulantDirection;
use super::claims::PUBLISHED;
use super::measure::{AtGain, Lengths, middle};
use fovea_desk::prelude::*;
use fovea_sim::probe::ipr::ipr;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "(a) Inverse participation ratio of the direction in which the fourth cumulant is most negative, over the correlation length: to leading order in a weak gain, where it does not \
    depend on the gain, and exactly for signs. Circles: values found by another program. (b) Those directions at weak gain. (c) The same ratio over the gain: \
    the exact direction, that of a sample, the best field of the Edgeworth theory, and trained fields (two standard errors). The cumulant is localized at every gain; the trained \
    field is only once it outweighs the covariances. (d) A trained field at the weakest and at the strongest gain, and the exact direction at the strongest.";

pub(super) fn figure(
    settings: &CumulantDirection,
    lengths: &Lengths,
    all: &[AtGain],
) -> Result<Figure, LabError> {
    let subtitle = format!(
        "Nonlinear Gaussian process, n = {}; training on lengths {} (label 1) and {} (label 0), {} starts",
        settings.n,
        Value::Real(settings.xi_pos),
        Value::Real(settings.xi_neg),
        settings.starts
    );
    Ok(Figure::new("The fourth cumulant is localized at every gain, the trained field is not")
        .subtitle(subtitle)
        .columns(2)
        .aspect(0.72)
        .description(CAPTION)
        .panel(over_length(lengths))
        .panel(directions(lengths))
        .panel(over_gain(all)?)
        .panel(beside(all)))
}

fn over_length(lengths: &Lengths) -> Panel {
    let (x, y): (Vec<f64>, Vec<f64>) = PUBLISHED.into_iter().unzip();
    Panel::new(
        "participation over length",
        Axis::new("correlation length $\\xi$ (sites)").log(),
        Axis::new("IPR of the direction").log(),
    )
    .with(Mark::line(&lengths.xi, &lengths.iprs(), "weak gain", Style::series(0)))
    .with(Mark::line(&lengths.xi, &lengths.sign_iprs, "signs", Style::series(1)))
    .with(Mark::points(&x, &y, "another program", Style::series(6).hollow()))
}

fn directions(lengths: &Lengths) -> Panel {
    let n = lengths.weak[0].v.len();
    let sites: Vec<f64> = (0..n).map(|i| i as f64 - (n / 2) as f64).collect();
    let mut panel = Panel::new(
        "direction at weak gain",
        Axis::new("site, from the peak").range(-10.0, 10.0),
        Axis::new("entry of the unit vector"),
    );
    let shown: Vec<usize> = (0..lengths.xi.len())
        .filter(|i| [1.0, 2.0, 5.0].iter().any(|xi| (xi - lengths.xi[*i]).abs() < 1e-9))
        .collect();
    for (place, i) in shown.iter().enumerate() {
        let label = format!("$\\xi$ = {}", Value::Real(lengths.xi[*i]));
        let style = Style::ordered(place, shown.len());
        panel = panel.with(Mark::line(&sites, &middle(&lengths.weak[*i].v), label, style));
    }
    panel
}

fn over_gain(all: &[AtGain]) -> Result<Panel, LabError> {
    let places: Vec<f64> = (0..all.len()).map(|i| i as f64).collect();
    let ticks = all.iter().zip(&places).map(|(at, place)| (*place, at.word()));
    let exact: Vec<f64> = all.iter().map(|at| at.leading.ipr).collect();
    let edgeworth: Vec<f64> = all.iter().map(|at| ipr(&at.edgeworth)).collect();
    let mut panel = Panel::new(
        "participation over gain",
        Axis::new("gain").ticks_at(ticks).range(-0.3, places.len() as f64 - 0.7),
        Axis::new("IPR").log(),
    )
    .with(Mark::line(&places, &exact, "exact cumulant", Style::series(2)))
    .with(Mark::line(&places, &edgeworth, "Edgeworth best field", Style::series(3)));
    let (mut x, mut y, mut bars) = (Vec::new(), Vec::new(), Vec::new());
    for (at, place) in all.iter().zip(&places) {
        if let Some(sampled) = &at.sampled {
            x.push(*place);
            y.push(sampled.ipr.mean());
            bars.push(2.0 * sampled.ipr.se());
        }
    }
    panel =
        panel.with(Mark::measured(&x, &y, &bars, "sampled cumulant", Style::series(2).hollow()));
    let (mut y, mut bars) = (Vec::new(), Vec::new());
    for at in all {
        let ipr = at.ipr()?;
        y.push(ipr.mean());
        bars.push(2.0 * ipr.se());
    }
    Ok(panel.with(Mark::measured(&places, &y, &bars, "SGD", Style::series(5))))
}

fn beside(all: &[AtGain]) -> Panel {
    let n = all[0].leading.v.len();
    let sites: Vec<f64> = (0..n).map(|i| i as f64 - (n / 2) as f64).collect();
    let mut panel = Panel::new(
        "trained field and direction",
        Axis::new("site, from the peak"),
        Axis::new("entry, unit norm"),
    );
    let last = all.len() - 1;
    let direction = middle(&all[last].leading.v);
    panel = panel.with(Mark::line(&sites, &direction, "exact cumulant", Style::series(2)));
    for (i, style) in [(0, Style::series(4)), (last, Style::series(6))] {
        let label = format!("SGD, gain {}", all[i].word());
        panel = panel.with(Mark::points(&sites, &middle(&all[i].fields[0]), label, style));
    }
    panel
}
