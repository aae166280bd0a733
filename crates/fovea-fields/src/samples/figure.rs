//! The figure of `samples`: a row a class, a column a sample, a curve a gain; the counts below.

use super::Samples;
use super::measure::Counted;
use fovea_desk::prelude::*;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "Samples of the two classes, three of each, every one at several gains of the same latent field: \
    the curves of a panel cross zero together. A small gain leaves the Gaussian field as it is, a large one its sign. \
    Bottom: how many sign changes a sample has, over many samples; the lines are the means that theory predicts, which \
    hold at every gain.";

pub(super) fn figure(settings: &Samples, classes: &[Counted]) -> Figure {
    let subtitle = format!(
        "Inputs erf(gain z), scaled to unit variance, on a ring of {} sites; correlation length {} above and {} below.",
        settings.n,
        Value::Real(settings.xi_pos),
        Value::Real(settings.xi_neg)
    );
    let mut figure = Figure::new("Samples of the two classes")
        .subtitle(subtitle)
        .columns(settings.shown)
        .width(300.0 * settings.shown.max(2) as f64)
        .description(CAPTION);
    figure.letters = false;
    for class in classes {
        for sample in 0..settings.shown {
            figure = figure.panel(curves(settings, class, sample));
        }
    }
    figure.panel(histogram(classes).span(settings.shown).height(150.0))
}

fn curves(settings: &Samples, class: &Counted, sample: usize) -> Panel {
    let sites: Vec<f64> = (0..settings.n).map(|i| i as f64).collect();
    let title =
        if sample == 0 { format!("$\\xi$ = {}", Value::Real(class.xi)) } else { String::new() };
    let x = Axis::new("site").range(0.0, settings.n as f64).share(1);
    let mut panel = Panel::new(title, x, Axis::new("$x$").share(1)).height(120.0);
    panel = panel.with(Mark::Horizontal { at: 0.0, label: String::new(), style: Style::guide() });
    for (g, gain) in settings.gain.iter().enumerate() {
        let label = format!("gain {}", Value::Real(*gain).to_string().replace("inf", "\u{221e}"));
        let style = Style { width: 1.3, ..Style::ordered(g, settings.gain.len()).solid() };
        panel = panel.with(Mark::line(&sites, &class.shown[g][sample], label, style));
    }
    panel
}

/// The share of samples with each number of sign changes, which is even on a ring.
fn histogram(classes: &[Counted]) -> Panel {
    let (x, y) = (Axis::new("sign changes"), Axis::new("share of samples").from(0.0));
    let mut panel = Panel::new("Sign changes around the ring", x, y);
    for (i, class) in classes.iter().enumerate() {
        let seen = |count: &usize| class.tally[*count] > 0.0;
        let counts: Vec<usize> = (0..class.tally.len()).step_by(2).collect();
        let first = counts.iter().copied().find(seen).unwrap_or(0);
        let last = counts.iter().copied().rfind(seen).unwrap_or(0);
        let (x, height): (Vec<f64>, Vec<f64>) =
            (first..=last).step_by(2).map(|count| (count as f64, class.tally[count])).unzip();
        let (label, style) = (format!("$\\xi$ = {}", Value::Real(class.xi)), Style::series(i));
        panel = panel
            .with(Mark::line(&x, &height, "", Style { width: 1.0, ..style.solid() }))
            .with(Mark::points(&x, &height, format!("{label}, at every gain"), style));
        let label = format!("theory, {label}: {:.2}", class.predicted);
        panel = panel.with(Mark::Vertical { at: class.predicted, label, style: Style::theory() });
    }
    panel
}
