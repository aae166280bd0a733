//! Loss, labels and output bias of one unit, and logistic beside tangent units (note 001, section 1).

use super::dense::solve;
use super::prelude::*;
use fovea_core::activation;
use fovea_sim::kernel::Workspace;
use fovea_sim::loss::mse;
use fovea_sim::stimulus::nlgp::Nlgp;
use fovea_sim::{Batch, Bias, Labels, Network, Task};
use fovea_theory::Spins;
use fovea_theory::dictator::fixed_point::sign_cov;
use fovea_theory::dictator::labels::labels;
use fovea_theory::dictator::output_bias::output_bias;

/// The row of this check.
pub const ENTRY: Check = Check {
    name: "loss-and-labels",
    summary: "Cross-entropy, labels +-1 and an output bias change what one unit learns; logistic and tanh do not.",
    covers: &["L001.63", "L001.64", "L001.65", "L001.66"],
    run,
};

const RING: usize = 7;
const COUPLINGS: [f64; 2] = [0.6, 0.2];
const WEIGHTS: [f64; RING] = [1.0, -0.7, 0.4, 0.25, -0.9, 0.55, 0.15];

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    let corners = COUPLINGS.map(|coupling| Corners::ising(RING, coupling));
    let spins = |coupling| Spins::ising(RING, coupling).map_err(FormError::from);
    let spins = [spins(COUPLINGS[0])?, spins(COUPLINGS[1])?];
    Ok(vec![
        cross_entropy(&corners, &spins),
        opposite_labels(&corners, &spins),
        logistic(effort)?,
        biased(&corners, &spins),
    ])
}

fn sum_row(spins: &[Spins; 2]) -> Vec<f64> {
    spins[0].first_row().iter().zip(spins[1].first_row()).map(|(pos, neg)| pos + neg).collect()
}

/// `1/4 (f_1 - f_0) - 1/16 M w`, and `E[(Y - s(y)) 1(S > 0) X]` at weights so small that the logistic function is a line.
fn cross_entropy(corners: &[Corners; 2], spins: &[Spins; 2]) -> Comparison {
    let size = 1e-3;
    let w = WEIGHTS.map(|w| size * w);
    let [pos, neg] = [0, 1].map(|class| spins[class].gated_mean(&w));
    let decay = circulant_apply(&sum_row(spins), &w);
    let predicted: Vec<f64> =
        (0..RING).map(|j| 0.25 * (pos[j] - neg[j]) - decay[j] / 16.0).collect();
    let pull = |class: usize, label: f64, j: usize| {
        corners[class].mean(|x| {
            let s = dot(&w, x);
            let answer = 1.0 / (1.0 + libm::exp(-s.max(0.0)));
            if s > 0.0 { (label - answer) * x[j] } else { 0.0 }
        })
    };
    let measured: Vec<f64> = (0..RING).map(|j| 0.5 * (pull(0, 1.0, j) + pull(1, 0.0, j))).collect();
    let what = "descent of the cross-entropy at weights of size 1e-3, (f_1-f_0)/4 - Mw/16, and its gradient over all corners of two Ising rings; where training ends is in the experiment `loss-label-bias`";
    Comparison::digits(&["L001.63"], what, &predicted, &measured).within(
        1e-7,
        "the next term of the logistic function is of order w^3 beside differences of gated means",
    )
}

