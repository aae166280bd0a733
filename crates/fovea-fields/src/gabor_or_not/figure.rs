//! The figure of `gabor-or-not`: forms by data and network, what they leave, and fields with their fits.

use super::measure::{CLASSES, Case, GABOR, NONE, Unit};
use super::{GaborOrNot, Source};
use fovea_desk::prelude::*;
use fovea_sim::probe::shapes::shapes;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "Upper two rows: the share of units whose field is a bump, a wave, a difference of Gaussians, a Gabor, or none of them, by data (the gain of a \
    nonlinear Gaussian process, Ising spins, power tails), one panel per network. Third row: what each form leaves \
    of the squared field (medians over units; those below 0.001 are drawn at it); the dotted line is the most that the best form may leave. Bottom: learned fields (points) with the nearest Gabor (solid) and the best other form (dashed).";

const NAMES: [&str; CLASSES] = ["bump", "wave", "difference of Gaussians", "Gabor", "none of them"];

pub(super) fn figure(settings: &GaborOrNot, cases: &[Case]) -> Result<Figure, LabError> {
    let subtitle = format!(
        "Networks on {} sites, {} seeds each; the form with the least Bayesian criterion counts if it leaves at most {} of the squared field.",
        settings.n, settings.seeds, settings.good
    );
    let figure =
        Figure::new("Which form learned fields have").subtitle(subtitle).description(CAPTION);
    let of_net = |net: usize| -> Vec<&Case> { cases.iter().filter(|c| c.net == net).collect() };
    let mut panels = Vec::new();
    let nets = settings.nets();
    for (net, of) in nets.iter().enumerate() {
        panels.push(stacked(of.label(), &of_net(net))?);
    }
    for net in [0, 2, 5] {
        panels.push(left(nets[net].label(), &of_net(net), settings.good)?);
    }
    for (net, source) in examples(settings) {
        if let Some(case) = cases.iter().find(|g| g.net == net && g.source == source) {
            panels.push(example(settings.n, case)?);
        }
    }
    Ok(grid(figure, (3, 1080.0, 0.55), panels))
}

/// The data of a network along an axis.
fn data(cases: &[&Case]) -> Axis {
    categories("gain, or other data", cases.iter().map(|case| case.source.label()))
}

/// Bars on top of each other: the whole first, and what lies below over it.
fn stacked(title: String, cases: &[&Case]) -> Result<Panel, LabError> {
    let x: Vec<f64> = (0..cases.len()).map(|i| i as f64).collect();
    let mut panel = Panel::new(title, data(cases), Axis::new("share of units").range(0.0, 1.0));
    for class in (0..CLASSES).rev() {
        let height = |case: &&Case| -> Result<f64, LabError> {
            (0..=class).map(|class| case.learned_share(class).map(|e| e.mean())).sum()
        };
        let height = cases.iter().map(height).collect::<Result<Vec<f64>, _>>()?;
        let style = if class == NONE { Style::guide() } else { Style::series(class) };
        let label = NAMES[class].to_owned();
        panel = panel.with(Mark::Bars { x: x.clone(), height, width: 0.8, label, style });
    }
    Ok(panel)
}

/// What forms leave, against the data.
fn left(title: String, cases: &[&Case], good: f64) -> Result<Panel, LabError> {
    const LEAST: f64 = 1e-3;
    let mut forms = Vec::new();
    for (form, name) in NAMES.into_iter().take(NONE).enumerate() {
        let median = |case: &&Case| case.median(|unit| unit.share_of(form).max(LEAST));
        forms.push((name, counted(cases.iter().map(median).collect::<Result<Vec<f64>, _>>()?)));
    }
    let y = Axis::new("share left, rss$/|w|^2$").log().range(LEAST, 1.5);
    // Solid: colours and markers name the forms, as in the examples.
    let forms = series(forms).into_iter().map(|s| named(s.label, s.style.solid(), s.data));
    Ok(means_along(title, data(cases), y, forms).with(guide_at_y(good, "")))
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
    let fine = ladder(&[0.0, (n - 1) as f64], 8 * (n - 1));
    let curve = |form: usize, dash: Dash| {
        let style = Style { width: 1.2, ..Style::series(form) }.dash(dash);
        unnamed(style, along(&fine, |x| fits.fits[form].form.at(x, n)))
    };
    let curves = [curve(GABOR, Dash::Solid), curve(other, Dash::Dashed)];
    let [left, gabor] = [other, GABOR].map(|form| 100.0 * fits.fits[form].share);
    let title = format!("{}, gain {}", case.label, case.source.label());
    let note = format!("residual: {} {left:.1} %, Gabor {gabor:.1} %", NAMES[other]);
    let points = counted(w).points("", Style { size: 1.8, ..Style::theory() });
    Ok(lines(title, "site", "weight", curves).with(points).note(note))
}
