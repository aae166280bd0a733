//! The figure of `handover`: ratio of the terms, distance to the Gaussian flow, kurtosis, from large and Glorot starts.

use super::measure::Means;
use super::{Handover, Size};
use fovea_desk::prelude::*;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "Means over starts with two standard errors, left from weights of unit variance and right from Glorot's. (a, b) Size of the \
    gated term over that of the linear term; at rest the two are equal. (c, d) Distance between the field and that of the closed flow on Gaussian data of the \
    same covariances, from the same start: fields at different gains are the same until the gated term is comparable with the linear one, and part soon after; what \
    grows at gain 0.01 is the noise of SGD. (e, f) Excess kurtosis of the preactivation on the \
    longer-ranged class: towards -2 the field rests on a single sign. All starts are measured on one fixed sample, whose error the bands leave out.";

type Of = fn(&Means) -> &Vec<Estimate>;

pub(super) fn figure(settings: &Handover, found: &[Means]) -> Figure {
    let subtitle = format!(
        "n = {}, correlation lengths {} (label 1) and {} (label 0), learning rate {}, batch {}, {} starts",
        settings.n,
        Value::Real(settings.xi_pos),
        Value::Real(settings.xi_neg),
        Value::Real(settings.lr),
        settings.batch,
        settings.starts
    );
    let rows: [(&str, Of, u32); 3] = [
        ("gated term / linear term", |means| &means.ratio, 1),
        ("relative distance to Gaussian flow", |means| &means.distance, 2),
        ("preactivation excess kurtosis", |means| &means.kurtosis, 3),
    ];
    let mut figure = Figure::new("The law of the data matters once the gated term takes over")
        .subtitle(subtitle)
        .columns(2)
        .aspect(0.55)
        .description(CAPTION);
    for (label, of, share) in rows {
        for size in Size::BOTH {
            let own: Vec<&Means> = found.iter().filter(|means| means.size == size).collect();
            figure = figure.panel(panel(settings, &own, size, (label, of, share)));
        }
    }
    figure
}

fn panel(
    settings: &Handover,
    found: &[&Means],
    size: Size,
    (label, of, share): (&str, Of, u32),
) -> Panel {
    let from = match size {
        Size::Large => "from unit variance",
        Size::Glorot => "from Glorot weights",
    };
    let what = match share {
        1 => "the two terms",
        2 => "leaving the Gaussian flow",
        _ => "kurtosis",
    };
    let title = format!("{what}, {from}");
    let mut panel =
        Panel::new(title, Axis::new("time $t$ = step $\\times$ lr"), Axis::new(label).share(share));
    for (i, means) in found.iter().enumerate() {
        let style = || Style::ordered(i, found.len());
        let at = |offset: f64| -> Vec<f64> {
            of(means).iter().map(|e| e.mean() + offset * e.se()).collect()
        };
        panel = panel.with(Mark::band(&means.times, &at(-2.0), &at(2.0), "", style()));
        panel = panel.with(Mark::line(&means.times, &at(0.0), means.label(), style()));
    }
    if share == 1 {
        let ends = [found[0].times[0], found[0].times[found[0].times.len() - 1]];
        panel = panel.with(Mark::line(&ends, &[1.0, 1.0], "equal, at rest", Style::guide()));
        let level = [settings.level; 2];
        panel = panel.with(Mark::line(&ends, &level, "counts as hand-over", Style::theory()));
    }
    panel
}
