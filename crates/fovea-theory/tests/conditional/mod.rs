//! The process given some of its sites, compared with other routes to the same numbers.

use fovea_core::Value;
use fovea_core::quadrature::{gauss_hermite, normal_expectation};
use fovea_core::ring::{Kernel, distance, kernel_row};
use fovea_core::special::erf;
use fovea_theory::conditional::nlgp::nlgp;
use fovea_theory::form;
use fovea_theory::nlgp::cov::cov;
use fovea_theory::nlgp::normalizer::normalizer;

#[test]
fn one_given_site_matches_quadrature_over_the_rest() {
    let row = kernel_row(9, 1.7, Kernel::Ring);
    for (gain, z) in [(0.3, 1.2), (1.0, -0.8), (3.0, 0.4), (3.0, 0.8), (40.0, 0.02)] {
        let root = normalizer(gain).sqrt();
        let given = nlgp(&row, gain, &[2], &[erf(gain * z) / root]).unwrap();
        for j in [0, 1, 3, 5, 8] {
            let r = row[distance(2, j, 9)];
            let (m, s) = (r * z, (1.0 - r * r).sqrt());
            let site = |x: f64| erf(gain * (m + s * x)) / root;
            let mean = normal_expectation(site, &[-m / s]).value;
            let square =
                normal_expectation(|x| (site(x) - mean) * (site(x) - mean), &[-m / s]).value;
            assert!((given.mean[j] - mean).abs() < 1e-12, "g={gain} j={j}");
            assert!((given.cov[j][j] - square).abs() < 1e-12, "g={gain} j={j}");
        }
        assert!(given.cov[2].iter().all(|x| x.abs() < f64::MIN_POSITIVE));
    }
}

#[test]
fn two_sites_left_match_a_grid_of_nodes() {
    // Latent covariance of three sites in a ring of three.
    let rule = gauss_hermite(80);
    let (row, gain, z) = ([1.0, 0.55, 0.55], 0.9, 0.7);
    let root = normalizer(gain).sqrt();
    let given = nlgp(&row, gain, &[0], &[erf(gain * z) / root]).unwrap();
    let (m, var): (f64, f64) = (0.55 * z, 1.0 - 0.55 * 0.55);
    let link = (0.55 - 0.55 * 0.55) / var;
    let site = |x: f64| erf(gain * (m + var.sqrt() * x)) / root - given.mean[1];
    let product = rule.integrate(|x| {
        rule.integrate(|y| site(x) * site(link * x + (1.0 - link * link).sqrt() * y))
    });
    assert!((given.cov[1][2] - product).abs() < 1e-11, "{} {product}", given.cov[1][2]);
}

#[test]
fn means_and_covariances_add_up_to_those_of_the_process() {
    // Cov X = E Cov[X | X_0] + Cov E[X | X_0], averaged over X_0; at this gain no node of the average saturates.
    let (row, gain, rule) = (kernel_row(7, 1.4, Kernel::Ring), 0.4, gauss_hermite(20));
    let root = normalizer(gain).sqrt();
    for (j, k) in [(1, 1), (1, 2), (3, 5), (6, 2), (0, 4)] {
        let total = rule.integrate(|z| {
            let given = nlgp(&row, gain, &[0], &[erf(gain * z) / root]).unwrap();
            given.cov[j][k] + given.mean[j] * given.mean[k]
        });
        let want = cov(row[distance(j, k, 7)], gain);
        assert!((total - want).abs() < 1e-8, "{j} {k}: {total} {want}");
    }
}

#[test]
fn small_gain_is_gaussian_regression() {
    let row = kernel_row(8, 1.2, Kernel::Ring);
    let [tiny, small, linear] =
        [1e-300, 1e-6, 1e-9].map(|gain| nlgp(&row, gain, &[1, 4], &[0.7, -1.1]).unwrap());
    for j in 0..8 {
        assert!((small.mean[j] - linear.mean[j]).abs() < 1e-10);
        for k in 0..8 {
            assert!((small.cov[j][k] - linear.cov[j][k]).abs() < 1e-10, "{j} {k}");
            assert!((tiny.cov[j][k] - linear.cov[j][k]).abs() < 1e-15, "{j} {k}");
        }
    }
}

#[test]
fn what_cannot_be_is_refused_with_a_hint() {
    let hint = |key: &str, typed: &str| {
        let given = vec![(key.to_owned(), Value::from_typed(typed))];
        form("conditional.nlgp").unwrap().at(&given).unwrap_err().hint()
    };
    assert!(hint("values", "0.9,2").contains("closer to 0"));
    assert!(hint("values", "0.9").contains("one value per site"));
    assert!(hint("sites", "3,3").contains("fewer sites"));
    assert!(hint("gain", "inf").contains("finite"));
}
