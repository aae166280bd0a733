//! The flow of one unit and the properties of its teacher term `f(w) = E[1(<w,X> >= 0) X]` (note 000, section 2).

use super::prelude::*;
use fovea_theory::relu::f_gauss::{self, f_gauss};
use fovea_theory::relu::flow_single::{self, velocity};

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "gated-mean",
    summary: "The flow of one unit and the properties of its teacher term f(w).",
    covers: &["L000.3/gaussian", "L000.3/ising", "L000.4", "L000.5", "L000.8"],
    run,
};

/// Step of the difference quotients.
const STEP: f64 = 1e-3;

const WEIGHTS: [f64; 6] = [1.0, 0.75, -0.25, -0.95, -0.7, 0.2];

/// A covariance's first row, weights, and the gated mean there.
type GatedMean = fn(&[f64], &[f64]) -> Vec<f64>;

/// First rows of both covariances, weights, and the velocity there.
type Velocity = fn(&[f64], &[f64], &[f64]) -> Vec<f64>;

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    let (pos, neg) = (kernel_row(6, 1.5, Kernel::Ring), kernel_row(6, 0.8, Kernel::Ring));
    let gated_mean: GatedMean =
        effort.form(&f_gauss::ENTRY, f_gauss, |row, w| scaled(2.0, &f_gauss(row, w)));
    Ok(vec![
        gaussian_flow(effort, &pos, &neg),
        any_symmetric_flow(effort),
        slope_of_relu(&pos, gated_mean).and(on_the_wall(effort)),
        scale(effort),
        symmetry(effort, gated_mean),
    ])
}

/// `w' = 1/2 f - 1/4 (S0 + S1) w` against minus the difference quotient of the population loss.
fn gaussian_flow(effort: &Effort, pos: &[f64], neg: &[f64]) -> Comparison {
    // Note 000 (4) takes 1/2 (S0 + S1) w, twice what is right: 1/2 f less twice (1/2 f less the right velocity).
    let slip: Velocity =
        |pos, neg, w| combined(2.0, &velocity(pos, neg, w), -0.5, &f_gauss(pos, w));
    let flow: Velocity = effort.form(&flow_single::ENTRY, velocity, slip);
    // The preactivation is normal in both classes; half of the data in each, and half a squared error.
    let loss = |w: &[f64]| {
        let mean = |row: &[f64], label: f64| {
            let spread = form(row, w, w).sqrt();
            let miss = |z: f64| label - (spread * z).max(0.0);
            normal_expectation(|z| miss(z) * miss(z), &[0.0]).value
        };
        0.25 * (mean(pos, 1.0) + mean(neg, 0.0))
    };
    let measured = gradient(&WEIGHTS, STEP, |w| -loss(w));
    let what = "Gaussian classes, n = 6, xi_pos = 1.5, xi_neg = 0.8: velocity of one unit in closed form, and minus the difference quotient of the loss (1/2) E (Y - S_+)^2, integrated over the value of S = <w,X> in both classes";
    Comparison::digits(&["L000.3/gaussian"], what, &flow(pos, neg, &WEIGHTS), &measured)
        .source(&slip(pos, neg, &WEIGHTS))
}

/// The same on Ising rings, whose gated mean has no closed form: from all corners, like the loss.
fn any_symmetric_flow(effort: &Effort) -> Comparison {
    let [one, other] = [0.7, 0.3].map(|coupling| Corners::ising(6, coupling));
    let decay = effort.slip("decay of L000.3", "note 000 (4): 1/2 in place of 1/4", 0.25, 0.5);
    let f = one.gated_mean(&WEIGHTS, false);
    let second = |i: usize, j: usize| one.mean(|x| x[i] * x[j]) + other.mean(|x| x[i] * x[j]);
    let pull: Vec<f64> = (0..6).map(|i| (0..6).map(|j| second(i, j) * WEIGHTS[j]).sum()).collect();
    let velocity = |decay: f64| combined(0.5, &f, -decay, &pull);
    let square = |x: f64| x * x;
    let answer = |w: &[f64], x: &[f64]| dot(w, x).max(0.0);
    let loss = |w: &[f64]| {
        let one = one.mean(|x| square(answer(w, x) - 1.0));
        0.25 * (one + other.mean(|x| square(answer(w, x))))
    };
    let measured = gradient(&WEIGHTS, STEP, |w| -loss(w));
    let what = "Ising rings of 6, couplings 0.7 and 0.3: 1/2 f - 1/4 (S0 + S1) w with f and S over all corners, and minus the difference quotient of the loss over all corners";
    Comparison::digits(&["L000.3/ising"], what, &velocity(decay), &measured).source(&velocity(0.5))
}

