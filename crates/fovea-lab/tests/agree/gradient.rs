//! The gradient of a training step against the closed flows, and the loss against its closed form.

use super::{TWO, check, check_all, check_apart, reject};
use fovea_core::activation;
use fovea_core::agree::test_seed;
use fovea_core::stats::{Accumulator, Estimate, VectorAccumulator};
use fovea_core::streams::Streams;
use fovea_sim::fused::Workspace;
use fovea_sim::loss::mse;
use fovea_sim::{Batch, Bias, Labels, Network};
use fovea_theory::GaussianFlow;
use fovea_theory::relu::loss::loss;

fn committee(weights: &[f64]) -> Network {
    let width = weights.len() / TWO.n;
    Network::committee(TWO.n, width, &activation::relu::ENTRY, Bias::None)
        .with(weights, &vec![0.0; width])
        .unwrap()
}

/// Means over many batches.
struct Measured {
    /// Every entry of the gradient, from all batches.
    gradient: Vec<Estimate>,
    /// The entries of the first unit, each from batches of its own.
    apart: Vec<Estimate>,
    loss: Estimate,
}

impl Measured {
    fn new(network: &Network, gain: f64, seed: u64) -> Self {
        let (task, streams) = (TWO.task(gain, Labels::Iid).unwrap(), Streams::new(seed));
        let mut workspace = Workspace::<f32>::new(network, 200);
        let mut gradient = VectorAccumulator::new(workspace.grad.len());
        let (mut apart, mut loss) = (vec![Accumulator::new(); TWO.n], Accumulator::new());
        // 200 batches an entry.
        for step in 0..200 * TWO.n {
            let batch = Batch::new(&task, &streams, "train", step as u64, 200);
            loss.push(workspace.loss_and_grad(network, &mse::ENTRY, &batch));
            gradient.push(&workspace.grad).unwrap();
            let entry = step % TWO.n;
            apart[entry].push(workspace.grad[entry]);
        }
        Self {
            gradient: gradient.estimates().unwrap(),
            apart: apart.iter().map(|entry| entry.estimate().unwrap()).collect(),
            loss: loss.estimate().unwrap(),
        }
    }
}

/// Pairs of estimates and values.
fn pairs(estimates: &[Estimate], values: impl IntoIterator<Item = f64>) -> Vec<(Estimate, f64)> {
    estimates.iter().copied().zip(values).collect()
}

fn wave() -> Vec<f64> {
    (0..TWO.n).map(|i| 0.4 * libm::cos(0.9 * i as f64) + 0.1).collect()
}

#[test]
fn the_mean_gradient_of_gaussian_data_is_the_closed_flow() {
    let w = wave();
    let Measured { gradient, apart, .. } =
        Measured::new(&committee(&w), 0.01, test_seed(module_path!(), 0));
    let flow = TWO.matched_gaussian_flow(0.01).unwrap();
    let mut velocity = vec![0.0; TWO.n];
    flow.velocity(0.0, &w, &mut velocity);
    check_all("gradient = -velocity", &pairs(&gradient, velocity.iter().map(|v| -v)));
    check_apart("gradient = -velocity", &pairs(&apart, velocity.iter().map(|v| -v)));
    // The first note's second term is twice too large (L000.3).
    let source = GaussianFlow {
        eigs_neg: flow
            .eigs_neg
            .iter()
            .zip(&flow.eigs_pos)
            .map(|(neg, pos)| 2.0 * neg + pos)
            .collect(),
        ..flow
    };
    source.velocity(0.0, &w, &mut velocity);
    let worst = gradient.iter().zip(&velocity).map(|(g, v)| g.z(-v).abs()).fold(0.0, f64::max);
    assert!(worst > 20.0, "the first note's flow is only {worst} standard errors away");
}

#[test]
fn the_mean_loss_of_gaussian_data_is_the_closed_form_for_one_unit_and_three() {
    let three = [wave(), wave().iter().map(|w| -0.5 * w).collect(), vec![0.2; TWO.n]].concat();
    for (index, weights) in [wave(), three].into_iter().enumerate() {
        let seed = test_seed(module_path!(), 1 + index as u64);
        let measured = Measured::new(&committee(&weights), 0.01, seed).loss;
        let flow = TWO.matched_gaussian_flow(0.01).unwrap();
        let rows: Vec<Vec<f64>> = weights.chunks(TWO.n).map(<[f64]>::to_vec).collect();
        let predicted = loss(&flow.eigs_pos, &flow.eigs_neg, &rows);
        check(&format!("loss of {} units", rows.len()), &measured, predicted, 2);
        reject("the loss without 1/2", &measured, 2.0 * predicted);
    }
}

#[test]
fn the_dictator_state_stands_still_on_sign_data() {
    let point = TWO.dictator().unwrap();
    assert!(point.exists, "margin {}", point.margin);
    let Measured { gradient, apart, loss } =
        Measured::new(&committee(&point.w), f64::INFINITY, test_seed(module_path!(), 4));
    let zeros = std::iter::repeat_n(0.0, TWO.n);
    check_all("gradient at the dictator state", &pairs(&gradient, zeros.clone()));
    check_apart("gradient at the dictator state", &pairs(&apart, zeros));
    check("loss at the dictator state", &loss, point.loss, 1);
    // Note 000 (8) has f = C e_i without its 1/2; the weights would be twice as large.
    let doubled: Vec<f64> = point.w.iter().map(|w| 2.0 * w).collect();
    let seed = test_seed(module_path!(), 5);
    let moving = Measured::new(&committee(&doubled), f64::INFINITY, seed).gradient;
    reject("the doubled state", &moving[0], 0.0);
}
