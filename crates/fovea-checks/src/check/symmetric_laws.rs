//! One unit on any centrally symmetric distribution: what does not depend on the distribution, and what does (note 001, section 5.4).
//!
//! Sums over all states of two Ising rings give every expectation to rounding; samples of the nonlinear Gaussian process
//! and of its signs show the same for distributions that cannot be enumerated.

use super::prelude::*;
use fovea_sim::expect::expect;
use fovea_sim::stimulus::nlgp::Nlgp;
use fovea_theory::ising::cov as ising;
use fovea_theory::nlgp::cov as nlgp;

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "symmetric-laws",
    summary: "One unit on any centrally symmetric distribution: the flow, its split, and what symmetry determines.",
    covers: &[
        "L001.10",
        "L003.4",
        "L001.55",
        "L001.53",
        "L001.54/regression",
        "L001.54/remainder",
        "L001.56",
        "L001.60",
    ],
    run,
};

/// Weights without a tie on the cube.
const WEIGHTS: [f64; 5] = [1.0, 0.62, -0.35, 0.21, -0.47];

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    let cov: Covariance = effort.form(&ising::ENTRY, ising::cov, |n, coupling| {
        (0..=n / 2).map(|d| libm::pow(libm::tanh(coupling), d as f64)).collect()
    });
    let classes = [Class::new(0.7, cov), Class::new(0.2, cov)];
    Ok(vec![
        half_of_the_covariance(effort)?,
        gates(effort, &classes),
        regression(effort, &classes),
        remainder(effort, &classes),
        flow(effort, &classes),
        second_moment(effort, &classes[0]),
    ])
}

/// Covariances of an Ising ring, from its size and coupling.
type Covariance = fn(usize, f64) -> Vec<f64>;

/// A class of spins: every state, and the covariance in closed form.
struct Class {
    spins: Corners,
    row: Vec<f64>,
    /// `C w` and `w'Cw` by the closed form.
    image: Vec<f64>,
    variance: f64,
}

impl Class {
    fn new(coupling: f64, cov: Covariance) -> Self {
        let row = unfold(&cov(5, coupling), 5);
        Self {
            spins: Corners::ising(5, coupling),
            image: circulant_apply(&row, &WEIGHTS),
            variance: form(&row, &WEIGHTS, &WEIGHTS),
            row,
        }
    }

    /// `E[factor(S) X | S > 0]`, the gate having probability one half.
    fn behind(&self, factor: impl Fn(f64) -> f64) -> Vec<f64> {
        self.spins.mean_of_site(&WEIGHTS, |s| if s > 0.0 { 2.0 * factor(s) } else { 0.0 })
    }

    /// `E[S^p | S > 0]`.
    fn power(&self, p: f64) -> f64 {
        let positive = |s: f64| if s > 0.0 { 2.0 * libm::pow(s, p) } else { 0.0 };
        self.spins.mean(|x| positive(dot(&WEIGHTS, x)))
    }

    /// `v = C w / w'Cw`.
    fn v(&self) -> Vec<f64> {
        scaled(1.0 / self.variance, &self.image)
    }

    /// `A y = y - v <w,y>`.
    fn a(&self, y: &[f64]) -> Vec<f64> {
        combined(1.0, y, -dot(&WEIGHTS, y), &self.v())
    }
}

/// `E[S X; S > 0] = 1/2 C w`, so that `E[S A X | S > 0]` vanishes.
fn half_of_the_covariance(effort: &Effort) -> Result<Comparison, LabError> {
    let (n, w) = (8, [0.9, 0.4, -0.3, 0.7, -0.2, 0.5, 0.1, -0.6]);
    let row = kernel_row(n, 1.2, Kernel::Ring);
    let cov: fn(f64, f64) -> f64 = effort.form(&nlgp::ENTRY, nlgp::cov, |rho, _| rho);
    let half = effort.slip(
        "gated second moment",
        "all of C w, as conditional on the half space, in place of half",
        0.5,
        1.0,
    );
    let mut pairs: Vec<(Estimate, f64)> = Vec::new();
    for (name, gain) in [("gain-3", 3.0), ("signs", f64::INFINITY)] {
        let stimulus = Nlgp::on_ring(n, 1.2, gain, Kernel::Ring).sampler()?;
        let stream = effort.streams.named(name);
        let measured = expect(&stimulus, &stream, effort.samples(1_000_000), n, |x, out| {
            let s = dot(&w, x).max(0.0);
            out.iter_mut().zip(x).for_each(|(out, x)| *out = s * x);
        })?;
        let covariance: Vec<f64> = row.iter().map(|rho| cov(*rho, gain)).collect();
        let predicted = scaled(half, &circulant_apply(&covariance, &w));
        pairs.extend(measured.into_iter().zip(predicted));
    }
    let what = "squashed Gaussian data of gain 3 and their signs, n = 8, xi = 1.2: half of C w with C in closed form, and E[S X; S > 0] sampled";
    Ok(Comparison::noise(&["L001.10", "L003.4", "L001.55"], what, &pairs))
}

