//! The figure of `ising-transition`: ends against the coupling, fields at rest, the way there, and the large ring.

use super::measure::{Kind, Large, Rests, Small};
use super::{Found, IsingTransition};
use fovea_desk::prelude::*;
use fovea_sim::probe::ipr::ipr;
use fovea_theory::ising::dictator::dictator;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "One ReLU unit between two Ising rings; the excess kurtosis of every input is -2 throughout. (a) IPR where the exact flow \
    comes to rest, one point for every different end of the random starts, by what kind of field it is; dashed, the dictator state in closed form, \
    dotted where it contradicts its own gate; crosses are units trained by SGD from the first start, with two standard errors. Between \
    the end of the circles and the vertical line random starts end in larger cells although the dictator state still exists. (b) Fields at rest, peak in \
    the middle. (c) IPR on the way: exact flow (dashed) and one trained unit (solid) from the same start. (d) The large ring: late mean of trained \
    units by distance from the peak, two standard errors, and the closed form, to which nothing was fitted.";

pub(super) fn figure(settings: &IsingTransition, Found { rests, small, large }: &Found) -> Figure {
    let subtitle = format!(
        "Spins on rings of {} and {} sites, coupling $J_-$ = {} in the class with label 0 and $J_+$ in the class with label 1; {} random starts.",
        settings.n,
        settings.n_large,
        Value::Real(settings.coupling_neg),
        settings.starts
    );
    Figure::new("Localization is lost at strong coupling, though the kurtosis stays at -2")
        .subtitle(subtitle)
        .columns(3)
        .width(1020.0)
        .aspect(0.8)
        .description(CAPTION)
        .panel(transition(settings, rests, small).span(3).height(280.0))
        .panel(fields(small))
        .panel(way(small))
        .panel(large_ring(settings, large))
}

/// How ends of a kind are drawn.
fn kind_style(kind: Kind) -> (Style, &'static str) {
    let (series, marker, name) = match kind {
        Kind::OneSite => (0, Marker::Circle, "rest: one site outvotes the others"),
        Kind::Several => (1, Marker::Square, "rest: several sites"),
        Kind::Flat => (2, Marker::Triangle, "rest: nearly flat"),
    };
    (Style { marker, size: 3.4, ..Style::series(series) }, name)
}

fn transition(settings: &IsingTransition, rests: &Rests, small: &[Small]) -> Panel {
    let x = Axis::new("coupling $J_+$ of the class with label 1");
    let y = Axis::new("IPR  $\\sum w^4 / (\\sum w^2)^2$").range(0.0, 1.0);
    let mut panel = Panel::new("Where the flow comes to rest", x, y);
    let low = settings.coupling_pos.iter().copied().fold(f64::INFINITY, f64::min);
    let high = settings.coupling_pos.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let curve = |from: f64, to: f64| -> (Vec<f64>, Vec<f64>) {
        let couplings: Vec<f64> =
            (0..=80).map(|i| from + (to - from) * f64::from(i) / 80.0).collect();
        let of = |j: &f64| dictator(settings.n, *j, settings.coupling_neg).ipr;
        (couplings.clone(), couplings.iter().map(of).collect())
    };
    let edge = rests.edge.clamp(low, high);
    let (valid, invalid) = (curve(low, edge), curve(edge, high));
    let dotted = Style::theory().dash(Dash::Dotted);
    panel = panel
        .with(Mark::line(&valid.0, &valid.1, "dictator state, closed form", Style::theory()))
        .with(Mark::line(&invalid.0, &invalid.1, "where it contradicts its gate", dotted));
    for kind in [Kind::OneSite, Kind::Several, Kind::Flat] {
        let (mut x, mut y) = (Vec::new(), Vec::new());
        for at in &rests.at {
            for (ipr, _, _) in at.distinct().iter().filter(|(_, found, _)| *found == kind) {
                x.push(at.coupling);
                y.push(*ipr);
            }
        }
        if !x.is_empty() {
            let (style, name) = kind_style(kind);
            panel = panel.with(Mark::points(&x, &y, name, style));
        }
    }
    let at: Vec<f64> = small.iter().map(|unit| unit.coupling).collect();
    let means: Vec<f64> = small.iter().map(|unit| unit.ipr.mean()).collect();
    let errors: Vec<f64> = small.iter().map(|unit| 2.0 * unit.ipr.se()).collect();
    let crosses = Style { marker: Marker::Cross, size: 5.0, ..Style::series(3) };
    panel = panel.with(Mark::measured(&at, &means, &errors, "trained by SGD", crosses));
    if rests.edge < high {
        let label = format!("dictator state ends, {:.3}", rests.edge);
        panel = panel.with(Mark::Vertical { at: rests.edge, label, style: Style::guide() });
    }
    let (at, label, style) = (1.0 / settings.n as f64, String::new(), Style::guide());
    panel.with(Mark::Horizontal { at, label, style }).note("Horizontal: the flat field, 1/n.")
}

