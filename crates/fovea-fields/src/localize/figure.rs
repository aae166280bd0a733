//! The figure of `localize`: a column per gain; training, final field and spectrum down the rows; IPR below.

use super::Localize;
use super::measure::{Curve, Theory};
use fovea_core::fourier::power_by_frequency;
use fovea_core::ring::multiplicity;
use fovea_desk::cell::peak;
use fovea_desk::prelude::*;
use fovea_theory::dictator::fixed_point::FixedPoint;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "One neuron trained from one start, with the same latent samples, on data of growing gain. \
    Sites are counted from the peak of the field at the highest gain. Top row: the field over training; colours end \
    at the largest final weight, which the start exceeds. Second row: the field at the end and its closed form, which \
    nothing was fitted to: the Gaussian flow from the same start at low gain (what separates the two is the noise of \
    SGD along the slowest modes), the dictator state at infinite gain where it exists; in between none is known. Third \
    row: power per Fourier mode, where it is above 1e-5; rings are trained. Bottom: inverse participation ratio over training, \
    with that of the Gaussian flow (dashed); the dotted lines are the dictator state and, at the bottom, the flat field, 1/n.";

/// Power below which a mode is not drawn.
const FLOOR: f64 = 1e-5;

pub(super) fn figure(settings: &Localize, curves: &[Curve<'_>], dictator: &FixedPoint) -> Figure {
    let subtitle = format!(
        "Inputs erf(gain z), scaled to unit variance, are Gaussian as the gain goes to 0 and binary at \u{221e}. ReLU unit, \
         {} sites, correlation length {} (label 1) against {} (label 0).",
        settings.two.n,
        Value::Real(settings.two.xi_pos),
        Value::Real(settings.two.xi_neg)
    );
    let columns = curves.len();
    let drawn = |panel: &dyn Fn(usize, &Curve<'_>) -> Panel| -> Vec<Panel> {
        curves.iter().enumerate().map(|(i, curve)| panel(i, curve)).collect()
    };
    let ends = || curves.iter().map(|curve| curve.run.network().weights());
    let most = ends().map(largest).fold(0.0, f64::max);
    let site = ends().next_back().map_or(0, peak);
    let panels = [
        drawn(&|i, curve| over_time(curve, site, most, i == columns - 1)),
        drawn(&|i, curve| final_field(curve, site, trained(i, columns))),
        drawn(&|i, curve| power(curve, trained(i, columns))),
        vec![participation(settings, curves, dictator).span(columns).height(240.0)],
    ];
    let mut figure = Figure::new("One neuron, from Gaussian to binary data");
    figure.letters = false;
    let figure = figure.subtitle(subtitle).description(CAPTION);
    grid(figure, (columns, 210.0 * columns.max(3) as f64, 0.7), panels.into_iter().flatten())
}

/// Simulations are solid and have the colour of their gain in every row.
fn trained(i: usize, count: usize) -> Style {
    Style { marker: Marker::Circle, size: 1.8, ..Style::ordered(i, count).solid() }
}

/// A closed form; the flow is dashed and the dictator state dotted, everywhere.
fn theory_style(curve: &Curve<'_>) -> Style {
    let dash =
        if matches!(curve.theory, Theory::Dictator(_)) { Dash::Dotted } else { Dash::Dashed };
    Style::theory().dash(dash)
}

/// The ring is cut opposite to the site at which the field of the highest gain peaks.
fn over_time(curve: &Curve<'_>, site: usize, most: f64, bar: bool) -> Panel {
    let fields: Vec<Vec<f64>> = curve.fields.iter().map(|w| turned(w, site)).collect();
    let (title, step) = (gains::words(curve.gain), Axis::new("step").log().share(1));
    let records = (&curve.steps[..], &fields[..]);
    field_over_time(title, Sites::FromPeak, step, records, most, bar).height(130.0)
}

fn final_field(curve: &Curve<'_>, site: usize, style: Style) -> Panel {
    let trained = unnamed(style, turned(curve.run.network().weights(), site));
    let theory = curve.predicted().map(|(field, label)| {
        named(format!("theory: {label}"), theory_style(curve), turned(field, site))
    });
    ring_fields("", Sites::FromPeak, Axis::new("final weight").share(2), [trained], theory)
}

/// The power at each frequency, per mode of it.
fn per_mode(power: &[f64], n: usize) -> Vec<f64> {
    power.iter().enumerate().map(|(k, power)| power / multiplicity(k, n) as f64).collect()
}

fn power(curve: &Curve<'_>, style: Style) -> Panel {
    let n = curve.run.network().inputs();
    let measured = unnamed(Style { size: 2.6, ..style }, per_mode(&curve.spectrum, n));
    let theory = curve.predicted();
    let theory = theory.map(|(field, _)| per_mode(&power_by_frequency(field), n));
    let theory = theory.map(|power| unnamed(theory_style(curve), power));
    spectrum("", Axis::new("power per mode").share(3), FLOOR, [measured], theory)
}

fn participation(settings: &Localize, curves: &[Curve<'_>], dictator: &FixedPoint) -> Panel {
    let trained = curves.iter().enumerate().map(|(i, curve)| {
        let last = curve.ipr.last().copied().unwrap_or(0.0);
        let label = format!("{}: {last:.3}", gains::words(curve.gain));
        named(label, trained(i, curves.len()), xy(&curve.steps, &curve.ipr))
    });
    let flows = curves.iter().filter_map(|curve| match &curve.theory {
        Theory::GaussianFlow(fields) => {
            let iprs = fields.iter().map(|field| ipr(field));
            Some(unnamed(theory_style(curve), xy(&curve.steps, iprs)))
        }
        _ => None,
    });
    let y = Axis::new("IPR  $\\sum w^4 / (\\sum w^2)^2$").range(0.0, 1.0);
    let panel =
        lines("Localization over training", Axis::new("step").log(), y, trained.chain(flows))
            .label_ends()
            .with(guide_at_y(1.0 / settings.two.n as f64, ""));
    if dictator.exists {
        let label = format!("dictator state: {:.4}", dictator.ipr);
        panel.with(line_at_y(dictator.ipr, label, Style::theory().dash(Dash::Dotted)))
    } else {
        panel.note(super::dictator_line(dictator))
    }
}
