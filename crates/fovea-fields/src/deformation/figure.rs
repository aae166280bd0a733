//! The figure of `deformation`: two rows a width; one network's fields on the way up and down, and order parameters on both ways.

use super::Deformation;
use super::measure::{Branch, Chain, Loop};
use fovea_desk::cell::peak;
use fovea_desk::prelude::*;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "For each width: the field of one unit of the first network at every gain, each in units of its largest weight and turned so that the \
    peak at the highest gain stands in the middle, on the way up and on the way down; then IPR, mean frequency, circular spread and what the nearest Gabor leaves of the \
    squared field, mean over units and seeds with two standard errors, on both ways; dotted, the same with a fraction of the steps at every gain. The dashed line is the dictator state of one unit at infinite gain.";

pub(super) fn figure(settings: &Deformation, loops: &[Loop]) -> Result<Figure, LabError> {
    let subtitle = format!(
        "ReLU units on {} sites, correlation lengths {} (label 1) and {} (label 0); every gain is trained to rest from the fields of the gain before, {} networks of one unit, {} of more.",
        settings.n,
        Value::Real(settings.xi_pos),
        Value::Real(settings.xi_neg),
        settings.seeds,
        settings.wide_seeds
    );
    let mut figure = Figure::new("Fields along the gain, there and back")
        .subtitle(subtitle)
        .columns(3)
        .width(1080.0)
        .aspect(0.66)
        .description(CAPTION);
    let labels = [
        "IPR  $\\sum w^4 / (\\sum w^2)^2$",
        "mean frequency (cycles per ring)",
        "circular spread (sites)",
        "not Gabor: residual / $|w|^2$",
    ];
    for pair in loops.chunks(2) {
        let (one, hasty) = (&pair[0], &pair[1]);
        let chain = &one.chains[0];
        let unit = shown(chain);
        for (branch, way) in WAYS {
            let title = format!("{}: {way}", one.what());
            figure = figure.panel(fields(settings, chain, branch, unit, title));
        }
        for (which, label) in labels.iter().enumerate() {
            figure = figure.panel(order(settings, (one, hasty), which, label)?);
        }
    }
    Ok(figure)
}

const WAYS: [(Branch, &str); 2] = [(Branch::Up, "way up"), (Branch::Down, "way down")];

/// The unit whose field is the most localized one at the highest gain, and the site of its peak there.
fn shown(chain: &Chain) -> (usize, usize) {
    let top = &chain.up[chain.up.len() - 1].fields;
    let ipr = |unit: &usize| fovea_sim::probe::ipr::ipr(&top[*unit]);
    let unit = (0..top.len()).max_by(|a, b| ipr(a).total_cmp(&ipr(b))).unwrap_or(0);
    (unit, peak(&top[unit]))
}

/// Gains are equally spaced, so that infinity has a place.
fn gain_axis(settings: &Deformation) -> Axis {
    let label = |gain: &f64| Value::Real(*gain).to_string().replace("inf", "\u{221e}");
    let every = settings.gain.len().div_ceil(8);
    let last = settings.gain.len() - 1;
    let ticks = settings
        .gain
        .iter()
        .enumerate()
        .filter(|(i, _)| (last - i).is_multiple_of(every))
        .map(|(i, gain)| (i as f64, label(gain)));
    Axis::new("gain").range(-0.5, last as f64 + 0.5).ticks_at(ticks)
}

fn fields(
    settings: &Deformation,
    chain: &Chain,
    branch: Branch,
    (unit, centre): (usize, usize),
    title: String,
) -> Panel {
    let (n, gains) = (settings.n, settings.gain.len());
    let column = |gain: usize| -> Vec<f64> {
        let field = &chain.at(branch, gain).fields[unit];
        let largest = field[peak(field)].abs();
        (0..n).map(|i| field[(centre + i + n - n / 2) % n] / largest).collect()
    };
    let columns: Vec<Vec<f64>> = (0..gains).map(column).collect();
    let half = (n / 2) as f64;
    let heat = Heat {
        values: (0..n).flat_map(|i| columns.iter().map(move |column| column[i])).collect(),
        rows: n,
        cols: gains,
        x_range: (-0.5, gains as f64 - 0.5),
        y_range: (-half - 0.5, n as f64 - half - 0.5),
        map: ColorMap::Diverging,
        limits: Some((-1.0, 1.0)),
        bar: Some("weight / largest".to_owned()),
    };
    Panel::new(title, gain_axis(settings), Axis::new("sites from the peak")).with(Mark::Heat(heat))
}

fn style(branch: Branch) -> Style {
    match branch {
        Branch::Up => Style { size: 3.0, ..Style::series(0).solid() },
        Branch::Down => Style { size: 2.6, ..Style::series(1).solid().hollow() },
    }
}

fn order(
    settings: &Deformation,
    (one, hasty): (&Loop, &Loop),
    which: usize,
    label: &str,
) -> Result<Panel, LabError> {
    let mut panel = Panel::new(one.what(), gain_axis(settings), Axis::new(label).from(0.0));
    for ((branch, name), shift) in WAYS.into_iter().zip([-0.08, 0.08]) {
        let all = (0..settings.gain.len())
            .map(|gain| one.order(branch, gain, which))
            .collect::<Result<Vec<_>, _>>()?;
        let x: Vec<f64> = (0..all.len()).map(|i| i as f64 + shift).collect();
        let y: Vec<f64> = all.iter().map(Estimate::mean).collect();
        let error: Vec<f64> = all.iter().map(|e| 2.0 * e.se()).collect();
        panel = panel.with(Mark::line(&x, &y, "", Style { width: 1.0, ..style(branch) }));
        let fast = (0..settings.gain.len())
            .map(|gain| Ok(hasty.order(branch, gain, which)?.mean()))
            .collect::<Result<Vec<_>, LabError>>()?;
        let thin = Style { width: 1.2, ..style(branch).dash(Dash::Dotted) };
        panel = panel.with(Mark::line(&x, &fast, format!("{name}, in haste"), thin));
        panel = panel.with(Mark::measured(&x, &y, &error, name, style(branch)));
    }
    let dictator = settings.two_class().dictator()?;
    let top = settings.gain.len() - 1;
    if one.kind.width == 1 && settings.gain[top].is_infinite() && dictator.exists {
        let value = super::measure::order(&dictator.w)?[which];
        let ends = [top as f64 - 1.5, top as f64 + 0.5];
        panel = panel.with(Mark::line(&ends, &[value; 2], "dictator state", Style::theory()));
    }
    Ok(panel)
}
