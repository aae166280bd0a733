//! The simulator's exact moments, by quadrature and enumeration, against the closed forms.

use super::cases::known;
use super::{build, item};
use fovea_lab::exact::{Cov, exact};

/// How far the two may lie apart, relative to the largest variance: the tolerance of the brute-force quadratures.
const TOLERANCE: f64 = 1e-12;

/// A wrong form that differs by less would pass as the right one some day.
const DIFFERS: f64 = 1e-8;

/// Where a wrong form is right all the same: the limit it was taken for the whole of.
const COINCIDE: &[(&str, &str)] = &[
    ("nlgp(n=7, gain=1e-12)", "the latent correlation"),
    ("nlgp(n=7, gain=0.01)", "the latent correlation"),
    ("ising(n=6, coupling=0)", "the open chain, a^d"),
    ("ising(n=6, coupling=0)", "every bond counted twice, tanh 2J"),
    ("elliptical(n=7, xi=1e6, kernel=wrapped)", "a factor 1/2 in the exponent"),
];

/// Pairs of sites: all of a small ring, some rows of a large one.
fn pairs(n: usize) -> Vec<(usize, usize)> {
    let rows = if n > 16 { vec![0, 1, n / 2] } else { (0..n).collect() };
    rows.into_iter().flat_map(|i| (0..n).map(move |j| (i, j))).collect()
}

#[test]
fn brute_force_and_closed_forms_agree_to_twelve_digits_and_wrong_forms_do_not() {
    let mut worst = (0.0, "");
    for case in known() {
        let stimulus = build(case);
        let brute = stimulus.moments().unwrap_or_else(|why| panic!("{case}: {why}"));
        let exact = exact(&item(case)).unwrap_or_else(|why| panic!("{case}: {why}"));
        assert_eq!(exact.shape, stimulus.shape(), "{case}");
        assert_eq!(exact.stationary, stimulus.declared().translation_invariant, "{case}");
        assert_eq!(exact.gaussian, stimulus.is_gaussian(), "{case}");
        let n = stimulus.dim();
        let size = (0..n).map(|i| brute.covariance.at(i, i)).fold(0.0, f64::max).max(1e-3);
        let apart = |cov: &Cov| {
            let gap = |(i, j): (usize, usize)| {
                let gap = (cov(i, j) - brute.covariance.at(i, j)).abs();
                // The larger of a number and NaN is the number.
                if gap.is_nan() { f64::INFINITY } else { gap }
            };
            pairs(n).into_iter().map(gap).fold(0.0, f64::max) / size
        };
        let mean = exact.mean.iter().zip(&brute.mean).map(|(a, b)| (a - b).abs() / size.sqrt());
        let gap = apart(&exact.cov).max(mean.fold(0.0, f64::max));
        assert!(exact.mean.iter().all(|mean| mean.is_finite()), "{case}");
        assert!(gap <= TOLERANCE, "{case}: {gap:e} apart, {TOLERANCE:e} allowed");
        if gap > worst.0 {
            worst = (gap, case);
        }
        for wrong in &exact.wrong {
            let gap = apart(&wrong.cov);
            let right = COINCIDE.contains(&(case, wrong.what.as_str()));
            assert!((gap > DIFFERS) != right, "{case}: {} is {gap:e} away", wrong.what);
        }
        assert!(!exact.wrong.is_empty(), "{case}: no wrong form");
    }
    println!("worst distance {:.1e} of the variance, {}", worst.0, worst.1);
}

/// The distribution function and the moments come from different formulas; the mean and the variance must be the same.
#[test]
fn the_law_of_a_site_has_the_mean_and_variance_of_the_site() {
    use fovea_core::quadrature::adaptive_split;
    let mut compared = 0;
    for case in known() {
        let exact = exact(&item(case)).unwrap();
        let n = exact.mean.len();
        for i in [0, n / 2, n - 1] {
            let (law, mean, var) = ((exact.site)(i), exact.mean[i], (exact.cov)(i, i));
            if law.cdf(0.0).is_err() || case.contains("kur") || case.contains("student") {
                continue;
            }
            // E (x - m) and E (x - m)^2 from the two tails; jumps of the tails are found by halving.
            let tail = |r: f64| [law.cdf(mean - r).unwrap(), 1.0 - law.cdf(mean + r).unwrap()];
            let ends: Vec<f64> = (0..=64).map(|e| f64::from(e) * 0.4 * var.sqrt()).collect();
            let first = adaptive_split(|r| tail(r)[1] - tail(r)[0], &ends, 1e-9).value;
            let second = adaptive_split(|r| 2.0 * r * (tail(r)[0] + tail(r)[1]), &ends, 1e-9).value;
            let size = var.max(1e-3);
            assert!(first.abs() < 1e-4 * size.sqrt(), "{case}, site {i}: mean off by {first:e}");
            assert!((second - var).abs() < 1e-4 * size, "{case}, site {i}: {second} not {var}");
            compared += 1;
        }
    }
    assert!(compared > 100, "only {compared} sites were compared");
}
