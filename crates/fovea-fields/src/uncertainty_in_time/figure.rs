//! The figure of `uncertainty-in-time`: a row a measure; the unit, the committee, and the share of fields that fall monotonically.

use super::UncertaintyInTime;
use super::measure::{Case, MEASURES, share};
use fovea_core::stats::quantile;
use fovea_desk::prelude::*;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "Left and middle: four measures of uncertainty through training, median over fields, one line a gain; shaded, the middle half of \
    the fields at the lowest and the highest gain. Dashed: the bound, which no field can fall below. Right: the share of fields of which the measure falls \
    monotonically up to noise, with the standard error over starts; the table says which rise each kind of network would show above its noise.";

const LABELS: [&str; 4] = [
    "$H_x + H_k$ (nats)",
    "Massar\u{2013}Spindel sum",
    "circular product",
    "product, analytic signal",
];

pub(super) fn figure(settings: &UncertaintyInTime, cases: &[Case]) -> Result<Figure, LabError> {
    let subtitle = format!(
        "Fields on {} sites, correlation lengths {} (label 1) and {} (label 0); {} starts of each network and gain, each on {} streams of samples.",
        settings.n,
        Value::Real(settings.xi_pos),
        Value::Real(settings.xi_neg),
        settings.starts,
        settings.replicas
    );
    let mut figure =
        Figure::new("Does the uncertainty of a receptive field fall while it is learned?")
            .subtitle(subtitle)
            .columns(3)
            .width(1080.0)
            .aspect(0.62)
            .description(CAPTION);
    let nets = settings.nets();
    for m in 0..MEASURES.len() {
        for net in &nets {
            let mine: Vec<&Case> = cases.iter().filter(|case| case.net.name == net.name).collect();
            figure = figure.panel(paths(settings, &mine, m)?);
        }
        figure = figure.panel(falling(settings, cases, m)?);
    }
    Ok(figure)
}

fn gain_label(gain: f64) -> String {
    format!("gain {}", Value::Real(gain).to_string().replace("inf", "\u{221e}"))
}

/// The quantile over fields of the mean path, record by record but for the first, which has no place in the logarithm of time.
fn quantiles(case: &Case, measure: usize, level: f64) -> Result<Vec<f64>, LabError> {
    let paths: Vec<Vec<f64>> = case.fields.iter().map(|f| f.mean_path(measure)).collect();
    let at = |t: usize| quantile(&paths.iter().map(|path| path[t]).collect::<Vec<_>>(), level);
    Ok((1..case.times.len()).map(at).collect::<Result<_, _>>()?)
}

fn paths(settings: &UncertaintyInTime, cases: &[&Case], measure: usize) -> Result<Panel, LabError> {
    let y = Axis::new(LABELS[measure]).share(measure as u32);
    let y = if MEASURES[measure].log { y.log() } else { y };
    let x = Axis::new("training time $t$ = step $\\times$ rate").log();
    let mut panel = Panel::new(cases[0].net.what(), x, y);
    let style = |i: usize| Style::ordered(i, settings.gain.len()).solid();
    for (i, case) in cases.iter().enumerate() {
        if i == 0 || i + 1 == cases.len() {
            let (low, high) = (quantiles(case, measure, 0.25)?, quantiles(case, measure, 0.75)?);
            panel = panel.with(Mark::band(&case.times[1..], &low, &high, "", style(i)));
        }
    }
    for (i, case) in cases.iter().enumerate() {
        let middle = quantiles(case, measure, 0.5)?;
        panel = panel.with(Mark::line(&case.times[1..], &middle, gain_label(case.gain), style(i)));
    }
    let bound = settings.bounds()[measure];
    let ends = [cases[0].times[1], cases[0].times[cases[0].times.len() - 1]];
    Ok(panel.with(Mark::line(&ends, &[bound; 2], "bound", Style::theory())))
}

fn falling(
    settings: &UncertaintyInTime,
    cases: &[Case],
    measure: usize,
) -> Result<Panel, LabError> {
    let ticks = settings.gain.iter().enumerate();
    let ticks =
        ticks.map(|(i, g)| (i as f64, Value::Real(*g).to_string().replace("inf", "\u{221e}")));
    let x = Axis::new("gain").range(-0.4, settings.gain.len() as f64 - 0.6).ticks_at(ticks);
    let y = Axis::new("share falling").range(-0.05, 1.05);
    let mut panel = Panel::new("falls monotonically", x, y);
    for (which, net) in settings.nets().iter().enumerate() {
        let (mut at, mut shares, mut errors) = (Vec::new(), Vec::new(), Vec::new());
        for case in cases.iter().filter(|case| case.net.name == net.name) {
            let place = settings.gain.iter().position(|g| g.total_cmp(&case.gain).is_eq());
            let share = share(&case.verdicts[measure].falling)?;
            at.push(place.unwrap_or(0) as f64 + 0.16 * which as f64 - 0.08);
            shares.push(share.mean());
            errors.push(share.se());
        }
        let style = Style { size: 3.4, ..Style::series(which + 1) };
        panel = panel.with(Mark::measured(&at, &shares, &errors, net.what(), style));
    }
    Ok(panel)
}
