//! The figure of `gaussian-flow`: fields over time, the end state, spectra and clocks.

use super::GaussianFlowRun;
use super::measure::{Comparison, Fields};
use fovea_core::fourier::power_by_frequency;
use fovea_desk::prelude::*;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "(a) The field of one seed over time; (b) gradient descent on the closed population loss, at the same rate and from the same start. (c) The \
    final field: mean over seeds with two standard errors, and the flow. (d) Power by spatial frequency at the end. (e) \
    Distance between SGD and the flow: with the loss used here the clock is t = step lr; the note's program had a \
    loss without 1/2 and follows the flow at twice that clock.";

pub(super) fn figure(settings: &GaussianFlowRun, data: &Comparison) -> Figure {
    let subtitle = format!(
        "n = {}, correlation lengths {} (label 1) and {} (label 0), gain {}, learning rate {}, batch {}, {} seeds",
        settings.n,
        Value::Real(settings.xi_pos),
        Value::Real(settings.xi_neg),
        Value::Real(settings.gain),
        Value::Real(settings.lr),
        settings.batch,
        settings.seeds
    );
    let figure = Figure::new("SGD on Gaussian data follows its closed flow")
        .subtitle(subtitle)
        .columns(2)
        .aspect(0.6)
        .description(CAPTION);
    let limit =
        data.euler.iter().chain(&data.single).flatten().fold(0.0, |m: f64, w| m.max(w.abs()));
    figure
        .panel(over_time(settings, "trained, one seed", &data.single, limit, false))
        .panel(over_time(settings, "theory", &data.euler, limit, true))
        .panel(final_field(data))
        .panel(spectra(data))
        .panel(clocks(data).span(2).height(200.0))
}

fn over_time(
    settings: &GaussianFlowRun,
    title: &str,
    fields: &Fields,
    limit: f64,
    bar: bool,
) -> Panel {
    let heat = Heat {
        values: fields.concat(),
        rows: fields.len(),
        cols: settings.n,
        x_range: (-0.5, settings.n as f64 - 0.5),
        y_range: (0.0, settings.steps as f64),
        map: ColorMap::Diverging,
        limits: Some((-limit, limit)),
        bar: bar.then(|| "weight".to_owned()),
    };
    Panel::new(title, Axis::new("site"), Axis::new("step").share(1)).with(Mark::Heat(heat))
}

fn final_field(data: &Comparison) -> Panel {
    let last = data.mean.last().map_or(&[][..], |sites| sites);
    let sites: Vec<f64> = (0..last.len()).map(|i| i as f64).collect();
    let at =
        |offset: f64| -> Vec<f64> { last.iter().map(|e| e.mean() + offset * e.se()).collect() };
    let mut panel = Panel::new("field at the end", Axis::new("site"), Axis::new("weight"))
        .with(Mark::band(&sites, &at(-2.0), &at(2.0), "", Style::series(0)))
        .with(Mark::line(
            &sites,
            &at(0.0),
            "mean of seeds, 2 standard errors",
            Style::series(0).solid(),
        ));
    if let Some(theory) = data.euler.last() {
        panel = panel.with(Mark::line(&sites, theory, "theory", Style::theory()));
    }
    panel
}

fn spectra(data: &Comparison) -> Panel {
    let frequencies: Vec<f64> = (0..data.spectrum.len()).map(|k| k as f64).collect();
    let means: Vec<f64> = data.spectrum.iter().map(Estimate::mean).collect();
    let errors: Vec<f64> = data.spectrum.iter().map(|e| 2.0 * e.se()).collect();
    let mut panel =
        Panel::new("spectrum at the end", Axis::new("frequency $k$"), Axis::new("power").from(0.0))
            .with(Mark::measured(&frequencies, &means, &errors, "", Style::series(0)));
    if let Some(theory) = data.euler.last() {
        panel =
            panel.with(Mark::line(&frequencies, &power_by_frequency(theory), "", Style::theory()));
    }
    panel
}

fn clocks(data: &Comparison) -> Panel {
    let line = |fields: &Fields, theory: &Fields, label: &str, i: usize| {
        Mark::line(&data.steps, &Comparison::gaps(fields, theory), label, Style::series(i))
    };
    Panel::new(
        "distance between SGD and flow",
        Axis::new("step"),
        Axis::new("$|w - w_{flow}| / |w_{flow}|$").from(0.0),
    )
    .label_ends()
    .with(line(&data.single, &data.euler, "loss with 1/2, t = step lr", 0))
    .with(line(&data.note, &data.euler, "loss without 1/2, t = step lr", 1))
    .with(line(&data.note, &data.doubled, "loss without 1/2, t = 2 step lr", 2))
}
