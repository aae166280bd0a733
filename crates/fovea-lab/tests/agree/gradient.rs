//! The gradient of a training step against the closed flows, and the loss against its closed form.

use super::{TWO, check, check_all, reject};
use fovea_core::activation;
use fovea_core::agree::test_seed;
use fovea_core::stats::{Estimate, VectorAccumulator};
use fovea_core::streams::Streams;
use fovea_sim::kernel::Workspace;
use fovea_sim::{Batch, Bias, Committee, Labels};
use fovea_theory::GaussianFlow;
use fovea_theory::relu::loss::loss;

fn committee(weights: &[f64]) -> Committee {
    let width = weights.len() / TWO.n;
    Committee::new(TWO.n, width, &activation::relu::ENTRY, Bias::None)
        .with(weights.to_vec(), vec![0.0; width])
        .unwrap()
}

/// Mean gradient and mean loss over many batches.
fn measured(network: &Committee, gain: f64, seed: u64) -> (Vec<Estimate>, Estimate) {
    let (task, streams) = (TWO.task(gain, Labels::Iid).unwrap(), Streams::new(seed));
    let mut workspace = Workspace::<f32>::new(network, 2000);
    let mut gradients = VectorAccumulator::new(workspace.grad.len());
    let losses: Vec<f64> = (0..200)
        .map(|step| {
            let loss =
                workspace.loss_and_grad(network, &Batch::new(&task, &streams, "train", step, 2000));
            gradients.push(&workspace.grad).unwrap();
            loss
        })
        .collect();
    (gradients.estimates().unwrap(), Estimate::from_samples(&losses).unwrap())
}

fn wave() -> Vec<f64> {
    (0..TWO.n).map(|i| 0.4 * libm::cos(0.9 * i as f64) + 0.1).collect()
}

#[test]
fn the_mean_gradient_of_gaussian_data_is_the_closed_flow() {
    let w = wave();
    let (gradient, _) = measured(&committee(&w), 0.01, test_seed(module_path!(), 0));
    let flow = TWO.matched_gaussian_flow(0.01).unwrap();
    let mut velocity = vec![0.0; TWO.n];
    flow.velocity(0.0, &w, &mut velocity);
    let pairs: Vec<_> = gradient.iter().zip(&velocity).map(|(g, v)| (*g, -v)).collect();
    check_all("gradient = -velocity", &pairs);
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
        let (_, measured) =
            measured(&committee(&weights), 0.01, test_seed(module_path!(), 1 + index as u64));
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
    let (gradient, loss) =
        measured(&committee(&point.w), f64::INFINITY, test_seed(module_path!(), 4));
    let pairs: Vec<_> = gradient[..TWO.n].iter().map(|g| (*g, 0.0)).collect();
    check_all("gradient at the dictator state", &pairs);
    check("loss at the dictator state", &loss, point.loss, 1);
    // Note 000 (8) has f = C e_i without its 1/2; the weights would be twice as large.
    let doubled: Vec<f64> = point.w.iter().map(|w| 2.0 * w).collect();
    let (gradient, _) = measured(&committee(&doubled), f64::INFINITY, test_seed(module_path!(), 5));
    reject("the doubled state", &gradient[0], 0.0);
}
