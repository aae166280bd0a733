//! The figure of `moments`: covariance and marginal law, and how far both lie from theory.

use super::Moments;
use super::claims::Comparison;
use fovea_core::agree::noise_limit;
use fovea_core::params::ParamType;
use fovea_desk::prelude::*;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "Top: the covariance of two sites by their lag, drawn with two standard errors and exact, \
    and the law of one site. Grey: the wrong form that the comparison must reject. Bottom: the distance of drawn from exact in \
    standard errors; dotted, the limit that keeps the chance of a false alarm over all of them at one in a million.";

pub(super) fn figure(settings: &Moments, data: &Comparison) -> Figure {
    let (stimulus, precision) = (settings.stimulus.write(), settings.precision.word());
    let subtitle = format!("{stimulus}, {} samples in {precision} precision", settings.samples);
    let lags: Vec<f64> = (0..data.measured.cov.len()).map(|lag| lag as f64).collect();
    let mut panels = vec![covariance(data, &lags), marginal(data)];
    // Without a covariance there is no law either: each panel stands under its own.
    if let Ok(cov) = &data.cov {
        let pairs: Vec<_> = data.measured.cov.iter().copied().zip(cov.iter().copied()).collect();
        panels.push(distances(&lags, &pairs, lag_axis(lags.len())));
    }
    if let Ok(bins) = data.bins() {
        panels.push(distances(&data.measured.bins.centres(), &bins, value_axis()));
    }
    let figure = Figure::new("Moments of a stimulus").subtitle(subtitle).description(CAPTION);
    grid(figure, (2, 860.0, 0.55), panels)
}

/// The axis of the lags, one for both rows; few of them have a tick each, which are whole numbers.
fn lag_axis(lags: usize) -> Axis {
    let axis = Axis::new("lag").share(1);
    if lags > 9 { axis } else { axis.ticks_at((0..lags).map(|lag| (lag as f64, lag.to_string()))) }
}

/// The axis of the values of a site, one for both rows.
fn value_axis() -> Axis {
    Axis::new("$x$").share(2)
}

fn covariance(data: &Comparison, lags: &[f64]) -> Panel {
    let axis = lag_axis(lags.len());
    let wrong = data
        .wrong
        .as_ref()
        .map(|(what, wrong)| Mark::line(lags, wrong, format!("wrong: {what}"), Style::guide()));
    let panel =
        Panel::new("covariance of two sites", axis, Axis::new("covariance")).with_all(wrong);
    match &data.cov {
        Ok(cov) => panel.with(Mark::line(lags, cov, "exact", Style::theory())),
        Err(why) => panel.note(format!("no exact line: {why}")),
    }
    .with(measured(lags, &data.measured.cov, "drawn", Style::series(0)))
}

fn marginal(data: &Comparison) -> Panel {
    let bins = &data.measured.bins;
    let (x, shares) = (bins.centres(), data.measured.shares.iter().map(Estimate::mean));
    // Few values are bars of their shares, many the density.
    let (what, unit, width) = match &bins.atoms {
        Some(atoms) => {
            let span = atoms[atoms.len() - 1] - atoms[0];
            ("share", 1.0, if span > 0.0 { 0.2 * span / atoms.len() as f64 } else { 0.1 })
        }
        None => ("density", bins.edges[1] - bins.edges[0], 0.85 * (bins.edges[1] - bins.edges[0])),
    };
    let height = shares.map(|share| share / unit).collect();
    let bars =
        Mark::Bars { x: x.clone(), height, width, label: String::new(), style: Style::series(0) };
    let y = Axis::new(what).from(0.0);
    let panel = Panel::new("law of one site", value_axis(), y).with(bars);
    let exact = match data.bins() {
        Ok(exact) => exact,
        Err(why) => return panel.note(format!("no exact law: {why}")),
    };
    // The mean over each bin, as the bars are: a density may be infinite at an end.
    let exact: Vec<f64> = exact.iter().map(|(_, p)| p / unit).collect();
    panel.with(if bins.atoms.is_some() {
        Mark::points(&x, &exact, "exact", Style { size: 4.0, ..Style::theory() }.hollow())
    } else {
        Mark::line(&x, &exact, "exact", Style::theory())
    })
}

/// Distances in standard errors, with the limit of the family.
fn distances(x: &[f64], pairs: &[(Estimate, f64)], axis: Axis) -> Panel {
    let z: Vec<f64> = pairs.iter().map(|(e, value)| e.z(*value)).collect();
    let limit = noise_limit(pairs.len(), f64::INFINITY);
    let y = Axis::new("std errors").range(-6.5, 6.5);
    let level = |at: f64| Mark::Horizontal { at, label: String::new(), style: Style::guide() };
    Panel::new("drawn less exact", axis, y)
        .height(90.0)
        .with_all([-limit, 0.0, limit].map(level))
        .with(Mark::points(x, &z, "", Style::series(0)))
}
