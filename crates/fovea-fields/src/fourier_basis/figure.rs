//! The figure of `fourier-basis`: both matrices, the spectrum, and what the coefficients share.

use super::FourierBasis;
use super::measure::{Coefficients, Columns, real_basis, real_parts};
use fovea_desk::prelude::*;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "(a) The orthonormal real Fourier basis, one column per vector, sorted by frequency: constant, \
    cosine 1, sine 1, and so on. (b) The real parts of the complex basis, as printed: column j and column n - j are the same, so that \
    half the space is missing. (c) Variances of the coefficients of sampled fields (points, each the mean over its frequency) and the eigenvalues of \
    the covariance (lines). (d) Excess kurtosis of one coefficient, sampled (points, with two standard errors) and exact (lines); a single site \
    of sign data has -2. (e, f) Correlation of the powers at two frequencies: none for Gaussian fields; for signs, whose \
    norm is fixed, power at one frequency is missing at the others.";

pub(super) fn figure(settings: &FourierBasis, all: &[Coefficients]) -> Figure {
    let subtitle = format!(
        "n = {}, correlation length {}, {} samples at each gain; points sampled, lines exact",
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
        matrix("real Fourier basis", &real_basis(settings.n), ""),
        matrix("real parts only (note 003)", &real_parts(settings.n), "entry"),
        variance(all),
        kurtosis(all),
    ];
    let shared = ends.map(|(i, c)| shared(c, largest, if i == 1 { "correlation" } else { "" }));
    grid(figure, (2, 860.0, 0.62), panels.into_iter().chain(shared))
}

/// A square of values, row after row, the colours reaching to `largest` on either side.
fn square(values: Vec<f64>, side: usize, largest: f64, bar: &str) -> Cells {
    let ends = [0.0, side as f64 - 1.0];
    let (limits, bar) = (Some((-largest, largest)), bar.to_owned());
    Cells { values, rows: side, cols: side, x: ends, y: ends, limits, bar }
}

fn matrix(title: &str, columns: &Columns, bar: &str) -> Panel {
    let n = columns.len();
    let values = (0..n).flat_map(|i| columns.iter().map(move |v| v[i])).collect();
    let cells = square(values, n, (2.0 / n as f64).sqrt(), bar);
    heat_map(title, "column", Axis::new("site").share(1), cells)
}

fn frequency() -> Axis {
    Axis::new("frequency $k$ (cycles per ring)")
}

fn variance(all: &[Coefficients]) -> Panel {
    let arms = all.iter().map(|c| {
        let mean = |k: usize| match k {
            0 => c.variance[0].mean(),
            k if 2 * k == c.variance.len() => c.variance[2 * k - 1].mean(),
            k => 0.5 * (c.variance[2 * k - 1].mean() + c.variance[2 * k].mean()),
        };
        let measured = counted((0..c.eigs.len()).map(mean));
        (gains::words(c.gain), Compared { measured, theory: counted(&c.eigs) })
    });
    let y = Axis::new("variance").log();
    arms_with_theory("variance of the coefficients", frequency(), y, series(arms))
}

fn kurtosis(all: &[Coefficients]) -> Panel {
    let arms = all.iter().map(|c| {
        let measured = c.kurtosis.iter().enumerate().map(|(k, at)| (k as f64, *at)).collect();
        (gains::words(c.gain), Compared { measured, theory: counted(&c.predicted_kurtosis) })
    });
    arms_with_theory("one coefficient alone", frequency(), "excess kurtosis", series(arms))
}

/// Correlations of the powers; the diagonal, 1 by definition, is left grey.
fn shared(c: &Coefficients, largest: f64, bar: &str) -> Panel {
    let side = c.eigs.len();
    let mut values = c.power_correlation.clone();
    (0..side).for_each(|k| values[k * (side + 1)] = f64::NAN);
    let title = format!("correlation of powers, {}", gains::words(c.gain));
    let (x, y) = (Axis::new("frequency $k$"), Axis::new("frequency $l$").share(2));
    heat_map(title, x, y, square(values, side, largest, bar))
}
