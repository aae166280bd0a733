//! The figure of `swapped-classes`: R and IPR against gain, and fields at infinite gain, a row per order.

use super::SwappedClasses;
use super::measure::{Bounds, Ends, Origin};
use fovea_desk::cell::{LEAST_IPR, peak};
use fovea_desk::prelude::*;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "Top: class pos (label 1) has the shorter correlations; bottom: the longer. Left: R of every network, \
    larger is better (loss (1 - R/2)/4), from random weights and from one site, beside closed forms: the best mode of Gaussian data with the \
    same covariances, and the regression under the gate of one site, which the best field does not fall short of and which is the dictator state \
    at infinite gain. In the swapped order random starts end at the worse of two attractors. Middle: inverse participation ratio; the \
    line at 1/2 is the least in a dictator's cell. Right: final fields at the largest gain, centred on their peaks.";

pub(super) fn figure(settings: &SwappedClasses, found: &[Ends]) -> Result<Figure, LabError> {
    let SwappedClasses { n, eval, .. } = settings;
    let [short, long] = [settings.short, settings.long].map(Value::Real);
    let subtitle = format!(
        "One ReLU unit on {n} sites, labels 1 and 0; correlation lengths {short} and {long}. Every point is a network, measured on {eval} fresh samples."
    );
    let mut gains = settings.gain.clone();
    gains.sort_by(f64::total_cmp);
    let mut panels = Vec::new();
    for (two, longer) in settings.orders().into_iter().zip([false, true]) {
        let here: Vec<_> = found.iter().filter(|ends| ends.point.is_longer() == longer).collect();
        panels.push(quality(&gains, &two, &here)?);
        panels.push(localization(&gains, &two, &here));
        panels.push(fields(&two, &here)?);
    }
    let title = "Swapped classes: what random starts find is not the best";
    let figure = Figure::new(title).subtitle(subtitle).description(CAPTION);
    Ok(grid(figure, (3, 1080.0, 0.8), panels))
}

fn title(two: &TwoClass, what: &str) -> String {
    format!("$\\xi_+ = {}$, $\\xi_- = {}$: {what}", two.xi_pos, two.xi_neg)
}

/// The gain at a place between two of those listed; towards infinity as one over what is left.
fn gain_at(gains: &[f64], place: f64) -> f64 {
    let i = (libm::floor(place) as usize).min(gains.len() - 1);
    let s = place - i as f64;
    match gains.get(i + 1) {
        None => gains[i],
        Some(next) if next.is_infinite() => gains[i] / (1.0 - s),
        Some(next) => gains[i] * libm::pow(next / gains[i], s),
    }
}

/// The label and the style of a kind of start.
fn look(origin: Origin) -> (&'static str, Style) {
    match origin {
        Origin::Glorot => ("from random weights", Style::series(0).solid()),
        Origin::Site => ("from one site", Style::series(1).solid()),
    }
}

/// The networks of every group side by side at its gain.
fn networks(gains: &[f64], found: &[&Ends], of: fn(&Ends) -> Vec<f64>) -> Vec<Mark> {
    let mark = |ends: &&Ends| {
        let place = gains.iter().position(|gain| gain.total_cmp(&ends.point.gain).is_eq());
        let aside = if ends.point.origin == Origin::Glorot { -0.1 } else { 0.1 };
        let (values, centre) = (of(ends), place.unwrap_or(0) as f64 + aside);
        let step = 0.14 / values.len() as f64;
        let x: Vec<f64> =
            (0..values.len()).map(|k| centre - 0.07 + step * (k as f64 + 0.5)).collect();
        let (label, style) = look(ends.point.origin);
        Mark::points(&x, &values, label, Style { size: 2.2, ..style }.hollow())
    };
    found.iter().map(mark).collect()
}

fn quality(gains: &[f64], two: &TwoClass, found: &[&Ends]) -> Result<Panel, LabError> {
    const POINTS: usize = 60;
    let last = (gains.len() - 1) as f64;
    let x: Vec<f64> = (0..=POINTS).map(|i| last * i as f64 / POINTS as f64).collect();
    let bounds = x.iter().map(|place| Bounds::new(two, gain_at(gains, *place)));
    let bounds = bounds.collect::<Result<Vec<_>, _>>()?;
    let line = |of: fn(&Bounds) -> f64, label: &str, style: Style| {
        Mark::line(&x, &bounds.iter().map(of).collect::<Vec<_>>(), label, style)
    };
    let y = Axis::new("$R$  (loss $= (1 - R/2)/4$)").share(1);
    let dotted = Style::theory().dash(Dash::Dotted);
    Ok(Panel::new(title(two, "quality"), gains::axis(gains, 0.3), y)
        .with(line(|b| b.mode, "best mode, Gaussian data", dotted))
        .with(line(|b| b.gate, "gate of one site, a bound on the best", Style::theory()))
        .with_all(networks(gains, found, Ends::rs)))
}

fn localization(gains: &[f64], two: &TwoClass, found: &[&Ends]) -> Panel {
    let y = Axis::new("IPR  $\\sum w^4 / (\\sum w^2)^2$").range(0.0, 1.0);
    let least = Mark::Horizontal { at: LEAST_IPR, label: String::new(), style: Style::guide() };
    Panel::new(title(two, "localization"), gains::axis(gains, 0.3), y)
        .with(least)
        .with_all(networks(gains, found, Ends::iprs))
}

fn fields(two: &TwoClass, found: &[&Ends]) -> Result<Panel, LabError> {
    let n = two.n;
    let half = (n / 2).min(12);
    let top = found.iter().map(|ends| ends.point.gain).fold(0.0, f64::max);
    let x: Vec<f64> = (0..=2 * half).map(|i| i as f64 - half as f64).collect();
    let cut = |field: &[f64], centre: usize| -> Vec<f64> {
        let entry = |i: usize| field[(centre + n + i - half) % n] * field[centre].signum();
        (0..=2 * half).map(entry).collect()
    };
    let mut panel =
        Panel::new(title(two, "fields"), Axis::new("sites from the peak"), Axis::new("weight"));
    for ends in found.iter().filter(|ends| ends.point.gain.total_cmp(&top).is_eq()) {
        let field = cut(&ends.fields[0], peak(&ends.fields[0]));
        let (label, style) = look(ends.point.origin);
        panel = panel
            .with(Mark::line(&x, &field, "", Style { width: 1.0, ..style }))
            .with(Mark::points(&x, &field, label, Style { size: 2.2, ..style }.hollow()));
    }
    let dictator = two.dictator()?;
    if top.is_infinite() && dictator.exists {
        let (w, style) = (cut(&dictator.w, 0), Style::theory().dash(Dash::Long));
        panel = panel.with(Mark::line(&x, &w, "dictator state", style));
    }
    Ok(panel)
}
