//! The figure of `fourier-basis`: both matrices, the spectrum, and what the coefficients share.

use super::FourierBasis;
use super::measure::{Coefficients, Columns, real_basis, real_parts};
use fovea_desk::prelude::*;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "(a) The orthonormal real Fourier basis, one column a vector, sorted by frequency: constant, \
    cosine 1, sine 1, and so on. (b) The real parts of the complex basis, as printed: column j and column n - j are the same, so that \
    half the space is missing. (c) Variances of the coefficients of drawn fields (points, each the mean over its frequency) on the eigenvalues of \
    the covariance (lines). (d) Excess kurtosis of one coefficient, drawn with two standard errors and exact; a single site \
    of sign data has -2. (e, f) Correlation of the powers at two frequencies: none for Gaussian fields; for signs, whose \
    norm is fixed, each frequency takes from the others.";

pub(super) fn figure(settings: &FourierBasis, all: &[Coefficients]) -> Figure {
    let subtitle = format!(
        "n = {}, correlation length {}, {} samples at each gain; points drawn, lines exact",
        settings.n,
        Value::Real(settings.xi),
        settings.samples
    );
    let title = "Fourier coefficients are uncorrelated, almost Gaussian, and not independent";
    let figure = Figure::new(title).subtitle(subtitle).description(CAPTION);
    let side = settings.n / 2 + 1;
    let apart = |(i, x): (usize, &f64)| if i % (side + 1) == 0 { 0.0 } else { x.abs() };
    let sizes = all.iter().flat_map(|c| c.power_correlation.iter().enumerate().map(apart));
    let largest = sizes.fold(0.0, f64::max);
    let ends = [all.first(), all.last()].into_iter().flatten().enumerate();
    let panels = [
        matrix("real Fourier basis", &real_basis(settings.n), None),
        matrix("real parts only (note 003)", &real_parts(settings.n), Some("entry")),
        spectrum(all),
        kurtosis(all),
    ];
    let shared = ends.map(|(i, c)| shared(c, largest, (i == 1).then_some("correlation")));
    grid(figure, (2, 860.0, 0.62), panels.into_iter().chain(shared))
}

/// A square of values, row after row, the colours reaching to `largest` on either side.
fn cells(values: Vec<f64>, side: usize, largest: f64, bar: Option<&str>) -> Mark {
    let range = (-0.5, side as f64 - 0.5);
    Mark::Heat(Heat {
        values,
        rows: side,
        cols: side,
        x_range: range,
        y_range: range,
        map: ColorMap::Diverging,
        limits: Some((-largest, largest)),
        bar: bar.map(str::to_owned),
    })
}

fn matrix(title: &str, columns: &Columns, bar: Option<&str>) -> Panel {
    let n = columns.len();
    let values = (0..n).flat_map(|i| columns.iter().map(move |v| v[i])).collect();
    Panel::new(title, Axis::new("column"), Axis::new("site").share(1)).with(cells(
        values,
        n,
        (2.0 / n as f64).sqrt(),
        bar,
    ))
}

fn frequencies(c: &Coefficients) -> Vec<f64> {
    (0..c.eigs.len()).map(|k| k as f64).collect()
}

fn spectrum(all: &[Coefficients]) -> Panel {
    let mut panel = Panel::new(
        "variance of the coefficients",
        Axis::new("frequency $k$ (cycles per ring)"),
        Axis::new("variance").log(),
    );
    for (i, c) in all.iter().enumerate() {
        let style = Style::series(i);
        panel = panel.with(Mark::line(&frequencies(c), &c.eigs, "", style.solid()));
        let mean = |k: usize| match k {
            0 => c.variance[0].mean(),
            k if 2 * k == c.variance.len() => c.variance[2 * k - 1].mean(),
            k => 0.5 * (c.variance[2 * k - 1].mean() + c.variance[2 * k].mean()),
        };
        let measured: Vec<f64> = (0..c.eigs.len()).map(mean).collect();
        let label = format!("gain {}", Value::Real(c.gain));
        panel = panel.with(Mark::points(&frequencies(c), &measured, label, style));
    }
    panel
}

fn kurtosis(all: &[Coefficients]) -> Panel {
    let mut panel = Panel::new(
        "one coefficient alone",
        Axis::new("frequency $k$ (cycles per ring)"),
        Axis::new("excess kurtosis"),
    );
    for (i, c) in all.iter().enumerate() {
        let style = Style::series(i);
        panel = panel
            .with(Mark::line(&frequencies(c), &c.predicted_kurtosis, "", style.solid()))
            .with(measured(&frequencies(c), &c.kurtosis, "", style));
    }
    panel
}

/// Correlations of the powers; the diagonal, 1 by definition, is left grey.
fn shared(c: &Coefficients, largest: f64, bar: Option<&str>) -> Panel {
    let side = c.eigs.len();
    let mut values = c.power_correlation.clone();
    (0..side).for_each(|k| values[k * (side + 1)] = f64::NAN);
    let title = format!("correlation of powers, gain {}", Value::Real(c.gain));
    Panel::new(title, Axis::new("frequency $k$"), Axis::new("frequency $l$").share(2))
        .with(cells(values, side, largest, bar))
}
