//! The figure of `gabor-or-not`: forms by data and network, what they leave, and fields with their fits.

use super::measure::{CLASSES, Case, NONE, Unit};
use super::{GaborOrNot, Source};
use fovea_desk::prelude::*;
use fovea_sim::probe::shapes::{FORMS, shapes};

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "Upper two rows: the share of units whose field is a bump, a wave, a difference of Gaussians, a Gabor, or none of them, by data (the gain of a \
    nonlinear Gaussian process, Ising spins, power tails), a panel a network. Third row: what each form leaves \
    of the squared field (medians over units, none drawn below 0.001). Bottom: learned fields (points) with the Gabor nearest to them (solid) and the best other form (dashed).";

const NAMES: [&str; CLASSES] = ["bump", "wave", "difference of Gaussians", "Gabor", "none of them"];

fn class_style(class: usize) -> Style {
    if class == NONE { Style::guide().solid() } else { Style::series(class).solid() }
}

pub(super) fn figure(settings: &GaborOrNot, cases: &[Case]) -> Result<Figure, LabError> {
    let subtitle = format!(
        "Networks on {} sites, {} seeds each; the form with the least Bayesian criterion counts if it leaves at most {} of the squared field.",
        settings.n, settings.seeds, settings.good
    );
    let mut figure = Figure::new("Which form learned fields have")
        .subtitle(subtitle)
        .columns(3)
        .width(1080.0)
        .aspect(0.55)
        .description(CAPTION);
    for net in 0..settings.nets().len() {
        figure = figure.panel(stacked(settings, cases, net)?);
    }
    for net in [0, 2, 5] {
        figure = figure.panel(left(settings, cases, net)?);
    }
    for (net, source) in examples(settings) {
        if let Some(case) = cases.iter().find(|g| g.net == net && g.source == source) {
            figure = figure.panel(example(settings, case)?);
        }
    }
    Ok(figure)
}

fn of_net(cases: &[Case], net: usize) -> Vec<&Case> {
    cases.iter().filter(|case| case.net == net).collect()
}

fn data_axis(cases: &[&Case]) -> Axis {
    let ticks = cases.iter().enumerate().map(|(i, case)| (i as f64, case.source.label()));
    Axis::new("gain, or other data").range(-0.6, cases.len() as f64 - 0.4).ticks_at(ticks)
}

/// Bars on top of each other: the whole first, and what lies below over it.
fn stacked(settings: &GaborOrNot, cases: &[Case], net: usize) -> Result<Panel, LabError> {
    let cases = of_net(cases, net);
    let x: Vec<f64> = (0..cases.len()).map(|i| i as f64).collect();
    let y = Axis::new("share of units").range(0.0, 1.0);
    let mut panel = Panel::new(settings.nets()[net].label(), data_axis(&cases), y);
    for class in (0..CLASSES).rev() {
        let mut height = Vec::new();
        for case in &cases {
            let shares =
                (0..=class).map(|class| case.learned_share(class, settings).map(|e| e.mean()));
            height.push(shares.sum::<Result<f64, _>>()?);
        }
        let (label, style) = (NAMES[class].to_owned(), class_style(class));
        panel = panel.with(Mark::Bars { x: x.clone(), height, width: 0.8, label, style });
    }
    Ok(panel)
}

/// What forms leave, against the data.
fn left(settings: &GaborOrNot, cases: &[Case], net: usize) -> Result<Panel, LabError> {
    const LEAST: f64 = 1e-3;
    let cases = of_net(cases, net);
    let x: Vec<f64> = (0..cases.len()).map(|i| i as f64).collect();
    let y = Axis::new("share left, rss$/|w|^2$").log().range(LEAST, 1.5);
    let mut panel = Panel::new(settings.nets()[net].label(), data_axis(&cases), y);
    let good = Mark::Horizontal { at: settings.good, label: String::new(), style: Style::guide() };
    panel = panel.with(good);
    for form in 0..4 {
        let median = |case: &&Case| case.median(|unit| unit.share_of(form).max(LEAST));
        let medians = cases.iter().map(median).collect::<Result<Vec<f64>, _>>()?;
        panel = panel.with(Mark::line(&x, &medians, "", Style::series(form).solid()));
        panel = panel.with(Mark::points(&x, &medians, NAMES[form], Style::series(form)));
    }
    Ok(panel)
}

/// The fields that are drawn: one unit at both ends of the gain, and networks of every kind at high gain.
fn examples(settings: &GaborOrNot) -> [(usize, Source); 6] {
    let top = settings.gain.iter().copied().fold(0.0, f64::max);
    let low = settings.gain.iter().copied().fold(f64::INFINITY, f64::min);
    let middle = settings.gain.iter().copied().filter(|g| *g < top).fold(low, f64::max);
    [
        (0, Source::Nlgp(low)),
        (0, Source::Nlgp(top)),
        (2, Source::Nlgp(top)),
        (1, Source::Nlgp(middle)),
        (3, Source::Nlgp(middle)),
        (5, Source::Nlgp(middle)),
    ]
}

/// The field of the first seed whose best form leaves the median share, with its fits.
fn example(settings: &GaborOrNot, case: &Case) -> Result<Panel, LabError> {
    let median = case.median(Unit::share)?;
    let gap = |i: usize| (case.learned[0][i].share() - median).abs();
    let unit =
        (0..case.learned[0].len()).fold(0, |best, i| if gap(i) < gap(best) { i } else { best });
    let (w, n) = (&case.fields[unit], settings.n);
    let fits = shapes(w);
    let other = fits.order.into_iter().find(|form| *form != 3).unwrap_or(0);
    let sites: Vec<f64> = (0..n).map(|i| i as f64).collect();
    let fine: Vec<f64> = (0..=8 * (n - 1)).map(|i| i as f64 / 8.0).collect();
    let curve =
        |form: usize| -> Vec<f64> { fine.iter().map(|x| fits.fits[form].form.at(*x, n)).collect() };
    let title = format!(
        "{}, {}: {} leaves {:.3}, Gabor {:.3}",
        settings.nets()[case.net].label(),
        case.source.label(),
        FORMS[other],
        fits.fits[other].share,
        fits.fits[3].share
    );
    Ok(Panel::new(title, Axis::new("site"), Axis::new("weight"))
        .with(Mark::line(&fine, &curve(3), "", Style { width: 1.2, ..class_style(3) }))
        .with(Mark::line(
            &fine,
            &curve(other),
            "",
            Style { width: 1.2, ..class_style(other) }.dash(Dash::Dashed),
        ))
        .with(Mark::points(&sites, w, "", Style { size: 1.8, ..Style::theory() })))
}
