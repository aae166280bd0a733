//! The figure of `starting-loss`: the loss of drawn weights against the gain, and the norm behind it.

use super::measure::{ACTS, Act};
use super::{Found, StartingLoss};
use fovea_desk::prelude::*;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "Loss of networks whose weights are drawn and not yet trained, against the gain of the data. Points: mean over starts \
    with two standard errors; all gains share the starts, so that the points of a panel move together. Diamonds: closed forms for Gaussian fields (gain towards 0) and signs (gain inf). Dashed: \
    second order in the spread of the squared norm, which is known at every gain. Last panel: the mean norm of a sample, the only thing in \
    the loss of a ReLU that depends on the gain; it grows to the root of n because the norm of signs does not vary.";

/// Where an infinite gain is drawn: as far beyond the largest as a decade.
fn places(settings: &StartingLoss) -> (Vec<f64>, Vec<(f64, String)>) {
    let largest = settings.gain.iter().copied().filter(|g| g.is_finite()).fold(0.1, f64::max);
    let place = |gain: &f64| if gain.is_finite() { *gain } else { 10.0 * largest };
    let x: Vec<f64> = settings.gain.iter().map(place).collect();
    let ticks = x.iter().zip(&settings.gain).map(|(x, g)| (*x, Value::Real(*g).to_string()));
    let ticks = ticks.collect();
    (x, ticks)
}

fn axis(settings: &StartingLoss) -> Axis {
    Axis::new("gain").log().ticks_at(places(settings).1)
}

/// Gains of the dashed line, from the smallest to the largest finite one.
fn fine_gains(settings: &StartingLoss) -> Vec<f64> {
    let finite = || settings.gain.iter().copied().filter(|g| g.is_finite());
    let (low, high) = (finite().fold(f64::INFINITY, f64::min), finite().fold(0.0, f64::max));
    if low >= high {
        return Vec::new();
    }
    let step = libm::log(high / low) / 60.0;
    (0..=60).map(|i| low * libm::exp(step * f64::from(i))).collect()
}

/// Measured points, the expansion, and the closed forms of the two ends.
fn curve(
    settings: &StartingLoss,
    panel: Panel,
    measured: &[Estimate],
    expanded: &[f64],
    ends: [f64; 2],
) -> Panel {
    let (x, _) = places(settings);
    let (means, errors): (Vec<f64>, Vec<f64>) =
        measured.iter().map(|e| (e.mean(), 2.0 * e.se())).unzip();
    let at = |limit: f64| {
        let near = |g: &f64| if limit > 0.0 { g.is_infinite() } else { *g <= 0.05 };
        settings.gain.iter().position(near).map(|i| x[i])
    };
    let closed: Vec<(f64, f64)> =
        [at(0.0).zip(Some(ends[0])), at(1.0).zip(Some(ends[1]))].into_iter().flatten().collect();
    let (closed_x, closed_y): (Vec<f64>, Vec<f64>) = closed.into_iter().unzip();
    let diamond = Style { size: 5.0, ..Style::series(3) }.hollow();
    panel
        .with(Mark::line(
            &fine_gains(settings),
            expanded,
            "second order in the spread of the norm",
            Style::theory(),
        ))
        .with(Mark::points(&closed_x, &closed_y, "closed form", diamond))
        .with(Mark::measured(
            &x,
            &means,
            &errors,
            "drawn networks, 2 standard errors",
            Style::series(0),
        ))
}

pub(super) fn figure(settings: &StartingLoss, found: &Found) -> Figure {
    let Found { theory, gains } = found;
    let subtitle = format!(
        "n = {}, correlation lengths {} and {}, weights of variance {}/n, {} starts of {} samples",
        settings.n,
        Value::Real(settings.xi_pos),
        Value::Real(settings.xi_neg),
        Value::Real(settings.init_scale),
        settings.inits,
        settings.samples
    );
    let mut figure =
        Figure::new("The loss before training falls with the gain for ReLU and rises for erf")
            .subtitle(subtitle)
            .columns(2)
            .width(820.0)
            .aspect(0.55)
            .description(CAPTION);
    let expanded: Vec<_> = fine_gains(settings).iter().map(|g| theory.expanded(*g)).collect();
    for (w, width) in settings.width.iter().enumerate() {
        for (a, act) in ACTS.into_iter().enumerate() {
            let units = if *width == 1 { "unit" } else { "units" };
            let title = match act {
                Act::Relu => format!("ReLU, {width} {units}, labels 1 and 0"),
                Act::Erf => format!("erf, {width} {units}, labels 1 and -1"),
            };
            let panel = Panel::new(title, axis(settings), Axis::new("loss"));
            let measured: Vec<Estimate> = gains.iter().map(|at| at.loss[a][w]).collect();
            let line: Vec<f64> = expanded.iter().map(|f| theory.loss(act, *width, f)).collect();
            let ends = [&theory.gaussian, &theory.signs].map(|f| theory.loss(act, *width, f));
            figure = figure.panel(curve(settings, panel, &measured, &line, ends));
        }
    }
    let norms: Vec<Estimate> = gains.iter().map(|at| at.fields.norm_pos).collect();
    let line: Vec<f64> = expanded.iter().map(|f| f.norm_pos).collect();
    let ends = [theory.gaussian.norm_pos, theory.signs.norm_pos];
    let panel = Panel::new("norm of a sample of class pos", axis(settings), Axis::new("$E|X|$"))
        .span(2)
        .height(170.0);
    figure.panel(curve(settings, panel, &norms, &line, ends))
}
