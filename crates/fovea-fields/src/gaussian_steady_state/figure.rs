//! The figure of `gaussian-steady-state`: the transient, the long way to the stable mode, relaxation and the field at rest.

use super::measure::Rest;
use super::{Found, GaussianSteadyState};
use fovea_desk::prelude::*;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "(a) Mean frequency of the field along the closed flow, averaged over many starts (lines): first the long waves are shrunk and a short-range \
    oscillation is left, then the long waves win. Points: SGD on Gaussian data, as the line plus the distance of SGD from descent on the closed loss from the \
    same starts, with two standard errors. (b) Share of the starts with more than 90 % of their power in the stable mode: the steady state \
    of the notes is reached by hardly any start within their 2000 steps (t = 20). (c) Small departures from the steady state along the full flow (lines), and \
    exponentials of the closed rates (points). (d) Where SGD comes to rest, mean over time and replicas, with the closed form (dashes) \
    and that with the height printed in note 003 (25) (dotted).";

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
    let arms = found.kinds.iter().map(|(kind, ensemble, trained)| {
        // Points evenly spaced on the logarithmic axis.
        let (mut next, mut measured) = (0.0, Vec::new());
        for (t, (runs, closed)) in
            trained.times.iter().zip(trained.runs.iter().zip(&trained.closed))
        {
            if *t >= next {
                next = 1.25 * t;
                let y = ensemble.near(&ensemble.frequency, *t) + (runs[0].mean() - closed[0]);
                measured.push((*t, y, 2.0 * runs[0].se()));
            }
        }
        let theory = xy(&ensemble.times, &ensemble.frequency);
        (kind.label, Compared { measured: measured.into_iter().collect(), theory })
    });
    let y = Axis::new("mean $|k|$ (cycles per ring)").from(0.0);
    arms_with_theory("mean frequency", time_axis().log(), y, series(arms))
}

fn long_way(settings: &GaussianSteadyState, found: &Found) -> Panel {
    let (title, y) =
        ("starts that have reached the stable mode", Axis::new("share of starts").range(0.0, 1.02));
    let shares = found.kinds.iter().map(|(kind, flow, _)| (kind.label, xy(&flow.times, &flow.led)));
    let note = format!("t = {}", Value::Real(settings.note_time));
    lines(title, time_axis().log(), y, series(shares)).with(guide_at_x(settings.note_time, note))
}

fn relaxation(found: &Found) -> Panel {
    let followed = found.departures.iter().map(|departure| {
        let label = format!("{}: {}", departure.label, number(-1.0 / departure.rate));
        (label, xy(&departure.times[1..], &departure.followed[1..]))
    });
    let closed = found.departures.iter().enumerate().map(|(i, departure)| {
        let every: Vec<f64> = departure.times[1..].iter().copied().step_by(5).collect();
        along(&every, |t| libm::exp(departure.rate * t)).points("", Style::series(i + 2))
    });
    let (t, size) = (Axis::new("time $t$").log(), Axis::new("size over that at $t$ = 0").log());
    lines("departures from the steady state", t.from(0.02), size, series_from(2, followed))
        .label_ends()
        .with_all(closed)
        .note("labels: relaxation time in closed form")
}

fn at_rest(settings: &GaussianSteadyState, rest: &Rest) -> Result<Panel, LabError> {
    let sites: Vec<usize> = (0..settings.two.n).collect();
    let [closed, source] = rest.heights;
    let wrong = counted(rest.closed.iter().map(|w| w * source / closed));
    let lengths = [settings.rest_xi_pos, settings.rest_xi_neg].map(Value::Real);
    let title = format!("field at rest, lengths {} and {}", lengths[0], lengths[1]);
    let forms = [
        named("note 003 (25)", Style::guide(), wrong),
        named("closed form", Style::theory(), counted(&rest.closed)),
    ];
    let trained = means_at(&sites, &rest.fields)?;
    Ok(lines(title, "site", Axis::new("weight").from(0.0), forms)
        .with(trained.points("SGD, 2 standard errors", Style::series(5))))
}
