use super::moments::covariance_of_erfs;
use super::*;
use crate::sampled::{Sampled, samples};
use crate::stimulus::nlgp::Nlgp;
use fovea_core::agree::within;
use fovea_core::quadrature::normal_expectation;
use fovea_core::ring::Kernel;

fn given(n: usize, gain: f64, sites: &[usize], values: &[f64]) -> Conditional {
    Conditional {
        lattice: Lattice::ring(n, 1.5, Kernel::Wrapped),
        gain,
        sites: sites.to_vec(),
        values: values.to_vec(),
    }
}

#[test]
fn given_entries_come_out_as_given_in_both_precisions() {
    let sampler = given(7, 2.0, &[5, 2], &[0.3, -1.1]).sampler().unwrap();
    let double = samples::<f64>(&sampler, module_path!(), 0, 5);
    let single = samples::<f32>(&sampler, module_path!(), 0, 5);
    for (site, value) in [(5, 0.3), (2, -1.1_f64)] {
        assert!(double[site].iter().all(|x| x.to_bits() == value.to_bits()));
        assert!(single[site].iter().all(|x| x.to_bits() == f64::from(value as f32).to_bits()));
    }
    assert!(double[0].iter().any(|x| (x - double[0][0]).abs() > 0.1), "the others vary");
}

#[test]
fn drawn_samples_have_the_conditional_moments() {
    let torus = Conditional {
        lattice: Lattice { n: 3, dim: 2, xi: 1.0, ..Lattice::default() },
        ..given(3, 1.0, &[0, 4], &[1.0, -0.7])
    };
    let cases = [
        given(2, 3.0, &[1], &[-0.9]),
        given(5, 0.3, &[0], &[1.4]),
        given(6, 3.0, &[1, 4], &[1.0, -0.4]),
        given(6, 100.0, &[0, 1, 3], &[0.5, 0.1, -0.9]),
        torus,
    ];
    for (index, params) in (1_u64..).zip(cases) {
        let sampler = params.sampler().unwrap();
        let sampled = Sampled::new(&sampler, module_path!(), index, 1500);
        sampled.holds();
        // The process with nothing given.
        let free = Nlgp { gain: params.gain, lattice: params.lattice }.sampler().unwrap();
        let free = free.moments().unwrap();
        sampled.rejects(|i, j| free.covariance.at(i, j));
        if params.gain < 10.0 {
            // At high gain the latent field is close to zero at any of these values, and so is the mean.
            sampled.rejects_means(|i| free.mean[i]);
        }
    }
}

#[test]
fn the_covariance_of_two_error_functions_is_their_double_integral() {
    let cases = [
        (0.5_f64, [(0.3, 0.8_f64), (-0.2, 0.5_f64)], 0.4_f64),
        (3.0, [(0.3, 0.8), (-0.2, 0.5)], -0.4),
        (3.0, [(1.0, 0.2), (1.2, 0.3)], 0.2),
        (1.0, [(0.0, 1.0), (0.0, 1.0)], 1.0),
        (0.01, [(2.0, 0.5), (0.0, 1.0)], 0.6),
    ];
    for (gain, [(a, var_a), (b, var_b)], cov) in cases {
        let slope = cov / var_a;
        let rest = (var_b - cov * slope).max(0.0).sqrt();
        let mean_b = |shift: f64| {
            let erf = |w: f64| libm::erf(gain * (b + slope * shift + rest * w));
            normal_expectation(erf, &[-(b + slope * shift) / rest.max(1e-6)]).value
        };
        let first = |w: f64| libm::erf(gain * (a + var_a.sqrt() * w));
        let kinks = [-a / var_a.sqrt()];
        let product = normal_expectation(|w| first(w) * mean_b(var_a.sqrt() * w), &kinks).value;
        let means = normal_expectation(first, &kinks).value
            * normal_expectation(|w| mean_b(var_a.sqrt() * w), &kinks).value;
        let got = covariance_of_erfs(gain, [(a, var_a), (b, var_b)], cov);
        within(got, product - means, 1e-9, 1e-13).unwrap();
    }
}

#[test]
fn extreme_gains_and_values_have_finite_moments_and_samples() {
    for gain in [1e-6, 1e-3, 1e3, 1e6] {
        let end = 1.0 / variance_of_erf(gain).sqrt();
        for share in [-0.999_999, 0.0, 0.5, 1.0 - 1e-15] {
            let sampler = given(5, gain, &[1, 3], &[share * end, -0.3 * end]).sampler().unwrap();
            let moments = sampler.moments().unwrap();
            assert!(moments.mean.iter().all(|m| m.is_finite()));
            assert!((0..25).all(|at| moments.covariance.at(at / 5, at % 5).is_finite()));
            let x = samples::<f32>(&sampler, module_path!(), 20, 2);
            assert!(x.iter().flatten().all(|x| x.is_finite()), "gain {gain}");
        }
    }
}

#[test]
fn what_cannot_be_given_is_refused_by_name() {
    let told = |params: Conditional| {
        let error = params.sampler().unwrap_err();
        (error.to_string(), error.hint())
    };
    let (what, _) = told(given(5, 3.0, &[0, 1], &[0.5]));
    assert_eq!(what, "there are 2 `sites` and 1 `values`");
    let (_, hint) = told(given(5, 3.0, &[], &[]));
    assert_eq!(hint, "give at least one site, and every site its value");
    let (what, hint) = told(given(5, 3.0, &[0, 5], &[0.5, 0.5]));
    assert_eq!(
        (what.as_str(), hint.as_str()),
        ("`sites` has 5, and the sites are 0 to 4", "choose sites below 5")
    );
    let (what, _) = told(given(5, 3.0, &[0, 3, 1, 3], &[0.5; 4]));
    assert_eq!(what, "`sites` has 3 twice, at places 2 and 4");
    let (what, hint) = told(given(5, 3.0, &[0], &[1.2]));
    assert!(what.contains("the value 1.2 at site 0") && what.contains("1.123"), "{what}");
    assert!(hint.contains("inside (-1.123"), "{hint}");
    let close = Conditional {
        lattice: Lattice::ring(40, 8.0, Kernel::Wrapped),
        ..given(40, 3.0, &[3, 20, 4, 7, 5, 6], &[0.1; 6])
    };
    let (what, hint) = told(close);
    assert!(what.starts_with("site 6 is nearly fixed by the other given sites (3, 4, 5, 7, ...)"));
    assert!(hint.starts_with("leave out site"), "{hint}");
    let inf = (ENTRY.build)(&vec![("gain".into(), f64::INFINITY.into())]).err().unwrap();
    assert_eq!(inf.to_string(), "`gain` is inf; it must be in [1e-6, 1000000]");
}
