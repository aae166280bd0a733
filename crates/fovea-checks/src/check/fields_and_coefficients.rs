//! Whether learned fields are Gabor functions, and whether F or its transpose gives the coefficients (note 003, "Uncertainty principle" and figure 2).

use super::matched_gaussian::one_unit_trained;
use super::prelude::*;
use fovea_desk::two_class::TwoClass;
use fovea_sim::Labels;
use fovea_sim::dynamics::Pace;
use fovea_sim::estimator::Estimator;
use fovea_sim::probe::shapes::{Form, Gabor, gabor};
use fovea_theory::fourier::basis::{self, basis};

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "fields-and-coefficients",
    summary: "Whether a Gabor function fits the fields learned on signs, and the coefficients of a field.",
    covers: &["L003.25/signs", "L003.60"],
    run,
};

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    Ok(vec![gabors(effort)?, coefficients(effort)])
}

const N: usize = 40;

/// The share of the squared field that the best Gabor may leave. It leaves 0.005 of a triangle and more of every cusp: half of the former.
const LEFT: f64 = 0.0025;

/// Fields that are not Gabors: cusps, triangles, and tails that are not Gaussian, of several widths.
fn no_gabors() -> Vec<Vec<f64>> {
    type Shape = fn(f64) -> f64;
    let shapes: [Shape; 4] = [
        |d| libm::exp(-d),
        |d| (1.0 - 0.5 * d).max(0.0),
        |d| 1.0 / (1.0 + d * d),
        |d| 1.0 / libm::cosh(d) + 0.1 * libm::exp(-0.3 * d),
    ];
    let field = |shape: Shape, width: f64| {
        (0..N).map(|i| shape(distance(20, i, N) as f64 / width)).collect()
    };
    shapes
        .iter()
        .flat_map(|shape| [1.5, 2.0, 2.5, 3.0, 3.5, 4.0].map(|width| field(*shape, width)))
        .collect()
}

/// Gabors with noise of one hundredth of their largest weight.
fn known_gabors(effort: &Effort) -> Vec<Vec<f64>> {
    let stream = effort.streams.named("noise");
    let field = |index: usize| -> Vec<f64> {
        let (width, frequency) = (1.0 + 0.4 * index as f64, 0.02 * (index % 12) as f64);
        let (centre, phase) = (17.0 + 0.3 * index as f64, 0.5 * (index % 5) as f64);
        let form = Form::Gabor(Gabor { amplitude: 1.0, centre, width, frequency, phase });
        let clean = form.field(N);
        let top = clean.iter().fold(0.0, |top: f64, w| top.max(w.abs()));
        let mut noise = vec![0.0; N];
        stream.normals(index as u64, &mut noise);
        combined(1.0, &clean, 0.01 * top, &noise)
    };
    (0..24).map(field).collect()
}

/// One unit trained on signs: none of its fields is a Gabor.
fn gabors(effort: &Effort) -> Result<Comparison, LabError> {
    let fields = effort.once("fields", || {
        let classes = TwoClass { n: N, xi_pos: 2.0, xi_neg: 1.0, kernel: Kernel::Ring };
        let task = classes.task(f64::INFINITY, Labels::Balanced)?;
        let pace = Pace { estimator: Estimator::Orbit, ..Pace::online(0.2, 200) };
        one_unit_trained(effort, "signs", &task, (pace, 300), 24)
    })?;
    let refused =
        |fields: &[Vec<f64>]| (fields.iter().filter(|w| gabor(w).1 > LEFT).count(), fields.len());
    let known = refused(&known_gabors(effort));
    let judged = if effort.slip("fields of L003.25", "Gabors, as note 003 has it", false, true) {
        known
    } else {
        refused(&fields)
    };
    let left: Vec<f64> = fields.iter().map(|w| gabor(w).1).collect();
    let (least, most) = left.iter().fold((1.0_f64, 0.0_f64), |(a, b), x| (a.min(*x), b.max(*x)));
    let what = format!(
        "n = 40, xi_pos = 2, xi_neg = 1, one ReLU unit trained on signs from 24 Glorot starts, t = 60, batches of 200 with all shifts and signs: fields of which the best Gabor leaves more than 0.0025 of the square, so that none is a Gabor (it leaves {least:.4} to {most:.4}); a criterion without meaning would refuse one in two"
    );
    let trained = Comparison::all(&["L003.25/signs"], what, judged, 0.5)
        .against_cases("24 Gabors with noise of 1 %", known)
        .shown();
    let what = "cusps, triangles, Lorentzians and sums of a bump and a cusp, six widths each: fields that the same criterion refuses, as it must";
    Ok(trained.and(
        Comparison::all(&["L003.25/signs"], what, refused(&no_gabors()), 0.5)
            .against_cases("24 Gabors with noise of 1 %", known)
            .enumerated(),
    ))
}

/// The transpose gives the coefficients: those of known waves are known by construction.
fn coefficients(effort: &Effort) -> Comparison {
    let matrix: fn(usize) -> Vec<Vec<f64>> = effort.form(&basis::ENTRY, basis, |n| {
        let row = |row: Vec<f64>| {
            let single = |j: usize| j == 0 || (n.is_multiple_of(2) && j == n - 1);
            let norm = |j: usize| if single(j) { 1.0 } else { 0.5_f64.sqrt() };
            row.iter().enumerate().map(|(j, x)| norm(j) * x).collect()
        };
        basis(n).into_iter().map(row).collect()
    });
    let n = N;
    // A field written as a sum of waves of unit norm: its coefficients are those of the sum.
    let put_in: Vec<f64> = (0..n).map(|j| libm::sin(1.0 + 2.3 * j as f64)).collect();
    let wave = |j: usize, i: usize| {
        let angle = TAU * (j.div_ceil(2) * i) as f64 / n as f64;
        match (j, j % 2) {
            (0, _) => 1.0 / f64::sqrt(n as f64),
            (j, _) if j == n - 1 => {
                (if i.is_multiple_of(2) { 1.0 } else { -1.0 }) / f64::sqrt(n as f64)
            }
            (_, 1) => (2.0 / n as f64).sqrt() * libm::cos(angle),
            _ => (2.0 / n as f64).sqrt() * libm::sin(angle),
        }
    };
    let w: Vec<f64> = (0..n).map(|i| (0..n).map(|j| put_in[j] * wave(j, i)).sum()).collect();
    let rows = matrix(n);
    let closed: Vec<f64> = (0..n).map(|j| (0..n).map(|i| rows[i][j] * w[i]).sum()).collect();
    // The source multiplies by F itself, whose rows are sites.
    let turned: Vec<f64> = basis(n).iter().map(|row| dot(row, &w)).collect();
    let what = "n = 40: coefficients F'w of a field made of forty waves, sorted by frequency and the alternating one last, with the Fourier matrix in closed form, and those the field was made with; the source multiplies by F";
    Comparison::digits(&["L003.60"], what, &closed, &put_in).source(&turned)
}
