//! The figure of `elliptical-panel`: fields with their sinusoids, residuals over time, and residuals of all runs beside the published.

use super::EllipticalPanel;
use super::claims::PRINTED;
use super::measure::{Column, fit};
use fovea_desk::prelude::*;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "Top: the final field of the first run on each law, the offset sinusoid of one period that fits it best, and the flat state in closed form. \
    Bottom left: what the sinusoid leaves of a field, relative to it, over time: mean and range over runs, and the closed flow from the same starts (dashes), which has forgotten \
    its start long before the end. Bottom middle: the same on a shell with the whole batch and with a quarter of it. Bottom right: every run at the end, and the published value, one run each.";

pub(super) fn figure(settings: &EllipticalPanel, all: &[Column; 4]) -> Figure {
    let subtitle = format!(
        "one ReLU unit on {} sites, correlation lengths {} (label 1) and {} (label 0), {} runs a law; batch {}, on Student data ({} dof) {}",
        settings.two.n,
        settings.two.xi_pos,
        settings.two.xi_neg,
        settings.seeds,
        settings.descent.batch,
        settings.dof,
        settings.batch_student
    );
    let title = "What a sinusoid leaves of fields on elliptical data is the noise of SGD";
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
    let sites: Vec<f64> = (0..w.len()).map(|i| i as f64).collect();
    let sign = 1.0_f64.copysign(w.iter().sum::<f64>());
    let turned = |w: &[f64]| -> Vec<f64> { w.iter().map(|w| sign * w).collect() };
    let (at, label, style) = (column.flat, "flat state".to_owned(), Style::guide());
    let title = format!("{}: final field", column.case.label);
    Panel::new(title, Axis::new("site"), Axis::new("weight").from(0.0))
        .with(Mark::Horizontal { at, label, style })
        .with(Mark::points(&sites, &turned(w), "trained", Style::series(0)))
        .with(Mark::line(&sites, &turned(&fit(w)), "offset sinusoid", Style::theory()))
}

/// Residuals of the laws at these places, each in the colour of its place.
fn over_time(title: &str, all: &[Column; 4], places: &[usize]) -> Panel {
    let y = Axis::new("relative residual").log().from(1e-4);
    let mut panel = Panel::new(title, Axis::new("time $t$ = step lr"), y);
    for place in places {
        let column = &all[*place];
        let [least, mean, most, flow] = column.over_time();
        let style = Style::series(*place).solid();
        panel = panel
            .with(Mark::band(&column.times, &least, &most, "", style))
            .with(Mark::line(&column.times, &mean, column.case.label, style))
            .with(Mark::line(&column.times, &flow, "closed flow", Style::theory()));
    }
    panel
}

fn runs(settings: &EllipticalPanel, all: &[Column; 4]) -> Panel {
    let ticks = all.iter().enumerate().map(|(i, column)| (i as f64, column.case.label));
    let x = Axis::new("").range(-0.5, all.len() as f64 - 0.5).ticks_at(ticks);
    let mut panel = Panel::new("runs at the end", x, Axis::new("relative residual").from(0.0));
    for (i, column) in all.iter().enumerate() {
        let residuals = column.residuals();
        let step = 0.3 / residuals.len() as f64;
        let at: Vec<f64> =
            (0..residuals.len()).map(|k| i as f64 - 0.15 + step * k as f64).collect();
        panel = panel.with(Mark::points(&at, &residuals, "a run", Style::series(0).hollow()));
        if let (Some([relative, _]), true) = (PRINTED.get(i), settings.as_published()) {
            let mark = Style { size: 4.2, ..Style::series(5) };
            panel = panel.with(Mark::points(&[i as f64 + 0.3], &[*relative], "published", mark));
        }
    }
    panel
}
