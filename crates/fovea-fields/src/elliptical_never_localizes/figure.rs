//! The figure of `elliptical-never-localizes`: IPR over time, fields at the end, and their size against the law's constant.

use super::EllipticalNeverLocalizes;
use super::measure::LawRuns;
use fovea_desk::prelude::*;
use fovea_theory::committee_flow::GAUSSIAN;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "(a) How localized the field is, mean over starts: elliptical data stay extended, on their way to a wave or a flat \
    field, on the closed flow of their law (black dashes), however heavy or light their tails; the nonlinear process of high gain \
    localizes. (b) The field of the first start at the end, for the laws of the smallest and the largest constant, beside their closed flows; the localized one \
    runs off the top. (c) The \
    size of the field, at a time when its norm has settled and the noise of SGD has not yet grown, over that of Gaussian data is the ratio of the constants c, which is all an \
    elliptical law changes; the line is theory.";

pub(super) fn figure(
    settings: &EllipticalNeverLocalizes,
    laws: &[LawRuns],
) -> Result<Figure, LabError> {
    let subtitle = format!(
        "one ReLU unit, n = {}, correlation lengths {} (label 1) and {} (label 0), learning rate {}, batch {}, {} starts",
        settings.n,
        Value::Real(settings.xi_pos),
        Value::Real(settings.xi_neg),
        Value::Real(settings.lr),
        settings.batch,
        settings.starts
    );
    Ok(Figure::new("Elliptical data never localize")
        .subtitle(subtitle)
        .columns(2)
        .width(860.0)
        .aspect(0.7)
        .description(CAPTION)
        .panel(over_time(settings, laws))
        .panel(fields(settings, laws))
        .panel(sizes(settings, laws)?))
}

fn over_time(settings: &EllipticalNeverLocalizes, laws: &[LawRuns]) -> Panel {
    let n = settings.n as f64;
    let mut panel = Panel::new(
        "inverse participation ratio",
        Axis::new("time $t$ = step lr"),
        Axis::new("IPR")
            .log()
            .ticks_at([0.02, 0.05, 0.1, 0.2, 0.5, 1.0].map(|t| (t, format!("{t}")))),
    )
    .span(2)
    .height(230.0);
    for (at, label) in [(1.0 / n, "flat, 1/n"), (1.5 / n, "wave, 1.5/n")] {
        panel = panel.with(Mark::Horizontal { at, label: label.to_owned(), style: Style::guide() });
    }
    for (i, runs) in laws.iter().enumerate() {
        let times = settings.times();
        let trained = LawRuns::mean_ipr(&runs.fields);
        let style = Style::series(i).solid();
        panel = panel.with(Mark::line(&times, &trained, runs.law.label(settings), style));
    }
    let flows = laws.iter().filter_map(|runs| runs.flow.as_ref());
    panel.with_all(flows.map(|flow| {
        Mark::line(&settings.times(), &LawRuns::mean_ipr(flow), "closed flow", Style::theory())
    }))
}

/// The laws of the smallest and the largest constant, and the one that localizes.
fn fields(settings: &EllipticalNeverLocalizes, laws: &[LawRuns]) -> Panel {
    let sites: Vec<f64> = (0..settings.n).map(|i| i as f64).collect();
    let title = "field of the first start at the end";
    let factor = |i: &usize| laws[*i].law.factor(settings.n).unwrap_or(f64::NAN);
    let elliptical = || (0..laws.len()).filter(|i| factor(i).is_finite());
    let ends = [
        elliptical().min_by(|a, b| factor(a).total_cmp(&factor(b))),
        elliptical().max_by(|a, b| factor(a).total_cmp(&factor(b))),
        (0..laws.len()).find(|i| factor(i).is_nan()),
    ];
    let (mut panel, mut largest) = (Panel::new(title, Axis::new("site"), Axis::new("weight")), 0.0);
    for i in ends.into_iter().flatten() {
        let runs = &laws[i];
        if let Some(field) = runs.fields[0].last() {
            panel =
                panel.with(Mark::points(&sites, field, runs.law.label(settings), Style::series(i)));
        }
        if let Some(field) = runs.flow.as_ref().and_then(|flow| flow[0].last()) {
            largest = field.iter().fold(largest, |m: f64, w| m.max(w.abs()));
            panel = panel.with(Mark::line(&sites, field, "closed flow", Style::theory()));
        }
    }
    panel.y = panel.y.range(-1.6 * largest, 1.6 * largest);
    panel
}

fn sizes(settings: &EllipticalNeverLocalizes, laws: &[LawRuns]) -> Result<Panel, LabError> {
    let mut panel = Panel::new(
        format!(
            "size of the field at $t$ = {}",
            Value::Real(settings.times()[settings.sized_at()])
        ),
        Axis::new("constant $c$ of the law"),
        Axis::new("size over that of Gaussian data"),
    );
    let factors: Vec<f64> = laws.iter().filter_map(|runs| runs.law.factor(settings.n)).collect();
    let (low, high) = factors.iter().fold((1.0_f64, 1.0_f64), |(l, h), f| (l.min(*f), h.max(*f)));
    let ends = [0.98 * low, 1.02 * high];
    let line = ends.map(|f| f * GAUSSIAN);
    panel = panel.with(Mark::line(&line, &ends, "closed flow", Style::theory()));
    for (i, runs) in laws.iter().enumerate() {
        let (Some(along), Some(factor)) =
            (runs.length_along(settings.sized_at())?, runs.law.factor(settings.n))
        else {
            continue;
        };
        let (mean, error) = (factor * along.mean(), 2.0 * factor * along.se());
        let label = runs.law.label(settings);
        let style = Style { size: 3.6, ..Style::series(i) };
        panel = panel.with(Mark::measured(&[factor * GAUSSIAN], &[mean], &[error], label, style));
    }
    Ok(panel)
}
