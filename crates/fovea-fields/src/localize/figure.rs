//! The figure of `localize`: a column a gain; training, final field and spectrum down the rows; IPR below.

use super::Localize;
use super::measure::{Curve, Theory};
use fovea_core::fourier::power_by_frequency;
use fovea_core::ring::multiplicity;
use fovea_desk::cell::peak;
use fovea_desk::prelude::*;
use fovea_sim::probe::ipr::ipr;
use fovea_theory::dictator::fixed_point::FixedPoint;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "One neuron trained from one start, with the same latent samples, on data of growing gain. \
    Sites are counted from the peak of the field at the highest gain. Top row: the field over training; colours end \
    at the largest final weight, which the start exceeds. Second row: the field at the end and its closed form, which \
    nothing was fitted to: the Gaussian flow from the same start at low gain (what separates the two is the noise of \
    SGD along the slowest modes), the dictator state at infinite gain where it exists; in between none is known. Third \
    row: power of each Fourier mode. Bottom: inverse participation ratio over training.";

pub(super) fn figure(settings: &Localize, curves: &[Curve<'_>], dictator: &FixedPoint) -> Figure {
    let subtitle = format!(
        "Inputs erf(gain z), scaled to unit variance, are Gaussian as the gain goes to 0 and binary at \u{221e}. ReLU unit, \
         {} sites, correlation length {} (label 1) against {} (label 0).",
        settings.two.n,
        Value::Real(settings.two.xi_pos),
        Value::Real(settings.two.xi_neg)
    );
    let columns = curves.len();
    let mut figure = Figure::new("One neuron, from Gaussian to binary data")
        .subtitle(subtitle)
        .columns(columns)
        .width(210.0 * columns.max(3) as f64)
        .description(CAPTION);
    figure.letters = false;
    let sites = Sites::new(settings.two.n, curves);
    for (i, curve) in curves.iter().enumerate() {
        figure = figure.panel(sites.over_time(curve, i == columns - 1));
    }
    for (i, curve) in curves.iter().enumerate() {
        figure = figure.panel(sites.final_field(curve, trained(i, columns)));
    }
    for (i, curve) in curves.iter().enumerate() {
        figure = figure.panel(spectrum(curve, trained(i, columns)));
    }
    figure.panel(participation(settings, curves, dictator).span(columns).height(240.0))
}

/// Simulations are solid and have the colour of their gain in every row.
fn trained(i: usize, count: usize) -> Style {
    Style { marker: Marker::Circle, size: 1.7, ..Style::ordered(i, count).solid() }
}

/// A closed form; the flow is dashed and the dictator state dotted, everywhere.
fn theory_style(curve: &Curve<'_>) -> Style {
    let dash =
        if matches!(curve.theory, Theory::Dictator(_)) { Dash::Dotted } else { Dash::Dashed };
    Style::theory().dash(dash)
}

fn gain(curve: &Curve<'_>) -> String {
    format!("gain {}", gains::label(curve.gain))
}

/// The ring cut opposite its most interesting site, which comes to lie in the middle at 0.
struct Sites {
    n: usize,
    peak: usize,
    /// The largest final weight, where the colours end.
    largest: f64,
}

impl Sites {
    fn new(n: usize, curves: &[Curve<'_>]) -> Self {
        let fields = || curves.iter().map(|curve| curve.run.network().weights());
        let largest = fields().flatten().fold(0.0, |m: f64, w| m.max(w.abs()));
        Self { n, peak: fields().next_back().map_or(0, peak), largest }
    }

    fn axis(&self) -> Axis {
        let half = (self.n / 2) as f64;
        Axis::new("site").range(-half - 0.5, self.n as f64 - half - 0.5)
    }

    fn cut(&self, w: &[f64]) -> Vec<f64> {
        (0..self.n).map(|i| w[(i + self.peak + self.n - self.n / 2) % self.n]).collect()
    }

    /// The field against the logarithm of the step: rows at equal ratios, each showing the next record.
    fn over_time(&self, curve: &Curve<'_>, last: bool) -> Panel {
        const ROWS: usize = 120;
        let steps = &curve.steps;
        let high = steps[steps.len() - 1];
        // A single record after the start is drawn from half its step on.
        let low = if steps.len() > 2 { steps[1] } else { 0.5 * high };
        let mut values = Vec::new();
        for row in 0..ROWS {
            let at = low * libm::pow(high / low, (row as f64 + 0.5) / ROWS as f64);
            let nearest = steps.partition_point(|step| *step < at);
            values.extend(self.cut(&curve.fields[nearest.min(steps.len() - 1)]));
        }
        let x = self.axis();
        let heat = Heat {
            values,
            rows: ROWS,
            cols: self.n,
            x_range: (x.min.unwrap_or(0.0), x.max.unwrap_or(0.0)),
            y_range: (low, high),
            map: ColorMap::Diverging,
            limits: Some((-self.largest, self.largest)),
            bar: last.then(|| "weight".to_owned()),
        };
        let y = Axis::new("step").log().share(1);
        Panel::new(gain(curve), x, y).with(Mark::Heat(heat)).height(130.0)
    }

    fn final_field(&self, curve: &Curve<'_>, style: Style) -> Panel {
        let sites: Vec<f64> = (0..self.n).map(|i| i as f64 - (self.n / 2) as f64).collect();
        let trained = self.cut(curve.run.network().weights());
        let mut panel = Panel::new("", self.axis(), Axis::new("final weight").share(2))
            .with(Mark::line(&sites, &trained, "", Style { width: 0.8, ..style }))
            .with(Mark::points(&sites, &trained, "", style));
        if let Some((field, label)) = curve.predicted() {
            let label = format!("theory: {label}");
            panel = panel.with(Mark::line(&sites, &self.cut(field), label, theory_style(curve)));
        }
        panel
    }
}

/// Power of a single mode: that of a frequency, shared between its cosine and sine where it has both.
fn power_a_mode(spectrum: &[f64], n: usize) -> Vec<f64> {
    spectrum.iter().enumerate().map(|(k, power)| power / multiplicity(k, n) as f64).collect()
}

fn spectrum(curve: &Curve<'_>, style: Style) -> Panel {
    let n = curve.run.network().inputs();
    let frequencies: Vec<f64> = (0..curve.spectrum.len()).map(|k| k as f64).collect();
    let y = Axis::new("power a mode").log().share(3).from(1e-5);
    let mut panel = Panel::new("", Axis::new("cycles around the ring"), y);
    if let Some((field, _)) = curve.predicted() {
        let power = power_a_mode(&power_by_frequency(field), n);
        panel = panel.with(Mark::line(&frequencies, &power, "", theory_style(curve)));
    }
    let power = power_a_mode(&curve.spectrum, n);
    panel.with(Mark::points(&frequencies, &power, "", Style { size: 2.2, ..style }.hollow()))
}

fn participation(settings: &Localize, curves: &[Curve<'_>], dictator: &FixedPoint) -> Panel {
    let mut panel = Panel::new(
        "Localization over training",
        Axis::new("step").log(),
        Axis::new("IPR  $\\sum w^4 / (\\sum w^2)^2$").range(0.0, 1.0),
    )
    .label_ends();
    for (i, curve) in curves.iter().enumerate() {
        let steps = curve.steps.clone();
        let last = curve.ipr.last().copied().unwrap_or(0.0);
        let label = format!("{}: {last:.3}", gain(curve));
        panel = panel.with(Mark::line(&steps, &curve.ipr, label, trained(i, curves.len())));
        if let Theory::GaussianFlow(fields) = &curve.theory {
            let flow: Vec<f64> = fields.iter().map(|field| ipr(field)).collect();
            panel = panel.with(Mark::line(&steps, &flow, "", theory_style(curve)));
        }
    }
    if dictator.exists {
        let (label, style) =
            (format!("dictator state: {:.4}", dictator.ipr), Style::theory().dash(Dash::Dotted));
        panel = panel.with(Mark::Horizontal { at: dictator.ipr, label, style });
    } else {
        panel = panel.note(super::dictator_line(dictator));
    }
    let flat = Mark::Horizontal {
        at: 1.0 / settings.two.n as f64,
        label: String::new(),
        style: Style::guide(),
    };
    panel.with(flat)
}
