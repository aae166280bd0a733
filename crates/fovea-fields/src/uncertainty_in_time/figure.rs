//! The figure of `uncertainty-in-time`: per measure the unit, the committee, and the share of fields that fall monotonically.

use super::measure::{Case, MEASURES, of_net, share};
use super::{Net, UncertaintyInTime};
use fovea_desk::prelude::*;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "Left and middle: four measures of uncertainty through training, median over fields, one line per gain; shaded, the middle half of \
    the fields at the lowest and the highest gain. Dashed: the bound, which no field can fall below. Right: the share of fields of which the measure falls \
    monotonically up to noise, with two standard errors over starts; the table gives the rise that would be beyond the noise of each kind of network.";

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
        "Fields on {n} sites, correlation lengths {pos} (label 1) and {neg} (label 0); {starts} starts per network and gain, each on {replicas} streams of samples."
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
    let style = |i: usize| Style::ordered(i, settings.gain.len()).solid();
    let (mut curves, mut bands) = (Vec::new(), Vec::new());
    for (i, case) in cases.iter().enumerate() {
        let at = |level: f64| quantiles(case, measure, level);
        let times = &case.times[1..];
        if i == 0 || i + 1 == cases.len() {
            bands.push(Mark::band(times, &at(0.25)?, &at(0.75)?, "", style(i)));
        }
        curves.push(named(gains::words(case.gain), style(i), xy(times, at(0.5)?)));
    }
    let (times, bound) = (&cases[0].times[1..], settings.bounds()[measure]);
    curves.push(named("bound", Style::theory(), along(times, |_| bound)));
    Ok(lines(cases[0].net.what(), time_axis().log(), y, curves).with_all(bands))
}

fn falling(
    settings: &UncertaintyInTime,
    cases: &[Case],
    measure: usize,
) -> Result<Panel, LabError> {
    let of = |(which, net): (usize, Net)| -> Result<_, LabError> {
        let share =
            |(i, case): (usize, &Case)| Ok((i as f64, share(&case.verdicts[measure].falling)?));
        let shares = of_net(cases, net).enumerate().map(share).collect::<Result<Xy, LabError>>()?;
        Ok(named(net.what(), Style { size: 3.4, ..Style::series(which + 1) }, shares))
    };
    let nets = settings.nets().into_iter().enumerate().map(of).collect::<Result<Vec<_>, _>>()?;
    let y = Axis::new("share falling").range(-0.05, 1.05);
    Ok(means_by_category("falls monotonically", gains::axis(&settings.gain, 0.4), y, nets))
}
