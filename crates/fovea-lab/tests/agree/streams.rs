//! The audit generator compared with the usual one: other numbers, the same distribution.

use super::{TWO, check, mean, part, reject};
use fovea_core::agree::{agrees, test_seed};
use fovea_core::ring::RingKernel;
use fovea_core::streams::{Generator, Streams};
use fovea_sim::{Batch, Labels};
use fovea_theory::nlgp::{cov::cov, marginal};

/// Samples of class `pos` from one generator.
fn samples(generator: Generator, gain: f64, index: u64, count: usize) -> Vec<Vec<f64>> {
    let task = TWO.task(gain, Labels::Balanced).unwrap();
    let streams = Streams::new(test_seed(module_path!(), index)).drawn_by(generator);
    let batch = Batch::new(&task, &streams, "test", 0, 2 * count);
    let labelled = fovea_sim::plain::samples::<f32>(&batch);
    labelled.into_iter().filter(|(_, y)| y[0] > 0.5).map(|(x, _)| x).collect()
}

#[test]
fn moments_are_the_same_law_under_both_generators() {
    /// Two gains, four moments, and two generators, each compared with theory and with the other.
    const FAMILY: usize = 24;
    let latent = RingKernel::new(TWO.n, TWO.xi_pos, TWO.kernel).unwrap().first_row;
    for (index, gain) in [0.5, 3.0].into_iter().enumerate() {
        let of = |generator| {
            let x = samples(generator, gain, index as u64, 200_000);
            let product = |k: usize, i: usize, j: usize| mean(part(&x, k, 5).map(|x| x[i] * x[j]));
            let fourth = mean(part(&x, 3, 5).map(|x| x[0] * x[0] * x[0] * x[0]));
            let size = mean(part(&x, 4, 5).map(|x| x[5].abs()));
            [product(0, 0, 1), product(1, 2, 4), fourth, size]
        };
        let theory = [
            cov(latent[1], gain),
            cov(latent[2], gain),
            marginal::fourth_moment(gain),
            marginal::abs_mean(gain),
        ];
        let (usual, audit) = (of(Generator::Xoshiro), of(Generator::Philox));
        for (k, value) in theory.into_iter().enumerate() {
            check(&format!("moment {k} at gain {gain}, usual"), &usual[k], value, FAMILY);
            check(&format!("moment {k} at gain {gain}, audit"), &audit[k], value, FAMILY);
            // Not printed: it moves with the two above.
            agrees(&usual[k].difference(&audit[k]), 0.0, FAMILY).unwrap();
        }
        reject("a Gaussian's fourth moment", &audit[2], 3.0);
        reject("the covariance of another gain", &audit[0], cov(latent[1], 10.0 * gain));
    }
}

#[test]
fn the_generators_draw_other_samples_from_one_seed() {
    // A low gain: at a high one many entries are saturated, and equal for that reason.
    let draw = |generator| samples(generator, 0.3, 9, 64).concat();
    let (usual, audit) = (draw(Generator::Xoshiro), draw(Generator::Philox));
    assert!(usual.iter().zip(&audit).all(|(a, b)| a.to_bits() != b.to_bits()));
    assert_eq!(usual, draw(Generator::Xoshiro));
}
