//! The figure of `cumulant-direction`: participation ratio over length and gain, and the directions with trained fields.

use super::measure::{AtGain, Lengths};
use super::{CumulantDirection, PUBLISHED};
use fovea_desk::cell::in_the_middle;
use fovea_desk::prelude::*;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "(a) Inverse participation ratio of the direction in which the fourth cumulant is most negative, over the correlation length: to leading order in a weak gain, where it does not \
    depend on the gain, and exactly for signs. Rings: values found by another program. (b) Those directions at weak gain. (c) The same ratio over the gain: \
    the exact direction, that of a sample, the best field of the Edgeworth theory, and trained fields (two standard errors). The cumulant is localized at every gain; the trained \
    field is only once it outweighs the covariances. (d) A trained field at the weakest and at the strongest gain, and the exact direction at the strongest.";

/// Lengths whose directions are drawn.
const SHOWN: [f64; 3] = [1.0, 2.0, 5.0];
/// Sites to either side of the peak of a direction that is drawn.
const REACH: usize = 10;

pub(super) fn figure(settings: &CumulantDirection, lengths: &Lengths, all: &[AtGain]) -> Figure {
    let (TwoClass { n, xi_pos, xi_neg, .. }, starts) = (settings.two, settings.starts);
    let [pos, neg] = [xi_pos, xi_neg].map(Value::Real);
    let subtitle = format!(
        "Nonlinear Gaussian process, n = {n}; training on lengths {pos} (label 1) and {neg} (label 0), {starts} starts"
    );
    let title = "The fourth cumulant is localized at every gain, the trained field is not";
    let figure = Figure::new(title).subtitle(subtitle).description(CAPTION);
    let panels = [over_length(lengths), directions(lengths), over_gain(all), trained(all)];
    grid(figure, (2, 720.0, 0.72), panels)
}

/// A field of unit norm, its peak positive and in the middle.
fn unit(w: &[f64]) -> Vec<f64> {
    let norm = norm(w);
    in_the_middle(w).into_iter().map(|w| w / norm).collect()
}

fn over_length(Lengths { xi, iprs, sign_iprs, .. }: &Lengths) -> Panel {
    let length = Axis::new("correlation length $\\xi$ (sites)").log();
    let (title, y) = ("participation ratio over length", Axis::new("IPR of the direction").log());
    let ratios = [("weak gain", xy(xi, iprs)), ("signs", xy(xi, sign_iprs))];
    lines(title, length, y, series(ratios))
        .with(Xy::from_iter(PUBLISHED).points("another program", Style::series(6).hollow()))
}

fn directions(lengths: &Lengths) -> Panel {
    let all = lengths.xi.iter().zip(&lengths.directions);
    let shown = all.filter(|(xi, _)| SHOWN.iter().any(|other| (other - *xi).abs() < 1e-9));
    let shown = shown.map(|(xi, w)| {
        let (middle, reach) = (w.len() / 2, REACH.min((w.len() - 1) / 2));
        let near = unit(w)[middle - reach..=middle + reach].to_vec();
        (format!("$\\xi$ = {}", Value::Real(*xi)), near)
    });
    let y = "entry of the unit vector";
    ring_fields("direction at weak gain", Sites::FromPeak, y, [], ordered(shown))
}

fn over_gain(all: &[AtGain]) -> Panel {
    let gain = gains::axis(&all.iter().map(|at| at.gain).collect::<Vec<_>>(), 0.4);
    let sampled = all.iter().enumerate();
    let sampled = sampled.filter_map(|(i, at)| Some((i as f64, at.sampled.as_ref()?.ipr)));
    let trained = all.iter().enumerate().map(|(i, at)| (i as f64, at.ipr));
    let exact = counted(all.iter().map(|at| at.leading.ipr));
    let edgeworth = counted(all.iter().map(|at| ipr(&at.edgeworth)));
    let measured = [
        named("sampled cumulant", Style::series(2).hollow(), sampled.collect()),
        named("SGD", Style::series(5), trained.collect()),
    ];
    means_by_category("participation ratio over gain", gain, Axis::new("IPR").log(), measured)
        .with(exact.line("exact cumulant", Style::series(2)))
        .with(edgeworth.line("best field, Edgeworth theory", Style::series(3)))
}

fn trained(all: &[AtGain]) -> Panel {
    let last = &all[all.len() - 1];
    let exact = named("exact cumulant", Style::series(2), unit(&last.leading.v));
    let filled = Style { hollow: false, ..Style::series(6) };
    let trained = [(&all[0], Style::series(4)), (last, filled)].map(|(at, style)| {
        named(format!("SGD, {}", gains::words(at.gain)), style, unit(&at.fields[0]))
    });
    let (title, y) = ("trained field and direction", "entry, unit norm");
    ring_fields(title, Sites::FromPeak, y, trained, [exact])
}
