//! The figure of `uncertainty-in-time`: a row a measure; the unit, the committee, and the share of fields that fall monotonically.

use super::UncertaintyInTime;
use super::measure::{Case, MEASURES, of_net, share};
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
    let UncertaintyInTime { two, starts, replicas, .. } = settings;
    let (n, pos, neg) = (two.n, Value::Real(two.xi_pos), Value::Real(two.xi_neg));
    let subtitle = format!(
        "Fields on {n} sites, correlation lengths {pos} (label 1) and {neg} (label 0); {starts} starts of each network and gain, each on {replicas} streams of samples."
    );
    let title = "Does the uncertainty of a receptive field fall while it is learned?";
    let figure = Figure::new(title).subtitle(subtitle).description(CAPTION);
    let mut panels = Vec::new();
    for m in 0..MEASURES.len() {
        for net in settings.nets() {
            panels.push(paths(settings, &of_net(cases, net).collect::<Vec<_>>(), m)?);
        }
        panels.push(falling(settings, cases, m)?);
    }
    Ok(grid(figure, (3, 1080.0, 0.62), panels))
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
        let label = format!("gain {}", gains::label(case.gain));
        panel = panel.with(Mark::line(&case.times[1..], &middle, label, style(i)));
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
    let y = Axis::new("share falling").range(-0.05, 1.05);
    let mut panel = Panel::new("falls monotonically", gains::axis(&settings.gain, 0.4), y);
    for (which, net) in settings.nets().into_iter().enumerate() {
        let share = |case: &Case| share(&case.verdicts[measure].falling);
        let shares = of_net(cases, net).map(share).collect::<Result<Vec<_>, _>>()?;
        let at = |place: usize| place as f64 + 0.16 * which as f64 - 0.08;
        let at: Vec<f64> = (0..shares.len()).map(at).collect();
        let (shares, errors): (Vec<f64>, Vec<f64>) =
            shares.iter().map(|share| (share.mean(), share.se())).unzip();
        let style = Style { size: 3.4, ..Style::series(which + 1) };
        panel = panel.with(Mark::measured(&at, &shares, &errors, net.what(), style));
    }
    Ok(panel)
}
