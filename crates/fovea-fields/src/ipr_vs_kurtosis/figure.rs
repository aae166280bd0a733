//! The figure of `ipr-vs-kurtosis`.

use super::measure::{Estimates, Late, Tails};
use super::{Found, IprVsKurtosis};
use fovea_desk::ipr_table::{Line, every_run, means, published_mark};
use fovea_desk::prelude::*;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "(a) Final IPR of one ReLU unit against the exact kurtosis of a site, which is 3 for Gaussian data (tables give the excess over 3): mean and standard deviation over seeds, here and as published, and \
    the amplifier's flow from our starts (dashed, mean). (b) Kurtosis estimated from ten thousand numbers against the exact one: median of our estimates (line) and the range of 98 % of them (band); squares, the numbers recorded with the published figure; dotted, \
    the exact value. (c) Every run by its exponent (rings), and runs whose training was continued (triangles). (d) Exponents without a kurtosis, and from 2 down without a variance: every run, and the published mean with its standard deviation.";

pub(super) fn figure(settings: &IprVsKurtosis, found: &Found) -> Result<Figure, LabError> {
    let Found { lines, estimates, late, tails } = found;
    let places: Vec<f64> = lines.iter().map(|line| 3.0 + line.kurtosis).collect();
    let kurtosis = kurtosis_axis("kurtosis $E X^4$ of a site");
    let mut panels = vec![
        means("against the exact kurtosis", kurtosis, &places, lines)
            .with(guide_at_x(3.0, "Gaussian")),
        axes(estimates)?,
        runs(settings, lines, late),
    ];
    panels.extend((!tails.is_empty()).then(|| heavy(settings, tails)));
    let title = "Light tails localize, heavy tails flatten, as published";
    Ok(settings.sweep.figure(title, CAPTION, "per exponent", panels))
}

fn kurtosis_axis(label: &str) -> Axis {
    let ticks = [(2.0, "2"), (3.0, "3"), (5.0, "5"), (10.0, "10"), (30.0, "30")];
    Axis::new(label).log().ticks_at(ticks)
}

fn axes(estimates: &[Estimates]) -> Result<Panel, LabError> {
    let exact: Vec<f64> = estimates.iter().map(|at| 3.0 + at.exact).collect();
    let at = |level: f64| -> Result<Vec<f64>, LabError> {
        estimates.iter().map(|at| Ok(3.0 + at.at(level)?)).collect()
    };
    let recorded = estimates.iter().filter_map(|at| Some((3.0 + at.exact, 3.0 + at.recorded?)));
    let recorded = recorded.collect::<Xy>().points("recorded", Style::series(1));
    let (low, middle, high) = (at(0.01)?, at(0.5)?, at(0.99)?);
    let ours = Range { x: exact.clone(), low, middle, high };
    let ours = named("our estimates", Style::series(0), ours);
    let [x, y] = ["exact kurtosis", "kurtosis of 10 000 numbers"].map(kurtosis_axis);
    Ok(lines_with_range("the published axis is biased", x, y, [ours])
        .with(xy(&exact, &exact).line("", Style::guide()))
        .with(recorded))
}

fn after(steps: usize) -> String {
    format!("after {steps} steps")
}

fn runs(settings: &IprVsKurtosis, lines: &[Line], late: &[Late]) -> Panel {
    let ticks = [4, 5, 6, 7, 8, 10, 50].map(|k| (f64::from(k), k.to_string()));
    let x = Axis::new("exponent $k$").log().ticks_at(ticks);
    let early = settings.k.iter().zip(lines).map(|(k, line)| (*k, &line.iprs));
    let late = late.iter().map(|at| (at.k * 1.025, &at.end));
    Panel::new("every run", x, Axis::new("IPR").log())
        .with(every_run(early, after(settings.sweep.descent.steps), Style::series(0).hollow()))
        .with(every_run(late, after(settings.late_steps), Style::series(2).hollow()))
}

fn heavy(settings: &IprVsKurtosis, tails: &[Tails]) -> Panel {
    let tails = || tails.iter().filter(|tail| !tail.wide);
    let theirs = tails().filter_map(|t| t.source.map(|s| [t.k + 0.12, s.mean, s.sd]));
    let ticks = tails().map(|tail| (tail.k, Value::Real(tail.k).to_string()));
    let runs = tails().map(|tail| (tail.k, &tail.iprs));
    let x = Axis::new("exponent $k$").range(0.6, 3.5).ticks_at(ticks);
    Panel::new("spikes of heavy tails", x, Axis::new("final IPR").range(0.0, 1.25))
        .with(every_run(runs, after(settings.sweep.descent.steps), Style::series(0).hollow()))
        .with(published_mark(&theirs.collect::<Vec<_>>()))
        .holding_all()
}
