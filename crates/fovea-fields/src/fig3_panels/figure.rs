//! The figure of `fig3-panels`: a column per distribution, with amplifier, final field and the field over time; below, why samples fall short, and how often the flow predicts the peak.

use super::Fig3Panels;
use super::claims::closed;
use super::measure::{Column, Law, PARTS, within_reach};
use fovea_desk::prelude::*;
use fovea_theory::amplifier::phi::phi;
use std::f64::consts::FRAC_2_PI;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "One column per distribution. Top: its amplifier, exact (line) and sampled (rings), and that of Gaussian data (dashes and dots). Second \
    row: the final field of the first run (points) and the end of the amplifier's flow from the same start (dashes), both with their sign turned where the flow ends negative; the level lines are the closed forms, the peak of the dictator state on spins and the flat state of \
    Gaussian data of the same covariances. Third row: the field of that run over time, with the same sign. Bottom left: kurtosis of samples of the heavy tails against how many numbers they have (one triangle per set of samples), the \
    fourth moment within reach of as many independent numbers, that of the distribution and, at the published size, the printed one. Bottom middle and right: share of runs whose peak is at most one site from the flow's, and the kurtosis of every whole set.";

/// The printed kurtoses.
const PRINTED: [f64; 3] = [1.0, 2.992, 3.864];

pub(super) fn figure(settings: &Fig3Panels, all: &[Column; 3]) -> Figure {
    let Fig3Panels { two, descent, coupling_pos, coupling_neg, gain, .. } = settings;
    let (TwoClass { n, xi_pos, xi_neg, .. }, Descent { lr, steps, .. }) = (two, descent);
    let subtitle = format!(
        "one ReLU unit on {n} sites, {steps} steps at learning rate {lr}; spins: couplings {coupling_pos} (label 1) and {coupling_neg} (label 0); the others: correlation lengths {xi_pos} and {xi_neg}, Gaussian data with gain {gain}"
    );
    let figure = Figure::new("Negative excess kurtosis localizes, none or positive does not")
        .subtitle(subtitle)
        .description(CAPTION);
    let mut panels: Vec<Panel> = all.iter().map(amplifier).collect();
    panels.extend(all.iter().map(|column| field(settings, column)));
    panels.extend(all.iter().map(|column| over_time(settings, column)));
    panels.extend([reach(settings, &all[2]), predicted(settings, all), sets(all)]);
    grid(figure, (3, 1080.0, 0.62), panels)
}

fn amplifier(column: &Column) -> Panel {
    let a = ladder(&[-1.0, 1.0], 120);
    let line = Style::theory().dash(Dash::DashDot);
    let curves = [
        named("exact $\\varphi$", Style::series(0), along(&a, |a| phi(column.site, a))),
        named("slope $(2/\\pi)^{1/2}$", line, along(&a, |a| FRAC_2_PI.sqrt() * a)),
    ];
    let (title, y) = (format!("{}: amplifier", column.label), Axis::new("$\\varphi(a)$"));
    let sampled: Xy = column.amplifier.iter().copied().collect();
    lines(title, "correlation $a$", y.range(-1.05, 1.05), curves)
        .with(sampled.points("sampled $\\varphi$", Style::series(0).hollow()))
}

/// The fields of the first run and the end of its flow, with their sign turned where the flow ends negative.
fn upright(column: &Column) -> (Vec<Vec<f64>>, Vec<f64>) {
    let (fields, flow) = (&column.fields[0], &column.flows[0]);
    let end = &flow[flow.len() - 1];
    let sign = 1.0_f64.copysign(end.iter().sum::<f64>());
    let turned = |w: &Vec<f64>| w.iter().map(|w| sign * w).collect();
    (fields.iter().map(turned).collect(), turned(end))
}

fn field(settings: &Fig3Panels, column: &Column) -> Panel {
    let (fields, flow) = upright(column);
    let trained = named("trained", Style::series(1), fields[fields.len() - 1].clone());
    let flow = named("amplifier's flow", Style::theory(), flow);
    let y = Axis::new("weight");
    let y = if column.law == Law::Ising { y } else { y.from(0.0) };
    let level = closed(settings, column.law).ok().map(|at| guide_at_y(at, "closed form"));
    let title = format!("{}: final field", column.label);
    ring_fields(title, Sites::Numbered, y, [trained], [flow]).with_all(level)
}

fn over_time(settings: &Fig3Panels, column: &Column) -> Panel {
    let (fields, _) = upright(column);
    let most = largest(&fields.concat());
    let title = format!("{}: field over time", column.label);
    let records = (&settings.times()[..], &fields[..]);
    field_over_time(title, Sites::Numbered, "time $t$", records, most, true)
}

fn reach(settings: &Fig3Panels, heavy: &Column) -> Panel {
    let all = settings.samples as f64 * settings.two.n as f64;
    let draws: Vec<f64> =
        (0..=30).map(|i| all * libm::pow(10.0, -2.3 + 0.1 * f64::from(i))).collect();
    let within = along(&draws, |draws| within_reach(heavy.site, draws));
    let within = named("within reach", Style::theory().dash(Dash::Long), within);
    let parts = |parts: &[f64; 3]| PARTS.map(|part| all / part as f64).into_iter().zip(*parts);
    let sets: Xy = heavy.kurtosis.iter().flat_map(parts).collect();
    let printed = settings.samples_as_published().then(|| printed(xy(&[all], [PRINTED[2]])));
    let title = format!("{}: why samples fall short", heavy.label);
    lines(title, Axis::new("numbers sampled").log(), "kurtosis", [within])
        .with(guide_at_y(heavy.kurtosis_of_law(), "of the distribution"))
        .with(sets.points("one set of samples", Style::series(2).hollow()))
        .with_all(printed)
}

fn printed(points: Xy) -> Mark {
    points.points("printed", Style { size: 4.0, ..Style::series(3) })
}

fn predicted(settings: &Fig3Panels, all: &[Column; 3]) -> Panel {
    let times = settings.times();
    let shares = all.iter().map(|column| (&*column.label, xy(&times, column.predicted())));
    let y = Axis::new("share of runs").range(0.0, 1.05);
    lines("peak within a site of the flow's", "time $t$", y, series_from(4, shares))
        .with(guide_at_y(3.0 / settings.two.n as f64, "chance"))
}

fn sets(all: &[Column; 3]) -> Panel {
    let x = categories("", all.iter().map(|column| &*column.label));
    let whole = named(
        "one set of samples",
        Style::series(2).hollow(),
        all.iter().map(Column::whole_sets).collect(),
    );
    let right = [0.4, 1.4, 2.4];
    let law = xy(&right, all.iter().map(Column::kurtosis_of_law));
    runs_by_category("kurtosis of whole sets", x, Axis::new("kurtosis").from(0.0), [whole])
        .with(law.points("of the distribution", Style { size: 4.0, ..Style::theory() }))
        .with(printed(xy(&right, PRINTED)))
}
