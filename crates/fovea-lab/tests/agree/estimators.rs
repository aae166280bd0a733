//! The estimators that average over images of every draw, against the closed flow of one unit on Gaussian data.

use super::{TWO, check_all, check_apart};
use fovea_core::activation;
use fovea_core::agree::test_seed;
use fovea_core::stats::{Accumulator, Estimate, VectorAccumulator};
use fovea_core::streams::Streams;
use fovea_sim::estimator::Gradients;
use fovea_sim::loss::mse;
use fovea_sim::{Batch, Bias, Estimator, Labels, Network};
use fovea_theory::GaussianFlow;

/// Entries of the gradient over many steps: from all of them, and each from steps of its own.
fn measured(estimator: Estimator, w: &[f64], seed: u64) -> [Vec<Estimate>; 2] {
    let (task, streams) = (TWO.task(0.01, Labels::Iid).unwrap(), Streams::new(seed));
    estimator.fits(&task).unwrap();
    let network = Network::committee(TWO.n, 1, &activation::relu::ENTRY, Bias::None);
    let network = network.with(w, &[0.0]).unwrap();
    let mut gradients = Gradients::<f32>::new(estimator, &network, 200);
    let (mut all, mut apart) = (VectorAccumulator::new(TWO.n), vec![Accumulator::new(); TWO.n]);
    for step in 0..200 * TWO.n {
        let batch = Batch::new(&task, &streams, "train", step as u64, 200);
        gradients.loss_and_grad(&network, &mse::ENTRY, &batch);
        all.push(&gradients.grad()[..TWO.n]).unwrap();
        apart[step % TWO.n].push(gradients.grad()[step % TWO.n]);
    }
    let apart = apart.iter().map(|entry| entry.estimate().unwrap()).collect();
    [all.estimates().unwrap(), apart]
}

#[test]
fn the_mean_over_images_is_the_closed_flow() {
    let w: Vec<f64> = (0..TWO.n).map(|i| 0.4 * libm::cos(0.9 * i as f64) + 0.1).collect();
    let flow = TWO.matched_gaussian_flow(0.01).unwrap();
    // The first note's second term is twice too large (L000.3).
    let doubled = flow.eigs_neg.iter().zip(&flow.eigs_pos).map(|(neg, pos)| 2.0 * neg + pos);
    let source = GaussianFlow { eigs_neg: doubled.collect(), ..flow.clone() };
    let (mut velocity, mut wrong) = (vec![0.0; TWO.n], vec![0.0; TWO.n]);
    flow.velocity(0.0, &w, &mut velocity);
    source.velocity(0.0, &w, &mut wrong);
    for (index, estimator) in [Estimator::Antithetic, Estimator::Orbit].into_iter().enumerate() {
        let [all, apart] = measured(estimator, &w, test_seed(module_path!(), index as u64));
        let pairs = |of: &[Estimate], velocity: &[f64]| -> Vec<(Estimate, f64)> {
            of.iter().copied().zip(velocity.iter().map(|v| -v)).collect()
        };
        let what = format!("gradient of {} = -velocity", estimator.word());
        check_all(&what, &pairs(&all, &velocity));
        check_apart(&what, &pairs(&apart, &velocity));
        let worst = pairs(&all, &wrong).iter().map(|(e, v)| e.z(*v).abs()).fold(0.0, f64::max);
        assert!(worst > 20.0, "{what}: the note's flow is only {worst} standard errors away");
    }
}
