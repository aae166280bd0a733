//! The simulator and the closed forms, which share no helper, meet here.

mod estimators;
mod gradient;
mod mean_field;
mod moments;
mod stimuli;
mod streams;
mod training;
mod uncertainty;

use fovea_core::agree::{Disagreement, agrees, noise_limit};
use fovea_core::stats::Estimate;
use fovea_lab::two_class::TwoClass;
use fovea_sim::{Batch, Task};

/// Asserts agreement and prints the distance, so that a run with fresh seeds shows how the distances are spread.
fn check(what: &str, estimate: &Estimate, value: f64, family: usize) {
    println!("z = {:+.3} for {what}", estimate.z(value));
    agrees(estimate, value, family).unwrap_or_else(|error| panic!("{what}: {error}"));
}

/// Asserts that a wrong form is rejected, by at least 8 standard errors so that the test has power.
fn reject(what: &str, estimate: &Estimate, wrong: f64) {
    let distance = estimate.z(wrong).abs();
    assert!(
        distance > noise_limit(1, estimate.dof()).max(8.0),
        "{what} is only {distance:.1} standard errors away"
    );
}

/// Asserts agreement of a family of estimates, each from samples of its own, and prints every distance.
///
/// Distances from the same samples move together: their mean and spread would not be those of as many independent normals.
fn check_apart(what: &str, pairs: &[(Estimate, f64)]) {
    for (index, (estimate, value)) in pairs.iter().enumerate() {
        check(&format!("{what}, entry {index}"), estimate, *value, pairs.len());
    }
}

/// Asserts agreement of a family of estimates that share their samples, and prints the largest distance.
fn check_all(what: &str, pairs: &[(Estimate, f64)]) {
    check_family(what, pairs, pairs.len());
}

/// The same for a part of a larger family.
fn check_family(what: &str, pairs: &[(Estimate, f64)], family: usize) {
    let worst = pairs
        .iter()
        .map(|(e, v)| e.z(*v))
        .fold(0.0, |a: f64, z| if z.abs() > a.abs() { z } else { a });
    println!("worst of {}: {worst:+.3} for {what}", pairs.len());
    let verdict: Result<(), Disagreement> =
        pairs.iter().try_for_each(|(estimate, value)| agrees(estimate, *value, family));
    verdict.unwrap_or_else(|error| panic!("{what}: {error}"));
}

fn mean(values: impl Iterator<Item = f64>) -> Estimate {
    Estimate::from_samples(&values.collect::<Vec<_>>()).unwrap()
}

const TWO: TwoClass =
    TwoClass { n: 12, xi_pos: 1.5, xi_neg: 0.8, kernel: fovea_core::ring::Kernel::Ring };

/// Part `part` of `parts` of the samples; no two parts share one.
fn part<T>(samples: &[T], part: usize, parts: usize) -> impl Iterator<Item = &T> {
    samples.iter().skip(part).step_by(parts)
}

/// Samples of class `pos` alone.
fn pos_samples(task: &Task, seed: u64, count: usize) -> Vec<Vec<f64>> {
    let streams = fovea_core::streams::Streams::new(seed);
    let batch = Batch::new(task, &streams, "test", 0, 2 * count);
    let labelled = fovea_sim::plain::samples::<f32>(&batch);
    labelled.into_iter().filter(|(_, y)| y[0] > 0.5).map(|(x, _)| x).collect()
}
