//! The figure of `gaussian-steady-state`: the transient, the long way to the stable mode, relaxation and the field at rest.

use super::measure::Rest;
use super::{Found, GaussianSteadyState};
use fovea_desk::prelude::*;
use fovea_desk::replicas;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "(a) Mean frequency of the field along the closed flow, averaged over many starts (lines): first the long waves are shrunk and a short-range \
    oscillation is left, then the long waves win. Points: SGD on Gaussian data, its distance to descent on the closed loss from the same starts added to \
    the line, two standard errors. (b) Share of the starts with more than 90 % of their power in the stable mode: the steady state \
    of the notes is reached by hardly any start within their 2000 steps (t = 20). (c) Small departures from the steady state along the full flow (lines) on \
    exponentials of the closed rates (points). (d) Where SGD comes to rest, mean over time and replicas, beside the closed height \
    and the one printed in note 003 (25).";

pub(super) fn figure(settings: &GaussianSteadyState, found: &Found) -> Result<Figure, LabError> {
    let subtitle = format!(
        "{}, {} starts of the flow, {} trained at {}",
        settings.two.in_words(),
        settings.inits,
        settings.starts,
        settings.descent.in_words()
    );
    let figure = Figure::new("On Gaussian data one mode wins, after a very long time")
        .subtitle(subtitle)
        .description(CAPTION);
    let panels = [
        transient(found),
        long_way(settings, found),
        relaxation(found),
        at_rest(settings, &found.rest)?,
    ];
    Ok(grid(figure, (2, 860.0, 0.66), panels))
}

fn transient(found: &Found) -> Panel {
    let mut panel = Panel::new(
        "mean frequency",
        Axis::new("time $t$ = step lr").log(),
        Axis::new("mean $|k|$ (cycles per ring)").from(0.0),
    );
    for (i, (kind, ensemble, trained)) in found.kinds.iter().enumerate() {
        let style = Style::series(i);
        let line = Mark::line(&ensemble.times, &ensemble.frequency, kind.label, style.solid());
        // Evenly spaced on the logarithmic axis.
        let mut next = 0.0;
        let (mut t, mut y, mut error) = (Vec::new(), Vec::new(), Vec::new());
        for (r, time) in trained.times.iter().enumerate() {
            if *time >= next {
                next = 1.25 * time;
                let gap = trained.runs[r][0].mean() - trained.closed[r][0];
                t.push(*time);
                y.push(ensemble.near(&ensemble.frequency, *time) + gap);
                error.push(2.0 * trained.runs[r][0].se());
            }
        }
        panel = panel.with(line).with(Mark::measured(&t, &y, &error, "", style));
    }
    panel
}

fn long_way(settings: &GaussianSteadyState, found: &Found) -> Panel {
    let mut panel = Panel::new(
        "starts that have reached the stable mode",
        Axis::new("time $t$ = step lr").log(),
        Axis::new("share of starts").range(0.0, 1.02),
    );
    for (i, (kind, ensemble, _)) in found.kinds.iter().enumerate() {
        let style = Style::series(i).solid();
        panel = panel.with(Mark::line(&ensemble.times, &ensemble.led, kind.label, style));
    }
    let label = format!("t = {}", Value::Real(settings.note_time));
    panel.with(Mark::Vertical { at: settings.note_time, label, style: Style::guide() })
}

fn relaxation(found: &Found) -> Panel {
    let mut panel = Panel::new(
        "departures from the steady state",
        Axis::new("time $t$").log().from(0.02),
        Axis::new("size over that at $t$ = 0").log(),
    )
    .label_ends();
    for (i, departure) in found.departures.iter().enumerate() {
        let style = Style::series(i + 2);
        let label = format!("{}: {}", departure.label, number(-1.0 / departure.rate));
        let (times, followed) = (&departure.times[1..], &departure.followed[1..]);
        let every: Vec<f64> = times.iter().copied().step_by(5).collect();
        let closed: Vec<f64> = every.iter().map(|t| libm::exp(departure.rate * t)).collect();
        panel = panel
            .with(Mark::line(times, followed, label, style.solid()))
            .with(Mark::points(&every, &closed, "", style));
    }
    panel.note("labels: relaxation time in closed form")
}

fn at_rest(settings: &GaussianSteadyState, rest: &Rest) -> Result<Panel, LabError> {
    let sites: Vec<f64> = (0..settings.two.n).map(|i| i as f64).collect();
    let (_, errors) = bars(&columns(&rest.fields)?);
    let field = replicas::mean(&rest.fields, None);
    let [closed, source] = rest.heights;
    let wrong: Vec<f64> = rest.closed.iter().map(|w| w * source / closed).collect();
    let lengths = [settings.rest_xi_pos, settings.rest_xi_neg].map(Value::Real);
    let title = format!("field at rest, lengths {} and {}", lengths[0], lengths[1]);
    Ok(Panel::new(title, Axis::new("site"), Axis::new("weight").from(0.0))
        .with(Mark::line(&sites, &wrong, "note 003 (25)", Style::guide()))
        .with(Mark::line(&sites, &rest.closed, "closed form", Style::theory()))
        .with(Mark::measured(&sites, &field, &errors, "SGD, 2 standard errors", Style::series(5))))
}
