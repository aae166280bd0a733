//! The figure of `loss-label-bias`: the published table beside its repetition, and IPR against gain.

use super::LossLabelBias;
use super::measure::Ends;
use super::theory::Theory;
use fovea_desk::cell::LEAST_IPR;
use fovea_desk::prelude::*;
use fovea_page::figure::SERIES;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "Inverse participation ratio of ReLU fields under different losses, labels and output biases. \
    Top: the published table repeated at infinite gain on fixed sets, a point a field, over the published range; the dotted \
    line is the dictator state of the squared error with labels 1 and 0. Bottom: every arm on fresh samples, mean over \
    networks against gain, with two standard errors. The line at 1/2 is the least a field in a dictator's cell can have.";

pub(super) fn figure(
    settings: &LossLabelBias,
    groups: &[Ends<'_>],
    theory: &Theory,
) -> Result<Figure, LabError> {
    let columns = settings.width.len();
    let subtitle = format!(
        "$K$ ReLU units read out by their mean, {} sites, correlation length {} (label 1) against {}. CE: cross-entropy; L1: \
         absolute error; \u{b1}1: labels 1 and \u{2212}1, else 1 and 0; $b_2$: a trained output bias; $W_2$: a trained readout.",
        settings.n,
        Value::Real(settings.xi_pos),
        Value::Real(settings.xi_neg)
    );
    let mut figure = Figure::new("Which losses and labels localize")
        .subtitle(subtitle)
        .columns(columns)
        .width(430.0 * columns.max(2) as f64)
        .aspect(0.62)
        .description(CAPTION);
    if groups.iter().any(|group| group.published.is_some()) {
        figure = figure.panel(table(groups, theory).span(columns).height(200.0));
    }
    for width in &settings.width {
        figure = figure.panel(over_gain(settings, groups, *width)?);
    }
    Ok(figure)
}

fn ipr_axis() -> Axis {
    Axis::new("IPR  $\\sum w^4 / (\\sum w^2)^2$").range(0.0, 1.0)
}

/// The least IPR in a dictator's cell.
fn least(panel: Panel) -> Panel {
    let style = Style::guide().solid();
    panel.with(Mark::Horizontal { at: LEAST_IPR, label: String::new(), style })
}

/// The published table, a row a column.
fn table(groups: &[Ends<'_>], theory: &Theory) -> Panel {
    let rows: Vec<&Ends<'_>> = groups.iter().filter(|group| group.published.is_some()).collect();
    let label =
        |group: &Ends<'_>| format!("{}, $K = {}$", group.point.arm.label(), group.point.width);
    let ticks = rows.iter().enumerate().map(|(i, group)| (i as f64, label(group)));
    let x = Axis::new("").range(-0.6, rows.len() as f64 - 0.4).ticks_at(ticks);
    let mut panel = least(Panel::new("The published table, repeated", x, ipr_axis()));
    if theory.dictator.exists {
        let style = Style::theory().dash(Dash::Dotted);
        let label = String::new();
        panel = panel.with(Mark::Horizontal { at: theory.dictator.ipr, label, style }).note(format!(
            "Dotted: the dictator state, IPR {:.4}. Line at 1/2: the least in a dictator's cell.",
            theory.dictator.ipr
        ));
    }
    for (i, group) in rows.iter().enumerate() {
        let at = i as f64;
        if let Some(row) = group.published {
            let style = Style { color: SERIES[6], ..Style::series(0) };
            let (x, low, high) = ([at - 0.4, at + 0.4], [row.ipr.0; 2], [row.ipr.1; 2]);
            panel = panel.with(Mark::band(&x, &low, &high, "published range", style));
        }
        let iprs = group.iprs();
        let step = 0.56 / (iprs.len().max(2) - 1) as f64;
        let x: Vec<f64> = (0..iprs.len()).map(|k| at - 0.28 + step * k as f64).collect();
        let style = Style { size: 3.0, color: SERIES[6], ..Style::series(0) }.hollow();
        panel = panel.with(Mark::points(&x, &iprs, "a field trained here", style));
    }
    panel
}

/// Mean IPR against gain, a line an arm; gains are equally spaced so that infinity has a place.
fn over_gain(
    settings: &LossLabelBias,
    groups: &[Ends<'_>],
    width: usize,
) -> Result<Panel, LabError> {
    let mut order: Vec<f64> = settings.gain.clone();
    order.sort_by(f64::total_cmp);
    let label = |gain: &f64| Value::Real(*gain).to_string().replace("inf", "\u{221e}");
    let ticks = order.iter().enumerate().map(|(i, gain)| (i as f64, label(gain)));
    let x = Axis::new("gain").range(-0.3, order.len() as f64 - 0.7).ticks_at(ticks);
    let title = format!("Every arm against gain, $K = {width}$");
    let mut panel = least(Panel::new(title, x, ipr_axis().share(1)));
    for (i, arm) in settings.arms.0.iter().enumerate() {
        let (mut x, mut means, mut errors) = (Vec::new(), Vec::new(), Vec::new());
        for (place, gain) in order.iter().enumerate() {
            let here = |group: &&Ends<'_>| {
                group.compares(*arm, width) && group.point.gain.total_cmp(gain).is_eq()
            };
            if let Some(group) = groups.iter().find(here) {
                let mean = group.mean_ipr()?;
                // Side by side, so that error bars do not hide each other.
                x.push(place as f64 + 0.03 * (i as f64 - 0.5 * (settings.arms.0.len() - 1) as f64));
                means.push(mean.mean());
                errors.push(2.0 * mean.se());
            }
        }
        let style = Style::series(i);
        panel = panel.with(Mark::line(&x, &means, arm.label(), style)).with(Mark::measured(
            &x,
            &means,
            &errors,
            arm.label(),
            style,
        ));
    }
    Ok(panel)
}
