//! The figure of `early-time`: distance and noise over time, IPR over time, fields before and after the split, split times.

use super::claims::window;
use super::measure::{Courses, Trial};
use super::{EarlyTime, Found};
use fovea_desk::cell::peak;
use fovea_desk::prelude::*;
use fovea_sim::probe::ipr::ipr;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "(a) Nearly binary data: relative distance of single runs from the amplifier's flow (solid, a line a start), and the noise of a run from the difference of two (dotted). Vertical lines in our clock: \
    the earliest of the published snapshots that show the two together, and the latest of those that show them apart. (b) The same on Gaussian data, where the flow is exact: runs are \
    as far from the flow as their noise puts them. (c) Inverse participation ratio on nearly binary data: SGD (solid) and the amplifier's flow (dashed) from the same starts. (d), (e) Both runs and the flow from the start that splits in the \
    middle of all, at half of its split time and at 1.2 times it. (f) Split times with all samples of a step and with a quarter of them, from the same starts.";

pub(super) fn figure(settings: &EarlyTime, found: &Found) -> Result<Figure, LabError> {
    let subtitle = format!(
        "{}; two runs from each start; time is step $\\times$ learning rate, twice the published clock",
        settings.two_class().in_words()
    );
    let Trial { times, starts, .. } = &found.binary;
    let end = times[times.len() - 1];
    let rule = |at: f64| Mark::Vertical { at, label: String::new(), style: Style::guide() };
    let window = window().into_iter().filter(|t| *t < end).map(rule);
    let at = found.splits[0].iter().zip(0..);
    let mut split: Vec<(f64, usize)> = at.filter_map(|(t, i)| Some(((*t)?, i))).collect();
    split.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (at, start) = split.get(split.len() / 2).copied().unwrap_or((0.5 * end, 0));
    let near = |t: f64| times.partition_point(|time| *time < t - 1e-9).min(times.len() - 1);
    let figure = Figure::new("The amplifier's flow keeps to training until a site takes over")
        .subtitle(subtitle)
        .description(CAPTION);
    let panels = [
        distances("nearly binary data, gain", &found.binary).with_all(window),
        distances("Gaussian data, gain", &found.gaussian),
        participation(settings, found)?,
        fields(times, &starts[start], near(0.5 * at)),
        fields(times, &starts[start], near(1.2 * at)),
        splits(found),
    ];
    Ok(grid(figure, (3, 1080.0, 0.78), panels))
}

/// The label of the first of several lines.
fn once(i: usize, label: &str) -> &str {
    if i == 0 { label } else { "" }
}

/// Distance and noise of every start.
fn distances(title: &str, Trial { case, times, starts }: &Trial) -> Panel {
    let times = &times[1..];
    let y = Axis::new("relative distance").log().range(5e-3, 2.0).share(1);
    let title = format!("{title} {}", Value::Real(case.gain));
    let mut panel = Panel::new(title, Axis::new("time $t$"), y);
    for (i, start) in starts.iter().enumerate() {
        let rows = |of: &dyn Fn(usize) -> f64| -> Vec<f64> { (1..=times.len()).map(of).collect() };
        let thin = Style { width: 0.9, ..Style::series(1).dash(Dash::Dotted) };
        let (noise, distance) = (rows(&|r| start.noise(r)), rows(&|r| start.distance(r)));
        let solid = Style::series(0).solid();
        panel = panel
            .with(Mark::line(times, &noise, once(i, "noise of a run"), thin))
            .with(Mark::line(times, &distance, once(i, "run to flow"), solid));
    }
    panel
}

fn participation(settings: &EarlyTime, found: &Found) -> Result<Panel, LabError> {
    let Trial { times, starts, .. } = &found.binary;
    let y = Axis::new("IPR").log().range(0.02, 1.2);
    let mut panel = Panel::new("participation", Axis::new("time $t$"), y);
    for (i, start) in starts.iter().enumerate() {
        let sgd: Vec<f64> = (0..times.len()).map(|record| start.ipr(record)).collect();
        let flow: Vec<f64> = start.flow.iter().map(|w| ipr(w)).collect();
        let solid = Style { width: 1.2, ..Style::series(0).solid() };
        let thin = Style { width: 1.0, ..Style::theory() };
        let sgd = Mark::line(times, &sgd, once(i, "SGD"), solid);
        panel = panel.with(sgd).with(Mark::line(times, &flow, once(i, "amplifier"), thin));
    }
    let state = settings.two_class().dictator()?;
    let line = |at: f64, label: String| Mark::Horizontal { at, label, style: Style::guide() };
    panel = panel.with(line(3.0 / settings.n as f64, "3/n".to_owned()));
    Ok(if state.exists { panel.with(line(state.ipr, "dictator".to_owned())) } else { panel })
}

/// The field of one start at one record: flow, and both runs.
fn fields(times: &[f64], start: &Courses, record: usize) -> Panel {
    let last = times.len() - 1;
    let n = start.flow[0].len();
    let centre = peak(&start.mean(last));
    let turned =
        |w: &[f64]| -> Vec<f64> { (0..n).map(|i| w[(i + centre + n - n / 2) % n]).collect() };
    let sites: Vec<f64> = (0..n).map(|i| i as f64 - (n / 2) as f64).collect();
    let title = format!("one start at t = {:.0}", times[record]);
    let mut panel = Panel::new(title, Axis::new("site, from the final peak"), Axis::new("weight"));
    for (i, run) in start.runs.iter().enumerate() {
        let style = Style { width: 0.9, ..Style::series(0).solid() };
        panel = panel.with(Mark::line(&sites, &turned(&run[record]), once(i, "SGD"), style));
    }
    panel.with(Mark::line(&sites, &turned(&start.flow[record]), "amplifier", Style::theory()))
}

/// Split times with all samples of a step and with a quarter of them.
fn splits(found: &Found) -> Panel {
    let (all, cut) = found.both_split();
    let top = 1.15 * all.iter().chain(&cut).copied().fold(1.0, f64::max);
    let label = |batch: usize| format!("split time, batch {batch}");
    Panel::new(
        "split times by batch",
        Axis::new(label(found.binary.case.descent.batch)).range(0.0, top),
        Axis::new(label(found.cut.case.descent.batch)).range(0.0, top),
    )
    .with(Mark::line(&[0.0, top], &[0.0, top], "equal", Style::guide()))
    .with(Mark::points(&all, &cut, "one start", Style { size: 3.4, ..Style::series(0) }))
}
