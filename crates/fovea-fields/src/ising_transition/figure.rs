//! The figure of `ising-transition`: ends against the coupling, fields at rest, the way there, and the large ring.

use super::measure::{AtCoupling, Large, Small};
use super::{Found, IsingTransition};
use fovea_core::vector::extent;
use fovea_desk::cell::around_peak;
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

pub(super) fn figure(settings: &IsingTransition, found: &Found) -> Figure {
    let IsingTransition { n, n_large, starts, .. } = settings;
    let neg = Value::Real(settings.coupling_neg);
    let subtitle = format!(
        "Spins on rings of {n} and {n_large} sites, coupling $J_-$ = {neg} in the class with label 0 and $J_+$ in the class with label 1; {starts} random starts."
    );
    let title = "Localization is lost at strong coupling, though the kurtosis stays at -2";
    let panels = [
        transition(settings, found).span(3).height(280.0),
        fields(&found.small),
        way(&found.small),
        large_ring(settings, &found.large),
    ];
    let figure = Figure::new(title).subtitle(subtitle).description(CAPTION);
    grid(figure, (3, 1020.0, 0.8), panels)
}

/// The different ends of one kind.
fn ends(rests: &[AtCoupling], kind: usize, marker: Marker, name: &str) -> Option<Mark> {
    let of_kind = |at: &AtCoupling| {
        let ends = at.distinct().into_iter().filter(|(_, found, _)| *found == kind);
        ends.map(|(ipr, _, _)| (at.coupling, ipr)).collect::<Vec<_>>()
    };
    let (x, y): (Vec<f64>, Vec<f64>) = rests.iter().flat_map(of_kind).unzip();
    let style = Style { marker, size: 3.4, ..Style::series(kind) };
    (!x.is_empty()).then(|| Mark::points(&x, &y, name, style))
}

fn transition(settings: &IsingTransition, found: &Found) -> Panel {
    let Found { rests, edge, small, .. } = found;
    let [low, high] = extent(&settings.coupling_pos);
    let curve = |from: f64, to: f64, label: &str, style: Style| {
        let couplings = ladder(&[from, to], 80);
        let of = |j: &f64| dictator(settings.n, *j, settings.coupling_neg).ipr;
        Mark::line(&couplings, &couplings.iter().map(of).collect::<Vec<_>>(), label, style)
    };
    let last = edge.clamp(low, high);
    let dotted = Style::theory().dash(Dash::Dotted);
    let at: Vec<f64> = small.iter().map(|unit| unit.coupling).collect();
    let crosses = Style { marker: Marker::Cross, size: 5.0, ..Style::series(3) };
    let limit = (*edge < high).then(|| Mark::Vertical {
        at: *edge,
        label: format!("dictator state ends, {edge:.3}"),
        style: Style::guide(),
    });
    let (flat, label, style) = (1.0 / settings.n as f64, String::new(), Style::guide());
    let x = Axis::new("coupling $J_+$ of the class with label 1");
    let y = Axis::new("IPR  $\\sum w^4 / (\\sum w^2)^2$").range(0.0, 1.0);
    Panel::new("Where the flow comes to rest", x, y)
        .with(curve(low, last, "dictator state, closed form", Style::theory()))
        .with(curve(last, high, "where it contradicts its gate", dotted))
        .with_all(ends(rests, 0, Marker::Circle, "rest: one site outvotes the others"))
        .with_all(ends(rests, 1, Marker::Square, "rest: several sites"))
        .with_all(ends(rests, 2, Marker::Triangle, "rest: nearly flat"))
        .with(measured(&at, small.iter().map(|unit| &unit.ipr), "trained by SGD", crosses))
        .with_all(limit)
        .with(Mark::Horizontal { at: flat, label, style })
        .note("Horizontal: the flat field, 1/n.")
}

fn ramp(small: &[Small], i: usize) -> Style {
    Style { size: 2.2, ..Style::ordered(i, small.len()) }.solid()
}

/// Fields at rest, cut opposite their peak.
fn fields(small: &[Small]) -> Panel {
    let cut = |(i, unit): (usize, &Small)| {
        let (sites, cut) = around_peak(&unit.end);
        let label = format!("$J_+$ = {}", Value::Real(unit.coupling));
        let line = Mark::line(&sites, &cut, label, ramp(small, i));
        [line, Mark::points(&sites, &cut, "", ramp(small, i))]
    };
    Panel::new("Fields at rest", Axis::new("site"), Axis::new("weight").from(0.0))
        .with_all(small.iter().enumerate().flat_map(cut))
}

/// IPR over time.
fn way(small: &[Small]) -> Panel {
    let ways = |(i, unit): (usize, &Small)| {
        let style = ramp(small, i);
        let thin = Style { width: 1.0, ..style };
        let trained = Mark::line(&unit.times, &unit.ipr_trained, "", thin);
        [trained, Mark::line(&unit.times, &unit.ipr_exact, "", style.dash(Dash::Dashed))]
    };
    let x = Axis::new("time, step $\\times$ learning rate").log();
    Panel::new("The way there", x, Axis::new("IPR").range(0.0, 1.0))
        .with_all(small.iter().enumerate().flat_map(ways))
        .note("Dashed: exact flow; solid: trained.")
}

fn large_ring(settings: &IsingTransition, large: &Large) -> Panel {
    let reach = 8.min(large.by_distance.len() - 1);
    let at: Vec<f64> = (0..=reach).map(|d| d as f64).collect();
    let title =
        format!("{} sites, $J_+$ = {}", settings.n_large, Value::Real(settings.coupling_large));
    let dash = if large.point.exists { Dash::Dashed } else { Dash::Dotted };
    let crosses = Style { marker: Marker::Cross, size: 4.0, ..Style::series(3) };
    Panel::new(title, Axis::new("sites from the peak"), Axis::new("weight").from(0.0))
        .with(Mark::line(&at, &large.point.w[..=reach], "", Style::theory().dash(dash)))
        .with(measured(&at, &large.by_distance[..=reach], "", crosses))
        .note(format!(
            "IPR: closed form {:.4}, trained {:.4} $\\pm$ {:.4}.",
            ipr(&large.point.w),
            large.ipr.mean(),
            large.ipr.se()
        ))
}
