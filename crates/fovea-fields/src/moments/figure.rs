//! The figure of `moments`: covariance and marginal distribution, and how far both lie from theory.

use super::Moments;
use super::claims::Comparison;
use fovea_core::agree::noise_limit;
use fovea_core::params::ParamType;
use fovea_desk::prelude::*;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "Top: the covariance of two sites by their lag, sampled with two standard errors (points) and in theory (dashes), and the wrong form that the \
    comparison must reject (dotted); the distribution of one site, sampled (bars) and in theory (rings). Bottom: the distance of what was sampled from theory in \
    standard errors; dotted, zero and the limit that keeps the chance of a false alarm over all of them at one in a million.";

pub(super) fn figure(settings: &Moments, data: &Comparison) -> Figure {
    let (stimulus, precision) = (settings.stimulus.write(), settings.precision.word());
    let subtitle = format!("{stimulus}, {} samples in {precision} precision", settings.samples);
    let lags: Vec<f64> = (0..data.measured.cov.len()).map(|lag| lag as f64).collect();
    let mut panels = vec![covariance(data), marginal(data)];
    // Without a covariance there is no distribution either: each panel stands under its own.
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

fn covariance(data: &Comparison) -> Panel {
    let wrong = data.wrong.iter();
    let wrong =
        wrong.map(|(what, wrong)| named(format!("wrong: {what}"), Style::guide(), counted(wrong)));
    let theory = data.cov.iter().map(|cov| named("theory", Style::theory(), counted(cov)));
    let measured = data.measured.cov.iter().enumerate();
    let measured: Xy = measured.map(|(lag, e)| (lag as f64, *e)).collect();
    let (title, lag) = ("covariance of two sites", lag_axis(data.measured.cov.len()));
    let panel = lines(title, lag, "covariance", wrong.chain(theory))
        .with(measured.points("sampled", Style::series(0)));
    match &data.cov {
        Ok(_) => panel,
        Err(why) => panel.note(format!("no theory: {why}")),
    }
}

fn marginal(data: &Comparison) -> Panel {
    let bins = &data.measured.bins;
    // Few values have their shares; many a density, the mean over each bin, since it may be infinite at an end.
    let (what, unit) = match bins.atoms {
        Some(_) => ("share", 1.0),
        None => ("density", bins.edges[1] - bins.edges[0]),
    };
    let bars = |shares: Vec<f64>| -> Xy {
        let places = bins.centres().into_iter().zip(shares).filter(|(x, _)| x.is_finite());
        places.map(|(x, share)| (x, share / unit)).collect()
    };
    let measured = bars(data.measured.shares.iter().map(Estimate::mean).collect());
    let theory = data.bins().map(|exact| bars(exact.iter().map(|(_, p)| *p).collect()));
    let (title, y) = ("distribution of one site", Axis::new(what).from(0.0));
    match theory {
        Ok(theory) => histogram(title, value_axis(), y, measured, theory),
        Err(why) => histogram(title, value_axis(), y, measured, Xy::default())
            .note(format!("no theory: {why}")),
    }
}

/// Distances in standard errors, with the limit of the family.
fn distances(x: &[f64], pairs: &[(Estimate, f64)], axis: Axis) -> Panel {
    let z = xy(x, pairs.iter().map(|(e, value)| e.z(*value)));
    let limit = noise_limit(pairs.len(), f64::INFINITY);
    let z = [unnamed(Style::series(0), z)];
    about_zero("sampled less theory", axis, "std errors", limit, z).height(90.0)
}