/// `f` is the gradient of `E ReLU(<w,X>)`, which is `sqrt(w'Sw / 2 pi)` for Gaussian data.
fn slope_of_relu(row: &[f64], gated_mean: GatedMean) -> Comparison {
    // The preactivation is normal, so E ReLU is an integral over one normal variable.
    let mean_relu = |w: &[f64]| {
        let spread = form(row, w, w).sqrt();
        normal_expectation(|z| (spread * z).max(0.0), &[0.0]).value
    };
    let gated = gated_mean(row, &WEIGHTS);
    let what = "Gaussian data, n = 6, xi = 1.5: f in closed form, and the difference quotient of E ReLU(<w,X>) by quadrature";
    Comparison::digits(&["L000.4"], what, &gated, &gradient(&WEIGHTS, STEP, mean_relu))
}

/// Where corners lie on the hyperplane the gated mean is a subgradient: the tangent plane by it lies below `E ReLU` everywhere.
fn on_the_wall(effort: &Effort) -> Comparison {
    let law = Corners::ising(6, 0.7);
    let mean_relu = |w: &[f64]| law.mean(|x| dot(w, x).max(0.0));
    let slipped = effort.slip("subgradient", "the conditional mean, twice as large", 1.0, 2.0);
    // Three pairs of equal weights: the votes of a pair of opposite spins cancel.
    let w = [1.0, 1.0, 0.5, 0.5, -0.25, 0.25];
    let f = scaled(slipped, &law.gated_mean(&w, true));
    let stream = effort.streams.named("directions");
    let below = |draw: u64| {
        let mut v = vec![0.0; 6];
        stream.normals(draw, &mut v);
        mean_relu(&combined(1.0, &w, 1.0, &v)) >= mean_relu(&w) + dot(&f, &v) - 1e-12
    };
    let hits = (0..100).filter(|draw| below(*draw)).count();
    let what = "an Ising ring of 6, coupling 0.7, weights with corners on the hyperplane <w,x> = 0: E ReLU(<v,X>) over all corners is not below the plane through w with slope f(w), at any of 100 random v; by chance it is half of the time";
    Comparison::all(&["L000.4"], what, (hits, 100), 0.5).enumerated()
}

/// `f(a w) = f(w)`: the gated mean at one scale, the slope of `E ReLU` at others, on an Ising ring.
fn scale(effort: &Effort) -> Comparison {
    let law = Corners::ising(6, 0.7);
    let degree = effort.slip("f(a w)", "grows with a, as E ReLU does", 0.0, 1.0);
    let scales = [0.05, 1.0, 70.0];
    let f = law.gated_mean(&WEIGHTS, false);
    let at = |a: f64| scaled(libm::pow(a, degree), &f);
    let predicted: Vec<f64> = scales.into_iter().flat_map(at).collect();
    let mean_relu = |w: &[f64]| law.mean(|x| dot(w, x).max(0.0));
    let slope = |a: f64| gradient(&WEIGHTS.map(|w| a * w), STEP * a, mean_relu);
    let measured: Vec<f64> = scales.into_iter().flat_map(slope).collect();
    let what = "an Ising ring of 6, coupling 0.7: f(w) over all corners, and the difference quotient of E ReLU at 0.05 w, w and 70 w";
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

/// Under a symmetry `x -> A x` of the distribution, `f(A^-T w) = A f(w)`; note 000 has `f(A w) = A^-T f(w)`.
fn symmetry(effort: &Effort, gated_mean: GatedMean) -> Comparison {
    // S = [[1, r], [r, 1]] has the eigenvectors (1, 1) and (1, -1); A = S^1/2 O S^-1/2 leaves N(0, S) unchanged.
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
        let f = gated_mean(&row, &w);
        [f[0], f[1]]
    };
    let by_angle = [0, 1].map(|j| by_angle(&row, &w, j));
    let source = apply(&times(&a, &transposed(&a)), closed(apply(&a, w)));
    let there = effort.slip(
        "symmetry of f",
        "f(A w) in place of f(A^-T w)",
        apply(&transposed(&inverse), w),
        apply(&a, w),
    );
    let what = "f(A^-T w) in closed form and A f(w) by quadrature, A a symmetry of a Gaussian pair of correlation 0.6 that is not a rotation";
    Comparison::digits(&["L000.8"], what, &closed(there), &apply(&a, by_angle)).source(&source)
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
