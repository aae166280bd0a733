//! The average over images has the same mean as the draws where their distributions are equal, and a different one where they are not.

use super::tests::{network, task};
use super::*;
use crate::task::Target;
use fovea_core::agree::{Disagreement, all_agree, test_seed};
use fovea_core::stats::{Estimate, VectorAccumulator};
use fovea_core::streams::Streams;

/// Gradient and loss over many steps; the data's symmetry is not checked.
fn measured(estimator: Estimator, network: &Network, task: &Task, index: u64) -> Vec<Estimate> {
    let streams = Streams::new(test_seed(module_path!(), index));
    let mut gradients = Gradients::<f32>::new(estimator, network, 200);
    let mut sums = VectorAccumulator::new(network.theta().len() + 1);
    for step in 0..1500 {
        let batch = Batch::new(task, &streams, "train", step, 200);
        let loss = gradients.loss_and_grad(network, &loss::mse::ENTRY, &batch);
        sums.push(&[gradients.grad(), &[loss]].concat()).unwrap();
    }
    sums.estimates().unwrap()
}

/// Whether two families of means agree, entries that are never trained left out.
fn agree(a: &[Estimate], b: &[Estimate]) -> Result<f64, Disagreement> {
    let moving = a.iter().zip(b).filter(|(a, _)| a.se() > 0.0);
    let gaps: Vec<Estimate> = moving.map(|(a, b)| a.difference(b)).collect();
    all_agree(&gaps, &vec![0.0; gaps.len()])
}

#[test]
fn both_estimators_have_the_mean_of_the_draws() {
    let stimuli =
        ["nlgp(n=10, xi=1.2, gain=3)".to_owned(), "nlgp(n=10, xi=0.6, gain=3)".to_owned()];
    let task = task(&stimuli, Target::Label);
    let cases = [
        ("committee(width=1)", "relu"),
        ("committee(width=3, bias=trainable, bias_value=[0.3, -0.2])", "sigmoid"),
        ("two-layer(width=3, readout_spread=0.5)", "relu"),
    ];
    for (index, (typed, activation)) in (0..).step_by(3).zip(cases) {
        let network = network(typed, activation, &task);
        let draws = measured(Estimator::Iid, &network, &task, index);
        for (more, estimator) in [(1, Estimator::Antithetic), (2, Estimator::Orbit)] {
            estimator.fits(&task).unwrap();
            let images = measured(estimator, &network, &task, index + more);
            let worst = agree(&images, &draws);
            worst.unwrap_or_else(|error| panic!("{typed} {}: {error}", estimator.word()));
            let spread = |all: &[Estimate]| all.iter().map(|e| e.se() * e.se()).sum::<f64>();
            assert!(spread(&images) < 0.7 * spread(&draws), "{typed} {}", estimator.word());
        }
    }
}

#[test]
fn data_without_the_symmetry_has_another_mean_over_its_images() {
    let even = "nlgp(n=10, xi=0.6, gain=3)".to_owned();
    // Pulses of one sign anywhere on the ring; a window whose two ends are not neighbours.
    let pulses = task(&["single-pulse(n=10)".to_owned(), even.clone()], Target::Label);
    let window = "window(keep=10, base=nlgp(n=20, xi=2, gain=3))".to_owned();
    let window = task(&[window, even], Target::Label);
    let cases = [
        (Estimator::Antithetic, &pulses),
        (Estimator::Orbit, &pulses),
        (Estimator::Orbit, &window),
    ];
    for (index, (estimator, task)) in (100..).step_by(2).zip(cases) {
        assert!(estimator.fits(task).is_err());
        let network = network("committee(width=1)", "relu", task);
        let images = measured(estimator, &network, task, index);
        let draws = measured(Estimator::Iid, &network, task, index + 1);
        let Err(Disagreement::Noise { z, .. }) = agree(&images, &draws) else {
            panic!("{} passes on data without its symmetry", estimator.word())
        };
        assert!(z.abs() > 8.0, "{} is only {z:.1} standard errors away", estimator.word());
    }
}