/// The flow for labels 1 and -1, and the candidates for a localized state.
fn opposite_labels(corners: &[Corners; 2], spins: &[Spins; 2]) -> Comparison {
    let [pos, neg] = [0, 1].map(|class| spins[class].gated_mean(&WEIGHTS));
    let decay = circulant_apply(&sum_row(spins), &WEIGHTS);
    let mut predicted: Vec<f64> =
        (0..RING).map(|j| 0.5 * (pos[j] - neg[j]) - 0.25 * decay[j]).collect();
    let error = |w: &[f64], class: usize, label: f64| {
        corners[class].mean(|x| {
            let gap = dot(w, x).max(0.0) - label;
            gap * gap
        })
    };
    let loss = |w: &[f64]| -0.25 * (error(w, 0, 1.0) + error(w, 1, -1.0));
    let mut measured = gradient(&WEIGHTS, 1e-3, loss);
    for lengths in [[2.0, 1.0], [1.0, 2.0]] {
        let n = 40;
        let rows = lengths.map(|xi| sign_cov(&kernel_row(n, xi, Kernel::Ring)));
        let candidate = labels(&rows[0], &rows[1], -1.0);
        predicted.extend([candidate.w[0], candidate.margin]);
        let entry = |i: usize, j: usize| rows[0][distance(i, j, n)] + rows[1][distance(i, j, n)];
        let matrix = (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect();
        let w = solve(matrix, rows[0].iter().zip(&rows[1]).map(|(pos, neg)| pos - neg).collect());
        measured.extend([w[0], 2.0 * w[0].abs() / w.iter().map(|w| w.abs()).sum::<f64>() - 1.0]);
    }
    let what = "labels +-1: velocity (f_1-f_0)/2 - Mw/4 and difference quotients over all corners; centre and margin of the only candidate for sign data at lengths (2, 1) and (1, 2), by eigenvalues and by elimination: -0.1614 against its gate, and margin -0.51";
    Comparison::digits(&["L001.64"], what, &predicted, &measured)
}

/// A quarter of the loss of tanh units with labels +-1 beside that of logistic units with labels 1 and 0, and both gradients.
fn logistic(effort: &Effort) -> Result<Comparison, LabError> {
    let (n, width, samples) = (12, 3, 4096);
    let mut numbers = vec![0.0; width * (n + 1)];
    effort.streams.named("network").normals(0, &mut numbers);
    let (weights, biases) = numbers.split_at(width * n);
    let class = |xi| Nlgp::on_ring(n, xi, 3.0, Kernel::Ring).sampler();
    let run = |row, factor: f64, negative: f64| -> Result<(f64, Vec<f64>), LabError> {
        let task =
            Task::pair(Box::new(class(1.5)?), Box::new(class(0.8)?), negative, Labels::Balanced)?;
        let scaled = |numbers: &[f64]| -> Vec<f64> { numbers.iter().map(|x| factor * x).collect() };
        let network = Network::committee(n, width, row, Bias::Trainable)
            .with(&scaled(weights), &scaled(biases))?;
        let mut workspace = Workspace::<f64>::new(&network, samples);
        let batch = Batch::new(&task, &effort.streams, "check", 0, samples);
        let loss = workspace.loss_and_grad(&network, &mse::ENTRY, &batch);
        Ok((loss, workspace.grad))
    };
    let (logistic, slopes) = run(&activation::sigmoid::ENTRY, 1.0, 0.0)?;
    let (tangent, halves) = run(&activation::tanh::ENTRY, 0.5, -1.0)?;
    // Halved weights: the gradient in the whole ones is half as large again.
    let predicted: Vec<f64> =
        std::iter::once(0.25 * tangent).chain(halves.iter().map(|g| 0.125 * g)).collect();
    let measured: Vec<f64> = std::iter::once(logistic).chain(slopes).collect();
    let what = "loss and gradient of three logistic units with labels 1 and 0, and a quarter of those of tanh(h/2) with labels +-1, on the same 4096 samples";
    Ok(Comparison::digits(&["L001.65"], what, &predicted, &measured))
}

/// Weights and output bias behind a gate on one site, in closed form and by least squares over all corners.
fn biased(corners: &[Corners; 2], spins: &[Spins; 2]) -> Comparison {
    let point = output_bias(&spins[0].first_row(), &spins[1].first_row(), 0.0);
    let predicted = [point.point.w, vec![point.b]].concat();
    // Features: the inputs where site 0 is up, and a constant.
    let feature = |x: &[f64], i: usize| match i {
        RING => 1.0,
        _ if x[0] > 0.0 => x[i],
        _ => 0.0,
    };
    let mean = |g: &dyn Fn(&[f64]) -> f64| 0.5 * corners.iter().map(|c| c.mean(g)).sum::<f64>();
    let matrix = (0..=RING)
        .map(|i| (0..=RING).map(|j| mean(&|x| feature(x, i) * feature(x, j))).collect())
        .collect();
    let right = (0..=RING).map(|i| 0.5 * corners[0].mean(|x| feature(x, i))).collect();
    let measured = solve(matrix, right);
    let what = "weights and output bias of a unit that listens to one site: (C_1-C_0)e_0 and 1/2 in closed form, and least squares over all corners of two Ising rings";
    Comparison::digits(&["L001.66"], what, &predicted, &measured)
}
