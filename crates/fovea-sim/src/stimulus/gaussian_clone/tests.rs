use super::*;
use crate::sampled::{Sampled, samples};
use fovea_core::agree::{agrees, test_seed};
use fovea_core::ring::{circulant_eigs, unfold};
use fovea_core::stats::Estimate;
use fovea_core::streams::Streams;
use fovea_core::{Matrix, Value};

fn clone_of(base: Item<Box<dyn Stimulus>>) -> GaussianCloneSampler {
    GaussianClone { base }.sampler().unwrap()
}

#[test]
fn the_spectrum_of_a_ring_and_of_a_torus_is_the_defining_sum() {
    let mut numbers = vec![0.0; 12];
    Streams::new(test_seed(module_path!(), 0)).named("row").normals(0, &mut numbers);
    for n in [2, 7, 12] {
        let row: Vec<f64> = unfold(&numbers, n);
        let truth = unfold(&circulant_eigs(&row), n);
        assert!(spectrum(&[n], &row).iter().zip(truth).all(|(a, b)| (a - b).abs() < 1e-13));
    }
    // Even, but not even along each axis alone.
    let (rows, cols) = (3, 4);
    let wrap = |i: usize, j: usize| (rows - i) % rows * cols + (cols - j) % cols;
    let row: Vec<f64> =
        (0..12).map(|at| numbers[at] + numbers[wrap(at / cols, at % cols)]).collect();
    for (k, eig) in spectrum(&[rows, cols], &row).into_iter().enumerate() {
        let turn = |at: usize| {
            (at / cols * (k / cols)) as f64 / rows as f64
                + (at % cols * (k % cols)) as f64 / cols as f64
        };
        let sum: f64 =
            (0..12).map(|at| row[at] * libm::cos(std::f64::consts::TAU * turn(at))).sum();
        assert!((eig - sum).abs() < 1e-13, "mode {k}");
    }
}

#[test]
fn a_clone_has_the_moments_of_its_base() {
    let rows = Matrix::new(3, vec![1.0, 2.0, 0.0, 0.5, -1.0, 3.0, 2.0, 0.0, 1.0]);
    let bases: [Item<Box<dyn Stimulus>>; 7] = [
        Item::named("ising").set("n", 2_usize),
        Item::named("ising").set("n", 7_usize).set("coupling", -0.6),
        Item::named("single-pulse").set("n", 5_usize),
        Item::named("nlgp").set("n", 3_usize).set("dim", 2_usize).set("xi", 0.8),
        Item::named("array").set("samples", Value::Array(rows)),
        Item::named("block-pulse").set("n", 7_usize).set("length", 2_usize),
        Item::named("conditional").set("n", 5_usize).set("xi", 1.0),
    ];
    for (index, base) in (1_u64..).zip(bases) {
        let sampler = clone_of(base);
        let sampled = Sampled::new(&sampler, module_path!(), index, 600);
        sampled.holds();
        // Independent entries of the same variance, and for the last one of another variance.
        let exact = sampler.moments.covariance.clone();
        sampled.rejects(|i, j| if i == j { 1.2 * exact.at(i, i) } else { 0.0 });
    }
}

#[test]
fn a_clone_is_gaussian_and_says_so() {
    for (index, base) in (20_u64..).zip(["ising", "array"]) {
        let sampler = clone_of(Item::named(base));
        assert!(sampler.is_gaussian());
        let x = samples::<f64>(&sampler, module_path!(), index, 600).swap_remove(1);
        let (mean, var) = (sampler.moments.mean[1], sampler.moments.covariance.at(1, 1));
        let fourth: Vec<f64> =
            x.iter().map(|x| (x - mean) * (x - mean) / var).map(|square| square * square).collect();
        let fourth = Estimate::from_samples(&fourth).unwrap();
        agrees(&fourth, 3.0, 2).unwrap();
        // The base has two values: a spin's fourth power is its second.
        assert!(agrees(&fourth, if base == "ising" { 1.0 } else { 7.0 / 3.0 }, 2).is_err());
    }
}

#[test]
fn symmetries_follow_from_the_moments() {
    let law = |base: &str| clone_of(Item::named(base)).declared();
    let all = Declared { standardized: true, sign_symmetric: true, translation_invariant: true };
    assert_eq!(law("ising"), all);
    let pulse = law("single-pulse");
    assert!(!pulse.standardized && !pulse.sign_symmetric && pulse.translation_invariant);
    assert!(!law("block-pulse").translation_invariant);
}

#[test]
fn a_base_without_moments_is_refused_with_its_own_words() {
    let error = GaussianClone { base: Item::named("block-pulse").set("n", 5000_usize) }
        .sampler()
        .err()
        .unwrap();
    assert!(error.to_string().contains("up to 2048"), "{error}");
    assert_eq!(error.hint(), "choose a base whose mean and covariance are known");
}
