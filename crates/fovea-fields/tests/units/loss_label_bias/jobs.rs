use fovea_core::activation;
use fovea_core::agree::within;
use fovea_core::streams::Streams;
use fovea_desk::conditions::{Conditions, Silent};
use fovea_desk::prelude::{Experiment, TwoClass};
use fovea_fields::loss_label_bias::arm::Arm;
use fovea_fields::loss_label_bias::theory::Theory;
use fovea_fields::loss_label_bias::{LossLabelBias, Point, Purpose};
use fovea_sim::init::Initializer;
use fovea_sim::init::glorot::Glorot;
use fovea_sim::{Bias, Crew, Engine, Network, Start};
use std::sync::atomic::AtomicBool;

fn end(arm: Arm, lr: f64, from: Option<(f64, f64)>) -> Network {
    let settings = LossLabelBias { lr, fresh_batch: 256, ..LossLabelBias::quick() };
    let theory = Theory::of(&settings.two).unwrap();
    let (purpose, gain) = (Purpose::Compare, f64::INFINITY);
    let point = Point { purpose, arm, width: 2, gain, steps: 20, starts: 1 };
    let mut jobs = point.jobs(&settings, &theory, &Streams::new(1)).unwrap();
    // The same start, in other units where they are given.
    if let Some((scale, b)) = from {
        let streams = &jobs[0].stages[0].streams;
        let start = Glorot { init_scale: 1.0 }.start(&[40], 2, streams).unwrap().weights;
        let weights: Vec<f64> = start.iter().map(|w| scale * w).collect();
        let network = Network::committee(40, 2, &activation::relu::ENTRY, Bias::None)
            .with(&weights, &[0.0; 2])
            .unwrap()
            .with_readout(vec![1.0; 2], false, vec![b], Bias::Trainable);
        jobs[0].start = Start::Given(network);
    }
    let stop = AtomicBool::new(false);
    let trained = Crew.train(&jobs, &Conditions::new(1, &Silent, &stop)).unwrap();
    trained[0].network().clone()
}

#[test]
fn twins_train_alike() {
    let (l1, pm) = (end(Arm::L1, 0.5, None), end(Arm::L1Pm, 0.5, None));
    assert_eq!(l1.weights(), pm.weights(), "the label of neg does not matter");
    assert_ne!(l1.weights(), end(Arm::Mse, 0.5, None).weights());
    // Doubled weights and 2 b - 1; the absolute error is twice as large, the squared error four times.
    for (arm, twin, rate) in
        [(Arm::MsePmBias, Arm::MseBias, 0.5), (Arm::L1PmBias, Arm::L1Bias, 1.0)]
    {
        let (plain, doubled) = (end(twin, 0.5, None), end(arm, rate, Some((2.0, -1.0))));
        for (w, v) in plain.weights().iter().zip(doubled.weights()) {
            within(*v, 2.0 * w, 1e-3, 1e-4).unwrap();
        }
        within(doubled.output_biases()[0], 2.0 * plain.output_biases()[0] - 1.0, 1e-3, 1e-4)
            .unwrap();
    }
}

#[test]
fn published_rows_are_repeated_at_their_own_settings_alone() {
    let count = |settings: &LossLabelBias, purpose: Purpose| {
        let theory = Theory::of(&settings.two).unwrap();
        let points = settings.points(&theory);
        let here = points.iter().filter(|point| point.purpose == purpose);
        here.map(|point| point.starts).sum::<usize>()
    };
    let own = LossLabelBias::default();
    assert_eq!(count(&own, Purpose::Published), 5 * 12 + 2 * 6);
    assert_eq!(count(&own, Purpose::Hold), own.held * (7 + 5));
    let two = TwoClass { xi_pos: 1.5, ..own.two };
    let other = LossLabelBias { two, ..own.clone() };
    assert_eq!(count(&other, Purpose::Published), 0);
}
