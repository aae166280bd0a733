//! The flow of one unit and the laws of its teacher term `f(w) = E[1(<w,X> >= 0) X]` (note 000, section 2).

use super::prelude::*;
use fovea_theory::GaussianFlow;
use fovea_theory::relu::f_gauss::f_gauss;
use fovea_theory::relu::flow_single::velocity;

/// The row of this check.
pub const ENTRY: Check = Check {
    name: "gated-mean",
    summary: "The flow of one unit and the laws of its teacher term f(w).",
    covers: &["L000.3", "L000.4", "L000.5", "L000.8"],
    run,
};

/// Step of the difference quotients.
const STEP: f64 = 1e-3;

const WEIGHTS: [f64; 6] = [1.0, 0.75, -0.25, -0.95, -0.7, 0.2];

fn run(_: &Effort) -> Result<Vec<Comparison>, LabError> {
    let (pos, neg) = (kernel_row(6, 1.5, Kernel::Ring), kernel_row(6, 0.8, Kernel::Ring));
    Ok(vec![flow(&pos, &neg), slope_of_relu(&pos), scale(&pos), symmetry()])
}

/// `w' = 1/2 f - 1/4 (S0 + S1) w` beside minus the difference quotient of the population loss.
fn flow(pos: &[f64], neg: &[f64]) -> Comparison {
    let loss = GaussianFlow::from_rows(pos, neg);
    let measured = gradient(&WEIGHTS, STEP, |w| -loss.loss(w));
    let predicted = velocity(pos, neg, &WEIGHTS);
    let teacher = f_gauss(pos, &WEIGHTS);
    // Note 000 (4) takes 1/2 (S0 + S1) w, twice what is right: 1/2 f less twice (1/2 f less the right velocity).
    let source: Vec<f64> = predicted.iter().zip(&teacher).map(|(v, f)| 2.0 * v - 0.5 * f).collect();
    let what = "velocity of one unit, n = 6, xi_pos = 1.5, xi_neg = 0.8, and minus the difference quotient of the loss, Gaussian classes; any other symmetric law enters through f alone (L001.55)";
    Comparison::digits(&["L000.3"], what, &predicted, &measured).source(&source)
}

/// `f` is the gradient of `E ReLU(<w,X>)`, which is `sqrt(w'Sw / 2 pi)` for Gaussian data.
fn slope_of_relu(row: &[f64]) -> Comparison {
    let mean_relu = |w: &[f64]| {
        let by_pairs = |d: usize| -> f64 { (0..6).map(|i| w[i] * w[(i + d) % 6]).sum() };
        let variance: f64 = (0..6).map(|d| row[d] * by_pairs(d)).sum();
        (variance / TAU).sqrt()
    };
    let gated: Vec<f64> = (0..6).map(|j| by_angle(row, &WEIGHTS, j)).collect();
    let what = "E[X; <w,X> >= 0] of Gaussian data over the angle of (X_j, S), and the difference quotient of E ReLU(<w,X>)";
    Comparison::digits(&["L000.4"], what, &gated, &gradient(&WEIGHTS, STEP, mean_relu))
}

/// `f(a w) = f(w)`: the closed form at one scale, an integral over the polar angle at others.
fn scale(row: &[f64]) -> Comparison {
    let scales = [1e-3, 1.0, 70.0];
    let predicted = f_gauss(row, &WEIGHTS).repeat(scales.len());
    let measured: Vec<f64> = scales
        .iter()
        .flat_map(|scale| {
            let w = WEIGHTS.map(|w| scale * w);
            (0..6).map(move |j| by_angle(row, &w, j)).collect::<Vec<f64>>()
        })
        .collect();
    let what = "f(w), and f at 0.001 w, w and 70 w by integrating over the angle of (X_j, S)";
    Comparison::digits(&["L000.5"], what, &predicted, &measured)
}

/// `E[X_j; S > 0]` for the Gaussian pair `(X_j, S)`: with `S` along one axis and radius and angle independent, the
/// radius gives `sqrt(pi/2)` and the angle is integrated over the half plane where the gate is open.
fn by_angle(row: &[f64], w: &[f64], j: usize) -> f64 {
    let n = w.len();
    let at = |i: usize, k: usize| row[(n + k - i) % n];
    let image = |i: usize| -> f64 { (0..n).map(|k| at(i, k) * w[k]).sum() };
    let variance: f64 = (0..n).map(|i| w[i] * image(i)).sum();
    let along = image(j) / variance.sqrt();
    let across = (row[0] - along * along).max(0.0).sqrt();
    let integrand = |angle: f64| along * libm::cos(angle) + across * libm::sin(angle);
    (PI / 2.0).sqrt() / TAU * adaptive(integrand, -FRAC_PI_2, FRAC_PI_2, 1e-14).value
}

/// Under a symmetry `x -> A x` of the law, `f(A^-T w) = A f(w)`; note 000 has `f(A w) = A^-T f(w)`.
fn symmetry() -> Comparison {
    // S = [[1, r], [r, 1]] has the eigenvectors (1, 1) and (1, -1); A = S^1/2 O S^-1/2 leaves N(0, S) as it is.
    let r = 0.6;
    let root = |power: f64| {
        let (sum, difference) = (libm::pow(1.0 + r, power), libm::pow(1.0 - r, power));
        let (on, off) = (0.5 * (sum + difference), 0.5 * (sum - difference));
        [[on, off], [off, on]]
    };
    let (sin, cos) = libm::sincos(0.7);
    let turn = |sign: f64| [[cos, -sign * sin], [sign * sin, cos]];
    let a = times(&times(&root(0.5), &turn(1.0)), &root(-0.5));
    let inverse = times(&times(&root(0.5), &turn(-1.0)), &root(-0.5));
    let w = [1.0, -0.4];
    let row = [1.0, r];
    let closed = |w: [f64; 2]| -> [f64; 2] {
        let f = f_gauss(&row, &w);
        [f[0], f[1]]
    };
    let by_angle = [0, 1].map(|j| by_angle(&row, &w, j));
    let source = apply(&times(&a, &transposed(&a)), closed(apply(&a, w)));
    let what = "f(A^-T w) in closed form and A f(w) by quadrature, A a symmetry of a Gaussian pair that is no rotation";
    Comparison::digits(
        &["L000.8"],
        what,
        &closed(apply(&transposed(&inverse), w)),
        &apply(&a, by_angle),
    )
    .source(&source)
}

type Square = [[f64; 2]; 2];

fn times(a: &Square, b: &Square) -> Square {
    [0, 1].map(|i| [0, 1].map(|j| a[i][0] * b[0][j] + a[i][1] * b[1][j]))
}

fn transposed(a: &Square) -> Square {
    [0, 1].map(|i| [0, 1].map(|j| a[j][i]))
}

fn apply(a: &Square, x: [f64; 2]) -> [f64; 2] {
    [0, 1].map(|i| a[i][0] * x[0] + a[i][1] * x[1])
}
