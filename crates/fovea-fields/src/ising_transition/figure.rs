//! The figure of `ising-transition`: ends against the coupling, fields at rest, IPR over time, and the large ring.

use super::measure::{AtCoupling, Large, Small};
use super::{Found, IsingTransition};
use fovea_desk::prelude::*;
use fovea_theory::ising::dictator::dictator;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "One ReLU unit between two Ising rings; the excess kurtosis of every input is -2 throughout. (a) IPR where the exact flow \
    comes to rest, one point per distinct end of the random starts, by kind of field; dashed, the dictator state in closed form, \
    dotted where it contradicts its own gate; crosses are units trained by SGD from the first start, with two standard errors. Between \
    the last circle and the vertical line random starts end in fields of several sites although the dictator state still exists. (b) Fields at rest, peak in \
    the middle. (c) IPR over time: exact flow (dashed) and one trained unit (solid) from the same start. (d) The large ring: late mean of trained \
    units by distance from the peak (crosses, two standard errors), and the closed form (dashed; dotted where the dictator state does not exist), without any fit.";

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
        over_time(&found.small),
        large_ring(settings, &found.large),
    ];
    let figure = Figure::new(title).subtitle(subtitle).description(CAPTION);
    grid(figure, (3, 1020.0, 0.8), panels)
}

/// The distinct ends of one kind.
fn ends(rests: &[AtCoupling], kind: usize, marker: Marker, name: &str) -> Option<Mark> {
    let of_kind = |at: &AtCoupling| {
        let ends = at.distinct().into_iter().filter(|(_, found, _)| *found == kind);
        ends.map(|(ipr, _, _)| (at.coupling, ipr)).collect::<Vec<_>>()
    };
    let ends: Xy = rests.iter().flat_map(of_kind).collect();
    let style = Style { marker, size: 3.4, ..Style::series(kind) };
    (!ends.x.is_empty()).then(|| ends.points(name, style))
}

/// Trained units, in both panels that have them.
fn crosses() -> Style {
    Style { marker: Marker::Cross, size: 5.0, ..Style::series(3) }
}

fn transition(settings: &IsingTransition, found: &Found) -> Panel {
    let Found { rests, edge, small, .. } = found;
    let [low, high] = extent(&settings.coupling_pos);
    let ipr = |from: f64, to: f64| {
        let ipr = |coupling: f64| dictator(settings.n, coupling, settings.coupling_neg).ipr;
        along(&ladder(&[from, to], 80), ipr)
    };
    let (last, dotted) = (edge.clamp(low, high), Style::theory().dash(Dash::Dotted));
    let states = [
        named("dictator state, closed form", Style::theory(), ipr(low, last)),
        named("where it contradicts its gate", dotted, ipr(last, high)),
    ];
    let trained: Xy = small.iter().map(|unit| (unit.coupling, unit.ipr)).collect();
    let limit = guide_at_x(*edge, format!("dictator state ends, {edge:.3}"));
    let x = Axis::new("coupling $J_+$ of the class with label 1");
    let y = Axis::new("IPR  $\\sum w^4 / (\\sum w^2)^2$").range(0.0, 1.0);
    lines("Where the flow comes to rest", x, y, states)
        .with_all(ends(rests, 0, Marker::Circle, "end: one site dominates"))
        .with_all(ends(rests, 1, Marker::Square, "end: several sites"))
        .with_all(ends(rests, 2, Marker::Triangle, "end: nearly flat"))
        .with(trained.points("trained by SGD", crosses()))
        .with_all((*edge < high).then_some(limit))
        .with(guide_at_y(1.0 / settings.n as f64, ""))
        .note("Horizontal: the flat field, 1/n.")
}

fn ramp(small: &[Small], i: usize) -> Style {
    Style { size: 2.2, ..Style::ordered(i, small.len()) }.solid()
}

fn fields(small: &[Small]) -> Panel {
    let field = |(i, unit): (usize, &Small)| {
        let label = format!("$J_+$ = {}", Value::Real(unit.coupling));
        named(label, ramp(small, i), turned(&unit.end, 0))
    };
    let (fields, weight) = (small.iter().enumerate().map(field), Axis::new("weight").from(0.0));
    ring_fields("Fields at rest", Sites::FromPeak, weight, fields, [])
}

fn over_time(small: &[Small]) -> Panel {
    let both = |(i, unit): (usize, &Small)| {
        let (style, of) = (ramp(small, i), |ipr: &[f64]| xy(&unit.times, ipr));
        let trained = unnamed(Style { width: 1.0, ..style }, of(&unit.ipr_trained));
        [trained, unnamed(style.dash(Dash::Dashed), of(&unit.ipr_exact))]
    };
    let (iprs, ipr) = (small.iter().enumerate().flat_map(both), Axis::new("IPR").range(0.0, 1.0));
    lines("IPR over time", time_axis().log(), ipr, iprs).note("Dashed: exact flow; solid: trained.")
}

fn large_ring(settings: &IsingTransition, large: &Large) -> Panel {
    let reach = 8.min(large.by_distance.len() - 1);
    let at: Vec<usize> = (0..=reach).collect();
    let title =
        format!("{} sites, $J_+$ = {}", settings.n_large, Value::Real(settings.coupling_large));
    let dash = if large.point.exists { Dash::Dashed } else { Dash::Dotted };
    let state = unnamed(Style::theory().dash(dash), xy(&at, &large.point.w[..=reach]));
    lines(title, "sites from the peak", Axis::new("weight").from(0.0), [state])
        .with(estimates(&at, &large.by_distance[..=reach]).points("", crosses()))
        .note(format!(
            "IPR: closed form {:.4}, trained {:.4} $\\pm$ {:.4}.",
            ipr(&large.point.w),
            large.ipr.mean(),
            large.ipr.se()
        ))
}
