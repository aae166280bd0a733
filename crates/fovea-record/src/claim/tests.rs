//! How claims are decided.

use super::*;

fn at(mean: f64) -> Estimate {
    Estimate::from_parts(mean, 1.0, 1000).unwrap()
}

#[test]
fn the_furthest_pair_decides() {
    let claim = Claim::family("L000.3", "x", &[(at(0.5), 0.0), (at(-3.0), 0.0)]);
    assert!((claim.z + 3.0).abs() < 1e-12);
    assert_eq!(claim.decision(), Decision::Pass);
    assert_eq!(Claim::family("L000.3", "x", &[(at(9.0), 0.0)]).decision(), Decision::Fail);
}

/// A thousand numbers, of which the last few lie far out.
fn with_far(count: usize, size: f64) -> Estimate {
    let number = |i: usize| if i < count { size } else { (i % 10) as f64 };
    Estimate::from_samples(&(0..1000).map(number).collect::<Vec<_>>()).unwrap()
}

#[test]
fn tails_too_heavy_for_their_error_bars_leave_the_claim_unchecked() {
    let mean = with_far(1, 1e6);
    let claim =
        |other: f64| Claim::family("L000.3", "x", &[(at(0.5), 0.0), (mean, 1e9), (at(0.5), other)]);
    let open = claim(0.0);
    assert_eq!(open.decision(), Decision::Unchecked);
    assert!(open.in_words().contains("too heavy for 1000 samples"), "{}", open.in_words());
    assert_eq!(claim(9.0).decision(), Decision::Fail, "another pair decides");
    assert!((claim(9.0).z + 8.5).abs() < 1e-12);
    let lost = Estimate::from_samples(&[1e-200, 2e-200]).unwrap();
    let claim = Claim::family("L000.3", "x", &[(lost, 0.0)]);
    assert_eq!(claim.decision(), Decision::Unchecked);
    assert!(claim.in_words().contains("outside the floating-point range"), "{}", claim.in_words());
    let unknown = Claim::family("L000.3", "x", &[(at(0.5), f64::NAN)]);
    assert_eq!(unknown.decision(), Decision::Fail);
}

#[test]
fn with_heavy_tails_a_claim_may_pass_and_reject_but_not_fail() {
    let mean = with_far(20, 1e3);
    let (right, se) = (mean.mean(), mean.se());
    let claim = |z: f64| Claim::family("L000.3", "x", &[(mean, right + z * se)]);
    let slack = tails::slack(&mean, noise_limit(1, f64::INFINITY));
    assert!(slack > 1.0 && slack < 5.0, "{slack}");
    assert_eq!([0.0, 4.0].map(|z| claim(z).decision()), [Decision::Pass; 2]);
    assert_eq!([6.0, 1e6].map(|z| claim(z).decision()), [Decision::Unchecked; 2]);
    let limit = claim(0.0).limit;
    let against = |z: f64| claim(1.0).rejecting("wrong", &[(mean, right + z * se)]).decision();
    assert_eq!([1.1 * limit, limit + 0.99 * slack].map(against), [Decision::Unchecked; 2]);
    assert_eq!(against(limit + 1.01 * slack), Decision::Pass);
    // A pair with light tails rejects where one with heavy tails cannot.
    let wrong = [(mean, right + 1.1 * limit * se), (at(0.0), 1.1 * limit)];
    assert_eq!(claim(1.0).rejecting("wrong", &wrong).decision(), Decision::Pass);
}

#[test]
fn a_prediction_off_by_a_few_per_cent_still_fails() {
    // Squares of normal numbers, as skewed as many a quantity that is compared.
    let mut draws = vec![0.0; 40_000];
    let seed = fovea_core::agree::test_seed(module_path!(), 0);
    fovea_core::streams::Streams::new(seed).named("draws").normals(0, &mut draws);
    let squares: Vec<f64> = draws.iter().map(|x| x * x).collect();
    let mean = Estimate::from_samples(&squares).unwrap();
    let decision = |predicted: f64| Claim::family("L000.3", "x", &[(mean, predicted)]).decision();
    assert_eq!(decision(1.0), Decision::Pass, "{mean:?}");
    // The standard error is 0.7 %.
    assert_eq!([0.93, 1.07].map(decision), [Decision::Fail; 2], "{mean:?}");
    let among_many = |predicted: f64| {
        let others = [(at(0.0), 0.0); 50];
        Claim::family("L000.3", "x", &[&others[..], &[(mean, predicted)]].concat()).decision()
    };
    assert_eq!([0.93, 1.0, 1.07].map(among_many), [Decision::Fail, Decision::Pass, Decision::Fail]);
}

#[test]
fn a_control_that_is_not_rejected_leaves_the_claim_unchecked() {
    let claim = Claim::family("L000.3", "x", &[(at(0.5), 0.0)]);
    let strong = claim.clone().rejecting("off by ten", &[(at(0.5), 10.0)]);
    assert_eq!(strong.decision(), Decision::Pass);
    assert!(strong.in_words().contains("standard errors: off by ten"));
    let weak = claim.clone().rejecting("hardly off", &[(at(0.5), 0.4)]);
    assert_eq!(weak.decision(), Decision::Unchecked);
    assert!(!weak.in_words().contains("rejects"), "{}", weak.in_words());
    assert_eq!(claim.unchecked("another process").why().unwrap(), "another process");
}

#[test]
fn numbers_without_noise_are_compared_by_their_digits() {
    let measured = [1.0, 0.0, -2.0];
    let claim = Claim::exact("L000.3", "x", &[1.0, 1e-12, -2.0], &measured, 1e-9);
    assert_eq!(claim.decision(), Decision::Pass);
    assert!((claim.digits.unwrap() - 12.3).abs() < 0.1);
    assert!((claim.resolution / 1e-9 - 1.0).abs() < 1e-6);
    let off = Claim::exact("L000.3", "x", &[1.0, 1e-8, -2.0], &measured, 1e-9);
    assert_eq!(off.decision(), Decision::Fail);
    let none = Claim::exact("L000.3", "x", &[1.0, f64::NAN, -2.0], &measured, 1e-9);
    assert_eq!(none.decision(), Decision::Fail);
    let told = claim.clone().rejecting_exact("twice", &[2.0, 0.0, -4.0], &measured);
    assert_eq!(told.decision(), Decision::Pass);
    let same = claim.rejecting_exact("the same", &measured, &measured);
    assert_eq!(same.decision(), Decision::Unchecked);
}

#[test]
fn an_error_of_the_size_of_the_resolution_is_noticed_whichever_way_it_lies() {
    let pairs = [(at(40.5), 40.0), (at(-2.0), -1.0)];
    let claim = Claim::family("L000.3", "x", &pairs);
    assert_eq!(claim.decision(), Decision::Pass);
    for sign in [1.0, -1.0] {
        let scaled = pairs.map(|(e, value)| (e, value * (1.0 + sign * 1.001 * claim.resolution)));
        assert_eq!(Claim::family("L000.3", "x", &scaled).decision(), Decision::Fail);
    }
}

#[test]
fn where_all_that_is_measured_is_zero_only_zero_agrees() {
    let claim = |predicted: f64| Claim::exact("L000.5", "nothing", &[predicted], &[0.0], 1e-9);
    assert_eq!(claim(0.0).decision(), Decision::Pass);
    assert_eq!(claim(1e-300).decision(), Decision::Fail);
    assert_eq!(claim(f64::NAN).decision(), Decision::Fail);
}