fn ramp(small: &[Small], i: usize) -> Style {
    Style { size: 2.2, ..Style::ordered(i, small.len()) }.solid()
}

fn label(unit: &Small) -> String {
    format!("$J_+$ = {}", Value::Real(unit.coupling))
}

/// Fields at rest, cut opposite their peak.
fn fields(small: &[Small]) -> Panel {
    let mut panel = Panel::new("Fields at rest", Axis::new("site"), Axis::new("weight").from(0.0));
    for (i, unit) in small.iter().enumerate() {
        let n = unit.end.len();
        let sites: Vec<f64> = (0..n).map(|s| s as f64 - (n / 2) as f64).collect();
        let cut: Vec<f64> = (0..n).map(|s| unit.end[(s + n - n / 2) % n]).collect();
        panel = panel
            .with(Mark::line(&sites, &cut, label(unit), ramp(small, i)))
            .with(Mark::points(&sites, &cut, "", ramp(small, i)));
    }
    panel
}

/// IPR over time.
fn way(small: &[Small]) -> Panel {
    let x = Axis::new("time, step $\\times$ learning rate").log();
    let mut panel = Panel::new("The way there", x, Axis::new("IPR").range(0.0, 1.0));
    for (i, unit) in small.iter().enumerate() {
        let style = ramp(small, i);
        panel = panel
            .with(Mark::line(&unit.times, &unit.ipr_trained, "", Style { width: 1.0, ..style }))
            .with(Mark::line(&unit.times, &unit.ipr_exact, "", style.dash(Dash::Dashed)));
    }
    panel.note("Dashed: exact flow; solid: trained.")
}

fn large_ring(settings: &IsingTransition, large: &Large) -> Panel {
    let reach = 8.min(large.by_distance.len() - 1);
    let at: Vec<f64> = (0..=reach).map(|d| d as f64).collect();
    let means: Vec<f64> = large.by_distance[..=reach].iter().map(Estimate::mean).collect();
    let errors: Vec<f64> = large.by_distance[..=reach].iter().map(|e| 2.0 * e.se()).collect();
    let title =
        format!("{} sites, $J_+$ = {}", settings.n_large, Value::Real(settings.coupling_large));
    let dash = if large.point.exists { Dash::Dashed } else { Dash::Dotted };
    let crosses = Style { marker: Marker::Cross, size: 4.0, ..Style::series(3) };
    Panel::new(title, Axis::new("sites from the peak"), Axis::new("weight").from(0.0))
        .with(Mark::line(&at, &large.point.w[..=reach], "", Style::theory().dash(dash)))
        .with(Mark::measured(&at, &means, &errors, "", crosses))
        .note(format!(
            "IPR: closed form {:.4}, trained {:.4} $\\pm$ {:.4}.",
            ipr(&large.point.w),
            large.ipr.mean(),
            large.ipr.se()
        ))
}
