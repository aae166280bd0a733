//! A population on binary data: every run breaks the symmetry of the ring, all runs together restore it.

use super::prelude::*;
use fovea_core::activation;
use fovea_core::stats::VectorAccumulator;
use fovea_desk::bench::{Bench, Silent};
use fovea_desk::cell::peak;
use fovea_desk::two_class::TwoClass;
use fovea_sim::init::Initializer;
use fovea_sim::init::glorot::Glorot;
use fovea_sim::probe::ipr::ipr;
use fovea_sim::train::{Precision, train};
use fovea_sim::{Bias, Labels, Network, Plan, Sgd, Times, crew, loss, probe};
use std::sync::atomic::AtomicBool;

/// The row of this check.
pub const ENTRY: Check = Check {
    name: "tiling",
    summary: "Units of a population localize, on every site and in either sign equally often.",
    covers: &["L000.40"],
    run,
};

const RING: usize = 8;
const UNITS: usize = 4;

/// A field with a larger inverse participation ratio rests on few sites; on eight a flat one has 0.125.
const LOCALIZED: f64 = 0.4;

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    let classes = TwoClass { n: RING, xi_pos: 0.7, xi_neg: 0.3, kernel: Kernel::Ring };
    let task = classes.task(f64::INFINITY, Labels::Balanced)?;
    let network = Network::committee(RING, UNITS, &activation::relu::ENTRY, Bias::None);
    // The mean readout slows every unit by 1/K.
    let sgd = Sgd::online(0.2 * UNITS as f64, 200);
    let plan = Plan {
        steps: 400,
        record: Times::Every(400),
        checkpoint_every: 0,
        eval_samples: 0,
        probes: &[&probe::weights::ENTRY],
        loss: &loss::mse::ENTRY,
        precision: Precision::Single,
    };
    let population = |replica: &u64| -> Result<Vec<f64>, LabError> {
        let (streams, stop) = (effort.streams.replica(*replica), AtomicBool::new(false));
        let bench = Bench::new(0, &Silent, &stop);
        let start = Glorot { init_scale: 1.0 }.start(&[RING], UNITS, &streams)?.weights;
        let network = network.clone().with(&start, &[0.0; UNITS])?;
        let run = train(&task, network, &sgd, &streams, &plan, &bench);
        Ok(run.records.last().map_or_else(Vec::new, |end| shares(&end.readings[0])))
    };
    let replicas: Vec<u64> = (0..effort.samples(1000) as u64).collect();
    let runs = crew::fleet(&replicas, population);
    let mut means = VectorAccumulator::new(RING + 1);
    for run in runs {
        means.push(&run?)?;
    }
    let mut predicted = vec![1.0 / RING as f64; RING];
    predicted.push(0.5);
    let pairs: Vec<_> = means.estimates()?.into_iter().zip(predicted).collect();
    let what = "share of the localized units of a run with their peak at each of 8 sites and with a positive one, four ReLU units on sign data, \
                xi_pos = 0.7, xi_neg = 0.3, and 1/8 and 1/2: every run localizes and all runs together keep the symmetry; how units of one run share the \
                ring is not tested";
    Ok(vec![
        Comparison::noise(&["L000.40"], what, &pairs)
            .coarse("every sample is a training run of its own"),
    ])
}

/// Share of the localized units at every site, and of those with a positive peak; a run without any has none.
fn shares(fields: &[Vec<f64>]) -> Vec<f64> {
    let localized: Vec<&Vec<f64>> = fields.iter().filter(|w| ipr(w) > LOCALIZED).collect();
    let mut shares = vec![0.0; RING + 1];
    for w in &localized {
        let site = peak(w);
        shares[site] += 1.0 / localized.len() as f64;
        shares[RING] += f64::from(u8::from(w[site] > 0.0)) / localized.len() as f64;
    }
    shares
}
