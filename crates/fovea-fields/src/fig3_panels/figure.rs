//! The figure of `fig3-panels`: a column a law, with amplifier, final field and course of the field; below, what decides about the numbers.

use super::Fig3Panels;
use super::claims::closed;
use super::measure::{Column, Law, PARTS, within_reach};
use fovea_desk::prelude::*;
use fovea_theory::amplifier::phi::phi;
use std::f64::consts::FRAC_2_PI;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "A column for each law. Top: its amplifier, exact (line) and sampled (circles), beside that of Gaussian data (dashes). Second \
    row: the final field of the first run and the end of the amplifier's flow from the same start; the level lines are the closed forms, the peak of the dictator state on spins and the flat state of \
    Gaussian data of the same covariances. Third row: the field of that run over time. Bottom left: kurtosis of samples of the heavy tails against their number (points: sets of samples), the \
    fourth moment within reach of as many draws, the law's own and the printed one. Bottom middle and right: share of runs whose peak lies within a site of the flow's, and the kurtosis of every whole set.";

/// The printed kurtoses.
const PRINTED: [f64; 3] = [1.0, 2.992, 3.864];

pub(super) fn figure(settings: &Fig3Panels, all: &[Column; 3]) -> Figure {
    let Fig3Panels { two, descent, coupling_pos, coupling_neg, gain, .. } = settings;
    let (TwoClass { n, xi_pos, xi_neg, .. }, Descent { lr, steps, .. }) = (two, descent);
    let subtitle = format!(
        "one ReLU unit on {n} sites, {steps} steps at learning rate {lr}; spins: couplings {coupling_pos} (label 1) and {coupling_neg} (label 0); the others, Gaussian by a gain of {gain}: correlation lengths {xi_pos} and {xi_neg}"
    );
    let figure = Figure::new("Negative excess kurtosis localizes, none or positive does not")
        .subtitle(subtitle)
        .description(CAPTION);
    let mut panels: Vec<Panel> = all.iter().map(amplifier).collect();
    panels.extend(all.iter().map(|column| field(settings, column)));
    panels.extend(all.iter().map(|column| course(settings, column)));
    panels.extend([reach(settings, &all[2]), foretold(settings, all), sets(all)]);
    grid(figure, (3, 1080.0, 0.62), panels)
}

/// A level line with a name.
fn level(at: f64, label: &str) -> Mark {
    Mark::Horizontal { at, label: label.to_owned(), style: Style::guide() }
}

fn amplifier(column: &Column) -> Panel {
    let a: Vec<f64> = (-60..=60).map(|i| f64::from(i) / 60.0).collect();
    let exact: Vec<f64> = a.iter().map(|a| phi(column.site, *a)).collect();
    let line: Vec<f64> = a.iter().map(|a| FRAC_2_PI.sqrt() * a).collect();
    let (at, sampled): (Vec<f64>, Vec<f64>) =
        column.amplifier.iter().map(|(a, mean)| (*a, mean.mean())).unzip();
    let title = format!("{}: amplifier", column.label);
    Panel::new(title, Axis::new("correlation $a$"), Axis::new("$\\varphi(a)$").range(-1.05, 1.05))
        .with(Mark::line(&a, &exact, "exact $\\varphi$", Style::series(0)))
        .with(Mark::points(&at, &sampled, "sampled $\\varphi$", Style::series(0).hollow()))
        .with(Mark::line(&a, &line, "slope $\\sqrt{2/\\pi}$", Style::theory()))
}

fn field(settings: &Fig3Panels, column: &Column) -> Panel {
    let sites: Vec<f64> = (0..settings.two.n).map(|i| i as f64).collect();
    let title = format!("{}: final field", column.label);
    let mut panel = Panel::new(title, Axis::new("site"), Axis::new("weight"));
    if let Some((w, v)) = column.ends().next() {
        let sign = 1.0_f64.copysign(v.iter().sum::<f64>());
        let turned = |w: &[f64]| -> Vec<f64> { w.iter().map(|w| sign * w).collect() };
        if column.law != Law::Ising && turned(w).iter().all(|w| *w > 0.0) {
            panel.y = panel.y.from(0.0);
        }
        panel = panel
            .with(Mark::line(&sites, &turned(w), "trained", Style::series(1).solid()))
            .with(Mark::line(&sites, &turned(v), "amplifier's flow", Style::theory()));
    }
    if let Ok(at) = closed(settings, column.law) {
        panel = panel.with(level(at, "closed form"));
    }
    panel
}

