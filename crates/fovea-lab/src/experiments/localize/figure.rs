//! The figure of `localize`: a column a gain, time, field and spectrum down the rows, IPR below.

use super::{Curve, Localize, Theory};
use crate::figure::{Axis, ColorMap, Dash, Figure, Heat, Mark, Panel, Style};
use fovea_core::Value;
use fovea_core::fourier::power_by_frequency;
use fovea_theory::dictator::fixed_point::FixedPoint;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "One neuron trained from the same start on data of growing gain. Sites are counted from \
    the peak of the field at the highest gain. Top row: the field over training (colour: weight). Second row: the field at the end (solid) and theory (dashed): the Gaussian flow at low gain, the \
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
    let ring = Ring {
        n: settings.n,
        peak: curves.last().map_or(0, |c| super::peak(c.run.network.weights())),
    };
    for (i, curve) in curves.iter().enumerate() {
        figure = figure.panel(over_time(&ring, curve, i == columns - 1));
    }
    for curve in curves {
        figure = figure.panel(final_field(&ring, curve));
    }
    for curve in curves {
        figure = figure.panel(spectrum(curve));
    }
    figure.panel(participation(settings, curves, dictator).span(columns).height(230.0))
}

/// The ring cut opposite its most interesting site, which comes to lie in the middle at 0.
struct Ring {
    n: usize,
    peak: usize,
}

impl Ring {
    fn sites(&self) -> Vec<f64> {
        (0..self.n).map(|i| i as f64 - (self.n / 2) as f64).collect()
    }

    fn cut(&self, w: &[f64]) -> Vec<f64> {
        (0..self.n).map(|i| w[(i + self.peak + self.n - self.n / 2) % self.n]).collect()
    }
}

fn title(curve: &Curve) -> String {
    format!("gain {}", Value::Real(curve.gain).to_string().replace("inf", "\u{221e}"))
}

/// The field against the logarithm of the step: rows at equal ratios, each showing the record nearest to it.
fn over_time(ring: &Ring, curve: &Curve, last: bool) -> Panel {
    const ROWS: usize = 120;
    let records = &curve.run.records;
    let step = |record: usize| records[record].step as f64;
    let (low, high) = (step(1.min(records.len() - 1)), step(records.len() - 1));
    let mut values = Vec::new();
    for row in 0..ROWS {
        let at = low * libm::pow(high / low, (row as f64 + 0.5) / ROWS as f64);
        let nearest =
            records.partition_point(|record| (record.step as f64) < at).min(records.len() - 1);
        values.extend(ring.cut(&curve.fields[nearest]));
    }
    let half = (ring.n / 2) as f64;
    let heat = Heat {
        values,
        rows: ROWS,
        cols: ring.n,
        x_range: (-half - 0.5, ring.n as f64 - half - 0.5),
        y_range: (low, high),
        map: ColorMap::Diverging,
        limits: Some((-0.4, 0.4)),
        bar: last.then(|| "weight".to_owned()),
    };
    Panel::new(title(curve), Axis::new("site"), Axis::new("step").log().share(1))
        .with(Mark::Heat(heat))
}

/// The closed form's field at the end and its name.
fn predicted(curve: &Curve) -> Option<(&Vec<f64>, &'static str)> {
    match &curve.theory {
        Theory::GaussianFlow(fields) => fields.last().map(|field| (field, "theory: Gaussian flow")),
        Theory::Dictator(field) => Some((field, "theory: dictator state")),
        Theory::Open => None,
    }
}

fn theory_style(label: &str) -> Style {
    if label.ends_with("flow") { Style::theory() } else { Style::theory().dash(Dash::Dotted) }
}

fn final_field(ring: &Ring, curve: &Curve) -> Panel {
    let (sites, trained) = (ring.sites(), ring.cut(curve.run.network.weights()));
    let mut panel = Panel::new("", Axis::new("site"), Axis::new("final weight").share(2))
        .with(Mark::line(&sites, &trained, "trained", Style::series(0).solid()));
    if let Some((field, label)) = predicted(curve) {
        panel = panel.with(Mark::line(&sites, &ring.cut(field), label, theory_style(label)));
    }
    panel
}

fn spectrum(curve: &Curve) -> Panel {
    let frequencies: Vec<f64> = (0..curve.spectrum.len()).map(|k| k as f64).collect();
    let mut panel = Panel::new("", Axis::new("frequency"), Axis::new("power").share(3).from(0.0))
        .with(Mark::points(&frequencies, &curve.spectrum, "trained", Style::series(0)));
    if let Some((field, label)) = predicted(curve) {
        panel = panel.with(Mark::line(
            &frequencies,
            &power_by_frequency(field),
            label,
            theory_style(label),
        ));
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
    panel.with(Mark::Horizontal { at: flat, label: "flat field".to_owned(), style: Style::guide() })
}
