//! The figure of `ipr-vs-gain`: IPR against gain and against kurtosis, single runs, and distances from the published means.

use super::IprVsGain;
use fovea_desk::ipr_table::{Line, marks, sourced};
use fovea_desk::prelude::*;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "(a) Final IPR of one ReLU unit against the gain of its data: mean and standard deviation over seeds, here and as published, \
    and the amplifier's flow from our starts (dashed, mean). The dotted line is the dictator state of infinite gain. (b) The same against the exact excess kurtosis \
    of a site. (c) Every run; bars are the published medians. (d) Our means less the published ones, in published standard deviations of a \
    single run, with two combined standard errors.";

/// Where infinite gain is drawn.
const BINARY: f64 = 600.0;

pub(super) fn figure(settings: &IprVsGain, lines: &[Line]) -> Result<Figure, LabError> {
    let subtitle = format!(
        "n = {}, correlation lengths {} (label 1) and {} (label 0), learning rate {}, batch {}, {} steps, {} seeds a gain",
        settings.n,
        Value::Real(settings.xi_pos),
        Value::Real(settings.xi_neg),
        Value::Real(settings.lr),
        settings.batch,
        settings.steps,
        settings.seeds
    );
    let gains: Vec<f64> = settings.gain.iter().map(|gain| gain.min(BINARY)).collect();
    let kurtoses: Vec<f64> = lines.iter().map(|line| line.kurtosis).collect();
    let state = settings.two_class().dictator()?;
    let dictator = |ends: [f64; 2]| {
        let label = format!("dictator state {:.4}", state.ipr);
        state.exists.then(|| Mark::line(&ends, &[state.ipr; 2], label, Style::guide()))
    };
    let mut figure = Figure::new("Fields localize as the data become binary, as published")
        .subtitle(subtitle)
        .columns(2)
        .aspect(0.72)
        .description(CAPTION)
        .panel(
            means("against gain", gain_axis(), &gains, lines).with_all(dictator([0.006, 1000.0])),
        )
        .panel(
            means("against kurtosis", Axis::new("excess kurtosis of a site"), &kurtoses, lines)
                .with_all(dictator([-2.0, 0.0])),
        )
        .panel(runs(&gains, lines));
    if lines.iter().any(|line| line.source.is_some()) {
        figure = figure.panel(distances(&gains, lines));
    }
    Ok(figure)
}

fn gain_axis() -> Axis {
    let ticks = [(0.01, "0.01"), (0.1, "0.1"), (1.0, "1"), (10.0, "10"), (100.0, "100")];
    let ticks = ticks.into_iter().chain([(BINARY, "\u{221e}")]);
    Axis::new("gain").log().range(0.006, 1000.0).ticks_at(ticks)
}

fn means(title: &str, x_axis: Axis, x: &[f64], lines: &[Line]) -> Panel {
    let y_axis = Axis::new("final IPR").range(0.0, 1.08);
    Panel::new(title, x_axis, y_axis).with_all(marks(x, lines))
}

fn runs(x: &[f64], lines: &[Line]) -> Panel {
    let (mut at, mut ipr) = (Vec::new(), Vec::new());
    for (x, line) in x.iter().zip(lines) {
        at.extend(vec![*x; line.iprs.len()]);
        ipr.extend_from_slice(&line.iprs);
    }
    let mut panel = Panel::new("every run", gain_axis(), Axis::new("final IPR").log())
        .with(Mark::points(&at, &ipr, "one run", Style { size: 1.8, ..Style::series(0) }));
    for (i, (x, source)) in sourced(x, lines).into_iter().enumerate() {
        let label = if i == 0 { "published median" } else { "" };
        let style = Style { width: 2.0, ..Style::series(1).dash(Dash::Solid) };
        panel = panel.with(Mark::line(&[x / 1.35, x * 1.35], &[source.median; 2], label, style));
    }
    panel
}

fn distances(x: &[f64], lines: &[Line]) -> Panel {
    let (mut at, mut gap, mut bar) = (Vec::new(), Vec::new(), Vec::new());
    for (x, line) in x.iter().zip(lines) {
        let Some(source) = line.source else { continue };
        let mean = line.trained.mean;
        let se = libm::hypot(mean.se(), source.sd / (source.runs as f64).sqrt());
        at.push(*x);
        gap.push((mean.mean() - source.mean) / source.sd);
        bar.push(2.0 * se / source.sd);
    }
    let rule = |at: f64| Mark::Horizontal { at, label: String::new(), style: Style::guide() };
    let y = Axis::new("(here \u{2212} published) / published sd").range(-1.6, 1.6);
    Panel::new("from the published mean", gain_axis(), y)
        .with(rule(-1.0))
        .with(rule(0.0))
        .with(rule(1.0))
        .with(Mark::measured(&at, &gap, &bar, "", Style::series(0)))
}