/// `w' = 1/2 {E[Y X | S > 0] - E[S X | S > 0]}` over the mixture, and minus the slope of the loss.
fn gates(effort: &Effort, [pos, neg]: &[Class; 2]) -> Comparison {
    let half = effort.slip("flow of L001.53", "without the probability 1/2 of the gate", 0.5, 1.0);
    let teacher = scaled(0.5, &pos.behind(|_| 1.0));
    let input = combined(0.5, &pos.behind(|s| s), 0.5, &neg.behind(|s| s));
    let what = "two Ising rings of 5, couplings 0.7 and 0.2: 1/2 {E[Y X | S > 0] - E[S X | S > 0]} over all states, and minus the difference quotient of the loss over all states";
    Comparison::digits(
        &["L001.53"],
        what,
        &combined(half, &teacher, -half, &input),
        &descent(pos, neg),
    )
}

/// Minus the difference quotient of the loss over all states.
fn descent(pos: &Class, neg: &Class) -> Vec<f64> {
    let loss = |w: &[f64]| {
        let class = |class: &Class, label: f64| {
            class.spins.mean(|x| {
                let error = dot(w, x).max(0.0) - label;
                0.25 * error * error
            })
        };
        class(pos, 1.0) + class(neg, 0.0)
    };
    scaled(-1.0, &gradient(&WEIGHTS, 1e-3, loss))
}

/// The regression of `X` on `S` within a class has that class's own `v = C w / w'Cw`.
fn regression(effort: &Effort, classes: &[Class; 2]) -> Comparison {
    let shared = effort.slip("v_c", "that of class pos in both classes", false, true);
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    for class in classes {
        predicted.extend(if shared { classes[0].v() } else { class.v() });
        let variance = class.spins.mean(|x| dot(&WEIGHTS, x) * dot(&WEIGHTS, x));
        measured.extend(scaled(1.0 / variance, &class.spins.mean_of_site(&WEIGHTS, |s| s)));
    }
    let what = "two Ising rings of 5, couplings 0.7 and 0.2: v_c = C_c w / w'C_c w with C_c in closed form, and the covariance of X and S over the variance of S over all states of the class";
    Comparison::digits(&["L001.54/regression"], what, &predicted, &measured)
}

/// With it, the remainder contributes nothing to `E[S X | S > 0]`, and the gated mean of `A X` to `E[X | S > 0]`.
fn remainder(effort: &Effort, classes: &[Class; 2]) -> Comparison {
    let shared = effort.slip("A_c", "that of class pos in both classes", false, true);
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    for class in classes {
        let own = if shared { &classes[0] } else { class };
        predicted.extend(scaled(class.power(2.0), &own.v()));
        measured.extend(class.behind(|s| s));
    }
    let what = "two Ising rings of 5, couplings 0.7 and 0.2: E[S^2 | S > 0] v_c with v_c in closed form, so that E[S A_c X | S > 0] is 0, and E[S X | S > 0] over all states of the class";
    Comparison::digits(&["L001.54/remainder"], what, &predicted, &measured)
}

/// `4 w' = -(C0 + C1) w + (E_1|S| / s1^2) C1 w + E_1[A X | S > 0]`; note 001 (132) has other signs and weights.
fn flow(effort: &Effort, [pos, neg]: &[Class; 2]) -> Comparison {
    let left = effort.slip("E[A_1 X | S > 0]", "left out, as if the data were Gaussian", 1.0, 0.0);
    let teacher = pos.power(1.0) / pos.variance;
    let remainder = scaled(left, &pos.a(&pos.behind(|_| 1.0)));
    let decay = combined(-1.0, &pos.image, -1.0, &neg.image);
    let predicted = combined(1.0, &combined(1.0, &decay, teacher, &pos.image), 1.0, &remainder);
    // (132) as printed; its first mean runs over the mixture, and E[S A X | S > 0] vanishes in it.
    let class =
        |class: &Class| class.a(&combined(1.0, &class.behind(|s| s), -1.0, &class.behind(|_| 1.0)));
    let first = combined(-0.5, &class(pos), -0.5, &class(neg));
    let rest = combined(teacher - 1.0, &pos.image, neg.power(1.0) / neg.variance, &neg.image);
    let source = combined(1.0, &first, -1.0, &rest);
    let what = "two Ising rings of 5, couplings 0.7 and 0.2: decay, Gaussian-like teacher and gated remainder of class pos with C in closed form, and minus four times the difference quotient of the loss over all states; teacher and remainder add up to E_1[X | S > 0] for every split, and the split is decided by L001.54";
    Comparison::digits(&["L001.56"], what, &predicted, &scaled(4.0, &descent(pos, neg)))
        .source(&source)
}

/// `E[x x' | S > 0] = C`; note 001 (142) has `A C A'`.
fn second_moment(effort: &Effort, class: &Class) -> Comparison {
    let whole = effort.slip("E[x x' | S > 0]", "E[x x'; S > 0], half as large", 1.0, 0.5);
    let (mut predicted, mut measured, mut source) = (Vec::new(), Vec::new(), Vec::new());
    for i in 0..5 {
        for j in i..5 {
            let c = class.row[distance(i, j, 5)];
            predicted.push(whole * c);
            let open = |x: &[f64]| if dot(&WEIGHTS, x) > 0.0 { 2.0 } else { 0.0 };
            measured.push(class.spins.mean(|x| open(x) * x[i] * x[j]));
            source.push(c - class.image[i] * class.image[j] / class.variance);
        }
    }
    let what = "an Ising ring of 5, coupling 0.7: its covariance in closed form, and E[x x' | S > 0] over all states";
    Comparison::digits(&["L001.60"], what, &predicted, &measured).source(&source)
}
