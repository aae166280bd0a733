//! Distributions on the cube compared with plain sums over all corners.

use fovea_core::ring::{Kernel, distance, kernel_row};
use fovea_theory::spins::Spins;
use fovea_theory::threshold::spin;

fn latent(n: usize, xi: f64) -> Vec<Vec<f64>> {
    let row = kernel_row(n, xi, Kernel::Ring);
    (0..n).map(|i| (0..n).map(|j| row[distance(i, j, n)]).collect()).collect()
}

fn laws() -> Vec<Spins> {
    let ring = |n, coupling| Spins::ising(n, coupling).unwrap();
    let signs = |n, xi| Spins::signs(&latent(n, xi)).unwrap();
    vec![
        ring(2, 0.4),
        ring(7, -0.8),
        ring(8, 0.7),
        ring(9, 5.0),
        Spins::independent(6).unwrap(),
        signs(2, 1.0),
        signs(4, 1.2),
        signs(5, 1.1),
    ]
}

/// Means by plain sums over all corners.
fn mean(spins: &Spins, g: impl Fn(&[f64]) -> f64) -> f64 {
    let x = |corner: usize| -> Vec<f64> { (0..spins.n()).map(|i| spin(corner, i)).collect() };
    (0..1_usize << spins.n()).map(|corner| spins.pmf(corner) * g(&x(corner))).sum()
}

#[test]
fn every_distribution_is_normalised_and_has_its_covariance() {
    for spins in laws() {
        assert!((mean(&spins, |_| 1.0) - 1.0).abs() < 1e-13, "{spins:?}");
        for d in 0..spins.n() {
            let want = mean(&spins, |x| x[0] * x[d]);
            assert!((spins.cov(0, d) - want).abs() < 1e-13, "{spins:?} {d}");
        }
    }
}

#[test]
fn gated_means_are_those_of_all_corners_under_either_convention_for_ties() {
    for spins in laws() {
        let n = spins.n();
        let rugged: Vec<f64> = (0..n).map(|i| libm::cos(3.0 * (i * i) as f64)).collect();
        for w in [rugged, vec![1.0; n], (0..n).map(|i| f64::from(i < 2)).collect()] {
            let dot = |x: &[f64]| -> f64 { w.iter().zip(x).map(|(w, x)| w * x).sum() };
            let f = spins.gated_mean(&w);
            for i in 0..n {
                let with = mean(&spins, |x| if dot(x) >= -1e-12 { x[i] } else { 0.0 });
                let without = mean(&spins, |x| if dot(x) > 1e-12 { x[i] } else { 0.0 });
                assert!((f[i] - with).abs() < 1e-13, "{spins:?} {w:?}");
                assert!((f[i] - without).abs() < 1e-13, "{spins:?} {w:?}");
            }
            assert!((spins.mean_abs(&w) - mean(&spins, |x| dot(x).abs())).abs() < 1e-12);
        }
    }
}

#[test]
fn signs_of_three_gaussians_have_the_elementary_orthant_probabilities() {
    let spins = Spins::signs(&latent(3, 1.5)).unwrap();
    let r = libm::exp(-1.0 / 2.25);
    // P(all up) = 1/8 + (asin r12 + asin r13 + asin r23) / (4 pi).
    let want = 0.125 + 3.0 * libm::asin(r) / (4.0 * std::f64::consts::PI);
    assert!((spins.pmf(7) - want).abs() < 1e-15 && (spins.pmf(0) - want).abs() < 1e-15);
}

#[test]
fn a_table_is_read_back_and_a_wrong_one_is_refused() {
    let ring = Spins::ising(5, 0.6).unwrap();
    let pmf: Vec<f64> = (0..32).map(|corner| ring.pmf(corner)).collect();
    let table = Spins::from_pmf(&pmf).unwrap();
    let w = [0.9, -0.2, 0.4, 0.3, 0.05];
    let gap = |(a, b): (f64, f64)| (a - b).abs();
    let both = table.gated_mean(&w).into_iter().zip(ring.gated_mean(&w));
    assert!(both.map(gap).fold(0.0, f64::max) < 1e-15);
    for wrong in [vec![0.5; 3], vec![0.5; 4], vec![0.4, 0.1, 0.2, 0.3], vec![-0.5, 0.5, 0.5, 0.5]] {
        assert!(Spins::from_pmf(&wrong).unwrap_err().hint().contains("add up to 1"));
    }
    assert_eq!(Spins::ising(45, 0.1).unwrap_err().hint(), "choose n from 2 to 44");
    assert!(Spins::signs(&latent(6, 1.0)).is_err());
}

#[test]
fn forty_sites_keep_their_digits() {
    let spins = Spins::ising(40, 0.7).unwrap();
    let mut w = vec![0.1; 40];
    w[3] = 4.0;
    // Site 3 outvotes the others together, so that f is half a column of the covariance.
    let f = spins.gated_mean(&w);
    assert!((0..40).all(|i| (f[i] - 0.5 * spins.cov(3, i)).abs() < 1e-14));
}