fn course(settings: &Fig3Panels, column: &Column) -> Panel {
    let (records, times) = (&column.fields[0], settings.times());
    let (n, end) = (settings.two.n as f64, times[times.len() - 1]);
    let heat = Heat {
        values: records.concat(),
        rows: records.len(),
        cols: settings.two.n,
        x_range: (-0.5, n - 0.5),
        y_range: (0.0, end),
        map: ColorMap::Diverging,
        limits: None,
        bar: Some("weight".to_owned()),
    };
    let title = format!("{}: field over time", column.label);
    Panel::new(title, Axis::new("site").range(-0.5, n - 0.5), Axis::new("time $t$").range(0.0, end))
        .with(Mark::Heat(heat))
}

fn reach(settings: &Fig3Panels, heavy: &Column) -> Panel {
    let all = settings.samples as f64 * settings.two.n as f64;
    let draws: Vec<f64> =
        (0..=30).map(|i| all * libm::pow(10.0, -2.3 + 0.1 * f64::from(i))).collect();
    let within: Vec<f64> = draws.iter().map(|draws| within_reach(heavy.site, *draws)).collect();
    let title = format!("{}: why samples fall short", heavy.label);
    let style = Style::theory().dash(Dash::Long);
    let mut panel = Panel::new(title, Axis::new("draws").log(), Axis::new("kurtosis"))
        .with(Mark::line(&draws, &within, "within reach of the draws", style))
        .with(level(heavy.kurtosis_of_law(), "of the law"));
    for (i, part) in PARTS.iter().enumerate() {
        let y: Vec<f64> = heavy.kurtosis.iter().map(|parts| parts[i]).collect();
        let x = vec![all / *part as f64; y.len()];
        panel = panel.with(Mark::points(&x, &y, "a set of samples", Style::series(0).hollow()));
    }
    if settings.samples_as_published() {
        panel = panel.with(Mark::points(&[all], &PRINTED[2..], "printed", large(Style::series(3))));
    }
    panel
}

fn large(style: Style) -> Style {
    Style { size: 4.0, ..style }
}

fn foretold(settings: &Fig3Panels, all: &[Column; 3]) -> Panel {
    let y = Axis::new("share of runs").range(0.0, 1.05);
    let panel = Panel::new("peak within a site of the flow's", Axis::new("time $t$"), y)
        .with(level(3.0 / settings.two.n as f64, "chance"));
    let times = settings.times();
    panel.with_all(all.iter().enumerate().map(|(i, column)| {
        Mark::line(&times, &column.foretold(), column.label.clone(), Style::series(i))
    }))
}

fn sets(all: &[Column; 3]) -> Panel {
    let ticks = all.iter().enumerate().map(|(i, column)| (i as f64, column.label.clone()));
    let x = Axis::new("").range(-0.5, all.len() as f64 - 0.5).ticks_at(ticks);
    let mut panel = Panel::new("kurtosis of whole sets", x, Axis::new("kurtosis").from(0.0));
    for (i, column) in all.iter().enumerate() {
        let whole = column.whole_sets();
        let step = 0.3 / whole.len() as f64;
        let at: Vec<f64> = (0..whole.len()).map(|k| i as f64 - 0.15 + step * k as f64).collect();
        let (law, beside) = ([column.kurtosis_of_law()], [i as f64 + 0.25]);
        panel = panel
            .with(Mark::points(&at, &whole, "a set of samples", Style::series(0).hollow()))
            .with(Mark::points(&beside, &law, "of the law", large(Style::theory())))
            .with(Mark::points(&beside, &PRINTED[i..=i], "printed", large(Style::series(3))));
    }
    panel
}
