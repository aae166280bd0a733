//! Several ReLU units on Gaussian classes: their loss, their flow with the factor of the width, and their order parameters.

use super::prelude::*;
use fovea_theory::relu::order_parameters::order_parameters;
use fovea_theory::{CommitteeFlow, GaussianFlow};

/// The row of this check.
pub const ENTRY: Check = Check {
    name: "committee",
    summary: "Several ReLU units on Gaussian classes: loss, flow and order parameters.",
    covers: &["L001.7", "L003.2", "L001.21", "L003.6", "L003.7", "L001.69"],
    run,
};

fn run(_: &Effort) -> Result<Vec<Comparison>, LabError> {
    let bench = Bench::new(5, 1.1, 0.7);
    Ok(vec![bench.loss(), bench.factor(), bench.both_classes(), order()?])
}

/// Two units on two classes.
struct Bench {
    rows: [Vec<f64>; 2],
    flow: CommitteeFlow,
    w: Vec<Vec<f64>>,
}

impl Bench {
    fn new(n: usize, xi_pos: f64, xi_neg: f64) -> Self {
        let rows = [xi_pos, xi_neg].map(|xi| kernel_row(n, xi, Kernel::Ring));
        let flow = GaussianFlow::from_rows(&rows[0], &rows[1]).into();
        Self { rows, flow, w: units(2, n) }
    }

    /// The loss over the polar angle of the two preactivations: radius and angle are independent, `E R = sqrt(pi/2)` and
    /// `E R^2 = 2`, and the output is the radius times a function of the angle.
    fn polar_loss(&self, w: &[f64]) -> f64 {
        let (first, second) = w.split_at(w.len() / 2);
        let class = |row: &[f64], label: f64| {
            let [a, b] = [first, second].map(|w| form(row, w, w).sqrt());
            let theta = libm::acos(form(row, first, second) / (a * b));
            let output = |phi: f64| {
                0.5 * ((a * libm::cos(phi)).max(0.0) + (b * libm::cos(phi - theta)).max(0.0))
            };
            let turned = |phi: f64| if phi > PI { phi - TAU } else { phi };
            let kinks = [-FRAC_PI_2, FRAC_PI_2, theta - FRAC_PI_2, turned(theta + FRAC_PI_2)];
            let points = [&[-PI, PI], &kinks[..]].concat();
            let mean = |f: &dyn Fn(f64) -> f64| adaptive_split(f, &points, 1e-14).value / TAU;
            let square = 2.0 * mean(&|phi| output(phi) * output(phi));
            0.25 * (square - 2.0 * label * (PI / 2.0).sqrt() * mean(&output) + label * label)
        };
        class(&self.rows[0], 1.0) + class(&self.rows[1], 0.0)
    }

    fn descent(&self) -> Vec<f64> {
        scaled(-1.0, &gradient(&self.w.concat(), 1e-3, |w| self.polar_loss(w)))
    }

    fn loss(&self) -> Comparison {
        let others = [self.w.clone(), units(3, 5)[1..].to_vec(), vec![units(1, 5)[0].clone(); 2]];
        let predicted = others.clone().map(|w| self.flow.loss(&w));
        let measured = others.map(|w| self.polar_loss(&w.concat()));
        let what = "the loss of two units by arc-cosine kernels and over the polar angle of their preactivations, n = 5, xi_pos = 1.1, xi_neg = 0.7";
        Comparison::digits(&["L003.7"], what, &predicted, &measured)
    }

    /// The velocity is `1/K` of what the notes write.
    fn factor(&self) -> Comparison {
        let predicted = self.flow.velocity(&self.w).concat();
        let what = "the velocity of both of two units with the factor 1/K, and minus the slope of the loss over the polar angle";
        Comparison::digits(&["L001.7", "L003.2"], what, &predicted, &self.descent())
            .source(&scaled(2.0, &predicted))
    }

    /// The whole flow, both classes in it, at weights of another scale and angle.
    fn both_classes(&self) -> Comparison {
        let w = [scaled(0.4, &self.w[1]), scaled(-1.5, &units(3, 5)[2])];
        let other = Self { w: w.to_vec(), rows: self.rows.clone(), flow: self.flow.clone() };
        let what = "w_i' = (1/K) [1/2 f_1 - (1/2K) sum (H_0 + H_1)] of two units, and minus the slope of the loss over the polar angle";
        let predicted = other.flow.velocity(&other.w).concat();
        Comparison::digits(&["L001.21", "L003.6"], what, &predicted, &other.descent())
    }
}

/// Units without symmetry.
fn units(width: usize, n: usize) -> Vec<Vec<f64>> {
    let entry = |k: usize, i: usize| ((i * i + 3 * k * i + k) % 7) as f64 / 4.0 - 0.65;
    (0..width).map(|k| (0..n).map(|i| entry(k, i)).collect()).collect()
}

/// The closed set of order parameters beside the weights themselves.
fn order() -> Result<Comparison, LabError> {
    let rows = [2.0, 1.0].map(|xi| kernel_row(12, xi, Kernel::Ring));
    let flow = CommitteeFlow::from(GaussianFlow::from_rows(&rows[0], &rows[1]));
    let w0 = units(3, 12);
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    for t in [1.0, 6.0, 30.0] {
        let GaussianFlow { eigs_pos, eigs_neg } = &flow.classes;
        let order = order_parameters(flow.constant, [eigs_pos, eigs_neg], &w0, t)?;
        predicted.extend([order.q_pos.concat(), order.q_neg.concat()].concat());
        let w = flow.solve(&w0, t).map_err(FormError::from)?;
        for row in &rows {
            let pairs = w.iter().flat_map(|a| w.iter().map(move |b| (a, b)));
            measured.extend(pairs.map(|(a, b)| form(row, a, b)));
        }
    }
    let what = "w_j'S_c w_k of three units at t = 1, 6, 30, from the Gram matrices of 7 frequencies and from the 36 weights, n = 12";
    Ok(Comparison::digits(&["L001.69"], what, &predicted, &measured))
}
