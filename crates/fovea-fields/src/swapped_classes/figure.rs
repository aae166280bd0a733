//! The figure of `swapped-classes`: R and IPR against gain, and fields at infinite gain, a row an order.

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
    let subtitle = format!(
        "One ReLU unit on {} sites, labels 1 and 0; correlation lengths {} and {}. Every point is a network, measured on {} fresh samples.",
        settings.n,
        Value::Real(settings.short),
        Value::Real(settings.long),
        settings.eval
    );
    let mut figure = Figure::new("Swapped classes: what random starts find is not the best")
        .subtitle(subtitle)
        .columns(3)
        .width(1080.0)
        .aspect(0.8)
        .description(CAPTION);
    for two in settings.orders() {
        let longer = two.xi_pos > two.xi_neg;
        let here: Vec<&Ends> =
            found.iter().filter(|ends| ends.point.is_longer() == longer).collect();
        figure = figure
            .panel(quality(settings, &two, &here)?)
            .panel(localization(settings, &two, &here))
            .panel(fields(&two, &here)?);
    }
    Ok(figure)
}

fn title(two: &TwoClass, what: &str) -> String {
    format!("$\\xi_+ = {}$, $\\xi_- = {}$: {what}", two.xi_pos, two.xi_neg)
}

fn sorted(settings: &SwappedClasses) -> Vec<f64> {
    let mut gains = settings.gain.clone();
    gains.sort_by(f64::total_cmp);
    gains
}

/// Gains are equally spaced, so that infinity has a place.
fn gain_axis(settings: &SwappedClasses) -> Axis {
    let gains = sorted(settings);
    let label = |gain: &f64| Value::Real(*gain).to_string().replace("inf", "\u{221e}");
    let ticks = gains.iter().enumerate().map(|(i, gain)| (i as f64, label(gain)));
    Axis::new("gain").range(-0.3, gains.len() as f64 - 0.7).ticks_at(ticks)
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

fn style(origin: Origin) -> Style {
    match origin {
        Origin::Glorot => Style::series(0).solid(),
        Origin::Site => Style::series(1).solid(),
    }
}

fn label(origin: Origin) -> &'static str {
    match origin {
        Origin::Glorot => "from random weights",
        Origin::Site => "from one site",
    }
}

/// The networks of every group side by side at its gain.
fn networks(
    panel: Panel,
    settings: &SwappedClasses,
    found: &[&Ends],
    of: impl Fn(&Ends) -> Vec<f64>,
) -> Panel {
    let gains = sorted(settings);
    found.iter().fold(panel, |panel, ends| {
        let place =
            gains.iter().position(|gain| gain.total_cmp(&ends.point.gain).is_eq()).unwrap_or(0)
                as f64;
        let (values, centre) =
            (of(ends), place + if ends.point.origin == Origin::Glorot { -0.1 } else { 0.1 });
        let step = 0.14 / values.len() as f64;
        let x: Vec<f64> =
            (0..values.len()).map(|k| centre - 0.07 + step * (k as f64 + 0.5)).collect();
        panel.with(Mark::points(
            &x,
            &values,
            label(ends.point.origin),
            Style { size: 2.2, ..style(ends.point.origin) }.hollow(),
        ))
    })
}

fn quality(settings: &SwappedClasses, two: &TwoClass, found: &[&Ends]) -> Result<Panel, LabError> {
    const POINTS: usize = 60;
    let gains = sorted(settings);
    let last = (gains.len() - 1) as f64;
    let x: Vec<f64> = (0..=POINTS).map(|i| last * i as f64 / POINTS as f64).collect();
    let bounds = x
        .iter()
        .map(|place| Bounds::new(two, gain_at(&gains, *place)))
        .collect::<Result<Vec<_>, _>>()?;
    let line = |of: fn(&Bounds) -> f64| -> Vec<f64> { bounds.iter().map(of).collect() };
    let y = Axis::new("$R$  (loss $= (1 - R/2)/4$)").share(1);
    let panel = Panel::new(title(two, "quality"), gain_axis(settings), y)
        .with(Mark::line(
            &x,
            &line(|b| b.mode),
            "best mode, Gaussian data",
            Style::theory().dash(Dash::Dotted),
        ))
        .with(Mark::line(
            &x,
            &line(|b| b.gate),
            "gate of one site, a bound on the best",
            Style::theory(),
        ));
    Ok(networks(panel, settings, found, Ends::rs))
}

fn localization(settings: &SwappedClasses, two: &TwoClass, found: &[&Ends]) -> Panel {
    let y = Axis::new("IPR  $\\sum w^4 / (\\sum w^2)^2$").range(0.0, 1.0);
    let least = Mark::Horizontal { at: LEAST_IPR, label: String::new(), style: Style::guide() };
    let panel = Panel::new(title(two, "localization"), gain_axis(settings), y).with(least);
    networks(panel, settings, found, Ends::iprs)
}

fn fields(two: &TwoClass, found: &[&Ends]) -> Result<Panel, LabError> {
    let n = two.n;
    let half = (n / 2).min(12);
    let top = found.iter().map(|ends| ends.point.gain).fold(0.0, f64::max);
    let x: Vec<f64> = (0..=2 * half).map(|i| i as f64 - half as f64).collect();
    let mut panel =
        Panel::new(title(two, "fields"), Axis::new("sites from the peak"), Axis::new("weight"));
    for ends in found.iter().filter(|ends| ends.point.gain.total_cmp(&top).is_eq()) {
        let field = &ends.fields[0];
        let centre = peak(field);
        let cut: Vec<f64> = (0..=2 * half)
            .map(|i| field[(centre + n + i - half) % n] * field[centre].signum())
            .collect();
        let style = style(ends.point.origin);
        panel = panel.with(Mark::line(&x, &cut, "", Style { width: 1.0, ..style })).with(
            Mark::points(&x, &cut, label(ends.point.origin), Style { size: 2.2, ..style }.hollow()),
        );
    }
    let dictator = two.dictator()?;
    if top.is_infinite() && dictator.exists {
        let w: Vec<f64> = (0..=2 * half).map(|i| dictator.w[(n + i - half) % n]).collect();
        panel = panel.with(Mark::line(&x, &w, "dictator state", Style::theory().dash(Dash::Long)));
    }
    Ok(panel)
}
