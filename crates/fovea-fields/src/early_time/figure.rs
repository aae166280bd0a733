//! The figure of `early-time`: distance and noise over time, IPR over time, fields before and after the split, split times.

use super::claims::window;
use super::measure::{Courses, Trial};
use super::{EarlyTime, Found};
use fovea_desk::cell::peak;
use fovea_desk::prelude::*;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "(a) Nearly binary data: relative distance of single runs from the amplifier's flow (solid, one line per start), and the noise of a run from the difference of two (dotted). Vertical lines, in our clock: \
    the earliest of the published snapshots that show the two together, and the latest of those that show them apart. (b) The same on Gaussian data, where the flow is exact: runs are \
    as far from the flow as their noise puts them. (c) Inverse participation ratio on nearly binary data: SGD (solid) and the amplifier's flow (dashed) from the same starts. (d), (e) Both runs (points) and the flow (dashed) from the start that splits in the \
    middle of all, at half of its split time and at 1.2 times it; sites are counted from the final peak. (f) Split times with all samples of a step and with a quarter of them, from the same starts.";

pub(super) fn figure(settings: &EarlyTime, found: &Found) -> Result<Figure, LabError> {
    let subtitle = format!(
        "{}; two runs from each start; time is step $\\times$ learning rate, twice the published clock",
        settings.two_class().in_words()
    );
    let Trial { times, starts, .. } = &found.binary;
    let end = times[times.len() - 1];
    let window = window().into_iter().filter(|t| *t < end).map(|t| guide_at_x(t, ""));
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

/// One curve per start, over times.
fn per_start(times: &[f64], starts: &[Courses], of: impl Fn(&Courses, usize) -> f64) -> Vec<Xy> {
    let curve = |start| times.iter().enumerate().map(|(r, t)| (*t, of(start, r))).collect();
    starts.iter().map(curve).collect()
}

/// Distance and noise of every start; at time 0 both are zero to rounding, which has no place on a logarithmic axis.
fn distances(title: &str, Trial { case, times, starts }: &Trial) -> Panel {
    let y = Axis::new("relative distance").log().range(5e-3, 2.0).share(1);
    let title = format!("{title} {}", Value::Real(case.gain));
    let (noise, distance) = (Style::series(1).dash(Dash::Dotted), Style::series(0).solid());
    let later = |of: fn(&Courses, usize) -> f64| {
        per_start(
            times,
            starts,
            move |start, record| if record == 0 { f64::NAN } else { of(start, record) },
        )
    };
    let groups = [
        named("noise of a run", noise, later(Courses::noise)),
        named("run from the flow", distance, later(Courses::distance)),
    ];
    lines_per_run(title, "time $t$", y, groups)
}

fn participation(settings: &EarlyTime, found: &Found) -> Result<Panel, LabError> {
    let Trial { times, starts, .. } = &found.binary;
    let flow = per_start(times, starts, |start, record| ipr(&start.flow[record]));
    let groups = [
        named("SGD", Style::series(0).solid(), per_start(times, starts, Courses::ipr)),
        named("amplifier", Style { width: 1.6, ..Style::theory() }, flow),
    ];
    let (y, state) = (Axis::new("IPR").log().range(0.02, 1.2), settings.two_class().dictator()?);
    Ok(lines_per_run("participation ratio", "time $t$", y, groups)
        .with(guide_at_y(3.0 / settings.n as f64, "3/n"))
        .with_all(state.exists.then(|| guide_at_y(state.ipr, "dictator"))))
}

/// The field of one start at one record: flow, and both runs.
fn fields(times: &[f64], start: &Courses, record: usize) -> Panel {
    let centre = peak(&start.mean(times.len() - 1));
    let at = |fields: &[Vec<f64>]| turned(&fields[record], centre);
    let runs = start.runs.iter().map(|run| named("SGD", Style::series(0), at(run)));
    let flow = named("amplifier", Style::theory(), at(&start.flow));
    let title = format!("one start at t = {:.0}", times[record]);
    ring_fields(title, Sites::FromPeak, "weight", runs, [flow])
}

/// Split times with all samples of a step and with a quarter of them.
fn splits(found: &Found) -> Panel {
    let (all, cut) = found.both_split();
    let [x, y] = [&found.binary, &found.cut]
        .map(|trial| format!("split time, batch {}", trial.case.descent.batch));
    let starts = [named("one start", Style::series(0), xy(&all, cut))];
    diagonal("split times by batch", x, y, starts)
}
