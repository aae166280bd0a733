//! The figure of `ipr-vs-kurtosis`.

use super::measure::{Estimates, Late, Tails};
use super::{Found, IprVsKurtosis};
use fovea_desk::ipr_table::{Line, every_run, marks, published_mark};
use fovea_desk::prelude::*;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "(a) Final IPR of one ReLU unit against the exact kurtosis of a site: mean and standard deviation over seeds, here and as published, and \
    the amplifier's flow from our starts (dashed, mean). (b) Kurtosis estimated from ten thousand numbers against the exact one: the band holds 98 % of our estimates, points are the numbers recorded with the published figure, the dashed line is \
    the exact value. (c) Every run by its exponent; hollow: the same runs trained on. (d) Exponents without a kurtosis, or from 2 down without a variance: every run, and the published mean with its standard deviation.";

pub(super) fn figure(settings: &IprVsKurtosis, found: &Found) -> Result<Figure, LabError> {
    let Found { lines, estimates, late, tails } = found;
    let mut panels = vec![means(lines), axes(estimates)?, runs(settings, lines, late)];
    panels.extend((!tails.is_empty()).then(|| heavy(tails)));
    let title = "Light tails localize, heavy tails flatten, as published";
    Ok(settings.sweep.figure(title, CAPTION, "an exponent", panels))
}

fn kurtosis_axis(label: &str) -> Axis {
    let ticks = [(2.0, "2"), (3.0, "3"), (5.0, "5"), (10.0, "10"), (30.0, "30")];
    Axis::new(label).log().ticks_at(ticks)
}

fn means(lines: &[Line]) -> Panel {
    let x: Vec<f64> = lines.iter().map(|line| 3.0 + line.kurtosis).collect();
    let (axis, y) = (kurtosis_axis("kurtosis $E X^4$ of a site"), Axis::new("final IPR"));
    let label = "Gaussian".to_owned();
    Panel::new("against the exact kurtosis", axis, y.range(0.0, 1.0))
        .with_all(marks(&x, lines))
        .with(Mark::Vertical { at: 3.0, label, style: Style::guide() })
}

fn axes(estimates: &[Estimates]) -> Result<Panel, LabError> {
    let exact: Vec<f64> = estimates.iter().map(|at| 3.0 + at.exact).collect();
    let at = |level: f64| -> Result<Vec<f64>, LabError> {
        estimates.iter().map(|at| Ok(3.0 + at.at(level)?)).collect()
    };
    let recorded = estimates.iter().filter_map(|at| Some((3.0 + at.exact, 3.0 + at.recorded?)));
    let (x, y): (Vec<f64>, Vec<f64>) = recorded.unzip();
    let [x_axis, y_axis] = ["exact kurtosis", "kurtosis of 10 000 numbers"].map(kurtosis_axis);
    Ok(Panel::new("the published axis is biased", x_axis, y_axis)
        .with(Mark::band(&exact, &at(0.01)?, &at(0.99)?, "98 % of our estimates", Style::series(0)))
        .with(Mark::line(&exact, &at(0.5)?, "their median", Style::series(0)))
        .with(Mark::line(&exact, &exact, "unbiased", Style::theory()))
        .with(Mark::points(&x, &y, "recorded", Style { size: 4.0, ..Style::series(1).hollow() })))
}

fn runs(settings: &IprVsKurtosis, lines: &[Line], late: &[Late]) -> Panel {
    let ticks =
        [(4.0, "4"), (5.0, "5"), (6.0, "6"), (7.0, "7"), (8.0, "8"), (10.0, "10"), (50.0, "50")];
    let x = Axis::new("exponent $k$").log().ticks_at(ticks);
    let after = |steps: usize| format!("after {steps} steps");
    let early = settings.k.iter().zip(lines).map(|(k, line)| (*k, &line.iprs));
    let late = late.iter().map(|at| (at.k * 1.025, &at.end));
    let (filled, hollow) = (Style::series(0), Style::series(2).hollow());
    let steps = settings.sweep.descent.steps;
    Panel::new("every run", x, Axis::new("IPR").log())
        .with(every_run(early, after(steps), Style { size: 1.8, ..filled }))
        .with(every_run(late, after(settings.late_steps), Style { size: 2.6, ..hollow }))
}

fn heavy(tails: &[Tails]) -> Panel {
    let tails = || tails.iter().filter(|tail| !tail.wide);
    let theirs = tails().filter_map(|t| t.source.map(|s| [t.k + 0.12, s.mean, s.sd]));
    let ticks = tails().map(|tail| (tail.k, Value::Real(tail.k).to_string()));
    let runs = tails().map(|tail| (tail.k, &tail.iprs));
    let x = Axis::new("exponent $k$").range(0.6, 3.5).ticks_at(ticks);
    Panel::new("spikes of heavy tails", x, Axis::new("final IPR").range(0.0, 1.25))
        .with(every_run(runs, "one run", Style { size: 2.2, ..Style::series(0) }))
        .with(published_mark(&theirs.collect::<Vec<_>>()))
}
