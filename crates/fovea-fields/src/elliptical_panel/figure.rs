//! The figure of `elliptical-panel`: fields with their sinusoids, residuals over time, and residuals of all runs next to the published.

use super::EllipticalPanel;
use super::claims::PRINTED;
use super::measure::{Column, fit};
use fovea_desk::prelude::*;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "Top: the final field of the first run on each distribution (points), the best sinusoid of one period with offset (dashed), and the flat state in closed form (dotted). \
    Bottom left: residual of the sinusoid, relative to the field, over time: mean and range over runs, and the closed flow from the same starts (dashed), which has lost all trace of \
    its start long before the end. Bottom middle: the same on a shell with the whole batch and with a quarter of it. Bottom right: every run at the end, and the published values, one run each.";

pub(super) fn figure(settings: &EllipticalPanel, all: &[Column; 4]) -> Figure {
    let subtitle = format!(
        "one ReLU unit on {} sites, correlation lengths {} (label 1) and {} (label 0), {} runs per distribution; batch {}, on Student data ({} dof) {}",
        settings.two.n,
        settings.two.xi_pos,
        settings.two.xi_neg,
        settings.seeds,
        settings.descent.batch,
        settings.dof,
        settings.batch_student
    );
    let title = "The residual of a sinusoid on elliptical data is the noise of SGD";
    let figure = Figure::new(title).subtitle(subtitle).description(CAPTION);
    let panels = all[..3].iter().map(field).chain([
        over_time("residual over time", all, &[0, 1, 2]),
        over_time("a quarter of the batch", all, &[1, 3]),
        runs(settings, all),
    ]);
    grid(figure, (3, 1080.0, 0.72), panels)
}

fn field(column: &Column) -> Panel {
    let records = &column.fields[0];
    let w = &records[records.len() - 1];
    let sign = 1.0_f64.copysign(w.iter().sum::<f64>());
    let positive = |w: &[f64]| w.iter().map(|w| sign * w).collect();
    let trained = named("trained", Style::series(0), positive(w));
    let sinusoid = named("sinusoid with offset", Style::theory(), positive(&fit(w)));
    let (title, y) = (format!("{}: final field", column.case.label), Axis::new("weight").from(0.0));
    ring_fields(title, Sites::Numbered, y, [trained], [sinusoid])
        .with(guide_at_y(column.flat, "flat state"))
}

/// Residuals of the cases at these places, each in the colour of its place.
fn over_time(title: &str, all: &[Column; 4], places: &[usize]) -> Panel {
    let (mut runs, mut flows) = (Vec::new(), Vec::new());
    for place in places {
        let column = &all[*place];
        let [low, middle, high, flow] = column.over_time();
        let range = Range { x: column.times.clone(), low, middle, high };
        runs.push(named(column.case.label, Style::series(*place).solid(), range));
        flows.push(xy(&column.times, flow).line("closed flow", Style::theory()));
    }
    let y = Axis::new("relative residual").log().from(1e-4);
    lines_with_range(title, time_axis(), y, runs).with_all(flows)
}

fn runs(settings: &EllipticalPanel, all: &[Column; 4]) -> Panel {
    let ours = all.iter().map(Column::residuals).collect();
    let theirs = PRINTED.map(|[relative, _]| vec![relative]).to_vec();
    let theirs = named("published", Style { size: 4.2, ..Style::series(5) }, theirs);
    let groups = [named("one run", Style::series(0).hollow(), ours)];
    let groups = groups.into_iter().chain(settings.as_published().then_some(theirs));
    let (x, y) = (categories("", all.iter().map(|column| column.case.label)), "relative residual");
    runs_by_category("runs at the end", x, Axis::new(y).from(0.0), groups)
}
