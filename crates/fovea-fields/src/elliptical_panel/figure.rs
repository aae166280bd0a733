//! The figure of `elliptical-panel`: fields with their sinusoids, residuals over time, and residuals of all runs beside the published.

use super::EllipticalPanel;
use super::claims::{PRINTED, of};
use super::measure::{Column, Kind, fit};
use fovea_desk::prelude::*;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "Top: the final field of the first run on each law, the offset sinusoid of one period that fits it best, and the flat state in closed form. \
    Bottom left: what the sinusoid leaves of a field, relative to it, over time: mean and range over runs, and the closed flow from the same starts (dashes), which has forgotten \
    its start long before the end. Bottom middle: the same on a shell with the whole batch and with a quarter of it. Bottom right: every run at the end, and the published value, one run each.";

pub(super) fn figure(settings: &EllipticalPanel, all: &[Column]) -> Figure {
    let subtitle = format!(
        "one ReLU unit on {} sites, correlation lengths {} (label 1) and {} (label 0), {} runs a law; batch {}, on Student data ({} dof) {}",
        settings.n,
        settings.xi_pos,
        settings.xi_neg,
        settings.seeds,
        settings.batch,
        settings.dof,
        settings.batch_student
    );
    let mut figure =
        Figure::new("What a sinusoid leaves of fields on elliptical data is the noise of SGD")
            .subtitle(subtitle)
            .columns(3)
            .width(1080.0)
            .aspect(0.72)
            .description(CAPTION);
    let laws = [Kind::Student, Kind::Shell, Kind::HalfLogistic];
    for column in laws.map(|kind| of(all, kind)) {
        figure = figure.panel(field(settings, column));
    }
    figure
        .panel(over_time("residual over time", all, &laws))
        .panel(over_time("a quarter of the batch", all, &[Kind::Shell, Kind::Quarter]))
        .panel(runs(settings, all))
}

/// The place of a law's colour.
fn style(kind: Kind) -> Style {
    Style::series(match kind {
        Kind::Student => 0,
        Kind::Shell => 1,
        Kind::HalfLogistic => 2,
        Kind::Quarter => 3,
    })
}

fn field(settings: &EllipticalPanel, column: &Column) -> Panel {
    let sites: Vec<f64> = (0..settings.n).map(|i| i as f64).collect();
    let records = &column.fields[0];
    let w = &records[records.len() - 1];
    let sign = 1.0_f64.copysign(w.iter().sum::<f64>());
    let turned = |w: &[f64]| -> Vec<f64> { w.iter().map(|w| sign * w).collect() };
    let title = format!("{}: final field", column.kind.label());
    Panel::new(title, Axis::new("site"), Axis::new("weight").from(0.0))
        .with(Mark::Horizontal {
            at: column.flat,
            label: "flat state".to_owned(),
            style: Style::guide(),
        })
        .with(Mark::points(&sites, &turned(w), "trained", Style::series(0)))
        .with(Mark::line(&sites, &turned(&fit(w, 1.0)), "offset sinusoid", Style::theory()))
}

fn over_time(title: &str, all: &[Column], kinds: &[Kind]) -> Panel {
    let y = Axis::new("relative residual").log().from(1e-4);
    let mut panel = Panel::new(title, Axis::new("time $t$ = step lr"), y);
    for column in kinds.iter().map(|kind| of(all, *kind)) {
        let [least, mean, most, flow] = column.over_time();
        let style = style(column.kind).solid();
        panel = panel
            .with(Mark::band(&column.times, &least, &most, "", style))
            .with(Mark::line(&column.times, &mean, column.kind.label(), style))
            .with(Mark::line(&column.times, &flow, "closed flow", Style::theory()));
    }
    panel
}

fn runs(settings: &EllipticalPanel, all: &[Column]) -> Panel {
    let ticks =
        all.iter().enumerate().map(|(i, column)| (i as f64, column.kind.label().to_owned()));
    let x = Axis::new("").range(-0.5, all.len() as f64 - 0.5).ticks_at(ticks);
    let mut panel = Panel::new("runs at the end", x, Axis::new("relative residual").from(0.0));
    for (i, column) in all.iter().enumerate() {
        let residuals = column.residuals();
        let step = 0.3 / residuals.len() as f64;
        let at: Vec<f64> =
            (0..residuals.len()).map(|k| i as f64 - 0.15 + step * k as f64).collect();
        panel = panel.with(Mark::points(&at, &residuals, "a run", Style::series(0).hollow()));
        let printed = PRINTED.iter().find(|(kind, ..)| *kind == column.kind);
        if let (Some((_, relative, _)), true) = (printed, settings.as_published()) {
            let mark = Style { size: 4.2, ..Style::series(5) };
            panel = panel.with(Mark::points(&[i as f64 + 0.3], &[*relative], "published", mark));
        }
    }
    panel
}
