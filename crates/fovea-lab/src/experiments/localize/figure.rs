//! The figure of `localize`: a column a gain, time, field and spectrum down the rows, IPR below.

use super::{Curve, Localize, Theory};
use crate::figure::{Axis, ColorMap, Figure, Heat, Mark, Panel, Style};
use fovea_core::Value;
use fovea_core::fourier::power_by_frequency;
use fovea_theory::dictator::fixed_point::FixedPoint;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "One neuron trained from the same start on data of growing gain. Top row: the field over \
    time (colour: weight). Second row: the field at the end (solid) and theory (dashed): the Gaussian flow at low gain, the \
    dictator state at infinite gain where it exists. Third row: power by spatial frequency. Bottom: inverse \
    participation ratio over training; 1/n is a flat field, 1 a single site.";

pub(super) fn figure(settings: &Localize, curves: &[Curve], dictator: &FixedPoint) -> Figure {
    let title = "One neuron, from Gaussian to binary data";
    let subtitle = format!(
        "ReLU unit, ring of {} sites, correlation lengths {} (label 1) against {} (label 0), learning rate {}, batch {}",
        settings.n,
        Value::Real(settings.xi_pos),
        Value::Real(settings.xi_neg),
        Value::Real(settings.lr),
        settings.batch
    );
    let columns = curves.len();
    let mut figure =
        Figure::new(title).subtitle(subtitle).columns(columns).width(210.0 * columns.max(3) as f64);
    figure.letters = false;
    figure.description = CAPTION.to_owned();
    for (i, curve) in curves.iter().enumerate() {
        figure = figure.panel(over_time(settings, curve, i == columns - 1));
    }
    for curve in curves {
        figure = figure.panel(final_field(settings, curve));
    }
    for curve in curves {
        figure = figure.panel(spectrum(curve));
    }
    figure.panel(participation(settings, curves, dictator).span(columns).height(230.0))
}

fn over_time(settings: &Localize, curve: &Curve, last: bool) -> Panel {
    let end = settings.steps as f64 * settings.lr;
    let heat = Heat {
        values: curve.fields.concat(),
        rows: curve.fields.len(),
        cols: settings.n,
        x_range: (-0.5, settings.n as f64 - 0.5),
        y_range: (0.0, end),
        map: ColorMap::Diverging,
        limits: Some((-0.45, 0.45)),
        bar: last.then(|| "weight".to_owned()),
    };
    let title = format!("gain {}", Value::Real(curve.gain).to_string().replace("inf", "\u{221e}"));
    Panel::new(title, Axis::new("site"), Axis::new("time $t$ = step \u{00b7} lr").share(1))
        .with(Mark::Heat(heat))
}

fn final_field(settings: &Localize, curve: &Curve) -> Panel {
    let sites: Vec<f64> = (0..settings.n).map(|i| i as f64).collect();
    let mut panel = Panel::new("", Axis::new("site"), Axis::new("final weight").share(2))
        .with(Mark::line(&sites, curve.run.network.weights(), "trained", Style::series(0).solid()));
    let theory = match &curve.theory {
        Theory::GaussianFlow(fields) => fields.last().map(|field| (field, "Gaussian flow")),
        Theory::Dictator(field) => Some((field, "dictator state")),
        Theory::Open => None,
    };
    if let Some((field, label)) = theory {
        panel = panel.with(Mark::line(&sites, field, format!("theory: {label}"), Style::theory()));
    }
    panel
}

fn spectrum(curve: &Curve) -> Panel {
    let frequencies: Vec<f64> = (0..curve.spectrum.len()).map(|k| k as f64).collect();
    let mut panel = Panel::new("", Axis::new("frequency"), Axis::new("power").share(3).from(0.0))
        .with(Mark::points(&frequencies, &curve.spectrum, "trained", Style::series(0)));
    let theory = match &curve.theory {
        Theory::GaussianFlow(fields) => fields.last(),
        Theory::Dictator(field) => Some(field),
        Theory::Open => None,
    };
    if let Some(field) = theory {
        panel =
            panel.with(Mark::line(&frequencies, &power_by_frequency(field), "", Style::theory()));
    }
    panel
}

fn participation(settings: &Localize, curves: &[Curve], dictator: &FixedPoint) -> Panel {
    let mut panel = Panel::new(
        "Localization over training",
        Axis::new("step").log(),
        Axis::new("inverse participation ratio").range(0.0, 1.0),
    )
    .label_ends();
    for (i, curve) in curves.iter().enumerate() {
        let steps: Vec<f64> = curve.run.records.iter().map(|r| r.step as f64).collect();
        let label =
            format!("gain {}", Value::Real(curve.gain).to_string().replace("inf", "\u{221e}"));
        panel = panel.with(Mark::line(&steps, &curve.ipr, label, Style::ordered(i, curves.len())));
    }
    if dictator.exists {
        let label = format!("dictator state {:.4}", dictator.ipr);
        panel = panel.with(Mark::Horizontal { at: dictator.ipr, label, style: Style::theory() });
    } else {
        panel = panel.note(super::dictator_line(dictator));
    }
    let flat = 1.0 / settings.n as f64;
    panel.with(Mark::Horizontal { at: flat, label: String::new(), style: Style::theory() })
}
