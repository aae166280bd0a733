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
    let subtitle = format!(
        "one ReLU unit on {} sites, {} steps at learning rate {}; spins: couplings {} (label 1) and {} (label 0); the others, Gaussian by a gain of {}: correlation lengths {} and {}",
        settings.n,
        settings.steps,
        settings.lr,
        settings.coupling_pos,
        settings.coupling_neg,
        settings.gain,
        settings.xi_pos,
        settings.xi_neg
    );
    let mut figure = Figure::new("Negative excess kurtosis localizes, none or positive does not")
        .subtitle(subtitle)
        .columns(3)
        .width(1080.0)
        .aspect(0.62)
        .description(CAPTION);
    for column in all {
        figure = figure.panel(amplifier(settings, column));
    }
    for column in all {
        figure = figure.panel(field(settings, column));
    }
    for column in all {
        figure = figure.panel(course(settings, column));
    }
    let [.., heavy] = all;
    figure.panel(reach(settings, heavy)).panel(foretold(settings, all)).panel(sets(settings, all))
}

fn amplifier(settings: &Fig3Panels, column: &Column) -> Panel {
    let a: Vec<f64> = (-60..=60).map(|i| f64::from(i) / 60.0).collect();
    let exact: Vec<f64> = a.iter().map(|a| phi(column.site, *a)).collect();
    let line: Vec<f64> = a.iter().map(|a| FRAC_2_PI.sqrt() * a).collect();
    let (at, sampled): (Vec<f64>, Vec<f64>) =
        column.amplifier.iter().map(|(a, mean)| (*a, mean.mean())).unzip();
    let title = format!("{}: amplifier", column.law.label(settings));
    Panel::new(title, Axis::new("correlation $a$"), Axis::new("$\\varphi(a)$").range(-1.05, 1.05))
        .with(Mark::line(&a, &exact, "exact $\\varphi$", Style::series(0)))
        .with(Mark::points(&at, &sampled, "sampled $\\varphi$", Style::series(0).hollow()))
        .with(Mark::line(&a, &line, "slope $\\sqrt{2/\\pi}$", Style::theory()))
}

fn field(settings: &Fig3Panels, column: &Column) -> Panel {
    let sites: Vec<f64> = (0..settings.n).map(|i| i as f64).collect();
    let title = format!("{}: final field", column.law.label(settings));
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
        panel = panel.with(Mark::Horizontal {
            at,
            label: "closed form".to_owned(),
            style: Style::guide(),
        });
    }
    panel
}

fn course(settings: &Fig3Panels, column: &Column) -> Panel {
    let (records, times) = (&column.fields[0], settings.times());
    let values = records.concat();
    let (n, end) = (settings.n as f64, times[times.len() - 1]);
    let heat = Heat {
        values,
        rows: records.len(),
        cols: settings.n,
        x_range: (-0.5, n - 0.5),
        y_range: (0.0, end),
        map: ColorMap::Diverging,
        limits: None,
        bar: Some("weight".to_owned()),
    };
    let title = format!("{}: field over time", column.law.label(settings));
    Panel::new(title, Axis::new("site").range(-0.5, n - 0.5), Axis::new("time $t$").range(0.0, end))
        .with(Mark::Heat(heat))
}

fn reach(settings: &Fig3Panels, heavy: &Column) -> Panel {
    let all = settings.samples as f64 * settings.n as f64;
    let draws: Vec<f64> =
        (0..=30).map(|i| all * libm::pow(10.0, -2.3 + 0.1 * f64::from(i))).collect();
    let within: Vec<f64> = draws.iter().map(|draws| within_reach(heavy.site, *draws)).collect();
    let law = 3.0 + heavy.site.excess_kurtosis();
    let title = format!("{}: why samples fall short", heavy.law.label(settings));
    let mut panel = Panel::new(title, Axis::new("draws").log(), Axis::new("kurtosis"))
        .with(Mark::line(
            &draws,
            &within,
            "within reach of the draws",
            Style::theory().dash(Dash::Long),
        ))
        .with(Mark::Horizontal { at: law, label: "of the law".to_owned(), style: Style::guide() });
    for (i, part) in PARTS.iter().enumerate() {
        let y: Vec<f64> = heavy.kurtosis.iter().map(|parts| parts[i]).collect();
        let x = vec![all / *part as f64; y.len()];
        panel = panel.with(Mark::points(&x, &y, "a set of samples", Style::series(0).hollow()));
    }
    if settings.samples_as_published() {
        let mark = Style { size: 4.0, ..Style::series(3) };
        panel = panel.with(Mark::points(&[all], &PRINTED[2..], "printed", mark));
    }
    panel
}

fn foretold(settings: &Fig3Panels, all: &[Column; 3]) -> Panel {
    let chance = Mark::Horizontal {
        at: 3.0 / settings.n as f64,
        label: "chance".to_owned(),
        style: Style::guide(),
    };
    let y = Axis::new("share of runs").range(0.0, 1.05);
    let mut panel =
        Panel::new("peak within a site of the flow's", Axis::new("time $t$"), y).with(chance);
    for (i, column) in all.iter().enumerate() {
        let label = column.law.label(settings);
        panel =
            panel.with(Mark::line(&settings.times(), &column.foretold(), label, Style::series(i)));
    }
    panel
}

fn sets(settings: &Fig3Panels, all: &[Column; 3]) -> Panel {
    let ticks = all.iter().enumerate().map(|(i, column)| (i as f64, column.law.label(settings)));
    let x = Axis::new("").range(-0.5, all.len() as f64 - 0.5).ticks_at(ticks);
    let mut panel = Panel::new("kurtosis of whole sets", x, Axis::new("kurtosis").from(0.0));
    for (i, column) in all.iter().enumerate() {
        let whole = column.whole_sets();
        let step = 0.3 / whole.len() as f64;
        let at: Vec<f64> = (0..whole.len()).map(|k| i as f64 - 0.15 + step * k as f64).collect();
        let law = 3.0 + column.site.excess_kurtosis();
        panel = panel
            .with(Mark::points(&at, &whole, "a set of samples", Style::series(0).hollow()))
            .with(Mark::points(
                &[i as f64 + 0.25],
                &[law],
                "of the law",
                Style { size: 4.0, ..Style::theory() },
            ))
            .with(Mark::points(
                &[i as f64 + 0.25],
                &PRINTED[i..=i],
                "printed",
                Style { size: 4.0, ..Style::series(3) },
            ));
    }
    panel
}
