//! The figure of `gabor-or-not`: forms by data and network, what they leave, and fields with their fits.

use super::measure::{CLASSES, Case, GABOR, NONE, Unit};
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
    let figure =
        Figure::new("Which form learned fields have").subtitle(subtitle).description(CAPTION);
    let of_net = |net: usize| -> Vec<&Case> { cases.iter().filter(|c| c.net == net).collect() };
    let mut panels = Vec::new();
    for net in 0..settings.nets().len() {
        panels.push(stacked(settings, &of_net(net), net)?);
    }
    for net in [0, 2, 5] {
        panels.push(left(settings, &of_net(net), net)?);
    }
    for (net, source) in examples(settings) {
        if let Some(case) = cases.iter().find(|g| g.net == net && g.source == source) {
            panels.push(example(settings.n, case)?);
        }
    }
    Ok(grid(figure, (3, 1080.0, 0.55), panels))
}

/// A panel with the data of a network below.
fn by_data(settings: &GaborOrNot, cases: &[&Case], net: usize, y: Axis) -> Panel {
    let ticks = cases.iter().enumerate().map(|(i, case)| (i as f64, case.source.label()));
    let x = Axis::new("gain, or other data").range(-0.6, cases.len() as f64 - 0.4).ticks_at(ticks);
    Panel::new(settings.nets()[net].label(), x, y)
}

/// Bars on top of each other: the whole first, and what lies below over it.
fn stacked(settings: &GaborOrNot, cases: &[&Case], net: usize) -> Result<Panel, LabError> {
    let x: Vec<f64> = (0..cases.len()).map(|i| i as f64).collect();
    let y = Axis::new("share of units").range(0.0, 1.0);
    let mut panel = by_data(settings, cases, net, y);
    for class in (0..CLASSES).rev() {
        let height = |case: &&Case| -> Result<f64, LabError> {
            (0..=class).map(|class| case.learned_share(class).map(|e| e.mean())).sum()
        };
        let height = cases.iter().map(height).collect::<Result<Vec<f64>, _>>()?;
        let (label, style) = (NAMES[class].to_owned(), class_style(class));
        panel = panel.with(Mark::Bars { x: x.clone(), height, width: 0.8, label, style });
    }
    Ok(panel)
}

/// What forms leave, against the data.
fn left(settings: &GaborOrNot, cases: &[&Case], net: usize) -> Result<Panel, LabError> {
    const LEAST: f64 = 1e-3;
    let x: Vec<f64> = (0..cases.len()).map(|i| i as f64).collect();
    let y = Axis::new("share left, rss$/|w|^2$").log().range(LEAST, 1.5);
    let good = Mark::Horizontal { at: settings.good, label: String::new(), style: Style::guide() };
    let mut panel = by_data(settings, cases, net, y).with(good);
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
    [(0, low), (0, top), (2, top), (1, middle), (3, middle), (5, middle)]
        .map(|(net, gain)| (net, Source::Nlgp(gain)))
}

/// The field of the first seed whose best form leaves the median share, with its fits.
fn example(n: usize, case: &Case) -> Result<Panel, LabError> {
    let median = case.median(Unit::share)?;
    let gap = |i: usize| (case.learned[0][i].share() - median).abs();
    let unit =
        (0..case.learned[0].len()).fold(0, |best, i| if gap(i) < gap(best) { i } else { best });
    let w = &case.fields[unit];
    let fits = shapes(w);
    let other = fits.order.into_iter().find(|form| *form != GABOR).unwrap_or(0);
    let sites: Vec<f64> = (0..n).map(|i| i as f64).collect();
    let fine: Vec<f64> = (0..=8 * (n - 1)).map(|i| i as f64 / 8.0).collect();
    let curve = |form: usize, dash: Dash| {
        let y: Vec<f64> = fine.iter().map(|x| fits.fits[form].form.at(*x, n)).collect();
        Mark::line(&fine, &y, "", Style { width: 1.2, ..class_style(form) }.dash(dash))
    };
    let [left, gabor] = [other, GABOR].map(|form| fits.fits[form].share);
    let (label, source, form) = (&case.label, case.source.label(), FORMS[other]);
    let title = format!("{label}, {source}: {form} leaves {left:.3}, Gabor {gabor:.3}");
    Ok(Panel::new(title, Axis::new("site"), Axis::new("weight"))
        .with(curve(GABOR, Dash::Solid))
        .with(curve(other, Dash::Dashed))
        .with(Mark::points(&sites, w, "", Style { size: 1.8, ..Style::theory() })))
}
