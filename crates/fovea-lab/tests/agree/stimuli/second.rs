//! Means, second moments and the kurtosis of a site, drawn in both precisions, against the closed forms.

use super::super::{check_family, mean};
use super::cases::{all, known};
use super::{build, draw, item};
use fovea_core::agree::{agrees, noise_limit, test_seed};
use fovea_core::stats::Estimate;
use fovea_lab::exact::exact;
use fovea_sim::stimulus::Element;

/// Laws without an eighth moment, or barely with one. The standard error of a fourth moment is made of the eighth: where that is
/// infinite the error measured is whatever the largest sample says, and distances in it are no normal numbers. The
/// first three lack even the fourth moment, of which the error of a covariance is made.
const HEAVY: [&str; 4] = [
    "copula(n=7, marginal=kur, k=2.5)",
    "elliptical(n=7, radius=student)",
    "copula(n=7, marginal=kur, k=5)",
    "elliptical(n=7, radius=power)",
];

/// Cases whose wrong forms are all too close to be told apart by so few samples; the control is another covariance.
const CLOSE: [&str; 4] = [
    "ising(n=7, coupling=5)",
    "ising(n=9, coupling=-5)",
    "ising(n=6, coupling=0)",
    "elliptical(n=7, xi=1e6, kernel=wrapped)",
];

/// Comparisons of this file, all cases and both precisions together.
const FAMILY: usize = 5000;

/// A number without spread is compared as a number, to the rounding of the samples.
const ROUNDING: f64 = 1e-5;

struct Compared {
    pairs: Vec<(Estimate, f64)>,
    furthest: f64,
}

/// Means and products with one site of the case, in one precision.
fn compared<T: Element>(case: &str, index: u64) -> Compared {
    let (stimulus, exact) = (build(case), exact(&item(case)).unwrap());
    let n = stimulus.dim();
    let blocks = if n > 16 { 300 } else { 1000 };
    let x = draw::<T>(stimulus.as_ref(), test_seed(case, index), blocks);
    // The first site that varies: one that is given does not.
    let i = (0..n).find(|i| (exact.cov)(*i, *i) > 1e-12).unwrap();
    let (mut pairs, mut furthest) = (Vec::new(), 0.0_f64);
    let mut take = |estimate: Estimate, value: f64, wrong: &[f64]| {
        if (estimate.mean() - value).abs() > ROUNDING || estimate.se() > ROUNDING {
            pairs.push((estimate, value));
        }
        // Without any spread a wrong number is infinitely far away.
        let off = wrong.iter().filter(|wrong| (estimate.mean() - **wrong).abs() > ROUNDING);
        furthest = off.map(|wrong| estimate.z(*wrong).abs()).fold(furthest, f64::max);
    };
    for j in 0..n {
        take(mean(x[j].iter().copied()), exact.mean[j], &[]);
        let products = x[i].iter().zip(&x[j]);
        let products = mean(products.map(|(a, b)| (a - exact.mean[i]) * (b - exact.mean[j])));
        let value = (exact.cov)(i, j);
        let wrong: Vec<f64> = if CLOSE.contains(&case) {
            vec![0.7 * value + 0.2]
        } else {
            exact.wrong.iter().map(|wrong| (wrong.cov)(i, j)).collect()
        };
        take(products, value, &wrong);
    }
    if let Ok(kurtosis) = (exact.site)(i).excess_kurtosis()
        && !HEAVY.contains(&case)
    {
        let var = (exact.cov)(i, i);
        let fourth = x[i].iter().map(|x| {
            let square = (x - exact.mean[i]) * (x - exact.mean[i]) / var;
            square * square - 3.0
        });
        take(mean(fourth), kurtosis, &[]);
    }
    Compared { pairs, furthest }
}

#[test]
fn drawn_moments_are_those_of_theory_in_both_precisions() {
    let mut total = 0;
    for case in known().filter(|case| !HEAVY[..2].contains(case)) {
        for (word, Compared { pairs, furthest }) in
            [("single", compared::<f32>(case, 0)), ("double", compared::<f64>(case, 1))]
        {
            total += pairs.len();
            check_family(&format!("{case}, {word} precision"), &pairs, FAMILY);
            let limit = noise_limit(FAMILY, f64::INFINITY).max(8.0);
            assert!(furthest > limit, "{case}, {word}: a wrong form is only {furthest:.1} away");
        }
    }
    println!("{total} comparisons");
    assert!(total <= FAMILY);
}

/// Through the bounded function `x / (1 + |x|)`, so that distributions without moments are compared too, and those that theory does not cover.
#[test]
fn single_and_double_precision_draw_the_same_law() {
    for case in all() {
        let stimulus = build(case);
        let bounded = |x: Vec<Vec<f64>>| -> Vec<Vec<f64>> {
            let bound = |x: f64| x / (1.0 + x.abs());
            x.into_iter().map(|row| row.into_iter().map(bound).collect()).collect()
        };
        let single = bounded(draw::<f32>(stimulus.as_ref(), test_seed(case, 2), 300));
        let double = bounded(draw::<f64>(stimulus.as_ref(), test_seed(case, 3), 300));
        let n = stimulus.dim();
        for (i, j) in [(0, 0), (0, 1), (1, 1), (1, n - 1), (n / 2, n / 2)] {
            let product = |x: &[Vec<f64>]| mean(x[i].iter().zip(&x[j]).map(|(a, b)| a * b));
            let first = |x: &[Vec<f64>]| mean(x[i].iter().copied());
            for (a, b) in [(product(&single), product(&double)), (first(&single), first(&double))] {
                let gap = a.difference(&b);
                if gap.mean().abs() > ROUNDING {
                    agrees(&gap, 0.0, 10 * all().count())
                        .unwrap_or_else(|error| panic!("{case}, sites {i} and {j}: {error}"));
                }
            }
        }
        // Samples of one precision against those of the other with another sign on one entry.
        let square = |x: &[Vec<f64>]| mean(x[n / 2].iter().map(|a| a * a));
        let flipped = |x: &[Vec<f64>]| mean(x[n / 2].iter().map(|a| -a * a));
        let gap = square(&single).difference(&flipped(&double));
        assert!(gap.z(0.0).abs() > 8.0 || square(&double).mean() < ROUNDING, "{case}: no power");
    }
}
